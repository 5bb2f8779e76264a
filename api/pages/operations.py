"""What can be asked of the API, as its own OpenAPI document tells it: for the page that shows it, and the forms that try it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from itertools import groupby
from typing import Any
from urllib.parse import quote, urlencode

import orjson

from api.pages.schemas import Field, Piece, Schema, field, fields, record_of, sample
from api.problems import Declined

METHODS = ("get", "post", "put", "patch", "delete")
_IN_PATH = re.compile(r"\{(\w+)\}")
_TOKENS = {"token": "$API_TOKEN", "annotator": "$NAME:$TOKEN"}
"""How the shell's variable with the credentials is called, by the scheme's name in the document."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One, and how a form asks for it."""

    where: str
    """path, query or header."""
    field: Field
    attributes: dict[str, Any]
    """Of the <input>; empty: it is a <select>."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes back with one status."""

    status: str
    said: str
    media: tuple[tuple[str, tuple[Piece, ...]], ...]
    """Media types, each with what it holds."""
    example: str
    """JSON with indents; empty: the document has none."""

    @property
    def wrong(self) -> bool:
        """Whether it is a problem."""
        return self.status >= "4"


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path."""

    id: str
    method: str
    path: str
    tag: str
    summary: str
    said: str
    parameters: tuple[Parameter, ...]
    body: tuple[Field, ...]
    body_media: str
    answers: tuple[Answer, ...]
    asks: tuple[str, ...]
    """Who may: descriptions of credentials, any of which will do; empty: everybody."""
    tried: bool
    """Whether a form can try it: reading that a browser can do by itself."""
    curl: str
    """A command line, for a server on this machine."""
    example: str
    """An address with the document's examples; empty where it has none, or none are needed."""

    def address(self, given: Iterable[tuple[str, str]]) -> str:
        """Where a form with these fields leads: empty ones left out, those of the path in their places.

        Raises Declined where one of the path is missing.
        """
        query = [(name, value) for name, value in given if value.strip()]
        values = dict(query)
        names = _IN_PATH.findall(self.path)
        if missing := [name for name in names if name not in values]:
            raise Declined("bad-parameter", f"{', '.join(missing)}: not given, and {self.path} needs it.")
        rest = urlencode([(name, value) for name, value in query if name not in names])
        return _filled(self.path, values) + (f"?{rest}" if rest else "")


def operations(document: Schema, server: str) -> tuple[Operation, ...]:
    """All of them, in the order of the tags, then of the document. server: for command lines, without a slash at the end."""
    found = [
        _operation(document, server, path, method, item[method])
        for path, item in document["paths"].items()
        for method in METHODS
        if method in item
    ]
    order = {tag["name"]: place for place, tag in enumerate(document["tags"])}
    return tuple(sorted(found, key=lambda one: (order.get(one.tag, len(order)), one.tag)))  # those not told of come last


def by_tag(document: Schema, found: Iterable[Operation]) -> Iterator[tuple[str, str, list[Operation]]]:
    """(tag, what it is, its operations). found: as `operations` gives them."""
    said = {tag["name"]: tag["description"] for tag in document["tags"]}
    for tag, its in groupby(found, key=lambda one: one.tag):
        yield tag, said.get(tag, ""), list(its)


def _operation(document: Schema, server: str, path: str, method: str, told: Schema) -> Operation:
    parameters = tuple(_parameter(one) for one in told.get("parameters", ()))
    [(media, body)] = told.get("requestBody", {}).get("content", {"": {"schema": {}}}).items()
    record = record_of(document, body["schema"])
    answers = tuple(_answer(status, one) for status, one in sorted(told["responses"].items()))
    schemes = [name for one in told.get("security", ()) for name in one]
    kept = document["components"]["securitySchemes"]
    examples = {one.field.name: one.field.example for one in parameters if one.where == "path" and one.field.example}
    filled = _filled(path, examples) if examples.keys() >= set(_IN_PATH.findall(path)) else ""
    return Operation(
        id=told["operationId"],
        method=method.upper(),
        path=path,
        tag=told["tags"][0],
        summary=told.get("summary", ""),
        said=told.get("description", ""),
        parameters=parameters,
        body=fields(record),
        body_media=media,
        answers=answers,
        asks=tuple(f"{kept[name]['scheme'].title()}, {kept[name]['description']}" for name in schemes),
        tried=method == "get" and (not schemes or any(kept[name]["scheme"] == "basic" for name in schemes)),
        curl=_curl(method, server + (filled or path), schemes, answers, sample(document, record) if media else None),
        example=filled if examples else "",
    )


def _parameter(told: Schema) -> Parameter:
    one = field(
        told["name"], told["schema"], required=told["required"], said=told.get("description", ""), example=told.get("example")
    )
    schema, sort = one.schema, one.schema.get("type")
    attributes: dict[str, Any] = {}
    if sort in {"integer", "number"}:
        step = 1 if sort == "integer" else "any"
        attributes = {"type": "number", "min": schema.get("minimum"), "max": schema.get("maximum"), "step": step}
    elif not one.allowed and sort != "boolean":
        plain = {"type": "text", "maxlength": schema.get("maxLength"), "autocomplete": "off", "spellcheck": "false"}
        attributes = {"type": "datetime-local", "step": 1} if schema.get("format") == "date-time" else plain
    return Parameter(told["in"], one, attributes)


def _answer(status: str, told: Schema) -> Answer:
    content = told.get("content", {})
    media = tuple((sort, _held(sort, one.get("schema") or {})) for sort, one in content.items())
    examples = [one["example"] for one in content.values() if "example" in one]
    example = orjson.dumps(examples[0], option=orjson.OPT_INDENT_2).decode() if examples else ""
    phrase = HTTPStatus(int(status)).phrase
    said = told["description"] if told["description"] != "Successful Response" else phrase  # FastAPI's word for any
    return Answer(status, said, media, example)


def _held(media_type: str, schema: Schema) -> tuple[Piece, ...]:
    # Of bytes, and of lines of text, the schema tells nothing that the media type does not.
    return field("", schema, required=True).sort if media_type.endswith("json") and "ndjson" not in media_type else ()


def _curl(method: str, address: str, schemes: list[str], answers: tuple[Answer, ...], body: object) -> str:
    parts = ["curl" if method == "get" else f"curl -X {method.upper()}"]
    media = [sort for answer in answers if not answer.wrong for sort, _ in answer.media]
    if media and not any("json" in sort or sort.startswith("text/") for sort in media):
        parts[0] += " -OJ"  # bytes are no text for a terminal
    if schemes:
        parts.append(f'-H "Authorization: Bearer {_TOKENS[schemes[0]]}"')
    if body is not None:
        parts += ['-H "Content-Type: application/json"', f"-d {shlex.quote(orjson.dumps(body).decode())}"]
    return (" \\\n  " if len(parts) > 1 else " ").join([*parts, shlex.quote(address)])


def _filled(path: str, values: dict[str, str]) -> str:
    return _IN_PATH.sub(lambda found: quote(values[found[1]]), path)
