"""Made Android screens: seven sorts, each in colours and words of its own, with ghosts that nobody sees. Always the same."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.corpora._mobile_parts import (
    HEIGHT,
    ICONS,
    IMAGES,
    SHAPES,
    STATUS_BAR,
    WIDTH,
    View,
    bar,
    button,
    checkbox,
    entry,
    ghost,
    group,
    icon,
    image,
    switch,
    text,
)

FRAME, LINEAR, RELATIVE = "android.widget.FrameLayout", "android.widget.LinearLayout", "android.widget.RelativeLayout"
TEXT_VIEW = "android.widget.TextView"
TITLES = (
    "Settings",
    "Inbox",
    "Gallery",
    "My account",
    "Recipe book",
    "Now playing",
    "Trips",
    "Library",
    "Einkaufsliste",
    "Été 2016",
)
LINES = (
    "Notifications", "Sound", "Vibrate", "Wi-Fi only", "Dark theme", "Download quality", "Weekly digest", "Location", "Backup",
    "Anna Berg", "Weather for Sunday", "Team lunch", "Order 4418", "Bus line 12", "Tomato soup", "Rye bread", "Lemon cake",
    "Night walk", "Old harbour", "First snow", "Language", "Storage", "Privacy", "Offline maps", "Units", "Sync contacts",
)  # fmt: skip
SMALL = (
    "Last changed today",
    "3 items",
    "On when charging",
    "from 9:40",
    "Tap to change",
    "2.4 km away",
    "Not set",
    "45 minutes",
)
DRAWER = ("Home page", "Saved items", "History", "Friends", "Help centre", "Send feedback", "Log out", "Rate this app")
HINTS = ("E-mail", "Full name", "Street", "Phone number", "Postcode", "Promotion code")
INKS = ("#1565c0", "#2e7d32", "#ad1457", "#4527a0", "#e65100", "#00695c", "#37474f")


@dataclass(frozen=True, slots=True)
class MadeScreen:
    """item: RICO's number. scale: image px per dp, 1.5 or 3. ground: CSS colour of the page."""

    item: int
    app: str
    root: View
    scale: float
    ground: str


def screens(count: int) -> list[MadeScreen]:
    """The first so many. Every one has at least three ghosts, a control, and pictures of two sorts or more."""
    return [_screen(at) for at in range(count)]


def _screen(at: int) -> MadeScreen:
    r = random.Random(f"screen {at}")  # noqa: S311 - the same every time is what it is for
    ink = r.choice(INKS)
    sorts = (_settings, _list, _grid, _form, _detail, _player, _dialog)
    sort = sorts[at % len(sorts)]
    ground = r.choice(("#fff", "#fafafa", "#f0f4f8", "#fffdf5"))
    app = f"com.example.made{at % 37:02d}"
    return MadeScreen(100 + 13 * at, app, sort(r, ink), 3 if at % 4 == 3 else 1.5, ground)


def _window(inside: list[View], at: tuple[int, int, int, int] = (0, 0, WIDTH, HEIGHT)) -> View:
    content = group(FRAME, at, inside)
    return group("com.android.internal.policy.PhoneWindow$DecorView", at, [group(LINEAR, at, [content])], label="ROOT")


def _toolbar(r: random.Random, ink: str) -> View:
    shapes = r.sample([name for name in SHAPES if name not in {"Menu", "Back"}], 2)
    inside = [
        icon(r.choice(("Menu", "Back")), (16, 40, 24, 24), ink="#fff", kind="android.widget.ImageButton", spoken=True),
        text(r.choice(TITLES), (72, 36, 170, 32), size=20, ink="#fff"),
        icon(shapes[0], (272, 38, 28, 28), ink="#fff", kind=r.choice(ICONS), spoken=r.random() < 0.5),
        icon(shapes[1], (320, 38, 28, 28), ink="#fff", kind="android.support.v7.view.menu.ActionMenuItemView", spoken=True),
    ]
    return group("android.support.v7.widget.Toolbar", (0, STATUS_BAR, WIDTH, 56), inside, label="TOOLBAR", ground=ink)


