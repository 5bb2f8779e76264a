"""The OpenAPI document, which other people's tools read: its copy is up to date, and it says all there is to say."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.app import create_app
from api.problems import MEDIA_TYPE

ROOT = Path(__file__).resolve().parents[2]
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
Json = dict[str, Any]
Operation = tuple[str, str, Json]


@pytest.fixture(scope="module")
def document() -> Json:
    """As a running API tells it; no database is asked for it."""
    return json.loads(json.dumps(create_app().openapi()))


def operations(document: Json) -> Iterator[Operation]:
    """(method, path, operation), in the document's order."""
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield method, path, item[method]


def named(document: Json, wrong: Any) -> list[str]:
    """Those operations of which `wrong(operation)` holds."""
    return [f"{method.upper()} {path}" for method, path, operation in operations(document) if wrong(operation)]


def test_the_copy_is_up_to_date() -> None:
    """docs/schema/openapi.json is what the API tells."""
    tool = _tool("openapi")
    assert tool.FILE.read_text("utf-8") == tool.document(), "docs/schema is old: .venv/bin/python tools/openapi.py"


def test_the_document_is_valid(document: Json) -> None:
    """OpenAPI 3.1, by its own schema and the rules around it; no schema of ours is a schema of nothing."""
    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_operation_says_what_it_is(document: Json) -> None:
    """A summary for lists, a description, one tag that the document explains, a name of its own that makes a fine function."""
    assert named(document, lambda operation: not operation.get("summary")) == []
    assert named(document, lambda operation: not operation.get("description")) == []
    assert named(document, lambda operation: len(operation.get("tags", ())) != 1) == []
    told = {tag["name"] for tag in document["tags"] if tag["description"]}
    assert named(document, lambda operation: not told.issuperset(operation["tags"])) == []
    ids = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(set(ids)) == len(ids)
    assert [one for one in ids if not one.isidentifier() or "__" in one or one != one.lower()] == []


def test_every_parameter_is_described(document: Json) -> None:
    """Each has a description, and every text and number an end: nobody is asked for something without measure."""
    bare, boundless = [], []
    for method, path, operation in operations(document):
        for parameter in operation.get("parameters", ()):
            name = f"{method.upper()} {path} {parameter['name']}"
            if not (parameter.get("description") or parameter["schema"].get("description")):
                bare.append(name)
            if parameter["in"] != "header":  # all headers together have an end of their own
                boundless += [name for schema in _alternatives(document, parameter["schema"]) if not _bounded(schema)]
    assert (bare, boundless) == ([], [])


def test_every_operation_has_an_example(document: Json) -> None:
    """Of a parameter, a body or an answer that it gives when all is well: enough to see what to write."""
    assert named(document, lambda operation: not any(True for _ in _examples(operation, document))) == []


def test_examples_are_what_they_are_examples_of(document: Json) -> None:
    """Each example is valid against the schema that it stands beside."""
    wrong = []
    for method, path, operation in operations(document):
        for schema, example in _examples(operation, document):
            held = {**schema, "components": document["components"]}
            wrong += [f"{method.upper()} {path}: {error.message}" for error in Draft202012Validator(held).iter_errors(example)]
    assert wrong == []


def test_every_error_is_documented_as_a_problem(document: Json) -> None:
    """Every 4xx and 5xx is problem+json, and every `code` that can be in one stands in the document's enumeration."""
    wrong = []
    for method, path, operation in operations(document):
        for status, answer in operation["responses"].items():
            if status[0] in "45" and set(answer.get("content", ())) != {MEDIA_TYPE}:
                wrong.append(f"{method.upper()} {path} {status}")
    assert wrong == []
    problem = document["components"]["schemas"]["Problem"]
    [codes] = _alternatives(document, problem["properties"]["code"])
    assert {"not-found", "bad-cursor", "bad-text"} <= set(codes["enum"])


def _examples(operation: Json, document: Json) -> Iterator[tuple[Json, Any]]:
    """(schema, example) wherever the operation has one."""
    answers = [answer for status, answer in operation["responses"].items() if status[0] == "2"]
    contents = [body.get("content", {}) for body in (*answers, operation.get("requestBody", {}))]
    for place in (*operation.get("parameters", ()), *(media for content in contents for media in content.values())):
        schema = place.get("schema", {})
        given = [place["example"]] if "example" in place else []
        given += [one["value"] for one in place.get("examples", {}).values()]
        for part in (schema, *_alternatives(document, schema)):
            given += part.get("examples", ())
            yield from ((one, own) for one in part.get("properties", {}).values() for own in one.get("examples", ()))
        yield from ((schema, one) for one in given)


def _alternatives(document: Json, schema: Json) -> list[Json]:
    """The schemas that a value may be of, null aside."""
    if "$ref" in schema:
        return _alternatives(document, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        return [one for part in several for one in _alternatives(document, part)]
    return [] if schema.get("type") == "null" else [schema]


def _bounded(schema: Json) -> bool:
    if "enum" in schema or "const" in schema:
        return True
    match schema.get("type"):
        case "string":
            return "maxLength" in schema or "format" in schema or "$" in schema.get("pattern", "")
        case "integer" | "number":
            return {"minimum", "maximum"} <= schema.keys() or {"exclusiveMinimum", "maximum"} <= schema.keys()
        case "array":
            return "maxItems" in schema
        case other:
            return other == "boolean"


def _tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"_tools_{name}", ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
