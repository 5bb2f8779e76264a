"""Collecting: the screens of the chosen probes are read once more, and checked to be those that the probes were drawn from.

A corpus is read from where it was ingested, for just the chosen items; the crawl's captures are blobs of the store.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from builder.rows import Made, Release, make_row
from builder.sources import Corpus, Rejected, Usable, corpus, source_named
from builder.threads import in_threads
from domain.errors import BadInput, NotFound, Refused
from domain.probe import LIVE, CorpusProvenance, Probe
from domain.selection import Candidate
from store.blobs import Blobs
from store.corpora import StoredCorpus, stored_corpora
from store.database import Database
from store.releases import probes_by_id

TOLD = 20
"""Problems that a message lists; of more it says how many."""


@dataclass(frozen=True, slots=True)
class Collected:
    """Rows of one screen with the content that they name. problems: probes that cannot be released, and why."""

    made: tuple[Made, ...] = ()
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


Work = Callable[[], Collected]


@dataclass(frozen=True, slots=True)
class Places:
    """Where probes and their content are, and for which release. corpora: how a corpus is read."""

    database: Database
    blobs: Blobs
    release: Release
    corpora: Callable[[str], Corpus] = corpus


def collect(places: Places, chosen: Sequence[Candidate], *, workers: int) -> Iterator[Collected]:
    """Every chosen probe's row, screen by screen; as many screens in memory as there are workers, and a few.

    Raises Refused with every probe that cannot be released, once all were tried: a file has changed, or is gone.
    """
    problems: list[str] = []
    for done in in_threads(_work(places, chosen, problems), workers):
        problems += done.problems
        yield done
    if problems:
        problems.sort()
        told = problems[:TOLD] + ([f"... and {len(problems) - TOLD} more"] if len(problems) > TOLD else [])
        raise Refused(f"{len(problems)} of the chosen probes cannot be released:\n" + "\n".join(told))


def _work(places: Places, chosen: Sequence[Candidate], problems: list[str]) -> Iterator[Work]:
    """What is to be done for each screen. What cannot even begin goes to `problems`."""
    by_source: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for one in chosen:
        by_source[one.source][one.item].append(one.id)
    stored = stored_corpora(places.database)
    for source, items in sorted(by_source.items()):
        if source == LIVE:
            yield from (partial(_live, places, ids) for _, ids in sorted(items.items()))
        elif source in stored:
            yield from _of_corpus(places, stored[source], items, problems)
        else:
            problems.append(f"{source}: the corpus is no longer known. Ingest it again: builder ingest {source} PATH")


def _live(places: Places, ids: Sequence[str]) -> Collected:
    made, pictures, problems = [], {}, []
    for probe in probes_by_id(places.database, ids):
        try:
            if probe.screenshot not in pictures:
                pictures[probe.screenshot] = places.blobs.get(probe.screenshot)
            made.append(make_row(places.release, probe, places.blobs.get(probe.structure), source_named(LIVE).FORMAT))
        except (BadInput, NotFound) as error:
            problems.append(_named(probe.id, error))
    return Collected(tuple(made), pictures, tuple(problems))


def _of_corpus(places: Places, stored: StoredCorpus, items: Mapping[str, Sequence[str]], problems: list[str]) -> Iterator[Work]:
    module = places.corpora(stored.name)
    found = module.find(Path(stored.path), base=Path(stored.base) if stored.base else None)
    left = set(items)
    for read in module.read(found, only=frozenset(items)):
        item = read.item if isinstance(read, Rejected) else read.screen.item
        if item not in left:  # it has two, and the first counts, as when it was ingested
            continue
        left.remove(item)
        if isinstance(read, Rejected):
            problems.append(f"{stored.name}, {item}: was a screen, and now is none: {read.reason}, {read.detail}")
        else:
            yield partial(_screen, places, items[item], read)
    problems += [f"{stored.name}, {item}: is no longer in {stored.path}" for item in sorted(left)]


def _screen(places: Places, ids: Sequence[str], read: Usable) -> Collected:
    made, problems = [], []
    for probe in probes_by_id(places.database, ids):
        try:
            _same(probe, read)
            made.append(make_row(places.release, probe, read.structure, read.screen.format))
        except BadInput as error:
            problems.append(_named(probe.id, error))
    return Collected(tuple(made), {read.screen.screenshot: read.picture}, tuple(problems))


def _same(probe: Probe, read: Usable) -> None:
    """The screen is the one that the probe was drawn from. Raises BadInput."""
    if (found := hashlib.sha256(read.picture).hexdigest()) != probe.screenshot:
        raise BadInput(f"its picture was {probe.screenshot} and is {found}. {_again(read.screen.source)}")
    known = probe.provenance
    if isinstance(known, CorpusProvenance) and (known.files, known.made) != (read.screen.files, read.screen.made):
        raise BadInput(f"the files it was read from have changed. {_again(read.screen.source)}")


def _named(probe: str, error: Exception) -> str:
    said = str(error)
    return said if said.startswith(probe) else f"{probe}: {said}"


def _again(source: str) -> str:
    return f"If the corpus is to be taken as it is now: builder ingest {source} PATH --accept-changes"
