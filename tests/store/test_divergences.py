"""store/divergences.py: ids that stay, questions, and what changes when the rules are run again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest
from sqlalchemy import text

from domain.divergence import Finding
from domain.errors import NotFound
from domain.pixel_check import Check
from domain.visit import Visit
from store import divergences as module
from store.captures import (
    divergence_id,
    divergences,
    find_divergence,
    find_visit,
    replace_findings,
    save,
)
from store.checks import checks_of, save_checks
from store.database import Database

VisitOf = Callable[..., Visit]
CheckOf = Callable[..., Check]
FindingOf = Callable[..., Finding]


def test_id() -> None:
    """The id is the beginning of the SHA-256 of capture, kind and path, one a line."""
    assert divergence_id("v-0", "aria", "#a") == hashlib.sha256(b"v-0\naria\n#a").hexdigest()[:12]


def test_questions(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """Those that match everything asked, newest visit first."""
    for visit, findings in (
        (visit_of(1), [finding_of("#a"), finding_of("#a", kind="title")]),
        (visit_of(2, site="news"), [finding_of("#b", verdict="review", structural=None, box=None)]),
        (visit_of(3), [finding_of("#c")]),
    ):
        save(database, visit, {visit.captures[0].id: findings})

    def paths(**question: object) -> list[str]:
        return [f"{d.finding.path} {d.finding.kind}" for d in divergences(database, **question)]  # type: ignore[arg-type]

    assert paths() == ["#c aria", "#b aria", "#a aria", "#a title"]
    assert paths(limit=2) == ["#c aria", "#b aria"]
    assert paths(limit=0) == []
    assert paths(site="shop", kind="aria") == ["#c aria", "#a aria"]
    assert paths(verdict="review") == ["#b aria"]
    assert paths(visit=visit_of(1).id) == ["#a aria", "#a title"]
    assert paths(since=visit_of(2).started.wall) == ["#c aria", "#b aria"]
    assert paths(kind="none") == []


def test_prefix(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """A divergence is found by the beginning of its id."""
    visit = visit_of(1)
    capture = visit.captures[0].id
    save(database, visit, {capture: [finding_of("#a"), finding_of("#b")]})
    wanted = divergence_id(capture, "aria", "#a")
    assert find_divergence(database, wanted[:8]).finding.path == "#a"
    assert find_divergence(database, wanted.upper()).id == wanted
    with pytest.raises(NotFound, match=r"^No divergence 'zz'; there are 2\. Their ids stand at /divergences"):
        find_divergence(database, "zz")


def test_rules_run_again(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """Running the rules again tells what is new, gone and different, and leaves the rest as it was, ids included."""
    visit = visit_of(1, captures=2)
    capture, other = (record.id for record in visit.captures)
    stays, goes, differs = finding_of("#stays"), finding_of("#goes"), finding_of("#differs")
    save(database, visit, {capture: [stays, goes, differs], other: [goes]})
    comes = finding_of("#comes", kind="title")
    other_words = differs.model_copy(update={"rendered": "Pay 13", "verdict": "review"})
    new = [stays, other_words, comes, finding_of("#goes", verdict="clean")]
    tallies = {"aria": {"flagged": 1, "review": 1}, "title": {"flagged": 1}}

    for dry_run in (True, False):
        before = list(divergences(database))
        changes = replace_findings(database, capture, "2", new, tallies, dry_run=dry_run)
        assert [found.finding for found in changes.added] == [comes]
        assert [found.finding for found in changes.removed] == [goes]
        assert [(old.finding, found.finding) for old, found in changes.changed] == [(differs, other_words)]
        if dry_run:
            assert list(divergences(database)) == before
            assert find_visit(database, visit.id) == visit

    rows = {(row.capture_id, row.finding.path): row for row in divergences(database)}
    assert set(rows) == {(capture, "#stays"), (capture, "#differs"), (capture, "#comes"), (other, "#goes")}
    assert rows[capture, "#stays"].id == divergence_id(capture, "aria", "#stays")
    assert rows[capture, "#stays"].rules == "2"
    assert rows[other, "#goes"].rules == "1"
    first, second = find_visit(database, visit.id).captures
    assert (first.rules, first.tallies) == ("2", tallies)
    assert second == visit.captures[1]
    assert replace_findings(database, capture, "3", new, tallies) == ([], [], [])


def test_no_such_capture(database: Database) -> None:
    """Findings cannot be given to a capture that is not stored."""
    with pytest.raises(NotFound, match="No capture 'x-0'"):
        replace_findings(database, "x-0", "2", [], {})


def test_one_row_for_a_kind_and_path(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """Of two findings with the same kind and path, also after cleaning, the first has the row."""
    visit = visit_of(1)
    twins = [finding_of("#a\x00", rendered="first"), finding_of("#a\ufffd", rendered="second")]
    save(database, visit, {visit.captures[0].id: twins})
    assert [found.finding.rendered for found in divergences(database)] == ["first"]


def test_more_findings_than_a_statement_takes(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """A page with thousands of findings is stored whole."""
    visit = visit_of(1)
    save(database, visit, {visit.captures[0].id: [finding_of(f"#e{number}") for number in range(5_000)]})
    assert sum(1 for _ in divergences(database)) == 5_000


def test_ids_that_begin_alike(
    database: Database, visit_of: VisitOf, finding_of: FindingOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where two divergences have the same twelve digits, the later one has its whole key for an id; none is lost."""
    monkeypatch.setattr(module, "key_of", lambda *parts: "a" * 12 + hashlib.sha256(repr(parts).encode()).hexdigest()[12:])
    visit = visit_of(1)
    save(database, visit, {visit.captures[0].id: [finding_of("#a"), finding_of("#b"), finding_of("#c")]})
    ids = sorted(found.id for found in divergences(database))
    assert [len(found) for found in ids] == [12, 64, 64]
    assert {find_divergence(database, found).finding.path for found in ids} == {"#a", "#b", "#c"}