def _ghosts(r: random.Random) -> list[View]:
    """A closed drawer's lines, and things that wait to be shown: a bar, an empty list's text, a wheel that turns."""
    lines = [
        ghost(TEXT_VIEW, (12, 120 + 56 * n, 236, 44), words=words, name="drawer_item")
        for n, words in enumerate(r.sample(DRAWER, r.randrange(3, 6)))
    ]
    drawer = group(LINEAR, (0, STATUS_BAR, 264, HEIGHT - STATUS_BAR), lines, label="BACKGROUND")
    waiting = [
        ghost(TEXT_VIEW, (80, 300, 200, 36), words="Nothing here yet", name="empty"),
        ghost("android.widget.ProgressBar", (156, 250, 48, 48), name="wait"),
        ghost(TEXT_VIEW, (8, 560, 344, 48), words="Could not connect", name="snackbar"),
        ghost("android.widget.ImageView", (300, 90, 40, 40), name="badge"),
    ]
    return [group("android.support.v4.widget.DrawerLayout", drawer.at, [drawer]), *r.sample(waiting, 2)]


def _switch(r: random.Random, at: tuple[int, int, int, int], ink: str) -> View:
    kind = r.choice(("android.widget.Switch", "android.support.v7.widget.SwitchCompat"))
    return switch(at, on=r.random() < 0.5, ink=ink, kind=kind)


def _checkbox(r: random.Random, at: tuple[int, int, int, int], ink: str) -> View:
    kind = r.choice(("android.widget.CheckBox", "android.support.v7.widget.AppCompatCheckBox"))
    return checkbox(at, on=r.random() < 0.6, ink=ink, kind=kind)


def _icons(r: random.Random, places: list[tuple[int, int, int, int]], ink: str) -> list[View]:
    """One shape at each place; every other one says what it is to those who do not see it."""
    shapes = r.sample(list(SHAPES), len(places))
    return [icon(shapes[n], at, ink=ink, kind=r.choice(ICONS), spoken=n % 2 == 0) for n, at in enumerate(places)]


def _settings(r: random.Random, ink: str) -> View:
    rows = []
    for n, words in enumerate(r.sample(LINES, 7)):
        top = 88 + 72 * n
        control = r.choice((_switch, _checkbox))(r, (304, top + 16, 40, 40) if n % 2 else (308, top + 20, 32, 32), ink)
        inside = [
            text(words, (16, top + 10, 220, 28), size=16),
            text(r.choice(SMALL), (16, top + 38, 220, 20), ink="#777"),
            control,
        ]
        rows.append(group(RELATIVE, (0, top, WIDTH, 72), inside, label="LIST_ITEM"))
    listed = group("android.widget.ListView", (0, 80, WIDTH, 512), rows)
    return _window([_toolbar(r, ink), listed, *_ghosts(r)])


def _list(r: random.Random, ink: str) -> View:
    rows = []
    for n, words in enumerate(r.sample(LINES, 6)):
        top = 92 + 80 * n
        inside = [
            image(r, (16, top + 12, 56, 56), kind=r.choice(IMAGES)),
            text(words, (88, top + 14, 200, 26), size=16),
            text(r.choice(SMALL), (88, top + 42, 200, 20), ink="#777", label="LABEL"),
            icon(r.choice(list(SHAPES)), (312, top + 26, 28, 28), ink=ink, kind=r.choice(ICONS), spoken=r.random() < 0.6),
        ]
        rows.append(group(LINEAR, (0, top, WIDTH, 80), inside, label="LIST_ITEM"))
    return _window([_toolbar(r, ink), group("android.widget.ListView", (0, 80, WIDTH, 512), rows), *_ghosts(r)])


