"""heads: requests and answers as HTTP/1.1 writes them, changed only in what belongs to one connection (RFC 9112)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from crawler.guard.wire import Broken

# Of one connection, not of the message; a proxy does not pass them on (RFC 9110, 7.6.1).
HOP = frozenset({b"connection", b"proxy-connection", b"keep-alive", b"proxy-authorization", b"proxy-authenticate", b"upgrade"})
TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
NO_BODY = frozenset({204, 304})

Body = int | Literal["chunked", "until-close"]


@dataclass(frozen=True, slots=True)
class Head:
    """The first line, and (lower-case name, the line as it came) of each field, folded lines with the one they belong to."""

    first: bytes
    fields: tuple[tuple[bytes, bytes], ...]

    @classmethod
    def of(cls, raw: bytes) -> Head:
        first, *lines = re.split(rb"\r?\n", raw.rstrip(b"\r\n"))
        fields: list[tuple[bytes, bytes]] = []
        for line in lines:
            if line[:1] in {b" ", b"\t"} and fields:
                fields[-1] = fields[-1][0], fields[-1][1] + b"\r\n" + line
            else:
                fields.append((line.partition(b":")[0].strip().lower(), line))
        return cls(first, tuple(fields))

    def values(self, name: bytes) -> list[bytes]:
        """The values of a field, those of lists one by one, lower-case."""
        lines = [line.partition(b":")[2] for its, line in self.fields if its == name]
        return [value.strip().lower() for line in lines for value in line.split(b",")]

    def write(self, first: bytes, connection: bytes | None) -> bytes:
        """The head with another first line, and with a Connection field for this connection where the old one stood.

        None: where there was no such field, there is none.
        """
        named = {*HOP, *(v for v in self.values(b"connection") if v not in {b"close", b"keep-alive"})}
        place = next((n for n, (name, _) in enumerate(self.fields) if name in {b"connection", b"proxy-connection"}), None)
        lines = [first]
        for number, (name, line) in enumerate(self.fields):
            if number == place:
                lines.append(b"Connection: " + (connection or b"keep-alive"))
            elif name not in named:
                lines.append(line)
        if place is None and connection:
            lines.append(b"Connection: " + connection)
        return b"\r\n".join(lines) + b"\r\n\r\n"

    def length(self) -> int | None:
        """Raises Broken where lengths contradict one another."""
        lengths = set(self.values(b"content-length"))
        if not lengths:
            return None
        if len(lengths) > 1 or not (text := lengths.pop()).isdigit():
            raise Broken
        return int(text)


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `target` is what the server is asked for; empty for a tunnel."""

    method: bytes
    host: str
    port: int
    target: bytes
    head: Head
    body: Body

    @classmethod
    def of(cls, raw: bytes) -> Request:
        """Raises Broken for what is neither a tunnel nor a request for an absolute http address."""
        head = Head.of(raw)
        try:
            method, address, version = head.first.split(b" ")
            if not TOKEN.fullmatch(method) or not version.startswith(b"HTTP/1."):
                raise Broken
            text = address.decode("ascii")
            if method == b"CONNECT":
                parts = urlsplit(f"//{text}")
                if parts.hostname is None or parts.port is None or parts.netloc != text:
                    raise Broken
                return cls(method, parts.hostname, parts.port, b"", head, "until-close")
            parts = urlsplit(text)
            if parts.scheme != "http" or not parts.hostname or "@" in parts.netloc:
                raise Broken
            after = re.search(rb"[/?#]", address[len(b"http://") :])
            target = address[len(b"http://") + after.start() :] if after else b"/"
            target = target if target.startswith(b"/") else b"/" + target
            chunked, length = head.values(b"transfer-encoding"), head.length()
            if (chunked and length is not None) or (chunked and chunked != [b"chunked"]):
                raise Broken
            port = 80 if parts.port is None else parts.port
            return cls(method, parts.hostname, port, target, head, "chunked" if chunked else length or 0)
        except (ValueError, UnicodeDecodeError) as error:
            raise Broken from error

    @property
    def tunnel(self) -> bool:
        return self.method == b"CONNECT"

    @property
    def last(self) -> bool:
        """Whether the browser wants no other request on this connection."""
        return b"close" in {*self.head.values(b"connection"), *self.head.values(b"proxy-connection")}

    def written(self) -> bytes:
        """As it goes to the server: the way a browser without a proxy writes it."""
        return self.head.write(b" ".join((self.method, self.target, b"HTTP/1.1")), b"close" if self.last else b"keep-alive")


@dataclass(frozen=True, slots=True)
class Answer:
    """The head of an answer."""

    status: int
    head: Head
    body: Body
    stays: bool
    """Whether the server keeps the connection open for another request."""

    @classmethod
    def of(cls, raw: bytes, method: bytes) -> Answer | None:
        """None for a head that does not say clearly what follows it."""
        head = Head.of(raw)
        found = re.match(rb"HTTP/(\d)\.(\d)[ \t]+(\d{3})", head.first)
        if found is None:
            return None
        status = int(found[3])
        coding = head.values(b"transfer-encoding")
        body: Body
        if method == b"HEAD" or status in NO_BODY or 100 <= status < 200:  # noqa: PLR2004 - HTTP's own numbers
            body = 0
        elif coding:
            body = "chunked" if coding[-1] == b"chunked" else "until-close"
        else:
            try:
                length = head.length()
            except Broken:
                return None
            body = "until-close" if length is None else length
        connection = head.values(b"connection")
        new = (found[1], found[2]) >= (b"1", b"1")
        stays = body != "until-close" and b"close" not in connection and (new or b"keep-alive" in connection)
        return cls(status, head, body, stays)

    def written(self) -> bytes:
        return self.head.write(self.head.first, None if self.stays else b"close")