def test_every_field_of_a_finding_is_stored(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """A finding comes back as it was, each field given; one without lines too."""
    full, bare = finding_of("#a"), finding_of("#b", lines=(), box=None, sub_kind=None, role=None, name=None, row=None)
    assert set(module.FIELDS) == set(Finding.model_fields)
    assert all(getattr(full, name) for name in Finding.model_fields)
    visit = visit_of(1)
    save(database, visit, {visit.captures[0].id: [full, bare]})
    assert {found.finding.path: found.finding for found in divergences(database)} == {"#a": full, "#b": bare}


def test_element_is_named_over_time(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """The same element has one name at every visit to its page, whatever it showed; another has another."""
    for number, rendered in enumerate(("Pay 12", "Pay 13"), 1):
        visit = visit_of(number, url=f"https://shop.example/cart?x=1#{number}")
        findings = [finding_of(rendered=rendered), finding_of("#other", element_id="other")]
        save(database, visit, {visit.captures[0].id: findings})
    names = [(found.finding.path, found.element) for found in divergences(database)]
    assert len(names) == 4
    assert len(set(names)) == len({name for _, name in names}) == 2


def test_newest_check(database: Database, visit_of: VisitOf, finding_of: FindingOf, check_of: CheckOf) -> None:
    """A divergence comes with the newest look at its pixels that could tell, and can be asked for by it."""
    visit = visit_of(1)
    capture = visit.captures[0].id
    save(database, visit, {capture: [finding_of("#a"), finding_of("#b"), finding_of("#c")]})
    a, b = (divergence_id(capture, "aria", path) for path in ("#a", "#b"))
    save_checks(database, {a: check_of("unreadable"), b: check_of()})
    save_checks(database, {a: check_of("contradicted", reader="reader-2")})
    save_checks(database, {a: check_of("unreadable", reader="reader-3"), b: check_of("unreadable", reader="reader-3")})

    def paths(check: str | None) -> list[str]:
        return sorted(found.finding.path for found in divergences(database, check=check))  # type: ignore[arg-type]

    assert [paths(check) for check in (None, "confirmed", "contradicted", "unreadable", "unchecked")] == [
        ["#a", "#b", "#c"], ["#b"], ["#a"], [], ["#c"],
    ]  # fmt: skip
    assert find_divergence(database, a).check == check_of("contradicted", reader="reader-2")
    assert find_divergence(database, divergence_id(capture, "aria", "#c")).check is None


@pytest.mark.parametrize(
    "other",
    [
        {"rendered": "Pay 13"},
        {"structural": "Pay 11"},
        {"box": (1.5, 2.0, 30.25, 5.0)},
        {"lines": ((1.5, 2.0, 20.0, 2.0),)},
        {"kind": "title"},
    ],
)
def test_a_check_is_of_what_was_looked_at(
    database: Database, visit_of: VisitOf, finding_of: FindingOf, check_of: CheckOf, other: dict[str, object]
) -> None:
    """Rules run again keep the check of a pair that is the same, and drop it where the pair or its place is another."""
    visit = visit_of(1)
    capture = visit.captures[0].id
    save(database, visit, {capture: [finding_of("#stays"), finding_of("#differs")]})
    stays, differs = (divergence_id(capture, "aria", path) for path in ("#stays", "#differs"))
    save_checks(database, {stays: check_of(), differs: check_of()})
    before = checks_of(database, stays)
    again = [finding_of("#stays", verdict="review", reason="doubt", grade="overlap"), finding_of("#differs", **other)]
    for dry_run in (True, False):
        assert len(checks_of(database, differs)) == 1
        replace_findings(database, capture, "2", again, {}, dry_run=dry_run)
        assert checks_of(database, stays) == before
    assert checks_of(database, differs) == []


def test_rows_from_before_elements_had_names(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """A row without a name gets it when the rules are run again, and keeps its id and check."""
    visit = visit_of(1)
    save(database, visit, {visit.captures[0].id: [finding_of()]})
    [named] = divergences(database)
    with database.transaction() as connection:
        connection.execute(text("update divergences set element = null, lines = null"))
    [old] = divergences(database)
    assert (old.id, old.element, old.finding.lines) == (named.id, None, ())
    replace_findings(database, visit.captures[0].id, "1", [finding_of()], {})
    assert list(divergences(database)) == [named]
