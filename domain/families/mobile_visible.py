"""mobile-visible: a control that is there to be seen, and a structure that hides it. Guards against always saying absent.

Source: paper, appendix on mobile: "the visible positive control selects nodes that CLAY marks valid and visible". Recipe and
reasons: docs/families/mobile-visible.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from domain.families import EDITED
from domain.families._mobile import GROUPS, MIN_INK, ranked, region_of, shown
from domain.hierarchy import GONE, VISIBLE
from domain.probe import Edit, Platform, Probe
from domain.screen import Drawn, Look, Recipe, Screen

NAME = "mobile-visible"
PLATFORM: Platform = "mobile"
SOURCES = ("clay",)
CONDITIONS = EDITED
VARIABLES = ("visibility",)
RULES = "mobile-visible/1"
RECIPE = Recipe(NAME, PLATFORM, VARIABLES[0], RULES)
PER_SCREEN = 1

RULE, RULE_VERSION = "hide-node", 1
GOLD, STRUCTURAL = "visible", "not visible"
REASONS: Mapping[str, str] = {
    "not-visible": "the structure does not list it as visible",
    "no-box": "the structure gives no box that can be used",
    "off-picture": "more than a tenth of its box is outside of the picture",
    "too-small": "a side of its box is below a fortieth of the picture's width",
    "too-large": "its box is more than half of the picture: a background",
    "no-ink": "the picture shows one colour in its box",
    "enough": "another of the screen comes first",
}


def draw(screen: Screen, look: Look, *, seed: int) -> Drawn:
    """At most one probe; rejected: the other nodes with a valid label that is of no group, by reason."""
    rejected: Counter[str] = Counter()
    candidates = []
    for node in screen.nodes:
        if node.label is None or node.label in GROUPS:
            continue
        region, reason = region_of(screen, node) if shown(node) else (None, "not-visible")
        if region is None:
            rejected[reason] += 1
        else:
            candidates.append(node)
    probes: list[Probe] = []
    for node in ranked(screen, candidates, NAME, seed):
        region, _ = region_of(screen, node)
        if region is None or len(probes) == PER_SCREEN:
            rejected["enough"] += 1
        elif (look.ink(region) or 0) < MIN_INK:
            rejected["no-ink"] += 1
        else:
            edit = Edit(rule=RULE, version=RULE_VERSION, node=node.key, before=VISIBLE, after=GONE)
            probes.append(RECIPE.probe(screen, node, region, gold=GOLD, structural=STRUCTURAL, seed=seed, edit=edit))
    return Drawn(tuple(probes), rejected)
