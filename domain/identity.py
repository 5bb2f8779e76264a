"""The element that a pair belongs to, over time: one name for it at every visit (docs/decisions/0009-probe-identity.md)."""

from __future__ import annotations

import hashlib
import json
from urllib.parse import urlsplit

import regex

from domain.divergence import Finding
from domain.text import tokens

DIGITS = 24
"""Hex digits of an element's name."""

# A name that a person gave. One with digits, or of a framework's own making (":r1:", "_r_a_", "ember321"), counts elements or
# visits: on the next visit another element may have it.
_GIVEN_ID = regex.compile(r"\p{L}[\p{L}\p{M}_.-]{1,63}")
_MADE_ID = regex.compile(r"(?:^|[-_])_[rR]_\w*_")
_ROW_PLACE = regex.compile(r"(.*(?:^|> )(?:tr|li)):nth-child\(\d+\)(?= > |$)", regex.DOTALL)
_LETTER, _DIGIT = regex.compile(r"\p{L}"), regex.compile(r"\p{N}")
# As the store writes it: whoever reads a value back gets the same name.
_UNWRITABLE = regex.compile(r"[\x00\p{Cs}]")


def writable(text: str) -> str:
    """The text with U+FFFD for what neither UTF-8 nor a database can hold: NUL, and half of a surrogate pair."""
    return _UNWRITABLE.sub("\ufffd", text)


def digest(*parts: str) -> str:
    """SHA-256 of the parts in this order, 64 hex digits."""
    return hashlib.sha256(json.dumps([writable(part) for part in parts]).encode()).hexdigest()


def page_of(url: str) -> str:
    """The address without its fragment, host in lower case. A fragment that is a route ("#/cart", "#!cart") is another page."""
    try:
        parts = urlsplit(url)
    except ValueError:  # e.g. a bracket that does not close; a visit to such an address has an outcome too
        return url
    fragment = parts.fragment if parts.fragment[:1] in {"/", "!"} else ""
    return parts._replace(netloc=parts.netloc.lower(), path=parts.path or "/", fragment=fragment).geturl()


def tag_of(path: str) -> str:
    """The tag of the element at a path."""
    return path.rpartition(" >>> ")[2].rpartition(" > ")[2].partition(":")[0]


def given_id(element_id: str | None) -> bool:
    """Whether an id attribute is one that stays: without digits, and not made by a framework."""
    return element_id is not None and _GIVEN_ID.fullmatch(element_id) is not None and not _MADE_ID.search(element_id)


def words_of(text: str | None) -> str:
    """The words of a text, without numbers and symbols: what stays where a counter counts."""
    return " ".join(t for t in tokens(writable(text or "")) if _LETTER.search(t) and not _DIGIT.search(t))


def element_of(site: str, url: str, finding: Finding) -> str:
    """Names the element that a finding is of, the same at every visit: 24 hex digits.

    Known by site, page and kind, and by its id attribute where a person gave it; else by its place and by the words of
    its structural value, so that what stands at that place next time is not taken for it. In a table row or list item
    that is known by its words, by these in place of the row's position. In doubt another name: that makes two short
    histories, where a wrong one would make a false one.
    """
    path = writable(finding.path)
    row = writable(finding.row or "")
    if given_id(finding.element_id):
        frame = path.rpartition(" >>> ")[0]
        where = [frame, tag_of(path), finding.element_id or "", row]
    elif row:
        where = [_ROW_PLACE.sub(r"\1", path), "", "", row]
    else:
        where = [path, "", "", words_of(finding.structural)]
    return digest(site, page_of(url), finding.kind, *where)[:DIGITS]
