"""One file per source. To add one: a module here, its name in SOURCES, docs/sources/<name>.md, tests/corpora/<name>.py.

The last makes a corpus in the publisher's layout. Each module of a corpus has what `Corpus` lists. `live`, the crawl, is read
from the store instead (its module says how).
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, cast

from domain.errors import BadInput
from domain.probe import LIVE, FileRef
from domain.released import Redistribution
from domain.screen import Screen

CORPORA = ("rico", "clay", "mind2web", "screenspot_pro")
SOURCES = (*CORPORA, LIVE)

MADE_MARK = "MADE.txt"
"""A corpus whose folder holds this file was rendered for tests: its screens are called made wherever they appear."""


@dataclass(frozen=True, slots=True)
class Usable:
    """A screen that was read. picture: its file's bytes. structure: the normal structure (`channels.structures`)."""

    screen: Screen
    picture: bytes
    structure: bytes


@dataclass(frozen=True, slots=True)
class Rejected:
    """An item that cannot be used. reason: a key of the module's REASONS. detail: which value, where."""

    item: str
    reason: str
    detail: str
    files: tuple[FileRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """What the publisher allows. licence: SPDX id, or "unknown". note: where that is known from."""

    licence: str
    note: str
    redistribution: Redistribution
    homepage: str = ""
    citation: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A corpus at a path, looked at but not read. items: how many there are, where that is cheap to know. made: for tests."""

    path: Path
    made: bool
    items: int | None = None
    base: Path | None = None
    notes: tuple[str, ...] = field(default=())


class Source(Protocol):
    """What every module of this folder offers."""

    NAME: str
    TITLE: str
    TERMS: Terms
    FORMAT: str
    """Of its structures: one of `channels.structures.FORMATS`."""
    REASONS: Mapping[str, str]
    """Every reason code with its sentence; each stands on the source's page in docs/sources."""


class Corpus(Source, Protocol):
    """What the module of a corpus offers besides."""

    EXPECTS: str
    """What the path must hold, for people."""
    BASE: str | None
    """The corpus that this one annotates: where it lies is known once it was ingested."""

    def find(self, path: Path, *, base: Path | None) -> Found:
        """Looks at the path. base: the corpus that this one annotates (RICO for clay).

        Raises BadInput: what was expected, what was found.
        """
        ...

    def read(
        self, found: Found, *, skip: Collection[str] = (), only: Collection[str] | None = None
    ) -> Iterator[Usable | Rejected]:
        """Every item once, in an order that depends on the files' content and names only; memory stays flat.

        skip: items that were read before; their files are not opened. only: just these. A broken item is Rejected, never
        raised.
        """
        ...


def corpus(name: str) -> Corpus:
    """The corpus of this name. Raises BadInput where there is none."""
    if name not in CORPORA:
        raise BadInput(f"No corpus {name!r}. Known: {', '.join(CORPORA)}.")
    return cast("Corpus", source_named(name))


def source_named(name: str) -> Source:
    """The source of this name, one of SOURCES."""
    return cast("Source", importlib.import_module(f"builder.sources.{name}"))
