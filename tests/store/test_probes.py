"""store/probes.py: one divergence seen on ten visits is one probe with ten sightings, in whatever order they come."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from domain import probe as domain_probe
from domain.divergence import Finding
from domain.errors import NotFound
from domain.families.web_natural import draw
from domain.pixel_check import Check
from domain.probe import Probe
from domain.visit import Visit
from store.captures import divergence_id, replace_findings, save
from store.checks import save_checks
from store.database import Database
from store.probes import Saved, StoredProbe, find_probe, probes, redraw, sightings

VisitOf = Callable[..., Visit]
FindingOf = Callable[..., Finding]
CheckOf = Callable[..., Check]


def mixed(these: list[Any]) -> list[Any]:
    """In another order, the same every time."""
    return [these[i] for i in sorted(range(len(these)), key=lambda i: hashlib.sha256(b"%d" % i).digest())]


class Crawl:
    """Visits with findings, saved; and the probes drawn of them."""

    def __init__(self, database: Database, visit_of: VisitOf, finding_of: FindingOf, check_of: CheckOf) -> None:
        self.database, self.visit_of, self.finding_of, self.check = database, visit_of, finding_of, check_of()

    def visit(self, number: int, *findings: Finding, captures: int = 1, **changes: object) -> list[Probe]:
        """Saves the visit and its checks; the probes of its captures, not yet saved. Without findings, the usual one."""
        visit = self.visit_of(number, captures=captures, **changes)
        found = findings or (self.finding_of(),)
        save(self.database, visit, {capture.id: found for capture in visit.captures})
        ids = [divergence_id(capture.id, f.kind, f.path) for capture in visit.captures for f in found]
        save_checks(self.database, dict.fromkeys(ids, self.check))
        return [p for capture in visit.captures for p in draw(visit, capture, [(f, self.check) for f in found])]

    def keep(self, drawn: Iterable[Probe]) -> Saved:
        """Each capture that these are of gives these and no others."""
        of: dict[str, list[Probe]] = {}
        for probe in drawn:
            of.setdefault(probe.live.capture, []).append(probe)
        saved = [redraw(self.database, capture, lambda _, these=these: these) for capture, these in of.items()]
        return Saved(*map(sum, zip(*saved, strict=True)))

    def all(self, **question: object) -> list[StoredProbe]:
        return list(probes(self.database, **question))  # type: ignore[arg-type]

    def seen(self, probe_id: str) -> list[str]:
        return [sighting.capture_id for sighting in sightings(self.database, probe_id)]


@pytest.fixture
def crawl(database: Database, visit_of: VisitOf, finding_of: FindingOf, check_of: CheckOf) -> Crawl:
    return Crawl(database, visit_of, finding_of, check_of)


def test_ten_visits(crawl: Crawl) -> None:
    """One divergence seen on ten visits is one probe with ten sightings; its evidence is the first, whole as it was drawn."""
    drawn = [crawl.visit(number)[0] for number in range(1, 11)]
    saved = [crawl.keep([probe]) for probe in mixed(drawn)]
    assert saved == [Saved(1, 1), *[Saved(0, 1)] * 9]
    [stored] = crawl.all()
    assert stored.probe == drawn[0]
    assert stored.sightings == 10
    assert (stored.first_seen, stored.last_seen) == (drawn[0].provenance.when, drawn[9].provenance.when)
    assert [sighting.probe for sighting in sightings(crawl.database, stored.probe.id)] == drawn
    assert crawl.seen(stored.probe.id) == [probe.provenance.capture for probe in drawn]


def test_the_same_again(crawl: Crawl) -> None:
    """Saving a visit's probes twice, one by one or together, adds nothing."""
    drawn = crawl.visit(1, crawl.finding_of("#a"), crawl.finding_of("#b", element_id="b"), captures=2)
    assert len(drawn) == 4
    assert crawl.keep(drawn) == Saved(2, 4)
    before = crawl.all()
    assert crawl.keep(drawn) == crawl.keep(drawn[::-1]) == Saved(0, 0)
    assert crawl.keep(drawn + drawn) == Saved(0, 0)
    assert crawl.all() == before


def test_sightings_tell_which_divergence(crawl: Crawl) -> None:
    """A sighting names its visit, capture and divergence, and has the screenshot and region of its own."""
    first = crawl.visit(1)
    second = crawl.visit(2, crawl.finding_of(box=(9.0, 9.0, 9.0, 9.0), lines=()), captures=2)[1]
    crawl.keep([*first, second])
    _, sighting = sightings(crawl.database, second.id)
    assert sighting.visit_id == crawl.visit_of(2).id
    assert sighting.capture_id == f"{sighting.visit_id}-1"
    assert sighting.divergence_id == divergence_id(sighting.capture_id, "aria", "#pay")
    assert (sighting.probe.screenshot, sighting.probe.region.x) == (f"{1:064x}", 9)
    assert sighting.when == crawl.visit_of(2).started.wall + timedelta(seconds=5.1)


