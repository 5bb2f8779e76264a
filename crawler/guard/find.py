"""find: the addresses that a host may be reached at, each of them looked at. What is returned is what is connected to."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import Executor
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

import psutil

from crawler.addresses import RESOLVE_SECONDS, kind_of, literal_address, private_reason
from crawler.guard.allowed import Allowed
from domain.errors import ParallaxError
from domain.visit import Outcome

Address = IPv4Address | IPv6Address
Lookup = Callable[..., list[Any]]
"""As socket.getaddrinfo(host, port, type=...) answers."""
HOW = "To open it all the same: --allow-private, or name it in CRAWLER_ALLOW_PRIVATE"


class Unreached(ParallaxError):
    """The guard does not connect, or could not."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome, self.reason = outcome, reason


def own_addresses() -> frozenset[Address]:
    """The addresses of this machine's own interfaces: what listens there is for its owner, even where they are public."""
    found = (a for interface in psutil.net_if_addrs().values() for a in interface)
    wanted = {socket.AF_INET, socket.AF_INET6}
    return frozenset(ip_address(a.address.partition("%")[0]) for a in found if a.family in wanted)


async def find(
    host: str,
    port: int,
    allowed: Allowed,
    *,
    lookup: Lookup = socket.getaddrinfo,
    own: frozenset[Address] = frozenset(),
    executor: Executor | None = None,
) -> tuple[Address, ...]:
    """The addresses of the host, in the order to try them; none of them private but for those allowed.

    One private address among several is enough to refuse: nobody answers so by accident. Raises Unreached.
    """
    free = allowed.host(host, port)
    reason = None if free else private_reason(host)
    if reason and not allowed.networks:  # a name of the local network is not even asked for
        raise Unreached("refused-private-address", f"{reason}. {HOW}")
    addresses = await _addresses(host, port, lookup, executor)
    for address in addresses:
        if free or allowed.address(address, port):
            continue
        kind = kind_of(address) or ("an address of this machine" if address in own else None)
        if reason or kind:
            said = reason or (f"{host} is {kind}" if str(address) == host else f"{host} resolves to {address}, {kind}")
            raise Unreached("refused-private-address", f"{said}. {HOW}")
    return addresses


async def _addresses(host: str, port: int, lookup: Lookup, executor: Executor | None) -> tuple[Address, ...]:
    """What DNS says, without repeats. A literal address is itself. Raises Unreached."""
    try:
        if (literal := literal_address(host)) is not None:
            return (literal,)
        async with asyncio.timeout(RESOLVE_SECONDS):
            ask = lambda: lookup(host, port, type=socket.SOCK_STREAM)  # noqa: E731 - an executor passes no keywords
            answers = await asyncio.get_running_loop().run_in_executor(executor, ask)
    except TimeoutError as error:
        raise Unreached("dns-failed", f"{host}: no answer from DNS within {RESOLVE_SECONDS} s") from error
    except (OSError, UnicodeError, ValueError) as error:
        raise Unreached("dns-failed", f"{host}: {getattr(error, 'strerror', None) or error}") from error
    # A zone says by which interface a link-local address is meant; those are refused or used as they are.
    found = tuple(dict.fromkeys(ip_address(str(a[4][0]).partition("%")[0]) for a in answers))
    if not found:
        raise Unreached("dns-failed", f"{host} has no address")
    return found
