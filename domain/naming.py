"""What aria and title share: which elements are named for the text they show, and how a name is held against it."""

from __future__ import annotations

from domain.capture import LINE_LIMIT
from domain.divergence import Comparison, Skipped, shows_too_little
from domain.pair import AccessibleName, Pair
from domain.reading import Element
from domain.roles import ENTRY, FROM_CONTENT, PLAIN, role_in
from domain.text import (
    PolicyName,
    materially_disagree,
    normalize,
    repeats_cut_text,
    same_but_format,
    visible_characters,
    wordless,
)


def name_missing(pair: Pair, attribute: str) -> Skipped | None:
    """Why an element that carries a naming attribute has no name to compare, or None where it has."""
    if pair.shown is None:
        return Skipped("gone")
    if pair.serialized is None:
        return Skipped("appeared")
    served, shown = pair.serialized.attributes.get(attribute), pair.shown.attributes.get(attribute)
    if served != shown:
        return Skipped("moved")
    return None if visible_characters(served or "") else Skipped("blank-name")


def shows_its_name(shown: Element, accessible: AccessibleName | None = None) -> bool | Skipped:
    """Whether an element's text is what it is named for: not a value that was entered, not what a group holds.

    A role that says nothing of its own counts where the element is a short line and holds nothing to operate.
    """
    role = role_in(shown, accessible)
    if role in ENTRY:
        return Skipped("text-is-a-value")
    if role in PLAIN:
        alone = "line" in shown.flags and not shown.flags.get("focusable") and len(shown.text) <= LINE_LIMIT
        return True if alone else Skipped("names-a-group")
    return True if role in FROM_CONTENT else Skipped("names-a-group")


def compare_name(pair: Pair, structural: str, policy: PolicyName) -> Comparison:
    """A name in the structure against the text on the screen: what aria and title share."""
    rendered = pair.shown.text if pair.shown else ""
    if pair.shown is not None and pair.shown.flags.get("unknown"):
        # A counter's digits are on the screen and in no text that can be read here.
        return Comparison(
            structural, rendered, disagree=normalize(structural) != normalize(rendered), doubt="generated-counter"
        )
    if pair.shown is not None and pair.shown.flags.get("icons") and not visible_characters(rendered):
        return Comparison(structural, rendered, disagree=True, doubt="icon-font")
    if visible_characters(rendered) and wordless(rendered) and normalize(structural) != normalize(rendered):
        return Comparison(structural, rendered, disagree=True, doubt="symbols-only")
    if not materially_disagree(structural, rendered, policy) or repeats_cut_text(structural, rendered):
        return Comparison(structural, rendered, disagree=False)
    if same_but_format(structural, rendered):
        return Comparison(structural, rendered, disagree=False, doubt="format-only")
    if normalize(structural) == normalize(rendered):
        return Comparison(structural, rendered, disagree=False)
    doubt = shows_too_little(rendered) or ("symbols-only" if wordless(structural) else "")
    return Comparison(structural, rendered, disagree=True, doubt=doubt)
