"""How to judge, and by which keys: the same at the desk, on a sheet, in Label Studio, for a model and in docs/audit.md.

The words say what counts for every picture alike; nothing in them depends on a probe.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from domain.audit import Answer, Ask
from domain.audit_clock import LONGEST_S
from domain.tokens import INVISIBLE


class Guide(NamedTuple):
    """What to do at one question, and when each of the other answers is right."""

    do: str
    absent: str
    unreadable: str
    unsure: str


GUIDE: dict[Ask, Guide] = {
    "transcribe": Guide(
        "write it as shown: case, punctuation, digits. What is cut off: write what is to be seen. Several lines: top to "
        "bottom, a blank or a line break between. A sign that is no letter (an icon) is not written",
        "no text in the region",
        "text, too small, too faint or covered",
        "two readings are as likely",
    ),
    "type": Guide(
        "text, icon, image, switch or checkbox: what fills it. An icon with a word beside it: what the frame is closest around",
        "the region is empty",
        "a shape that could be anything",
        "two of them fit",
    ),
    "visibility": Guide(
        "visible where one thing (a text, an icon, a picture, a button, a field, a switch) lies whole in the region, and is "
        "about as large. A text may be shorter than its region. A row, a bar or a card that holds several is not one thing",
        "no one thing fits: the region is empty, or cuts across something, or holds several things or a part of one",
        "too faint or too covered to tell whether one thing fits",
        "you see what is there, and it may fit or not",
    ),
    "checked": Guide(
        "a tick, a filled dot, a switch at its on side",
        "there is no such control",
        "cannot be made out",
        "on and off look alike here",
    ),
    "open": Guide(
        "whether what belongs to it is unfolded",
        "there is nothing that opens",
        "cannot be made out",
        "nothing tells which",
    ),
}
MEANS: dict[Answer, str] = {
    "absent": "there is nothing of the sort that is asked about",
    "unreadable": "something is there, and you cannot make it out at any zoom",
    "unsure": "you can see it, and cannot decide",
}
"""In general, whatever is asked."""


class Key(NamedTuple):
    """A key, alone or with Alt; in the text field with Alt alone. key: as a keyboard names it, in lower case."""

    key: str
    does: str
    desk: bool = True
    sheet: bool = True


KEYS: dict[str, Key] = {
    "absent": Key("a", "absent"),
    "unreadable": Key("u", "unreadable"),
    "unsure": Key("?", "unsure"),
    "skip": Key("s", "skip: the desk brings it again at the end, a sheet goes to the next"),
    "undo": Key("z", "take the last answer back (with Alt or Ctrl alone)", sheet=False),
    "back": Key("b", "the item before", desk=False),
    "open": Key("n", "the next open item", desk=False),
    "text": Key("t", "into the text field; Esc leaves it", sheet=False),
    "larger": Key("+", "larger"),
    "smaller": Key("-", "smaller"),
    "home": Key("0", "to the region"),
    "mark": Key("m", "mark off, on"),
}
"""By what they do. Digits choose, Enter takes a text, on both."""


def told(ask: Ask) -> str:
    """All of it for one question, for whoever gets it in one piece."""
    do, *others = GUIDE[ask]
    return "\n".join([f"How to judge: {do}.", *(f"{name}: {when}." for name, when in zip(MEANS, others, strict=True))])


def given() -> dict[str, Any]:
    """What scripts of the desk and of a sheet read: words, keys, the most seconds of an answer, and signs that nobody sees."""
    return {
        "guide": {ask: one._asdict() for ask, one in GUIDE.items()},
        "keys": {name: one.key for name, one in KEYS.items()},
        "most_s": LONGEST_S,
        "invisible": INVISIBLE.pattern,
    }
