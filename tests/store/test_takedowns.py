"""The take-down list: what is on it is hidden from everyone who asks the store, and is there again when it is lifted."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy import func, select, text

from domain.divergence import Finding
from domain.errors import NotFound
from domain.families.web_natural import draw
from domain.pixel_check import Check
from domain.takedown import read_covered
from domain.visit import Response, Visit
from store import (
    capture_search,
    captures,
    checks,
    divergence_counts,
    divergence_search,
    divergences,
    history,
    probe_counts,
    probe_search,
    probe_seen,
    probes,
    progress,
    release_hidden,
    seen,
    site_pages,
    site_search,
    site_visits,
    tables,
    takedowns,
)
from store.blobs import StoredBlob
from store.database import Database
from store.probe_filters import Wanted

VisitOf = Callable[..., Visit]
ASKED: tuple[ModuleType, ...] = (
    captures,
    divergences,
    checks,
    probes,
    history,
    probe_search,
    probe_counts,
    probe_seen,
    site_pages,
    site_visits,
    progress,
    seen,
    divergence_counts,
)
ALIKE: tuple[ModuleType, ...] = (capture_search, divergence_search)
"""Their functions have names that others have too."""
# They write, and what they return is for whoever writes.
WRITERS = {"save", "save_within", "replace_findings", "redraw", "save_checks", "divergence_id", "key_of"}
ANY = Wanted()
SHOP, OTHER = "https://shop.example/cart", "https://other.example/cart"


class Archive:
    """One visit to each of two shops, with a divergence, a check, a probe and two blobs of its own, and one in common."""

    def __init__(self, database: Database, visit_of: VisitOf, finding_of: Callable[..., Finding], check: Check) -> None:
        self.database, self._visit_of, self._finding, self._check = database, visit_of, finding_of(), check

    def visit(self, number: int, url: str, site: str, **changes: Any) -> Visit:
        """Saves a visit and all that follows from it."""
        visit = self._visit_of(number, url=url, site=site, response=None, **changes)
        names = {"dom": f"{number:064x}", "served": f"{number + 100:064x}", "screenshot": "c" * 64}
        only = visit.captures[0].model_copy(update={"artifacts": names})
        visit = visit.model_copy(update={"captures": (only,)})
        blobs = [StoredBlob(digest, "text/html", "", 1, 1) for digest in names.values()]
        captures.save(self.database, visit, {only.id: [self._finding]}, blobs)
        found = divergences.divergence_id(only.id, self._finding.kind, self._finding.path)
        checks.save_checks(self.database, {found: self._check})
        probes.redraw(self.database, only.id, lambda _: draw(visit, only, [(self._finding, self._check)]))
        return visit

    def add(self, what: str, **how: bool) -> tuple[int, int, int, int]:
        done = takedowns.add(self.database, read_covered(what), why="a letter", by_whom="me", **how)[1]
        return done.visits, done.captures, done.divergences, done.probes

    def lift(self, what: str, **how: bool) -> tuple[int, int, int, int]:
        done = takedowns.lift(self.database, what, **how)[1]
        return done.visits, done.captures, done.divergences, done.probes

    def shown(self) -> list[str]:
        return [visit.url for visit in captures.recent_visits(self.database)]

    def everything(self) -> dict[str, Any]:
        """What every question of the store answers, whatever can be asked for asked for."""
        found: dict[str, Any] = {}
        for name, question in questions(self.database).items():
            try:
                answer = question()
                found[name] = list(answer) if isinstance(answer, Iterator) else answer
            except NotFound as error:
                found[name] = str(error)
        return found


def questions(database: Database) -> dict[str, Callable[[], Any]]:
    """Every public function that reads, asked for the shop's own things."""
    [ids] = ids_of(database, "shop")
    visit, capture, divergence, element, probe = ids
    return {
        "find_visit": lambda: captures.find_visit(database, visit),
        "recent_visits": lambda: captures.recent_visits(database),
        "find_capture": lambda: captures.find_capture(database, capture),
        "captures": lambda: captures.captures(database),
        "summary": lambda: captures.summary(database),
        "known_site": lambda: captures.known_site(database, "shop"),
        "find_blob": lambda: captures.find_blob(database, f"{1:064x}"),
        "divergences": lambda: divergences.divergences(database),
        "find_divergence": lambda: divergences.find_divergence(database, divergence),
        "lines": lambda: site_pages.lines(database, site_search.Asked(), "name", after=None, limit=9),
        "site": lambda: site_pages.site(database, "shop"),
        "visits_of": lambda: [site_visits.visits_of(database, name, limit=9) for name in ("shop", "other")],
        "crawl": lambda: progress.crawl(database).newest,
        "unchecked": lambda: checks.unchecked(database, reader="nobody"),
        "checks_of": lambda: checks.checks_of(database, divergence),
        "probes": lambda: probes.probes(database),
        "find_probe": lambda: probes.find_probe(database, probe),
        "sightings": lambda: probes.sightings(database, probe),
        "history": lambda: history.history(database, element),
        "slice_of": lambda: probe_search.slice_of(database, ANY, limit=100),
        "counts": lambda: probe_counts.counts(database, ANY, most=100),
        "counts_by": lambda: probe_counts.counts_by(database, "site"),
        "probe_seen": lambda: probe_seen.probe_seen(database, probe),
        "times_of": lambda: probe_seen.times_of(database, [probe]),
        "history_slice": lambda: history.history_slice(database, element, limit=100),
        "capture_search.slice_of": lambda: capture_search.slice_of(database, capture_search.Wanted(), limit=100),
        "divergence_search.slice_of": lambda: divergence_search.slice_of(database, divergence_search.Wanted(), limit=100),
        "divergence_counts": lambda: divergence_counts.divergence_counts(database, divergence_search.Wanted(), most=100),
        "screens": lambda: divergence_counts.screens(database, [capture]),
        "shown_probe": lambda: seen.shown_probe(database, probe),
        "newest_sightings": lambda: seen.newest_sightings(database, probe, 100),
        "sightings_slice": lambda: seen.sightings_slice(database, probe, limit=100).items,
        "probe_beginning": lambda: seen.probe_beginning(database, probe[:-1]),
        "probe_of_divergence": lambda: seen.probe_of_divergence(database, divergence),
        "releases_with": lambda: seen.releases_with(database, probe),
        "known_blobs": lambda: seen.known_blobs(database, [f"{1:064x}"]),
    }


