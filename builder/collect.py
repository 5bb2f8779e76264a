"""Collecting: the screens of the chosen probes are read once more, and checked to be those that the probes were drawn from.

A corpus is read from where it was ingested, for just the chosen items; the crawl's captures are blobs of the store.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.rows import Made, Release, make_row
from builder.sources import Rejected, Usable, corpus
from builder.threads import in_threads
from domain.errors import BadInput, NotFound, Refused
from domain.probe import CorpusProvenance, Probe
from domain.selection import Candidate
from store.blobs import Blobs
from store.corpora import StoredCorpus, stored_corpora
from store.database import Database
from store.releases import probes_by_id

LIVE, LIVE_FORMAT = "live", "html"
TOLD = 20
"""Problems that a message lists; of more it says how many."""


@dataclass(frozen=True, slots=True)
class Collected:
    """Rows of one screen with the content that they name. problems: probes that cannot be released, and why."""

    made: tuple[Made, ...] = ()
    pictures: Mapping[str, bytes] | None = None
    problems: tuple[str, ...] = ()


Work = Callable[[], Collected]


def collect(
    database: Database, blobs: Blobs, release: Release, chosen: Sequence[Candidate], *, workers: int
) -> Iterator[Collected]:
    """Every chosen probe's row, screen by screen, in no order; as many screens in memory as there are workers, and a few.

    Raises Refused with every probe that cannot be released, once all were tried: a file has changed, or is gone.
    """
    problems: list[str] = []
    for done in in_threads(_work(database, blobs, release, chosen, problems), workers):
        problems += done.problems
        yield done
    if problems:
        problems.sort()
        told = problems[:TOLD] + ([f"... and {len(problems) - TOLD} more"] if len(problems) > TOLD else [])
        raise Refused(f"{len(problems)} of the chosen probes cannot be released:\n" + "\n".join(told))


def _work(
    database: Database, blobs: Blobs, release: Release, chosen: Sequence[Candidate], problems: list[str]
) -> Iterator[Work]:
    """What is to be done for each screen. What cannot even begin goes to `problems`."""
    by_source: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for one in chosen:
        by_source[one.source][one.item].append(one.id)
    stored = stored_corpora(database)
    for source, items in sorted(by_source.items()):
        if source == LIVE:
            yield from (_live(database, blobs, release, ids) for _, ids in sorted(items.items()))
        elif source in stored:
            yield from _of_corpus(database, release, stored[source], items, problems)
        else:
            problems.append(f"{source}: the corpus is no longer known. Ingest it again: builder ingest {source} PATH")


def _live(database: Database, blobs: Blobs, release: Release, ids: Sequence[str]) -> Work:
    def work() -> Collected:
        made, pictures, problems = [], {}, []
        for probe in probes_by_id(database, ids):
            try:
                if probe.screenshot not in pictures:
                    pictures[probe.screenshot] = blobs.get(probe.screenshot)
                made.append(make_row(release, probe, blobs.get(probe.structure), LIVE_FORMAT))
            except (BadInput, NotFound) as error:
                problems.append(_named(probe.id, error))
        return Collected(tuple(made), pictures, tuple(problems))

    return work


def _of_corpus(
    database: Database, release: Release, stored: StoredCorpus, items: Mapping[str, Sequence[str]], problems: list[str]
) -> Iterator[Work]:
    module = corpus(stored.name)
    found = module.find(Path(stored.path), base=Path(stored.base) if stored.base else None)
    left = set(items)
    for read in module.read(found, only=frozenset(items)):
        item = read.item if isinstance(read, Rejected) else read.screen.item
        left.discard(item)
        if isinstance(read, Rejected):
            problems.append(f"{stored.name}, {item}: was a screen, and now is none: {read.reason}, {read.detail}")
        else:
            yield _screen(database, release, items[item], read)
    problems += [f"{stored.name}, {item}: is no longer in {stored.path}" for item in sorted(left)]


def _screen(database: Database, release: Release, ids: Sequence[str], read: Usable) -> Work:
    def work() -> Collected:
        made, problems = [], []
        for probe in probes_by_id(database, ids):
            try:
                _same(probe, read)
                made.append(make_row(release, probe, read.structure, read.screen.format))
            except BadInput as error:
                problems.append(_named(probe.id, error))
        return Collected(tuple(made), {read.screen.screenshot: read.picture} if made else {}, tuple(problems))

    return work


def _same(probe: Probe, read: Usable) -> None:
    """The screen is the one that the probe was drawn from. Raises BadInput."""
    if (found := hashlib.sha256(read.picture).hexdigest()) != probe.screenshot:
        raise BadInput(f"its picture was {probe.screenshot} and is {found}. Ingest again: builder ingest {read.screen.source}")
    known = probe.provenance
    if isinstance(known, CorpusProvenance) and (known.files, known.made) != (read.screen.files, read.screen.made):
        raise BadInput(f"the files it was read from have changed. Ingest again: builder ingest {read.screen.source}")


def _named(probe: str, error: Exception) -> str:
    said = str(error)
    return said if said.startswith(probe) else f"{probe}: {said}"
