"""What holds of every answer: ids, headers, HEAD, ETags, problems, parameters. Asked of the real application."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr
from sqlalchemy import text

from api import routes
from api.app import ROUTERS, create_app
from api.headers_told import HEADERS
from api.settings import ApiSettings, api_settings
from domain.errors import BadInput
from store.blobs import Blobs
from store.database import Database
from tests.api.asking import problem
from tests.api.conftest import Keep


def asking(database: Database, blobs: Blobs, **settings: object) -> TestClient:
    """A program that asks an API with these settings."""
    given = ApiSettings(**{"rate": "0", **settings})  # type: ignore[arg-type]
    return TestClient(create_app(database, blobs, given), raise_server_exceptions=False)


def test_every_resource_is_listed(client: TestClient) -> None:
    """Each file of api/routes is in ROUTERS of api/app.py."""
    files = {path.stem for path in Path(routes.__file__).parent.glob("*.py") if not path.stem.startswith("_")}
    missing = [name for name in files if importlib.import_module(f"api.routes.{name}").router not in ROUTERS]
    assert not missing, f"api/app.py: ROUTERS lacks {missing}"
    assert {"/probes", "/health"} <= set(client.get("/openapi.json").json()["paths"])


def test_request_ids(client: TestClient) -> None:
    """A sane id is kept; else, and where there is none, one is made, another each time."""
    assert client.get("/health", headers={"X-Request-ID": "job-7/3"}).headers["x-request-id"] == "job-7/3"
    made = [
        client.get("/health", headers={"X-Request-ID": given}).headers["x-request-id"] for given in ("a b", "x" * 101, "<b>")
    ]
    made.append(client.get("/health").headers["x-request-id"])
    assert len({*made}) == 4
    assert all(len(one) == 32 for one in made)


@pytest.mark.parametrize("path", ["/health", "/probes", "/openapi.json", "/metrics", "/nothing", "/probes?nothing=1"])
def test_every_answer_is_dressed(client: TestClient, path: str) -> None:
    """No answer may be taken for something else, framed, or run; errors neither."""
    sent = client.get(path).headers
    assert sent["x-content-type-options"] == "nosniff"
    assert sent["content-security-policy"].startswith("default-src 'none'; frame-ancestors 'none'")
    assert sent["cross-origin-resource-policy"] == sent["cross-origin-opener-policy"] == "same-origin"
    assert {"referrer-policy", "permissions-policy", "x-request-id"} <= set(sent)


def test_pages_run_our_own_scripts_only(client: TestClient) -> None:
    """A page loads from here alone, and nothing that stands in it is run."""
    policy = client.get("/pages/probes").headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    for forbidden in ("frame-ancestors 'none'", "base-uri 'none'", "default-src 'none'"):
        assert forbidden in policy


@pytest.mark.parametrize("path", ["/health", "/probes", "/openapi.json", "/docs", "/nothing", "/takedowns"])
def test_head(client: TestClient, keep: Keep, path: str) -> None:
    """HEAD has the status and the head of GET, the length too, and no content."""
    keep(1)
    whole, head = client.get(path), client.head(path)
    assert head.status_code == whole.status_code
    assert head.content == b""
    changing = (
        {"x-request-id", "ratelimit", "content-length"} if path in {"/health", "/nothing", "/takedowns"} else {"x-request-id"}
    )
    of = [{name: value for name, value in answer.headers.items() if name not in changing} for answer in (whole, head)]
    assert of[0] == of[1]


def test_head_does_not_stream(client: TestClient, keep: Keep) -> None:
    """Of a stream only the head is made; a range is for GET."""
    keep(1)
    head = client.head("/probes?format=csv", headers={"Range": "bytes=0-0"})
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"].startswith("text/csv")


def test_etags(client: TestClient, keep: Keep) -> None:
    """Who has it already is told so: one of several tags, weak or not, or *. What changed has another tag."""
    keep(1)
    first = client.get("/probes")
    tag = first.headers["etag"]
    for known in (tag, f'"other", W/{tag}', "*"):
        again = client.get("/probes", headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert client.get("/probes", headers={"If-None-Match": '"other"'}).status_code == 200
    keep(2)
    assert client.get("/probes", headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize(
    ("coding", "packed"), [("gzip", True), ("gzip;q=0", False), ("br, *;q=0.1", True), ("*, gzip;q=0", False)]
)
def test_packing(client: TestClient, keep: Keep, coding: str, packed: bool) -> None:
    """What is packed is packed because the asker takes it, and has a tag of its own."""
    keep(1)
    answer = client.get("/probes", headers={"Accept-Encoding": coding})
    assert (answer.headers.get("content-encoding") == "gzip") is packed
    assert answer.headers["etag"].endswith('-gzip"') is packed
    assert len(answer.json()["items"]) == 1


@pytest.mark.parametrize(
    ("method", "path", "code", "told"),
    [
        ("GET", "/nothing", "not-found", "There is nothing at '/nothing'."),
        ("GET", "/probes/", "not-found", "There is nothing at '/probes/'."),
        ("POST", "/probes", "method-not-allowed", "POST is not taken here; GET, HEAD is."),
        ("PUT", "/takedowns", "method-not-allowed", "PUT is not taken here; GET, POST, HEAD is."),
        ("GET", "/probes?fam=web-natural", "unknown-parameter", "fam: there is no such parameter. There is limit, after,"),
        ("GET", "/health?x=", "unknown-parameter", "x: there is no such parameter. There is none here."),
        ("GET", "/probes?limit=1&limit=2", "doubled-parameter", "limit: given more than once. Give it once."),
        ("GET", "/probes?limit=501", "bad-parameter", "limit: Input should be less than or equal to 500, not '501'"),
        ("GET", "/probes?after=x", "bad-cursor", "after: this is no cursor of this question."),
        ("GET", "/probes?fields=ids", "unknown-field", "fields: there is no 'ids'. There is id, family,"),
        ("GET", "/probes?site=%00", "bad-text", "The query holds NUL (%00), which no text here holds."),
        ("GET", "/probes?site=a%FF", "bad-text", "The query is no UTF-8: byte 0xff at 6."),
        ("GET", "/probes/%C0%AF", "bad-text", "The path is no UTF-8: byte 0xc0 at 8."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(client: TestClient, method: str, path: str, code: str, told: str) -> None:
    """Every error is a problem whose code says what sort it is and whose detail says what, which value, what now."""
    assert problem(client.request(method, path), code).startswith(told)  # type: ignore[arg-type]


def test_what_is_taken_is_told(client: TestClient) -> None:
    """405 says in Allow what the path takes, of all of its routes."""
    assert client.put("/takedowns").headers["allow"] == "GET, POST, HEAD"


def test_not_acceptable(client: TestClient) -> None:
    """Who takes nothing that there is, is told what there is."""
    told = problem(client.get("/probes", headers={"Accept": "image/png"}), "not-acceptable")
    assert told == "Accept: nothing of 'image/png' is there. There is application/json, application/x-ndjson and text/csv."


def test_a_fault_of_ours(client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug is a 500 that tells nothing of the inside, with all headers that every answer has."""

    def broken() -> None:
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr(type(database), "transaction", lambda _self: broken())
    answer = client.get("/health")
    assert problem(answer, "fault") == "A fault of ours; the server's log tells of it."
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_link_is_not_made_of_the_host(database: Database, blobs: Blobs, keep: Keep) -> None:
    """`Host` is written by whoever asks: a strange one changes nothing, least of all where the next page is."""
    keep(1), keep(2)
    with asking(database, blobs, hosts="*") as client:
        for host in ("evil.example", "[", "a b"):
            answer = client.get("/probes?limit=1", headers={"Host": host})
            assert answer.json()["next"].startswith("/probes?limit=1&after=")
            assert answer.headers["link"] == f'<{answer.json()["next"]}>; rel="next"'


