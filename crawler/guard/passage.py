"""Passage: the one way out of one visit: a port of its own, what was counted there, and why something was not let through."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from concurrent.futures import Executor
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from crawler.guard.allowed import Allowed
from crawler.guard.connection import Connection
from crawler.guard.find import Address, Lookup, Unreached, find
from crawler.guard.tally import Tally, place
from crawler.guard.wire import PIECE, Wire
from domain.hosts import USUAL_PORTS
from domain.visit import Incident, Outcome, Traffic

CONNECT_S, ONE_OF_MANY_S = 15.0, 4.0
"""How long a server may take to accept: all its addresses together, and one of them while others are left."""
MOST_OPEN = 512
"""Connections of one visit at a time; a browser makes 32 through one proxy, and up to 255 web sockets."""
BACKLOG = 256
LINGER_S = 30.0
"""How long a browser may take to read what is left of a connection that has ended."""
PORTS = USUAL_PORTS | {"ws": 80, "wss": 443}


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for all passages of a guard. taken: the guard's own ports, which nobody is let back into."""

    allowed: Allowed
    own: frozenset[Address]
    taken: set[int]
    lookup: Lookup
    executor: Executor


class Passage:
    """A proxy for one visit. All that touches connections runs in the guard's loop; what was counted can be read from any."""

    def __init__(self, rules: Rules, tally: Tally, host: str) -> None:
        self._rules, self._tally, self._host = rules, tally, host
        self._found: dict[tuple[str, int], tuple[Address, ...]] = {}
        self._loop = asyncio.get_running_loop()
        self._wires: set[Wire] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._fresh: set[socket.socket] = set()
        """Accepted, and nobody has begun to serve them."""
        self._port = 0
        self._end: asyncio.Task[None] | None = None

    @property
    def proxy(self) -> str:
        """Where the browser finds it: http://host:port."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self._port}"

    def why(self, url: str) -> tuple[Outcome, str] | None:
        """Why there is no connection to the host of this URL, or None where nothing is known of it."""
        try:
            parts = urlsplit(url)
            where = place(parts.hostname or "", parts.port or PORTS.get(parts.scheme, 0))
        except ValueError:
            return None
        known = self._tally.reasons.get(where)
        if known is None and self._tally.limit:
            return "too-large", f"the limits of the visit: {self._tally.limit}"
        return known

    def traffic(self) -> Traffic:
        return self._tally.traffic()

    def incidents(self) -> list[Incident]:
        return self._tally.incidents()

    async def admit(self, host: str, port: int) -> tuple[Outcome, str] | None:
        """Looks a host up, from any loop, and remembers its addresses for this visit; why it may not be visited, or None."""

        async def look() -> tuple[Outcome, str] | None:
            try:
                await self._find(host, port)
            except Unreached as error:
                if error.outcome == "refused-private-address":
                    self._tally.refuse(place(host, port), error.outcome, error.reason)
                return error.outcome, error.reason
            return None

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(look(), self._loop))

    def listen(self) -> None:
        """Opens the port. Raises OSError."""
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        self._listening = socket.create_server((self._host, 0), family=family, backlog=BACKLOG)
        self._listening.setblocking(False)
        self._port = self._listening.getsockname()[1]
        self._rules.taken.add(self._port)
        self._loop.add_reader(self._listening, self._accept)

    async def close(self) -> None:
        """Ends every connection, idle or not. Whoever asks for it again waits for the same end."""
        self._end = self._end or asyncio.ensure_future(self._close())
        await asyncio.shield(self._end)

    async def _close(self) -> None:
        self._loop.remove_reader(self._listening)
        self._listening.close()
        self._stop()
        for task in self._tasks:
            task.cancel()
        for connection in self._fresh:
            connection.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # what was cut is closed in the loop's next turn
        self._rules.taken.discard(self._port)

    def _stop(self) -> None:
        """Nothing more goes through: what is open is cut."""
        for wire in self._wires:
            wire.cut()

    def _accept(self) -> None:
        # Not asyncio's own server: that one loses connections that come while it closes.
        with contextlib.suppress(OSError):  # nobody there any more, or no file handles left: asked again at once
            connection, _ = self._listening.accept()
            if len(self._tasks) >= MOST_OPEN:
                connection.close()
                return
            connection.setblocking(False)
            self._fresh.add(connection)
            task = asyncio.ensure_future(self._serve(connection))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, connection: socket.socket) -> None:
        self._fresh.discard(connection)
        try:
            wire = Wire(*await asyncio.open_connection(sock=connection, limit=2 * PIECE))
        except OSError:
            connection.close()
            return
        self._wires.add(wire)
        try:
            await Connection(wire, self._dial, self._tally, self._stop).serve()
            await wire.gone(LINGER_S)
        finally:
            wire.cut()
            self._wires.discard(wire)

    async def _find(self, host: str, port: int) -> tuple[Address, ...]:
        """The checked addresses. A host keeps those it was first found at: DNS that changes its mind meanwhile is not asked."""
        where = place(host, port)
        if where not in self._found:
            rules = self._rules
            self._found[where] = await find(
                host, port, rules.allowed, lookup=rules.lookup, own=rules.own, executor=rules.executor
            )
        return self._found[where]

    def _is_guards(self, address: Address) -> bool:
        """Whether the guard listens at this address. Another one of this machine may have a port of the same number."""
        here = ip_address(self._listening.getsockname()[0])
        plain = getattr(address, "ipv4_mapped", None) or address
        if here.is_unspecified:
            return plain.is_loopback or plain.is_unspecified or plain in self._rules.own
        return plain == here or plain.is_unspecified

    async def _dial(self, host: str, port: int) -> Wire:
        """A connection to one of the addresses that were checked, to nothing else. Raises Unreached."""
        addresses = await self._find(host, port)
        if port in self._rules.taken and any(self._is_guards(address) for address in addresses):
            raise Unreached("refused-private-address", f"{host}:{port} is the guard itself")
        ends = time.monotonic() + CONNECT_S
        failed: Unreached | None = None
        for number, address in enumerate(addresses):
            left = ends - time.monotonic()
            if left <= 0:
                break
            try:
                async with asyncio.timeout(left if number == len(addresses) - 1 else min(left, ONE_OF_MANY_S)):
                    reader, writer = await asyncio.open_connection(str(address), port, limit=2 * PIECE)
            except OSError as error:
                failed = _failed(error, address, port)
            else:
                return Wire(reader, writer)
        # Asked anew next time: the name may have moved.
        self._found.pop(place(host, port), None)
        raise failed or Unreached("timeout", f"timeout:connect, {host}:{port} did not accept within {CONNECT_S:g} s")


def _failed(error: OSError, address: Address, port: int) -> Unreached:
    where = f"[{address}]:{port}" if isinstance(address, IPv6Address) else f"{address}:{port}"
    match error:
        case ConnectionRefusedError():
            return Unreached("connection-refused", f"nothing listens at {where}")
        case TimeoutError():
            return Unreached("timeout", f"timeout:connect, {where} did not accept a connection")
        case _:
            return Unreached("connection-failed", f"no connection to {where}: {error.strerror or error}")
