"""What made Android screens are built of: views with place, class, label and drawing. Lengths in dp; a screen is 360 x 640."""

from __future__ import annotations

import html
import random
from dataclasses import dataclass, field

WIDTH, HEIGHT = 360, 640
STATUS_BAR = 24

_VIEW = ("android.view.View", "java.lang.Object")
_TEXT = ("android.widget.TextView", *_VIEW)
_TOGGLE = ("android.widget.CompoundButton", "android.widget.Button", *_TEXT)
_GROUP = ("android.view.ViewGroup", *_VIEW)
ANCESTORS = {
    "android.widget.TextView": _VIEW,
    "android.support.v7.widget.AppCompatTextView": _TEXT,
    "android.widget.Button": _TEXT,
    "android.widget.EditText": _TEXT,
    "android.widget.ImageView": _VIEW,
    "android.support.v7.widget.AppCompatImageView": ("android.widget.ImageView", *_VIEW),
    "android.widget.ImageButton": ("android.widget.ImageView", *_VIEW),
    "com.example.widget.RoundImageView": ("android.support.v7.widget.AppCompatImageView", "android.widget.ImageView", *_VIEW),
    "android.support.v7.view.menu.ActionMenuItemView": ("android.support.v7.widget.AppCompatTextView", *_TEXT),
    "android.widget.Switch": _TOGGLE,
    "android.support.v7.widget.SwitchCompat": _TOGGLE,
    "android.widget.CheckBox": _TOGGLE,
    "android.support.v7.widget.AppCompatCheckBox": ("android.widget.CheckBox", *_TOGGLE),
    "android.widget.ProgressBar": _VIEW,
    "android.widget.FrameLayout": _GROUP,
    "android.widget.LinearLayout": _GROUP,
    "android.widget.RelativeLayout": _GROUP,
    "android.widget.ListView": ("android.widget.AbsListView", "android.widget.AdapterView", *_GROUP),
    "android.support.v7.widget.Toolbar": _GROUP,
    "android.support.v4.widget.DrawerLayout": _GROUP,
    "com.android.internal.policy.PhoneWindow$DecorView": ("android.widget.FrameLayout", *_GROUP),
}
IMAGES = ("android.widget.ImageView", "android.support.v7.widget.AppCompatImageView", "com.example.widget.RoundImageView")
ICONS = ("android.widget.ImageButton", "android.widget.ImageView", "android.support.v7.widget.AppCompatImageView")
SHAPES = {
    "Menu": "M3 6h18M3 12h18M3 18h18",
    "Back": "M20 12H5M11 5l-7 7 7 7",
    "Search": "M10 4a6 6 0 1 0 .1 0M15 15l6 6",
    "Favourite": "M12 20L4 12a5 5 0 0 1 8-6 5 5 0 0 1 8 6z",
    "Star": "M12 3l3 6 6 1-4.500 4 1 7-5.500-3-5.500 3 1-7L3 10l6-1z",
    "Add": "M12 4v16M4 12h16",
    "Done": "M4 12l6 6L20 6",
    "Alerts": "M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4",
    "Delete": "M5 7h14M8 7l1 13h6l1-13M10 4h4",
    "Play": "M7 4l13 8-13 8z",
    "Share": "M6 12l12-6M6 12l12 6M4 10h4v4H4zM16 4h4v4h-4zM16 16h4v4h-4z",
    "Home": "M3 12l9-8 9 8M6 11v9h12v-9",
    "Camera": "M3 7h5l2-3h4l2 3h5v13H3zM12 10a4 4 0 1 0 .1 0",
}


@dataclass(slots=True)
class View:
    """One view. at: left, top, width, height. label: CLAY's. drawn: HTML for it; empty for a ghost or a group.

    shown: what the structure says of it, true or not. bounds: in place of the true ones (1440 x 2560), for defects.
    """

    kind: str
    at: tuple[int, int, int, int]
    label: str
    drawn: str = ""
    text: str = ""
    spoken: str | None = None
    name: str = ""
    shown: bool = True
    inside: list[View | None] = field(default_factory=list)
    bounds: list[int] | None = None


def text(words: str, at: tuple[int, int, int, int], *, size: int = 14, ink: str = "#222", label: str = "TEXT") -> View:
    style = f"font:{size}px/{at[3]}px sans-serif;color:{ink};white-space:nowrap;overflow:hidden"
    return View("android.support.v7.widget.AppCompatTextView", at, label, _div(at, style, html.escape(words)), words)


