"""mobile-widget: a control that is no text, and a structure that calls it one.

Gold is CLAY's label. Source: paper, "Edited-conflict families" and its appendix on mobile widgets. Recipe and reasons:
docs/families/mobile-widget.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from domain.families import EDITED
from domain.families._mobile import INVALID, MIN_INK, below, ranked, region_of, same_place, shown
from domain.geometry import Box
from domain.hierarchy import TEXT_VIEW, class_line, says_type
from domain.probe import Edit, Platform, Probe
from domain.screen import Drawn, Look, Node, Recipe, Screen, rank
from domain.text import normalize

NAME = "mobile-widget"
PLATFORM: Platform = "mobile"
SOURCES = ("clay",)
CONDITIONS = EDITED
VARIABLES = ("type",)
RULES = "mobile-widget/1"
RECIPE = Recipe(NAME, PLATFORM, VARIABLES[0], RULES)
PER_SCREEN = 2
"""Of different types, so that a screen full of icons does not stand for many."""

RULE, RULE_VERSION = "type-text", 1
STRUCTURAL = "text"
GOLD: Mapping[str, str] = {"PICTOGRAM": "icon", "IMAGE": "image", "SWITCH": "switch", "CHECK_BOX": "checkbox"}
"""CLAY's label -> what one sees."""
AGREES: Mapping[str, str] = {"PICTOGRAM": "picture", "IMAGE": "picture", "SWITCH": "switch", "CHECK_BOX": "checkbox"}
"""CLAY's label -> what the class must say (domain/hierarchy.py). Android has one class for icons and images."""
LABELS = (
    "About", "Add", "Back", "Call", "Cancel", "Close", "Continue", "Copy", "Delete", "Details", "Done", "Edit",
    "Filter", "Help", "History", "Home", "Menu", "More", "Next", "Open", "Options", "Play", "Profile", "Refresh",
    "Save", "Search", "Select", "Send", "Settings", "Share", "Skip", "Start", "Undo", "View",
)  # fmt: skip
"""What the structure may be made to say. Words of our own, not of the screen: the edit stands in the rows of a release that may
ship none of the publisher's content."""
REASONS: Mapping[str, str] = {
    "not-visible": "the structure does not list it as visible",
    "no-box": "the structure gives no box that can be used",
    "off-picture": "more than a tenth of its box is outside of the picture",
    "too-small": "a side of its box is below a fortieth of the picture's width",
    "too-large": "its box is more than half of the picture: a background",
    "class-disagrees": "its class, or the nearest superclass that says anything, is not of what CLAY's label says",
    "has-text": "it has a text of its own",
    "has-parts": "it holds other views, so calling it a text would leave these in it",
    "text-inside": "a view with a text, not a ghost, lies in its box, so one sees a text there",
    "same-place": "a node with another label of a type has the same box",
    "no-ink": "the picture shows one colour in its box",
    "enough": "two others of the screen come first, or one of the same type",
}


def draw(screen: Screen, look: Look, *, seed: int) -> Drawn:
    """At most PER_SCREEN probes of different types; rejected: the other nodes with one of the labels, by reason."""
    rejected: Counter[str] = Counter()
    parents = below(screen, lambda _: True)
    candidates: list[Node] = []
    for node in screen.nodes:
        if node.label in GOLD:
            reason = _wrong(screen, node, parents)
            if reason:
                rejected[reason] += 1
            else:
                candidates.append(node)
    probes: dict[str, Probe] = {}
    for node in ranked(screen, candidates, NAME, seed):
        gold, (region, _) = GOLD[str(node.label)], region_of(screen, node)
        if region is None or gold in probes or len(probes) == PER_SCREEN:
            rejected["enough"] += 1
        elif (look.ink(region) or 0) < MIN_INK:
            rejected["no-ink"] += 1
        else:
            after = class_line(TEXT_VIEW, _label(screen, node, seed))
            edit = Edit(rule=RULE, version=RULE_VERSION, node=node.key, before=class_line(node.type), after=after)
            probes[gold] = RECIPE.probe(screen, node, region, gold=gold, structural=STRUCTURAL, seed=seed, edit=edit)
    return Drawn(tuple(probes.values()), rejected)


def _wrong(screen: Screen, node: Node, parents: frozenset[str]) -> str:
    """The reason why the node cannot be asked about; empty where it can."""
    if not shown(node):
        return "not-visible"
    region, reason = region_of(screen, node)
    if region is None:
        return reason
    if says_type(node.type, node.ancestors) != AGREES[str(node.label)]:
        return "class-disagrees"
    if node.text.strip():
        return "has-text"
    if node.key in parents:
        return "has-parts"
    seen = [other for other in screen.nodes if shown(other) and other.label != INVALID]
    others = [other for other in seen if other is not node and other.box is not None]
    if any(other.text.strip() and _in(other, region) for other in others):
        return "text-inside"
    gold = GOLD[str(node.label)]
    if any(GOLD.get(str(other.label), gold) != gold and _at(other, region) for other in others):
        return "same-place"
    return ""


def _in(other: Node, region: Box) -> bool:
    return other.box is not None and other.box.share_inside(region) > 0.5  # noqa: PLR2004 - most of it


def _at(other: Node, region: Box) -> bool:
    return other.box is not None and same_place(other.box, region)


def _label(screen: Screen, node: Node, seed: int) -> str:
    """What the structure will have as its text: a label that no view of the screen has already, while there is one."""
    taken = {normalize(other.text) for other in screen.nodes}
    free = [label for label in LABELS if normalize(label) not in taken] or LABELS
    return min(free, key=lambda label: rank(seed, NAME, screen.item, node.key, label))
