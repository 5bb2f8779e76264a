"""The proxy in front of the browser: what it passes on unchanged, what it refuses, what it counts."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import sys
import threading
import warnings
from collections.abc import Awaitable, Callable, Iterator
from ipaddress import ip_address
from typing import Any

import pytest

from crawler.guard import Allowed, Guard, Passage
from crawler.guard.find import Unreached, find
from crawler.guard.heads import Answer, Request
from crawler.guard.wire import Broken
from crawler.settings import CrawlerSettings
from domain.errors import BadInput
from tests.pages.server import Site, refused

NOBODY = Allowed()


def answers(*addresses: str) -> Any:
    """A resolver that knows every name under these addresses."""

    def lookup(_host: str, port: int, **_options: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    return lookup


def never(*_where: object, **_options: object) -> list[Any]:
    raise AssertionError("DNS was asked")


def unknown(*_where: object, **_options: object) -> list[Any]:
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def reason(host: str, lookup: Any = never, allowed: Allowed = NOBODY) -> str:
    try:
        found = asyncio.run(find(host, 443, allowed, lookup=lookup))
    except Unreached as error:
        return f"{error.outcome}: {error.reason}"
    return " ".join(map(str, found))


def test_one_private_answer_is_enough() -> None:
    """A name is refused when any of its addresses is not public."""
    said = reason("example.test", answers("8.8.8.8", "10.0.0.7"))
    assert said.startswith("refused-private-address: example.test resolves to 10.0.0.7, a private address")
    assert "fe80::1, a link-local address" in reason("example.test", answers("fe80::1%eth0"))


def test_what_is_found_is_what_was_looked_at() -> None:
    """A public name gives its addresses, without repeats, in the resolver's order."""
    assert reason("example.test", answers("8.8.8.8", "2606:4700::1111", "8.8.8.8")) == "8.8.8.8 2606:4700::1111"
    assert reason("0x08.8.8.8") == "8.8.8.8"


def test_a_private_text_is_refused_before_dns_is_asked() -> None:
    """Neither a private literal nor a local name goes to a resolver."""
    for host in ("0x7f.1", "localhost", "intranet", "[::ffff:127.0.0.1]"):
        assert reason(host).startswith("refused-private-address")


def test_a_name_without_address() -> None:
    """What DNS does not know, or answers nothing for, is dns-failed and says so."""
    assert reason("example.test", unknown) == "dns-failed: example.test: Name or service not known"
    assert reason("example.test", answers()) == "dns-failed: example.test has no address"


def test_own_public_addresses_are_private() -> None:
    """A public address of this machine's own interface is refused: what listens there is not for pages."""
    own = frozenset({ip_address("8.8.8.8")})
    with pytest.raises(Unreached, match="an address of this machine"):
        asyncio.run(find("example.test", 443, NOBODY, lookup=answers("8.8.8.8"), own=own))


@pytest.mark.parametrize(
    ("written", "host", "address", "passes"),
    [
        ("all", "intranet", "10.0.0.1", True),
        ("intranet", "intranet", "10.0.0.1", True),
        ("intranet", "INTRANET.", "10.0.0.1", True),
        ("intranet:443", "intranet", "10.0.0.1", True),
        ("intranet:80", "intranet", "10.0.0.1", False),
        ("intranet", "other.test", "10.0.0.1", False),
        ("10.0.0.0/8", "other.test", "10.0.0.1", True),
        ("10.0.0.0/8", "intranet", "10.0.0.1", True),
        ("10.0.0.0/8", "other.test", "192.168.0.1", False),
        ("10.0.0.1:443, 127.0.0.1:80", "other.test", "10.0.0.1", True),
        ("10.0.0.1:80", "other.test", "10.0.0.1", False),
        ("::1", "other.test", "::1", True),
        ("[::1]:443", "other.test", "::1", True),
        ("[::1]:80", "other.test", "::1", False),
    ],
)
def test_what_is_allowed(written: str, host: str, address: str, *, passes: bool) -> None:
    """A name holds for what it resolves to, an address or a network for every name; a port narrows both."""
    said = reason(host, answers(address), Allowed.of(written))
    assert (said == address) is passes, said


@pytest.mark.parametrize("written", ["10.0.0.0/99", "host:port", "host:0", "1.2.3.4.5", "10.0.0.1/8"])
def test_what_cannot_be_allowed(written: str) -> None:
    """What is neither host nor network is said at once, with the item."""
    with pytest.raises(BadInput, match="CRAWLER_ALLOW_PRIVATE"):
        Allowed.of(f"intranet, {written}")


