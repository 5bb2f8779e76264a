"""showing_visits: tables of visits and of what they found, for whoever gives a command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

from crawler import printing
from crawler.detect import Redetected
from crawler.durations import format_duration
from crawler.progress import Progress
from crawler.sites import Site
from crawler.visit import Visited
from domain.divergence import Finding
from domain.divergences import KINDS
from domain.looked import Looked, looked_at
from domain.visit import Visit

CHECK_MARKS = {"confirmed": "green", "contradicted": "red", "unreadable": "bright_black"}
MARKS = {"flagged": "red", "review": "yellow", "clean": "green", "skipped": "bright_black"}
NAMES = 3
"""Sites that are named beside a reason that several have."""


def _tally(visit: Visit, kind: str, verdict: str) -> int:
    return sum(n for c in visit.captures for label, n in c.tallies.get(kind, {}).items() if label.split(":")[0] == verdict)


def _reasons(visits: Iterable[Visit]) -> dict[tuple[str, str], list[str]]:
    """(outcome, reason) -> the sites that ended so, of those that were not captured."""
    found: dict[tuple[str, str], list[str]] = {}
    for visit in sorted(visits, key=lambda v: v.site):
        if visit.outcome != "captured" and visit.reason:
            found.setdefault((visit.outcome, visit.reason), []).append(visit.site)
    return found


def summary(progress: Progress) -> None:
    """The table at the end of a run: a row a site, flagged and for review by kind; then reasons and what the pixels said."""
    visits = progress.done
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("site", overflow="fold")
    table.add_column("outcome")
    table.add_column("seconds", justify="right")
    for kind in KINDS:
        table.add_column(f"{kind}\nflagged/review", justify="right")
    table.add_column("elements", justify="right")
    table.add_column("settled", justify="right")
    for visit in sorted(visits, key=lambda v: v.site):
        seconds = (visit.finished.monotonic_ns - visit.started.monotonic_ns) / 1e9
        outcome = Text(visit.outcome, "green" if visit.outcome == "captured" else "red")
        if visit.incidents:
            outcome.append(f" ({', '.join(visit.incidents)})", "bright_black")
        cells = [f"{_tally(visit, k, 'flagged') or '-'} / {_tally(visit, k, 'review') or '-'}" for k in KINDS]
        counts = [c.counts for c in visit.captures]
        read, settled = sum(c.elements for c in counts), sum(c.settled for c in counts)
        table.add_row(
            Text(visit.site), outcome, f"{seconds:.1f}", *cells, str(read), f"{100 * settled / read:.0f}%" if read else "-"
        )
    console = printing.out()
    console.print(table)
    for (ended_as, reason), names in _reasons(visits).items():
        told = ", ".join(names[:NAMES]) + (f" and {len(names) - NAMES} more" if len(names) > NAMES else "")
        console.print(Text(f"{ended_as}: {reason} ({told})", "bright_black"), soft_wrap=True)
    ended = Counter(v.outcome for v in visits)
    flagged = {k: sum(_tally(v, k, "flagged") for v in visits) for k in KINDS}
    console.print(
        f"{printing.plural(len(visits), 'visit')}: {', '.join(f'{n} {o}' for o, n in ended.most_common()) or 'none'}. "
        f"Flagged: {', '.join(f'{n} {k}' for k, n in flagged.items())}.",
        soft_wrap=True,
    )
    if progress.checks:
        told = ", ".join(f"{n} {verdict}" for verdict, n in progress.checks.most_common())
        console.print(f"Pixel check of what is flagged: {told}. See: crawler probes", soft_wrap=True)


def findings(found: Sequence[Finding]) -> None:
    """A table of findings: verdict, kind, both values, where."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("verdict", "kind", "structure says", "the screen shows", "pixels", "grade", "reason", "element"):
        table.add_column(name, overflow="fold")
    for f in found:
        where = f"#{f.element_id}" if f.element_id else f.path.rsplit(" > ", 2)[-1]
        table.add_row(
            Text(f.verdict, MARKS[f.verdict]),
            f.kind,
            Text((f.structural or "")[:120]),
            Text((f.rendered or "")[:120]),
            Text(f.check.verdict, CHECK_MARKS[f.check.verdict]) if isinstance(f, Looked) and f.check else "",
            f.grade or "",
            f.reason,
            Text(where),
        )
    printing.out().print(table)


def visited(done: Visited, *, stored: bool) -> None:
    """One visit for a person."""
    visit = done.visit
    console = printing.out()
    console.print(
        Text(visit.url, "bold"), Text(visit.outcome, "green" if visit.outcome == "captured" else "red"), Text(visit.reason)
    )
    found = [f for e in done.evidence for f in looked_at(e.findings, e.record.index, e.checks)]
    told = [f for f in found if f.verdict in {"flagged", "review"}]
    if told:
        findings(told)
    counted: Counter[str] = Counter(f.verdict for f in found)
    if found:
        told_all = ", ".join(f"{counted[v]} {v}" for v in MARKS)
        more = f" More: crawler show {visit.id[:12]} --elements" if stored else ""
        console.print(f"{len(found)} looked at: {told_all}.{more}", soft_wrap=True)


def redetected(outcome: Redetected, *, as_json: bool, dry_run: bool) -> None:
    """What asking the rules again has changed."""
    if as_json:
        printing.json_line(outcome)
        return
    console = printing.out()
    for change in outcome.changes[:200]:
        console.print(Text(f"{change.what:8} {change.id} {change.kind} {change.before} -> {change.after}  {change.site}"))
    for rules, n in sorted(outcome.rules_before.items()):
        console.print(f"{printing.plural(n, 'capture')} judged by: {rules}", markup=False)
    console.print(f"Now: {outcome.rules}", markup=False)
    console.print(
        f"{printing.plural(outcome.captures, 'capture')} judged; divergences: {outcome.added} added, "
        f"{outcome.removed} removed, {outcome.changed} changed{' (dry run: nothing written)' if dry_run else ''}; "
        f"captures: {outcome.unreadable} could not be read, {outcome.pruned} were pruned.",
        soft_wrap=True,
    )


def sites(listed: Sequence[Site]) -> None:
    """The list for a person."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("name", "every", "topic", "url", "why"):
        table.add_column(name, overflow="fold")
    for site in listed:
        table.add_row(site.name, format_duration(site.every), site.topic, site.url, site.why)
    printing.out().print(table)
    printing.out().print(printing.plural(len(listed), "site"))