def ids_of(database: Database, site: str) -> list[tuple[str, str, str, str, str]]:
    """(visit, capture, divergence, element, probe) as the tables have them, hidden or not."""
    d, s, v = tables.divergences.c, tables.sightings.c, tables.visits.c
    question = select(v.id, d.capture_id, d.id, d.element, s.probe_id).where(
        v.site == site, d.visit_id == v.id, s.divergence_id == d.id
    )
    with database.transaction() as connection:
        return [tuple(row) for row in connection.execute(question)]  # type: ignore[misc]


@pytest.fixture
def archive(
    database: Database, visit_of: VisitOf, finding_of: Callable[..., Finding], check_of: Callable[..., Check]
) -> Archive:
    made = Archive(database, visit_of, finding_of, check_of())
    made.visit(1, SHOP, "shop")
    made.visit(2, OTHER, "other")
    return made


def test_every_question_is_asked(archive: Archive) -> None:
    """A new question to the store is tried here, or it may show what is hidden."""
    public = {
        f"{module.__name__.rpartition('.')[2]}.{name}" if module in ALIKE else name
        for module in ASKED + ALIKE
        for name, one in inspect.getmembers(module, inspect.isfunction)
        if not name.startswith("_") and one.__module__ == module.__name__
    }
    assert public - WRITERS - {"stored", "divergence_search.chosen"} == questions(archive.database).keys()


