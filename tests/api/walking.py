"""Every operation of the API and every page, with every parameter: found, not listed, so that new ones are asked too."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from fastapi import FastAPI

from store import takedowns
from tests.api.stocked import Stocked

TOKEN = "token-of-the-tests"  # noqa: S105 - no secret


@dataclass(frozen=True)
class Answer:
    """What came back. body: as sent."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def told(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Operation:
    """What can be asked. place: values for the path with which there is something. texts: by name, `path` or `query`."""

    method: str
    path: str
    place: Mapping[str, str]
    texts: Mapping[str, str]
    numbers: tuple[str, ...]
    moments: tuple[str, ...]
    body: Mapping[str, Any] | None = None
    required: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def is_page(self) -> bool:
        """Whether it is for people; else for programs."""
        return self.path.startswith("/pages")

    def target(self, query: Mapping[str, Any] | None = None, **place: str) -> str:
        """Path and query as they are sent. place: values other than the good ones."""
        path = self.path
        for name, value in {**self.place, **place}.items():
            path = path.replace(f"{{{name}}}", quote(value, safe="", errors="surrogatepass"))
        asked = urlencode({**self.required, **(query or {})}, errors="surrogatepass")
        return f"{path}?{asked}" if asked else path


class Asker:
    """One program that asks over a connection of its own, which is kept; nothing that it sends is made nicer on the way."""

    def __init__(self, address: str) -> None:
        self.netloc = urlsplit(address).netloc
        self._connection = http.client.HTTPConnection(self.netloc, timeout=60)
        self._connection._validate_path = lambda _: None  # type: ignore[attr-defined]  # control characters are what we send

    def close(self) -> None:
        self._connection.close()

    def ask(self, method: str, target: str, body: bytes | None = None, **headers: str) -> Answer:
        sent = {"Authorization": f"Bearer {TOKEN}", **{name.replace("_", "-"): value for name, value in headers.items()}}
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        try:
            self._connection.request(method, target, body, sent)
            got = self._connection.getresponse()
        except (http.client.BadStatusLine, ConnectionError):  # cut off after an error before; once more, anew
            self._connection.close()
            self._connection.request(method, target, body, sent)
            got = self._connection.getresponse()
        return Answer(got.status, got.headers, got.read())


def operations(app: FastAPI, made: Stocked) -> list[Operation]:
    """All of them: those of the OpenAPI document, and the pages that show the same to people, with the same parameters."""
    document = json.loads(json.dumps(app.openapi()))
    found = [
        _operation(method, path, operation, document, made)
        for path, item in document["paths"].items()
        for method, operation in item.items()
    ]
    by_path = {operation.path: operation for operation in found if operation.method == "GET"}
    shown = []
    for route in _paths(app):
        twin = by_path.get(route.removeprefix("/pages"))
        if route.startswith("/pages/") and twin is not None:
            shown.append(Operation("GET", route, twin.place, twin.texts, twin.numbers, twin.moments))
    return [*found, *shown]


def _paths(app: FastAPI) -> Iterator[str]:
    yield from (route.path for route in app.routes if hasattr(route, "path"))
    for route in app.routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from (one.path for one in inner.routes if hasattr(one, "path"))


def _operation(method: str, path: str, operation: Mapping[str, Any], document: Mapping[str, Any], made: Stocked) -> Operation:
    kinds: dict[str, list[tuple[str, str]]] = {"text": [], "number": [], "moment": []}
    required = {}
    for parameter in operation.get("parameters", ()):
        name, where = parameter["name"], parameter["in"]
        schema = parameter["schema"]
        kinds[_kind(schema)].append((name, where))
        if where == "query" and parameter.get("required"):
            required[name] = "1"
    asked = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    return Operation(
        method=method.upper(),
        path=path,
        place={name: _good(path, name, made) for several in kinds.values() for name, where in several if where == "path"},
        texts=dict(kinds["text"]),
        numbers=tuple(name for name, where in kinds["number"] if where == "query"),
        moments=tuple(name for name, where in kinds["moment"] if where == "query"),
        body=_resolved(asked, document) if asked else None,
        required=required,
    )


def _kind(schema: Mapping[str, Any]) -> str:
    several = [one for one in (*schema.get("anyOf", ()), schema) if one.get("type") != "null"]
    if any(one.get("type") in {"integer", "number"} for one in several):
        return "number"
    return "moment" if any(one.get("format") in {"date-time", "date"} for one in several) else "text"


def _resolved(schema: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in schema:
        return schema
    found: Mapping[str, Any] = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def _good(path: str, name: str, made: Stocked) -> str:
    """A value with which there is something at this path."""
    probe = made.probes["shop"][0]
    [capture] = made.visits["shop"][0].captures
    by_resource = {
        "probes": probe.id,
        "captures": capture.id,
        "visits": made.visits["shop"][0].id,
        "archives": capture.artifacts["dom"],
        "divergences": made.divergences["shop"][0],
        "elements": probe.provenance.element,
        "sites": "shop",
        "releases": made.release,
        "takedowns": takedowns.takedowns(made.database)[0].id,
    }
    within = {"path": "manifest.json", "artifact": "dom", "name_of_file": "manifest.json"}
    first = path.removeprefix("/pages").split("/")[1]
    return within.get(name) or by_resource.get(first, "x")
