"""What holds of every list, and of everything that can be asked for: found in the application, so a new one is asked too."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from itertools import cycle
from typing import Any

import orjson
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from pydantic import SecretStr

from api import paging
from api.app import PAGES, ROUTERS, create_app
from api.listing import Listing
from api.lists import question_of
from api.settings import ApiSettings
from tests.api.asking import problem
from tests.api.stocked import Stocked
from tests.api.walking import TOKEN, Operation, operations

Given = Mapping[str, str]
MODELS: dict[str, type[Listing]] = {
    route.path: field.field_info.annotation
    for router in (*ROUTERS, *PAGES)
    for route in router.routes
    if isinstance(route, APIRoute)
    for field in route.dependant.query_params
    if isinstance(field.field_info.annotation, type) and issubclass(field.field_info.annotation, Listing)
}
"""Of each list, by its path: what it can be asked."""
SHORT = {
    "/releases": ("2999-01-01T00:00:00+00:00", "z"),
    "/sites/{name}/elements": ("1.5", "0.5", "f"),
}
"""Places of lists that are too short here to have a second page."""
FLAGGED = {"verdict": "flagged"}
"""The page of divergences leads to these where no verdict is asked for."""


@pytest.fixture(scope="module")
def app(made: Stocked) -> FastAPI:
    return create_app(made.database, made.blobs, ApiSettings(token=SecretStr(TOKEN), rate="0"))


@pytest.fixture(scope="module")
def asking(app: FastAPI) -> Iterator[TestClient]:
    """From this machine, with the token: nothing is kept back."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with TestClient(app, "http://127.0.0.1", False, client=("127.0.0.1", 50000), headers=headers) as client:
        yield client


@pytest.fixture(scope="module")
def every(app: FastAPI, made: Stocked) -> list[Operation]:
    """Whatever GET can ask for."""
    return [one for one in operations(app, made) if one.method == "GET"]


@pytest.fixture(scope="module")
def lists(every: list[Operation]) -> list[Operation]:
    """The lists, and the pages that show one."""
    found = [one for one in every if one.path in MODELS]
    assert {one.path for one in found} == {*MODELS}
    assert len(found) >= 15
    return found


def cursors(asking: TestClient, lists: list[Operation], query: Given | None = None) -> dict[str, str]:
    """By path: the cursor behind the first item, of every list for programs that has more."""
    asked = {one.path: asking.get(one.target({"limit": 1, **(query or {})})).json() for one in lists if not one.is_page}
    return {path: told["after"] for path, told in asked.items() if told.get("after")}


def test_a_cursor_is_of_one_list(asking: TestClient, lists: list[Operation]) -> None:
    """A cursor of one list is none of any other, though both be asked the same: it would be a place at random, or an end."""
    of = cursors(asking, lists)
    assert len(of) >= 8
    for path, cursor in of.items():
        for one in lists:
            if one.path.removeprefix("/pages") == path:
                continue
            answer = asking.get(one.target({"after": cursor, **(FLAGGED if one.path == "/pages/divergences" else {})}))
            assert answer.status_code == 400, f"{one} took one of {path}"
            assert one.is_page or problem(answer, "bad-cursor").startswith("after: this is no cursor of this question.")


def test_a_page_goes_on_where_its_twin_does(asking: TestClient, lists: list[Operation]) -> None:
    """Each page leads to its twin with the same question: a cursor of either is one of the other, and of both formats."""
    turned = 0
    for query in ({}, FLAGGED):
        of = cursors(asking, [one for one in lists if not query or "/divergences" in one.path], query)
        for one in lists:
            after = of.get(one.path.removeprefix("/pages"))
            if after is None or (one.path == "/pages/divergences" and not query):
                continue
            for form in ({},) if one.is_page else ({}, {"format": "csv"}, {"format": "ndjson", "limit": 1}):
                answer = asking.get(one.target({"after": after, **query, **form}), follow_redirects=False)
                assert answer.status_code == 200, one
                turned += one.is_page
    assert turned >= 4