def test_other_origins(database: Database, blobs: Blobs) -> None:
    """Pages of an origin that API_CORS names may ask and see the headers they need; others get no leave."""
    with asking(database, blobs, cors="https://lab.example") as client:
        ours = client.get("/health", headers={"Origin": "https://lab.example"}).headers
        assert ours["access-control-allow-origin"] == "https://lab.example"
        told = set(HEADERS) - {"Cache-Control", "Vary", "WWW-Authenticate"}  # shown always, or for caches and people's browsers
        assert told == {*ours["access-control-expose-headers"].split(", ")}
        assert "access-control-allow-credentials" not in ours
        assert "access-control-allow-origin" not in client.get("/health", headers={"Origin": "https://evil.example"}).headers
        before = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization"}
        leave = client.options("/probes", headers={"Origin": "https://lab.example", **before})
        assert (leave.status_code, leave.content) == (204, b"")
        assert "Disallowed CORS origin" in problem(
            client.options("/probes", headers={"Origin": "https://e.example", **before}), "refused"
        )


def test_none_but_our_own_origin_by_default(client: TestClient) -> None:
    """Nothing of CORS is said where no origin is named."""
    sent = client.get("/health", headers={"Origin": "https://lab.example"}).headers
    assert not [name for name in sent if name.startswith("access-control")]


