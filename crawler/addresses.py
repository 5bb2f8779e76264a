"""Whether a host is somewhere the crawler has no business being: this machine, its network, or reserved space.

Literal hosts are read the way a browser reads them (WHATWG URL, "host parsing"), so 2130706433, 0x7f.1,
%3127.1 and 127.0.0.1 in full-width digits are all 127.0.0.1 here too.
"""

from __future__ import annotations

import re
import unicodedata
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from urllib.parse import unquote

RESOLVE_SECONDS = 10.0  # a resolver that is slower than this is as good as none
IPV4_PARTS = 4
BYTE = 256

# Names that no public resolver answers: RFC 6761, RFC 6762, RFC 8375, ICANN 2024, and two that home routers use.
LOCAL_SUFFIXES = ("localhost", "local", "internal", "home.arpa", "localdomain", "lan")

NAT64 = IPv6Network("64:ff9b::/96")

# Most telling first: a loopback address is private as well.
KINDS = (
    ("is_unspecified", "the unspecified address"),
    ("is_loopback", "a loopback address"),
    ("is_link_local", "a link-local address"),
    ("is_multicast", "a multicast address"),
    ("is_private", "a private address"),
    ("is_reserved", "a reserved address"),
    ("is_site_local", "a site-local address"),
)


def literal_address(host: str) -> IPv4Address | IPv6Address | None:
    """The address a browser would connect to without asking DNS; None for a name.

    Raises ValueError for what is neither: `1.2.3.4.5`, `256.0.0.1`, `[::zz]`.
    """
    plain = plain_host(host)
    return IPv6Address(plain) if ":" in plain else _ipv4(plain)


def private_reason(host: str) -> str | None:
    """Why this literal host is not a public one; None when nothing is known against it. Asks no DNS.

    host: as in a URL, with or without brackets.
    """
    plain = plain_host(host)
    if not plain:
        return "the host is empty"
    try:
        address = literal_address(host)
    except ValueError:
        return f"{host} is a malformed address"
    if address is not None:
        kind = kind_of(address)
        same = host.strip("[]") == str(address)
        return kind and (f"{host} is {kind}" if same else f"{host} is {address}, {kind}")
    for suffix in LOCAL_SUFFIXES:
        if plain == suffix or plain.endswith("." + suffix):
            return f"{host} is a name for this machine or its own network"
    if "." not in plain:
        return f"{host} has no dot; only a local network can resolve it"
    return None


def plain_host(host: str) -> str:
    """Percent signs decoded, brackets, zone and final dot dropped, compatible characters folded, lower case."""
    host = unquote(host).strip("[]")
    if ":" in host:
        return host.partition("%")[0].lower()
    try:
        host = host.encode("idna").decode("ascii")
    except UnicodeError:  # not a valid name, yet it must not slip through as one
        host = re.sub("[\u3002\uff0e\uff61]", ".", unicodedata.normalize("NFKC", host))
    return host.lower().removesuffix(".")


def _ipv4(host: str) -> IPv4Address | None:
    """WHATWG's IPv4 parser: one to four parts, each decimal, octal (0...) or hexadecimal (0x...); the last fills up."""
    parts = host.split(".")
    if not re.fullmatch(r"[0-9]+|0x[0-9a-f]*", parts[-1]):
        return None
    if len(parts) > IPV4_PARTS:
        raise ValueError(f"{host} has more than four parts")
    *heads, last = (_ipv4_number(part) for part in parts)
    if any(head >= BYTE for head in heads) or last >= BYTE ** (IPV4_PARTS - len(heads)):
        raise ValueError(f"{host} has a part that is too large")
    return IPv4Address(sum(head * BYTE ** (3 - place) for place, head in enumerate(heads)) + last)


def _ipv4_number(part: str) -> int:
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8) if part.startswith("0") and len(part) > 1 else int(part)


def kind_of(address: IPv4Address | IPv6Address) -> str | None:
    """What kind of not public address this is, seen through IPv4 wrapped in IPv6; None for a public one."""
    if isinstance(address, IPv6Address):
        wrapped = address.ipv4_mapped or address.sixtofour
        if address in NAT64:  # on an IPv6-only network every IPv4 host resolves to one of these
            wrapped = IPv4Address(int(address) & 0xFFFF_FFFF)
        address = wrapped or address
    for attribute, kind in KINDS:
        if getattr(address, attribute, False):
            return kind
    return None if address.is_global else "an address outside the public internet"
