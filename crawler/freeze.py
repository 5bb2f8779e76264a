"""freeze: stops what a target's process does. What is still not still is told by the bracket of readings, not by this."""

from __future__ import annotations

import asyncio

from crawler.browsers import Target


async def freeze(target: Target) -> None:
    """Stops a document: scripts off, network cut, animations held. Destructive; the last thing that happens to it."""
    await asyncio.gather(
        target.send("Emulation.setScriptExecutionDisabled", {"value": True}),
        target.send("Network.enable"),
        target.send("Animation.enable"),
        target.send(
            "Network.emulateNetworkConditions",
            {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
        ),
        target.send("Animation.setPlaybackRate", {"playbackRate": 0}),
    )
