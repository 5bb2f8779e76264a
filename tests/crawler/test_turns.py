"""crawler/turns.py: what may pass is tried again, soon or late by what it was."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from crawler.turns import LONGEST, PASSING, again_in
from domain.visit import Outcome


def test_a_host_that_asked_for_rest_is_waited_for_as_long_as_it_asked() -> None:
    """The try after a 429 adds nothing to the host's own rest, which holds for every visit to it."""
    wait = again_in("rate-limited", 1, random.Random(1))  # noqa: S311 - waits, not secrets
    assert wait <= timedelta(seconds=10)


@pytest.mark.parametrize("outcome", PASSING)
def test_each_wait_is_twice_as_long_and_has_an_end(outcome: Outcome) -> None:
    """From half to one and a half of the doubled time, by chance, and never more than one and a half times the longest."""
    for tries in (1, 2, 3, 20):
        mean = min(PASSING[outcome] * 2.0 ** (tries - 1), LONGEST)
        waits = [again_in(outcome, tries, random.Random(seed)) for seed in range(50)]  # noqa: S311 - as above
        assert all(mean * 0.5 <= wait <= mean * 1.5 for wait in waits)
