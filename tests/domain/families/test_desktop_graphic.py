"""desktop-graphic: which targets become probes, what is shown of them, and what the structure is made to say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.families.desktop_graphic import AROUND, LEAST_SIDE, PER_SCREEN, REASONS, WINDOW, draw
from domain.geometry import Box
from domain.pixel_check import Check
from domain.probe import FileRef, Probe
from domain.screen import Node, Screen

PLACE = Box(1000, 700, 40, 30)
FILES = (FileRef(name="annotations/a.json", size=2, sha256="a" * 64), FileRef(name="images/a.png", size=9, sha256="b" * 64))


class Pixels:
    """A picture with this share of ink everywhere. asked: how often it was asked."""

    def __init__(self, ink: float | None = 0.2) -> None:
        self._ink, self.asked = ink, 0

    def ink(self, box: Box) -> float | None:
        self.asked += 1
        return self._ink if box.area else None

    def check(self, box: Box, gold: str, structural: str) -> Check:
        raise AssertionError(f"nobody reads a text here: {box}, {gold}, {structural}")


def node(**changed: Any) -> Node:
    return Node(**{"key": "paint_windows_3", "box": PLACE, "type": "icon", "label": "icon"} | changed)


def screen(nodes: Sequence[Node] = (), width: int = 2560, height: int = 1440) -> Screen:
    return Screen(
        source="screenspot_pro",
        item="paint_windows_3",
        site="paint",
        made=True,
        screenshot="b" * 64,
        structure="c" * 64,
        format="element_list",
        width=width,
        height=height,
        nodes=tuple(nodes),
        files=FILES,
    )


def one(**changed: Any) -> Probe:
    drawn = draw(screen([node(**changed)]), Pixels(), seed=7)
    assert not drawn.rejected
    (probe,) = drawn.probes
    return probe


@pytest.mark.parametrize(("gold", "structural"), [("icon", "text"), ("text", "icon")])
def test_probe(gold: str, structural: str) -> None:
    """Gold is what people called the target, the structure says the opposite; it is shown in a window with a frame."""
    probe = one(type=gold, label=gold)
    assert (probe.family, probe.kind, probe.platform, probe.variable) == ("desktop-graphic", None, "desktop", "type")
    assert (probe.gold, probe.structural, set(probe.options)) == (gold, structural, {"icon", "text"})
    assert probe.edit is not None
    assert probe.edit.model_dump() == {
        "rule": "swap-type", "version": 1, "node": "paint_windows_3", "before": gold, "after": structural,
    }  # fmt: skip
    assert probe.region == PLACE
    assert probe.view is not None
    # The middle of the target, 1020, 715, is the middle of the window.
    assert probe.view.model_dump() == {"x": 508, "y": 331, "width": 1024, "height": 768, "mark": True}
    came = probe.provenance
    assert came.model_dump(include={"source", "made", "item", "site", "label", "seed", "rules", "files"}) == {
        "source": "screenspot_pro", "made": True, "item": "paint_windows_3", "site": "paint", "label": gold, "seed": 7,
        "rules": "desktop-graphic/1", "files": tuple(file.model_dump() for file in FILES),
    }  # fmt: skip


REJECTED: dict[str, dict[str, Any]] = {
    "no-box": {"box": None, "box_fault": "inverted"},
    "no-label": {"label": "button"},
    "type-differs": {"type": "text"},
    "off-picture": {"box": Box(2550, 10, 11, 10)},
    "tiny": {"box": Box(10, 10, 40, LEAST_SIDE - 0.5)},
    "large": {"box": Box(10, 10, WINDOW[0] - 2 * AROUND + 1, 30)},
}


@pytest.mark.parametrize("reason", REJECTED)
def test_rejected(reason: str) -> None:
    """What cannot be asked is rejected by name, without a look at the pixels."""
    pixels = Pixels()
    drawn = draw(screen([node(**REJECTED[reason])]), pixels, seed=7)
    assert (drawn.probes, dict(drawn.rejected), pixels.asked) == ((), {reason: 1}, 0)


@pytest.mark.parametrize("ink", [0.0, 0.0019, None])
def test_flat(ink: float | None) -> None:
    """Where the pixels are of one colour there is nothing to see."""
    assert draw(screen([node()]), Pixels(ink), seed=7).rejected == {"flat": 1}


def test_just_fits() -> None:
    """The largest and the smallest target that are taken."""
    assert one(box=Box(100, 100, WINDOW[0] - 2 * AROUND, WINDOW[1] - 2 * AROUND)).region.height == WINDOW[1] - 2 * AROUND
    assert one(box=Box(0, 0, LEAST_SIDE, LEAST_SIDE)).region.area == LEAST_SIDE**2


def test_negative_box() -> None:
    """A box that begins outside the picture is off it, also where all but a pixel is on it."""
    assert draw(screen([node(box=Box(135, -1, 16, 20))]), Pixels(), seed=7).rejected == {"off-picture": 1}


def test_one_a_screen() -> None:
    """Of several targets one is drawn, whichever their order; all others are counted."""
    nodes = [node(key=f"n{at}", box=Box(100 * at, 50, 40, 30)) for at in range(1, 6)]
    drawn = {draw(screen(order), Pixels(), seed=7).probes[0].provenance.node for order in (nodes, nodes[::-1])}
    assert len(drawn) == 1
    assert draw(screen(nodes), Pixels(), seed=7).rejected == {"cap": 5 - PER_SCREEN}
    others = {draw(screen(nodes), Pixels(), seed=seed).probes[0].provenance.node for seed in range(20)}
    assert len(others) > 1


def test_the_same_again() -> None:
    """The same screen gives the same probe, to the byte; the seed does not change what it asks, nor its id."""
    first, again = one(), one()
    assert first == again
    other = draw(screen([node()]), Pixels(), seed=8).probes[0]
    assert (other.id, other.options) == (first.id, first.options)


@given(
    st.tuples(st.integers(300, 6000), st.integers(300, 3400)),
    st.tuples(st.floats(0, 1), st.floats(0, 1)),
    st.tuples(st.integers(6, 300), st.integers(6, 300)),
)
def test_window(size: tuple[int, int], place: tuple[float, float], extent: tuple[int, int]) -> None:
    """The window has always the same size, is on the picture, and holds the target; less only where the picture is smaller."""
    width, height = size
    box = Box(round(place[0] * (width - extent[0])), round(place[1] * (height - extent[1])), *extent)
    view = screen(width=width, height=height).window(box, WINDOW)
    assert (view.width, view.height) == (min(1024, width), min(768, height))
    assert view.x + view.width <= width
    assert view.y + view.height <= height
    assert box.overlap(Box(view.x, view.y, view.width, view.height)) == box
    # Away from the picture's edges the target is in the middle.
    if 0 < view.x < width - view.width:
        assert abs(view.x + view.width / 2 - box.x - box.width / 2) <= 1


def test_reasons_are_told() -> None:
    """Each reason stands on the family's page."""
    page = (Path(__file__).resolve().parents[3] / "docs/families/desktop-graphic.md").read_text()
    assert [reason for reason in REASONS if f"| `{reason}` |" not in page] == []