def test_other_values_are_another_probe(crawl: Crawl) -> None:
    """The same element with another pair is another probe; case and blanks make no other."""
    for number, rendered in enumerate(("Pay 12", "Pay 13", "PAY  12"), 1):
        crawl.keep(crawl.visit(number, crawl.finding_of(rendered=rendered)))
    assert sorted((p.probe.gold, p.sightings) for p in crawl.all()) == [("Pay 12", 2), ("Pay 13", 1)]


def test_questions(crawl: Crawl) -> None:
    """Those that match everything asked, last seen first."""
    crawl.keep(crawl.visit(1, crawl.finding_of(), crawl.finding_of(kind="title")))
    crawl.keep(crawl.visit(2, site="news"))
    crawl.keep(crawl.visit(3))

    def told(**question: object) -> list[str]:
        return [f"{p.probe.provenance.site} {p.probe.kind} {p.sightings}" for p in crawl.all(**question)]

    assert told() == ["shop aria 2", "news aria 1", "shop title 1"]
    assert told(limit=1) == ["shop aria 2"]
    assert told(site="shop", kind="title") == ["shop title 1"]
    assert told(family="web-natural", site="news") == ["news aria 1"]
    assert told(family="web-text") == told(kind="stale") == []
    assert told(since=crawl.visit_of(6).started.wall) == ["shop aria 2", "news aria 1"]
    element = crawl.all(site="news")[0].probe.provenance.element
    assert told(element=element) == ["news aria 1"]


def test_prefix(crawl: Crawl) -> None:
    """A probe is found by the beginning of its id; what is there is said where none is."""
    crawl.keep(crawl.visit(1))
    [stored] = crawl.all()
    assert find_probe(crawl.database, stored.probe.id[:16]) == find_probe(crawl.database, stored.probe.id.upper()) == stored
    with pytest.raises(NotFound, match="No probe 'web-natural-zz'; there are 1"):
        find_probe(crawl.database, "web-natural-zz")


def test_no_divergence_no_probe(crawl: Crawl, check_of: CheckOf) -> None:
    """Probes are drawn of the divergences as rules and readers have left them, whatever they were when the visit was made."""
    crawl.visit(1)
    visit = crawl.visit_of(1)
    capture = visit.captures[0]

    def again() -> Saved:
        return redraw(crawl.database, capture.id, lambda found: draw(visit, capture, [(d.finding, d.check) for d in found]))

    for now in ([], [crawl.finding_of(verdict="review")], [crawl.finding_of(rendered="Pay 99")]):
        replace_findings(crawl.database, capture.id, "2", now, {})
        assert again() == Saved(0, 0)
    replace_findings(crawl.database, capture.id, "2", [crawl.finding_of()], {})
    save_checks(crawl.database, {divergence_id(capture.id, "aria", "#pay"): check_of("contradicted")})
    assert again() == Saved(0, 0)
    save_checks(crawl.database, {divergence_id(capture.id, "aria", "#pay"): crawl.check})
    assert again() == Saved(1, 1)


@pytest.mark.parametrize("how", ["gone", "review", "other pair"])
def test_rules_that_flag_it_no_more(crawl: Crawl, how: str) -> None:
    """Where rules run again flag a divergence no more, or see another pair, its sighting goes; the last takes the probe along.

    The evidence is then that of the first sighting left. A dry run leaves all as it is.
    """
    drawn = [crawl.visit(number)[0] for number in (1, 2)]
    crawl.keep(drawn)
    now = {
        "gone": [], "review": [crawl.finding_of(verdict="review")], "other pair": [crawl.finding_of(rendered="Pay 99")],
    }[how]  # fmt: skip
    first, second = (probe.provenance.capture for probe in drawn)
    before = crawl.all()
    replace_findings(crawl.database, first, "2", now, {}, dry_run=True)
    assert crawl.all() == before
    replace_findings(crawl.database, first, "2", now, {})
    [left] = crawl.all()
    assert (left.probe, left.sightings, left.first_seen) == (drawn[1], 1, drawn[1].provenance.when)
    replace_findings(crawl.database, second, "2", now, {})
    assert crawl.all() == []


def test_rules_that_flag_it_still(crawl: Crawl) -> None:
    """Rules that find the same again leave probe and sightings as they are."""
    drawn = crawl.visit(1)
    crawl.keep(drawn)
    before = crawl.all()
    replace_findings(crawl.database, drawn[0].provenance.capture, "2", [crawl.finding_of(grade="overlap")], {})
    assert crawl.all() == before


