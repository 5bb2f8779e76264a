"""showing_sources: funnels, rejected items and the list of sources, for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from pydantic import Field
from rich.live import Live
from rich.table import Table
from rich.text import Text

from builder import printing
from builder.funnel import CorpusFunnel, Funnel, LiveFunnel
from builder.ingest import Ingested, Progress
from builder.sources import CORPORA, SOURCES, corpus, source_named
from domain.families import drawing_from, family_named
from domain.record import Record
from store.corpora import RejectedItem

CUT = 100
"""Characters of a detail in a table."""


@contextmanager
def watching(progress: Progress, source: str, *, quiet: bool) -> Iterator[None]:
    """Shows how far an ingest is while it goes on; on no terminal, nothing."""
    console = printing.err()
    if quiet or not console.is_terminal:
        yield
        return
    begun = console.get_time()

    def view() -> Text:
        seconds = max(console.get_time() - begun, 0.001)
        whole = f"/{progress.total}" if progress.total else ""
        line = f"{source}: {progress.skipped + progress.read}{whole} items, {progress.read / seconds:.0f} a second"
        line += f", {progress.rejected} rejected" if progress.rejected else ""
        line += "".join(f", {n} {family}" for family, n in progress.families.items())
        return Text(line, overflow="ellipsis", no_wrap=True)

    with Live(get_renderable=view, console=console, refresh_per_second=4, transient=True):
        yield


def show_ingested(done: Ingested) -> None:
    """What an ingest came to, in sentences; files that have changed with both hashes."""
    for note in done.notes:
        printing.talk(note)
    if done.made:
        printing.talk(f"{done.path} is a made corpus, rendered for tests: its probes are no evidence about the world.")
    skipped = f", {done.skipped} were done before and are as they were" if done.skipped else ""
    found = f"{printing.some(done.saved, 'item')} read and stored"
    if drawing_from(done.source):
        printing.talk(f"{found} with {printing.some(done.probes, 'probe')}{skipped}.")
    else:
        on_it = " or ".join(f"builder ingest {name} PATH" for name in CORPORA if done.source == corpus(name).BASE)
        printing.talk(
            f"{found}{skipped}. By itself {done.source} gives no probes: nobody says in it what its pixels show. What stands "
            f"on it gives them: {on_it}"
        )
    for change in done.changes:
        told = ", ".join(change.examples) + (", ..." if change.items > len(change.examples) else "")
        printing.talk(f"changed: {change.file}")
        printing.talk(f"  was {change.before or 'not there'}")
        printing.talk(f"  now {change.now or 'not there'}")
        printing.talk(f"  {change.items} items are of it, left as they were: {told}")
    for item in done.gone[:CUT]:
        printing.talk(f"gone: {item} is stored, and in the corpus no more")
    if len(done.gone) > CUT:
        printing.talk(f"... and {len(done.gone) - CUT} more are gone")


def show_funnel(funnel: Funnel) -> None:
    """From what was read to the probes, a row a step."""
    table = printing.table("", "", "n", "", right=("n",))
    made = isinstance(funnel, CorpusFunnel) and funnel.made
    printing.say(source_named(funnel.source).TITLE + " (MADE for tests)" * made)
    if isinstance(funnel, LiveFunnel):
        _live_rows(table, funnel)
    else:
        _corpus_rows(table, funnel)
    printing.out().print(table)
    if isinstance(funnel, CorpusFunnel) and not funnel.whole:
        printing.say("The last ingest was broken off or only of some items: this is what there is so far.")
    if isinstance(funnel, CorpusFunnel) and funnel.stale:
        printing.say(f"{funnel.stale} items are still as an older seed or recipe drew them: ingest again.")


def show_rejected(items: Iterable[RejectedItem], *, as_json: bool) -> int:
    """A row an item that could not be used; how many there were."""
    n = 0
    for item in items:
        n += 1
        if as_json:
            printing.json_line(item)
        else:
            files = ", ".join(file.name for file in item.files)
            printing.say(f"{item.reason:24} {item.item}  {item.detail}{f'  [{files}]' if files else ''}")
    return n


class SourceLine(Record):
    """A source, and what is there of it."""

    source: str
    title: str
    licence: str
    note: str = Field(description="where the licence is known from")
    redistribution: str
    homepage: str
    ingested: str = Field(description="whole, in part or no; made where it was rendered for tests; crawled for the crawl")
    read: int
    usable: int
    probes: int


def show_sources(found: Mapping[str, Funnel | None], *, as_json: bool) -> None:
    """A row a source: on what terms, and what is there of it."""
    numbers = ("read", "usable", "probes")
    table = printing.table("source", "title", "terms", "redistribution", "ingested", *numbers, right=numbers)
    for source in SOURCES:
        line = _line(source, found.get(source))
        if as_json:
            printing.json_line(line)
            continue
        counts = [str(n) if line.read else "" for n in (line.read, line.usable, line.probes)]
        table.add_row(source, line.title, line.licence, line.redistribution, line.ingested, *counts)
    if not as_json:
        printing.out().print(table)


def _line(source: str, funnel: Funnel | None) -> SourceLine:
    module = source_named(source)
    return SourceLine(
        source=source,
        title=module.TITLE,
        **{name: getattr(module.TERMS, name) for name in ("licence", "note", "redistribution", "homepage")},
        ingested=_state(funnel),
        read=funnel.read if funnel else 0,
        usable=funnel.usable if funnel else 0,
        probes=_probes(funnel) if funnel else 0,
    )


def _corpus_rows(table: Table, funnel: CorpusFunnel) -> None:
    reasons = source_named(funnel.source).REASONS
    table.add_row("read", "", str(funnel.read), "items")
    table.add_row("usable", "", str(funnel.usable), f"with {funnel.nodes} nodes")
    for reason, n in _most_first(funnel.rejected):
        table.add_row("rejected", reason, str(n), Text(reasons.get(reason, "")))
    for family, made in funnel.families.items():
        table.add_row(Text(family, "bold"), "considered", str(made.considered), "nodes")
        known = getattr(family_named(family), "REASONS", {})
        for reason, n in _most_first(made.rejected):
            table.add_row("", reason, str(n), Text(known.get(reason, "")))
        table.add_row("", "drawn", str(made.drawn), "probes")


def _live_rows(table: Table, funnel: LiveFunnel) -> None:
    table.add_row("read", "", str(funnel.read), "visits")
    table.add_row("usable", "", str(funnel.usable), f"with {funnel.captures} captures")
    for reason, n in _most_first(funnel.rejected):
        table.add_row("rejected", reason, str(n), "")
    for kind, n in funnel.flagged.items():
        table.add_row("flagged", kind, str(n), f"{funnel.confirmed.get(kind, 0)} confirmed")
    for verdict, n in funnel.checks.items():
        table.add_row("pixel check", verdict, str(n), "of the flagged")
    for kind, n in funnel.probes.items():
        table.add_row("probes", kind, str(n), "")


def _most_first(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _probes(funnel: Funnel) -> int:
    if isinstance(funnel, LiveFunnel):
        return sum(funnel.probes.values())
    return sum(made.drawn for made in funnel.families.values())


def _state(funnel: Funnel | None) -> str:
    if funnel is None:
        return "no"
    if isinstance(funnel, LiveFunnel):
        return "crawled" if funnel.read else "no"
    return ("whole" if funnel.whole else "in part") + (", made" if funnel.made else "")
