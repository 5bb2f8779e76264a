"""store/blobs.py on S3, against a double of S3 on loopback: what is stored, refused, cut off, and done when it is back."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from moto.server import ThreadedMotoServer

from crawler.evidence import Evidence
from crawler.filing import Archive, file
from crawler.visit import Visited
from crawler.waiting import Patience, Stop, keep
from domain.errors import BadInput, NotFound, Unavailable
from domain.visit import Visit
from store import blob_places
from store import blobs as module
from store.blob_contents import Damaged, content, whole
from store.blobs import BlobHead, Blobs
from store.captures import find_visit
from store.database import Database
from store.prune import prune, sweep_orphans

PNG = b"\x89PNG\r\n\x1a\n"
HTML = b"<p>hello</p>" * 100
HASTE = Patience(first_s=0.001, longest_s=0.01)


class Double:
    """An S3 on loopback with one bucket, `bucket`."""

    def __init__(self) -> None:
        self.server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
        self.server.start()
        host, port = self.server.get_host_and_port()
        self.port, self.url = port, f"http://{host}:{port}"
        self.ask("PUT", "/bucket")

    def ask(self, method: str, path: str, body: bytes | None = None) -> bytes:
        """By hand, without any of our code. The double does not ask who it is."""
        key = "AWS4-HMAC-SHA256 Credential=key/20250301/us-east-1/s3/aws4_request"
        headers = {"Content-Type": "application/octet-stream", "Authorization": key}
        request = urllib.request.Request(self.url + path, data=body, method=method, headers=headers)  # noqa: S310 - http
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - as above
            content: bytes = answer.read()
            return content


@pytest.fixture(scope="module")
def double() -> Iterator[Double]:
    double = Double()
    yield double
    double.server.stop()


@pytest.fixture
def s3(double: Double, monkeypatch: pytest.MonkeyPatch) -> Double:
    """The double, empty but for its bucket; the AWS_* variables point to it, and nothing else of the machine's is set."""
    for name in [name for name in os.environ if name.startswith("AWS_") or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    given = {"ENDPOINT_URL": double.url, "ACCESS_KEY_ID": "key", "SECRET_ACCESS_KEY": "s3cret", "REGION": "us-east-1"}
    for name, value in given.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    double.ask("POST", "/moto-api/reset")
    double.ask("PUT", "/bucket")
    return double


def test_whole_life_of_a_blob(s3: Double) -> None:
    """Put, looked at, read, listed, put again, removed, removed again; beside another prefix in the same bucket."""
    ours, theirs = Blobs("s3://bucket/ours/deep"), Blobs("s3://bucket/theirs")
    ours.check()
    begun = datetime.now(UTC) - timedelta(seconds=2)
    html, png = ours.put(HTML, "text/html"), ours.put(PNG, "image/png")
    assert (html.encoding, png.encoding) == ("gzip", "")
    assert ours.get(html.digest) == HTML
    assert ours.head(png.digest) == BlobHead("", len(PNG))
    assert ours.stored(png.digest) == (PNG, "")
    assert s3.ask("GET", f"/bucket/ours/deep/sha256/{png.digest[:2]}/{png.digest[2:]}") == PNG
    assert ours.put(HTML, "text/html") == html
    listed = {entry.digest: entry for entry in ours.list()}
    assert {digest: entry.stored_size for digest, entry in listed.items()} == {
        html.digest: html.stored_size,
        png.digest: len(PNG),
    }
    assert all(begun < entry.written < datetime.now(UTC) + timedelta(seconds=2) for entry in listed.values())
    assert list(theirs.list()) == []
    with pytest.raises(NotFound):
        theirs.get(html.digest)
    ours.delete([html.digest, "0" * 64])
    ours.delete([html.digest])
    assert [entry.digest for entry in ours.list()] == [png.digest]
    with pytest.raises(NotFound):
        ours.get(html.digest)


def test_in_pieces(s3: Double) -> None:
    """Contents and parts of them are read from the bucket in pieces; what is no longer there, or other than put, is told."""
    blobs, noise = Blobs("s3://bucket"), PNG + os.urandom(3 * module.PIECE)
    html, png = blobs.put(HTML, "text/html"), blobs.put(noise, "image/png")
    assert whole(blobs, html) == HTML
    assert b"".join(content(blobs, html, (3, 8))) == b"hello"
    assert max(map(len, content(blobs, png))) <= module.PIECE
    assert b"".join(content(blobs, png, (8, 20))) == noise[8:20]
    s3.ask("PUT", f"/bucket/sha256/{png.digest[:2]}/{png.digest[2:]}", noise[:-1])
    with pytest.raises(Damaged, match=r"bytes in place of"):
        content(blobs, png)
    blobs.delete([html.digest])
    with pytest.raises(NotFound):
        content(blobs, html)


def test_never_overwritten_and_damage_told(s3: Double) -> None:
    """What is there is not written over; what is no longer what was put is told, not returned."""
    blobs = Blobs("s3://bucket")
    blob = blobs.put(PNG, "image/png")
    key = f"/bucket/sha256/{blob.digest[:2]}/{blob.digest[2:]}"
    s3.ask("PUT", key, b"x" * len(PNG))
    blobs.put(PNG, "image/png")
    assert s3.ask("GET", key) == b"x" * len(PNG)
    with pytest.raises(BadInput, match="is damaged"):
        blobs.get(blob.digest)


@pytest.mark.usefixtures("s3")
def test_many_and_big() -> None:
    """More blobs than one answer lists are listed and removed; one of 20 MB comes back as it was."""
    blobs = Blobs("s3://bucket")
    big = PNG + os.urandom(20_000_000)
    assert blobs.get(blobs.put(big, "image/png").digest) == big
    for number in range(12):
        blobs.put(PNG + bytes([number]), "image/png")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_AT_ONCE", 5)
        digests = [entry.digest for entry in blobs.list()]
        assert len(set(digests)) == len(digests) == 13
        blobs.delete(digests)
    assert list(blobs.list()) == []


@pytest.mark.usefixtures("s3")
def test_bucket_that_is_not_there() -> None:
    """It is told before the first visit, with what to do."""
    for act in (Blobs("s3://elsewhere/x").check, lambda: Blobs("s3://elsewhere").put(PNG, "image/png")):
        with pytest.raises(Unavailable, match=r"elsewhere.* NoSuchBucket\. Make the bucket, or mend its name in BLOB_URL"):
            act()


def test_wrong_credentials(s3: Double) -> None:
    """A key that the server does not know is told with the variable to mend, and without the secret."""
    s3.ask("POST", "/moto-api/reset-auth", b"0")
    try:
        with pytest.raises(Unavailable, match=r"InvalidAccessKeyId\. Mend AWS_ACCESS_KEY_ID") as raised:
            Blobs("s3://bucket").check()
        assert "s3cret" not in str(raised.value)
        with pytest.raises(Unavailable, match="InvalidAccessKeyId"):
            Blobs("s3://bucket").put(PNG, "image/png")
    finally:
        s3.ask("POST", "/moto-api/reset-auth", b"1000000")


@pytest.mark.usefixtures("s3")
def test_no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without credentials nothing is asked: neither the bucket, nor the cloud's address for them, nor a proxy."""
    with Trap() as trap:
        for name in ("AWS_ENDPOINT_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{trap.port}")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.delenv(name)
            with pytest.raises(Unavailable, match="need credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"):
                Blobs("s3://bucket")
        assert trap.hits == 0
        # Whoever runs in a cloud says so, and then it is asked there.
        monkeypatch.setenv("AWS_METADATA_ENDPOINT", f"http://127.0.0.1:{trap.port}")
        monkeypatch.setattr(blob_places, "_RETRY_S", 0)
        with pytest.raises(Unavailable):
            Blobs("s3://bucket").check()
        assert trap.hits > 0


class Trap:
    """A port that counts who comes, and closes the door."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port, self.hits = self.socket.getsockname()[1], 0
        self.thread = threading.Thread(target=self._count)

    def _count(self) -> None:
        while True:
            guest, _ = self.socket.accept()
            self.hits += not self.closing
            guest.close()
            if self.closing:
                return

    closing = False

    def __enter__(self) -> Trap:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing = True
        socket.create_connection(("127.0.0.1", self.port)).close()
        self.thread.join()
        self.socket.close()


class Cut:
    """A wire to the double that is cut after so many bytes of each connection, until it is mended."""

    def __init__(self, port: int, after: int) -> None:
        self.to, self.after = port, after
        self.cuts = 0
        self.mended = False

    async def __aenter__(self) -> Cut:
        self.server = await asyncio.start_server(self._wire, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        await self.server.wait_closed()

    async def _wire(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self.to)
        answers = asyncio.create_task(self._answers(there, writer))
        passed = 0
        while chunk := await reader.read(65536):
            passed += len(chunk)
            if not self.mended and passed > self.after:
                self.cuts += 1
                break
            back.write(chunk)
            await back.drain()
        back.close()
        writer.close()
        answers.cancel()

    @staticmethod
    async def _answers(there: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await there.read(65536):
            writer.write(chunk)


def test_wire_cut_in_mid_put(s3: Double, monkeypatch: pytest.MonkeyPatch) -> None:
    """A put that is cut half way leaves nothing; it is made again until it is done, and then it is whole."""
    monkeypatch.setattr(blob_places, "_RETRY_S", 0)
    content = PNG + os.urandom(3_000_000)

    async def put() -> int:
        async with Cut(s3.port, after=1_000_000) as cut:
            monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{cut.port}")
            blobs = Blobs("s3://bucket")
            waits = asyncio.create_task(keep(lambda: blobs.put(content, "image/png"), stop=Stop(), why="", patience=HASTE))
            while cut.cuts < 3:  # noqa: ASYNC110 - a count, not an event
                await asyncio.sleep(0.005)
            cut.mended = True
            await waits
            return cut.cuts

    assert asyncio.run(put()) >= 3
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3.url)
    [only] = Blobs("s3://bucket").list()
    assert Blobs("s3://bucket").get(only.digest) == content


@pytest.mark.usefixtures("s3")
def test_a_visit_is_filed_and_pruned(database: Database, visit_of: Callable[..., Visit]) -> None:
    """One setting, BLOB_URL, and the whole way of a visit goes to the bucket and back: filed, read, pruned, orphans swept."""
    archive = Archive(database, Blobs("s3://bucket/crawl"))
    visit = visit_of(1)
    record = visit.captures[0].model_copy(update={"artifacts": {}})
    evidence = Evidence(record, (), {"dom": HTML, "screenshot": PNG + os.urandom(300_000)}, seen=1)
    stored = file(archive, Visited(visit, (evidence,), browser_hurt=False))
    found = find_visit(database, visit.id)
    assert found == stored
    assert {name: archive.blobs.get(digest) for name, digest in found.captures[0].artifacts.items()} == evidence.artifacts
    assert prune(database, archive.blobs, keep_bytes=300_008).artifacts == {"dom": 1}
    assert [entry.digest for entry in archive.blobs.list()] == [stored.captures[0].artifacts["screenshot"]]
    archive.blobs.put(HTML, "text/html")
    assert sweep_orphans(database, archive.blobs, older_than=datetime.now(UTC) + timedelta(days=1), dry_run=False).blobs == 1
    assert archive.blobs.get(stored.captures[0].artifacts["screenshot"]).startswith(PNG)


@pytest.mark.usefixtures("s3")
def test_server_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing listens: told, with the place, after the library's own tries."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setattr(blob_places, "_RETRY_S", 0)
    with pytest.raises(Unavailable, match="s3://bucket cannot be listed"):
        Blobs("s3://bucket").check()
