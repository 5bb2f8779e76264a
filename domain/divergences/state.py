"""state: the serialised document keeps the value, choice, tick or opening a control started with; the screen shows another.

Applies to form controls and disclosures that can be seen. Needs no delay. Ours; compare protocol.md, "Reading the element".
"""

from __future__ import annotations

from domain.capture import Pair
from domain.divergence import Comparison, Skipped
from domain.text import PolicyName, visible_characters

NAME = "state"
VERSION = 1
_WORDS = {"checked": ("checked", "unchecked"), "open": ("open", "closed")}
# The browser draws these in its own way (a slider, a colour, a date by locale): the value itself is not on the screen.
_DRAWN_OTHERWISE = frozenset({"range", "color", "date", "time", "month", "week", "datetime-local", "image", "file", "hidden"})


def applies(pair: Pair) -> bool | Skipped:
    """What moved between S0 and S1 is stale's or nobody's: the start value is compared with a state that held."""
    state = pair.element.state
    if state is None:
        return False
    if pair.shown is None or pair.shown.state is None:
        return Skipped("gone")
    if state.secret:
        return Skipped("secret")
    if pair.serialized is None or pair.serialized.state is None:
        return Skipped("appeared")
    if pair.serialized.state.live != pair.shown.state.live:
        return Skipped("moved")
    return True


def compare(pair: Pair, policy: PolicyName) -> Comparison:  # noqa: ARG001 - inequality, under every policy
    """The structural value is the start value in the serialised document; the rendered one is the live one."""
    served, live = _sides(pair)
    drawn = pair.element.state is not None and pair.element.state.type in _DRAWN_OTHERWISE
    disagree = visible_characters(served) != visible_characters(live)
    return Comparison(served, live, disagree=disagree, doubt="drawn-otherwise" if drawn and disagree else "")


def _sides(pair: Pair) -> tuple[str, str]:
    before = pair.serialized.state if pair.serialized else None
    now = pair.shown.state if pair.shown else None
    if before is None or now is None:
        return "", ""
    if now.what in _WORDS:
        yes, no = _WORDS[now.what]
        return (yes if before.served else no), (now.live if isinstance(now.live, str) else yes if now.live else no)
    return str(before.served or ""), str(now.live or "")
