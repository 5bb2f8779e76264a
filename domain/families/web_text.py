"""web-text: a text on a page, seen by a reader where the structure has it; then the structure says another text of that page.

Source: paper, "Edited families" (a text node whose box is verified against the pixels). Which nodes are taken, and why others
are not: docs/families/web-text.md.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from domain.distractors import choose, type_of
from domain.families import EDITED
from domain.geometry import Box
from domain.pixel_check import Check
from domain.probe import Edit, Platform, Probe
from domain.screen import Drawn, Look, Node, Recipe, Screen, rank
from domain.text import normalize, visible_characters

NAME = "web-text"
PLATFORM: Platform = "web"
SOURCES = ("mind2web",)
VARIABLES = ("text",)
CONDITIONS = EDITED
RULES = "web-text/1"
RECIPE = Recipe(NAME, PLATFORM, VARIABLES[0], RULES)
RULE, RULE_VERSION = "swap-text", 1
PER_SCREEN = 4
"""Probes of one page, at most: more of them would tell less."""
READINGS = 12
"""Texts of one page that a reader is asked about, at most: a reading takes some hundredths of a second."""
WINDOW = (1280, 1000)
"""Image px: what is shown of a page at once. Whole pages are too tall to be looked at (UGround cuts them to the same size)."""
TAG = "text"
LEAST_CHARACTERS = 2
LEAST_SIDE_PX = 6
"""Image px: less is no text that can be read."""
MOST_PX_A_CHARACTER = 4000
"""Image px squared: a box with more for each character holds something else beside the text. Titles of 60 px have 2000."""
SEEN = ("same", "alike", "near", "beside")
"""What confirms. A text that an ellipsis cuts ("part") is not seen whole."""

REASONS: Mapping[str, str] = {
    "no-text": "it is blank",
    "no-box": "neither it nor anything around it has a box that can be used",
    "shares-its-box": "the nearest box around it holds other texts, too",
    "off-picture": "its box is not wholly on the picture",
    "too-small": "its box is smaller than any text that can be read",
    "too-large": "its box is much larger than the text in it would be",
    "too-short": "it has a single character",
    "no-type": "it has neither letter nor digit",
    "no-distractor": "no other text of the page is of the same type and says something else",
    "same-text": "another text of the page that reads the same was taken",
    "enough": "enough were drawn from this page",
    "readings-spent": "the reader was asked often enough about this page",
    "no-ink": "its box is flat: nothing is drawn there",
    "cut-on-screen": "the reader finds a part of it and an ellipsis",
    "contradicted": "the reader finds another text there",
    "unreadable": "the reader cannot tell what is there",
}


def draw(screen: Screen, look: Look, *, seed: int) -> Drawn:
    """At most PER_SCREEN probes: the first by rank whose text a reader finds in its box. Every other text has its reason."""
    rejected: Counter[str] = Counter()
    texts = [node for node in screen.nodes if node.type == TAG]
    holders = _holders(screen, texts)
    others = [node.text for node in texts if node.text]
    probes: list[Probe] = []
    taken: set[str] = set()
    readings = 0
    for node in sorted(texts, key=lambda node: rank(seed, NAME, screen.item, node.key)):
        region, reason = _region(screen, node, holders)
        swap = None if reason else choose(node.text, others, seed=seed, key=f"{screen.item} {node.key}")
        if not reason:
            reason = "no-distractor" if swap is None else _spent(len(probes), readings)
        if not reason and normalize(node.text) in taken:
            reason = "same-text"
        if not reason and region is not None and not look.ink(region):
            reason = "no-ink"
        if reason or region is None or swap is None:
            rejected[reason] += 1
            continue
        check, readings = look.check(region, node.text, swap), readings + 1
        if check.verdict != "confirmed" or check.reason not in SEEN:
            rejected[_unseen(check)] += 1
            continue
        taken.add(normalize(node.text))
        edit = Edit(rule=RULE, version=RULE_VERSION, node=node.key, before=node.text, after=swap)
        view = screen.window(region, WINDOW)
        probes.append(
            RECIPE.probe(screen, node, region, gold=node.text, structural=swap, seed=seed, view=view, edit=edit, check=check)
        )
    return Drawn(tuple(probes), rejected)


def _spent(drawn: int, readings: int) -> str:
    return "enough" if drawn >= PER_SCREEN else "readings-spent" if readings >= READINGS else ""


def _unseen(check: Check) -> str:
    if check.reason in {"part", "no-ink"}:
        return "cut-on-screen" if check.reason == "part" else "no-ink"
    return "contradicted" if check.verdict == "contradicted" else "unreadable"


def _holders(screen: Screen, texts: list[Node]) -> Mapping[str, int]:
    """For each text how many texts that are not blank its box holds, itself included: all under the element whose box it is."""
    by_key = {node.key: node for node in screen.nodes}
    around: dict[str, list[str]] = {}
    under: Counter[str] = Counter()
    for node in texts:
        chain, up = [node.key], node.parent
        while up is not None and up in by_key:
            chain.append(up)
            up = by_key[up].parent
        around[node.key] = chain
        if node.text:
            under.update(chain)
    # The element whose box it is: the nearest around it with a box of its own, which for a text without one is the same box.
    return {
        node.key: under[next((key for key in around[node.key][1:] if by_key[key].box == node.box), node.key)] for node in texts
    }


def _region(screen: Screen, node: Node, holders: Mapping[str, int]) -> tuple[Box | None, str]:
    """Whole image px around the node's box, on the picture; or why it is not to be asked about."""
    if not node.text:
        return None, "no-text"
    if node.box is None:
        return None, "no-box"
    if holders[node.key] > 1:
        return None, "shares-its-box"
    left, top = math.floor(node.box.x), math.floor(node.box.y)
    right, bottom = math.ceil(node.box.x + node.box.width), math.ceil(node.box.y + node.box.height)
    if left < 0 or top < 0 or right > screen.width or bottom > screen.height:
        return None, "off-picture"
    region = Box(left, top, right - left, bottom - top)
    if min(region.width, region.height) < LEAST_SIDE_PX:
        return None, "too-small"
    characters = len(visible_characters(node.text))
    if region.area > MOST_PX_A_CHARACTER * characters or region.width > WINDOW[0] or region.height > WINDOW[1]:
        return None, "too-large"
    if characters < LEAST_CHARACTERS:
        return None, "too-short"
    return region, "" if type_of(node.text) else "no-type"
