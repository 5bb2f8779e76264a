"""store/probe_search.py: lists of probes beside the same lists made in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from domain.errors import BadInput, NotFound
from store.database import Database
from store.probe_filters import FACETS, Wanted
from store.probe_search import Sort, slice_of
from store.slices import slices
from tests.store.probe_rows import NOON, put, release, row

VALUES: dict[str, tuple[str, ...]] = {
    "family": ("web-natural", "web-natural", "web-text", "mobile-stale"),
    "kind": ("aria", "stale"),
    "site": ("shop", "bank", "forum"),
    "policy": ("tokens", "paper"),
    "grade": ("disjoint", "overlap"),
    "verdict": ("confirmed", "unreadable", ""),
}
TEXTS = (
    "Pay 10",
    "Total 12",
    "MENÜ total",
    "Menü",
    "menü-karte 12.50",
    "e-mail: you@shop.example/x",
    "1e5 kg",
    "Ölpreis €10",
    "меню",
    "МЕНЮ 7",
)
SORTS: tuple[Sort, ...] = ("-first_seen", "first_seen", "-last_seen", "last_seen", "-id", "id")
Row = dict[str, Any]


def rows_of(seed: int, count: int, start: int = 0) -> list[Row]:
    """Rows that differ in everything, many seen at the same moment; one in eight is hidden."""
    rng = Random(seed)  # noqa: S311 - test data
    made = []
    for number in range(start, start + count):
        given = {name: rng.choice(values) for name, values in VALUES.items()}
        if given["family"] != "web-natural":
            given |= dict.fromkeys(("kind", "policy", "grade"))
        texts = {name: rng.choice(TEXTS) for name in ("gold", "structural")}
        first = rng.randrange(6)
        made.append(row(number, **given, **texts, first=first, last=first + rng.randrange(6), hidden=rng.random() < 1 / 8))
    return made


def fits(one: Row, wanted: Wanted) -> bool:
    """What a filter means, without Postgres."""
    origin = one["record"]["provenance"]
    has = {**one, **{name: origin[name] for name in ("policy", "grade")}, "verdict": (origin["check"] or {}).get("verdict")}
    if any(getattr(wanted, name) not in {None, has[name]} for name in FACETS) or one["hidden"]:
        return False
    if wanted.since is not None and one["last_seen"] < wanted.since:
        return False
    if wanted.until is not None and one["last_seen"] >= wanted.until:
        return False
    words, asked = (words_of(f"{one['record']['gold']} {one['record']['structural']}"), words_of(wanted.text or ""))
    return set(asked[:-1]) <= set(words) and (not asked or any(word.startswith(asked[-1]) for word in words))


def words_of(said: str) -> list[str]:
    return re.findall(r"[^\W_]+", said.lower())


def key_of(one: Row, sort: Sort) -> tuple[Any, ...]:
    return tuple(one[name] for name in dict.fromkeys((sort.removeprefix("-"), "id")))


def listed(rows: list[Row], wanted: Wanted, sort: Sort) -> list[str]:
    found = sorted((one for one in rows if fits(one, wanted)), key=lambda one: key_of(one, sort), reverse=sort.startswith("-"))
    return [one["id"] for one in found]


def ids_of(items: list[bytes]) -> list[str]:
    return [re.search(rb'"id": "([^"]+)"', item)[1].decode() for item in items]  # type: ignore[index]


def moments(hours: st.SearchStrategy[int]) -> st.SearchStrategy[Any]:
    return st.none() | hours.map(lambda minutes: NOON + timedelta(minutes=minutes))


wanteds = st.builds(
    Wanted,
    **{name: st.none() | st.sampled_from(values) for name, values in VALUES.items() if name != "verdict"},  # type: ignore[arg-type]
    verdict=st.sampled_from((None, None, "confirmed", "unreadable")),
    platform=st.sampled_from((None, None, None, "web", "mobile")),
    source=st.sampled_from((None, None, None, "live", "clay")),
    since=moments(st.integers(0, 10)),
    until=moments(st.integers(0, 12)),
    text=st.sampled_from(
        (None, None, None, "pa", "Total", "total pay", "MENÜ", "menü t", "10", "1e5", "you@shop", "€", "МЕНЮ", "12.5")
    ),
)


@pytest.fixture
def rows(database: Database) -> Iterator[list[Row]]:
    made = rows_of(735, 60)
    put(database, *made)
    return made  # type: ignore[return-value]


def test_as_python_sorts(database: Database, rows: list[Row]) -> None:
    """Whatever is filtered by, in whatever order and with pages of whatever size: all that match, each once, in order."""

    @settings(max_examples=150)
    @given(wanteds, st.sampled_from(SORTS), st.integers(1, 25))
    def holds(wanted: Wanted, sort: Sort, size: int) -> None:
        if wanted.text == "€":
            with pytest.raises(BadInput, match="neither letter nor digit"):
                slice_of(database, wanted, limit=1)
            return
        found: list[str] = []
        after = None
        while True:
            part = slice_of(database, wanted, sort=sort, after=after, limit=size)
            items, after = part.items, part.place
            found += ids_of(items)
            assert after is None or len(items) == size
            if after is None:
                break
        assert found == listed(rows, wanted, sort)

    holds()


@pytest.mark.parametrize("sort", SORTS)
def test_under_inserts(database: Database, rows: list[Row], sort: Sort) -> None:
    """What was there when one began is given once and never missed, while others come in before, behind and in between."""
    wanted = Wanted(platform="web")
    expected = listed(rows, wanted, sort)
    found: list[str] = []
    for number, items in enumerate(slices(lambda after: slice_of(database, wanted, sort=sort, after=after, limit=4))):
        found += ids_of(items)
        put(database, *rows_of(number, 3, start=1000 + 10 * number))
        assert number < 500
    assert len(set(found)) == len(found)
    assert [one for one in found if one in set(expected)] == expected


@pytest.mark.parametrize("sort", [None, "-first_seen", "first_seen", "-id", "id"])
def test_while_probes_are_seen_again(database: Database, rows: list[Row], sort: Sort | None) -> None:
    """Who walks while the crawl sees all those probes again is given each of them once: a place does not move."""
    wanted = Wanted(platform="web")
    found: list[str] = []
    for items in slices(lambda after: slice_of(database, wanted, sort=sort, after=after, limit=4)):
        found += ids_of(items)
        with database.transaction() as connection:
            connection.execute(text("update probes set last_seen = last_seen + interval '1 day'"))
    assert found == listed(rows, wanted, sort or "-first_seen")


def test_the_record_as_stored(database: Database) -> None:
    """An item is the JSON text of the record, letters beyond ASCII and all."""
    put(database, row(1, gold="Menü 🙂", structural='"\\'))
    [item] = slice_of(database, Wanted(), limit=1).items
    assert '"gold": "Menü 🙂"' in item.decode()
    assert r'"structural": "\"\\"' in item.decode()


def test_a_release(database: Database, rows: list[Row]) -> None:
    """Of a release come its own rows, by id, filtered alike; what is hidden since is left out, what is withdrawn stays."""
    chosen = rows[:30]
    release(database, "v1", *chosen)
    shown = [one for one in chosen if not one["hidden"]]
    for wanted in (
        Wanted(release="v1"),
        Wanted(release="v1", kind="aria"),
        Wanted(release="v1", text="tot", verdict="confirmed"),
    ):
        without = Wanted(kind=wanted.kind, text=wanted.text, verdict=wanted.verdict)
        items = [
            item
            for some in slices(lambda after, wanted=wanted: slice_of(database, wanted, after=after, limit=7))
            for item in some
        ]
        assert ids_of(items) == listed(chosen, without, "id") != []
        assert all(b'"release": "v1"' in item for item in items)
    with database.transaction() as connection:
        connection.execute(text("delete from probes where hidden is null"))
    assert sorted(ids_of(slice_of(database, Wanted(release="v1"), limit=100).items)) == sorted(one["id"] for one in shown)
    with pytest.raises(NotFound, match=r"No release 'v2'\. Known releases: v1\."):
        slice_of(database, Wanted(release="v2"), limit=1)
    with pytest.raises(BadInput, match="in the order of id or -id, not last_seen"):
        slice_of(database, Wanted(release="v1"), sort="last_seen", limit=1)


def test_no_place(database: Database) -> None:
    """A place that is none in this order is a ValueError: somebody made it by hand."""
    for after, why in ((("x", "id"), "isoformat"), (("2026-03-01",), "not enough"), (("2026-03-01", "id", "more"), "too many")):
        with pytest.raises(ValueError, match=why):
            slice_of(database, Wanted(), after=after, limit=1)
