"""One file per output of a release. To add one: a module here with `write`, its name in FORMATS, a line in docs/release.md.

Rows and blobs are no format: they are the release, and all of these are made from them.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Protocol, cast

from builder.assembled import Assembled

FORMATS = ("manifest", "schema", "parquet", "plots", "croissant", "card", "checksums")
"""In the order in which they are written: croissant reads the Parquet files, the card shows the plots, checksums come last."""


class Format(Protocol):
    """What a module of this folder offers."""

    def write(self, release: Assembled, folder: Path) -> None:
        """Writes its files into the folder, from what `release` holds; the same bytes each time, as far as libraries allow."""
        ...


def form(name: str) -> Format:
    """The format of this name, one of FORMATS."""
    return cast("Format", importlib.import_module(f"builder.formats.{name}"))
