"""A hand-made Android screen of 400 x 800 for the mobile families, and pixels that have ink where they are told to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from domain.geometry import Box
from domain.pixel_check import Check
from domain.screen import Node, Screen

VIEW = ("android.view.View", "java.lang.Object")
SWITCH = ("android.widget.CompoundButton", "android.widget.Button", "android.widget.TextView", *VIEW)


@dataclass(frozen=True)
class Pixels:
    """blank: left edges of boxes without ink."""

    blank: Collection[float] = ()

    def ink(self, box: Box) -> float | None:
        return 0.001 if box.x in self.blank else 0.4

    def check(self, box: Box, gold: str, structural: str) -> Check:
        raise AssertionError(f"no mobile family reads texts: {box}, {gold!r}, {structural!r}")


def node(key: str, box: tuple[float, float, float, float] | None = (10, 100, 40, 40), **more: Any) -> Node:
    """A visible icon, unless told otherwise."""
    given: dict[str, Any] = {
        "label": "PICTOGRAM",
        "type": "android.widget.ImageView",
        "ancestors": VIEW,
        "visible": True,
        "parent": "root",
    }
    return Node(key=key, box=None if box is None else Box(*box), **(given | more))


def text(key: str, words: str, box: tuple[float, float, float, float] = (10, 700, 200, 30), **more: Any) -> Node:
    return node(key, box, **({"label": "TEXT", "type": "android.widget.TextView", "text": words} | more))


def screen(*nodes: Node, item: str = "336") -> Screen:
    root = node("root", (0, 0, 400, 800), label="ROOT", type="android.widget.FrameLayout", parent=None)
    return Screen(
        source="clay",
        item=item,
        site="com.example.shop",
        made=False,
        screenshot="a" * 64,
        structure="b" * 64,
        format="view_hierarchy",
        width=400,
        height=800,
        nodes=(root, *nodes),
        files=(),
        split="test",
    )
