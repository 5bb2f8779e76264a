"""Pages in use: forms lose nothing, keys can be taken off, and what is drawn at a place is seen, told, and covers nothing."""

from __future__ import annotations

import math
from io import BytesIO
from urllib.parse import parse_qsl, urlencode, urlsplit

import orjson
import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page
from sqlalchemy import text

from api.listing import Listing
from api.pages.place import on_screen
from api.probes_asked import ProbesAsked
from api.routes.divergences import DivergencesAsked
from api.sites_asked import SitesAsked, VisitsAsked
from domain.geometry import Box
from tests.api.opened import Opened
from tests.api.stocked import RELEASE, Stocked

pytestmark = pytest.mark.browser
FOCUSED = "document.activeElement.closest('.card')?.id ?? document.activeElement.id"
SCROLLED = """() => new Promise((told) => {
    let looks = 600;
    const look = () => document.querySelector("pre").scrollLeft || !looks-- ? told(looks > 0) : requestAnimationFrame(look);
    look();
})"""
"""Whether it does so, within ten seconds; the pages' policy forbids what Playwright would look with."""
SCREEN = (320, 200)
"""CSS px of the stocked screenshots; each has two image px per CSS px."""
PLACES = {
    "tiny": (150, 90, 3, 2),
    "all of it": (0, 0, 320, 200),
    "in a corner": (290, 185, 30, 15),
}


COMMON = {"limit": "7", "fields": "id,site", "format": "json"}
NAMED = {"kind": "aria", "policy": "tokens", "grade": "disjoint", "site": "a site & more", "text": "two\r\nwords <&\"'"}
FORMS: dict[str, tuple[type[Listing], dict[str, str]]] = {
    "/pages/probes": (
        ProbesAsked,
        {**COMMON, **NAMED, "family": "web-natural", "platform": "web", "source": "live", "verdict": "confirmed",
         "release": RELEASE, "sort": "-id"},
    ),
    "/pages/divergences": (
        DivergencesAsked,
        {**COMMON, **NAMED, "verdict": "review", "check": "unchecked", "element": "e" * 24, "visit": "f" * 32,
         "capture": "f" * 32 + "-0"},
    ),
    "/pages/sites": (
        SitesAsked,
        {**COMMON, "host": "shop.example", "outcome": "captured", "state": "paused", "text": "a b", "sort": "next_due"},
    ),
    "/pages/sites/shop/visits": (VisitsAsked, {**COMMON, "outcome": "http-error"}),
}  # fmt: skip
"""Path -> what its query is read as, and every filter but moments and the cursor."""
MOMENTS = {
    "day, and seconds in another zone": ("2026-11-30", "2026-12-01T10:40:45+02:00"),
    "milliseconds, and microseconds": ("2026-11-30T08:40:40.25Z", "2026-12-01T08:40:39.751470Z"),
}


def asked(form: type[Listing], query: str) -> dict[str, object]:
    """The query as the API understands it; line ends in words are blanks."""
    given = form.model_validate(dict(parse_qsl(query))).model_dump(exclude_none=True, exclude={"after"})
    return given | ({"text": " ".join(str(given["text"]).split())} if "text" in given else {})


@pytest.mark.parametrize(
    ("path", "said"), [(path, said) for path in FORMS for said in MOMENTS if path != "/pages/sites" or "day" in said]
)
def test_a_form_loses_nothing(path: str, said: str, browser: Browser, address: str) -> None:
    """Every filter is given by the address, and the form is sent unchanged: the same is asked for, from the start."""
    form, filters = FORMS[path]
    moments = dict(zip(("since", "until"), MOMENTS[said], strict=True))
    given = filters | {name: value for name, value in moments.items() if name in form.model_fields}
    assert given.keys() == form.model_fields.keys() - {"after"}, "a filter of this page is not tried here"
    scripts = "day" in said
    with Opened(browser, address, f"{path}?{urlencode(given)}", java_script_enabled=scripts) as opened:
        opened.follow(opened.page.locator("form[method=get] button").first)
        sent = urlsplit(opened.path)
        assert sent.path == path
        assert asked(form, sent.query) == asked(form, urlencode(given))