def test_hidden_from_every_question(archive: Archive) -> None:
    """Nothing of the shop is in any answer, everything of the other is; lifted, every answer is what it was."""
    before = archive.everything()
    nameless = {
        "times_of",
        "find_blob",
        "checks_of",
        "newest_sightings",
        "sightings_slice",
        "probe_beginning",
        "probe_of_divergence",
        "releases_with",
        "known_blobs",
        "screens",
    }
    assert all("shop" in repr(answer) or name in nameless for name, answer in before.items())
    assert archive.add("shop.example") == (1, 1, 1, 1)
    hidden = archive.everything()
    [(visit, *_)] = ids_of(archive.database, "shop")
    for name, answer in hidden.items():
        asked_for = name in {
            "find_visit",
            "find_capture",
            "known_site",
            "find_probe",
            "find_divergence",
            "find_blob",
            "probe_seen",
            "shown_probe",
            "history_slice",
        }
        assert asked_for or (visit not in repr(answer) and SHOP not in repr(answer)), name
    alone = {
        "times_of",
        "find_blob",
        "checks_of",
        "sightings",
        "history",
        "newest_sightings",
        "sightings_slice",
        "probe_beginning",
        "probe_of_divergence",
        "known_blobs",
    } | {
        "releases_with",
        "screens",
    }
    assert {name for name in hidden if name not in alone and "other" not in repr(hidden[name])} == {
        "find_visit", "find_capture", "find_probe", "find_divergence", "probe_seen", "site", "shown_probe", "history_slice",
    }  # fmt: skip
    assert hidden["find_visit"].startswith(f"No visit '{visit}'; there are 1.")
    assert [hidden[name] for name in ("checks_of", "sightings", "history", "newest_sightings", "sightings_slice")] == [[]] * 5
    assert (hidden["probe_of_divergence"], hidden["probe_beginning"]) == (None, None)
    assert (hidden["known_blobs"], hidden["times_of"]) == ({}, {})
    assert archive.lift("shop.example") == (1, 1, 1, 1)
    assert archive.everything() == before


def test_blobs(archive: Archive) -> None:
    """A blob is shown as long as one visit that is shown has it; one of a later visit that is shown is shown again."""
    archive.add("shop.example")
    with pytest.raises(NotFound):
        captures.find_blob(archive.database, f"{1:064x}")
    assert captures.find_blob(archive.database, "c" * 64)
    archive.add("other.example")
    with pytest.raises(NotFound):
        captures.find_blob(archive.database, "c" * 64)
    archive.visit(3, "https://third.example/", "third")
    assert captures.find_blob(archive.database, "c" * 64)


def test_saved_later(archive: Archive) -> None:
    """A visit under way when the take-down came is hidden from the start, with the probe that is drawn of it."""
    archive.add("shop.example")
    archive.visit(4, SHOP, "shop")
    assert archive.shown() == [OTHER]
    assert [stored.probe.provenance.url for stored in probes.probes(archive.database)] == [OTHER]
    assert archive.lift("shop.example") == (2, 2, 2, 1)
    assert archive.shown() == [SHOP, OTHER, SHOP]


def test_visits_that_led_there(archive: Archive) -> None:
    """By whatever address a visit came to the page, the page is hidden; a mere mention elsewhere hides nothing."""
    for number, answer in enumerate(
        (
            Response(url="https://www.shop.example/x"),
            Response(url="https://end.example/", redirects=("https://shop.example/go",)),
            Response(url="https://end.example/?from=shop.example"),
        ),
        start=10,
    ):
        visit = archive._visit_of(number, url=f"https://short.example/{number}", response=answer)
        captures.save(archive.database, visit)
    archive.add("shop.example")
    assert archive.shown() == ["https://short.example/12", OTHER]
    later = archive._visit_of(20, url="https://short.example/20", response=Response(url=SHOP))
    captures.save(archive.database, later)
    assert archive.shown() == ["https://short.example/12", OTHER]