def test_a_request_goes_on_as_a_browser_writes_it() -> None:
    """The address loses scheme and host; the connection's own fields are not passed on; the rest is byte for byte the same."""
    raw = (
        b"GET http://Example.test:8080/a/b?c=http://d/#x HTTP/1.1\r\nHost: Example.test:8080\r\n"
        b"Proxy-Connection: keep-alive\r\nX-Odd:  two  blanks\r\nProxy-Authorization: Basic eA==\r\n\r\n"
    )
    request = Request.of(raw)
    assert (request.host, request.port, request.body) == ("example.test", 8080, 0)
    assert request.written() == (
        b"GET /a/b?c=http://d/#x HTTP/1.1\r\nHost: Example.test:8080\r\nConnection: keep-alive\r\nX-Odd:  two  blanks\r\n\r\n"
    )
    assert Request.of(b"GET http://a.test?b=/c HTTP/1.1\r\n\r\n").target == b"/?b=/c"


@pytest.mark.parametrize(
    "raw",
    [
        b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n",
        b"GET ftp://a.test/ HTTP/1.1\r\n\r\n",
        b"GET https://a.test/ HTTP/1.1\r\n\r\n",
        b"GET file:///etc/passwd HTTP/1.1\r\n\r\n",
        b"GET http:///a HTTP/1.1\r\n\r\n",
        b"GET http://a@b.test/ HTTP/1.1\r\n\r\n",
        b"GET http://a.test:99999/ HTTP/1.1\r\n\r\n",
        b"CONNECT a.test HTTP/1.1\r\n\r\n",
        b"CONNECT a.test:443/x HTTP/1.1\r\n\r\n",
        b"GET http://a.test/ HTTP/2\r\n\r\n",
        b"POST http://a.test/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST http://a.test/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"\x16\x03\x01 nothing\r\n\r\n",
    ],
)
def test_what_is_no_request_for_a_proxy(raw: bytes) -> None:
    """Only tunnels, and plain requests for whole http addresses whose length is plain."""
    with pytest.raises(Broken):
        Request.of(raw)


@pytest.mark.parametrize(
    ("raw", "method", "body", "stays"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", b"GET", 5, True),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", b"HEAD", 0, True),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n", b"GET", 5, False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n", b"GET", 5, False),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", b"GET", "chunked", True),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"GET", "until-close", False),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", b"GET", 0, True),
        (b"HTTP/1.1 204\r\n\r\n", b"GET", 0, True),
    ],
)
def test_how_long_an_answer_is(raw: bytes, method: bytes, body: int | str, *, stays: bool) -> None:
    """By RFC 9112, 6.3."""
    answer = Answer.of(raw, method)
    assert answer is not None
    assert (answer.body, answer.stays) == (body, stays)


