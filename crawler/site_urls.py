"""URLs in a site list: what is wrong with one, when two are the same page, and a name for one that has none."""

from __future__ import annotations

import hashlib
import re
from urllib.parse import SplitResult, urlsplit

from crawler.addresses import literal_address
from crawler.site_rows import Complaint, show
from domain.hosts import USUAL_PORTS

# Schemes that are written without "//"; others without it are hosts with a port, such as example.test:8080.
BARE_SCHEMES = {
    "about",
    "blob",
    "chrome",
    "data",
    "file",
    "ftp",
    "http",
    "https",
    "javascript",
    "mailto",
    "view-source",
}
HOST_CHARACTERS = 253  # RFC 1035
LABEL_CHARACTERS = 63
NAME_CHARACTERS = 64

LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?")


def scheme_of(url: str) -> str | None:
    """The scheme, lower case; None where there is none, as in example.test:8080/x."""
    found = re.match(r"([a-z][a-z0-9+.-]*):(//)?", url, re.IGNORECASE)
    if found and (found[2] or found[1].lower() in BARE_SCHEMES):
        return found[1].lower()
    return None


def with_scheme(url: str) -> str:
    """https:// before a bare host, and the root's slash after it; whatever has a scheme is left alone."""
    if scheme_of(url):
        return url
    url = "https://" + url.removeprefix("//")
    return url if re.search(r"[/?#]", url.removeprefix("https://")) else url + "/"


def url_complaint(url: str) -> Complaint | None:
    """What keeps this URL from being visited, by its text alone; the first fault that is found."""
    if found := _text_complaint(url) or _scheme_complaint(url):
        return found
    try:
        parts = urlsplit(url)
    except ValueError:
        return Complaint("has a malformed host", 'Write "https://host/path"; an IPv6 address goes in brackets.')
    return _authority_complaint(parts) or _host_complaint(parts.hostname or "")


def normal_url(url: str) -> str:
    """The same text for valid URLs of one page: case of scheme and host, usual port and root slash aside.

    A fragment counts: applications keep their pages behind it (#/orders, #scalars).
    """
    parts = urlsplit(url)
    host = _ascii(parts.hostname or "").removesuffix(".")
    port = "" if parts.port in (None, USUAL_PORTS.get(parts.scheme)) else f":{parts.port}"
    query = f"?{parts.query}" if parts.query else ""
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return f"{parts.scheme}://{host}{port}{parts.path or '/'}{query}{fragment}"


def name_of(url: str, taken: set[str]) -> str:
    """A slug made of a URL's host and path. Where that is taken or too long, six hex digits of its SHA-256 make it
    unique, so that a name depends on the URL and not on the order of the list as far as can be."""
    bare = re.sub(r"^[a-z]+://(www\.)?", "", url.lower()).partition("#")[0]
    name = re.sub(r"[^a-z0-9]+", "-", bare).strip("-")
    if not name or name in taken or len(name) > NAME_CHARACTERS:
        mark = hashlib.sha256(url.encode(errors="replace")).hexdigest()[:6]
        name = f"{name[: NAME_CHARACTERS - 7].strip('-')}-{mark}".lstrip("-")
    return name


def _text_complaint(url: str) -> Complaint | None:
    if not url.strip():
        return Complaint("is blank", 'Write a URL such as "https://example.test/".')
    if any(c.isspace() for c in url):
        return Complaint("has a space in it", "Cut it, or write %20 for it.")
    if not url.isprintable():
        return Complaint("has an unprintable character in it", "Cut it, or percent-encode it.")
    if "\\" in url:
        return Complaint("has a backslash in it", "Write / instead, or %5C for it.")
    return None


def _scheme_complaint(url: str) -> Complaint | None:
    scheme = scheme_of(url)
    if scheme is None:
        return Complaint("has no scheme", f"Write {show(with_scheme(url))}.")
    if scheme not in USUAL_PORTS:
        return Complaint(f'has the scheme "{scheme}"', "Only http and https pages are visited.")
    return None


def _authority_complaint(parts: SplitResult) -> Complaint | None:
    if "@" in parts.netloc:
        return Complaint("has credentials in it", "Cut them: sites are visited logged out.")
    if not parts.hostname:
        return Complaint("has no host", 'Write "https://host/path".')
    written = parts.netloc.rpartition("]")[2].partition(":")
    try:
        good = not written[1] or (written[2].isascii() and written[2].isdigit() and bool(parts.port))
    except ValueError:  # beyond 65535
        good = False
    return None if good else Complaint("has a bad port", "A port is a number from 1 to 65535; leave it out for the usual.")


def _host_complaint(host: str) -> Complaint | None:
    try:
        if literal_address(host) is not None:
            return None
    except ValueError:
        return Complaint("has a malformed address for a host", "An IPv4 address is four numbers from 0 to 255.")
    remedy = "Write the host as the browser's address bar shows it."
    try:
        labels = _ascii(host).removesuffix(".").split(".")
        for label in labels:
            # Python's own IDNA is of 2003 and refuses good names of 2008, so only the encoding is tried here.
            label.removeprefix("xn--").encode().decode("punycode" if label.startswith("xn--") else "ascii")
    except UnicodeError:
        return Complaint("has a host that is no valid (internationalised) name", remedy)
    fits = all(LABEL.fullmatch(label) and len(label) <= LABEL_CHARACTERS for label in labels)
    if fits and len(".".join(labels)) <= HOST_CHARACTERS:
        return None
    return Complaint("has a host that is no valid name", remedy)


def _ascii(host: str) -> str:
    """Punycode for a name in other scripts; ASCII as it is. Raises UnicodeError for what cannot be a name."""
    return host.lower() if host.isascii() else host.encode("idna").decode("ascii").lower()
