"""Drawing: what the families make of screens, in this process or in several; the same whatever their number."""

from __future__ import annotations

import functools
import importlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from typing import Protocol, cast

from builder.look import open_look
from builder.sources import Rejected, Usable
from channels.readers import Reader, open_reader
from domain.errors import BadInput, Unavailable
from domain.families import drawing_from
from domain.probe import Probe
from domain.screen import Drawn, Look, Screen
from store.corpora import USABLE, Item

ALONE_S = 2.0
"""Several processes are started when this one has drawn for so long: starting them takes a second each."""
AHEAD = 4
"""Screens that are read and wait to be drawn, for each process. A picture may have 20 MB."""
BAD_PICTURE = "undecodable-picture"
"""Reason of an item whose picture a family could not look at, though its source could read it (docs/ingest.md)."""


class Family(Protocol):
    """What a module of domain/families offers that draws from screens."""

    NAME: str
    SOURCES: tuple[str, ...]
    VARIABLES: tuple[str, ...]
    RULES: str

    def draw(self, screen: Screen, look: Look, *, seed: int) -> Drawn: ...


@dataclass(frozen=True, slots=True)
class Draw:
    """How screens are drawn from. families: names of modules. reader: of families that ask for text."""

    families: tuple[str, ...]
    seed: int
    reader: str

    @property
    def modules(self) -> tuple[Family, ...]:
        return tuple(cast("Family", importlib.import_module(name)) for name in self.families)

    @property
    def reads(self) -> bool:
        """Whether a reader is needed."""
        return any("text" in family.VARIABLES for family in self.modules)

    @property
    def stamp(self) -> str:
        """What the probes depend on beside the corpus. Where it changes, they are drawn anew."""
        recipes = [family.RULES for family in self.modules]
        return "; ".join([f"seed {self.seed}", *recipes, *([self.reader] if self.reads else [])]) if recipes else ""


def families_of(source: str) -> tuple[str, ...]:
    """Names of the modules of all families that draw from this source, in the order of the list."""
    return tuple(module.__name__ for module in drawing_from(source))


def drawn(
    read: Iterable[Usable | Rejected], how: Draw, *, processes: int, alone_s: float = ALONE_S
) -> Generator[Item, None, None]:
    """What was read, each with its probes, in the order read. processes: at most so many draw; the reading is done here.

    Raises Unavailable where a process is gone that drew.
    """
    given = iter(read)
    began = time.monotonic()
    for one in given:
        yield draw_item(one, how)
        if how.families and processes > 1 and time.monotonic() - began >= alone_s:
            break
    else:
        return
    yield from _together(given, how, processes)


def draw_item(one: Usable | Rejected, how: Draw) -> Item:
    """The item with its probes; without, where it was rejected or no family can look at its picture."""
    if isinstance(one, Rejected):
        return Item(one.item, one.reason, one.detail, one.files)
    screen = one.screen
    item = Item(screen.item, USABLE, files=screen.files, nodes=len(screen.nodes))
    if not how.families:
        return item
    look = open_look(one.picture, _reader(how.reader) if how.reads else None)
    probes: list[Probe] = []
    rejected: dict[str, Mapping[str, int]] = {}
    for family in how.modules:
        try:
            made = family.draw(screen, look, seed=how.seed)
        except BadInput as error:
            return replace(item, outcome=BAD_PICTURE, detail=str(error), nodes=0)
        except Exception as error:
            error.add_note(f"This was {family.NAME} at {screen.source} {screen.item}.")
            raise
        probes += made.probes
        rejected[family.NAME] = dict(sorted(made.rejected.items()))
    return replace(item, probes=tuple(probes), rejected=rejected)


def _together(read: Iterator[Usable | Rejected], how: Draw, processes: int) -> Iterator[Item]:
    # Not forked: this process has connections and threads.
    context = multiprocessing.get_context("spawn")
    waiting: deque[Future[Item]] = deque()
    pool = ProcessPoolExecutor(processes, context, initializer=_begin)
    try:
        for one in read:
            # The structure is not looked at: families see the screen. Packed here, since a pool may hang on what cannot be.
            packed = pickle.dumps(replace(one, structure=b"") if isinstance(one, Usable) else one)
            waiting.append(pool.submit(_unpack_and_draw, packed, how))
            if len(waiting) >= AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise Unavailable("A process that drew probes was ended from outside, for want of memory perhaps.") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _unpack_and_draw(packed: bytes, how: Draw) -> Item:
    return draw_item(pickle.loads(packed), how)  # noqa: S301 - our own, from the process that started this one


def _begin() -> None:
    """Ctrl-C is for the process that saves; when that one is gone, killed perhaps, this one goes too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@functools.lru_cache(1)
def _reader(name: str) -> Reader:
    return open_reader(name)
