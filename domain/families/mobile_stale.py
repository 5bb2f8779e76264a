"""mobile-stale: the structure lists a view as visible, and people who looked at the screen found nothing valid there.

Nothing is edited. Gold asserts an absence and comes from CLAY's label, which is noisy: only the audit makes it sure. Source:
paper, "Natural-conflict families" and its appendix on mobile. Recipe and reasons: docs/families/mobile-stale.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from domain.families import NATURAL
from domain.families._mobile import INVALID, MAX_SHARE, below, ranked, region_of, same_place, shown
from domain.geometry import Box
from domain.probe import Platform, Probe
from domain.screen import Drawn, Look, Recipe, Screen

NAME = "mobile-stale"
PLATFORM: Platform = "mobile"
SOURCES = ("clay",)
CONDITIONS = NATURAL
VARIABLES = ("visibility",)
RULES = "mobile-stale/1"
RECIPE = Recipe(NAME, PLATFORM, VARIABLES[0], RULES)
PER_SCREEN = 3
"""Source: paper, appendix: "at most three probes per screen"."""

GOLD, STRUCTURAL = "not visible", "visible"
REASONS: Mapping[str, str] = {
    "not-visible": "the structure does not list it as visible: both channels agree",
    "no-box": "the structure gives no box that can be used",
    "off-picture": "more than a tenth of its box is outside of the picture",
    "too-small": "a side of its box is below a fortieth of the picture's width",
    "too-large": f"its box is more than {MAX_SHARE:.0%} of the picture: the whole screen is seen, whatever the label says",
    "holds-valid": "it holds a visible node with a valid label: a wrapper, and what is in it is seen",
    "same-place": "a visible node with a valid label, or another ghost that was drawn, has the same box",
    "enough": "three others of the screen come first",
}


def draw(screen: Screen, look: Look, *, seed: int) -> Drawn:
    """At most PER_SCREEN probes, each of its own place; rejected: the other nodes labelled BACKGROUND, by reason.

    The pixels are not asked: over a ghost there may be anything.
    """
    del look
    rejected: Counter[str] = Counter()
    valid = [node for node in screen.nodes if node.label not in {None, "ROOT", INVALID} and shown(node)]
    wrappers = below(screen, lambda node: node.label not in {None, "ROOT", INVALID} and shown(node))
    taken: list[Box] = [node.box for node in valid if node.box is not None]
    probes: list[Probe] = []
    for node in ranked(screen, [node for node in screen.nodes if node.label == INVALID], NAME, seed):
        region, reason = region_of(screen, node) if shown(node) else (None, "not-visible")
        if region is None:
            rejected[reason] += 1
        elif node.key in wrappers:
            rejected["holds-valid"] += 1
        elif any(same_place(region, box) for box in taken):
            rejected["same-place"] += 1
        elif len(probes) == PER_SCREEN:
            rejected["enough"] += 1
        else:
            taken.append(region)
            probes.append(RECIPE.probe(screen, node, region, gold=GOLD, structural=STRUCTURAL, seed=seed))
    return Drawn(tuple(probes), rejected)
