"""How a host has fared, and what rest follows from a visit: rules only. The clock and the dice are given.

A host is a name without its port, lower case, in its ASCII form: however many sites lie there, it is one guest's house.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from ipaddress import IPv6Address
from socket import inet_aton, inet_ntoa
from urllib.parse import urlsplit

from idna import IDNAError, uts46_remap

from domain.visit import Outcome, Visit

DAY = timedelta(days=1)
LIMITED = timedelta(minutes=10)
"""The first rest after "too many requests" that names no time; each further one in a row is twice as long, up to a day."""
BROKEN = timedelta(hours=1)
"""The first rest of a host that failed too often in a row; each further failure doubles it, up to a day."""
LIMITING_STATUS = frozenset({429, 503})
SERVER_ERROR = 500
USUAL_PORTS = {"http": 80, "https": 443}
HOST_LENGTH = 255  # a name has 253 at most; what is longer is none, and gets a key all the same
_NUMBERS = re.compile(r"([0-9]+|0x[0-9a-f]*)(\.([0-9]+|0x[0-9a-f]*)){0,3}")
# The host did not answer as it should, or broke our browser.
FAILING: frozenset[Outcome] = frozenset({"timeout", "connection-refused", "connection-failed", "tls-failed", "browser-crashed"})
# These say nothing of the host: it was not asked, or the fault may be ours.
SILENT: frozenset[Outcome] = frozenset(
    {
        "refused-private-address", "refused-scheme", "refused-robots", "taken-down", "put-off", "dns-failed",
        "interrupted", "failed", "repeated-screenshot", "viewport-mismatch",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Standing:
    """How a host has fared so far."""

    not_before: datetime | None = None
    """When the next visit may begin; null: whenever."""
    why: str = ""
    """Why not before."""
    failures: int = 0
    """Visits in a row that failed by the host's doing."""
    limited: int = 0
    """Answers in a row of 429 or 503."""
    delay_s: float = 0
    """What its robots.txt asks for between two visits."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What a visit showed of the host. outcome: null where nobody knows, e.g. the visit was cut off."""

    outcome: Outcome | None = None
    status: int | None = None
    retry_after: str | None = None


def ending_of(visit: Visit | None) -> Ending:
    """That, of a finished visit; null for one that came to nothing."""
    if visit is None:
        return Ending()
    answer = visit.response
    return Ending(visit.outcome, answer.status if answer else None, answer.headers.get("retry-after") if answer else None)


def rested(before: Standing, ending: Ending, *, ended: datetime, floor_s: float, breaker: int, chance: float) -> Standing:
    """How the host stands after a visit that ended then.

    floor_s: seconds between two visits at least. breaker: failures in a row before a long rest, 0 for never.
    chance: in [0, 1), makes rests that we set ourselves up to a quarter longer. A rest never ends earlier than it did.
    """
    gap = timedelta(seconds=max(floor_s, before.delay_s))
    failures, limited = _counted(before, ending)
    after = replace(before, failures=failures, limited=limited)
    rest, why = gap, "crawl-delay" if before.delay_s > floor_s else "the floor between visits"
    if after.limited > before.limited:
        asked = retry_after(ending.retry_after, ended)
        said = f"HTTP {ending.status or 429}"
        if asked is None:
            asked = min(min(LIMITED * 2 ** min(after.limited - 1, 20), DAY) * (1 + chance / 4), DAY)
        else:
            said += " with Retry-After"
        rest, why = max((gap, why), (asked, said), key=lambda pair: pair[0])
    elif breaker and after.failures > before.failures and after.failures >= breaker:
        long = min(min(BROKEN * 2 ** min(after.failures - breaker, 20), DAY) * (1 + chance / 4), DAY)
        rest, why = max((gap, why), (long, f"{after.failures} visits in a row failed"), key=lambda pair: pair[0])
    until = ended + rest
    if before.not_before is not None and before.not_before > until:
        return after
    return replace(after, not_before=until, why=why)


def _counted(before: Standing, ending: Ending) -> tuple[int, int]:
    """(failures, limited) after this ending."""
    if ending.outcome is None or ending.outcome in SILENT:
        return before.failures, before.limited
    if ending.outcome == "rate-limited" or ending.status in LIMITING_STATUS:
        return before.failures, before.limited + 1
    if ending.outcome in FAILING or (ending.status or 0) >= SERVER_ERROR:
        return before.failures + 1, before.limited
    return 0, 0


def retry_after(value: str | None, now: datetime) -> timedelta | None:
    """The rest that a Retry-After header asks for, between nothing and a day; null where it says nothing we understand.

    Seconds, or an HTTP date (RFC 9110, 10.2.3).
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return min(timedelta(seconds=min(int(text[:12]), 86_400)), DAY)
    try:
        moment = parsedate_to_datetime(text)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
        return max(timedelta(0), min(moment - now, DAY))
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def host_of(url: str) -> str:
    """The host of a URL as one key: lower case, ASCII form, no port, no final dot. Empty where it has none."""
    try:
        return host_key(urlsplit(url).hostname or "")
    except ValueError:  # e.g. a bracket that does not close
        return ""


def host_key(host: str) -> str:
    """The same for a bare host name, as browsers read it; of what is no valid name, some key all the same."""
    host = host[: 4 * HOST_LENGTH].lower()  # encoding takes for ever over what is longer, and that is no name
    if not host.isascii():
        host = _in_ascii(host)
    host = host.removesuffix(".")
    if ":" in host:
        with suppress(ValueError):
            host = str(IPv6Address(host))
    elif _NUMBERS.fullmatch(host):
        with suppress(OSError):  # 127.1, 0x7f000001
            host = inet_ntoa(inet_aton(host))
    return host[:HOST_LENGTH]


def _in_ascii(host: str) -> str:
    try:
        labels = uts46_remap(host, std3_rules=False).split(".")
    except IDNAError:
        return host.casefold()
    return ".".join(label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels)
