"""`api serve` and its connections, on real sockets: what slow, many and broken clients meet."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from fastapi import FastAPI
from starlette.responses import StreamingResponse
from structlog.testing import capture_logs

from api.addresses import address_of
from api.app import create_app
from api.serving import MOST_HEAD, Guarded
from api.settings import ApiSettings
from store.blobs import Blobs
from store.database import Database
from tests.api.conftest import TOKEN
from tests.api.serving import serving

WAIT_S = 20
"""For what must come; nothing here waits so long."""
NOWHERE = "postgresql://u:hush@127.0.0.1:1/p"
MAIN = "from api.cli import main; main()"


@pytest.fixture(scope="module")
def port(server: Database) -> Iterator[int]:
    """Of an API that waits for nobody: half a second for a head, a body or a reader, and four connections."""
    settings = ApiSettings(rate="0", head_s=0.5, body_s=0.5, stall_s=0.5, connections=4, token=TOKEN)  # type: ignore[arg-type]

    class Quick(Guarded):
        pass

    Quick.settings = settings
    app = create_app(server, Blobs("memory://"), settings)
    _add_endless(app)
    with serving(app, http=Quick, ws="none") as address:
        yield int(address.rsplit(":", 1)[1])


@pytest.fixture(scope="module")
def patient(server: Database) -> Iterator[int]:
    """Of an API that waits as long as it does where nothing is set."""
    app = create_app(server, Blobs("memory://"), ApiSettings(rate="0", token=TOKEN))  # type: ignore[arg-type]
    with serving(app) as address:
        yield int(address.rsplit(":", 1)[1])


def _add_endless(app: FastAPI) -> None:
    @app.get("/endless")
    def endless() -> StreamingResponse:
        return StreamingResponse(iter(lambda: b"x" * 65_536, b""), media_type="text/plain")


@contextmanager
def connected(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), WAIT_S) as opened:
        yield opened


def until_closed(opened: socket.socket) -> bytes:
    """All that comes until the other end closes."""
    content = b""
    try:
        while part := opened.recv(65_536):
            content += part
    except ConnectionResetError:
        pass
    return content


def told(answer: bytes) -> dict[str, Any]:
    """The problem in the last answer of these bytes; its id is in the header too."""
    head, _, body = answer[answer.rindex(b"HTTP/1.1 ") :].partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head.lower()
    assert b"connection: close" in head.lower()
    found: dict[str, Any] = json.loads(body)
    assert head.startswith(b"HTTP/1.1 %d " % found["status"])
    assert f"\r\nx-request-id: {found['request_id']}" in head.decode().lower()
    return found


@pytest.mark.parametrize("sent", [b"", b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"GET /hea", b"\r\n\r\n"])
def test_a_head_that_does_not_come(port: int, sent: bytes) -> None:
    """A connection with no whole head is told 408 and closed."""
    with connected(port) as opened:
        opened.sendall(sent)
        assert told(until_closed(opened))["code"] == "too-slow"


def test_drops_do_not_keep_a_connection(port: int) -> None:
    """A head that comes byte by byte is cut off at the same time: each byte is no new beginning."""
    with connected(port) as opened:
        opened.sendall(b"GET / HTTP/1.1\r\n")
        opened.settimeout(0.1)
        answer = b""
        for _ in range(100):
            try:
                opened.sendall(b"X-A: b\r\n")
                answer = opened.recv(65_536)
                break
            except TimeoutError:
                continue
        assert told(answer)["code"] == "too-slow"


def test_a_second_request_is_waited_for_too(port: int) -> None:
    """After a whole answer, half a request is cut off as a first one is."""
    with connected(port) as opened:
        opened.sendall(b"GET /kinds HTTP/1.1\r\nHost: localhost\r\n\r\nGET /ki")
        answer = until_closed(opened)
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert told(answer)["code"] == "too-slow"


def test_a_head_without_end(port: int) -> None:
    """Address and headers have an end: 431."""
    with connected(port) as opened:
        opened.sendall(b"GET / HTTP/1.1\r\nX-Long: " + b"a" * (MOST_HEAD + 1))
        assert told(until_closed(opened))["code"] == "head-too-large"


WITH_A_LONG = {
    "header": b"GET /kinds HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: %b\r\n\r\n",
    "query": b"GET /kinds?x=%b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "path": b"GET /kinds/%b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "head before a body": b"POST /takedowns?dry_run=true HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: %b\r\n"
    b"Authorization: Bearer " + TOKEN.encode() + b"\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n",
}
BODY = b'{"what":"shop.example","why":"a letter"}'.ljust(60_000)


@pytest.mark.parametrize("piece", [1_000_000, 65_536, 4_001])
@pytest.mark.parametrize(("long", "status"), [("header", 200), ("query", 422), ("path", 404), ("head before a body", 200)])
def test_how_long_a_head_may_be(patient: int, long: str, status: int, piece: int) -> None:
    """A head of 64 kB is answered and one byte more is 431, in whatever pieces it comes; a body behind it does not count."""
    form = WITH_A_LONG[long]
    for more, wanted in ((0, status), (1, 431), (5_000, 431), (200_000, 431)):
        head = form % (b"a" * (MOST_HEAD - len(form % b"") + more))
        assert len(head) == MOST_HEAD + more
        sent = head + (BODY if "body" in long else b"")
        with connected(patient) as opened:
            with suppress(ConnectionError):  # the other end need not take in what is too much
                for start in range(0, len(sent), piece):
                    opened.sendall(sent[start : start + piece])
            answer = until_closed(opened)
        assert answer.startswith(b"HTTP/1.1 %d " % wanted), (more, answer[:200])
        if wanted == 431:
            problem = told(answer)
            assert problem["code"] == "head-too-large"
            assert f"more than {MOST_HEAD} bytes" in problem["detail"]
            assert problem["instance"].startswith(("/kinds", "/takedowns"))


def test_what_is_no_http(port: int) -> None:
    """What is no HTTP is told so as a problem, and the log tells of it once, under the same id."""
    with capture_logs() as logged, connected(port) as opened:
        opened.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        problem = told(until_closed(opened))
    assert problem["code"] == "bad-request"
    assert [one["request_id"] for one in logged if one["event"] == "request.broken"] == [problem["request_id"]]


def test_a_body_that_does_not_come(port: int) -> None:
    """A body that is announced and not sent is told 408; one that is too large is not waited for."""
    head = (
        "POST /takedowns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {TOKEN}\r\nContent-Length: %d\r\n\r\n"
    )
    for length, code in ((100, "too-slow"), (10_000_000, "too-large")):
        with connected(port) as opened:
            opened.sendall((head % length).encode() + b'{"what":')
            assert told(until_closed(opened))["code"] == code


def test_a_body_of_unknown_length(port: int) -> None:
    """A body in chunks is counted as it comes."""
    with connected(port) as opened:
        opened.sendall(
            b"POST /takedowns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        opened.sendall(b"11170\r\n" + b" " * 0x11170 + b"\r\n")
        assert told(until_closed(opened))["code"] == "too-large"


def test_a_reader_who_does_not_read(port: int) -> None:
    """Who asks for much and takes nothing is cut off; whoever else asks is answered meanwhile."""
    with connected(port) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.sendall(b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with urlopen(f"http://127.0.0.1:{port}/kinds", timeout=WAIT_S) as answer:
            assert answer.status == 200
        _until_reset(opened)


def _until_reset(opened: socket.socket) -> None:
    """Writes until the other end refuses: once it is gone, it takes nothing in any more."""
    watching = select.poll()
    watching.register(opened, 0)  # told of its end alone
    for _ in range(WAIT_S * 20):
        try:
            opened.send(b"\r\n")
        except ConnectionError:
            return
        if watching.poll(50):
            return
    pytest.fail("the connection is still there")


def test_too_many_connections(port: int) -> None:
    """One more than API_CONNECTIONS is told 503."""
    with connected(port) as a, connected(port) as b, connected(port) as c, connected(port) as d:
        for one in (a, b, c, d):
            one.sendall(b"GET /kinds HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert one.recv(15).startswith(b"HTTP/1.1 200 ")
        with connected(port) as e:
            assert told(until_closed(e))["code"] == "unavailable"


def test_address() -> None:
    """What is printed can be opened on this machine."""
    assert address_of("127.0.0.1", 8000) == "http://127.0.0.1:8000/"
    assert address_of("0.0.0.0", 80) == "http://127.0.0.1:80/"  # noqa: S104
    assert address_of("::", 80) == "http://[::1]:80/"


def test_a_foreign_address(tmp_path: Path) -> None:
    """Who has the API listen at an address of another machine is told so, and nothing of ports."""
    done = subprocess.run(
        [sys.executable, "-c", MAIN, "serve", "--host", "192.0.2.1", "--port", "0"],
        cwd=tmp_path, env=os.environ | {"PARALLAX_DATA": str(tmp_path)}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "api: Nothing can be served at 192.0.2.1:0. 192.0.2.1 is no address of this machine: give --host" in done.stderr


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    """Who starts the API at a port that another program has is told so in a sentence, and the exit code is 1."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-c", MAIN, "serve", "--port", port],
            cwd=tmp_path, env=os.environ | {"PARALLAX_DATA": str(tmp_path)}, capture_output=True, text=True,
            timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert f"api: Nothing can be served at 127.0.0.1:{port}." in done.stderr
    assert "API_PORT" in done.stderr
    assert "Errno" not in done.stderr, "one sentence says it"


