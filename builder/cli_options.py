"""Options that several commands have."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

flag = partial(typer.Option, metavar="")
"""Of a switch: help would say that it wants a <bool>."""
Json = Annotated[bool, flag("--json", help="JSON, a document a line, for other programs.")]
