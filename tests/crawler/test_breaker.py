"""The crawler stops itself where its own browser or network is broken, and never because sites are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from structlog.testing import capture_logs

from crawler.breaker import REMEDIES, SIGNS, Breaker, alarm
from domain.errors import Tripped
from domain.visit import Outcome
from tests.crawler.made import made_visit

OBSERVING = Path(__file__).resolve().parents[2] / "docs" / "observing.md"


def test_failures_at_different_hosts_trip_it() -> None:
    """Three hosts, limit three: the third visit trips it, and the reason says what failed, where last, and what to do."""
    breaker = Breaker(3)
    assert breaker.note(made_visit("browser-crashed", "a.test")) is None
    assert breaker.note(made_visit("browser-crashed", "b.test")) is None
    reason = breaker.note(made_visit("timeout", "c.test", reason="timeout:visit, longer than 120000 ms"))
    assert reason is not None
    assert "3 different hosts" in reason
    assert "2 browser-crashed, 1 timeout" in reason
    assert "c.test (timeout:visit" in reason
    assert "shm_size" in reason


def test_one_host_never_trips_it() -> None:
    """A host that crashes the browser a hundred times is one host's fault."""
    breaker = Breaker(3)
    assert [breaker.note(made_visit("browser-crashed", "a.test")) for _ in range(100)] == [None] * 100


def test_a_page_that_came_through_begins_the_count_anew() -> None:
    """Two failures, a capture, two failures, limit three: not tripped."""
    breaker = Breaker(3)
    for host, outcome in (("a", "failed"), ("b", "failed"), ("c", "captured"), ("d", "failed"), ("e", "failed")):
        assert breaker.note(made_visit(outcome, host)) is None
    assert breaker.count == 2


def test_twenty_dead_names_and_then_a_live_one() -> None:
    """Dead names never end a crawl, however many; nor do they hide failures that are ours."""
    breaker = Breaker(3)
    assert [alarm(breaker, made_visit("dns-failed", f"dead{i}.test")) for i in range(20)] == [None] * 20
    assert breaker.note(made_visit("captured", "live.test")) is None
    breaker.note(made_visit("timeout", "a.test"))
    breaker.note(made_visit("timeout", "b.test"))
    breaker.note(made_visit("dns-failed", "dead.test"))
    assert breaker.note(made_visit("timeout", "c.test")) is not None


@pytest.mark.parametrize("outcome", ["http-error", "refused-robots", "challenge", "rate-limited", "put-off", "interrupted"])
def test_what_sites_answer_neither_counts_nor_resets(outcome: Outcome) -> None:
    """Fifty answers of sites trip nothing; between failures of ours they prove nothing either."""
    breaker = Breaker(2)
    assert [breaker.note(made_visit(outcome, f"{i}.test")) for i in range(50)] == [None] * 50
    breaker.note(made_visit("connection-failed", "a.test"))
    breaker.note(made_visit(outcome, "b.test"))
    assert breaker.note(made_visit("connection-failed", "c.test")) is not None


def test_nothing_but_dead_names_is_doubted_once() -> None:
    """Limit two: at the sixth dead name in a row the network is doubted, once; a live page ends the doubt."""
    breaker = Breaker(2)
    with capture_logs() as logs:
        for i in range(12):
            assert alarm(breaker, made_visit("dns-failed", f"dead{i}.test")) is None
            assert [entry["event"] for entry in logs] == ["network.doubted"] * (i >= 5)
        alarm(breaker, made_visit("captured"))
        for i in range(6):
            alarm(breaker, made_visit("dns-failed", f"dead{i}.test"))
    assert [entry["event"] for entry in logs] == ["network.doubted"] * 2


def test_it_is_said_aloud() -> None:
    """Tripping is a critical event, and an error with an exit code of its own."""
    with capture_logs() as logs:
        error = alarm(Breaker(1), made_visit("tls-failed"))
    assert isinstance(error, Tripped)
    assert error.exit_code == 3
    [entry] = logs
    assert (entry["event"], entry["log_level"], entry["why"]) == ("crawler.tripped", "critical", str(error))


def test_zero_is_never() -> None:
    """Limit 0: nothing trips, nothing is doubted."""
    breaker = Breaker(0)
    for i in range(200):
        assert alarm(breaker, made_visit("failed" if i < 100 else "dns-failed", f"{i}.test")) is None


def test_every_outcome_is_judged_and_told() -> None:
    """Each outcome has its sign, in the code and, the same, in docs/observing.md; each that counts says what to do."""
    assert set(SIGNS) == set(get_args(Outcome))
    assert set(REMEDIES) == {outcome for outcome, sign in SIGNS.items() if sign == "ours"}
    told = dict(
        re.findall(r"^\| `([a-z-]+)` \| (ours|works|dead-name|theirs|unopened) \|", OBSERVING.read_text(), re.MULTILINE)
    )
    assert told == SIGNS
