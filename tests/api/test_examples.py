"""What the document says of answers besides their shape: examples, and headers. Each is held against real answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from jsonschema import Draft202012Validator
from pydantic import SecretStr

from api.app import create_app
from api.headers_told import HEADERS
from api.settings import ApiSettings
from store.schema import known_versions
from tests.api.stocked import Stocked
from tests.api.walking import TOKEN, Operation, operations

Json = dict[str, Any]


@pytest.fixture(scope="module")
def asking(made: Stocked) -> Iterator[TestClient]:
    app = create_app(made.database, made.blobs, ApiSettings(token=SecretStr(TOKEN)))
    with TestClient(app, headers={"Authorization": f"Bearer {TOKEN}"}, follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="module")
def document(asking: TestClient) -> Json:
    told: Json = asking.get("/openapi.json").json()
    return told


@pytest.fixture(scope="module")
def read(asking: TestClient, made: Stocked) -> list[Operation]:
    """All that is read, but for the desk: that is for annotators."""
    found = operations(asking.app, made)  # type: ignore[arg-type]
    return [one for one in found if one.method == "GET" and not one.is_page and not one.path.startswith("/audits")]


def told_of(document: Json, one: Operation, answer: Response) -> set[str]:
    """Headers that the document names for this answer, lower case."""
    return {name.lower() for name in document["paths"][one.path]["get"]["responses"][str(answer.status_code)]["headers"]}


def test_headers_are_those_that_come(asking: TestClient, document: Json, read: list[Operation]) -> None:
    """Each that an answer has, of those the document knows, is told of it; ETag and 304 are told just where they are."""
    known = {name.lower() for name in HEADERS}
    wrong = []
    for one in read:
        first = asking.get(one.target())
        answers = [first, asking.get(one.target(), headers={"If-None-Match": "*"}), asking.get(f"{one.target()}?nobody=1")]
        if "accept-ranges" in first.headers:
            answers += [asking.get(one.target(), headers={"Range": span}) for span in ("bytes=0-3", "bytes=99999999-")]
        if "limit" in one.numbers:
            answers.append(asking.get(one.target({"limit": "1"})))
        for answer in answers:
            untold = known & {name.lower() for name in answer.headers} - told_of(document, one, answer)
            wrong += [f"{one} {answer.status_code}: {name}" for name in untold]
        operation = document["paths"][one.path]["get"]
        tagged = "ETag" in operation["responses"]["200"]["headers"]
        asked = any(parameter["name"] == "If-None-Match" for parameter in operation.get("parameters", ()))
        if first.status_code == 200:
            assert ("etag" in first.headers, answers[1].status_code == 304) == (tagged, tagged), one
        assert ("304" in operation["responses"], asked) == (tagged, tagged), one
    assert wrong == []


def test_who_may_not_is_told_how(asking: TestClient, document: Json, read: list[Operation]) -> None:
    """401 has WWW-Authenticate, and 404 an id of the request, as the document says."""
    one = next(one for one in read if one.path == "/takedowns")
    refused = asking.get(one.target(), headers={"Authorization": "Bearer no-such-token-at-all"})
    assert {"www-authenticate", "x-request-id"} <= told_of(document, one, refused) & {name.lower() for name in refused.headers}


def test_every_answer_has_an_example(document: Json) -> None:
    """Of each operation that answers JSON there is one, and it has a name for each field that must be there."""
    without = [
        f"{method.upper()} {path}"
        for path, item in document["paths"].items()
        for method, operation in item.items()
        for status, answer in operation["responses"].items()
        if status in {"200", "201"} and "example" not in answer.get("content", {}).get("application/json", {"example": None})
    ]
    assert without == []
    health = document["paths"]["/health"]["get"]["responses"]["200"]["content"]["application/json"]["example"]
    assert health["schema_version"] == known_versions()[-1]


def test_examples_are_like_real_answers(asking: TestClient, document: Json, read: list[Operation]) -> None:
    """Each has the fields of an answer of today, and is valid as the document has it; else: tools/examples.py"""
    old = []
    for one in read:
        media = document["paths"][one.path]["get"]["responses"]["200"].get("content", {}).get("application/json")
        answer = asking.get(one.target())
        if media is None or answer.status_code != 200:
            continue
        held = {**media["schema"], "components": document["components"]}
        assert [error.message for error in Draft202012Validator(held).iter_errors(media["example"])] == [], one
        if media["example"].keys() != answer.json().keys():
            old.append(str(one))
    assert old == []
