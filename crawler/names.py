"""names: what the browser's own accessibility tree calls elements of a stopped page, and where each name came from.

Asked by DevTools after the pixels, of the elements that domain/accessible.py wants. Measured with Chromium 156 on two busy
cores: the first question makes the browser build its tree, 10 ms on a light page and 490 ms (680 by chromedriver) on one of
15,000 elements; each element after that takes 1.4 to 3 ms, by either driver. So the list is short, and asking ends when its
time is up.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from crawler.browsers import CommandFailed, DriverTimeout, Json
from crawler.world import World
from domain.capture import AccessibleName
from domain.errors import BadInput

VERSION = 1
LIMIT = 200
"""Elements asked at most."""
BUDGET_MS = 1500
"""No further questions are sent after this time; those sent are waited for."""
AT_ONCE = 25
"""Questions in flight: enough to hide the way there and back, few enough to stop soon."""

# What Chromium says a name is from, in our words. Attributes are named as they are.
_NATIVE = {
    "figcaption": "caption",
    "label": "label",
    "labelfor": "label",
    "labelwrapped": "label",
    "legend": "caption",
    "rubyannotation": "contents",
    "tablecaption": "caption",
    "title": "title",
}


async def accessible_names(
    world: World, keys: Sequence[int], *, limit: int = LIMIT, budget_ms: float = BUDGET_MS
) -> dict[int, AccessibleName]:
    """Key -> accessible name, of the first `limit` keys, as far as the time goes; those without a node are left out.

    Changes nothing on the page. Raises Navigated, BrowserGone; an element that the browser will not speak of is left out.
    """
    asked = list(keys[:limit])
    if not asked:
        return {}
    ends = time.monotonic() + budget_ms / 1000
    nodes = await world.objects("nodes", {"keys": asked})
    found: dict[int, AccessibleName] = {}
    there = list(nodes.items())
    for start in range(0, len(there), AT_ONCE):
        if time.monotonic() > ends:
            break
        chunk = there[start : start + AT_ONCE]
        answers = await asyncio.gather(*(_ask(world, handle) for _, handle in chunk))
        found.update({asked[i]: name for (i, _), name in zip(chunk, answers, strict=True) if name is not None})
    return found


async def _ask(world: World, handle: str) -> AccessibleName | None:
    try:
        answer = await world.tab.send("Accessibility.getPartialAXTree", {"objectId": handle, "fetchRelatives": False})
    except (CommandFailed, DriverTimeout):
        return None  # a name is a comment on what is known already: no visit ends for want of one
    nodes = answer.get("nodes") or [{}]
    return parse(nodes[0])


def parse(node: Mapping[str, Any]) -> AccessibleName:
    """An AXNode of the DevTools protocol: role, name, and the first source that gave the name."""
    name = node.get("name", {})
    return AccessibleName(
        role=str(node.get("role", {}).get("value", "")),
        name=str(name.get("value", "")).strip(),
        source=_source(name.get("sources", ())) if str(name.get("value", "")).strip() else "",
        ignored=bool(node.get("ignored")),
    )


def _source(sources: Sequence[Json]) -> str:
    """Sources come in the order of accname 1.2; what counts is the first that has a value and is not passed over."""
    for source in sources:
        if source.get("superseded") or source.get("invalid") or not source.get("value", {}).get("value"):
            continue
        if attribute := source.get("attribute"):
            return str(attribute)
        if native := source.get("nativeSource"):
            return _NATIVE.get(str(native), str(native))
        return str(source.get("type", ""))
    return ""


def pack(names: Mapping[int, AccessibleName]) -> bytes:
    """The artifact `names`: {"version": 1, "names": {key: {"role", "name", "source", "ignored"}}}, keys in order."""
    entries = {
        str(key): {"role": n.role, "name": n.name, "source": n.source, "ignored": n.ignored} for key, n in sorted(names.items())
    }
    # Half a surrogate pair may stand in an attribute; orjson refuses it.
    return orjson.dumps({"version": VERSION, "names": _well(entries)})


def _well(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _well(inner) for key, inner in value.items()}
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def unpack(content: bytes) -> dict[int, AccessibleName]:
    """What `pack` packed. Raises BadInput on another version."""
    held = orjson.loads(content)
    if held.get("version") != VERSION:
        raise BadInput(f"These names are of version {held.get('version')!r}; known: {VERSION}.")
    return {int(key): AccessibleName(**entry) for key, entry in held["names"].items()}
