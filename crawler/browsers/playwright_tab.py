"""playwright_tab: DevTools commands to one page, and to its frames of other processes, through Playwright's CDP sessions."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Frame, Page
from playwright.async_api import Error as PlaywrightError

from crawler.browsers import FRAME_ANSWER_MS, BrowserGone, CommandFailed, DriverTimeout, FrameTab, Json

WATCHED = (
    "Network.requestWillBeSent",
    "Network.responseReceived",
    "Page.javascriptDialogOpening",
    "Page.windowOpen",
    "Page.fileChooserOpened",
    "Page.downloadWillBegin",
    "Inspector.targetCrashed",
)
FRAMES_ASKED = 50
"""Frames of a page that are asked whether they have a session of their own."""


class PlaywrightFrame:
    """A frame with a session of its own: one of another process."""

    def __init__(self, frame_id: str, session: CDPSession) -> None:
        self.id, self._session = frame_id, session

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, limit_ms: int | None = None) -> Json:
        limit = limit_ms or FRAME_ANSWER_MS
        try:
            async with asyncio.timeout(limit / 1000):
                answer: Json = await self._session.send(method, dict(params or {}))
                return answer
        except TimeoutError as error:
            raise DriverTimeout(method, limit) from error
        except PlaywrightError as error:
            # A frame that went took no browser with it.
            raise CommandFailed(error.message.splitlines()[0]) from error


class PlaywrightTab:
    """One page in a browser context of its own."""

    def __init__(self, context: BrowserContext, page: Page, session: CDPSession, limit_ms: int) -> None:
        self._context, self._page, self._session, self._limit_ms = context, page, session, limit_ms
        self._events: list[tuple[str, Json]] = []
        self._frames: dict[Frame, PlaywrightFrame] = {}
        self._crashed = asyncio.Event()
        for name in WATCHED:
            session.on(name, self._keeper(name))
        page.on("crash", lambda _: self._crashed.set())

    def _keeper(self, name: str) -> Any:
        def keep(params: Json) -> None:
            # A page may make any number of requests; only those of documents say anything here.
            if name.startswith("Network.") and params.get("type") != "Document":
                return
            self._events.append((name, params))

        return keep

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, limit_ms: int | None = None) -> Json:
        limit = limit_ms or self._limit_ms
        if self._crashed.is_set():
            raise BrowserGone("The page's process crashed.")
        command = asyncio.ensure_future(self._session.send(method, dict(params or {})))
        crash = asyncio.ensure_future(self._crashed.wait())
        try:
            done, _ = await asyncio.wait({command, crash}, timeout=limit / 1000, return_when=asyncio.FIRST_COMPLETED)
            if command in done:
                answer: Json = command.result()
                return answer
            if crash in done:
                raise BrowserGone("The page's process crashed.")
            raise DriverTimeout(method, limit)
        except PlaywrightError as error:
            said = error.message.splitlines()[0]
            # "Inspected target navigated or closed" is a page that went on, not one that went.
            if "navigated" not in said and ("crash" in said.lower() or "closed" in said.lower()):
                raise BrowserGone(said) from error
            raise CommandFailed(said) from error
        finally:
            crash.cancel()
            if not command.done():
                command.cancel()

    async def frames(self) -> list[FrameTab]:
        inner = [frame for frame in self._page.frames if frame is not self._page.main_frame and frame not in self._frames]
        found = await asyncio.gather(*(self._ask(frame) for frame in inner[:FRAMES_ASKED]))
        self._frames |= {frame: tab for frame, tab in zip(inner, found, strict=False) if tab is not None}
        return list(self._frames.values())

    async def _ask(self, frame: Frame) -> PlaywrightFrame | None:
        """None for a frame of the process around it, and for one that does not answer."""
        try:
            async with asyncio.timeout(FRAME_ANSWER_MS / 1000):
                session = await self._context.new_cdp_session(frame)
                tree = await session.send("Page.getFrameTree")
        except (TimeoutError, PlaywrightError):
            return None
        return PlaywrightFrame(str(tree["frameTree"]["frame"]["id"]), session)

    async def events(self) -> list[tuple[str, Json]]:
        events, self._events = self._events, []
        return events

    async def close(self) -> None:
        try:
            await asyncio.wait_for(self._context.close(), self._limit_ms / 1000)
        except TimeoutError as error:
            raise DriverTimeout("closing the tab", self._limit_ms) from error
        except PlaywrightError as error:
            raise BrowserGone(error.message.splitlines()[0]) from error
