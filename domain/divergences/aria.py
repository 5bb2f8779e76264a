"""aria: the name spoken for an element disagrees with the text it shows.

Applies to elements named from their content whose name an author gave, by aria-label or aria-labelledby, and whose text held
still. Conflict under the policy. Compare WCAG 2.5.3 (label in name). Source: paper, appendix "Web-natural, live-site mining".
"""

from __future__ import annotations

import dataclasses

from domain.capture import Pair
from domain.divergence import Comparison, Skipped
from domain.label_in_name import Relation, one_letter, relation
from domain.naming import compare_name, shows_its_name
from domain.reading import Element
from domain.roles import WIDGETS, role_in
from domain.text import PolicyName, repeats_cut_text, visible_characters, wordless

NAME = "aria"
VERSION = 2
LABEL = "aria-label"
LABELLED_BY = "aria-labelledby"
MISSPELT = "aria-labeledby"


def applies(pair: Pair) -> bool | Skipped:
    """Not for landmarks and groups, which are named for what they hold, nor where the text is a value that was entered."""
    sides = [side.attributes for side in (pair.serialized, pair.shown) if side is not None]
    if not any(LABEL in side or LABELLED_BY in side for side in sides):
        return False
    if pair.shown is None:
        return Skipped("gone")
    if pair.serialized is None:
        return Skipped("appeared")
    served, shown = pair.serialized, pair.shown
    same = all(served.attributes.get(a) == shown.attributes.get(a) for a in (LABEL, LABELLED_BY))
    if not same or visible_characters(served.labelled_by or "") != visible_characters(shown.labelled_by or ""):
        return Skipped("moved")
    if shown.labelled_by is None and pair.accessible is None and visible_characters(shown.attributes.get(LABELLED_BY, "")):
        return Skipped("labelled-by-another")  # a reading of a time when nobody looked at what is named there
    return shows_its_name(shown, pair.accessible)


def compare(pair: Pair, policy: PolicyName) -> Comparison | Skipped:
    """The structural value is the name that the structure gives; the rendered one stands beside the screenshot."""
    given = _given(pair)
    if policy == "label-in-name":
        return _by_the_rule(pair, given)
    if given is None:
        return Skipped("blank-name")
    sub_kind, name, known = given
    comparison = dataclasses.replace(compare_name(pair, name, policy), sub_kind=sub_kind)
    if not known and comparison.disagree and not comparison.doubt:
        return dataclasses.replace(comparison, doubt="name-unknown")
    return comparison


def _given(pair: Pair) -> tuple[str, str, bool] | None:
    """(attribute that names, name, whether it is known), or None where neither attribute names: accname 1.2, 2B and 2D.

    Only the browser knows what aria-labelledby comes to. Where it was not asked, or leaves the element out of its tree, the
    text that the elements named there hold stands in, and whether it disagrees is for a person.
    """
    assert pair.serialized is not None  # noqa: S101 - applies has looked
    assert pair.shown is not None  # noqa: S101
    told = pair.accessible if pair.accessible is not None and not pair.accessible.ignored else None
    if visible_characters(pair.shown.attributes.get(LABELLED_BY, "")):
        if told is not None and told.source == LABELLED_BY:
            return LABELLED_BY, told.name, True
        held = pair.shown.labelled_by or ""
        if told is None and visible_characters(held):
            return LABELLED_BY, held, False
        # No such element, or nothing in it: the label counts.
    if told is not None and told.source == MISSPELT and visible_characters(told.name):
        return LABEL, told.name, True  # Chromium takes it for aria-labelledby, and what it names goes before the label
    label = pair.serialized.attributes.get(LABEL, "")
    return (LABEL, label, True) if visible_characters(label) else None


def _by_the_rule(pair: Pair, given: tuple[str, str, bool] | None) -> Comparison | Skipped:
    """ACT rule 2ee8b8: of widgets named from their content only, and its own words in its own order (docs/policies.md)."""
    assert pair.shown is not None  # noqa: S101 - applies has looked
    shown = pair.shown
    if role_in(shown, pair.accessible) not in WIDGETS:
        return Skipped("not-a-widget")
    label = shown.text
    # Attributes that name nothing leave the name to the contents, unless the browser says otherwise.
    told = pair.accessible.name if pair.accessible is not None and not pair.accessible.ignored else label
    attribute = LABEL if LABEL in shown.attributes else LABELLED_BY
    sub_kind, name, known = given or (attribute, told, True)
    stands = relation(name, label)
    if stands == "contained" or repeats_cut_text(name, label) or shown.flags.get("meant"):
        doubt = "icon-font" if _is_icon(shown) else "symbols-only" if wordless(label) and label != name else ""
        return Comparison(name, label, disagree=False, doubt=doubt, sub_kind=sub_kind)
    return Comparison(
        name, label, disagree=True, doubt=_doubt(shown, stands) or ("" if known else "name-unknown"), sub_kind=sub_kind
    )


def _is_icon(shown: Element) -> bool:
    """All that is seen is a picture, or a word that would be one: the rule takes for granted that fonts have come."""
    return bool(shown.flags.get("meant") or (shown.flags.get("icons") and not visible_characters(shown.text)))


def _doubt(shown: Element, stands: Relation) -> str:
    """Why only a person can tell whether a label that does not stand in its name fails, or ""."""
    if shown.flags.get("unknown"):
        return "generated-counter"
    match stands:
        case "abbreviation":
            return "expands-an-abbreviation"
        case "spelling":
            return "spelt-otherwise"
        case "symbol":
            return "symbol-beside-words"
        case _:
            return "too-short" if one_letter(shown.text) else ""
