"""Structures as things one can read and edit. One module per format; to add one: its file here, its name in FORMATS.

Each has

- `normal(content: bytes) -> bytes`: the one way this structure is written, so that an edit changes nothing but its value.
  Raises BadInput where it cannot be read. Idempotent.
- `edited(content: bytes, edit: Edit) -> bytes`: `content` (normal) with the edit made; normal again. Raises BadInput where the
  node is not there or does not say `edit.before`.
- `says(content: bytes, node: str, rule: str) -> str | None`: what the normal structure says of the node, for this
  rule of editing; None: no such node.
"""

from __future__ import annotations

import importlib
from typing import Protocol, cast

from domain.errors import BadInput
from domain.probe import Edit

FORMATS = ("html", "view_hierarchy", "element_list")


class Format(Protocol):
    """What a module of this folder offers."""

    def normal(self, content: bytes) -> bytes: ...

    def edited(self, content: bytes, edit: Edit) -> bytes: ...

    def says(self, content: bytes, node: str, rule: str) -> str | None: ...


def structure(name: str) -> Format:
    """The format of this name. Raises BadInput where there is none."""
    if name not in FORMATS:
        raise BadInput(f"No structure format {name!r}. Known: {', '.join(FORMATS)}.")
    return cast("Format", importlib.import_module(f"channels.structures.{name}"))
