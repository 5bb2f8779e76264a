"""Drivers: ways to send DevTools commands to a browser. Everything above them is written once.

A driver is one file here and one name in DRIVERS; `launch` finds it by that name.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from crawler.settings import CrawlerSettings
from domain.errors import ParallaxError

Json = dict[str, Any]

DRIVERS = ("playwright", "selenium", "recorded")
FRAME_ANSWER_MS = 2000
"""A frame of another process has so long for each answer: the page around it does not wait for it either."""


class DriverTimeout(ParallaxError):
    """The browser did not answer a command in time."""

    def __init__(self, method: str, limit_ms: int) -> None:
        super().__init__(f"{method} was not answered within {limit_ms} ms")
        self.method = method


class BrowserGone(ParallaxError):
    """The browser or the page's process has ended."""


class CommandFailed(ParallaxError):
    """The browser answered a command with an error."""


class Target(Protocol):
    """What DevTools commands can be sent to."""

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, limit_ms: int | None = None) -> Json:
        """The answer to a DevTools command. Raises DriverTimeout, CommandFailed, BrowserGone."""
        ...


class FrameTab(Target, Protocol):
    """A frame that another process holds than the one of the document around it. id: as DevTools names frames.

    Each command has FRAME_ANSWER_MS where nothing else is said.
    """

    @property
    def id(self) -> str: ...


class Tab(Target, Protocol):
    """One page in a context of its own: no cookies, storage or cache of another visit."""

    async def frames(self) -> list[FrameTab]:
        """The frames of other processes, at any depth, those that hang left out where that is known. They end with the tab.

        Raises DriverTimeout, CommandFailed, BrowserGone.
        """
        ...

    async def events(self) -> list[tuple[str, Json]]:
        """(method, params) of Network, Page and Inspector events since the last call."""
        ...

    async def close(self) -> None:
        """Ends the page and its context. Raises DriverTimeout where the browser does not answer."""
        ...


class Browser(Protocol):
    """A running browser. ours: started by us, so that it can be killed and weighed; otherwise we are guests in it.

    flags: what it was started with; of a guest's, as far as that is known.
    """

    driver: str
    name: str
    version: str
    user_agent: str
    flags: tuple[str, ...]
    ours: bool

    async def open_tab(self, *, proxy: str | None = None) -> Tab:
        """A page in a context of its own. proxy: http://host:port, where all its connections go through; None: directly."""
        ...

    async def alive(self) -> bool:
        """Whether it is still there; answered within seconds, never raises."""
        ...

    async def memory(self) -> int | None:
        """Bytes that its processes and its driver's hold now; None where they are not this machine's to see."""
        ...

    async def close(self) -> None:
        """Ends the browser and every process that belongs to it, or only what is ours in it; never raises, never hangs."""
        ...


class Register(Protocol):
    """Where it is written down what starts, so that it can be ended whatever becomes of this process (crawler/orphans.py)."""

    def scratch(self) -> Path: ...

    def started(self, flag: str) -> None: ...

    def ended(self, flag: str) -> None: ...

    def process(self, pid: int) -> None: ...

    def process_ended(self, pid: int) -> None: ...


async def launch(settings: CrawlerSettings, driver: str | None = None, *, register: Register | None = None) -> Browser:
    """A fresh browser by the named driver (default: the setting), or a connection to someone else's where the settings say so.

    Raises Unavailable with a remedy where none starts or answers.
    """
    module = importlib.import_module(f"crawler.browsers.{driver or settings.driver}")
    browser: Browser = await module.launch(settings, register)
    return browser
