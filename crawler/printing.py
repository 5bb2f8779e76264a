"""What people and programs are told: data to stdout, talk to stderr."""

from __future__ import annotations

import contextlib
import os
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import orjson
from pydantic import BaseModel
from rich.console import Console
from rich.live import Live
from rich.text import Text

from crawler.run import Progress
from crawler.visit import Visited
from domain.errors import ParallaxError
from domain.looked import looked_at

WIDE = 180
REASON = 90
"""Characters of a reason in a line for a visit: the beginning tells the most, and `crawler show` has all of it."""
_shown: list[Console] = []
"""The console on which a line of progress stands now: what is said goes above it."""


class ReaderGone(ParallaxError):
    """Whoever read what is printed has gone, as `head` does when it has its lines."""

    exit_code = 0


class _Out(Console):
    def on_broken_pipe(self) -> None:
        _to_nowhere()
        raise ReaderGone


def _to_nowhere() -> None:
    """What is still to be flushed at the end has no reader either."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def out() -> Console:
    """The console for data, made anew so that a redirected stdout is seen."""
    console = _Out(highlight=False, soft_wrap=False)
    # A file or a pipe has no width: give the table the room it needs.
    return console if console.is_terminal else _Out(highlight=False, soft_wrap=False, width=WIDE)


def err() -> Console:
    """The console for talk."""
    return _shown[-1] if _shown else Console(stderr=True, highlight=False)


def plural(n: int, noun: str, nouns: str | None = None) -> str:
    """ "1 visit", "1,200 visits"."""
    return f"{n:,} {noun if n == 1 else nouns or f'{noun}s'}"


def cut(reason: str) -> str:
    """A reason in a line, cut between words, with a mark where it is cut."""
    return textwrap.shorten(reason, REASON, placeholder=" \u2026")


def say(text: str) -> None:
    """One line of data, as it is."""
    out().print(text, markup=False, soft_wrap=True)


def talk(text: str) -> None:
    """One line for the person, on stderr."""
    err().print(text, markup=False, soft_wrap=True)


def stopping() -> None:
    """The first Ctrl-C, or SIGTERM, is acknowledged."""
    talk("Stopping: what is under way is finished first, which can take a minute. Ctrl-C again to stop at once.")


def _jsonable(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} is not for JSON")


def _clean(value: Any) -> Any:
    """Lone surrogates, which page text may hold, cannot be written as UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_clean(k): _clean(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(v) for v in value]
    return _clean(_jsonable(value)) if isinstance(value, BaseModel) else value


def json_line(value: Any) -> None:
    """One JSON document on a line of stdout."""
    try:
        text = orjson.dumps(value, default=_jsonable)
    except TypeError:
        text = orjson.dumps(_clean(value), default=_jsonable)
    try:
        sys.stdout.buffer.write(text + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _to_nowhere()
        raise ReaderGone from None


def document(visited: Visited) -> dict[str, Any]:
    """A visit as `crawler visit --json` prints it (docs/visit-json.md)."""
    elements = [f for e in visited.evidence for f in looked_at(e.findings, e.record.index, e.checks)]
    return {"visit": visited.visit, "elements": elements}


@contextlib.contextmanager
def live(progress: Progress, *, quiet: bool) -> Iterator[None]:
    """Shows how far a run is while it goes on; on no terminal, nothing."""
    console = err()
    if quiet or not console.is_terminal:
        yield
        return

    def view() -> Text:
        ended = Counter(v.outcome for v in progress.done)
        told = ", ".join(f"{n} {outcome}" for outcome, n in ended.most_common())
        now = "  ".join(list(progress.running.values())[:4])
        line = f"{len(progress.done)}/{progress.total} visited ({told or 'none yet'}), {len(progress.running)} open, "
        line += f"{progress.checking} at the pixel check: {now}"
        return Text(line, overflow="ellipsis", no_wrap=True)

    with _standing(Live(get_renderable=view, console=console, refresh_per_second=4, transient=True)):
        yield


@contextlib.contextmanager
def counting(what: str, *, quiet: bool) -> Iterator[Callable[[], None]]:
    """A counter for long work on stored things."""
    n = 0

    def tick() -> None:
        nonlocal n
        n += 1

    console = err()
    if quiet or not console.is_terminal:
        yield tick
        return
    with _standing(Live(get_renderable=lambda: Text(f"{n} {what}"), console=console, refresh_per_second=4, transient=True)):
        yield tick


@contextlib.contextmanager
def _standing(live: Live) -> Iterator[None]:
    """The line stands below whatever is said meanwhile."""
    with live:
        _shown.append(live.console)
        try:
            yield
        finally:
            _shown.pop()


def unchecked(progress: Progress) -> str:
    """The sentence on what no reader has looked at; empty where there is none."""
    left = progress.unchecked
    return f"{left} flagged {'is' if left == 1 else 'are'} left unchecked. To check: crawler check" if left else ""
