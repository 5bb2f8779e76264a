"""Counts of divergences are those of the lists, and tell nothing of what is hidden."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from store.blobs import Blobs
from store.database import Database
from store.divergence_counts import divergence_counts, screens
from store.divergence_search import Wanted, slice_of
from tests.api.stocked import HIDDEN_SITE, Stocked, stock


@pytest.fixture(scope="module")
def made(server: Database, tmp_path_factory: pytest.TempPathFactory) -> Stocked:
    folder: Path = tmp_path_factory.mktemp("stocked")
    return stock(server, Blobs(str(folder / "blobs")), folder)


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(),
        Wanted(kind="aria"),
        Wanted(verdict="review", site="shop"),
        Wanted(text="pay"),
        Wanted(check="confirmed", kind="stale"),
        Wanted(grade="disjoint", text="no such words"),
    ],
)
def test_counts_are_those_of_the_list(made: Stocked, wanted: Wanted) -> None:
    """All is the length of the list; a value of a facet, that of the list with it in place of the facet's own filter."""
    found = divergence_counts(made.database, wanted, most=100)
    assert found.total == len(slice_of(made.database, wanted, limit=1000).items)
    for name, values in found.facets.items():
        given = {key: getattr(wanted, key) for key in ("kind", "verdict", "grade", "site", "check", "text")} | {name: None}
        items = slice_of(made.database, Wanted(**given), limit=1000).items
        listed = Counter(item.site if name == "site" else getattr(item.finding, name) for item in items)
        assert values == {value: n for value, n in listed.items() if value is not None}, name


def test_counts_under_all_filters(made: Stocked) -> None:
    """With no facet's own filter aside, every value is of what matches everything."""
    found = divergence_counts(made.database, Wanted(site="shop", verdict="flagged"), aside=False, most=100)
    assert (found.total, found.facets["site"], found.facets["verdict"]) == (6, {"shop": 6}, {"flagged": 6})
    assert found.facets["kind"] == {"aria": 3, "stale": 3}


def test_hidden_ones_are_not_counted(made: Stocked) -> None:
    """A site that is taken down is in no facet, and its screens are not told."""
    assert HIDDEN_SITE not in divergence_counts(made.database, Wanted(), most=100).facets["site"]
    captures = {site: made.visits[site][0].captures[0].id for site in (HIDDEN_SITE, "shop")}
    shown = screens(made.database, captures.values())
    assert shown.keys() == {captures["shop"]}
    assert shown[captures["shop"]][:2] == (320, 200)
