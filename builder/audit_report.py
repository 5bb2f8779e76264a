"""builder audit report: the numbers of an audit from the store, and how each of them is written for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from domain.agreement import Kappa, McNemar, NoInterval, Rate
from domain.audit_match import Says
from domain.audit_report import AuditReport, Disputed, Given, KindReport, Table, Validity, report
from store.audit_results import judged, status
from store.audit_sources import models_of
from store.database import Database

CUT = 48
"""Characters of a value in a table of text."""
SAID: dict[Says, str] = {
    "gold": "gold",
    "structural": "the structure's value",
    "other": "neither value",
    "absent": "absent",
    "unreadable": "unreadable",
    "unsure": "unsure",
}
"""What a label says, in words."""
NO_INTERVAL: dict[NoInterval, str] = {
    "undefined": "it is undefined",
    "never-differ": "they never differ",
    "one-rater-one-category": "one used one category only",
    "degenerate": "its error cannot be estimated",
}
"""Why kappa has none, in words."""
AGREEMENT = (
    "part",
    "items",
    "pairs",
    "raw agreement",
    "kappa",
    "kappa, coded",
    "consensus",
    "agree, not gold",
    "adjudicated gold",
)
PEOPLE = ("part", "annotator", "labels", "validity", "structural", "absent", "unreadable", "unsure", "McNemar p")
LEGEND = (
    "In brackets: the 95 % interval. headline: web-text, mobile-widget and desktop-graphic together.",
    "kappa: each text and each choice is a category. coded: a text is only match, other, unreadable or unsure.",
    "consensus: pairs where both labels match gold. agree, not gold: both say the same, and it is not gold.",
    "undecided: of these, where both say unreadable, or both unsure. That is nothing against gold.",
    "validity: labels that match gold, of those that are not unreadable. structural: labels that say what the structure says.",
    "More of each: docs/audit-numbers.md",
)
"""What is above the columns and before the rows, in words."""
DISPUTED = ("probe", "what", "gold", "first", "second", "adjudication")


def audit_report(database: Database, name: str) -> AuditReport:
    """The numbers of an audit as it stands, open or closed. Raises NotFound, Unavailable."""
    release = status(database, name).release
    return report(name, judged(database, name), release=release, models=models_of(database, name))


def agreement_rows(found: KindReport) -> Iterator[tuple[str, ...]]:
    """A line for each part: what two annotators say beside one another."""
    for one in found.tables:
        yield (
            part(one),
            str(one.items),
            str(one.pairs),
            share(one.agreement),
            kappa(one.kappa),
            kappa(one.kappa_coded),
            counted(one.consensus),
            same_other(one),
            f"{one.adjudicated.count} of {one.adjudicated.n}" if one.adjudicated.n else "",
        )


def people_rows(found: KindReport) -> Iterator[tuple[str, ...]]:
    """A line for each part and annotator: what each says beside gold."""
    for one in found.tables:
        for at, who in enumerate(one.validity):
            test = p_value(one.mcnemar) if one.mcnemar and at == 0 else ""
            yield (part(one) if at == 0 else "", who.annotator, *_validity(who), test)


def disputed_rows(found: Iterable[Disputed]) -> Iterator[tuple[str, ...]]:
    """A line for each disputed item."""
    for one in found:
        third = said(one.adjudication) if one.adjudication else ""
        first, second = map(said, one.labels)
        yield one.probe, one.kind or one.family, cut(one.gold), cut(first), cut(second), cut(third)


def model_lines(found: KindReport) -> Iterator[str]:
    """What answered under each model's name, in the order of names."""
    for number, (name, model) in enumerate(found.models.items(), 1):
        yield f"annotator {number} ({name}): {model}"


def part(one: Table) -> str:
    """What the line is of."""
    return f"  {one.name}" if one.scope == "kind" else one.name


def share(one: Rate) -> str:
    """The share and its interval; n/a, with n, where there is none."""
    if one.share is None or one.low is None or one.high is None:
        return f"n/a (n={one.n})"
    return f"{one.share:.3f} ({one.low:.3f} to {one.high:.3f})"


def counted(one: Rate) -> str:
    """How many of how many, the share and its interval."""
    return f"{one.count} of {one.n}: {share(one)}" if one.n else share(one)


def kappa(one: Kappa) -> str:
    """Kappa and its interval, or why it has none; n/a with the reason where it is undefined."""
    if one.value is None:
        return "n/a (n=0)" if one.undefined == "n=0" else f"n/a (n={one.n}, one category)"
    if one.low is None or one.high is None:
        return f"{one.value:.3f} (no interval: {NO_INTERVAL[one.no_interval or 'undefined']})"
    return f"{one.value:.3f} ({one.low:.3f} to {one.high:.3f})"


def same_other(one: Table) -> str:
    """How many agree on no gold; and of these, where there are any, how many on unreadable or unsure."""
    return f"{one.same_other} ({one.same_undecided} undecided)" if one.same_undecided else str(one.same_other)


def between(found: Sequence[Disputed]) -> str:
    """How many are disputed between whom, in words."""
    apart = sum(one.between == "annotators" for one in found)
    neither = sum(one.undecided for one in found)
    of_these = f" (of these {neither} unreadable or unsure to both)" if neither else ""
    return f"{apart} between annotators; {len(found) - apart} where both say the same, and not gold{of_these}."


def p_value(one: McNemar) -> str:
    """McNemar's p; n/a, with n, of no items."""
    return f"n/a (n={one.n or 0})" if one.p is None else f"{one.p:.4f}"


def said(one: Given) -> str:
    """The label as it was given."""
    return one.answer if one.value is None else one.value


def cut(text: str) -> str:
    """On one line, no longer than a table has room for."""
    flat = " ".join(text.split())
    return flat if len(flat) <= CUT else f"{flat[: CUT - 1]}\u2026"


def _validity(one: Validity) -> tuple[str, ...]:
    return str(one.labels), counted(one.valid), str(one.structural), str(one.absent), str(one.unreadable), str(one.unsure)
