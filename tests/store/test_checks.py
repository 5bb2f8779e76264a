"""store/checks.py: what nobody has looked at is handed out, and what was seen is kept beside it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from domain.divergence import Finding
from domain.pixel_check import Check
from domain.visit import Visit
from store.captures import divergence_id, divergences, replace_findings, save
from store.checks import checks_of, save_checks, unchecked
from store.database import Database

VisitOf = Callable[..., Visit]
FindingOf = Callable[..., Finding]
CheckOf = Callable[..., Check]


def filled(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> tuple[str, ...]:
    """Two visits, the second with two captures; each capture has one flagged for aria, one for title, one for review."""
    ids = []
    for visit in (visit_of(1), visit_of(2, captures=2, site="news")):
        findings = [finding_of("#r", verdict="review"), finding_of("#a"), finding_of("#a", kind="title")]
        save(database, visit, {capture.id: findings for capture in visit.captures})
        ids += [capture.id for capture in visit.captures]
    return tuple(ids)


def test_what_is_unchecked(database: Database, visit_of: VisitOf, finding_of: FindingOf, check_of: CheckOf) -> None:
    """Each divergence nobody looked at, with its capture: oldest visit first, a capture's together, flagged before review."""
    first, second, third = filled(database, visit_of, finding_of)

    def left(**question: object) -> list[tuple[str, str]]:
        found = list(unchecked(database, **question))  # type: ignore[arg-type]
        assert all(divergence.capture_id == capture.id for divergence, capture in found)
        return [(d.capture_id, f"{d.finding.path} {d.finding.kind}") for d, _ in found]

    flagged = [(capture, what) for capture in (first, second, third) for what in ("#a aria", "#a title")]
    assert left() == flagged
    assert left(limit=3) == flagged[:3]
    assert left(limit=0) == []
    assert left(site="news", kind="title") == [(second, "#a title"), (third, "#a title")]
    assert left(verdict="review") == [(capture, "#r aria") for capture in (first, second, third)]
    every = [(c, what) for c in (first, second, third) for what in ("#a aria", "#a title", "#r aria")]
    assert left(verdict=None) == every

    save_checks(database, {divergence_id(first, "aria", "#a"): check_of(reader="one")})
    assert left() == flagged[1:]
    assert left(reader="one") == flagged[1:]
    assert left(reader="two") == flagged


def test_saving_while_asking(database: Database, visit_of: VisitOf, finding_of: FindingOf, check_of: CheckOf) -> None:
    """Whoever looks saves as it goes, and is handed each divergence once."""
    filled(database, visit_of, finding_of)
    handed = []
    for divergence, _ in unchecked(database, verdict=None):
        assert save_checks(database, {divergence.id: check_of()}) == 1
        handed.append(divergence.id)
    assert len(handed) == len(set(handed)) == 9
    assert list(unchecked(database, verdict=None)) == []


def test_each_reader_has_one_check(database: Database, visit_of: VisitOf, finding_of: FindingOf, check_of: CheckOf) -> None:
    """A second look takes the place of a reader's first, another reader's stands beside it; newest first, as written."""
    first, *_ = filled(database, visit_of, finding_of)
    one = divergence_id(first, "aria", "#a")
    assert checks_of(database, one) == []
    save_checks(database, {one: check_of(reader="one")})
    save_checks(database, {one: check_of("unreadable", reader="two", read="", confidence=0)})
    assert [stored.check.reader for stored in checks_of(database, one)] == ["two", "one"]
    again = check_of("contradicted", reader="one", read="Pay\x00 \ud800", confidence=1, reason="structural")
    assert save_checks(database, {one: again}) == 1
    newest, other = checks_of(database, one)
    assert newest.check == again.model_copy(update={"read": "Pay\ufffd \ufffd"})
    assert (other.check.reader, other.when < newest.when, newest.divergence_id) == ("two", True, one)


def test_a_divergence_that_is_gone(database: Database, visit_of: VisitOf, finding_of: FindingOf, check_of: CheckOf) -> None:
    """A check that comes after its divergence went is left out, the others are kept; with the divergence go its checks."""
    first, *_ = filled(database, visit_of, finding_of)
    one, two = divergence_id(first, "aria", "#a"), divergence_id(first, "title", "#a")
    save_checks(database, {one: check_of(), two: check_of()})
    replace_findings(database, first, "2", [finding_of("#a", kind="title")], {})
    assert (checks_of(database, one), len(checks_of(database, two))) == ([], 1)
    assert save_checks(database, {one: check_of(), two: check_of()}) == 1
    assert save_checks(database, {}) == 0


def test_many_at_once(database: Database, visit_of: VisitOf, finding_of: FindingOf, check_of: CheckOf) -> None:
    """Readers that save the same checks while the rules are run again get in nobody's way."""
    captures = filled(database, visit_of, finding_of)
    ids = [found.id for found in divergences(database)]

    def work(number: int) -> int:
        if number % 3 == 0:
            findings = [finding_of("#r", verdict="review"), finding_of("#a"), finding_of("#a", kind="title")]
            replace_findings(database, captures[number % len(captures)], f"{number}", findings, {})
            return len(ids)
        return save_checks(database, {i: check_of(reader=f"{number % 2}") for i in ids[:: 1 if number % 2 else -1]})

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(24))) == [len(ids)] * 24
    assert all(len(checks_of(database, i)) == 2 for i in ids)
