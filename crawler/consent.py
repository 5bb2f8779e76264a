"""consent: clicks the one button that a site's entry in the list names. Nothing else ever clicks."""

from __future__ import annotations

import asyncio
from typing import Literal

from crawler.browsers import Json, Tab
from crawler.world import Navigated, World

Clicked = Literal["clicked", "not-there", "covered"]
QUIET_MS, LIMIT_MS = 250, 3000
APPEAR_MS = 1500
"""How long a banner may take to come once the page is ready."""


async def click_consent(tab: Tab, world: World, selector: str, *, appear_ms: int = APPEAR_MS) -> Clicked:
    """Clicks the middle of the first element that fits and is seen, then waits until it is gone or the page is quiet.

    not-there: nothing that fits is seen on the viewport, even after appear_ms; covered: something else is on top of its middle.
    Nothing is scrolled. After "clicked" the document may be another one: the caller enters its
    world anew. Raises what drivers raise.
    """
    options: Json = {"selector": selector, "wait": False, "quiet": QUIET_MS, "limit": LIMIT_MS}
    target: Json = await world.call("button", options)
    tries = appear_ms // 100
    while not target["found"] and tries > 0:
        tries -= 1
        await asyncio.sleep(0.1)
        target = await world.call("button", options)
    if not target["found"]:
        return "not-there"
    if not target["reached"]:
        return "covered"
    place: Json = {"x": target["x"], "y": target["y"], "button": "left", "clickCount": 1}
    await tab.send("Input.dispatchMouseEvent", {**place, "type": "mouseMoved", "button": "none"})
    await tab.send("Input.dispatchMouseEvent", {**place, "type": "mousePressed", "buttons": 1})
    await tab.send("Input.dispatchMouseEvent", {**place, "type": "mouseReleased"})
    try:
        await world.call("button", {**options, "wait": True}, wait=True, limit_ms=LIMIT_MS + 5000)
    except Navigated:
        return "clicked"
    return "clicked"
