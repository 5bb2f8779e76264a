"""JSON Schemas of the API's own document, in words for people: what sort of value, which ones, between which ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

Schema = Mapping[str, Any]
RECORDS = "#/components/schemas/"
_EITHER = ("anyOf", "oneOf", "allOf")
_ENDS = (
    ("minimum", "maximum", ""),
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
    ("minProperties", "maxProperties", " entries"),
)
_SIMPLEST = {"string": "...", "integer": 1, "number": 1.0, "boolean": False, "array": [], "object": {}}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of what a value is."""

    said: str
    record: str = ""
    """The record that these words name; empty where they are words alone."""


@dataclass(frozen=True, slots=True)
class Field:
    """One value that has a name: a parameter, or a field of a record."""

    name: str
    required: bool
    sort: tuple[Piece, ...]
    """"string", or "list of " and the name of a record."""
    allowed: tuple[str, ...]
    """The values there are; empty where they are not counted out."""
    bounds: tuple[str, ...]
    """"1 to 500", "at most 255 characters"."""
    default: str
    """As it would be given; empty: there is none."""
    said: str
    example: str
    """As it would be given; empty: there is none."""
    schema: Schema
    """Of the value itself, null aside."""


def field(name: str, schema: Schema, *, required: bool, said: str = "", example: object = None) -> Field:
    """Reads one. said, example: what stands beside the schema, and goes before what stands in it."""
    examples = [example] if example is not None else schema.get("examples", [])
    leaves = list(_leaves(schema))
    return Field(
        name=name,
        required=required,
        sort=tuple(_sort(schema)),
        allowed=tuple(dict.fromkeys(written(value) for leaf in leaves for value in _values(leaf))),
        bounds=tuple(dict.fromkeys(bound for leaf in leaves for bound in _bounds(leaf))),
        default="" if schema.get("default") is None else written(schema["default"]),
        said=said or schema.get("description", ""),
        example=written(examples[0]) if examples else "",
        schema=leaves[0] if leaves else schema,
    )


def fields(record: Schema) -> tuple[Field, ...]:
    """Those of an object, in its order; of each that may be null its sort says so."""
    needed = record.get("required", ())
    found = ((one, field(name, one, required=name in needed)) for name, one in record.get("properties", {}).items())
    return tuple(replace(one, sort=(*one.sort, Piece(" or null"))) if _may_be_null(schema) else one for schema, one in found)


def written(value: object) -> str:
    """As it stands in an address or a table: texts without quotes, all else as JSON."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def record_of(document: Schema, schema: Schema) -> Schema:
    """The record that a schema refers to, else itself."""
    reference = schema.get("$ref", "")
    return document["components"]["schemas"][reference.removeprefix(RECORDS)] if reference else schema


def sample(document: Schema, record: Schema) -> dict[str, Any]:
    """An object with what a record needs: its own examples, else the simplest values of each sort."""
    needed = record.get("required", ())
    return {name: _simplest(document, record["properties"][name]) for name in needed}


def _simplest(document: Schema, schema: Schema) -> Any:
    schema = record_of(document, schema)
    if schema.get("examples"):
        return schema["examples"][0]
    values = [value for leaf in _leaves(schema) for value in _values(leaf)]
    if values:
        return values[0]
    if schema.get("properties"):
        return sample(document, schema)
    return _SIMPLEST.get(schema.get("type", ""))


def _may_be_null(schema: Schema) -> bool:
    return {"type": "null"} in schema.get("anyOf", ())


def _leaves(schema: Schema) -> Iterator[Schema]:
    """The schema, or those that it may be one of; null is none of them."""
    for word in _EITHER:
        if word in schema:
            for one in schema[word]:
                yield from _leaves(one)
            return
    if schema.get("type") != "null":
        yield schema


def _sort(schema: Schema) -> Iterator[Piece]:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(RECORDS)
        yield Piece(name, name)
        return
    either = next((schema[word] for word in _EITHER if word in schema), None)
    if either is not None:
        for place, one in enumerate(one for one in either if one.get("type") != "null"):
            if place:
                yield Piece(" or ")
            yield from _sort(one)
    elif schema.get("type") == "array":
        yield Piece("list of ")
        yield from _sort(schema.get("items", {}))
    elif isinstance(schema.get("additionalProperties"), Mapping) and "properties" not in schema:
        yield Piece("names, each with ")
        yield from _sort(schema["additionalProperties"])
    else:
        yield Piece(str(schema.get("format") or schema.get("type") or "anything"))


def _values(schema: Schema) -> Sequence[object]:
    found = [schema["const"]] if "const" in schema else list(schema.get("enum", ()))
    items = schema.get("items")
    return found or ([value for leaf in _leaves(items) for value in _values(leaf)] if isinstance(items, Mapping) else [])


def _bounds(schema: Schema) -> Iterator[str]:
    for least, most, unit in _ENDS:
        low, high = schema.get(least), schema.get(most)
        if low is not None and high is not None:
            yield f"{_plain(low)}{unit}" if low == high else f"{_plain(low)} to {_plain(high)}{unit}"
        elif low is not None:
            yield f"at least {_plain(low)}{unit}"
        elif high is not None:
            yield f"at most {_plain(high)}{unit}"
    if "exclusiveMinimum" in schema:
        yield f"more than {_plain(schema['exclusiveMinimum'])}"
    if "exclusiveMaximum" in schema:
        yield f"less than {_plain(schema['exclusiveMaximum'])}"
    if "pattern" in schema:
        yield f"like {schema['pattern']}"


def _plain(number: float) -> str:
    return str(int(number)) if number == int(number) else str(number)
