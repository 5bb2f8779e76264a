"""mobile-widget: which controls are asked about, and what the structure is made to say of them."""

from __future__ import annotations

import itertools

import pytest

from domain.families.mobile_widget import LABELS, REASONS, draw
from domain.geometry import Box
from domain.probe import Edit
from domain.screen import Node, rank
from tests.domain.families.mobile import SWITCH, VIEW, Pixels, node, screen, text

ICON = node("b0b", attributes={"content-desc": "Share"})
TITLE = text("c0c", "Order 4418")


def test_the_tuple() -> None:
    """Gold is what people called it, structural a text; the edit makes its class a text with a label of our own."""
    drawn = draw(screen(ICON, TITLE), Pixels(), seed=7)
    [probe] = drawn.probes
    assert (probe.family, probe.platform, probe.variable) == ("mobile-widget", "mobile", "type")
    assert (probe.gold, probe.structural, set(probe.options)) == ("icon", "text", {"icon", "text"})
    assert (probe.screenshot, probe.structure, probe.region) == ("a" * 64, "b" * 64, Box(10, 100, 40, 40))
    assert probe.edit == Edit(
        rule="type-text",
        version=1,
        node="b0b",
        before="android.widget.ImageView",
        after=f'android.widget.TextView "{min(LABELS, key=lambda label: rank(7, "mobile-widget", "336", "b0b", label))}"',
    )
    assert probe.provenance.source == "clay"
    assert (probe.provenance.item, probe.provenance.label, probe.provenance.rules) == ("336", "PICTOGRAM", "mobile-widget/1")
    assert probe.provenance.seed == 7


@pytest.mark.parametrize(
    ("label", "type_", "ancestors", "gold"),
    [
        ("PICTOGRAM", "com.example.Glyph", ("android.widget.ImageView", *VIEW), "icon"),
        ("PICTOGRAM", "android.widget.ImageButton", ("android.widget.ImageView", *VIEW), "icon"),
        ("IMAGE", "android.widget.ImageView", VIEW, "image"),
        ("SWITCH", "android.widget.Switch", SWITCH, "switch"),
        ("SWITCH", "com.example.Toggle", ("android.support.v7.widget.SwitchCompat", *SWITCH), "switch"),
        ("CHECK_BOX", "android.support.v7.widget.AppCompatCheckBox", ("android.widget.CheckBox", *SWITCH), "checkbox"),
    ],
)
def test_agree_says_gold(label: str, type_: str, ancestors: tuple[str, ...], gold: str) -> None:
    """The class or the nearest superclass that says anything is of the label's sort, though all toggles descend from a text."""
    [probe] = draw(screen(node("b0b", label=label, type=type_, ancestors=ancestors), TITLE), Pixels(), seed=7).probes
    assert probe.gold == gold
    assert probe.edit is not None
    assert probe.edit.before == type_


@pytest.mark.parametrize(
    ("widget", "others", "reason"),
    [
        (node("b0b", visible=False), (TITLE,), "not-visible"),
        (node("b0b", visible=None), (TITLE,), "not-visible"),
        (node("b0b", attributes={"visibility": "gone"}), (TITLE,), "not-visible"),
        (node("b0b", None, box_fault="inverted"), (TITLE,), "no-box"),
        (node("b0b", (-20, 100, 40, 40)), (TITLE,), "off-picture"),
        (node("b0b", (10, 100, 40, 9.9)), (TITLE,), "too-small"),
        (node("b0b", (0, 0, 400, 401), label="IMAGE"), (TITLE,), "too-large"),
        (node("b0b", type="android.view.View", ancestors=VIEW[1:]), (TITLE,), "class-disagrees"),
        (node("b0b", type="android.widget.TextView"), (TITLE,), "class-disagrees"),
        (node("b0b", label="SWITCH"), (TITLE,), "class-disagrees"),
        (node("b0b", text="Go"), (TITLE,), "has-text"),
        (ICON, (node("d0d", (12, 102, 10, 10), label=None, parent="b0b"),), "has-parts"),
        (ICON, (text("d0d", "New", (15, 110, 30, 20)),), "text-inside"),
        (ICON, (node("d0d", (11, 101, 40, 40), label="IMAGE", visible=True, type="android.view.View"),), "same-place"),
        (node("b0b", (60, 100, 40, 40)), (TITLE,), "no-ink"),
    ],
)
def test_what_is_not_asked(widget: Node, others: tuple[Node, ...], reason: str) -> None:
    """Each widget that cannot be asked about is counted under its reason."""
    drawn = draw(screen(widget, *others), Pixels(blank=[60]), seed=7)
    assert drawn.probes == ()
    assert drawn.rejected[reason] == 1
    assert set(drawn.rejected) <= set(REASONS)


def test_a_ghost_hides_no_widget() -> None:
    """A text that people say is not there does not lie on the icon; and it labels nothing that is not in the tree."""
    ghost = text("d0d", "New", (15, 110, 30, 20), label="BACKGROUND")
    assert len(draw(screen(ICON, ghost), Pixels(), seed=7).probes) == 1


def test_half_an_edge_outside() -> None:
    """A twentieth outside of the picture is cut off, so the region is on it."""
    [probe] = draw(screen(node("b0b", (-2, 100, 40, 40)), TITLE), Pixels(), seed=7).probes
    assert probe.region == Box(0, 100, 38, 40)


def test_two_a_screen_of_different_types_in_any_order() -> None:
    """Of three icons and two switches one each is drawn, the same ones whatever their order; with another seed others."""
    icons = [node(f"b{n}", (10 + 50 * n, 100, 40, 40)) for n in range(3)]
    switches = [
        node(f"c{n}", (10 + 50 * n, 200, 40, 40), label="SWITCH", type="android.widget.Switch", ancestors=SWITCH)
        for n in range(2)
    ]
    widgets = [*icons, *switches]
    drawn = draw(screen(*widgets, TITLE), Pixels(), seed=7)
    assert sorted(probe.gold for probe in drawn.probes) == ["icon", "switch"]
    assert drawn.rejected == {"enough": 3}
    for order in itertools.permutations(widgets):
        assert draw(screen(*order, TITLE), Pixels(), seed=7).probes == drawn.probes
    others = {frozenset(p.id for p in draw(screen(*widgets, TITLE), Pixels(), seed=seed).probes) for seed in range(20)}
    assert len(others) > 1


def test_the_label_is_ours_and_not_on_the_screen() -> None:
    """What the structure is made to say is no text of the publisher's, and none that could be seen elsewhere on the screen."""
    shown = [text(f"e{n:02}", label, (10, 300 + n, 200, 1)) for n, label in enumerate(LABELS) if label != "Undo"]
    [probe] = draw(screen(ICON, *shown), Pixels(), seed=7).probes
    assert probe.edit is not None
    assert probe.edit.after == 'android.widget.TextView "Undo"'
