"""/sites, /sites/{name} and what hangs on it, /visits/{id} and /crawl, as a program asks for them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import text

from api.listing import Listing
from api.lists import question_of
from api.paging import cursor_of
from api.sites_asked import ElementsAsked, SitesAsked, VisitsAsked
from domain.visit import Visit
from store import sites
from store.blobs import Blobs
from store.captures import save
from store.database import Database
from store.sites import Listed
from tests.api.conftest import Keep, visit_of
from tests.domain.made import element, report

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PAGE = (element("12:00", name="clock"), element("Loading"), element("Imprint"), element("Contact"))


def ask(client: TestClient, path: str) -> dict[str, object]:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


def walk(client: TestClient, path: str) -> list[dict[str, object]]:
    """All items of a list, page by page, by the addresses that it gives."""
    found: list[dict[str, object]] = []
    address: str | None = path
    while address is not None:
        page = client.get(address).json()
        found += page["items"]
        address = page["next"]
    return found


def html_text(markup: str) -> str:
    """What there is between the tags, blanks as one."""
    return " ".join(re.sub(r"<[^>]*>", " ", markup).split())


def drifting(database: Database, blobs: Blobs, number: int, changed: dict[float, dict[int, str]]) -> Visit:
    """A stored visit to the site `clock`, with readings of its four texts at these ms after S0."""
    readings = [
        {"after_ms": ms, "frozen": ms == max(changed), "watched": 4, "gone": 0, "changed": [*now.items()]}
        for ms, now in changed.items()
    ]
    made = {"served": report(*PAGE), "drift": {"version": 1, "readings": readings}}
    put = {name: blobs.put(orjson.dumps(content), "application/json") for name, content in made.items()}
    visit = visit_of(number, "clock")
    only = visit.captures[0].model_copy(update={"artifacts": {name: blob.digest for name, blob in put.items()}})
    visit = visit.model_copy(update={"captures": (only,)})
    save(database, visit, {}, [*put.values()])
    return visit


def test_list(client: TestClient, database: Database, keep: Keep) -> None:
    """Scheduled and visited sites in one list; pages of any size hold each once, and a cursor is of one question."""
    sites.sync(
        database,
        [Listed(name, f"https://{name}.example/", f"{name}.example", {}, timedelta(hours=1)) for name in "ab"],
        now=NOON,
    )
    for number, name in enumerate("bcd", 1):
        keep(number, site=name)
    for sort, order in (("name", "abcd"), ("-last_visit", "dcba"), ("next_due", "abcd")):
        assert "".join(str(one["name"]) for one in walk(client, f"/sites?sort={sort}&limit=1")) == order
    [line] = walk(client, "/sites?text=c.ex")
    assert (line["state"], line["probes"], line["counts"]) == (
        "visited",
        1,
        {"visits": 1, "complete": True, "captured": 1, "captures": 1, "flagged": 1, "review": 0},
    )
    after = ask(client, "/sites?limit=1")["after"]
    refused = client.get(f"/sites?limit=1&sort=-last_visit&after={after}")
    assert (refused.status_code, refused.json()["code"]) == (400, "bad-cursor")
    lines = client.get("/sites?format=ndjson&fields=name").text.splitlines()
    assert [json.loads(one) for one in lines] == [{"name": name} for name in "abcd"]
    assert client.get("/sites?state=sleeping").status_code == 422


def test_cursors_made_by_hand(client: TestClient, keep: Keep) -> None:
    """What is no place of the list is refused, though its sum be right; what is one leads on, here or in a stream."""
    keep(1)
    lists: dict[str, tuple[Listing, tuple[str, ...]]] = {
        "/sites": (SitesAsked(), ("1", "", "sea")),
        "/sites/shop/visits": (VisitsAsked(), ("2999-01-01T00:00:00+00:00", "f")),
        "/sites/shop/elements": (ElementsAsked(), ("1.5", "0.5", "f")),
    }
    wrong: tuple[Any, ...] = (
        (), ("0", "yesterday", "a"), ("yesterday", "a"), ("0001-01-01T00:00:00+14:00", "a"), tuple("0123"), (1, 2, 3), 5, {},
        ("nan", "0", "a"), ("7", "", "a"), ("0", "", "a"),
    )  # fmt: skip
    for path, (asked, place) in lists.items():
        question = question_of(path, asked)
        for form in ("json", "ndjson"):
            for one in wrong:
                answer = client.get(path, params={"after": cursor_of(one, question), "format": form})
                assert (answer.status_code, answer.json().get("code")) == (400, "bad-cursor"), (path, form, one)
            assert client.get(path, params={"after": cursor_of(place, question), "format": form}).status_code == 200
    behind_sea = cursor_of(("1", "", "sea"), question_of("/sites", SitesAsked()))
    assert [one["name"] for one in walk(client, f"/sites?after={behind_sea}")] == ["shop"]


def test_one_and_its_visits(client: TestClient, keep: Keep) -> None:
    """A site with its newest visit, its history by pages, and each visit as it is stored."""
    for number in (1, 2, 3):
        keep(number)
    found = client.get("/sites/shop").json()
    assert found["outcomes"] == {"captured": 3}
    assert found["links"]["visits"] == "/sites/shop/visits"
    visits = walk(client, "/sites/shop/visits?limit=2")
    assert [str(one["started"])[11:16] for one in visits] == ["12:03", "12:02", "12:01"]
    assert visits[0]["captures"] == [f"{3:032x}-0"]
    assert [str(one["started"])[11:16] for one in walk(client, "/sites/shop/visits?until=2026-03-01T12:03:00Z&limit=1")] == [
        "12:02",
        "12:01",
    ]
    whole = Visit.model_validate(client.get(f"/visits/{visits[0]['id']}").json())
    assert whole == visit_of(3, "shop")
    for path in ("/sites/nobody", "/sites/nobody/visits", "/sites/nobody/drift", "/sites/nobody/elements", "/visits/ff"):
        assert client.get(path).status_code == 404, path


def test_drift(client: TestClient, database: Database, blobs: Blobs) -> None:
    """The curve and the live elements of a site, counted by hand; a visit that comes in is counted the next time."""
    drifting(database, blobs, 1, {500: {1: "12:01"}, 1000: {1: "12:01", 2: "News"}})
    first = client.get("/sites/clock/drift").json()
    # Of 4 texts: 1 is stale at 500 ms, 2 at 1,000.
    assert [(p["after_ms"], p["watched"], p["stale"]["share"]) for p in first["points"]] == [(500, 4, 0.25), (1000, 4, 0.5)]
    assert (first["visits"], first["captures"], first["live"], first["more"]) == (1, 1, 2, False)
    drifting(database, blobs, 2, {500: {}, 1000: {1: "12:31"}})
    again = client.get("/sites/clock/drift?elements=1").json()
    assert [(p["watched"], p["stale"]["share"]) for p in again["points"]] == [(8, 0.125), (8, 0.375)]
    assert [(e["element_id"], e["values"], e["other_courses"]) for e in again["elements"]] == [("clock", ["12:31"], 1)]
    elements = walk(client, "/sites/clock/elements?limit=1")
    assert [one["element"]["element_id"] for one in elements] == ["clock", None]  # type: ignore[index]
    assert [one["divergences"] for one in elements] == [0, 0]


def test_what_an_element_held(client: TestClient, database: Database, blobs: Blobs) -> None:
    """Page and document tell the same chain, one that a single visit saw, and how many others there were."""
    for number, changed in enumerate(({500: {1: "noon"}}, {500: {1: "12:31"}, 900: {}}, {500: {1: "12:31"}, 900: {}}), 1):
        drifting(database, blobs, number, changed)  # type: ignore[arg-type]
    [found] = walk(client, "/sites/clock/elements")
    held = found["element"]
    assert isinstance(held, dict)
    assert [held[name] for name in ("served", "values", "returned", "other_courses")] == ["12:00", ["12:31"], True, 1]
    page = client.get("/pages/sites/clock").text
    [cell] = re.findall(r'<td><ol class="changes">.*?</td>', page)
    assert html_text(cell) == "12:00 12:31 and back 1 other course in other visits"
    assert "noon" not in page


@pytest.mark.parametrize("bound", ["NEWEST", "MOST_CAPTURES"])
def test_only_the_newest_visits(
    client: TestClient, database: Database, blobs: Blobs, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    """However long a site's history, a request goes through its newest visits alone, and says so."""
    monkeypatch.setattr(f"store.site_drift.{bound}", 1)
    drifting(database, blobs, 1, {500: {1: "12:01"}})
    drifting(database, blobs, 2, {500: {}})
    found = client.get("/sites/clock/drift").json()
    assert (found["visits"], found["more"], found["live"]) == (1, True, 0)
    assert found["since"].startswith("2026-03-01T12:02")


