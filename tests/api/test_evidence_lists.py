"""/captures, /divergences and /elements: what was found, where and when, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.app import create_app
from domain.probe import Probe
from tests.api.stocked import Stocked

Keep = Callable[..., Probe]


@pytest.fixture(scope="module")
def asking(made: Stocked) -> Iterator[TestClient]:
    with TestClient(create_app(made.database, made.blobs), raise_server_exceptions=False) as client:
        yield client


def items(client: TestClient, address: str) -> list[dict[str, Any]]:
    """All items of all pages."""
    found: list[dict[str, Any]] = []
    after: str | None = address
    while after:
        answer = client.get(after)
        assert answer.status_code == 200, answer.text
        found += answer.json()["items"]
        after = answer.json()["next"]
    return found


# Visits, an hour from one number to the next: shop 0, 1, 2; bank 10; evil 20; gone 30, which is hidden. Each has its pairs
# flagged, and one for review.
@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("", 9 + 5),
        ("verdict=flagged", 9),
        ("verdict=review", 5),
        ("site=shop", 9),
        ("site=gone", 0),
        ("kind=stale", 3),
        ("kind=aria&verdict=flagged", 3 + 1),
        ("check=confirmed", 9),
        ("check=unchecked", 5),
        ("check=contradicted", 0),
        ("grade=disjoint&verdict=flagged", 9),
        ("policy=paper", 14),
        ("policy=tokens", 0),
        ("text=pay", 3),
        ("text=pay+to", 3),
        ("text=accounts", 1),
        ("text=secret", 0),
        ("text=menu&check=confirmed&site=bank", 1),
        ("since=2026-03-01T14:00:00Z&until=2026-03-01T22:00:00Z", 3),
        ("capture=" + "0" * 31 + "1-0", 3),
        ("visit=" + "0" * 31 + "2", 3),
    ],
)
def test_filters(asking: TestClient, question: str, count: int) -> None:
    """Each filter leaves what it names, all of them together too, in pages of two without a gap or a repeat."""
    found = items(asking, f"/divergences?limit=2&{question}")
    assert len({one["id"] for one in found}) == len(found) == count
    places = [(one["when"], one["id"]) for one in found]
    assert places == sorted(places, reverse=True)


def test_one_divergence(asking: TestClient, made: Stocked) -> None:
    """The divergence, every look at it, its probe, and where to go on."""
    wanted = made.divergences["shop"][0]
    told = asking.get(f"/divergences/{wanted}").json()
    assert told["divergence"]["finding"]["structural"] == "Pay 10"
    assert [look["check"]["verdict"] for look in told["checks"]] == ["confirmed"]
    assert told["probe"]["id"] == made.probes["shop"][0].id
    for link in ("crop", "capture", "history"):
        assert asking.get(told["links"][link]).status_code == 200, link
    assert asking.get("/divergences/zzzz").status_code == 404
    assert asking.get(f"/divergences/{made.divergences['gone'][0]}").status_code == 404


def test_captures(asking: TestClient, made: Stocked) -> None:
    """Newest visit first, with how much was found; one of them with every reading's time and where its artifacts are."""
    found = items(asking, "/captures?limit=2")
    assert [(one["site"], one["flagged"], one["review"]) for one in found] == [
        ("evil", 1, 1), ("bank", 2, 1), ("shop", 2, 1), ("shop", 2, 1), ("shop", 2, 1),
    ]  # fmt: skip
    assert [one["site"] for one in items(asking, "/captures?site=bank")] == ["bank"]
    one = asking.get(f"/captures/{found[1]['id']}").json()
    assert [(m["name"], m["ms"]) for m in one["moments"]] == [
        ("served", 0), ("before", 3000), ("screenshot_sent", 3100), ("after", 3300),
    ]  # fmt: skip
    assert one["capture"]["tallies"] == {"aria": {"clean": 8, "flagged: disagree": 1}}
    assert len(one["divergences"]) == 3
    assert one["visit"]["captures"] == []
    for archive in one["archives"]:
        assert asking.get(archive["link"]).status_code == 200
    gone = made.visits["gone"][0].captures[0].id
    assert asking.get(f"/captures/{gone}").status_code == 404


def test_history(asking: TestClient, made: Stocked) -> None:
    """The element's pair at each of three visits, newest first or oldest first, in pages of one; unknown: 404."""
    element = made.probes["shop"][0].provenance.element
    newest = items(asking, f"/elements/{element}/history?limit=1")
    assert [one["visit_id"] for one in newest] == [f"{n:032x}" for n in (2, 1, 0)]
    assert {one["divergence"]["finding"]["structural"] for one in newest} == {"Pay 10"}
    assert {one["probe"] for one in newest} == {made.probes["shop"][0].id}
    assert items(asking, f"/elements/{element}/history?limit=2&sort=when") == newest[::-1]
    assert asking.get("/elements/nobody/history").status_code == 404
    hidden = made.probes["gone"][0].provenance.element
    assert asking.get(f"/elements/{hidden}/history").status_code == 404


def test_streams(asking: TestClient) -> None:
    """All that matches as lines, the same items in the same order as page by page."""
    for path in ("/divergences?kind=aria", "/captures?site=shop"):
        lines = asking.get(f"{path}&format=ndjson").text.splitlines()
        assert len(lines) == len(items(asking, path))


def test_a_page_stays_right(client: TestClient, keep: Keep) -> None:
    """What comes in meanwhile is on no later page; a cursor of another question is refused.

    The last of this file: it empties the store of the others.
    """
    for number in (1, 2, 3, 4):
        keep(number)
    first = client.get("/divergences?limit=2&kind=aria").json()
    keep(9)
    keep(0)
    rest = items(client, first["next"])
    assert [one["finding"]["rendered"] for one in first["items"] + rest] == [
        "Total 24",
        "Total 23",
        "Total 22",
        "Total 21",
        "Total 20",
    ]
    wrong = client.get("/divergences", params={"limit": 2, "after": first["after"]})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "bad-cursor")
