"""What runs inside pages: scripts that read and report. Loaded as package data; never built from strings."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

# A line of a script that stands for a part of it: "//= read/dom.js".
PART = re.compile(r"^ *//= (\S+)\n", re.MULTILINE)


def _source(path: str) -> str:
    """One file with its parts put in as they are, without comment heads."""
    text = files("crawler.page").joinpath(path).read_text(encoding="utf-8")
    return PART.sub(lambda part: _source(part[1]), text[text.index("*/") + 2 :].lstrip("\n"))


@cache
def script(name: str) -> str:
    """The source of one page script: a single arrow function."""
    return _source(f"{name}.js").strip()
