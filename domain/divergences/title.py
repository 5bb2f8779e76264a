"""title: the title attribute of an element disagrees with the text it shows.

Applies to elements that hold a short text and nothing else, or that are named from their content, and whose text held still.
Source: paper, appendix "Web-natural, live-site mining".
"""

from __future__ import annotations

from domain.capture import Pair
from domain.divergence import Comparison, Skipped
from domain.naming import compare_name, name_missing, shows_its_name
from domain.text import PolicyName

NAME = "title"
VERSION = 2
ATTRIBUTE = "title"
# Their title names a document or a resource, not a text on the screen.
_NOT_A_LABEL = frozenset({"iframe", "frame", "object", "embed", "link", "style", "html", "body"})
_EXPANDS = frozenset({"abbr", "acronym", "dfn"})


def applies(pair: Pair) -> bool | Skipped:
    """Not for frames and groups, nor where the text is a value that was entered."""
    if not any(side is not None and ATTRIBUTE in side.attributes for side in (pair.serialized, pair.shown)):
        return False
    if absent := name_missing(pair, ATTRIBUTE):
        return absent
    assert pair.shown is not None  # noqa: S101 - name_missing has looked
    if pair.shown.tag in _NOT_A_LABEL:
        return Skipped("names-a-group")
    return shows_its_name(pair.shown, pair.accessible)


def compare(pair: Pair, policy: PolicyName) -> Comparison:
    """As aria. The title of an abbreviation spells it out (HTML 4.5.9): it differs by design, so a person decides."""
    title = pair.serialized.attributes[ATTRIBUTE] if pair.serialized else ""
    comparison = compare_name(pair, title, policy)
    if comparison.disagree and not comparison.doubt and pair.element.tag in _EXPANDS:
        return Comparison(comparison.structural, comparison.rendered, disagree=True, doubt="expands-an-abbreviation")
    return comparison