def test_a_probe_seen_elsewhere_too(archive: Archive) -> None:
    """Of a probe seen at three visits, two of them hidden, the third is what it is now: record, times and count."""
    archive.visit(5, OTHER, "other", delay_ms=1)
    drawn = [stored.probe for stored in probes.probes(archive.database, site="other")]
    [probe] = drawn
    led = Response(url=SHOP)
    visit = captures.find_visit(archive.database, f"{2:032x}")
    with archive.database.transaction() as connection:  # as if its first visit had led to the shop
        record = visit.model_copy(update={"response": led}).model_dump(mode="json", exclude={"captures"})
        connection.execute(tables.visits.update().where(tables.visits.c.id == visit.id).values(record=record))
    assert archive.add("shop.example") == (2, 2, 2, 1)
    stored = probes.find_probe(archive.database, probe.id)
    assert (stored.sightings, stored.first_seen) == (1, stored.last_seen)
    assert stored.probe.provenance.visit == f"{5:032x}"
    archive.lift("shop.example")
    assert probes.find_probe(archive.database, probe.id).sightings == 2


def test_part_of_a_site(archive: Archive) -> None:
    """A URL covers what begins so. What two entries cover stays hidden until both are lifted."""
    archive.visit(6, "https://shop.example/u/jane", "shop")
    assert archive.add("https://shop.example/u/jane")[0] == 1
    assert archive.shown() == [OTHER, SHOP]
    assert archive.add("shop.example")[0] == 1
    assert archive.lift("https://shop.example/u/jane")[0] == 0
    assert archive.shown() == [OTHER]
    assert archive.lift("shop.example")[0] == 2


def test_dry_run(archive: Archive) -> None:
    """It says what would change, and nothing does."""
    assert archive.add("shop.example", dry_run=True) == (1, 1, 1, 1)
    assert archive.add("shop.example", dry_run=True, purged=True) == (1, 1, 1, 1)
    assert (archive.shown(), takedowns.takedowns(archive.database)) == ([OTHER, SHOP], [])
    archive.add("shop.example")
    assert archive.lift("shop.example", dry_run=True) == (1, 1, 1, 1)
    assert archive.shown() == [OTHER]


def test_purge(archive: Archive) -> None:
    """The rows are gone, those of others are not, and lifting brings nothing back."""
    archive.add("shop.example")
    assert archive.add("shop.example", purged=True) == (1, 1, 1, 1)
    archive.lift("shop.example")
    with archive.database.transaction() as connection:
        for table in (tables.visits, tables.captures, tables.divergences, tables.checks, tables.probes, tables.sightings):
            assert connection.scalar(select(func.count()).select_from(table)) == 1, table.name
    assert archive.shown() == [OTHER]


def test_the_list(archive: Archive) -> None:
    """An entry in force is not entered twice; it is lifted by its id, or as it was written; a lifted one is kept."""
    database = archive.database
    archive.add("Shop.Example.")
    archive.add("https://shop.example/")
    [entry] = takedowns.takedowns(database)
    assert (entry.covered, entry.why, entry.by_whom, entry.lifted) == ("shop.example", "a letter", "me", None)
    assert takedowns.taken_down(database, "http://a.shop.example:99/x") == entry
    assert takedowns.taken_down(database, OTHER) is None
    archive.lift(entry.id[:5])
    assert takedowns.takedowns(database) == []
    [kept] = takedowns.takedowns(database, lifted=True)
    assert kept.lifted is not None
    with pytest.raises(NotFound, match="No take-down"):
        archive.lift(entry.id)
    archive.add("shop.example")
    assert [one.covered for one in takedowns.takedowns(database, lifted=True)] == ["shop.example"] * 2


def test_taken_down_while_visits_are_saved(archive: Archive) -> None:
    """Whatever the order in which a take-down and twenty visits come, none of them is shown afterwards."""
    with ThreadPoolExecutor(6) as threads:
        saved = [threads.submit(archive.visit, number, f"{SHOP}/{number}", "shop") for number in range(30, 50)]
        added = threads.submit(archive.add, "shop.example")
        for future in (*saved, added):
            future.result(60)
    assert archive.shown() == [OTHER]
    assert [stored.probe.provenance.site for stored in probes.probes(archive.database)] == ["other"]


