"""desktop-graphic: whether a control of a desktop application is an icon or a text; the structure asserts the opposite.

Source: paper, section 4, "desktop-graphic", and its appendix: gold is ScreenSpot-Pro's label, which people gave who saw the
screen; the picture shown is a crop with the target drawn. What is taken and what is not: docs/families/desktop-graphic.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from domain.families import EDITED
from domain.probe import Edit, Platform, Probe
from domain.screen import Drawn, Look, Node, Recipe, Screen, rank

NAME = "desktop-graphic"
PLATFORM: Platform = "desktop"
SOURCES = ("screenspot_pro",)
CONDITIONS = EDITED
VARIABLES = ("type",)
RULES = "desktop-graphic/1"
RECIPE = Recipe(NAME, PLATFORM, VARIABLES[0], RULES)
PER_SCREEN = 1
"""A screen is one annotation with its picture: it has one target."""

OPPOSITE: Mapping[str, str] = {"icon": "text", "text": "icon"}
EDIT, EDIT_VERSION = "swap-type", 1

WINDOW = (1024, 768)
"""Image px of what is shown, width and height, less only where the picture is smaller. Always the same and never shrunk: the
size of a window that followed its target would tell what it is, and a target may be 8 px wide."""
AROUND = 32
"""Image px of the screen that are to be seen on each side of a target, at least, away from the picture's edges."""
LEAST_SIDE = 6
"""Image px: less is no control that a person could tell. The smallest of the publisher's targets are 8 px wide."""
LEAST_INK = 0.002
"""Share of the region's pixels that differ from its ground: less shows nothing. As of a line of text (channels/crops.py)."""

REASONS: Mapping[str, str] = {
    "no-box": "the structure gives no box that can be used",
    "no-label": "people gave it no label, or one that is neither icon nor text",
    "type-differs": "the structure's type is not the label, so that both channels would not agree before the edit",
    "off-picture": "the box is not wholly on the picture",
    "tiny": f"a side of the box is shorter than {LEAST_SIDE} px",
    "large": f"the box and {AROUND} px around it do not fit in the window of {WINDOW[0]}x{WINDOW[1]} px",
    "flat": "the pixels in the box are of one colour: there is nothing to see",
    "cap": f"the screen has given its {PER_SCREEN} already",
}


def draw(screen: Screen, look: Look, *, seed: int) -> Drawn:
    """At most one probe; every other node is rejected by one of REASONS. Which node is taken is by rank, not by order."""
    rejected: Counter[str] = Counter()
    probes: list[Probe] = []
    for node in sorted(screen.nodes, key=lambda one: rank(seed, RULES, screen.source, screen.item, one.key)):
        reason = _against(screen, node, look, drawn=len(probes))
        if reason:
            rejected[reason] += 1
        else:
            probes.append(_probe(screen, node, seed))
    return Drawn(tuple(probes), rejected)


def _against(screen: Screen, node: Node, look: Look, *, drawn: int) -> str | None:
    """Why the node gives no probe; None: it gives one. The pixels are asked last, since that costs most."""
    box = node.box
    if box is None:
        return "no-box"
    if node.label not in OPPOSITE:
        return "no-label"
    if node.type != node.label:
        return "type-differs"
    if box.overlap(screen.area) != box:
        return "off-picture"
    if min(box.width, box.height) < LEAST_SIDE:
        return "tiny"
    if box.width + 2 * AROUND > WINDOW[0] or box.height + 2 * AROUND > WINDOW[1]:
        return "large"
    if drawn >= PER_SCREEN:
        return "cap"
    ink = look.ink(box)
    return "flat" if ink is None or ink < LEAST_INK else None


def _probe(screen: Screen, node: Node, seed: int) -> Probe:
    """Of a node that nothing speaks against."""
    if node.box is None or node.label is None:
        raise ValueError(f"{node.key} has no box or no label")
    gold, structural = node.label, OPPOSITE[node.label]
    edit = Edit(rule=EDIT, version=EDIT_VERSION, node=node.key, before=gold, after=structural)
    view = screen.window(node.box, WINDOW)
    return RECIPE.probe(screen, node, node.box, gold=gold, structural=structural, seed=seed, view=view, edit=edit)