def test_rates(database: Database, blobs: Blobs) -> None:
    """One more than API_RATE is 429, and told when to come again; what watches over the service is not counted."""
    with asking(database, blobs, rate="3/hour") as client:
        left = [client.get("/kinds").headers["ratelimit"].split(";")[1] for _ in range(3)]
        assert left == ["r=2", "r=1", "r=0"]
        answer = client.get("/kinds")
        assert problem(answer, "too-many-requests").startswith("More than 3 per 1 hour from one address. Ask again in ")
        assert 1 <= int(answer.headers["retry-after"]) <= 3600
        assert client.get("/health").status_code == client.get("/metrics").status_code == 200


def test_people_are_told_on_a_page(database: Database, blobs: Blobs) -> None:
    """At an address of a page whatever is wrong is a page too, with the same status and headers; elsewhere it is a problem."""
    with asking(database, blobs, rate="2/hour") as client:
        for status, path in ((404, "/pages/nothing"), (400, "/pages/%00"), (429, "/pages/probes"), (429, "/")):
            answer = client.get(path)
            assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8"), path
            assert "script-src 'self'" in answer.headers["content-security-policy"]
            assert answer.headers["cache-control"] == "no-store"
        assert "retry-after" in answer.headers
        problem(client.get("/nothing"), "too-many-requests")


IN_A_BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "page"),
    [
        (IN_A_BROWSER, True),
        ("text/html", True),
        ("*/*", False),
        ("", False),
        ("application/json", False),
        ("application/problem+json, text/html;q=0.9", False),
        ("application/json, text/html", False),
        ("image/png", False),
    ],
)
def test_a_browser_is_told_on_a_page_that_there_is_nothing(client: TestClient, accept: str, page: bool) -> None:
    """At an address of nothing who likes HTML best gets a page; caches keep the two apart. Else nothing is different."""
    for path in ("/nope", "/probes/a/b/c", "/probes/"):
        answer = client.get(path, headers={"Accept": accept})
        assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")
        assert {"Accept", "Accept-Encoding"} <= set(answer.headers["vary"].split(", "))
        if not page:
            assert problem(answer, "not-found").startswith(f"There is nothing at {path!r}.")
            continue
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "There is nothing at" in answer.text
        assert "as JSON" not in answer.text
    problem(client.get("/probes/nothing", headers={"Accept": accept}), "not-found")
    assert client.head("/nope", headers={"Accept": accept}).headers["content-type"].startswith("text/html") is page


def test_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that is wrong is named, never with a secret; one that is set to nothing counts as unset."""
    monkeypatch.setenv("API_PORT", "")
    assert ApiSettings().port == 8000
    for name, value, told in (
        ("API_WORKERS", "0", "^API_WORKERS: Input should be greater than or equal to 1"),
        ("API_RATE", "many", "^API_RATE: is no rate; write 6000/minute"),
        ("API_CORS", "lab.example", "^API_CORS: 'lab.example' is no origin; write https://lab.example"),
        ("API_CORS", "https://a.example, https://b.example/path", "^API_CORS: 'https://b.example/path' is no origin"),
        ("API_TOKEN", "hush", "^API_TOKEN has less than 16 characters"),
        ("API_READS", "token", "^API_READS is token, and API_TOKEN is not set"),
    ):
        with monkeypatch.context() as one:
            one.setenv(name, value)
            with pytest.raises(BadInput, match=told) as raised:
                api_settings()
            assert "hush" not in str(raised.value)


def test_a_token_is_not_told(database: Database, blobs: Blobs) -> None:
    """Neither settings nor problems show it when they are printed."""
    assert "hush" not in repr(ApiSettings(token=SecretStr("hush" * 5)))
    with database.transaction() as connection:
        assert connection.scalar(text("select 1")) == 1
    with asking(database, blobs, token="hush" * 5) as client:
        assert "hushhush" not in client.post("/takedowns", headers={"Authorization": "Bearer nonsense"}).text
