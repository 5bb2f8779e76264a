"""store/blobs.py: content goes in once, comes out as it was or not at all, in a folder, in memory and on S3."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from domain.errors import BadInput, NotFound, Unavailable
from store.blobs import BlobHead, Blobs, StoredBlob

HTML = b"<p>hello</p>" * 100
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 1000
ROOT = Path(__file__).parents[2]


class Bucket(BaseHTTPRequestHandler):
    """As much of S3 as the store uses: create-only PUT, GET and HEAD."""

    objects: dict[str, bytes]

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        taken = self.headers.get("if-none-match") == "*" and self.path in self.objects
        if not taken:
            self.objects[self.path] = body
        self.answer(412 if taken else 200, b"")

    def do_GET(self) -> None:
        body = self.objects.get(self.path)
        self.answer(404 if body is None else 200, body or b"")

    do_HEAD = do_GET  # noqa: N815 - http.server's name

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.send_header("etag", '"1"')
        self.send_header("last-modified", "Sat, 01 Mar 2025 12:00:00 GMT")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
        """Silent."""


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, bytes]]:
    """What an S3 server on loopback holds, by path; the AWS variables point to it."""
    objects: dict[str, bytes] = {}
    with ThreadingHTTPServer(("127.0.0.1", 0), type("OneBucket", (Bucket,), {"objects": objects})) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        for name, value in {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_port}",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_REGION": "us-east-1",
        }.items():
            monkeypatch.setenv(name, value)
        yield objects
        server.shutdown()
        thread.join()


@pytest.fixture(params=["folder", "file", "memory", "s3"])
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    """Blobs at each kind of place."""
    if request.param == "s3":
        request.getfixturevalue("bucket")
    places = {
        "folder": str(tmp_path / "a folder, with / deeper"),
        "file": f"file://{tmp_path}/with%20space",
        "memory": "memory://",
        "s3": "s3://bucket/some/prefix",
    }
    return Blobs(places[request.param])


@pytest.mark.parametrize(
    ("content", "encoding"),
    [(HTML, "gzip"), (PNG, ""), (b"", ""), (b"ab", ""), (os.urandom(5000), ""), (gzip.compress(HTML), "")],
    ids=["html", "png", "empty", "short", "random", "gzip"],
)
def test_round_trip(anywhere: Blobs, content: bytes, encoding: str) -> None:
    """Any content comes back as it was; what shrinks is stored compressed, the rest as it is."""
    digest = hashlib.sha256(content).hexdigest()
    assert not anywhere.exists(digest)
    blob = anywhere.put(content, "text/html")
    stored, seen = anywhere.stored(digest)
    assert blob == StoredBlob(digest, "text/html", encoding, len(content), len(stored))
    assert seen == encoding
    assert anywhere.get(digest) == content
    assert anywhere.head(digest) == BlobHead(encoding, len(stored))
    assert (gzip.decompress(stored) if encoding else stored) == content


def test_missing(anywhere: Blobs) -> None:
    """A digest without content is not found, by any way of asking."""
    asks: list[Callable[[str], object]] = [anywhere.get, anywhere.stored, anywhere.head]
    for ask in asks:
        with pytest.raises(NotFound, match="No blob 000"):
            ask("0" * 64)


@pytest.mark.parametrize("digest", ["", "ab", "../../etc/passwd", "A" * 64, "0" * 63 + "\n", "0" * 65])
def test_not_a_digest(blobs: Blobs, digest: str) -> None:
    """Only a digest is ever made a path."""
    with pytest.raises(BadInput, match="is not a digest"):
        blobs.get(digest)


def test_key_and_bytes(blobs: Blobs) -> None:
    """The key is made of the digest, and the bytes of the content alone: no time, no name, no operating system."""
    blob = blobs.put(HTML, "text/html")
    path = Path(blobs.url) / "sha256" / blob.digest[:2] / f"{blob.digest[2:]}.gz"
    assert path.read_bytes()[:10] == b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    assert [file for file in Path(blobs.url).rglob("*") if file.is_file()] == [path]
    assert path.stat().st_mode & 0o444 == 0o444


def test_once(anywhere: Blobs) -> None:
    """The same content put again, at once by many, under another type, is the same blob."""
    with ThreadPoolExecutor(8) as pool:
        put = list(pool.map(lambda number: anywhere.put(HTML, f"type/{number}"), range(16)))
    assert len({(blob.digest, blob.stored_size) for blob in put}) == 1
    assert anywhere.get(put[0].digest) == HTML


def test_never_written_again(bucket: dict[str, bytes]) -> None:
    """What is there stays, byte for byte, when its content is put again."""
    blobs = Blobs("s3://bucket/prefix")
    blob = blobs.put(PNG, "image/png")
    key = f"/bucket/prefix/sha256/{blob.digest[:2]}/{blob.digest[2:]}"
    assert list(bucket) == [key]
    bucket[key] = b"x" * len(PNG)
    blobs.put(PNG, "image/png")
    assert bucket[key] == b"x" * len(PNG)


@pytest.mark.parametrize("damage", [b"", b"\x1f\x8b\x08", gzip.compress(b"other", mtime=0), b"not gzip"])
def test_damage(blobs: Blobs, damage: bytes) -> None:
    """Content that is not what was put is never returned; putting it again mends bytes that were cut off."""
    blob = blobs.put(HTML, "text/html")
    path = Path(blobs.url) / "sha256" / blob.digest[:2] / f"{blob.digest[2:]}.gz"
    path.write_bytes(damage)
    with pytest.raises(BadInput, match="is damaged"):
        blobs.get(blob.digest)
    blobs.put(HTML, "text/html")
    assert blobs.get(blob.digest) == HTML


def test_killed_half_way(blobs: Blobs) -> None:
    """A process that dies while writing leaves no blob that is not whole."""
    # The kernel ends the process at the first byte past a limit on the size of files.
    program = (
        "import os, resource, signal, sys; from store.blobs import Blobs; blobs = Blobs(sys.argv[1]);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); signal.signal(signal.SIGXFSZ, signal.SIG_DFL);"
        "resource.setrlimit(resource.RLIMIT_CORE, (0, 0));"
        "blobs.put(b'\\x89PNG\\r\\n' + bytes(5_000_000), 'image/png')"
    )
    content = b"\x89PNG\r\n" + bytes(5_000_000)
    done = subprocess.run([sys.executable, "-c", program, blobs.url], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode < 0
    digest = hashlib.sha256(content).hexdigest()
    assert not blobs.exists(digest)
    blobs.put(content, "image/png")
    assert blobs.get(digest) == content


def test_place_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place that cannot be made, written or reached is unavailable, and the message names it."""
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="file/blobs cannot be had"):
        Blobs(str(tmp_path / "file" / "blobs"))
    blobs = Blobs(str(tmp_path / "blobs"))
    (tmp_path / "blobs" / "sha256").write_text("in the way")
    with pytest.raises(Unavailable, match="blobs cannot be written"):
        blobs.put(HTML, "text/html")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s3cret")
    with pytest.raises(Unavailable, match="s3://bucket cannot be written") as raised:
        Blobs("s3://bucket").put(HTML, "text/html")
    assert "s3cret" not in str(raised.value)


@pytest.mark.parametrize("url", ["ftp://host/x", "s3://", "http://x"])
def test_unsupported_place(url: str) -> None:
    """Anything else is refused with what can be given."""
    with pytest.raises(BadInput, match="BLOB_URL"):
        Blobs(url)
