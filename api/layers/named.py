"""By which names the API may be asked for. A page of elsewhere that has its own name lead here (DNS rebinding) is refused.

A browser takes such a page for one of ours, and whoever listens at this machine alone trusts whoever asks.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from starlette.types import ASGIApp, Receive, Scope, Send

from api.problems import Declined

OWN = ("localhost", "127.0.0.1", "::1")
"""Names of this machine: nobody else can have them lead here."""
ANY = "*"
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\[\]:]+))(?::\d*)?", re.IGNORECASE)
_MOST_SAID = 100


class Named:
    """Raises Declined (421, misdirected) where `Host` is none of these names, is missing, or is there twice.

    Where the whole address was sent, api/serving.py has put the name in it there.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self.app = app
        self.names = frozenset(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(given) != 1 or name_in(given[0]) not in self.names:
            raise Declined(
                "misdirected",
                f"Nothing is answered under the name {', '.join(given)[:_MOST_SAID]!r}, only under localhost, 127.0.0.1, "
                "[::1] and what API_HOSTS names. Ask by one of these, or add the name to API_HOSTS.",
            )
        await self.app(scope, receive, send)


def names_of(listening: str, hosts: Iterable[str]) -> frozenset[str] | None:
    """By which names an API is asked for that listens at this address; None: any.

    hosts: as API_HOSTS has them, with a port or without. Where there are none, who listens beyond this machine takes any.
    """
    named = {name_in(host) for host in hosts}
    if ANY in named or not (named or _is_loopback(listening)):
        return None
    return frozenset({*OWN, name_in(listening), *named} - {""})


def name_in(host: str) -> str:
    """The name in a `Host`, lower case, without port, brackets or a dot at the end; empty where there is none."""
    found = _HOST.fullmatch(host.strip() if host.count(":") < 2 or "[" in host else f"[{host}]")  # noqa: PLR2004 - bare IPv6
    return (found[1] or found[2]).lower().removesuffix(".") if found else ""


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address.lower() == "localhost"
