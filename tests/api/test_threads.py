"""What handlers do in threads: so many at once and no more, each as whoever asked, and nobody's thread is lost."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar

import pytest

from api.threads import Threads

LIMIT_S = 30


def test_so_many_at_once_and_the_others_later() -> None:
    """Who is beyond the limit waits until a thread is free."""
    begun: list[int] = []
    both_at_it, go_on = threading.Barrier(3), threading.Event()

    def call(number: int) -> int:
        begun.append(number)
        if number < 2:
            both_at_it.wait(LIMIT_S)
            assert go_on.wait(LIMIT_S)
        return number

    async def ask() -> list[int]:
        threads = Threads(2)
        asked = [asyncio.create_task(threads.run(call, number=number)) for number in range(6)]
        await asyncio.to_thread(both_at_it.wait, LIMIT_S)
        assert sorted(begun) == [0, 1]
        go_on.set()
        try:
            return await asyncio.gather(*asked)
        finally:
            threads.end()

    assert asyncio.run(ask()) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("error", [ValueError("so it is"), KeyboardInterrupt()])
def test_what_is_raised_is_raised_to_whoever_asked(error: BaseException) -> None:
    """And the thread does what is asked next."""

    def fail() -> None:
        raise error

    async def ask() -> None:
        threads = Threads(1)
        with pytest.raises(type(error)) as caught:
            await threads.run(fail)
        assert caught.value is error
        assert await threads.run(lambda: 735) == 735
        threads.end()

    asyncio.run(ask())


def test_a_thread_knows_what_its_asker_knows() -> None:
    """The log has a request's id in lines that its thread writes."""
    request: ContextVar[str] = ContextVar("request")

    async def ask(threads: Threads, name: str) -> str:
        request.set(name)
        return await threads.run(request.get)

    async def all_of_them() -> list[str]:
        threads = Threads(2)
        try:
            return await asyncio.gather(*(ask(threads, name) for name in "abcd"))
        finally:
            threads.end()

    assert asyncio.run(all_of_them()) == ["a", "b", "c", "d"]


def test_who_goes_away_takes_no_thread_along() -> None:
    """What was begun is done to its end; then its thread is there for others."""
    begun, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def call() -> None:
        begun.set()
        assert go_on.wait(LIMIT_S)
        done.set()

    async def ask() -> None:
        threads = Threads(1)
        gone = asyncio.create_task(threads.run(call))
        assert await asyncio.to_thread(begun.wait, LIMIT_S)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        go_on.set()
        assert await threads.run(done.is_set)
        threads.end()

    asyncio.run(ask())


def test_nobody_waits_for_what_has_ended() -> None:
    """Who waits for a thread when they end, and who asks afterwards, is told; what is under way is done."""
    begun, go_on = threading.Event(), threading.Event()

    def call() -> str:
        begun.set()
        assert go_on.wait(LIMIT_S)
        return "done"

    async def ask() -> None:
        threads = Threads(1)
        under_way, waiting = asyncio.create_task(threads.run(call)), asyncio.create_task(threads.run(call))
        await asyncio.to_thread(begun.wait, LIMIT_S)
        threads.end()
        with pytest.raises(RuntimeError, match="have ended"):
            await waiting
        with pytest.raises(RuntimeError, match="have ended"):
            await threads.run(call)
        go_on.set()
        assert await under_way == "done"

    asyncio.run(ask())