def button(words: str, at: tuple[int, int, int, int], *, ground: str) -> View:
    style = f"background:{ground};color:#fff;font:bold 14px/{at[3]}px sans-serif;text-align:center;border-radius:3px"
    return View("android.widget.Button", at, "BUTTON", _div(at, style, html.escape(words)), words)


def entry(hint: str, at: tuple[int, int, int, int]) -> View:
    style = f"border-bottom:2px solid #777;box-sizing:border-box;color:#555;font:15px/{at[3]}px sans-serif"
    return View("android.widget.EditText", at, "TEXT_INPUT", _div(at, style, html.escape(hint)), hint)


def icon(shape: str, at: tuple[int, int, int, int], *, ink: str, kind: str, spoken: bool) -> View:
    drawn = _svg(at, f'<path d="{SHAPES[shape]}" fill="none" stroke="{ink}" stroke-width="2.200"/>')
    return View(kind, at, "PICTOGRAM", drawn, spoken=shape if spoken else None, name=f"icon_{shape.lower()}")


def image(r: random.Random, at: tuple[int, int, int, int], *, kind: str) -> View:
    """A landscape in colours of its own."""
    sky, far, near = (f"hsl({r.randrange(360)},{r.randrange(35, 80)}%,{light}%)" for light in (78, 55, 35))
    top, sun = r.randrange(6, 13), r.randrange(4, 20)
    hills = f'<path d="M0 {top + 6}L7 {top}L13 {top + 5}L19 {top - 2}L24 {top + 4}V24H0z" fill="{far}"/>'
    shapes = f'<rect width="24" height="24" fill="{sky}"/><circle cx="{sun}" cy="5" r="2.500" fill="#fff3"/>{hills}'
    drawn = _svg(at, shapes + f'<path d="M0 20Q8 {top + 4} 24 19V24H0z" fill="{near}"/>', fill=True)
    return View(kind, at, "IMAGE", drawn, name="picture")


def switch(at: tuple[int, int, int, int], *, on: bool, ink: str, kind: str) -> View:
    ground, thumb = (ink, 17) if on else ("#bbb", 7)
    track = f'<rect x="1" y="7" width="22" height="10" rx="5" fill="{ground}"/>'
    shapes = f'{track}<circle cx="{thumb}" cy="12" r="6.500" fill="#fafafa" stroke="#888"/>'
    return View(kind, at, "SWITCH", _svg(at, shapes), name="toggle")


def checkbox(at: tuple[int, int, int, int], *, on: bool, ink: str, kind: str) -> View:
    mark = f'<path d="M7 12l4 4 7-8" fill="none" stroke="{ink}" stroke-width="2.500"/>' if on else ""
    shapes = f'<rect x="3" y="3" width="18" height="18" rx="2" fill="#fff" stroke="#555" stroke-width="2"/>{mark}'
    return View(kind, at, "CHECK_BOX", _svg(at, shapes), name="check")


def bar(at: tuple[int, int, int, int], share: float, *, ink: str) -> View:
    drawn = _div(at, f"background:linear-gradient(90deg,{ink} {share:.0%},#ccc {share:.0%})", "")
    return View("android.widget.ProgressBar", at, "PROGRESS_BAR", drawn)


def ghost(kind: str, at: tuple[int, int, int, int], *, words: str = "", name: str) -> View:
    """Listed as visible, and nothing of it is on the screen."""
    return View(kind, at, "BACKGROUND", "", words, name=name)


def group(kind: str, at: tuple[int, int, int, int], inside: list[View], *, label: str = "CONTAINER", ground: str = "") -> View:
    return View(kind, at, label, _div(at, f"background:{ground}", "") if ground else "", inside=list(inside))


def _div(at: tuple[int, int, int, int], style: str, inner: str) -> str:
    x, y, width, height = at
    return f'<div style="position:absolute;left:{x}px;top:{y}px;width:{width}px;height:{height}px;{style}">{inner}</div>'


def _svg(at: tuple[int, int, int, int], shapes: str, *, fill: bool = False) -> str:
    ratio = ' preserveAspectRatio="none"' if fill else ""
    return _div(at, "", f'<svg width="100%" height="100%" viewBox="0 0 24 24"{ratio} style="display:block">{shapes}</svg>')
