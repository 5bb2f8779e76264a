"""Allowed: which private places may be opened all the same, because somebody said so."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network

from crawler.addresses import literal_address, plain_host
from domain.errors import BadInput

LARGEST_PORT = 65535


@dataclass(frozen=True, slots=True)
class Allowed:
    """Names hold whatever they resolve to; networks hold for addresses, however a host is called. Port None: any port."""

    everything: bool = False
    names: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[tuple[IPv4Network | IPv6Network, int | None], ...] = ()

    @classmethod
    def of(cls, written: str, *, everything: bool = False) -> Allowed:
        """As CRAWLER_ALLOW_PRIVATE has it: `all`, or host, host:port and CIDR with commas. Raises BadInput."""
        items = [item.strip() for item in written.split(",") if item.strip()]
        names: set[tuple[str, int | None]] = set()
        networks: list[tuple[IPv4Network | IPv6Network, int | None]] = []
        for item in items:
            if item.lower() == "all":
                everything = True
                continue
            host, port = _split(item)
            try:
                address = literal_address(host) if "/" not in host else None
                if address is not None or "/" in host:
                    networks.append((ip_network(str(address or host)), port))
                else:
                    names.add((plain_host(host), port))
            except ValueError as error:
                raise BadInput(
                    f"CRAWLER_ALLOW_PRIVATE: {item!r} is no host and no network ({error}). "
                    'Write "all", or e.g. "intranet.example, 192.168.1.5:8080, 10.0.0.0/8".'
                ) from error
        return cls(everything, frozenset(names), tuple(networks))

    def host(self, host: str, port: int) -> bool:
        """Whether this name is let through, whatever it resolves to."""
        return self.everything or not self.names.isdisjoint({(plain_host(host), port), (plain_host(host), None)})

    def address(self, address: IPv4Address | IPv6Address, port: int) -> bool:
        """Whether this address is let through."""
        return self.everything or any(address in network and its in {None, port} for network, its in self.networks)


def _split(item: str) -> tuple[str, int | None]:
    """(host, port) of host, host:port, [v6]:port, v6 or a network. Raises BadInput for a port that is none."""
    head, colon, tail = item.rpartition(":")
    if not colon or (":" in head and not head.endswith("]")) or item.endswith("]"):
        return item.strip("[]"), None
    if not tail.isdecimal() or not 0 < int(tail) <= LARGEST_PORT:
        raise BadInput(f"CRAWLER_ALLOW_PRIVATE: {item!r}: {tail!r} is no port (1 to {LARGEST_PORT}).")
    return head.strip("[]"), int(tail)
