"""aria: the name spoken for an element disagrees with the text it shows.

Applies to elements named from their content that carry an aria-label and whose text held still. Conflict under the policy.
Compare WCAG 2.5.3 (label in name). Source: paper, appendix "Web-natural, live-site mining".
"""

from __future__ import annotations

from domain.capture import Pair
from domain.divergence import Comparison, Skipped, compare_name, name_missing, shows_its_name
from domain.text import PolicyName

NAME = "aria"
VERSION = 1
ATTRIBUTE = "aria-label"


def applies(pair: Pair) -> bool | Skipped:
    """Not for landmarks and groups, which are named for what they hold, nor where the text is a value that was entered."""
    if not any(side is not None and ATTRIBUTE in side.attributes for side in (pair.serialized, pair.shown)):
        return False
    if absent := name_missing(pair, ATTRIBUTE):
        return absent
    assert pair.shown is not None  # noqa: S101 - name_missing has looked
    if pair.shown.attributes.get("aria-labelledby", "").strip():
        return Skipped("labelled-by-another")
    return shows_its_name(pair.shown)


def compare(pair: Pair, policy: PolicyName) -> Comparison:
    """The structural value is the label in the serialised document; the rendered one stands beside the screenshot."""
    return compare_name(pair, ATTRIBUTE, policy)
