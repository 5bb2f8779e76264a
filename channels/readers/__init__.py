"""Readers: machines that read the text in a picture of one line. Recognition only; where the lines are is known.

One module each. To add one: its file here, its name in READERS, its line in docs/pixel-check.md.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Protocol, cast

from PIL import Image

from domain.errors import BadInput, Unavailable
from domain.pixel_check import Line

READERS = ("rapidocr", "tesseract")
"""The first is the one that is used where nothing else is asked for."""


class Reader(Protocol):
    """Reads pictures, each of one line of text. Not for several threads at once."""

    version: str
    """Program and model with their versions, as it is stored with each check."""

    def can_read(self, text: str) -> bool:
        """Whether it knows every letter of this text, and its script well enough to be asked."""
        ...

    def read(self, crops: Sequence[Image.Image]) -> list[Line]:
        """What stands in each, in the order given; RGB, any size from 1 x 1."""
        ...


def available(name: str) -> str:
    """Empty where the reader can be opened on this machine; else why not, and what to do."""
    return _module(name).available()


def open_reader(name: str = READERS[0], *, threads: int = 1) -> Reader:
    """The reader, loaded: a second or two. threads: cores it may use at once; the rest is the browsers'.

    Raises BadInput on an unknown name, Unavailable where this machine lacks what it needs.
    """
    if why_not := available(name):
        raise Unavailable(why_not)
    return _module(name).start(threads)


class _Module(Protocol):
    def available(self) -> str: ...

    def start(self, threads: int) -> Reader: ...


def _module(name: str) -> _Module:
    if name not in READERS:
        raise BadInput(f"No reader {name!r}. Known: {', '.join(READERS)}.")
    return cast("_Module", importlib.import_module(f"channels.readers.{name}"))