def _grid(r: random.Random, ink: str) -> View:
    cards = []
    for n, words in enumerate(r.sample(LINES, 6)):
        left, top = 12 + 174 * (n % 2), 92 + 168 * (n // 2)
        inside = [image(r, (left, top, 162, 120), kind=r.choice(IMAGES)), text(words, (left + 4, top + 126, 154, 28))]
        cards.append(group(FRAME, (left, top, 162, 160), inside, label="CARD_VIEW"))
    return _window([_toolbar(r, ink), group(RELATIVE, (0, 80, WIDTH, 520), cards), *_ghosts(r)])


def _form(r: random.Random, ink: str) -> View:
    inside = []
    for n, hint in enumerate(r.sample(HINTS, 3)):
        inside += [
            text(hint, (24, 100 + 84 * n, 200, 20), ink=ink, size=12, label="LABEL"),
            entry(hint, (24, 124 + 84 * n, 312, 40)),
        ]
    inside += [_checkbox(r, (20, 352, 32, 32), ink), text("I have read the terms", (60, 352, 240, 32))]
    inside += [_switch(r, (296, 404, 44, 44), ink), text("Keep me signed in", (24, 410, 240, 32))]
    inside += [button(r.choice(("Sign up", "Continue", "Send", "Save")), (24, 480, 312, 48), ground=ink)]
    return _window([_toolbar(r, ink), group(LINEAR, (0, 80, WIDTH, 560), inside), *_ghosts(r)])


def _detail(r: random.Random, ink: str) -> View:
    inside = [
        image(r, (0, 80, WIDTH, 200), kind=r.choice(IMAGES)),
        text(r.choice(LINES), (16, 292, 320, 34), size=22),
        text("Opens at 9:30, closed on Mondays", (16, 330, 320, 24), ink="#666"),
        *_icons(r, [(28 + 84 * n, 372, 36, 36) for n in range(4)], ink),
        button("Book now", (16, 440, 156, 48), ground=ink),
        button("Call", (188, 440, 156, 48), ground="#607d8b"),
        _checkbox(r, (16, 512, 32, 32), ink),
        text("Remind me", (56, 512, 200, 32)),
    ]
    return _window([_toolbar(r, ink), group(RELATIVE, (0, 80, WIDTH, 560), inside), *_ghosts(r)])


def _player(r: random.Random, ink: str) -> View:
    inside = [
        image(r, (60, 110, 240, 240), kind=r.choice(IMAGES)),
        text(r.choice(LINES), (40, 366, 280, 30), size=20),
        text("Made for tests", (40, 398, 280, 22), ink="#777"),
        bar((40, 436, 280, 14), r.uniform(0.2, 0.8), ink=ink),
        *_icons(r, [(64 + 96 * n, 476, 48, 48) for n in range(3)], ink),
        _switch(r, (290, 548, 40, 40), ink),
        text("Repeat", (40, 552, 200, 32)),
    ]
    return _window([_toolbar(r, ink), group(FRAME, (0, 80, WIDTH, 560), inside), *_ghosts(r)])


def _dialog(r: random.Random, ink: str) -> View:
    """The root is the dialog's own box; what lies behind it is in the picture and not in the tree."""
    at = (24, 120, 312, 400)
    inside = [
        icon(r.choice(list(SHAPES)), (44, 140, 36, 36), ink=ink, kind=r.choice(ICONS), spoken=True),
        text("Are you sure?", (96, 142, 200, 32), size=20),
        image(r, (44, 196, 120, 90), kind=r.choice(IMAGES)),
        text(r.choice(LINES), (180, 200, 140, 28)),
        _checkbox(r, (44, 320, 32, 32), ink),
        text("Do not ask again", (88, 320, 220, 32)),
        _switch(r, (272, 366, 44, 44), ink),
        text("For all of them", (44, 372, 200, 32)),
        button("Cancel", (44, 448, 120, 48), ground="#78909c"),
        button("Yes", (188, 448, 120, 48), ground=ink),
    ]
    ghosts = [
        ghost(TEXT_VIEW, (180, 236, 140, 24), words="Learn more", name="more"),
        ghost("android.widget.ProgressBar", (150, 300, 40, 40), name="wait"),
        ghost(TEXT_VIEW, (44, 412, 260, 24), words="Something went wrong", name="error"),
        ghost(TEXT_VIEW, (200, 264, 80, 24), words="Undo", name="undo"),
    ]
    window = _window([*inside, *ghosts], at)
    window.drawn = (
        f'<div style="position:absolute;inset:0;background:#777">{"".join(_behind(r))}</div>'
        + group(FRAME, at, [], ground="#fff").drawn
    )
    return window


def _behind(r: random.Random) -> list[str]:
    return [text(words, (16, 40 + 60 * n, 300, 30), ink="#ddd").drawn for n, words in enumerate(r.sample(LINES, 9))]
