"""What the commands on sources do, one function each: read what was asked, call one thing, print."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from builder import printing
from builder import sources as all_sources
from builder.drawing import Draw, families_of
from builder.funnel import funnel_of, funnels
from builder.ingest import Asked, Ingested, Progress
from builder.ingest import ingest as ingest_corpus
from builder.settings import builder_settings
from builder.showing_sources import show_funnel, show_ingested, show_rejected, show_sources, watching
from domain.errors import BadInput, NotFound, Refused, Stopped
from domain.probe import LIVE
from store.corpora import rejected_items, stored_corpora
from store.database import Database, open_database


def ingest(
    source: str,
    path: Path | None,
    *,
    base: Path | None,
    seed: int | None,
    workers: int | None,
    accept: bool,
    again: bool,
    fresh: bool,
    limit: int | None,
    as_json: bool,
) -> None:
    """builder ingest. Raises Refused where files have changed, once everything else is stored."""
    if source == LIVE:
        if path is not None:
            raise BadInput(f"live is the crawl: it is in the store, and {path} is not read. Leave it out.")
        with open_database() as database:
            _show(database, LIVE, as_json=as_json)
        return
    corpus = all_sources.corpus(source)
    if path is None:
        raise BadInput(f"Say where the corpus is: builder ingest {source} PATH. Expected: {corpus.EXPECTS}")
    settings = builder_settings(seed=seed, workers=workers)
    how = Draw(families_of(source), settings.seed, settings.reader)
    progress = Progress()
    with open_database() as database:
        if base is None and corpus.BASE is not None and (stands_on := stored_corpora(database).get(corpus.BASE)):
            base = Path(stands_on.path)
        asked = Asked(path, how, base=base, processes=settings.processes, accept=accept, again=again, limit=limit, fresh=fresh)
        with watching(progress, source, quiet=as_json):
            done = ingest_corpus(database, corpus, asked, progress)
        if as_json:
            printing.json_line({"ingested": done, "funnel": funnel_of(database, source)})
        else:
            show_ingested(done)
            _show(database, source, as_json=False)
    end(done)


def end(done: Ingested) -> None:
    """Raises Stopped where Ctrl-C ended it, Refused where what was read before is not the same now."""
    if done.stopped:
        raise Stopped("Stopped. What was read is stored; the same command goes on with the rest.")
    if done.changes or done.gone:
        raise Refused(
            f"{len(done.changes)} files have changed and {len(done.gone)} items are gone since {done.source} was read first. "
            "What is stored of them stays. If the corpus is to be taken as it is now: --accept-changes"
        )


def funnel(source: str | None, *, rejected: bool, as_json: bool) -> None:
    """builder funnel. Raises BadInput on a source that does not exist, NotFound where nothing is stored of it."""
    if source is not None and source not in all_sources.SOURCES:
        raise BadInput(f"No source {source!r}. Known: {', '.join(all_sources.SOURCES)}.")
    with open_database() as database:
        named = [source] if source else [one.source for one in funnels(database)]
        if not named:
            raise NotFound(
                "Nothing is stored yet. Begin: builder ingest SOURCE PATH for a corpus (builder sources names them); "
                "crawler visit URL, or crawler run --list FILE, for live pages."
            )
        for name in named:
            if not rejected:
                _show(database, name, as_json=as_json)
                continue
            if name != LIVE and funnel_of(database, name) is None:
                raise _nothing(name)
            with closing(rejected_items(database, name)) as items:
                n = show_rejected(items, as_json=as_json)
            if not n and not as_json:
                printing.talk("The crawl's visits: crawler report" if name == LIVE else f"{name}: every item is usable.")


def sources(*, as_json: bool) -> None:
    """builder sources."""
    with open_database() as database:
        show_sources({source: funnel_of(database, source) for source in all_sources.SOURCES}, as_json=as_json)


def _show(database: Database, source: str, *, as_json: bool) -> None:
    found = funnel_of(database, source)
    if found is None:
        raise _nothing(source)
    if as_json:
        printing.json_line(found)
    else:
        show_funnel(found)


def _nothing(source: str) -> NotFound:
    return NotFound(f"Nothing is stored of {source}. Begin: builder ingest {source} PATH")
