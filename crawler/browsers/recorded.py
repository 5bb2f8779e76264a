"""recorded: answers DevTools commands from a stored capture; no browser, no network. For tests and for looking again.

CRAWLER_RECORDING names a folder that `crawler show VISIT --save FOLDER` wrote, or a folder of such folders.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from crawler.browsers import CommandFailed, Json
from crawler.page import script
from crawler.settings import CrawlerSettings
from domain.errors import Unavailable
from domain.visit import Visit


@dataclass(frozen=True, slots=True)
class Recording:
    """One stored visit and the folder its artifacts are in."""

    visit: Visit
    folder: Path

    def text(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode("utf-8", "surrogatepass")


class RecordedTab:
    """A tab in which one page can be opened: the recorded one."""

    def __init__(self, recordings: Mapping[str, Recording]) -> None:
        self._recordings = recordings
        self._current: Recording | None = None

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, limit_ms: int | None = None) -> Json:  # noqa: ARG002
        given = dict(params or {})
        if method == "Page.navigate":
            self._current = self._recordings.get(given["url"])
            if self._current is None:
                return {"errorText": "net::ERR_NAME_NOT_RESOLVED"}
            return {"frameId": "recorded", "loaderId": self._current.visit.captures[0].loader_served}
        if self._current is None:
            return {}
        return self._answer(method, given, self._current)

    def _answer(self, method: str, given: Json, recording: Recording) -> Json:
        capture = recording.visit.captures[0]
        match method:
            case "Page.getFrameTree":
                url = recording.visit.response.url if recording.visit.response else recording.visit.url
                return {"frameTree": {"frame": {"id": "recorded", "loaderId": capture.loader_served, "url": url}}}
            case "Page.createIsolatedWorld":
                return {"executionContextId": 1}
            case "Page.captureScreenshot":
                return {"data": base64.b64encode((recording.folder / "screenshot.png").read_bytes()).decode()}
            case "Page.captureSnapshot":
                path = recording.folder / "page.mhtml"
                return {"data": recording.text("page.mhtml") if path.exists() else ""}
            case "Runtime.callFunctionOn":
                return {"result": {"value": self._called(given, recording)}}
            case _:
                return {}

    def _called(self, given: Json, recording: Recording) -> Any:
        function, options = given["functionDeclaration"], given.get("arguments", [{}])[0].get("value", {})
        capture = recording.visit.captures[0]
        if function == script("ready"):
            readiness, response = capture.readiness, recording.visit.response
            return {
                "load": readiness.load_event,
                "loadMs": readiness.load_ms,
                "fontsPending": readiness.fonts_pending,
                "quietMs": readiness.quiet_ms,
                "status": response.status if response else None,
                "type": response.mime_type if response else "text/html",
                "nodes": orjson.loads(recording.text("served.json"))["nodes"],
                "state": "complete",
            }
        if function != script("read"):
            raise CommandFailed("A recording answers only what was recorded.")
        if options.get("html"):
            report = orjson.loads(recording.text("served.json"))
            # What closed shadow roots held is part of the reading already.
            return orjson.dumps({**report, "closedHosts": 0, "html": recording.text("dom.html")}).decode()
        return recording.text("after.json" if options.get("light") else "before.json")

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

    def __init__(self, recordings: Mapping[str, Recording]) -> None:
        self._recordings = recordings
        told = next(iter(recordings.values())).visit.browser
        self.name, self.version = (told.name, told.version) if told else ("unknown", "")
        self.user_agent = told.user_agent if told else ""

    async def open_tab(self) -> RecordedTab:
        return RecordedTab(self._recordings)

    async def alive(self) -> bool:
        return True

    async def close(self) -> None:
        return None


async def launch(settings: CrawlerSettings) -> RecordedBrowser:
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
