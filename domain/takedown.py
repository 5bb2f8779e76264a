"""What an entry of the take-down list covers: a host with all its subdomains, or every address that begins as it does.

A port that is written counts, with a path or without; where none is written, every port is meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from urllib.parse import SplitResult, unquote, urlsplit

import idna

from domain.errors import BadInput
from domain.hosts import USUAL_PORTS, host_key
from domain.pasted import fault_of, is_unseen, may_end, unwrapped

WRITE = 'Write "shop.example" or "https://shop.example/u/jane".'
MOST_IN_A_NAME = 253
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Covered:
    """A host (path empty) with its subdomains, or the part of one host whose addresses begin with path."""

    host: str
    port: int | None = None
    """As it was given; null: every port."""
    path: str = ""
    """Decoded, with its query; compared letter by letter, so /jane covers /jane, /jane/x and /janet."""

    def __str__(self) -> str:
        """As a person writes it: `shop.example`, `[::1]:8080`, `shop.example/u/jane`. Read again, it is the same entry."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}{'' if self.port is None else f':{self.port}'}{_escaped(self.path)}"

    @property
    def said(self) -> str:
        """The same as a sentence has it: `shop.example with its subdomains, every port`."""
        what = f"{replace(self, port=None)}"
        if self.path:
            what = f"all that begins with {what}"
        elif not _is_address(self.host):
            what += " with its subdomains"
        return f"{what}, {'every port' if self.port is None else f'port {self.port} only'}"


def read_covered(text: str) -> Covered:
    """The entry that a person wrote or pasted: `shop.example`, `<https://shop.example/u/jane>,`.

    A URL without a path is its whole host, or that port of it. The scheme does not count. Of what is around it nothing is
    left (domain/pasted.py). Raises BadInput for what is not surely an address that can be visited: an entry of it would be
    kept, and cover nothing.
    """
    written = unwrapped(text)
    url = written if re.match(r"[a-z][a-z0-9+.-]*://", written, re.IGNORECASE) else f"https://{written}"
    try:
        parts = urlsplit(url)
        host, port = _host(parts), parts.port
    except ValueError:
        host, port = "", None
    if fault := fault_of(written) if written else None:
        raise BadInput(f"{text!r} is neither a host nor a URL: it holds {fault}. {WRITE}")
    if not host or port == 0 or parts.scheme not in USUAL_PORTS:
        raise BadInput(f"{text!r} is neither a host nor a URL. {WRITE}")
    path = _path(url)
    return Covered(host, port, "" if path == "/" else path)


def _host(parts: SplitResult) -> str:
    """Its key; empty where no visit can have gone to such a host."""
    if "@" in parts.netloc:
        return ""
    given = "".join(one for one in parts.hostname or "" if not is_unseen(one) or one in "\u200c\u200d")
    host = host_key(given)
    if ":" in host:
        return host
    # What looks like a dash, a bullet or a quote would be encoded too: of other scripts only letters and digits count.
    if not given.isascii() and idna.encode(given, uts46=True).decode().removesuffix(".") != host:
        return ""
    labels = host.split(".")
    named = all(_LABEL.fullmatch(label) for label in labels) and "_" not in labels[-1]
    return host if named and len(host) <= MOST_IN_A_NAME else ""


def hosts_above(host: str) -> tuple[str, ...]:
    """The host and all names it is a subdomain of: a.b.c, b.c, c. An address is only itself."""
    if _is_address(host):
        return (host,)
    labels = host.split(".")
    return tuple(".".join(labels[n:]) for n in range(len(labels)))


def _is_address(host: str) -> bool:
    return ":" in host or bool(re.fullmatch(r"[0-9.]+", host))


@dataclass(frozen=True, slots=True)
class Place:
    """An address as entries are compared with it. The store keeps it for each site, and says in SQL what `covers` says."""

    above: tuple[str, ...]
    """Its host, then all names that this is a subdomain of."""
    port: int | None
    """The usual one of its scheme where none is given; null: the scheme has none."""
    path: str
    """As in Covered."""


def place_of(url: str) -> Place | None:
    """Where this address is; None for what is no address."""
    try:
        parts = urlsplit(url)
        host, port = host_key(parts.hostname or ""), parts.port
    except ValueError:
        return None
    return Place(hosts_above(host), port or USUAL_PORTS.get(parts.scheme.lower()), _path(url))


def covers(entry: Covered, url: str) -> bool:
    """Whether the entry covers this address. False for what is no address."""
    place = place_of(url)
    if place is None:
        return False
    if entry.port is not None and entry.port != place.port:
        return False
    if not entry.path:
        return entry.host in place.above
    return entry.host == place.above[0] and place.path.startswith(entry.path)


def _path(url: str) -> str:
    """Path and query as compared: escapes decoded, dots resolved, no fragment. At least "/".

    With U+FFFD for what the store cannot hold, so that an entry covers the same before and after it was stored.
    """
    parts = urlsplit(url)
    steps: list[str] = []
    segments = unquote(parts.path.replace("\\", "/"), errors="replace").split("/")[1:]
    for segment in segments:
        # As a browser does before it asks: /a/../b is /b, however the dots are written.
        if segment == "..":
            del steps[-1:]
        elif segment != ".":
            steps.append(segment)
    if segments and segments[-1] in {".", ".."}:
        steps.append("")
    path = "/" + "/".join(steps)
    return _UNSTORABLE.sub("\ufffd", f"{path}?{unquote(parts.query, errors='replace')}" if parts.query else path)


def _escaped(path: str) -> str:
    """With escapes for what would be read as something else; all other letters as they are."""
    text = "".join(_as_escape(one) if one in "%#\\" or fault_of(one) else one for one in path)
    end = len(text)
    while end and not may_end(text[end - 1]):
        end -= 1
    return text[:end] + "".join(map(_as_escape, text[end:]))


def _as_escape(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())
