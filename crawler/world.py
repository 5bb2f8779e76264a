"""World: an isolated script world in a document, of a tab or of a frame, where our page scripts run out of the page's reach."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from crawler.browsers import CommandFailed, Json, Target
from crawler.page import script
from domain.errors import ParallaxError

NAME = "parallax"
# What DevTools says when the document that a world belonged to is no longer there.
GONE = (
    "cannot find context",
    "context was destroyed",
    "promise was collected",
    "inspected target navigated",
    "uniquecontextid not found",
    "not attached to an active page",
)


class Navigated(ParallaxError):
    """The document was replaced while it was being read."""


class PageFailed(ParallaxError):
    """Our script failed inside the page."""


def went(error: CommandFailed) -> bool:
    """Whether a command failed because its document is no longer there."""
    return any(word in str(error).lower() for word in GONE)


def frame_in(tree: Json, frame_id: str | None) -> Json | None:
    """What DevTools' tree of a target's frames says of the one of this id; of the outermost for None."""
    if frame_id in {None, tree["frame"]["id"]}:
        found: Json = tree["frame"]
        return found
    return next((f for child in tree.get("childFrames", ()) if (f := frame_in(child, frame_id)) is not None), None)


@dataclass(frozen=True, slots=True)
class World:
    """The world of one document: gone when the document goes."""

    tab: Target
    context: int
    loader: str
    url: str

    @classmethod
    async def enter(cls, tab: Target, frame_id: str | None = None) -> World:
        """A world of ours in the target's own document, or in that of a frame of the same process. Raises Navigated."""
        frame = frame_in((await tab.send("Page.getFrameTree"))["frameTree"], frame_id)
        if frame is None:
            raise Navigated
        try:
            world = await tab.send(
                "Page.createIsolatedWorld",
                # Universal access (the protocol's own spelling): one script turn reads frames of other origins in this process.
                {"frameId": frame["id"], "worldName": NAME, "grantUniveralAccess": True},
            )
        except CommandFailed as error:
            if went(error):
                raise Navigated from error
            raise
        return cls(tab, world["executionContextId"], frame["loaderId"], frame["url"])

    async def call(self, name: str, options: Json, *handles: str, wait: bool = False, limit_ms: int | None = None) -> Any:
        """What the named page script returns. `handles` are object ids of nodes, passed after the options."""
        try:
            answer = await self.tab.send(
                "Runtime.callFunctionOn",
                {
                    "functionDeclaration": script(name),
                    "executionContextId": self.context,
                    "arguments": [{"value": options}, *({"objectId": h} for h in handles)],
                    "returnByValue": True,
                    "awaitPromise": wait,
                },
                limit_ms=limit_ms,
            )
        except CommandFailed as error:
            # chromedriver says "timeout" of a promise whose document went.
            if went(error) or (wait and str(error).lower().startswith("timeout")):
                raise Navigated from error
            raise
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            said = details.get("exception", {}).get("description", details.get("text", ""))
            raise PageFailed(f"{name}: {said.splitlines()[0] if said else 'unknown error'} (line {details.get('lineNumber')})")
        return answer["result"].get("value")

    async def closed_roots(self) -> tuple[str, ...]:
        """Object ids [host, root, host, root, ...] of closed shadow roots on the hosts that the last reading suspected."""
        try:
            await self.tab.send("DOM.enable")
            hosts = list((await self._objects("() => globalThis.parallaxMemory?.hosts ?? []", {})).values())
            return tuple(h for pair in await asyncio.gather(*map(self._closed_root, hosts[:200])) for h in pair)
        except CommandFailed as error:
            if went(error):
                raise Navigated from error
            raise

    async def _closed_root(self, host: str) -> tuple[str, ...]:
        node = (await self.tab.send("DOM.describeNode", {"objectId": host, "depth": 0, "pierce": True}))["node"]
        found: list[str] = []
        for root in node.get("shadowRoots", ()):
            if root.get("shadowRootType") == "closed":
                handle = await self.tab.send(
                    "DOM.resolveNode", {"backendNodeId": root["backendNodeId"], "executionContextId": self.context}
                )
                found += [host, handle["object"]["objectId"]]
        return tuple(found)

    async def objects(self, name: str, options: Json) -> dict[int, str]:
        """Place -> object id, of what the named page script returns in a list; places that hold no object are left out."""
        try:
            return await self._objects(script(name), options)
        except CommandFailed as error:
            if went(error):
                raise Navigated from error
            raise

    async def _objects(self, function: str, options: Json) -> dict[int, str]:
        answer = await self.tab.send(
            "Runtime.callFunctionOn",
            {"functionDeclaration": function, "executionContextId": self.context, "arguments": [{"value": options}]},
        )
        array = answer["result"]
        if "objectId" not in array:
            return {}
        entries = await self.tab.send("Runtime.getProperties", {"objectId": array["objectId"], "ownProperties": True})
        found = (p for p in entries["result"] if p["name"].isdigit() and "objectId" in p.get("value", {}))
        return {int(p["name"]): p["value"]["objectId"] for p in found}
