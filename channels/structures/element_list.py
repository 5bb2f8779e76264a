"""Element lists: the structure of sources that publish none of their own. Canonical JSON, one object an element.

    [{"bbox":[1079,699,1265,717],"id":"eviews_windows_0","type":"text"}]

id: names the element, once in a list. bbox: [left, top, right, bottom], image px. type: what the structure takes it for. Other
fields are kept as they are. The order of the list is the source's.
"""

from __future__ import annotations

import json
import math
from typing import Any

import rfc8785

from domain.errors import BadInput
from domain.probe import Edit

RULE, VERSION = "swap-type", 1
NEEDED = ("id", "bbox", "type")
CORNERS = 4
_SHOWN = 80
"""Characters of a wrong value that a message repeats."""


def normal(content: bytes) -> bytes:
    """The list as canonical JSON (RFC 8785), UTF-8, without a newline. Raises BadInput: what is wrong, of which element."""
    return _written(_read(content))


def edited(content: bytes, edit: Edit) -> bytes:
    """The list with the element's type exchanged. Raises BadInput where there is no such element, or it says something else."""
    if (edit.rule, edit.version) != (RULE, VERSION):
        raise BadInput(f"An element list knows the edit {RULE}/{VERSION}, not {edit.rule}/{edit.version}.")
    elements = _read(content)
    element = next((one for one in elements if one["id"] == edit.node), None)
    if element is None:
        raise BadInput(f"The element list has no element {edit.node!r}.")
    if element["type"] != edit.before:
        raise BadInput(f"Element {edit.node!r} says type {element['type']!r}, not {edit.before!r}.")
    if not edit.after:
        raise BadInput(f"Element {edit.node!r} cannot be of no type.")
    element["type"] = edit.after
    return _written(elements)


def says(content: bytes, node: str, rule: str) -> str | None:
    """The type of the element with this id; None: there is none. Raises BadInput for a rule that is not of element lists."""
    if rule != RULE:
        raise BadInput(f"An element list knows the rule {RULE}, not {rule}.")
    return next((str(one["type"]) for one in _read(content) if one["id"] == node), None)


def _read(content: bytes) -> list[dict[str, Any]]:
    try:
        elements = json.loads(content.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:  # what is no UTF-8 is a ValueError as well
        raise BadInput(f"The element list cannot be read: {error}") from error
    if not isinstance(elements, list):
        raise BadInput(f"An element list is a JSON list, not {type(elements).__name__}.")
    seen: set[str] = set()
    for at, element in enumerate(elements):
        _check(at, element)
        if element["id"] in seen:
            raise BadInput(f"Element {at} of the list has the id {element['id']!r} of one before it.")
        seen.add(element["id"])
    return elements


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are there once: of two values with one name nobody knows which counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"a key is there twice: {next(name for name in names if names.count(name) > 1)!r}")
    return found


def _check(at: int, element: Any) -> None:
    """Raises BadInput where this is no element."""
    if not isinstance(element, dict):
        raise BadInput(f"Element {at} of the list is no object but {_short(element)}.")
    if lost := [name for name in NEEDED if name not in element]:
        raise BadInput(f"Element {at} of the list has no {', '.join(lost)}.")
    for name in ("id", "type"):
        if not (isinstance(element[name], str) and element[name]):
            raise BadInput(f"Element {at} of the list has no {name} but {_short(element[name])}.")
    box = element["bbox"]
    numbers = isinstance(box, list) and len(box) == CORNERS and all(_number(side) for side in box)
    if not numbers or box[2] < box[0] or box[3] < box[1]:
        raise BadInput(f"Element {at} of the list has no box of [left, top, right, bottom] but {_short(box)}.")


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _short(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= _SHOWN else told[: _SHOWN - 1] + "…"


def _written(elements: list[dict[str, Any]]) -> bytes:
    try:
        return rfc8785.dumps(elements)
    except (rfc8785.CanonicalizationError, ValueError, RecursionError) as error:
        raise BadInput(f"The element list cannot be written as canonical JSON: {error}") from error
