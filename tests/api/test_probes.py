"""/probes, /stats, /families and /kinds, on rows whose counts are worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.lists import question_of
from api.paging import cursor_of
from api.probes_asked import ProbesAsked
from domain.divergences import KINDS
from domain.families import NAMES
from domain.probe import Probe
from domain.takedown import read_covered
from store import takedowns
from store.database import Database
from store.divergences import divergence_id
from tests.store.probe_rows import put, release, row

Keep = Callable[..., Probe]
ROWS = (
    row(1, kind="aria", site="shop", policy="tokens", grade="disjoint", verdict="confirmed", first=1),
    row(2, kind="aria", site="bank", policy="tokens", grade="overlap", verdict="confirmed", first=2),
    row(3, kind="stale", site="shop", policy="paper", grade="disjoint", verdict="unreadable", first=3),
    row(4, kind="stale", site="shop", policy="paper", grade="disjoint", gold="Ja", first=4),
    row(5, family="web-text", site="forum", verdict="confirmed", first=5),
    row(6, family="mobile-stale", site="com.app", first=6),
    row(7, kind="state", site="gone", policy="paper", grade="numeric", verdict="confirmed", first=7, hidden=True),
)


def ids(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [item["id"] for item in answer.json()["items"]]


def refused(answer: Any, status: int, code: str) -> str:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    return str(answer.json()["detail"])


@pytest.fixture
def stocked(database: Database) -> None:
    put(database, *ROWS)


def test_records_are_what_pydantic_writes(client: TestClient, keep: Keep) -> None:
    """An item is the stored JSON as it is, never parsed on the way; it is the probe, whole and equal."""
    drawn = keep(1)
    [item] = client.get("/probes").json()["items"]
    assert Probe.model_validate(item) == drawn
    assert Probe.model_validate(client.get(f"/probes/{drawn.id}").json()["probe"]) == drawn


@pytest.mark.usefixtures("stocked")
@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("", "6 5 4 3 2 1"),
        ("family=web-natural", "4 3 2 1"),
        ("kind=stale&site=shop", "4 3"),
        ("platform=mobile", "6"),
        ("source=mind2web", "5"),
        ("policy=paper&sort=first_seen", "3 4"),
        ("verdict=confirmed", "5 2 1"),
        ("grade=overlap", "2"),
        ("since=2026-03-01T12:02:00Z&until=2026-03-01T13:05:00%2B01:00", "4 3 2"),
        ("text=ja", "4"),
        ("text=total%20PA", "6 5 3 2 1"),
        ("site=gone", ""),
    ],
)
def test_filters(client: TestClient, question: str, numbers: str) -> None:
    """Each filter leaves what it names; what is taken down is in no list."""
    assert ids(client.get(f"/probes?{question}")) == [ROWS[int(number) - 1]["id"] for number in numbers.split()]


@pytest.mark.usefixtures("stocked")
def test_cursors(client: TestClient) -> None:
    """`next` leads on under the same filters; a cursor that was changed, or is given with others, is refused; the last page has
    none."""
    first = client.get("/probes?limit=2&family=web-natural").json()
    second = client.get(first["next"])
    assert ids(second) == [ROWS[1]["id"], ROWS[0]["id"]]
    assert (second.json()["after"], second.json()["next"]) == (None, None)
    assert "link" not in second.headers
    cursor = first["after"]
    forged = cursor_of(("no time", "id"), question_of("/probes", ProbesAsked(family="web-natural")))
    for question in (
        f"after={cursor}",
        f"after={cursor}&family=web-text",
        f"after={cursor}&family=web-natural&sort=last_seen",
        f"after={'A' if cursor[0] != 'A' else 'B'}{cursor[1:]}&family=web-natural",
        f"after={forged}&family=web-natural",
        f"after={forged}&family=web-natural&format=ndjson",
        "after=%C3%A9",
    ):
        assert refused(client.get(f"/probes?{question}"), 400, "bad-cursor").startswith("after: this is no cursor")
    # How many, and which fields, may change from page to page.
    assert client.get(f"/probes?after={cursor}&family=web-natural&limit=1&fields=gold").json()["items"] == [{"gold": "Pay 10"}]


@pytest.mark.usefixtures("stocked")
def test_a_stream(client: TestClient) -> None:
    """All that match, in the order that was asked for, a line each."""
    lines = client.get("/probes?format=ndjson&kind=stale&sort=id").text.splitlines()
    assert [json.loads(line)["id"] for line in lines] == sorted(ROWS[n]["id"] for n in (2, 3))


@pytest.mark.usefixtures("stocked")
def test_pinned_to_a_release(client: TestClient, database: Database) -> None:
    """A release gives its own rows, by id, whatever becomes of the store's; another name is 404."""
    release(database, "v1", ROWS[0], ROWS[4])
    expected = sorted((ROWS[0]["id"], ROWS[4]["id"]))
    assert ids(client.get("/probes?release=v1")) == expected
    assert ids(client.get("/probes?release=v1&sort=-id&limit=1")) == expected[1:]
    assert client.get("/stats?release=v1").json()["total"] == 2
    assert "Known releases: v1." in refused(client.get("/stats?release=v2"), 404, "not-found")
    refused(client.get("/probes?release=v1&sort=-last_seen"), 422, "bad-parameter")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("family=web-taxt", f"family: there is {', '.join(NAMES)}, not 'web-taxt'"),
        ("kind=colour", f"kind: there is {', '.join(KINDS)}, not 'colour'"),
        ("since=9999-12-31T23:59:59-14:00", "since: in UTC that is no moment of the years 1 to 9999"),
        ("text=%24%24", "text: there is neither letter nor digit in '$$'."),
    ],
)
def test_asked_wrongly(client: TestClient, question: str, told: str) -> None:
    """What is not right is named, with its value and what there is, by the list and by the counts."""
    for path in ("/probes", "/stats"):
        assert refused(client.get(f"{path}?{question}"), 422, "bad-parameter").startswith(told)


