"""A stream that breaks off does not look whole, is logged once, and can be had in parts that go on where one ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated

import httpx2 as httpx
import pytest
from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.testclient import TestClient
from starlette.responses import Response
from structlog.testing import capture_logs

from api import told
from api.layers import around
from api.listing import Listing
from api.reading import Read
from api.settings import ApiSettings
from api.streams import streamed
from store.blobs import Blobs
from store.database import Database
from tests.api.asking import problem
from tests.api.conftest import Keep
from tests.api.serving import serving
from tests.api.things import Thing, application, batches


@pytest.fixture
def things(database: Database, blobs: Blobs) -> Iterator[TestClient]:
    """A program that asks for /things."""
    with TestClient(application(database, blobs), raise_server_exceptions=False) as asking:
        yield asking


def joined(client: TestClient, question: str, begun: Callable[[], object]) -> tuple[list[str], int]:
    """All lines of a list that is asked for in parts, each at the address that the one before gives; how many parts."""
    lines: list[str] = []
    parts, address = 0, question
    while address:
        answer = client.get(address)
        assert answer.status_code == 200
        lines += answer.text.splitlines()[1 if parts and "csv" in question else 0 :]
        address, parts = answer.links.get("next", {}).get("url", ""), parts + 1
        if parts == 1:
            begun()
    return lines, parts


@pytest.mark.parametrize("form", ["ndjson", "csv"])
def test_a_stream_can_be_had_in_parts(client: TestClient, keep: Keep, form: str) -> None:
    """With `limit`, `Link` leads to what is behind: joined it is the whole, though more comes in meanwhile."""
    for number in range(1, 6):
        keep(number)
    question = f"/probes?format={form}&sort=first_seen&fields=id,gold"
    lines, parts = joined(client, f"{question}&limit=2", lambda: keep(6))
    assert (lines, parts) == (client.get(question).text.splitlines(), 3)
    assert "link" not in client.get(question).headers
    assert client.get("/probes?format=ndjson&limit=2", headers={"If-Match": '"a"'}).status_code == 412  # a stream has no ETag


def test_a_stream_that_breaks(things: TestClient) -> None:
    """What cannot be had at the beginning is a problem; later, the answer is broken off and does not look whole."""
    assert problem(things.get("/broken/0?format=ndjson"), "unavailable") == "The database is gone."
    loud = TestClient(things.app)
    loud.app_state, loud.portal = things.app_state, things.portal
    with pytest.raises(RuntimeError, match="already started"):
        loud.get("/broken/1?format=ndjson")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/broken/1", {"event": "request.broken_off", "log_level": "warning", "reason": "The database is gone."}),
        ("/faulty", {"event": "request.broke", "log_level": "error"}),
    ],
)
def test_what_breaks_is_logged_once(
    things: TestClient, caplog: pytest.LogCaptureFixture, path: str, said: dict[str, str]
) -> None:
    """Of an answer that breaks off the log has one record, ours or the server's: a reason, or a bug with its traceback."""
    with (
        capture_logs() as logged,
        serving(things.app) as address,  # type: ignore[arg-type]
        pytest.raises(httpx.RemoteProtocolError, match="closed connection"),
    ):
        httpx.get(f"{address}{path}?format=ndjson")
    [record] = [one for one in logged if one["event"].startswith("request.")]
    assert {**record, **said} == record
    assert record["path"] == path
    assert ("exc_info" in record) == (path == "/faulty")
    assert [one for one in caplog.records if one.exc_info] == []


def test_what_a_direct_route_breaks_off_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """Routes that are called past FastAPI break off as others do: one record, with the reason."""
    router, app = APIRouter(route_class=Read), FastAPI()
    app.state.settings = ApiSettings(rate="0")
    told.register(app)

    @router.get("/broken/{at}")
    async def broken(request: Request, asked: Annotated[Listing, Query()], at: int) -> Response:
        assert "fastapi_inner_astack" not in request.scope  # it was not FastAPI who called
        return streamed(request, asked, batches(broken=at), Thing)

    around(app, app.state.settings, router.routes)
    with capture_logs() as logged, serving(app) as address:
        assert httpx.get(f"{address}/broken/0?format=ndjson").status_code == 503
        with pytest.raises(httpx.RemoteProtocolError, match="closed connection"):
            httpx.get(f"{address}/broken/1?format=ndjson")
    [record] = [one for one in logged if one["event"] == "request.broken_off"]
    assert (record["log_level"], record["reason"], record["path"]) == ("warning", "The database is gone.", "/broken/1")
    assert [one for one in caplog.records if one.exc_info] == []