def test_what_no_place_can_be(asking: TestClient, lists: list[Operation]) -> None:
    """Anybody can make a cursor whose sum is right. What the database holds no text of, or a list no place, is refused."""
    of, forms = cursors(asking, lists), cycle(("json", "ndjson"))
    for one in lists:
        query = FLAGGED if one.path == "/pages/divergences" else {}
        asked, twin = MODELS[one.path](**query), one.path.removeprefix("/pages")
        place = list(orjson.loads(_decoded(of[twin])[9:])) if twin in of else list(SHORT[twin])
        question = question_of(one.target().split("?")[0], asked)
        contents = [[*place[:n], wrong, *place[n + 1 :]] for n in range(len(place)) for wrong in ("a\0b", "\0", 1)]
        forged = [*map(orjson.dumps, (*contents, place[:-1], [*place, "a"], [], "a", {})), b"", b"\xff", b"[" * 1400]
        forged += [
            orjson.dumps([*place[:-1], "HALF"]).replace(b"HALF", half) for half in (rb"\ud800", rb"a\udfff", b"\xed\xa0\x80")
        ]
        # One that is right, made likewise, is taken: it is for what they say that the others are refused.
        assert asking.get(one.target({"after": _made(orjson.dumps(place), question), **query})).status_code == 200, one
        for content in forged:
            form = {} if one.is_page else {"format": next(forms)}
            answer = asking.get(one.target({"after": _made(content, question), **query, **form}))
            assert answer.status_code == 400, f"{one} {content[:80]!r} {form}: {answer.text[:300]}"
            assert one.is_page or answer.json()["code"] == "bad-cursor"


NAMES = ("nope", "\u4e2d", 'a"b', "a\r\nX-Evil: 1", "a\\..", ";=%22", "\u202egnp", "x" * 300)
"""Of things that there are not: in a header some of them are more, or nothing that can be sent."""


def test_the_head_of_a_stream_is_that_of_its_get(asking: TestClient, lists: list[Operation]) -> None:
    """Whatever is asked of a stream, HEAD says of it what GET says: its problems too."""
    statuses: dict[int, int] = {}
    forms = cycle(("ndjson", "csv"))
    for one in lists:
        if one.is_page:
            continue
        questions: list[Given] = [{}, {"limit": "1"}, {"fields": "nope"}, {"after": "nope"}]
        questions += [{name: "'"} for name in ("text", "sort", "since", "release") if name in {*one.texts, *one.moments}]
        if "release" in one.texts:
            questions += [{"release": "tiny"}, {"release": "tiny", "sort": "-first_seen"}]
        places = [dict.fromkeys(one.place, name) for name in NAMES] if one.place else []
        targets = [one.target({**question, "format": next(forms)}) for question in questions]
        targets += [one.target({"format": next(forms)}, **place) for place in places]
        asked: list[tuple[str, Given]] = [(target, {}) for target in targets]
        for target, more in [*asked, *((target, {"If-Match": '"x"'}) for target in (targets[0], targets[-1]))]:
            whole, head = asking.get(target, headers=more), asking.head(target, headers=more)
            assert (head.status_code, head.content) == (whole.status_code, b""), target
            assert _lasting(head.headers) == _lasting(whole.headers), target
            assert "x-evil" not in head.headers, target
            statuses[whole.status_code] = statuses.get(whole.status_code, 0) + 1
    assert min(statuses.get(status, 0) for status in (200, 400, 404, 412, 422)) > 2


def test_nothing_is_known_already_of_what_there_is_not(asking: TestClient, every: list[Operation], made: Stocked) -> None:
    """A condition is held against what there is; what is refused or not there is so with a condition too (RFC 9110, 13.2.1)."""
    probes = [several[0].id for several in made.probes.values()]
    [review] = asking.get("/divergences?limit=1&verdict=review").json()["items"]  # it has no box
    names = {"probe_id": probes, "divergence_id": [review["id"]]}
    lost = 0
    for one in every:
        targets = [one.target(), *([one.target(**dict.fromkeys(one.place, "nope"))] if one.place else ())]
        targets += [one.target(**{where: name}) for where in one.place for name in names.get(where, ())]
        for target in targets:
            plain = asking.get(target, follow_redirects=False)
            answer = asking.get(target, headers={"If-None-Match": "*"}, follow_redirects=False)
            assert answer.status_code in ({200, 304} if plain.status_code == 200 else {plain.status_code}), target
            lost += plain.status_code == 404
    assert lost > 20


def _decoded(cursor: str) -> bytes:
    return base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))


def _made(content: bytes, question: Mapping[str, Any]) -> str:
    """The cursor of a place that holds these very bytes."""
    return base64.urlsafe_b64encode(paging._sum(content, question) + content).decode().rstrip("=")


def _lasting(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in {"x-request-id", "date"}}