def off(page: Page) -> None:
    """Takes single keys off, by the keyboard."""
    page.focus(".keys summary")
    page.keyboard.press("Enter")
    page.focus("#keys-on")
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    assert not page.locator("#keys-on").is_visible()


def test_single_keys_can_be_taken_off_and_stay_off(browser: Browser, address: str, made: Stocked) -> None:
    """On any page, for all of them, and on again; whoever speaks to a machine or types by chance leaves no page by it."""
    probe = made.probes["shop"][0]
    with Opened(browser, address, "/pages/probes?limit=3&sort=id") as opened:
        page, here = opened.page, opened.path
        off(page)
        page.locator("h1").click()
        for key in ("j", "/", "?", "n"):
            page.keyboard.press(key)
            assert page.evaluate(FOCUSED) in {"", "main"}, key
        assert opened.path == here
        page.goto(f"{address}/pages/probes/{probe.id}")
        page.keyboard.press("s")
        assert page.is_checked("#show-screen")
        off(page)  # the same switch the other way
        page.goto(f"{address}{here}")
        page.keyboard.press("j")
        assert page.evaluate(FOCUSED)
        assert not opened.complaints


def test_keys_leave_others_what_is_theirs(browser: Browser, address: str) -> None:
    """Letters in fields, keys with modifiers, and arrows where something scrolls sideways do as everywhere."""
    with Opened(browser, address, "/pages/probes?limit=3&sort=id") as opened:
        page, here = opened.page, opened.path
        page.focus("select[name=sort]")
        page.keyboard.press("n")
        for key in ("Control+j", "Alt+j", "Meta+j", "Shift+J"):
            page.locator("h1").click()
            page.keyboard.press(key)
            assert page.evaluate(FOCUSED) in {"", "main"}, key
        page.set_viewport_size({"width": 320, "height": 400})
        page.evaluate("document.querySelector('main').append(document.createElement('pre'))")
        page.evaluate(
            "const pre = document.querySelector('pre'); pre.tabIndex = 0; pre.textContent = 'x'.repeat(900); pre.focus()"
        )
        page.keyboard.press("ArrowRight")
        assert page.evaluate(SCROLLED)
        assert page.evaluate("document.activeElement.tagName") == "PRE"
        assert opened.path == here


def test_what_the_switch_shows_is_said(browser: Browser, address: str, made: Stocked) -> None:
    """A live region tells it, by key and by button, and the words that stand for the pictures are of what they show."""
    probe = made.probes["shop"][0]
    with Opened(browser, address, f"/pages/probes/{probe.id}") as opened:
        page = opened.page

        def words() -> list[str]:
            shot, part = page.get_attribute(".shot img", "alt"), page.get_attribute(".part", "aria-label")
            return [str(shot), str(part)]

        assert page.get_attribute("#shown", "role") == "status"
        assert page.inner_text("#shown") == "", "nothing is said before anything changed"
        assert all(str(probe.gold) in said and str(probe.structural) not in said for said in words())
        page.keyboard.press("s")
        said = page.inner_text("#shown")
        assert said == f"Painted over the place, by us, is what the structure claims: {probe.structural}"
        assert all(one.endswith(said) for one in words())
        page.get_by_label("No box").focus()
        page.keyboard.press("Space")
        assert page.inner_text("#shown") == "As it was taken, without a mark."
        page.keyboard.press("s")
        page.keyboard.press("s")
        assert all(str(probe.gold) in one for one in words())


