"""The fields that items of a list have, as their model's schema tells: for field selection and for the columns of CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

import orjson
from pydantic import BaseModel

from api.problems import Declined

MOST_FIELDS = 100
DEEPEST = 8
"""Levels of fields; deeper ones are given whole."""
MOST_MEANT = 3
Cut = dict[str, "Cut"]
"""What is kept of an object, by name: an empty one keeps all of it."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a value can hold. Without fields it is a value of its own: text, number, list of such, mapping."""

    fields: dict[str, Shape] = field(default_factory=dict)
    free: Shape | None = None
    """Of a mapping: what each value holds, under whatever name."""
    listed: bool = False
    """There may be several of them, in a list."""


@lru_cache(maxsize=64)
def shape_of(model: type[BaseModel]) -> Shape:
    """The shape of the model's JSON, with the fields in their order; where there are several possible, all of them."""
    schema = model.model_json_schema(mode="serialization")
    return _shape(schema, schema.get("$defs", {}), DEEPEST)


def cut_of(fields: str, model: type[BaseModel]) -> Cut:
    """`id,region.x` -> {"id": {}, "region": {"x": {}}}. Raises Declined (422, unknown-field) with the names there are."""
    names = [name.strip() for name in fields.split(",") if name.strip()]
    if not names:
        raise Declined("unknown-field", f"fields: no field is named. There is {_known(shape_of(model))}.")
    if len(names) > MOST_FIELDS:
        raise Declined("unknown-field", f"fields: {len(names)} fields are asked for, and {MOST_FIELDS} are the most.")
    kept: Cut = {}
    whole: set[str] = set()
    for name in names:
        _must_be_known(name, shape_of(model))
        parts, at = name.split("."), kept
        if any(".".join(parts[:n]) in whole for n in range(1, len(parts))):
            continue  # all of what it is in is asked for already
        for part in parts[:-1]:
            at = at.setdefault(part, {})
        at[parts[-1]] = {}
        whole.add(name)
    return kept


def chosen(items: Iterable[bytes], fields: str | None, model: type[BaseModel]) -> list[bytes]:
    """The items (JSON texts) with nothing but these fields; all of each where `fields` is None.

    fields: `Listing.fields`, names with commas, dotted within a field: id,provenance.site. In a list each member is cut. What
    an item does not have is left out. Raises Declined (422) for a field that the model does not have.
    """
    if fields is None:
        return list(items)
    cut = cut_of(fields, model)
    return [orjson.dumps(pruned(orjson.loads(item), cut)) for item in items]


def pruned(value: Any, cut: Cut) -> Any:
    """The value with only what the cut keeps."""
    if not cut:
        return value
    if isinstance(value, dict):
        return {name: pruned(value[name], inner) for name, inner in cut.items() if name in value}
    if isinstance(value, list):
        return [pruned(one, cut) for one in value]
    return value


def columns(model: type[BaseModel], fields: str | None) -> tuple[tuple[str, ...], ...]:
    """The paths of the columns of a table, in the order of the model, or as asked for. A list or a mapping is one column."""
    shape = shape_of(model)
    if fields is None:
        return tuple(_leaves(shape, ()))
    found: dict[tuple[str, ...], None] = {}
    for name in _paths(cut_of(fields, model), ()):
        at = shape
        path: tuple[str, ...] = ()
        for part in name:
            if at.listed:
                break
            at, path = at.fields.get(part) or at.free or Shape(), (*path, part)
        found.update(dict.fromkeys(_leaves(at, path)))
    return tuple(found)


def _paths(cut: Cut, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for name, inner in cut.items():
        yield from _paths(inner, (*above, name)) if inner else [(*above, name)]


def _leaves(shape: Shape, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if not shape.fields or shape.listed:
        yield above
        return
    for name, inner in shape.fields.items():
        yield from _leaves(inner, (*above, name))


def _must_be_known(name: str, shape: Shape) -> None:
    at, above = shape, ""
    for part in name.split("."):
        inner = at.fields.get(part) or at.free
        if inner is None or not part:
            where = f" in {above}" if above else ""
            there = f" There is {_known(at)}." if at.fields else ""
            raise Declined("unknown-field", f"fields: there is no {part[:100]!r}{where[:200]}.{_meant(name, shape)}{there}")
        at, above = inner, f"{above}.{part}" if above else part


def _meant(name: str, shape: Shape) -> str:
    """Where fields of this name are, within others, if they are few."""
    found = list(islice(_within(name, shape, ""), MOST_MEANT + 1))
    return f" Did you mean {' or '.join(map(repr, found))}?" if 0 < len(found) <= MOST_MEANT else ""


def _within(name: str, shape: Shape, above: str) -> Iterator[str]:
    """Dotted names of the fields that end so, further in."""
    for own, inner in shape.fields.items():
        path = f"{above}{own}"
        if path.endswith(f".{name}"):
            yield path
        yield from _within(name, inner, f"{path}.")


def _known(shape: Shape) -> str:
    return ", ".join(shape.fields)


def _shape(schema: Mapping[str, Any], named: Mapping[str, Any], levels: int) -> Shape:
    if levels == 0:
        return Shape()
    if "$ref" in schema:
        return _shape(named[schema["$ref"].rsplit("/", 1)[1]], named, levels)
    several = [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())]
    if several:
        found = Shape()
        for one in several:
            found = _merged(found, _shape(one, named, levels))
        return found
    if "items" in schema and isinstance(schema["items"], dict):
        inner = _shape(schema["items"], named, levels)
        return Shape(inner.fields, inner.free, listed=True)
    fields = {name: _shape(one, named, levels - 1) for name, one in schema.get("properties", {}).items()}
    more = schema.get("additionalProperties")
    free = _shape(more, named, levels - 1) if isinstance(more, dict) and not fields else None
    return Shape(fields, free)


def _merged(one: Shape, other: Shape) -> Shape:
    fields = dict(one.fields)
    for name, inner in other.fields.items():
        fields[name] = _merged(fields[name], inner) if name in fields else inner
    return Shape(fields, one.free or other.free, listed=one.listed or other.listed)
