"""selenium_tab: DevTools commands to the one window of a WebDriver session. Its calls block: each session has a thread."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from selenium.common.exceptions import TimeoutException, UnexpectedAlertPresentException, WebDriverException
from selenium.webdriver import Remote
from urllib3.exceptions import HTTPError

from crawler.browsers import BrowserGone, CommandFailed, DriverTimeout, FrameTab, Json, program, sockets

T = TypeVar("T")
GONE = (
    "disconnected",
    "no such window",
    "not reachable",
    "crash",
    "invalid session",
    "unable to find session",
    "chrome not",
    "target frame detached",
)
DIALOGS = 20
"""Dialogs in a row that one command outlasts."""


def said(error: WebDriverException) -> str:
    lines = (error.msg or "").splitlines()
    return lines[0] if lines else type(error).__name__


class SessionThread:
    """One thread for one session: WebDriver calls block, and a session takes one at a time."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="selenium")

    async def call(self, what: str, limit_ms: int, command: Callable[[], T]) -> T:
        """Runs a blocking call within the limit, in the errors of this package."""
        try:
            async with asyncio.timeout(limit_ms / 1000):
                return await asyncio.get_running_loop().run_in_executor(self._pool, command)
        except (TimeoutError, TimeoutException) as error:  # ours, or the driver's own with its browser
            raise DriverTimeout(what, limit_ms) from error
        except WebDriverException as error:
            if any(word in said(error).lower() for word in GONE):
                raise BrowserGone(said(error)) from error
            raise CommandFailed(said(error)) from error
        except (HTTPError, OSError) as error:
            raise BrowserGone(f"the WebDriver server does not answer: {type(error).__name__}") from error

    def leave(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


class UnreachableFrame:
    """A frame of another process in a browser on another machine: known to be there, and answering nothing."""

    def __init__(self, frame_id: str) -> None:
        self.id = frame_id

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, limit_ms: int | None = None) -> Json:  # noqa: ARG002
        raise CommandFailed("out of reach: a remote WebDriver server passes nothing on to frames of other processes")


class SeleniumTab:
    """The one window of a session. flag: its browser's, which is killed with the tab; None where that is not ours to do."""

    def __init__(
        self, session: Remote, thread: SessionThread, flag: str | None, limit_ms: int, ended: Callable[[], None] = lambda: None
    ) -> None:
        self._session, self._thread, self._flag, self._limit_ms, self._ended = session, thread, flag, limit_ms, ended
        self._dialogs: list[tuple[str, Json]] = []
        self._frames: dict[str, sockets.SocketFrame] = {}

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, limit_ms: int | None = None) -> Json:
        def command() -> Json:
            for _ in range(DIALOGS):
                try:
                    answer = self._session.execute_cdp_cmd(method, dict(params or {}))
                except UnexpectedAlertPresentException:
                    answer = None
                if answer is not None:
                    return dict(answer)
                # A dialog was open: chromedriver has closed it by now (unhandledPromptBehavior), and not run the command.
                self._dialogs.append(("Page.javascriptDialogOpening", {}))
            raise CommandFailed(f"{method}: the page opens one dialog after another")

        return await self._thread.call(method, limit_ms or self._limit_ms, command)

    async def frames(self) -> list[FrameTab]:
        if self._flag is None:
            # The port is on the browser's machine, whatever its address says, and no remote end passes commands on to it.
            told = await self.send("Target.getTargets")
            return [UnreachableFrame(str(t["targetId"])) for t in told["targetInfos"] if t["type"] == "iframe"]
        # chromedriver passes commands to the page alone; the browser's own port passes them to any target.
        address = self._session.capabilities["goog:chromeOptions"]["debuggerAddress"]
        try:
            async with asyncio.timeout(self._limit_ms / 1000):
                self._frames = await asyncio.to_thread(sockets.frames_at, address, self._frames, self._limit_ms)
        except TimeoutError as error:
            raise DriverTimeout("listing the frames", self._limit_ms) from error
        return list(self._frames.values())

    async def events(self) -> list[tuple[str, Json]]:
        def read() -> Json:
            return {"log": self._session.execute("getLog", {"type": "performance"})["value"]}

        events, self._dialogs = self._dialogs, []
        for entry in (await self._thread.call("the event log", self._limit_ms, read))["log"]:
            message = json.loads(entry["message"])["message"]
            name, params = message["method"], message.get("params", {})
            if not name.startswith("Network.") or params.get("type") == "Document":
                events.append((name, params))
        return events

    async def close(self) -> None:
        def leave() -> Json:
            self._session.quit()
            return {}

        try:
            for frame in self._frames.values():
                frame.close()
            await self._thread.call("closing the tab", self._limit_ms, leave)
        finally:
            if self._flag is not None:
                await asyncio.to_thread(program.end, self._flag)
            self._ended()
            self._thread.leave()
