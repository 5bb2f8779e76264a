"""recorded_frames: frames of other processes, answered from the artifact `frames` of a stored capture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from crawler.browsers import CommandFailed, Json
from crawler.page import script


@dataclass(frozen=True, slots=True)
class RecordedFrame:
    """One frame as it was recorded. place: in the artifact; deeper frames name that of the frame they are in."""

    id: str
    place: int
    held: Json
    around: Sequence[Json]

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, limit_ms: int | None = None) -> Json:  # noqa: ARG002
        given = dict(params or {})
        match method:
            case "Page.getFrameTree":
                return {"frameTree": {"frame": {"id": self.id, "loaderId": "recorded", "url": self.held["url"]}}}
            case "Page.createIsolatedWorld":
                return {"executionContextId": 1}
            case "Runtime.callFunctionOn" if given["functionDeclaration"] == script("nodes"):
                return {"result": {"objectId": ",".join(map(str, given["arguments"][0]["value"]["keys"]))}}
            case "Runtime.callFunctionOn":
                return {"result": {"value": self._called(given)}}
            case "Runtime.getProperties":
                keys = given["objectId"].split(",")
                return {"result": [{"name": str(i), "value": {"objectId": key}} for i, key in enumerate(keys)]}
            case "Accessibility.getPartialAXTree":
                return accessible(given["objectId"], orjson.dumps(self.held["names"]))
            case "DOM.describeNode":
                return {"node": {"frameId": frame_id(self._beside(), self.place, given["objectId"])}}
            case _:
                return {}

    def _beside(self) -> list[RecordedFrame]:
        return _framed(self.around, self.id.rpartition("-")[0])

    def _called(self, given: Json) -> Any:
        function, options = given["functionDeclaration"], given["arguments"][0]["value"]
        if function == script("over"):
            return covered(self._beside(), self.place, options["key"])
        if function != script("read"):
            raise CommandFailed("A recording answers only what was recorded.")
        if options["html"]:
            served = self.held["served"]["reading"]
            return orjson.dumps({**served, "closedHosts": 0, "html": self.held["dom"]}).decode()
        return orjson.dumps(self.held["after" if options["light"] else "before"]["reading"]).decode()


def _framed(held: Sequence[Json], prefix: str) -> list[RecordedFrame]:
    return [RecordedFrame(f"{prefix}-{place}", place, frame, held) for place, frame in enumerate(held)]


def frames_in(content: bytes | None, index: int) -> list[RecordedFrame]:
    """The frames of a capture; none where none was recorded. index: of the capture."""
    return _framed(orjson.loads(content)["frames"], f"frame-{index}") if content else []


def _one(frames: Sequence[RecordedFrame], outer: int | None, key: int) -> RecordedFrame | None:
    return next((f for f in frames if f.held["outer"] == outer and f.held["key"] == key), None)


def frame_id(frames: Sequence[RecordedFrame], outer: int | None, key: str) -> str:
    """Id of the frame whose element has this key in the document of `outer`, None for the page's; it may answer nothing."""
    found = _one(frames, outer, int(key))
    return found.id if found else "not-recorded"


def covered(frames: Sequence[RecordedFrame], outer: int | None, key: int) -> Mapping[str, float]:
    """What the script `over` said of that frame's texts."""
    found = _one(frames, outer, key)
    return found.held["covered"] if found else {}


def accessible(key: str, content: bytes | None) -> Json:
    """A recorded accessible name, in the browser's own form. content: the artifact `names`. Raises CommandFailed."""
    held = orjson.loads(content)["names"].get(key) if content else None
    if held is None:
        raise CommandFailed("This element's name was not recorded.")
    text = {"value": held["name"]}
    name = {**text, "sources": [{"attribute": held["source"], "value": text}]}
    return {"nodes": [{"role": {"value": held["role"]}, "name": name, "ignored": held["ignored"]}]}
