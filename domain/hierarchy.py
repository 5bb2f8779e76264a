"""Words of Android's view hierarchies: what a class says of a widget, and how the edits of one write that down."""

from __future__ import annotations

import json
from collections.abc import Iterable

TEXT_VIEW = "android.widget.TextView"
TEXT_ANCESTORS = ("android.view.View", "java.lang.Object")
"""Superclasses of a TextView, nearest first."""

VISIBLE, GONE = "visible", "gone"

_BLANK = " \t\r\n\x00"
_SAYS = {
    "android.widget.ImageView": "picture",
    "android.widget.ImageButton": "picture",
    "android.widget.CheckBox": "checkbox",
    "android.widget.Switch": "switch",
    "android.support.v7.widget.SwitchCompat": "switch",
    "androidx.appcompat.widget.SwitchCompat": "switch",
    "android.widget.RadioButton": "radio",
    "android.widget.ToggleButton": "toggle",
    "android.widget.CompoundButton": "toggle",
    "android.widget.CheckedTextView": "text",
    "android.widget.EditText": "input",
    "android.widget.Button": "button",
    TEXT_VIEW: "text",
    "android.view.ViewGroup": "group",
}


def says_type(type_: str, ancestors: Iterable[str]) -> str | None:
    """What a class says of a widget: the nearest of it and its superclasses that says anything; None: nothing does.

    A switch is a checkbox is a button is a text view by descent, so the nearest counts.
    """
    for name in (type_, *ancestors):
        if name in _SAYS:
            return _SAYS[name]
    return None


def class_line(type_: str, text: str = "") -> str:
    """The class, and behind it the text as JSON where there is one: 'android.widget.TextView "Search"'."""
    return f"{type_} {json.dumps(text, ensure_ascii=False)}" if text.strip(_BLANK) else type_


def of_class_line(line: str) -> tuple[str, str]:
    """(class, text) of such a line. Raises ValueError where it is none."""
    type_, blank, text = line.partition(" ")
    said = json.loads(text) if blank else ""
    if not type_ or not isinstance(said, str):
        raise ValueError(f"{line!r} is no class with a text")
    return type_, said
