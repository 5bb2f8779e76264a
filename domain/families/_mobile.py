"""What the families of CLAY's labels have in common: which nodes can be asked about, and who comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from domain.geometry import Box
from domain.screen import Node, Screen, rank

GROUPS = frozenset({"ROOT", "BACKGROUND", "CONTAINER", "LIST_ITEM", "CARD_VIEW", "TOOLBAR", "NAVIGATION_BAR", "DRAWER"})
"""CLAY's labels of what is nothing by itself, or only holds others."""
INVALID = "BACKGROUND"
"""The one label that says that nothing valid is there. ROOT is a valid node."""

MIN_INSIDE = 0.9
"""Share of a box that must be on the picture; what is outside is cut off."""
MIN_SIDE = 1 / 40
"""Of the picture's width: a side below 9 dp is nothing that one can be asked about."""
MAX_SHARE = 0.5
"""Of the picture: more is a background, not a control."""
MIN_INK = 0.02
"""Share of the box that differs from its ground: below it nothing is drawn there."""
SAME_PLACE = 0.8
"""Two boxes that each cover this share of the other are one place."""


def shown(node: Node) -> bool:
    """The structure lists it as visible to the user."""
    return node.visible is True and "visibility" not in node.attributes


def region_of(screen: Screen, node: Node) -> tuple[Box | None, str]:
    """(where to look, image px, cut at the picture's edges; or None and the reason code)."""
    if node.box is None:
        return None, "no-box"
    if node.box.share_inside(screen.area) < MIN_INSIDE:
        return None, "off-picture"
    region = node.box.overlap(screen.area)
    if min(region.width, region.height) < MIN_SIDE * screen.width:
        return None, "too-small"
    if region.area > MAX_SHARE * screen.area.area:
        return None, "too-large"
    return region, ""


def same_place(one: Box, other: Box) -> bool:
    """Whoever looks at one looks at the other."""
    common = one.overlap(other).area
    return common >= SAME_PLACE * one.area and common >= SAME_PLACE * other.area


def ranked(screen: Screen, nodes: Iterable[Node], family: str, seed: int) -> list[Node]:
    """In the order of the draw: by hash of seed, family, screen and node, never by place in the tree."""
    return sorted(nodes, key=lambda node: rank(seed, family, screen.item, node.key))


def below(screen: Screen, holds: Callable[[Node], bool]) -> frozenset[str]:
    """Keys of the nodes that have somewhere below them one for which this holds."""
    parents = {node.key: node.parent for node in screen.nodes}

    def above(key: str) -> Iterator[str]:
        while (parent := parents.get(key)) is not None and parent != key:
            yield parent
            key = parent

    return frozenset(key for node in screen.nodes if holds(node) for key in above(node.key))