def test_names_in_other_scripts(archive: Archive) -> None:
    """Entered in either form, stored in either form: the same host."""
    archive.visit(7, "https://m\u00fcnchen.example/", "city")
    archive.visit(8, "https://xn--mnchen-3ya.example/", "city")
    assert archive.add("m\u00fcnchen.example")[0] == 2
    archive.lift("xn--mnchen-3ya.example")
    assert archive.add("xn--mnchen-3ya.example")[0] == 2


def test_releases_that_hold_what_is_hidden(archive: Archive) -> None:
    """A take-down names the frozen releases with probes that are hidden or deleted then, and how many; others are not named.

    A dry run says the very same as what is done after it.
    """
    database = archive.database
    with database.transaction() as connection:
        for name, site in (("v1", "shop"), ("v2", "other")):
            connection.execute(text("insert into releases values (:name, 'd', '{}', '{}', now())"), {"name": name})
            connection.execute(
                text("insert into release_probes select :name, id, record from probes where site = :site"),
                {"name": name, "site": site},
            )

    def added(**how: bool) -> Any:
        return takedowns.add(database, read_covered("shop.example"), why="a letter", by_whom="me", **how)[1:3]

    def lifted(**how: bool) -> Any:
        return takedowns.lift(database, "shop.example", **how)[1:]

    would = added(dry_run=True)
    done, releases = added()
    assert (done.probes, releases) == (1, {"v1": 1})
    assert would == (done, releases)
    would = lifted(dry_run=True)
    assert would == lifted()
    assert would[1] == {}
    would = added(dry_run=True, purged=True)
    assert would == added(purged=True)
    assert would[1] == {"v1": 1}


@pytest.mark.parametrize("purge", [False, True])
@pytest.mark.parametrize("what", ["shop.example", "passed.example", "answered.example/end"])
def test_rows_of_releases(archive: Archive, what: str, purge: bool) -> None:
    """A row of a release is shown as long as the visit that it shows is: whatever address a take-down covers it by.

    That goes for rows of probes that another visit shows, and of those that were withdrawn. What is deleted does not come back.
    """
    database = archive.database
    answer = Response(url="https://answered.example/end", redirects=("https://passed.example/board",))
    archive.visit(5, OTHER, "other", delay_ms=1)  # where the other's probe is seen again
    with database.transaction() as connection:
        for number in (1, 2):  # one of the shop, one of the other: both came by those addresses
            record = captures.find_visit(database, f"{number:032x}").model_copy(update={"response": answer})
            values = {"record": record.model_dump(mode="json", exclude={"captures"})}
            connection.execute(tables.visits.update().where(tables.visits.c.id == f"{number:032x}").values(values))
        connection.execute(text("insert into releases values ('v1', 'd', '{}', '{}', now())"))
        connection.execute(text("insert into release_probes select 'v1', id, record from probes"))
        connection.execute(text("insert into release_probes select 'v1', id || '-withdrawn', record from probes"))
        corpus = """{"family": "web-text", "provenance": {"source": "mind2web", "url": "https://shop.example/"}}"""
        connection.execute(text("insert into release_probes values ('v1', 'corpus', :record)"), {"record": corpus})

    def told() -> tuple[int, int, int]:
        """Rows that are listed, and counted; and how many are said to be hidden."""
        of = Wanted(release="v1")
        rows = probe_search.slice_of(database, of, limit=9).items
        hidden = release_hidden.hidden_of(database, "v1")
        assert hidden.keys() <= {"web-natural"}
        return len(rows), probe_counts.counts(database, of, most=9).total, sum(hidden.values())

    assert told() == (5, 5, 0)
    archive.add(what, purged=purge)
    shown = 3 if what == "shop.example" else 1
    assert told() == (shown, shown, 5 - shown)
    assert len(list(probes.probes(database))) == 1  # that of the other, as visit 5 shows it
    archive.lift(what)
    assert told() == ((shown, shown, 5 - shown) if purge else (5, 5, 0))
