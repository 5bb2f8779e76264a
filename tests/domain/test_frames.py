"""Frames of other processes at their place: hand-made readings of 300 by 200 px frames on a viewport of 1280 by 720."""

from __future__ import annotations

from domain.frames import FrameCapture, Window, capture_in, findings_in
from domain.geometry import Box
from tests.domain.made import Raw, element, reading

VIEW = Box(0, 0, 1280, 720)
BUTTON = {"tag": "button", "name": "b", "aria_label": "Add to wishlist"}


def window(x: float = 100, y: float = 50, scale: float = 1, clip: Box | None = None) -> Window:
    return Window(x, y, scale, clip or Box(x, y, 300 * scale, 200 * scale))


def verdict(
    *windows: Window | None, covered: float = 0, box: tuple[float, float, float, float] = (10, 20, 100, 30)
) -> tuple[str, str, tuple[float, float, float, float] | None]:
    """(verdict, reason, box) of a wrongly named button in a frame that has these windows in turn; the last one stays."""
    raw: Raw = element("Buy now", box=box, **BUTTON)  # type: ignore[arg-type]
    places = [*windows, windows[-1], windows[-1]][:3]
    looks = [(reading(raw), place) for place in places]
    frame = FrameCapture("html > body > iframe:nth-child(1)", "https://x.example/", looks[0], looks[1], looks[2], {1: covered})
    [finding] = [f for f in findings_in(frame, capture_in(frame, VIEW, None), "tokens") if f.kind == "aria"]
    assert finding.path.startswith("html > body > iframe:nth-child(1) >>> html > body > button")
    return finding.verdict, finding.reason, finding.box


def test_boxes_are_moved_and_scaled() -> None:
    """A frame at (100, 50), half its size: (10, 20) 100 by 30 is at (105, 60), 50 by 15."""
    assert verdict(window()) == ("flagged", "disagree", (110, 70, 100, 30))
    assert verdict(window(scale=0.5)) == ("flagged", "disagree", (105, 60, 50, 15))


def test_a_frame_that_moved_is_unsettled() -> None:
    """Between S0 and the pixels it may move; around the pixels it may not, nor go."""
    assert verdict(window(x=500), window(), window())[1] == "disagree"
    assert verdict(window(), window(), window(y=51))[1] == "unsettled"
    assert verdict(window(), window(), None)[1] == "unsettled"
    assert verdict(window(), window(), window(y=50.5))[1] == "disagree"


def test_what_is_outside_the_visible_part_is_not_seen() -> None:
    """The button is at y 70 to 100: a clip that ends above it, in the middle of it, and one off the viewport's edge."""
    assert verdict(window(clip=Box(100, 50, 300, 20)))[1] == "clipped"
    assert verdict(window(clip=Box(100, 50, 300, 35)))[:2] == ("review", "partly-visible")
    assert verdict(window(y=700, clip=Box(100, 700, 300, 20)))[1] == "off-viewport"


def test_what_lies_over_the_frame_counts() -> None:
    """Half of its points under something of the page: covered; fewer: a person has to look."""
    assert verdict(window(), covered=0.5)[:2] == ("skipped", "covered")
    assert verdict(window(), covered=0.33)[:2] == ("review", "partly-covered")


def test_windows_within_windows() -> None:
    """A frame at (10, 10) of a frame at (100, 50) of half size is at (105, 55); what of it is seen is cut by both."""
    inner = Window(10, 10, 1, Box(10, 10, 300, 200))
    assert inner.inside(window(scale=0.5)) == Window(105, 55, 0.5, Box(105, 55, 145, 95))
    assert window(scale=0.5).within(Box(0, 0, 400, 100)) == Box(0, 0, 300, 100)
