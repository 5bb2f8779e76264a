"""What rest follows from a visit, worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from domain.hosts import Ending, Standing, host_of, rested, retry_after
from domain.visit import Outcome

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def after(
    before: Standing, outcome: Outcome | None, status: int | None = None, asked: str | None = None, *, chance: float = 0
) -> Standing:
    """How a host stands after that, with a floor of ten seconds and a breaker at three failures."""
    return rested(before, Ending(outcome, status, asked), ended=NOON, floor_s=10, breaker=3, chance=chance)


def rests(outcome: Outcome, times: int, status: int | None = None) -> list[timedelta]:
    """How long the host rests after each of so many visits in a row."""
    standing, found = Standing(), []
    for _ in range(times):
        standing = after(Standing(None, "", standing.failures, standing.limited), outcome, status)
        found.append((standing.not_before or NOON) - NOON)
    return found


@pytest.mark.parametrize(("delay_s", "seconds"), [(0, 10), (3, 10), (10, 10), (60, 60), (86_400, 86_400)])
def test_the_floor_and_the_crawl_delay(delay_s: float, seconds: float) -> None:
    """The longer of the two counts, from the end of the visit."""
    assert after(Standing(delay_s=delay_s), "captured", 200).not_before == NOON + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("status", "asked", "rest"),
    [
        (429, "3600", HOUR),
        (503, "120", 2 * MINUTE),
        (429, "Sun, 01 Mar 2026 14:00:00 GMT", 2 * HOUR),
        (429, "999999999999999", DAY),
        (429, "Sun, 01 Mar 2037 14:00:00 GMT", DAY),
        (429, "0", timedelta(seconds=10)),
        (429, "Sun, 01 Mar 2026 11:00:00 GMT", timedelta(seconds=10)),
        (429, "soon", 10 * MINUTE),
        (429, "-5", 10 * MINUTE),
        (503, None, 10 * MINUTE),
    ],
)
def test_too_many_requests(status: int, asked: str | None, rest: timedelta) -> None:
    """Retry-After in seconds or as a date, a day at most and the floor at least; ten minutes where it says nothing."""
    standing = after(Standing(), "http-error", status, asked)
    assert (standing.not_before, standing.limited, standing.failures) == (NOON + rest, 1, 0)


def test_rests_double() -> None:
    """Without a time: 10, 20, 40 minutes ... up to a day. Failures: nothing twice, then an hour, two, four ... up to a day."""
    minutes = [rest / MINUTE for rest in rests("rate-limited", 10)]
    assert minutes == [10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]
    hours = [rest / HOUR for rest in rests("timeout", 9)]
    assert hours == [10 / 3600, 10 / 3600, 1, 2, 4, 8, 16, 24, 24]


def test_chance_makes_rests_longer_never_shorter() -> None:
    """By up to a quarter; what the site asked for is kept to the second."""
    assert after(Standing(), "rate-limited", 429, chance=0.8).not_before == NOON + 12 * MINUTE
    assert after(Standing(failures=2), "timeout", chance=0.8).not_before == NOON + 1.2 * HOUR
    assert after(Standing(), "rate-limited", 429, "600", chance=0.8).not_before == NOON + 10 * MINUTE


@pytest.mark.parametrize(
    ("outcome", "status", "counts"),
    [
        ("timeout", None, (3, 1)),
        ("connection-refused", None, (3, 1)),
        ("connection-failed", None, (3, 1)),
        ("tls-failed", None, (3, 1)),
        ("browser-crashed", None, (3, 1)),
        ("http-error", 500, (3, 1)),
        ("http-error", 502, (3, 1)),
        ("http-error", 503, (2, 2)),
        ("http-error", 429, (2, 2)),
        ("captured", 200, (0, 0)),
        ("http-error", 404, (0, 0)),
        ("http-error", 403, (0, 0)),
        ("challenge", 200, (0, 0)),
        ("dns-failed", None, (2, 1)),
        ("refused-private-address", None, (2, 1)),
        ("refused-robots", None, (2, 1)),
        ("interrupted", None, (2, 1)),
        ("failed", None, (2, 1)),
        (None, None, (2, 1)),
    ],
)
def test_what_counts(outcome: Outcome | None, status: int | None, counts: tuple[int, int]) -> None:
    """The host's failures and its refusals count, an answer forgets both, and what says nothing of it changes neither."""
    standing = after(Standing(failures=2, limited=1), outcome, status)
    assert (standing.failures, standing.limited) == counts


def test_no_breaker() -> None:
    """0 never lets a host rest for its failures."""
    ending = Ending("timeout")
    standing = rested(Standing(failures=99), ending, ended=NOON, floor_s=0, breaker=0, chance=0)
    assert standing.not_before == NOON


def test_a_rest_is_not_cut_short() -> None:
    """A visit that ends while the host rests longer, e.g. one begun before, leaves that as it is."""
    resting = Standing(NOON + DAY, "HTTP 429", limited=1)
    assert after(resting, "captured", 200).not_before == NOON + DAY


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Shop.Example:8443/x", "shop.example"),
        ("https://shop.example./", "shop.example"),
        ("https://m\u00fcnchen.example/", "xn--mnchen-3ya.example"),
        ("https://stra\u00dfe.example/", "xn--strae-oqa.example"),
        ("https://shop\u3002example\u3002/", "shop.example"),
        ("https://shop\u202e.example/", "shop\u202e.example"),
        ("http://[::1]:80/", "::1"),
        ("http://[0:0::1]/", "::1"),
        ("http://127.1/", "127.0.0.1"),
        ("http://1.2.3.4.5/", "1.2.3.4.5"),
        ("about:blank", ""),
        ("https://[bad", ""),
    ],
)
def test_one_key_for_a_host(url: str, host: str) -> None:
    assert host_of(url) == host


def test_a_date_without_a_zone_is_utc() -> None:
    """As HTTP dates are."""
    assert retry_after("Sun, 01 Mar 2026 13:00:00 -0000", NOON) == HOUR
    assert retry_after("", NOON) is None
