"""What is sent under a condition, packed, and with an ETag: the document and the metrics too; no problem has one."""

from __future__ import annotations

import gzip

import pytest
from fastapi.testclient import TestClient

from tests.api.asking import problem
from tests.api.conftest import Keep

PLAIN = {"Accept-Encoding": "identity"}


@pytest.mark.parametrize("path", ["/probes", "/pages/probes", "/crawl", "/openapi.json", "/static/page.css", "/docs"])
def test_if_match(client: TestClient, keep: Keep, path: str) -> None:
    """Who wants what it had before or nothing gets 412 where that is another (RFC 9110, 13.1.1): of weak tags always."""
    keep(1)
    tag = client.get(path, headers=PLAIN).headers["etag"]
    for given, status in ((tag, 200), (f'"other", {tag}', 200), ("*", 200), (f"W/{tag}", 412), ('"nope"', 412)):
        answer = client.get(path, headers=PLAIN | {"If-Match": given})
        assert answer.status_code == status, given
        if status == 412:
            assert "etag" not in answer.headers
    # It goes before If-None-Match, which would be 304.
    assert client.get(path, headers=PLAIN | {"If-Match": '"nope"', "If-None-Match": tag}).status_code == 412
    assert client.get(path, headers=PLAIN | {"If-Match": tag, "If-None-Match": tag}).status_code == 304


def test_what_is_told_of_it(client: TestClient, keep: Keep) -> None:
    """The problem names the ETag that there is."""
    keep(1)
    tag = client.get("/probes").headers["etag"]
    told = problem(client.get("/probes", headers={"If-Match": '"nope"'}), "precondition-failed")
    assert told == f"If-Match names another state than there is now: its ETag is {tag}. Ask without it."


@pytest.mark.parametrize(
    ("path", "media_type"),
    [("/openapi.json", "application/json"), ("/metrics", "text/plain"), ("/docs", "text/html"), ("/docs/records", "text/html")],
)
def test_what_is_large_is_packed(client: TestClient, path: str, media_type: str) -> None:
    """For whoever takes it; it has an ETag, and caches are told that there are two."""
    client.get(path)  # of the metrics there is a row for it now
    with client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
        packed = b"".join(answer.iter_raw())
    assert (answer.headers["content-encoding"], answer.headers["vary"]) == ("gzip", "Accept-Encoding")
    assert answer.headers["content-type"].startswith(media_type)
    plain = client.get(path, headers=PLAIN)
    assert (plain.headers.get("content-encoding"), plain.headers["vary"]) == (None, "Accept-Encoding")
    assert 4 * len(packed) < len(plain.content)
    if path != "/metrics":
        assert gzip.decompress(packed) == plain.content
        known = {"If-None-Match": plain.headers["etag"]}
        assert client.get(path, headers=PLAIN | known).status_code == 304
    assert client.head(path, headers=PLAIN).headers["etag"].startswith('"')


@pytest.mark.parametrize("path", ["/probes", "/probes?format=ndjson", "/openapi.json", "/pages/probes", "/docs", "/metrics"])
def test_codings_in_several_lines(client: TestClient, keep: Keep, path: str) -> None:
    """Lines of one header are one list (RFC 9110, 5.3): who takes gzip in the second takes it."""
    keep(1)
    for lines, packed in ((("br", "gzip"), True), (("gzip;q=0", "*"), False), (("br", "zstd"), False)):
        answer = client.get(path, headers=[("Accept-Encoding", line) for line in lines])
        assert (answer.headers.get("content-encoding") == "gzip") is packed, lines


def test_the_document_takes_no_parameters(client: TestClient) -> None:
    """They are refused as everywhere."""
    assert problem(client.get("/openapi.json?x=1"), "unknown-parameter").startswith("x: there is no such parameter.")


@pytest.mark.parametrize(
    "path", ["/probes/nope", "/pages/probes/nope", "/pages/probes?text=!", "/nothing", "/pages/probes?limit=0"]
)
def test_no_problem_has_an_etag(client: TestClient, path: str) -> None:
    """As a page neither: there is nothing to be asked for again."""
    answer = client.get(path)
    assert answer.status_code >= 400
    assert "etag" not in answer.headers


def test_a_link_is_an_address(client: TestClient, keep: Keep) -> None:
    """A site's name may hold what an address may not as it stands; links lead to it all the same."""
    keep(1, site="site with space & amp")
    links = client.get("/sites/site%20with%20space%20%26%20amp").json()["links"]
    assert links["probes"] == "/probes?site=site%20with%20space%20%26%20amp"
    for link in links.values():
        assert client.get(link).status_code == 200, link
    assert len(client.get(links["probes"]).json()["items"]) == 1
