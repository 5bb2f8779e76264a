"""What runs inside pages: scripts that read and report. Loaded as package data; never built from strings."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def script(name: str) -> str:
    """The source of one page script: a single arrow function, its comment head cut off for the wire."""
    source = files("crawler.page").joinpath(f"{name}.js").read_text(encoding="utf-8")
    return source[source.index("*/") + 2 :].strip()