@pytest.mark.parametrize("ending", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_served_from_nothing(tmp_path: Path, data_dir: Path, ending: signal.Signals) -> None:
    """`api serve` with nothing set has a database, with tables, in as many processes as asked for; a signal ends it well."""
    workers = "2" if ending == signal.SIGINT else "1"
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "serve", "--port", "0", "--workers", workers],
        cwd=tmp_path, env=environment | {"PARALLAX_DATA": str(data_dir)}, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        try:
            assert running.stderr is not None
            before: list[str] = []
            while not (line := running.stderr.readline()).startswith("Open http://127.0.0.1:"):
                assert line, before
                before.append(line)
            assert not [one for one in before if "running on" in one], "nothing says that it runs before it does"
            address = line.split()[1]
            with urlopen(f"{address}health", timeout=WAIT_S) as answer:  # noqa: S310
                assert json.load(answer)["status"] == "ok"
            with urlopen(f"{address}metrics", timeout=WAIT_S) as answer:  # noqa: S310
                assert b"parallax_api_requests_total" in answer.read()
            running.send_signal(ending)
            _, rest = running.communicate(timeout=60)
        finally:
            running.kill()  # where it did not end by itself, nobody waits for it
    assert running.returncode == 0, rest
    assert "Traceback" not in rest


def test_a_start_that_fails(tmp_path: Path) -> None:
    """Nobody is told to open what never listens."""
    done = subprocess.run(
        [sys.executable, "-c", MAIN, "serve", "--port", "0"],
        cwd=tmp_path, env=os.environ | {"DATABASE_URL": NOWHERE, "BLOB_URL": "nowhere://x"}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "api: BLOB_URL: nowhere:// is not supported" in done.stderr
    assert "Open http" not in done.stderr


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    """It is told of when the API starts, without the password, and is no reason to end."""
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "serve", "--port", "0"],
        cwd=tmp_path, env=os.environ | {"DATABASE_URL": NOWHERE}, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        try:
            assert running.stderr is not None
            told = next(line for line in running.stderr if "cannot be reached" in line)
            assert told.startswith("api: The database p at 127.0.0.1:1 cannot be reached: ")
            assert "hush" not in told
            assert next(line for line in running.stderr if line.startswith("Open http://127.0.0.1:"))
        finally:
            running.kill()
