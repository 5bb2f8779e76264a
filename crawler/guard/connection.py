"""connection: what happens on one connection from the browser: a tunnel, or plain requests one after another."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from crawler.guard.find import Unreached
from crawler.guard.heads import Answer, Request
from crawler.guard.tally import Tally, place
from crawler.guard.wire import Broken, Count, Full, Wire

IDLE_S = 120.0
"""A connection on which nothing is asked for so long is closed."""
ENDS = (OSError, Broken, Full, asyncio.IncompleteReadError)
CONTINUE, SWITCHING = 100, 101

Dial = Callable[[str, int], Awaitable[Wire]]
"""A connection to host and port. Raises Unreached."""


class Connection:
    """Serves one connection until either side has had enough."""

    def __init__(self, browser: Wire, dial: Dial, tally: Tally, stop: Callable[[], None]) -> None:
        self._browser, self._dial, self._tally, self._stop = browser, dial, tally, stop
        self._server: Wire | None = None
        self._at: tuple[str, int] | None = None
        self._whole = False  # whether the request that is being answered has gone out as a whole

    async def serve(self) -> None:
        """Never raises for what either side does."""
        try:
            with contextlib.suppress(*ENDS, TimeoutError):
                while await self._one():
                    pass
        finally:
            self._leave()
            self._browser.close()

    def _leave(self) -> None:
        if self._server is not None:
            self._server.cut()
        self._server = self._at = None

    def _received(self, count: int) -> None:
        if not self._tally.moved(received=count):
            self._stop()
            raise Full

    def _sent(self, count: int) -> None:
        if not self._tally.moved(sent=count):
            self._stop()
            raise Full

    async def _one(self) -> bool:
        """One request and its answer; whether there may be another."""
        raw = await self._asked()
        if raw is None:
            return False
        try:
            request = Request.of(raw)
        except Broken:
            await self._browser.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            return False
        server = await self._reach(request)
        if server is None:
            # No answer at all: to the page it is a connection that failed, as without a proxy, and no document of ours.
            if request.tunnel:
                await self._browser.write(b"HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            return False
        if request.tunnel:
            await self._browser.write(b"HTTP/1.1 200 Connection Established\r\n\r\n")
            await self._both(server)
            return False
        return await self._exchange(request, server)

    async def _asked(self) -> bytes | None:
        """The head of the next request; None where none comes.

        A server that hangs up meanwhile ends the wait: the browser then makes a fresh connection, as it would without a proxy.
        """
        asked = asyncio.ensure_future(self._browser.head())
        watched = asyncio.ensure_future(self._server.ended()) if self._server else None
        tasks = {asked, watched} if watched else {asked}
        try:
            await asyncio.wait(tasks, timeout=IDLE_S, return_when=asyncio.FIRST_COMPLETED)
            if not asked.done() or (watched is not None and watched.done()):
                return None
            raw, whole = asked.result()
            return raw if whole else None
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _reach(self, request: Request) -> Wire | None:
        """The server of this request, or None with the reason noted."""
        at = place(request.host, request.port)
        if not self._tally.request():
            self._tally.refuse(at, "too-large", f"the limits of the visit: {self._tally.limit}")
            return None
        if self._server is not None and self._at == at:
            return self._server
        self._leave()
        try:
            self._server, self._at = await self._dial(request.host, request.port), at
        except Unreached as error:
            self._tally.refuse(at, error.outcome, error.reason)
            return None
        self._tally.reached(at)
        return self._server

    async def _exchange(self, request: Request, server: Wire) -> bool:
        """The request out, the answer back; whether both sides keep their connection."""
        self._whole = False
        head = request.written()
        self._sent(len(head))
        await server.write(head)
        asked = asyncio.ensure_future(self._rest_of(request, server))
        answer = asyncio.ensure_future(self._answer(request, server))
        try:
            await asyncio.wait({asked, answer}, return_when=asyncio.FIRST_COMPLETED)
            if asked.done() and not answer.done() and asked.result():
                return False  # the browser does not want the answer any more
            stays = await answer
            # An answer that came before the whole request leaves a connection on which nobody knows what is next.
            return stays and self._whole and not request.last
        finally:
            for task in (asked, answer):
                task.cancel()
            await asyncio.gather(asked, answer, return_exceptions=True)

    async def _rest_of(self, request: Request, server: Wire) -> bool:
        """The body of the request out; then whether the browser hangs up before it asks for more."""
        if request.body:
            await self._pass(self._browser, server, request.body, self._sent)
        self._whole = True
        return await self._browser.ended()

    async def _answer(self, request: Request, server: Wire) -> bool:
        while True:
            raw, whole = await server.head(b"HTTP/")
            self._received(len(raw))
            answer = Answer.of(raw, request.method) if whole else None
            if answer is None:
                # Not HTTP, or not quite: the browser says what it is, as it would without us.
                await self._browser.write(raw)
                await server.pass_on(self._browser, self._received)
                return False
            await self._browser.write(answer.written())
            if answer.status == SWITCHING:
                await self._both(server)
                return False
            if answer.status >= 2 * CONTINUE:
                break
        await self._pass(server, self._browser, answer.body, self._received)
        return answer.stays

    async def _pass(self, one: Wire, other: Wire, body: int | str, count: Count) -> None:
        if body == "chunked":
            await one.pass_chunks(other, count)
        else:
            await one.pass_on(other, count, body if isinstance(body, int) else None)

    async def _both(self, server: Wire) -> None:
        """Whatever comes, both ways, until one side ends."""
        ways = {
            asyncio.ensure_future(self._browser.pass_on(server, self._sent)),
            asyncio.ensure_future(server.pass_on(self._browser, self._received)),
        }
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
