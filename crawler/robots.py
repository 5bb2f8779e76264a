"""robots: what a robots.txt says to us. Bytes into rules, rules into an answer; no network here (robots_fetch) and no clock.

RFC 9309, through Protego. What Protego is given is put in order first, so that an encoding, a byte-order mark or another
crawler's version number hides no ban, and a hostile file costs no more than its length.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from urllib.parse import urlsplit

from protego import Protego

from crawler.settings import CrawlerSettings
from domain.hosts import USUAL_PORTS

LONGEST_DELAY_S = 86_400.0
"""A longer crawl-delay counts as a day."""
OTHERS = "0"
"""Stands for all crawlers that are neither we nor "*"; part of no crawler's name that has letters only."""
# Longest first: UTF-32's mark begins as UTF-16's does.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
TOLD_BY = 512  # bytes at the beginning that tell an encoding, or a page
AGENT_LINE = re.compile(r"\s*user(?:-|\s*)agent\s*(?::|\s)\s*(?P<names>.*?)\s*", re.IGNORECASE)
RULE_LINE = re.compile(r"^\s*(?:user(?:-|\s*)agent|dis?allow|allow|crawl-delay|sitemap)\s*:", re.IGNORECASE | re.MULTILINE)
TOKEN = re.compile(r"[A-Za-z_-]+")


@dataclass(frozen=True, slots=True)
class Rules:
    """What one robots.txt says to one crawler."""

    token: str
    _parsed: Protego

    def allows(self, url: str) -> bool:
        """Whether this address may be visited; its path and query are asked for."""
        return self._parsed.can_fetch(url.encode(errors="replace").decode(), self.token)

    @property
    def delay_s(self) -> float:
        """Seconds between two visits that it asks for, by Crawl-delay or Request-rate, whichever is longer; 0 for none."""
        rate = self._parsed.request_rate(self.token)
        asked = max(self._parsed.crawl_delay(self.token) or 0, rate.seconds / rate.requests if rate else 0)
        return min(asked, LONGEST_DELAY_S)


@lru_cache(maxsize=32)
def rules_of(text: str, token: str) -> Rules:
    """The rules for the crawler with this product token. May take a second for the longest of files: not in the event loop."""
    return Rules(token, Protego.parse("\n".join(_ordered(line, token) for line in re.split(r"\r\n|\r|\n", text))))


def token_of(settings: CrawlerSettings) -> str:
    """The name that robots.txt is asked for: the first word of our user agent, before its version."""
    found = TOKEN.match(settings.user_agent_suffix.strip())
    return found[0] if found else "Parallax"


def origin_of(url: str) -> str:
    """scheme://host:port, lower case: what one robots.txt counts for. Raises ValueError for a malformed address."""
    parts = urlsplit(url)
    scheme, host = parts.scheme.lower(), (parts.hostname or "").lower()
    host = f"[{host}]" if ":" in host else host
    return f"{scheme}://{host}:{parts.port or USUAL_PORTS.get(scheme, 0)}"


def decoded(content: bytes, *, cut: bool = False) -> str:
    """The text of a robots.txt, whatever its encoding. cut: the end is missing, so the last line is left out.

    Half a line is another rule: of `Allow: /public` it may leave `Allow: /`.
    """
    encoding = next((name for mark, name in MARKS if content.startswith(mark)), None) or _unmarked(content)
    text = content.decode(encoding, errors="replace").replace("\x00", "")
    # More than one mark, and one that was taken for Latin-1 and encoded again: both are met with.
    text = re.sub("^(?:\ufeff|\u00ef\u00bb\u00bf)+", "", text)
    if cut:
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1]
    return text


def is_page(content: bytes, media_type: str) -> bool:
    """Whether a page (or a picture, or JSON) came in place of a robots.txt.

    By its first sign; and by its media type, unless there are rules in it all the same: what is banned in a file of the wrong
    type is banned.
    """
    begin = decoded(content[:TOLD_BY]).lstrip()
    if begin.startswith("<"):
        return True
    plain = media_type in {"", "text/plain", "application/octet-stream", "text/robots", "text/robots.txt"}
    return bool(begin) and not plain and not RULE_LINE.search(decoded(content))


def _unmarked(content: bytes) -> str:
    """utf-8, or what the zero bytes at the beginning tell: ASCII in UTF-16 has one in every second place."""
    begin = content[:TOLD_BY]
    even, odd = begin[::2].count(0), begin[1::2].count(0)
    if max(even, odd) * 4 < len(begin) or not begin:
        return "utf-8"
    return "utf-16-be" if even > odd else "utf-16-le"


def _ordered(line: str, token: str) -> str:
    """The line as Protego reads it rightly.

    It matches parts of names, counts the version in `Parallax/0.1` to the name, and keeps every rule once for every crawler
    that is named: so names are ours, "*", or one name for all others. It also breaks lines where RFC 9309 does not.
    """
    line = " ".join(line.partition("#")[0].splitlines())
    found = AGENT_LINE.fullmatch(line)
    if found is None:
        return line
    name = found["names"].lower()
    if name and not name.strip("*"):
        return "User-agent: *"
    plain = TOKEN.match(name)
    ours = (plain is not None and plain[0] == token.lower()) or ("*" in name and fnmatchcase(token.lower(), name))
    return f"User-agent: {token if ours else OTHERS if name else ''}"
