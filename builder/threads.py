"""Work in threads, with the results in the order of the work: how many threads there are changes nothing but the time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def in_threads(work: Iterable[Callable[[], T]], workers: int) -> Iterator[T]:
    """The results, in order. One more is under way, or done and waiting, than there are workers: memory stays flat.

    Raises what the work raises, in its turn; what has not begun then never does.
    """
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[T]] = deque()
        try:
            for one in work:
                waiting.append(pool.submit(one))
                if len(waiting) > workers + 1:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
