"""recorded: answers DevTools commands from a stored capture; no browser, no network. For tests and for looking again.

CRAWLER_RECORDING names a folder that `crawler show VISIT --save FOLDER` wrote, or a folder of such folders.
"""

from __future__ import annotations

import base64
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from crawler.browsers import CommandFailed, FrameTab, Json, Register
from crawler.browsers.recorded_frames import RecordedFrame, accessible, covered, frame_id, frames_in
from crawler.page import script
from crawler.positions import OVERLAP
from crawler.settings import CrawlerSettings
from domain.errors import Unavailable
from domain.visit import Visit

SUFFIXES = {"dom": "dom.html", "screenshot": "screenshot.png", "mhtml": "page.mhtml"}
"""File names of artifacts that are not `<name>.json`."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One stored visit and the folder its artifacts are in: of the first capture there, of others in `capture-<index>`."""

    visit: Visit
    folder: Path

    def content(self, name: str, index: int = 0) -> bytes | None:
        """An artifact of a capture, None where it was not recorded."""
        folder = self.folder / f"capture-{index}" if index else self.folder
        path = folder / SUFFIXES.get(name, f"{name}.json")
        return path.read_bytes() if path.exists() else None

    def text(self, name: str, index: int = 0) -> str:
        """The same as text. Raises CommandFailed where it was not recorded."""
        content = self.content(name, index)
        if content is None:
            raise CommandFailed(f"A recording answers only what was recorded, and {name} was not.")
        return content.decode("utf-8", "surrogatepass")


class RecordedTab:
    """A tab in which one page can be opened: the recorded one. It is scrolled to the capture that was read last."""

    def __init__(self, recordings: Mapping[str, Recording]) -> None:
        self._recordings = recordings
        self._current: Recording | None = None
        self._index = 0

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, limit_ms: int | None = None) -> Json:  # noqa: ARG002
        given = dict(params or {})
        if method == "Page.navigate":
            self._current, self._index = self._recordings.get(given["url"]), 0
            if self._current is None:
                return {"errorText": "net::ERR_NAME_NOT_RESOLVED"}
            return {"frameId": "recorded", "loaderId": self._current.visit.captures[0].loader_served}
        if self._current is None:
            return {}
        return self._answer(method, given, self._current)

    def _answer(self, method: str, given: Json, recording: Recording) -> Json:
        match method:
            case "Page.getFrameTree":
                url = recording.visit.response.url if recording.visit.response else recording.visit.url
                loader = recording.visit.captures[0].loader_served
                return {"frameTree": {"frame": {"id": "recorded", "loaderId": loader, "url": url}}}
            case "Page.createIsolatedWorld":
                return {"executionContextId": 1}
            case "Page.captureScreenshot":
                return {"data": base64.b64encode(recording.content("screenshot", self._index) or b"").decode()}
            case "Page.captureSnapshot":
                return {"data": (recording.content("mhtml") or b"").decode("utf-8", "surrogatepass")}
            case "Runtime.callFunctionOn" if given["functionDeclaration"] == script("nodes"):
                keys = given["arguments"][0]["value"]["keys"]
                return {"result": {"objectId": ",".join(map(str, keys))}}
            case "Runtime.callFunctionOn":
                return {"result": {"value": self._called(given, recording)}}
            case "Runtime.getProperties":
                keys = given["objectId"].split(",")
                return {"result": [{"name": str(i), "value": {"objectId": key}} for i, key in enumerate(keys)]}
            case "Accessibility.getPartialAXTree":
                return accessible(given["objectId"], recording.content("names", self._index))
            case "DOM.describeNode":
                return {"node": {"frameId": frame_id(self._frames(), None, given["objectId"])}}
            case _:
                return {}

    def _called(self, given: Json, recording: Recording) -> Any:
        function, options = given["functionDeclaration"], given.get("arguments", [{}])[0].get("value", {})
        if function == script("ready"):
            return self._ready(recording)
        if function == script("facts"):
            return recording.text("page")
        if function == script("over"):
            return covered(self._frames(), None, options["key"])
        if function == script("scroll"):
            return self._scrolled(options["to"], recording)
        self._index = int(options.get("position", self._index))
        if function == script("texts"):
            return self._texts(recording)
        if function != script("read"):
            raise CommandFailed("A recording answers only what was recorded.")
        if options.get("html"):
            report = orjson.loads(recording.text("served", self._index))
            # What closed shadow roots held is part of the reading already.
            return orjson.dumps({**report, "closedHosts": 0, "html": recording.text("dom", self._index)}).decode()
        return recording.text("after" if options.get("light") else "before", self._index)

    def _ready(self, recording: Recording) -> Json:
        readiness, response = recording.visit.captures[0].readiness, recording.visit.response
        return {
            "load": readiness.load_event,
            "loadMs": readiness.load_ms,
            "fontsPending": readiness.fonts_pending,
            "quietMs": readiness.quiet_ms,
            "status": response.status if response else None,
            "type": response.mime_type if response else "text/html",
            "nodes": orjson.loads(recording.text("served"))["nodes"],
            "state": "complete",
        }

    def _scrolled(self, to: float | None, recording: Recording) -> Json:
        """Where the page is then: at the nearest of the recorded positions."""
        places = [capture.scroll_y for capture in recording.visit.captures]
        if to is not None:
            self._index = min(range(len(places)), key=lambda i: abs(places[i] - to))
        steps = [b - a for a, b in itertools.pairwise(places)] or [0.0]
        return {"y": places[self._index], "most": max(places), "view": max(steps) + OVERLAP, "inner": False}

    def _texts(self, recording: Recording) -> str:
        """The frozen look at the texts: nothing passes between two commands to a recording."""
        held = orjson.loads(recording.text("drift", self._index))["readings"]
        frozen = next((r for r in held if r["frozen"]), None)
        if frozen is None:
            raise CommandFailed("No look at the stopped page was recorded.")
        now = orjson.loads(recording.text("served", self._index))["now"] + frozen["after_ms"]
        return orjson.dumps({**frozen, "now": now}).decode()

    def _frames(self) -> list[RecordedFrame]:
        if self._current is None:
            return []
        return frames_in(self._current.content("frames", self._index), self._index)

    async def frames(self) -> list[FrameTab]:
        return list(self._frames())

    async def events(self) -> list[tuple[str, Json]]:
        response = self._current.visit.response if self._current else None
        if response is None or self._current is None:
            return []
        loader = self._current.visit.captures[0].loader_served
        answer = {"url": response.url, "status": response.status, "headers": response.headers}
        return [("Network.responseReceived", {"type": "Document", "loaderId": loader, "response": answer})]

    async def close(self) -> None:
        self._current = None


