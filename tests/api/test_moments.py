"""Moments that are asked for, as people and programs write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from fastapi.testclient import TestClient
from pydantic import TypeAdapter, ValidationError

from api.moments import When
from tests.api.asking import ids, problem
from tests.api.conftest import Keep

NOON = datetime(2026, 3, 1, 12, 30, 5, 250_000, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "2026-03-01T12:30:05.250000Z",
        "2026-03-01T12:30:05.25+00:00",
        "2026-03-01T12:30:05.25 00:00",
        "2026-03-01 14:30:05.25 02:00",
        "2026-03-01T14:30:05.25 0200",
        "2026-03-01T10:30:05.25-02:00",
        "2026-03-01 12:30:05.25",
    ],
)
def test_one_moment(written: str) -> None:
    """However its zone is written, and where an address made a blank of a plus sign."""
    assert TypeAdapter(When).validate_python(written) == NOON


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01 12:00", datetime(2026, 3, 1, 12, tzinfo=UTC)),  # no zone: a date, and a time
    ],
)
def test_without_a_zone(written: str, meant: datetime) -> None:
    assert TypeAdapter(When).validate_python(written) == meant


@pytest.mark.parametrize("written", ["20260301", "1772366400", "2026-02-30", "2026-03-01T25:00", "2026-03-01T12:00 noon", ""])
def test_no_moment(written: str) -> None:
    """It is refused with what to write."""
    with pytest.raises(ValidationError, match="write 2026-03-01, or 2026-03-01T12:00:00Z"):
        TypeAdapter(When).validate_python(written)


def test_what_is_told_is_taken_back(client: TestClient, keep: Keep) -> None:
    """Every moment of an answer, put into an address as it is, is the moment that it is."""
    probe = keep(1)
    told = client.get(f"/probes/{probe.id}").json()
    divergence = client.get("/divergences").json()["items"][0]
    assert ids(client.get(f"/probes?since={told['last_seen']}")) == [probe.id]
    assert ids(client.get(f"/probes?until={told['last_seen']}")) == []
    assert ids(client.get(f"/probes?since={told['probe']['provenance']['when']}")) == [probe.id]
    assert ids(client.get(f"/divergences?since={divergence['when']}")) == [divergence["id"]]
    said = problem(client.get("/probes?since=2026-02-30"), "bad-parameter")
    assert said.endswith("outside expected range: write 2026-03-01, or 2026-03-01T12:00:00Z, not '2026-02-30'")
