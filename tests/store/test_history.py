"""store/history.py: the pair of one element at every visit to its page."""

from __future__ import annotations

from collections.abc import Callable

from domain.divergence import Finding
from domain.families.web_natural import draw
from domain.pixel_check import Check
from domain.visit import Visit
from store.captures import divergence_id, divergences, save
from store.checks import save_checks
from store.database import Database
from store.history import history
from store.probes import probes, redraw

VisitOf = Callable[..., Visit]
FindingOf = Callable[..., Finding]
CheckOf = Callable[..., Check]


def test_the_pair_over_time(database: Database, visit_of: VisitOf, finding_of: FindingOf, check_of: CheckOf) -> None:
    """Every captured visit to the page, oldest first: both values, verdict, check and probe; a gap where the two agreed.

    Visits to other pages, and visits that captured nothing, are not in it.
    """
    check = check_of()
    shown = {1: "Pay 12", 2: None, 4: "Pay 13", 5: "Pay 12"}
    for number, rendered in shown.items():
        visit = visit_of(number)
        capture = visit.captures[0]
        verdict = "review" if number == 4 else "flagged"
        findings = [finding_of(rendered=rendered, verdict=verdict)] if rendered else []
        save(database, visit, {capture.id: [*findings, finding_of("#other", element_id="other")]})
        if verdict == "flagged" and findings:
            save_checks(database, {divergence_id(capture.id, "aria", "#pay"): check})
            drawn = draw(visit, capture, [(findings[0], check)])
            redraw(database, capture.id, lambda _, drawn=drawn: drawn)
    save(database, visit_of(3, captures=0, outcome="timeout"))
    elsewhere = visit_of(6, url="https://shop.example/other")
    save(database, elsewhere, {elsewhere.captures[0].id: [finding_of()]})

    [probe] = probes(database)
    past = list(history(database, probe.probe.provenance.element))
    told = [(int(p.visit_id, 16), p.divergence and p.divergence.finding.rendered, p.probe) for p in past]
    assert told == [(1, "Pay 12", probe.probe.id), (2, None, None), (4, "Pay 13", None), (5, "Pay 12", probe.probe.id)]
    assert [p.divergence and (p.divergence.finding.verdict, p.divergence.check) for p in past] == [
        ("flagged", check), None, ("review", None), ("flagged", check),
    ]  # fmt: skip
    assert [p.when for p in past] == [visit_of(n).started.wall for n in shown]


def test_several_captures_of_a_visit(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """An element that two captures of a visit show has an entry for each, in their order."""
    visit = visit_of(1, captures=2)
    save(database, visit, {capture.id: [finding_of(rendered=f"Pay {capture.index}")] for capture in visit.captures})
    [element] = {found.element for found in divergences(database)}
    past = list(history(database, str(element)))
    assert [p.divergence and p.divergence.finding.rendered for p in past] == ["Pay 0", "Pay 1"]


def test_an_address_written_otherwise(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """Visits to one page by addresses that differ in fragment or case of the host are one history."""
    for number, url in enumerate(("https://shop.example/x", "https://SHOP.example/x#top"), 1):
        visit = visit_of(number, url=url)
        save(database, visit, {visit.captures[0].id: [finding_of()]})
    [element] = {found.element for found in divergences(database)}
    assert [int(p.visit_id, 16) for p in history(database, str(element))] == [1, 2]


def test_nothing_of_the_kind(database: Database, visit_of: VisitOf) -> None:
    """An element that no divergence is of has no history."""
    save(database, visit_of(1))
    assert list(history(database, "0" * 24)) == []