class RecordedBrowser:
    """The browser of the recordings, as they tell of it."""

    driver = "recorded"
    flags: tuple[str, ...] = ()
    ours = True

    def __init__(self, recordings: Mapping[str, Recording]) -> None:
        self._recordings = recordings
        told = next(iter(recordings.values())).visit.browser
        self.name, self.version = (told.name, told.version) if told else ("unknown", "")
        self.user_agent = told.user_agent if told else ""

    async def open_tab(self, *, proxy: str | None = None) -> RecordedTab:  # noqa: ARG002 - a replay opens no connection
        return RecordedTab(self._recordings)

    async def alive(self) -> bool:
        return True

    async def memory(self) -> int | None:
        return None

    async def close(self) -> None:
        return None


async def launch(settings: CrawlerSettings, _: Register | None = None) -> RecordedBrowser:
    """Reads the recordings. Raises Unavailable where the setting names none."""
    root = Path(settings.recording) if settings.recording else None
    if root is None or not root.is_dir():
        raise Unavailable(
            "The driver `recorded` needs CRAWLER_RECORDING: a folder that `crawler show VISIT --save FOLDER` wrote."
        )
    folders = [root] if (root / "visit.json").exists() else sorted(p.parent for p in root.glob("*/visit.json"))
    recordings: dict[str, Recording] = {}
    for folder in folders:
        visit = Visit.model_validate_json((folder / "visit.json").read_bytes())
        recordings[visit.url] = Recording(visit, folder)
    if not recordings:
        raise Unavailable(f"No recording in {root}: no visit.json there or one folder down.")
    return RecordedBrowser(recordings)
