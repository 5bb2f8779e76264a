"""What an entry of the take-down list covers: a host with all its subdomains, or every address that begins as it does."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from domain.errors import BadInput
from domain.hosts import USUAL_PORTS, host_key


@dataclass(frozen=True, slots=True)
class Covered:
    """A host (path empty) with its subdomains, or the part of one host whose addresses begin with path."""

    host: str
    port: int | None = None
    """Only with a path, and only where it was given: without it, every port."""
    path: str = ""
    """Decoded, with its query; compared letter by letter, so /jane covers /jane, /jane/x and /janet."""

    def __str__(self) -> str:
        port = f":{self.port}" if self.port else ""
        return f"{self.host}{port}{self.path}"


def read_covered(text: str) -> Covered:
    """The entry that a person wrote: `shop.example`, or `https://shop.example/u/jane`.

    A URL without a path is its whole host. The scheme does not count. Raises BadInput.
    """
    written = text.strip()
    url = written if re.match(r"[a-z][a-z0-9+.-]*://", written, re.IGNORECASE) else f"https://{written}"
    try:
        parts = urlsplit(url)
        host, port = host_key("" if "@" in parts.netloc else parts.hostname or ""), parts.port
    except ValueError:
        host, port = "", None
    if _bad(host, url):
        raise BadInput(f'{text!r} is neither a host nor a URL. Write "shop.example" or "https://shop.example/u/jane".')
    path = _path(url)
    if path == "/":
        return Covered(host)
    return Covered(host, None if port == USUAL_PORTS.get(parts.scheme.lower()) else port, path)


def _bad(host: str, url: str) -> bool:
    """Whether this is no host that a visit could have gone to."""
    scheme = url.partition("://")[0].lower()
    return not host or scheme not in USUAL_PORTS or bool(re.search(r"[\s*/\\%]", host)) or host.startswith(".")


def hosts_above(host: str) -> tuple[str, ...]:
    """The host and all names it is a subdomain of: a.b.c, b.c, c. An address is only itself."""
    if ":" in host or re.fullmatch(r"[0-9.]+", host):
        return (host,)
    labels = host.split(".")
    return tuple(".".join(labels[n:]) for n in range(len(labels)))


def covers(entry: Covered, url: str) -> bool:
    """Whether the entry covers this address. False for what is no address."""
    try:
        parts = urlsplit(url)
        host, port = host_key(parts.hostname or ""), parts.port
    except ValueError:
        return False
    if not entry.path:
        return entry.host in hosts_above(host)
    port = port or USUAL_PORTS.get(parts.scheme.lower())
    if entry.host != host or (entry.port is not None and entry.port != port):
        return False
    return _path(url).startswith(entry.path)


def _path(url: str) -> str:
    """Path and query as compared: escapes decoded, dots resolved, no fragment. At least "/"."""
    parts = urlsplit(url)
    steps: list[str] = []
    segments = unquote(parts.path, errors="replace").split("/")[1:]
    for segment in segments:
        # As a browser does before it asks: /a/../b is /b, however the dots are written.
        if segment == "..":
            del steps[-1:]
        elif segment != ".":
            steps.append(segment)
    if segments and segments[-1] in {".", ".."}:
        steps.append("")
    path = "/" + "/".join(steps)
    return f"{path}?{unquote(parts.query, errors='replace')}" if parts.query else path
