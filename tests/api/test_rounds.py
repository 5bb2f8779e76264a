"""Askers of the same at once share an answer that is not older than any of their questions."""

from __future__ import annotations

import asyncio
import threading

import pytest

from api.rounds import Rounds

LIMIT_S = 30


def test_never_older_than_the_question() -> None:
    """What is true when somebody asks is in the answer, though a round that began before is still under way."""
    truth, made = [1], []
    begun, go_on = threading.Event(), threading.Event()

    def count() -> int:
        seen = truth[0]
        made.append(seen)
        begun.set()
        assert go_on.wait(LIMIT_S)
        return seen

    async def ask() -> None:
        rounds: Rounds[int] = Rounds()
        first = asyncio.create_task(rounds.get("probes", count))
        assert await asyncio.to_thread(begun.wait, LIMIT_S)
        truth[0] = 2
        later = [asyncio.create_task(rounds.get("probes", count)) for _ in range(10)]
        await asyncio.sleep(0)  # all of them have asked
        gone = later.pop(0)
        gone.cancel()
        go_on.set()
        assert await first == 1
        assert await asyncio.gather(*later) == [2] * 9
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert await rounds.get("probes", count) == 2

    asyncio.run(ask())
    assert made == [1, 2, 2]


def test_others_do_not_wait() -> None:
    """Another question is answered while one takes long."""
    go_on = threading.Event()

    async def ask() -> None:
        rounds: Rounds[bool] = Rounds()
        slow = asyncio.create_task(rounds.get("slow", lambda: go_on.wait(LIMIT_S)))
        assert await rounds.get("quick", lambda: True)
        assert not slow.done()
        go_on.set()
        assert await slow

    asyncio.run(ask())


def test_what_fails() -> None:
    """A failure is told to all who asked, and the next asks anew."""

    async def ask() -> None:
        rounds: Rounds[int] = Rounds()
        for answer in await asyncio.gather(*(rounds.get("probes", lambda: 1 // 0) for _ in range(3)), return_exceptions=True):
            assert isinstance(answer, ZeroDivisionError)
        assert await rounds.get("probes", lambda: 1) == 1

    asyncio.run(ask())