def test_all_that_a_capture_gives(crawl: Crawl) -> None:
    """Drawn from again, a capture keeps the sightings that are made again and no others; other captures keep theirs."""
    a, b = crawl.finding_of("#a"), crawl.finding_of("#b", element_id="b")
    one, other = crawl.visit(1, a, b), crawl.visit(2, a)
    crawl.keep([*one, *other])
    capture = one[0].provenance.capture
    handed = []

    def again(probes: list[Probe]) -> Saved:
        return redraw(crawl.database, capture, lambda found: handed.append(found) or probes)  # type: ignore[func-returns-value]

    assert again(one) == Saved(0, 0, 0)
    assert sorted((d.finding.path, d.check) for d in handed[0]) == [("#a", crawl.check), ("#b", crawl.check)]
    assert again(one[:1]) == Saved(0, 0, 1)
    assert [(p.probe.provenance.path, p.sightings) for p in crawl.all()] == [("#a", 2)]
    assert again([]) == Saved(0, 0, 0)
    assert [p.probe for p in crawl.all()] == other
    assert again(one) == Saved(1, 2)
    with pytest.raises(NotFound, match="No capture"):
        redraw(crawl.database, "none", lambda _: [])


def test_checked_again(crawl: Crawl, check_of: CheckOf) -> None:
    """A sighting that was checked again by another reader says so, and is no new one."""
    [drawn] = crawl.visit(1)
    crawl.keep([drawn])
    capture = drawn.provenance.capture
    save_checks(crawl.database, {divergence_id(capture, "aria", "#pay"): check_of(reader="two")})
    visit = crawl.visit_of(1)
    again = redraw(crawl.database, capture, lambda found: draw(visit, visit.captures[0], [(d.finding, d.check) for d in found]))
    assert again == Saved(0, 0)
    [stored] = crawl.all()
    assert stored.probe.provenance.check == check_of(reader="two")


def test_many_at_once(crawl: Crawl) -> None:
    """Workers that save the same probes of many visits at once, beside one that withdraws them and saves them again."""
    findings = [crawl.finding_of(f"#e{n}", element_id=f"e{'abcdefgh'[n]}") for n in range(8)]
    visits = [crawl.visit(number, *findings) for number in range(1, 9)]
    work = mixed([drawn for drawn in visits for _ in range(3)])

    def do(drawn: list[Probe]) -> Saved:
        saved = crawl.keep(mixed(drawn))
        if drawn is visits[0]:
            redraw(crawl.database, drawn[0].provenance.capture, lambda _: [])
            saved = crawl.keep(drawn)
        return saved

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(do, work))
    assert [(p.sightings, p.probe.provenance.visit) for p in crawl.all()] == [(8, visits[0][0].provenance.visit)] * 8
    with crawl.database.transaction() as connection:
        assert connection.scalar(text("select count(*) from sightings")) == 64


def test_ids_that_begin_alike(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two probes have the same twelve digits, the later one has its whole identity for an id; sightings agree."""
    monkeypatch.setattr(domain_probe, "digest", lambda *parts: "a" * 12 + hashlib.sha256(repr(parts).encode()).hexdigest()[12:])
    a, b = crawl.finding_of("#a"), crawl.finding_of("#b", element_id="b")
    drawn = crawl.visit(1, a, b)
    assert crawl.keep(drawn) == Saved(2, 2)
    assert crawl.keep(crawl.visit(2, b)) == Saved(0, 1)
    stored = {p.probe.provenance.path: p for p in crawl.all()}
    assert sorted(len(p.probe.id.removeprefix("web-natural-")) for p in stored.values()) == [12, 64]
    assert {path: p.sightings for path, p in stored.items()} == {"#a": 1, "#b": 2}
    for one in stored.values():
        assert find_probe(crawl.database, one.probe.id) == one
        assert {sighting.probe.id for sighting in sightings(crawl.database, one.probe.id)} == {one.probe.id}


def test_one_page_after_another(crawl: Crawl) -> None:
    """`after` goes on behind a probe, among those seen at one moment too; what is seen again meanwhile moves to the front."""
    three = [crawl.finding_of(f"#{name}", element_id=name) for name in "abc"]
    crawl.keep([*crawl.visit(1, *three), *crawl.visit(2, crawl.finding_of("#d", element_id="d"))])
    everything = crawl.all()
    assert len(everything) == 4
    walked = crawl.all(limit=1)
    while page := crawl.all(after=(walked[-1].last_seen, walked[-1].probe.id), limit=1):
        walked += page
    assert walked == everything
    crawl.keep(crawl.visit(3, three[0]))
    ids = [stored.probe.id for stored in crawl.all(after=(everything[1].last_seen, everything[1].probe.id))]
    [moved] = [stored.probe.id for stored in crawl.all(limit=1)]
    assert ids == [stored.probe.id for stored in everything[2:] if stored.probe.id != moved]