def test_one_probe(client: TestClient, database: Database, keep: Keep) -> None:
    """All that is known of a probe; how an id begins leads to the only one; what is taken down is not there."""
    drawn = keep(1)
    where = drawn.live
    release(database, "v1", {"id": drawn.id, "record": {}})
    found = client.get(f"/probes/{drawn.id}")
    seen = "2026-03-01T12:01:03Z"
    assert {name: value for name, value in found.json().items() if name != "probe"} == {
        "sightings": 1,
        "first_seen": seen,
        "last_seen": seen,
        "releases": ["v1"],
        "links": {
            "crop": f"/probes/{drawn.id}/crop",
            "screenshot": None,
            "structure": None,
            "capture": f"/captures/{where.capture}",
            "divergence": f"/divergences/{divergence_id(where.capture, 'aria', where.path)}",
            "history": f"/elements/{where.element}/history",
            "sightings": f"/probes/{drawn.id}/sightings",
            "evidence": f"/probes/{drawn.id}/evidence",
            "page": f"/pages/probes/{drawn.id}",
        },
    }
    again = client.get(f"/probes/{drawn.id}", headers={"If-None-Match": found.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(f"/probes/{drawn.id[:-1]}").json() == found.json()
    assert "nor one that begins so" in refused(client.get(f"/probes/{drawn.id}0"), 404, "not-found")
    takedowns.add(database, read_covered("shop.example"), why="a letter", by_whom="me")
    refused(client.get(f"/probes/{drawn.id}"), 404, "not-found")


@pytest.mark.usefixtures("stocked")
def test_stats(client: TestClient) -> None:
    """Exact counts under the filters, the most frequent first; what has no value is in the total alone."""
    assert client.get("/stats").json() == {
        "total": 6,
        "facets": {
            "family": {"web-natural": 4, "mobile-stale": 1, "web-text": 1},
            "kind": {"aria": 2, "stale": 2},
            "platform": {"web": 5, "mobile": 1},
            "source": {"live": 4, "clay": 1, "mind2web": 1},
            "policy": {"paper": 2, "tokens": 2},
            "verdict": {"confirmed": 3, "unreadable": 1},
            "grade": {"disjoint": 3, "overlap": 1},
            "site": {"shop": 3, "bank": 1, "com.app": 1, "forum": 1},
        },
    }
    filtered = client.get("/stats?kind=aria&text=pay&since=2026-03-01T12:02:00").json()
    assert (filtered["total"], filtered["facets"]["kind"], filtered["facets"]["site"]) == (1, {"aria": 1}, {"bank": 1})
    assert client.get("/stats?top=1").json()["facets"]["site"] == {"shop": 3}
    assert client.get("/stats?site=gone").json()["total"] == 0


@pytest.mark.usefixtures("stocked")
def test_stats_aside(client: TestClient) -> None:
    """Aside: a facet's own filter does not narrow its counts; every other does. The total is under all filters."""
    told = client.get("/stats?kind=stale&site=shop&aside=true").json()
    assert told["total"] == 2
    assert told["facets"]["kind"] == {"aria": 1, "stale": 2}  # of the shop, of any kind
    assert told["facets"]["site"] == {"shop": 2}  # stale ones, of any site
    assert told["facets"]["family"] == {"web-natural": 2}
    assert told["facets"]["verdict"] == {"unreadable": 1}
    rare = client.get("/stats?site=bank&aside=true&top=1").json()
    assert rare["facets"]["site"] == {"bank": 1}, "the one filtered by is told, though the shop has three"
    assert list(told["facets"]) == ["family", "kind", "platform", "source", "policy", "verdict", "grade", "site"]


@pytest.mark.usefixtures("stocked")
def test_registries(client: TestClient) -> None:
    """Families and kinds are those of the registries, in their order, described by their modules, with their counts."""
    families = {family["name"]: family for family in client.get("/families").json()["items"]}
    assert tuple(families) == NAMES
    natural = families["web-natural"]
    assert natural["title"] == "conflicts as they were found on live pages, nothing edited."
    assert (natural["probes"], natural["conditions"], natural["sources"]) == (4, ["natural"], ["live"])
    assert families["desktop-graphic"]["probes"] == 0
    kinds = {kind["name"]: kind for kind in client.get("/kinds").json()["items"]}
    assert tuple(kinds) == KINDS
    assert {name: kind["probes"] for name, kind in kinds.items()} == {"aria": 2, "title": 0, "stale": 2, "state": 0}
    assert kinds["stale"]["title"].startswith("the structure says what the element showed when it was read")
    for one in (*families.values(), *kinds.values()):
        assert client.get(one["link"]).status_code == 200
    tagged = client.get("/families")
    assert client.get("/families", headers={"If-None-Match": tagged.headers["etag"]}).status_code == 304


def test_moments_are_utc(client: TestClient, database: Database) -> None:
    """A moment without a zone is UTC."""
    put(database, row(1, first=5))
    at = datetime(2026, 3, 1, 12, 5, tzinfo=UTC)
    assert len(ids(client.get("/probes", params={"since": at.replace(tzinfo=None).isoformat()}))) == 1
    assert len(ids(client.get("/probes", params={"until": at.replace(tzinfo=None).isoformat()}))) == 0
