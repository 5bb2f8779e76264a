"""mobile-stale: views that the structure lists as visible and that people did not find."""

from __future__ import annotations

import pytest

from domain.families.mobile_stale import REASONS, draw
from domain.screen import Node
from tests.domain.families.mobile import Pixels, node, screen, text

GHOST = node("b0b", (10, 100, 200, 40), label="BACKGROUND", type="android.widget.TextView", text="Log out")


def test_the_tuple() -> None:
    """Gold is not visible, structural visible, as found: nothing is edited, and a text is no matter."""
    [probe] = draw(screen(GHOST), Pixels(), seed=7).probes
    assert (probe.family, probe.platform, probe.variable) == ("mobile-stale", "mobile", "visibility")
    assert (probe.gold, probe.structural, probe.edit) == ("not visible", "visible", None)
    assert probe.provenance.source == "clay"
    assert (probe.provenance.label, probe.provenance.rules) == ("BACKGROUND", "mobile-stale/1")


def test_the_root_is_valid() -> None:
    """ROOT (-1) never is a ghost, nor is a view without a label: a builder that thinks so invents one a screen."""
    small_root = node("c0c", (80, 100, 200, 200), label="ROOT", parent=None)
    drawn = draw(screen(small_root, node("d0d", label=None)), Pixels(), seed=7)
    assert (drawn.probes, dict(drawn.rejected)) == ((), {})


@pytest.mark.parametrize(
    ("ghost", "others", "reason"),
    [
        (GHOST._replace(visible=False), (), "not-visible"),
        (GHOST._replace(attributes={"visibility": "invisible"}), (), "not-visible"),
        (GHOST._replace(box=None, box_fault="inverted"), (), "no-box"),
        (node("b0b", (-100, 100, 200, 40), label="BACKGROUND"), (), "off-picture"),
        (node("b0b", (10, 100, 200, 5), label="BACKGROUND"), (), "too-small"),
        (node("b0b", (0, 0, 400, 800), label="BACKGROUND"), (), "too-large"),
        (GHOST, (text("c0c", "Pay", (20, 110, 60, 20), parent="b0b"),), "holds-valid"),
        (GHOST, (node("d0d", label=None, parent="b0b"), text("c0c", "Pay", (20, 110, 60, 20), parent="d0d")), "holds-valid"),
        (GHOST, (text("c0c", "Pay", (12, 102, 200, 40)),), "same-place"),
    ],
)
def test_what_is_no_ghost(ghost: Node, others: tuple[Node, ...], reason: str) -> None:
    """Each view called invalid that is not asked about is counted under its reason."""
    drawn = draw(screen(ghost, *others), Pixels(), seed=7)
    assert (drawn.probes, dict(drawn.rejected)) == ((), {reason: 1})
    assert reason in REASONS


def test_something_else_may_be_there() -> None:
    """A ghost over a picture, or one that holds what is not seen itself, is one."""
    others = (node("c0c", (0, 0, 400, 390), label="IMAGE"), text("d0d", "x", (20, 110, 9, 9), parent="b0b", visible=False))
    assert len(draw(screen(GHOST, *others), Pixels(), seed=7).probes) == 1


def test_three_a_screen_each_of_its_own_place() -> None:
    """At most three of a screen, none in the place of another, the same ones in any order of the nodes."""
    ghosts = [node(f"b{n}", (10, 100 + 60 * n, 200, 40), label="BACKGROUND") for n in range(5)]
    twins = [node(f"c{n}", (11, 101 + 60 * n, 200, 40), label="BACKGROUND") for n in range(5)]
    drawn = draw(screen(*ghosts, *twins), Pixels(), seed=7)
    assert len({probe.region.y // 60 for probe in drawn.probes}) == len(drawn.probes) == 3
    assert sum(drawn.rejected.values()) == 7
    assert set(drawn.rejected) == {"enough", "same-place"}
    assert draw(screen(*twins, *ghosts[::-1]), Pixels(), seed=7).probes == drawn.probes