def test_an_answer_of_unclear_length_is_not_read() -> None:
    """Two lengths: the browser is to judge, so it gets the bytes as they are."""
    assert Answer.of(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", b"GET") is None


# Through the wire.


def through(use: Callable[[Passage], Awaitable[None]], *, lookup: Any = socket.getaddrinfo, **knobs: Any) -> None:
    """One passage of a guard of its own."""

    async def run() -> None:
        guard = Guard(CrawlerSettings(_env_file=None, **knobs), lookup=lookup)
        try:
            async with guard.passage() as passage:
                await use(passage)
        finally:
            await guard.close()

    asyncio.run(run())


async def ask(passage: Passage, *requests: bytes) -> bytes:
    """Everything that comes back on one connection, until it closes."""
    host, _, port = str(passage.proxy).removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(b"".join(requests))
        return await asyncio.wait_for(reader.read(-1), 20)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def get(url: str, *fields: str) -> bytes:
    return "\r\n".join([f"GET {url} HTTP/1.1", "Host: x", *fields, "", ""]).encode()


@contextlib.contextmanager
def one_answer(answer: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """(port, what was asked) of a server that sends these bytes to everyone and closes."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection, contextlib.suppress(ConnectionError):  # who asked may have gone meanwhile
                    asked.append(connection.recv(65536))
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1], asked
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_a_page_comes_through_and_is_counted(pages: Site) -> None:
    """What the server sent arrives; requests and bytes both ways are in the traffic."""

    async def use(passage: Passage) -> None:
        said = await ask(passage, get(f"{pages}/ok", "Connection: close"))
        assert b"All is well" in said
        traffic = passage.traffic()
        assert traffic is not None
        assert (traffic.requests, traffic.refused) == (1, 0)
        assert traffic.received_bytes == len(said)
        assert 0 < traffic.sent_bytes < 200
        assert passage.incidents() == []

    through(use, allow_private="127.0.0.1")


def test_a_private_address_is_refused_without_an_answer(pages: Site) -> None:
    """Nothing comes back, nothing arrives there, and the guard knows why under every spelling of the host."""
    port, before = pages.rpartition(":")[2], len(pages.requests)

    async def use(passage: Passage) -> None:
        assert await ask(passage, get(f"http://2130706433:{port}/ok")) == b""
        assert (await ask(passage, f"CONNECT 127.1:{port} HTTP/1.1\r\n\r\n".encode())).startswith(b"HTTP/1.1 502")
        assert passage.incidents() == ["private-request-refused"]
        traffic = passage.traffic()
        assert traffic is not None
        assert (traffic.refused, traffic.received_bytes, traffic.refused_hosts) == (2, 0, (f"127.0.0.1:{port}",))
        known = passage.why(f"http://0x7f.0.0.1:{port}/other")
        assert known is not None
        assert known[0] == "refused-private-address"
        assert passage.why("http://example.test/") is None

    through(use)
    assert len(pages.requests) == before


def test_a_name_that_changes_its_mind_reaches_nothing_private(pages: Site) -> None:
    """DNS rebinding: first an allowed address, then this machine. The second answer is not even asked for, or is refused."""
    port = int(pages.rpartition(":")[2])
    given = [answers("127.0.0.1"), answers("127.0.0.2")]

    def turning(host: str, at: int, **options: object) -> list[Any]:
        lookup = given.pop(0) if len(given) > 1 else given[0]
        return list(lookup(host, at, **options))

    async def kept(passage: Passage) -> None:
        for _ in range(3):
            assert b"All is well" in await ask(passage, get(f"http://rebind.test:{port}/ok", "Connection: close"))
        assert passage.incidents() == []

    through(kept, lookup=turning, allow_private=f"127.0.0.1:{port}")

    given[:] = [answers("127.0.0.3"), answers("127.0.0.1")]

    async def asked_again(passage: Passage) -> None:
        # Nothing listens at the first address, so it is not kept.
        assert await ask(passage, get(f"http://rebind.test:{port}/ok")) == b""
        assert await ask(passage, get(f"http://rebind.test:{port}/ok")) == b""
        assert (passage.why(f"http://rebind.test:{port}/") or ("", ""))[0] == "refused-private-address"

    before = len(pages.requests)
    through(asked_again, lookup=turning, allow_private="127.0.0.3")
    assert len(pages.requests) == before


def test_why_a_server_was_not_reached() -> None:
    """A dead name and a closed port have their outcomes."""

    async def use(passage: Passage) -> None:
        await ask(passage, get(f"{closed}/"), get("http://dead.test/"))
        await ask(passage, get("http://dead.test/"))
        assert (passage.why(f"{closed}/") or ("", ""))[0] == "connection-refused"
        assert (passage.why("http://dead.test/") or ("", ""))[0] == "dns-failed"

    closed = refused()
    through(use, lookup=unknown, allow_private="127.0.0.1")


def test_two_requests_share_a_connection() -> None:
    """A server that keeps its connection open is asked again on it; a pipelined request is not lost."""

    async def use(passage: Passage) -> None:
        served: list[int] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            served.append(0)
            while await reader.readuntil(b"\r\n\r\n"):
                served[-1] += 1
                if served[-1] == 1:
                    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\none\r\n0\r\nT: railer\r\n\r\n")
                else:
                    writer.write(
                        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\ntwo"
                    )
                    writer.close()
                    return

        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
            said = await ask(passage, get(url), get(url))
        assert said.index(b"one") < said.index(b"100 Continue") < said.index(b"two")
        assert served == [2]

    through(use, allow_private="all")


@pytest.mark.parametrize(
    "answer", [b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 2xx\r\n\r\nbody", b"HTTP/1.1 200 OK\r\nX: " + b"y" * 300_000]
)
def test_what_is_not_http_is_passed_on_as_it_is(answer: bytes) -> None:
    """The browser names what is wrong, as it would without a guard."""

    async def use(passage: Passage) -> None:
        assert await ask(passage, get(f"http://127.0.0.1:{port}/")) == answer

    with one_answer(answer) as (port, _):
        through(use, allow_private="all")


def test_no_more_bytes_than_a_visit_may_receive(pages: Site) -> None:
    """A stream is cut soon after the limit; then nothing more is let through, and the reason is the limit."""

    async def use(passage: Passage) -> None:
        said = await ask(passage, get(f"{pages}/big-text"))
        assert len(said) < 1_000_000
        assert await ask(passage, get(f"{pages}/ok")) == b""
        assert passage.incidents() == ["limits-reached"]
        assert (passage.why(f"{pages}/ok") or ("", ""))[0] == "too-large"
        traffic = passage.traffic()
        assert traffic is not None
        assert 500_000 < traffic.received_bytes < 1_000_000

    through(use, allow_private="127.0.0.1", max_visit_bytes=500_000)


def test_no_more_requests_than_a_visit_may_make(pages: Site) -> None:
    """The eleventh of ten is refused."""

    async def use(passage: Passage) -> None:
        came = [await ask(passage, get(f"{pages}/ok", "Connection: close")) for _ in range(12)]
        assert [bool(c) for c in came] == [True] * 10 + [False] * 2

    through(use, allow_private="127.0.0.1", max_visit_requests=10)


def test_the_guard_is_no_way_to_itself() -> None:
    """Even where everything is allowed, a page cannot ask the guard through the guard."""

    async def use(passage: Passage) -> None:
        assert await ask(passage, get(f"{passage.proxy}/")) == b""
        port = str(passage.proxy).rpartition(":")[2]
        for same in ("0.0.0.0", "[::ffff:127.0.0.1]"):  # noqa: S104 - asked, not opened
            assert await ask(passage, get(f"http://{same}:{port}/")) == b""

    through(use, allow_private="all")


@pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.2 is there on Linux alone")
def test_a_port_of_the_same_number_elsewhere_is_not_the_guards() -> None:
    """A server at another address of this machine may have the very port that the guard has at its own."""

    async def use(passage: Passage) -> None:
        port = int(str(passage.proxy).rpartition(":")[2])

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(answer, "127.0.0.2", port):
            assert (await ask(passage, get(f"http://127.0.0.2:{port}/", "Connection: close"))).endswith(b"ok")

    through(use, allow_private="all")


def test_connections_end_with_the_passage(pages: Site) -> None:
    """A tunnel that is open, and a request that is never answered, are over when the visit is."""

    async def run() -> None:
        guard = Guard(CrawlerSettings(_env_file=None), allow_private=True)
        host = pages.removeprefix("http://")
        async with guard.passage() as passage:
            at, _, port = str(passage.proxy).removeprefix("http://").partition(":")
            tunnel, one = await asyncio.open_connection(at, int(port))
            one.write(f"CONNECT {host} HTTP/1.1\r\n\r\n".encode())
            assert b" 200 " in await tunnel.readuntil(b"\r\n\r\n")
            waiting, two = await asyncio.open_connection(at, int(port))
            two.write(get(f"{pages}/slow-headers"))
            await two.drain()
        for reader in (tunnel, waiting):
            with contextlib.suppress(ConnectionError):
                assert await asyncio.wait_for(reader.read(), 20) == b""
        one.close()
        two.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(at, int(port))
        await guard.close()

    asyncio.run(run())


@pytest.mark.parametrize("stops", [0, 1, 2, 3])
def test_nothing_stays_open_when_a_visit_is_stopped(pages: Site, stops: int) -> None:
    """However often a visit is told to stop, even while it closes its passage: no connection outlives the guard.

    One waits for an answer that never comes, one has a browser that does not read what is left of an answer that has ended.
    """
    large = b"HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\nConnection: close\r\n\r\n" + bytes(9_000_000)

    async def run(port: int) -> None:
        guard, at_work, held = Guard(CrawlerSettings(_env_file=None), allow_private=True), asyncio.Event(), []

        async def visit() -> None:
            async with guard.passage() as passage:
                at, _, way = str(passage.proxy).removeprefix("http://").partition(":")
                for url in (f"{pages}/slow-headers", f"http://127.0.0.1:{port}/"):
                    held.append(browser := socket.create_connection((at, int(way))))
                    browser.sendall(get(url))
                assert await asyncio.to_thread(held[1].recv, 9) == b"HTTP/1.1 "
                at_work.set()
                await asyncio.Event().wait()

        visiting = asyncio.create_task(visit())
        await at_work.wait()
        for _ in range(stops):
            visiting.cancel()
            await asyncio.sleep(0)
        await guard.close()
        visiting.cancel()
        await asyncio.gather(visiting, return_exceptions=True)
        for browser in held:
            browser.close()

    with one_answer(large) as (port, _), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        asyncio.run(run(port))
        gc.collect()
    assert [str(warning.message) for warning in warned] == []


def test_without_a_guard_nothing_is_in_between() -> None:
    """CRAWLER_GUARD=off: no proxy, and nobody says that they counted."""

    async def use(passage: Passage) -> None:
        assert (passage.proxy, passage.traffic(), passage.why("http://10.0.0.1/")) == (None, None, None)

    through(use, guard="off")