@pytest.mark.parametrize("place", PLACES)
def test_a_mark_covers_nothing_and_is_seen(place: str, browser: Browser, address: str, made: Stocked) -> None:
    """Wide and on a phone, light and dark: of the marked place no pixel differs from the picture without the mark.

    Around it, on every side, there is something as light as paper and something as dark as ink: seen on any colour. What is
    marked is shown at least as large as it was, however small the picture.
    """
    probe, box = made.probes["shop"][0], PLACES[place]
    region = dict(zip(("x", "y", "width", "height"), box, strict=True))
    with made.database.transaction() as connection:
        change = "update probes set record = jsonb_set(record, '{region}', cast(:region as jsonb)) where id = :id"
        connection.execute(text(change), {"region": orjson.dumps(region).decode(), "id": probe.id})
    with Opened(browser, address, f"/pages/probes/{probe.id}") as opened:
        page = opened.page
        page.evaluate("document.querySelector('.shot img').decode()")
        for width, scheme in ((1280, "light"), (390, "dark")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for shown in ("figure > .shot", ".piece .shot"):
                if page.locator(shown).is_visible():
                    _outside(page, shown, box)
        part = page.locator(".part")
        zoom = float(part.evaluate("one => one.getBoundingClientRect().width / one.viewBox.baseVal.width"))
        assert zoom >= 1, "on a phone it is read from the larger piece"


def test_what_lies_off_the_screenshot_is_not_marked() -> None:
    """A divergence may have a box that only begins on it, or does not at all."""
    screen = Box(0, 0, *SCREEN)
    assert on_screen(Box(300, -10, 60, 30), screen) == Box(300, 0, 20, 20)
    for box in (None, Box(320, 0, 10, 10), Box(0, -20, 10, 10), Box(-40, 5, 30, 10), Box(5, 700, 30, 10)):
        assert on_screen(box, screen) is None


def _outside(page: Page, shown: str, box: tuple[int, int, int, int]) -> None:
    """Compares what is shown with the mark and without."""
    inner = page.locator(f"{shown} > :is(img, .part)")
    frame, outer = inner.bounding_box(), page.locator(shown).bounding_box()
    assert frame
    assert outer
    region = inner.evaluate("one => { const v = one.viewBox?.baseVal; return v ? [v.x, v.y, v.width, v.height] : null; }")
    left, top, width, height = region or (0, 0, *SCREEN)
    zoom = frame["width"] / width
    page.click("label[for=show-bare]")
    pictures = [_picture(page, shown)]
    while len(pictures) < 2 or (len(pictures) < 10 and pictures[-1].tobytes() != pictures[-2].tobytes()):
        pictures.append(_picture(page, shown))  # a browser may draw a picture later than what is around it
    bare = pictures[-1]
    page.click("label[for=show-screen]")
    marked = _picture(page, shown)
    changed = ImageChops.difference(bare, marked).convert("L").point([0] + [255] * 255)
    offset = frame["x"] - outer["x"], frame["y"] - outer["y"]
    ends = (max(box[0], left), max(box[1], top), min(box[0] + box[2], left + width), min(box[1] + box[3], top + height))
    x, y, right, bottom = (
        offset[number % 2] + (end - (left, top)[number % 2]) * zoom for number, end in enumerate(ends)
    )  # fmt: skip
    place = math.floor(x), math.floor(y), math.ceil(right), math.ceil(bottom)
    assert not changed.crop(place).getbbox(), f"{shown}: it is covered"
    above, below = (0, 0, bare.width, place[1]), (0, place[3], bare.width, bare.height)
    before, behind = (0, 0, place[0], bare.height), (place[2], 0, bare.width, bare.height)
    for side in (above, below, before, behind):
        lights = [
            light
            for light, seen in zip(marked.crop(side).convert("L").tobytes(), changed.crop(side).tobytes(), strict=True)
            if seen
        ]
        assert lights, f"{shown}: no mark in {side}"
        assert min(lights) < 60, f"{shown}: nothing dark in {side}"
        assert max(lights) > 200, f"{shown}: nothing light in {side}"


def _picture(page: Page, shown: str) -> Image.Image:
    return Image.open(BytesIO(page.locator(shown).screenshot())).convert("RGB")
