"""Options that several commands have."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

flag = partial(typer.Option, metavar="")
"""Of a switch: help would say that it wants a <bool>."""
MOST = 1_000_000_000
"""Of any --limit and --items: more than there can be, and a number that the database can count to."""
Json = Annotated[bool, flag("--json", help="JSON, a document a line, for other programs.")]
