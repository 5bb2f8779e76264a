"""What people and programs are told: data to stdout, talk to stderr."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import orjson
from pydantic import BaseModel
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from domain.controls import printable

WIDE = 180


class _Out(Console):
    def on_broken_pipe(self) -> None:
        raise _reader_gone()


def _reader_gone() -> SystemExit:
    """`builder diff A B | head`: who reads has had enough, which is no failure. What is still to be flushed goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return SystemExit(0)


def out() -> Console:
    """The console for data, made anew so that a redirected stdout is seen."""
    console = _Out(highlight=False, soft_wrap=False)
    # A file or a pipe has no width: give the table the room it needs.
    return console if console.is_terminal else _Out(highlight=False, soft_wrap=False, width=WIDE)


def err() -> Console:
    """The console for talk."""
    return Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """One line of data, as it is."""
    out().print(printable(text), markup=False, soft_wrap=True)


def talk(text: str) -> None:
    """One line for the person, on stderr."""
    err().print(printable(text), markup=False, soft_wrap=True)


def some(count: int, what: str) -> str:
    """So many of them, in words: 1 answer, 2 answers."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def json_line(value: Any) -> None:
    """One JSON document on a line of stdout."""
    try:
        sys.stdout.buffer.write(orjson.dumps(value, default=_jsonable) + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise _reader_gone() from None


def table(*columns: str, right: Iterable[str] = ()) -> Table:
    """A table without lines. right: columns of numbers."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        made.add_column(name, overflow="fold", justify="right" if name in set(right) else "left")
    return made


def facts(rows: Iterable[tuple[str, str]]) -> Table:
    """Names and values, a line each; what has no value is left out."""
    made = Table(box=None, pad_edge=False, show_header=False)
    made.add_column(style="bold")
    made.add_column(overflow="fold")
    for name, value in rows:
        if value:
            made.add_row(name, Text(printable(value)))
    return made


@contextlib.contextmanager
def counting(what: str, *, quiet: bool) -> Iterator[Callable[[], None]]:
    """A counter for long work; on no terminal, nothing."""
    n = 0

    def tick() -> None:
        nonlocal n
        n += 1

    console = err()
    if quiet or not console.is_terminal:
        yield tick
        return
    with Live(get_renderable=lambda: Text(f"{n} {what}"), console=console, refresh_per_second=4, transient=True):
        yield tick


@contextlib.contextmanager
def progress(*, quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
    """One line on what is being done, how much of it, of how much; on no terminal, nothing."""
    now: tuple[str, int, int] = ("", 0, 0)

    def told(what: str, done: int, total: int) -> None:
        nonlocal now
        now = (what, done, total)

    console = err()
    if quiet or not console.is_terminal:
        yield told
        return

    def line() -> Text:
        what, done, total = now
        return Text(f"{what} {done}/{total}" if total else what)

    with Live(get_renderable=line, console=console, refresh_per_second=4, transient=True):
        yield told


def _jsonable(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} is not for JSON")
