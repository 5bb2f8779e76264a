"""mobile-visible: a control that is there, hidden by the structure alone."""

from __future__ import annotations

import pytest

from domain.families.mobile_visible import REASONS, draw
from domain.probe import Edit
from domain.screen import Node
from tests.domain.families.mobile import Pixels, node, screen, text


def test_the_tuple() -> None:
    """Gold is visible, structural not visible; the edit hides the one node."""
    [probe] = draw(screen(text("c0c", "Order 4418")), Pixels(), seed=7).probes
    assert (probe.family, probe.platform, probe.variable) == ("mobile-visible", "mobile", "visibility")
    assert (probe.gold, probe.structural) == ("visible", "not visible")
    assert probe.edit == Edit(rule="hide-node", version=1, node="c0c", before="visible", after="gone")
    assert probe.provenance.source == "clay"
    assert (probe.provenance.label, probe.provenance.rules) == ("TEXT", "mobile-visible/1")


@pytest.mark.parametrize(
    "label", ["ROOT", "BACKGROUND", "CONTAINER", "LIST_ITEM", "CARD_VIEW", "TOOLBAR", "NAVIGATION_BAR", "DRAWER", None]
)
def test_groups_are_no_controls(label: str | None) -> None:
    """What only holds others, has no label, or is called invalid is not even a candidate."""
    drawn = draw(screen(node("b0b", label=label)), Pixels(), seed=7)
    assert (drawn.probes, dict(drawn.rejected)) == ((), {})


@pytest.mark.parametrize(
    ("control", "reason"),
    [
        (node("b0b", visible=False), "not-visible"),
        (node("b0b", None, box_fault="empty"), "no-box"),
        (node("b0b", (390, 100, 40, 40)), "off-picture"),
        (node("b0b", (10, 100, 9, 40)), "too-small"),
        (node("b0b", (0, 0, 400, 500)), "too-large"),
        (node("b0b", (60, 100, 40, 40)), "no-ink"),
    ],
)
def test_what_is_not_asked(control: Node, reason: str) -> None:
    """Each control that cannot be asked about is counted under its reason."""
    drawn = draw(screen(control), Pixels(blank=[60]), seed=7)
    assert (drawn.probes, dict(drawn.rejected)) == ((), {reason: 1})
    assert reason in REASONS


def test_one_a_screen_in_any_order() -> None:
    """One control of a screen, the same one whatever the order of the nodes."""
    controls = [node(f"b{n}", (10 + 50 * n, 100, 40, 40)) for n in range(5)]
    drawn = draw(screen(*controls), Pixels(), seed=7)
    assert (len(drawn.probes), dict(drawn.rejected)) == (1, {"enough": 4})
    assert draw(screen(*controls[::-1]), Pixels(), seed=7).probes == drawn.probes
