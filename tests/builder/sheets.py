"""Sheets that were sent out, and files that come back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from builder.audit_sheet import pictures_of, sheet_of, take_items, write_sheet
from store.annotators import find_annotator
from store.audit_numbers import numbered
from tests.api.audited import NAME, Audited


def sheet_for(given: Audited, name: str, folder: Path, *, most: int = 100, days: float = 14) -> Path:
    who = find_annotator(given.database, name)
    items, until = take_items(given.database, NAME, who, days=days, most=most)
    picture = pictures_of(given.database, given.blobs, NAME, who)
    write_sheet(sheet_of(NAME, name, until, items), picture, folder)
    return folder


def asked(folder: Path) -> list[dict[str, Any]]:
    return json.loads((folder / "items.json").read_bytes())["items"]


def answers(folder: Path, *lines: dict[str, Any], name: str = "ada", **more: Any) -> Path:
    path = folder.parent / "answers.json"
    path.write_text(
        json.dumps({"format": "parallax-audit-answers/1", "audit": NAME, "annotator": name, "answers": lines, **more})
    )
    return path


def items_of(given: Audited, name: str = "ada") -> dict[str, str]:
    """The items by what the sheets of this annotator call them."""
    return numbered(given.database, NAME, find_annotator(given.database, name))
