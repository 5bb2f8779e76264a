"""/archives: what a page was, as a file to keep: whole, in part, packed, never changed, and never run as a page of ours."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from api.ranges import range_of
from domain.visit import Visit
from store.blobs import Blobs, StoredBlob
from store.captures import save
from store.database import Database
from tests.api.conftest import visit_of

HTML = b"<!DOCTYPE html>" + b"".join(b"<p>%04d</p>" % n for n in range(1000))
"""15 bytes, and 1000 of 11: 11,015."""
SIZE = 11_015
DIGEST = hashlib.sha256(HTML).hexdigest()
Put = Callable[[bytes, str], StoredBlob]


@pytest.fixture
def put(database: Database, blobs: Blobs) -> Put:
    """Stores a blob that a visit has."""

    def putting(content: bytes, media_type: str) -> StoredBlob:
        stored = blobs.put(content, media_type)
        visit: Visit = visit_of(int(stored.digest[:6], 16), "shop")
        save(database, visit, {}, [stored])
        return stored

    return putting


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("bytes=0-0", (0, 1)),
        ("bytes=2-5", (2, 6)),
        ("bytes=8-", (8, 10)),
        ("bytes=-3", (7, 10)),
        ("bytes=-30", (0, 10)),
        ("bytes=5-99", (5, 10)),
        ("BYTES=1-1", (1, 2)),
        (None, None),
        ("", None),
        ("bytes=", None),
        ("bytes=-", None),
        ("bytes=5-2", None),
        ("bytes=0-1,4-5", None),
        ("lines=0-1", None),
        ("bytes=a-b", None),
        ("bytes=0x1-2", None),
        ("bytes=" + "9" * 30 + "-", None),
    ],
)
def test_range_of(header: str | None, wanted: tuple[int, int] | None) -> None:
    """One range of ten bytes is understood as RFC 9110 has it; what is none, or several, is all of them."""
    assert range_of(header, 10) == wanted


def test_all_of_it(client: TestClient, put: Put) -> None:
    """The bytes, under their digest, to be kept as a file: no type is guessed, nothing of it runs."""
    put(HTML, "text/html; charset=utf-8")
    answer = client.get(f"/archives/{DIGEST}", headers={"Accept-Encoding": "identity"})
    assert (answer.status_code, answer.content) == (200, HTML)
    wanted = {
        "content-type": "text/html; charset=utf-8",
        "content-length": str(SIZE),
        "content-disposition": f'attachment; filename="{DIGEST[:12]}.html"',
        "content-security-policy": "sandbox; default-src 'none'",
        "x-content-type-options": "nosniff",
        "etag": f'"{DIGEST}"',
        "cache-control": "public, max-age=86400, immutable",
        "accept-ranges": "bytes",
        "vary": "Accept-Encoding",
    }
    assert {name: answer.headers[name] for name in wanted} == wanted


def test_packed(client: TestClient, put: Put, blobs: Blobs) -> None:
    """Where gzip is accepted the stored bytes go out as they are, under an ETag of their own."""
    known = put(HTML, "text/html")
    with client.stream("GET", f"/archives/{DIGEST}", headers={"Accept-Encoding": "gzip"}) as answer:
        raw = b"".join(answer.iter_raw())
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["etag"] == f'"{DIGEST}-gzip"'
        assert answer.headers["content-length"] == str(known.stored_size)
    assert raw == blobs.stored(DIGEST)[0]
    assert gzip.decompress(raw) == HTML


def test_ranges(client: TestClient, put: Put) -> None:
    """A range is of the unpacked content, whatever is accepted; behind the end there is none: 416, with the size."""
    put(HTML, "text/html")

    def ask(wanted: str, **headers: str) -> Any:
        return client.get(f"/archives/{DIGEST}", headers={"Range": wanted, "Accept-Encoding": "gzip", **headers})

    answer = ask("bytes=15-25")
    assert (answer.status_code, answer.content) == (206, b"<p>0000</p>")
    assert answer.headers["content-range"] == f"bytes 15-25/{SIZE}"
    assert "content-encoding" not in answer.headers
    assert ask("bytes=-11").content == b"<p>0999</p>"
    assert ask("bytes=0-1,5-6").status_code == ask("pages=1-2").status_code == 200
    gone = ask(f"bytes={SIZE}-")
    assert (gone.status_code, gone.json()["code"]) == (416, "range-not-satisfiable")
    assert gone.headers["content-range"] == f"bytes */{SIZE}"
    assert ask("bytes=0-0", **{"If-Range": f'"{DIGEST}"'}).status_code == 206
    for other in (f'"{DIGEST}-gzip"', f'W/"{DIGEST}"', '"x"', "Sat, 01 Mar 2025 12:00:00 GMT"):
        assert ask("bytes=0-0", **{"If-Range": other}).status_code == 200


def test_known_already(client: TestClient, put: Put) -> None:
    """Whoever has it is told so, by the ETag of what would be sent, before any range is looked at."""
    put(HTML, "text/html")
    for tag, coding, status in (
        (f'"{DIGEST}"', "identity", 304),
        (f'W/"{DIGEST}"', "identity", 304),
        (f'"{DIGEST}-gzip"', "gzip", 304),
        (f'"{DIGEST}"', "gzip", 200),
        ("*", "gzip", 304),
    ):
        answer = client.get(f"/archives/{DIGEST}", headers={"If-None-Match": tag, "Accept-Encoding": coding})
        assert answer.status_code == status, (tag, coding)
    for lines, status in ((("br", "gzip"), 304), (("br", "zstd"), 200)):  # of one header, which is one list
        several = [("Accept-Encoding", line) for line in lines] + [
            ("If-None-Match", tag) for tag in ('"x"', f'"{DIGEST}-gzip"')
        ]
        assert client.get(f"/archives/{DIGEST}", headers=several).status_code == status, lines
    asked = {"If-None-Match": f'"{DIGEST}"', "Range": "bytes=0-1"}
    assert client.get(f"/archives/{DIGEST}", headers=asked).status_code == 304


def test_head(client: TestClient, put: Put) -> None:
    """HEAD tells what GET would, without the bytes, and takes no range."""
    put(HTML, "text/html")
    answer = client.head(f"/archives/{DIGEST}", headers={"Accept-Encoding": "identity", "Range": "bytes=0-1"})
    assert (answer.status_code, answer.content, answer.headers["content-length"]) == (200, b"", str(SIZE))


def test_none_such(client: TestClient, put: Put, database: Database, blobs: Blobs) -> None:
    """What is no digest is refused; what is not stored, hidden, lost or damaged is not there, and no place is named."""
    assert client.get(f"/archives/{'0' * 64}").status_code == 404
    for given in ("0" * 63, "0" * 65, "A" * 64, "..%2f..%2fetc", "x"):
        assert client.get(f"/archives/{given}").status_code in {404, 422}
    put(HTML, "text/html")
    folder = blobs.folder
    assert folder is not None
    path = folder / "sha256" / DIGEST[:2] / f"{DIGEST[2:]}.gz"
    path.write_bytes(gzip.compress(b"\0" * 5_000_000))
    for headers in ({"Accept-Encoding": "gzip"}, {"Accept-Encoding": "identity"}, {"Range": "bytes=0-1"}):
        answer = client.get(f"/archives/{DIGEST}", headers=headers)
        assert (answer.status_code, "is damaged in the store" in answer.json()["detail"]) == (404, True)
    path.unlink()
    answer = client.get(f"/archives/{DIGEST}")
    assert (answer.status_code, answer.json()["detail"]) == (404, f"Blob {DIGEST} is missing from the store.")
    with database.transaction() as connection:
        connection.execute(text("update blobs set hidden = now()"))
    assert client.get(f"/archives/{DIGEST}").json()["detail"] == f"No blob {DIGEST!r} belongs to a stored visit."
