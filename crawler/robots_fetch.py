"""robots_fetch: asks a server for its robots.txt, through the guard, and says what that came to. Bounded in time and bytes."""

from __future__ import annotations

import asyncio
import socket
import ssl
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from http import HTTPStatus
from urllib.parse import urlsplit

import httpx2

from crawler.addresses import private_reason
from crawler.arrive import Ended
from crawler.guard.allowed import Allowed
from crawler.guard.find import Unreached, find
from crawler.robots import decoded, is_page
from domain.hosts import USUAL_PORTS, retry_after
from domain.robots import Answer
from domain.visit import Outcome

LIMIT = 512_000
"""Bytes that are read, after unpacking: 500 KiB, as RFC 9309, 2.5 asks for at least. What is behind them does not count."""
REDIRECTS = 5
"""How many are followed, to other hosts too (RFC 9309, 2.3.1.2)."""
ENCODINGS = {"gzip": 31, "x-gzip": 31, "deflate": 47}
"""Content encodings, by zlib's window bits; we ask for none, but some send them all the same."""
Why = Callable[[str], tuple[Outcome, str] | None]


@dataclass(frozen=True, slots=True)
class Asking:
    """How a robots.txt is asked for."""

    agent: str
    limit_s: float
    """For all of it, redirects included."""
    proxy: str | None = None
    why: Why | None = None
    """What the guard says of an address that it did not connect to; null: there is no guard."""


async def fetch(origin: str, asking: Asking) -> Answer:
    """What the origin (scheme://host:port) answers.

    Raises Ended, with the outcome a visit would have, where its host cannot be connected to at all: then there is
    nothing to visit either.
    """
    url = f"{origin}/robots.txt"
    try:
        async with asyncio.timeout(asking.limit_s), _client(asking) as client:
            return await _followed(client, url, asking)
    except TimeoutError:
        said = asking.why(url) if asking.why else None
        if said:
            raise Ended(*said) from None
        return Answer("unreachable", f"no robots.txt within {asking.limit_s:g} s")


async def _followed(client: httpx2.AsyncClient, url: str, asking: Asking) -> Answer:
    first = url
    for _ in range(REDIRECTS + 1):
        if not asking.proxy and url != first and (reason := await _led_astray(first, url)):
            return Answer("unreachable", f"its robots.txt leads to {url}: {reason}")
        try:
            answer, target = await _asked(client, url)
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError, UnicodeError) as error:
            outcome, reason = (asking.why(url) if asking.why else None) or _meaning(error)
            if url == first and outcome is not None:
                raise Ended(outcome, f"{reason} (asking for robots.txt)") from error
            return Answer("unreachable", f"{url}: {reason}")
        # The guard answers in the server's place where it does not connect: that is no answer of the site's.
        if (answer is None or answer.state != "rules") and asking.why and (said := asking.why(url)):
            if url == first:
                raise Ended(*said)
            return Answer("unreachable", f"its robots.txt leads to {url}: {said[1]}")
        if target is None:
            assert answer is not None  # noqa: S101 - one of the two is there
            return answer
        url = target
    return Answer("none", f"more than {REDIRECTS} redirects in place of a robots.txt")


async def _asked(client: httpx2.AsyncClient, url: str) -> tuple[Answer | None, str | None]:
    """One request: what it says, or where it leads."""
    async with client.stream("GET", url) as response:
        status = response.status_code
        now = datetime.now(UTC)
        if response.is_redirect:
            target = str(response.url.join(response.headers["location"]))
            if urlsplit(target).scheme not in USUAL_PORTS:
                return Answer("none", f"a redirect to {target[:80]} in place of a robots.txt"), None
            return None, target
        if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            again = retry_after(response.headers.get("retry-after"), now)
            return Answer("unreachable", f"HTTP {status} for robots.txt", keep=again), None
        if not response.is_success:
            return Answer("none", f"HTTP {status} for robots.txt", keep=_max_age(response)), None
        read = await _read(response)
    if read is None:
        return Answer("unreadable", "robots.txt came in an encoding that we cannot read"), None
    content, cut = read
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if is_page(content, media_type):
        return Answer("unreadable", f"a page came in place of robots.txt ({media_type or 'of no type'})"), None
    text = decoded(content, cut=cut)
    return Answer("rules", f"HTTP {status}" + (f", cut at {LIMIT} bytes" if cut else ""), text, _max_age(response)), None


async def _read(response: httpx2.Response) -> tuple[bytes, bool] | None:
    """What came, unpacked, LIMIT bytes at most, and whether there was more. None where it cannot be unpacked."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in {"", "identity", *ENCODINGS}:
        return None
    unpack = zlib.decompressobj(ENCODINGS[encoding]) if encoding in ENCODINGS else None
    content = bytearray()
    try:
        async for piece in response.aiter_raw(65_536):
            # Never more than there is room for, however much a few bytes unfold to.
            content += unpack.decompress(piece, LIMIT + 1 - len(content)) if unpack else piece
            if len(content) > LIMIT:
                return bytes(content[:LIMIT]), True
    except zlib.error:
        return None
    return bytes(content), unpack is not None and not unpack.eof


def _max_age(response: httpx2.Response) -> timedelta | None:
    """What Cache-Control says; null for nothing (RFC 9111, 5.2.2)."""
    for directive in response.headers.get("cache-control", "").lower().split(","):
        name, _, value = directive.strip().partition("=")
        value = value.strip('" ')
        if name in {"no-store", "no-cache"}:
            return timedelta(0)
        if name == "max-age" and value.isascii() and value.isdigit():
            return timedelta(seconds=min(int(value[:12]), 10**9))
    return None


async def _led_astray(first: str, url: str) -> str | None:
    """Without a guard: why a public site's robots.txt must not be looked for there."""
    parts, home = urlsplit(url), urlsplit(first).hostname or ""
    if parts.hostname == home or private_reason(home):
        return None
    try:
        await find(parts.hostname or "", parts.port or USUAL_PORTS[parts.scheme], Allowed())
    except Unreached as error:
        return error.reason
    return None


def _meaning(error: Exception) -> tuple[Outcome | None, str]:
    """The outcome that this failure is for a visit, null where only the asking failed; and a sentence."""
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    said = f"{type(error).__name__}: {error}".rstrip(": ")
    kinds: tuple[tuple[type[BaseException], Outcome], ...] = (
        (socket.gaierror, "dns-failed"),
        (ConnectionRefusedError, "connection-refused"),
        (ssl.SSLError, "tls-failed"),
        (httpx2.ConnectTimeout, "timeout"),
        # What is there speaks no HTTP, or hangs up: a browser would not get further.
        (httpx2.RemoteProtocolError, "connection-failed"),
        (httpx2.ReadError, "connection-failed"),
    )
    for kind, outcome in kinds:
        if any(isinstance(one, kind) for one in chain):
            return outcome, said
    return ("connection-failed" if isinstance(error, (httpx2.ConnectError, httpx2.ProxyError)) else None), said


def _client(asking: Asking) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        headers={"User-Agent": asking.agent, "Accept": "text/plain,*/*;q=0.5", "Accept-Encoding": "identity"},
        proxy=asking.proxy,
        verify=_certificates(),
        timeout=asking.limit_s,
        follow_redirects=False,
        trust_env=False,
    )


@cache
def _certificates() -> ssl.SSLContext:
    """Read once: it takes tens of ms."""
    return httpx2.create_ssl_context(trust_env=False)