def test_no_readings(client: TestClient, keep: Keep) -> None:
    """A site whose captures have no readings of texts has no curve, which is no error."""
    keep(1)
    found = client.get("/sites/shop/drift").json()
    assert (found["points"], found["captures"], found["live"]) == ([], 0, 0)
    assert walk(client, "/sites/shop/elements") == []


def test_nobody_queues(client: TestClient, application: FastAPI, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no worker lives, the page of the crawl says so, what is due, what to start, and what that will visit."""
    monkeypatch.setattr("api.watching.CRAWL_S", 0.0)
    monkeypatch.delattr(application.state, "watched", raising=False)  # nothing of a moment ago
    assert "Begin: crawler add URL, then crawler work" in client.get("/pages/crawl").text
    given = [Listed(name, f"https://{name}.example/", f"{name}.example", {}, timedelta(hours=1)) for name in "ab"]
    sites.sync(database, given, now=NOON)
    told = (
        "nobody queues what is due (2 now), nobody visits. Start one: crawler work. It visits the 2 active sites counted here."
    )
    assert told in client.get("/pages/crawl").text
    with database.transaction() as connection:  # one that is silent is none
        connection.execute(text("insert into workers (name, number, begun) values ('dead', 1, now())"))
    assert told in client.get("/pages/crawl").text


def test_crawl(client: TestClient, keep: Keep) -> None:
    """The newest visits where nothing is scheduled; whoever has the answer already is told so."""
    keep(1)
    first = client.get("/crawl")
    assert [visit["site"] for visit in first.json()["newest"]] == ["shop"]
    assert first.json()["queue"]["sites"] == 0
    assert client.get("/crawl", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
