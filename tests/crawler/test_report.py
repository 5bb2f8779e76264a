"""The report: one file, whole and safe whatever pages say, and quick to go through with keys."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from channels.pictures import Screenshot
from channels.values import CLIP, FULL, flat, pair, visible
from crawler.browsers.program import find_browser
from crawler.filing import Archive
from crawler.report import ReportSummary, write_report
from crawler.settings import CrawlerSettings
from domain.divergence import Finding
from domain.errors import BadInput, ParallaxError
from domain.geometry import Box
from domain.visit import BrowserInfo, CaptureRecord, Counts, Moment, Readiness, Timeline, Viewport, Visit
from store.blobs import Blobs
from store.captures import save
from store.database import Database
from store.divergences import divergence_id

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
RED, BLUE, GREEN, FRAME = (250, 0, 100), (0, 60, 250), (0, 160, 60), (220, 38, 38)
HOSTILE = "<script>window.hit=1</script><img src=x onerror=window.hit=1>\"'>{{ 7*7 }}</p></article>"


def moment(seconds: float) -> Moment:
    return Moment(wall=NOON + timedelta(seconds=seconds), monotonic_ns=int(seconds * 1e9))


def screenshot(*coloured: tuple[Box, tuple[int, int, int]], size: tuple[int, int] = (1280, 720)) -> bytes:
    """A white page with boxes of one colour each, in image px."""
    image = Image.new("RGB", size, "white")
    for box, colour in coloured:
        ImageDraw.Draw(image).rectangle((box.x, box.y, box.x + box.width - 1, box.y + box.height - 1), fill=colour)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def finding(path: str, kind: str = "aria", **changes: Any) -> Finding:
    given: dict[str, Any] = {
        "path": path,
        "kind": kind,
        "verdict": "flagged",
        "reason": "disagree",
        "structural": "Buy now",
        "rendered": "Add to cart",
        "grade": "disjoint",
        "box": (200.0, 150.0, 90.0, 40.0),
    }
    return Finding(**(given | changes))


def keep(archive: Archive, number: int, findings: list[Finding], png: bytes | None = None, **changes: Any) -> Visit:
    """A stored visit with one capture, `number` minutes after noon."""
    visit_id = hashlib.md5(str(number).encode(), usedforsecurity=False).hexdigest()
    png = screenshot((Box(200, 150, 90, 40), RED)) if png is None else png
    blob = archive.blobs.put(png, "image/png")
    began = number * 60.0
    capture = CaptureRecord(
        id=f"{visit_id}-0",
        loader_served="L",
        loader_shown="L",
        readiness=Readiness(load_event=True),
        counts=Counts(elements=3, settled=3),
        timeline=Timeline(served=moment(began + 1), screenshot_sent=moment(began + 4.078), after=moment(began + 4.2)),
        artifacts={"screenshot": blob.digest},
        rules="policy=tokens aria=1",
    )
    given: dict[str, Any] = {
        "id": visit_id,
        "url": "https://shop.example/cart?x=1&y=2",
        "site": "shop",
        "outcome": "captured",
        "started": moment(began),
        "finished": moment(began + 5),
        "browser": BrowserInfo(driver="recorded", name="Chromium", version="140.0", user_agent="test"),
        "viewport": Viewport(width=1280, height=720),
        "delay_ms": 3000,
        "title": "Cart",
        "captures": (capture,),
    }
    visit = Visit(**(given | changes))
    save(archive.database, visit, {capture.id: findings} if visit.captures else {}, [blob])
    return visit


def id_of(visit: Visit, found: Finding) -> str:
    return divergence_id(visit.captures[0].id, found.kind, found.path)


@pytest.fixture
def archive(database: Database, blobs: Blobs) -> Archive:
    """An empty archive."""
    return Archive(database, blobs)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The Chromium that the crawler would use."""
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=find_browser(CrawlerSettings()), args=arguments)
        yield browser
        browser.close()


class Opened:
    """A report in a browser, and everything it asked for or complained of."""

    def __init__(self, context: BrowserContext, path: Path, fragment: str = "") -> None:
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri() + fragment)

    def outside(self) -> list[str]:
        return [url for url in self.requests if not url.startswith(("data:", "file:"))]

    def current(self) -> str | None:
        """The id of the card that keys are about."""
        found = self.page.locator("article.card.current")
        return found.get_attribute("id") if found.count() else None

    def judged(self, card: str) -> str | None:
        found = self.page.locator(f'[id="{card}"] input:checked')
        return found.get_attribute("value") if found.count() else None


def test_summary_counts_what_the_file_holds(archive: Archive, tmp_path: Path) -> None:
    """Cards, kinds, sites and visits are counted as they are shown; others are left out by each filter."""
    keep(archive, 1, [finding("#a"), finding("#b", "title"), finding("#c", verdict="review", reason="too-short")])
    keep(archive, 2, [finding("#a", "stale")], site="clock", url="https://clock.example/")
    keep(archive, 3, [], site="down", outcome="dns-failed", captures=())
    output = tmp_path / "new" / "report.html"
    summary = write_report(archive, output)
    assert summary == ReportSummary(
        path=output, divergences=3, by_kind={"aria": 1, "stale": 1, "title": 1}, elements=3, sites=2, visits=2
    )
    assert output.read_text("utf-8").count("<article ") == 3
    assert write_report(archive, output, site="clock").by_kind == {"stale": 1}
    assert write_report(archive, output, kind="title").by_kind == {"title": 1}
    assert write_report(archive, output, verdict="review").by_kind == {"aria": 1}
    assert write_report(archive, output, since=NOON + timedelta(seconds=90)).by_kind == {"stale": 1}
    assert write_report(archive, output, limit=2).divergences == 2
    assert json.loads(summary.model_dump_json())["path"] == str(output)


def test_heading_counts_elements(archive: Archive, tmp_path: Path) -> None:
    """One element at two visits is one element where structure and pixels disagree, in two cards."""
    for number in (1, 2):
        keep(archive, number, [finding("#a")])
    written = write_report(archive, output := tmp_path / "report.html")
    assert (written.elements, written.divergences, written.visits) == (1, 2, 2)
    assert "<h1>1 element where structure and pixels disagree, in 2 cards</h1>" in output.read_text("utf-8")


def test_file_appears_whole_or_not_at_all(archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that fails leaves the one before it, and nothing beside it; a device or folder is never replaced."""
    keep(archive, 1, [finding("#a")])
    output = tmp_path / "out" / "report.html"
    write_report(archive, output)
    before = output.read_bytes()

    def broken(*_: object) -> object:
        raise ParallaxError("the bucket is gone")

    monkeypatch.setattr(Blobs, "get", broken)
    with pytest.raises(ParallaxError, match="bucket"):
        write_report(archive, output)
    assert output.read_bytes() == before
    assert [p.name for p in output.parent.iterdir()] == ["report.html"]
    for place in (Path("/dev/null"), tmp_path):
        with pytest.raises(BadInput, match="Name another"):
            write_report(archive, place)


def test_what_does_not_exist_is_said(archive: Archive, tmp_path: Path) -> None:
    """An unknown kind or verdict is refused with the known ones."""
    with pytest.raises(BadInput, match=r"No kind 'area'. Known kinds: aria, title, stale, state"):
        write_report(archive, tmp_path / "r.html", kind="area")
    with pytest.raises(BadInput, match=r"No verdict 'clean' in the store. Known verdicts: flagged, review"):
        write_report(archive, tmp_path / "r.html", verdict="clean")


def test_an_empty_report_says_what_to_do(archive: Archive, tmp_path: Path) -> None:
    """Nothing stored, nothing that matches, and only review each have their own next step."""
    output = tmp_path / "r.html"
    assert write_report(archive, output).divergences == 0
    assert "crawler run --once" in output.read_text()
    write_report(archive, output, site="nowhere")
    assert "No visit matches" in output.read_text()
    keep(archive, 1, [finding("#a", verdict="review", reason="too-short")])
    write_report(archive, output)
    assert "crawler report --verdict review" in output.read_text()
    assert "<script>" not in output.read_text()


def test_missing_and_damaged_screenshots_are_said_on_their_cards(archive: Archive, tmp_path: Path) -> None:
    """The report goes on with what there is."""
    missing = keep(archive, 1, [finding("#a")], screenshot((Box(0, 0, 9, 9), BLUE)))
    keep(archive, 2, [finding("#b")], b"no picture at all")
    keep(archive, 3, [finding("#c", box=None), finding("#d", box=(5000, 10, 20, 20)), finding("#e")])
    cut = keep(archive, 4, [finding("#f")], screenshot((Box(0, 0, 9, 9), GREEN)))
    folder = tmp_path / "blobs"
    for visit, content in ((missing, None), (cut, b"\x89PNG\r\n cut")):
        digest = visit.captures[0].artifacts["screenshot"]
        path = folder / "sha256" / digest[:2] / digest[2:]
        path.unlink()
        if content is not None:
            path.write_bytes(content)
    output = tmp_path / "r.html"
    assert write_report(archive, output).divergences == 6
    text = output.read_text()
    for said in (
        "is missing from the store",
        "cannot be decoded",
        "has no box",
        "outside the screenshot",
        "is damaged in the store",
    ):
        assert said in text, said
    assert str(tmp_path) not in text
    assert text.count('<div class="shot">') == 1


def test_pictures_show_the_element_in_a_frame() -> None:
    """The element's own pixels stay as they are, the frame is around them, and scale, edges and size are minded."""

    def picture(shot: bytes, scale: float, box: Box) -> tuple[Image.Image, int, int]:
        made = Screenshot(shot, scale).around(box)
        assert made is not None
        return Image.open(io.BytesIO(made.content)).convert("RGB"), made.width, made.height

    def extent(image: Image.Image, colour: tuple[int, int, int]) -> tuple[int, int, int, int] | None:
        mask = Image.new("L", image.size)
        mask.putdata([255 if p == colour else 0 for p in image.get_flattened_data()])
        return mask.getbbox()

    # In the middle: 520 x 180 of page around 90 x 40, the box in its centre.
    image, width, height = picture(screenshot((Box(500, 300, 90, 40), RED)), 1, Box(500, 300, 90, 40))
    assert (image.size, width, height) == ((520, 180), 520, 180)
    assert extent(image, RED) == (215, 70, 305, 110)
    assert extent(image, FRAME) == (212, 67, 308, 113)
    # Scale 2: the same page, twice the pixels, shown at the same size.
    image, width, height = picture(screenshot((Box(1000, 600, 180, 80), RED), size=(2560, 1440)), 2, Box(500, 300, 90, 40))
    assert (image.size, width, height) == ((1040, 360), 520, 180)
    assert extent(image, RED) == (430, 140, 610, 220)
    # Scale 4: no more pixels than can be seen.
    image, width, height = picture(screenshot((Box(2000, 1200, 360, 160), RED), size=(5120, 2880)), 4, Box(500, 300, 90, 40))
    assert (image.size, width, height) == ((1040, 360), 520, 180)
    # At the corner: moved, not cut.
    image, width, height = picture(screenshot((Box(0, 0, 50, 20), RED)), 1, Box(0, 0, 50, 20))
    assert image.size == (520, 180)
    assert image.getpixel((40, 10)) == RED
    # Larger than the card: made smaller, its frame still seen along the edge.
    image, width, height = picture(screenshot((Box(0, 0, 1280, 720), RED)), 1, Box(-10, -10, 1400, 900))
    assert (width, height) == (560, 315)
    edge = image.getpixel((280, 0))
    assert isinstance(edge, tuple)
    assert edge[1] > 20
    # No area at all, and off the picture.
    assert Screenshot(screenshot(), 1).around(Box(640, 360, 0, 0)) is not None
    assert Screenshot(screenshot(), 1).around(Box(1300, 10, 20, 20)) is None
    assert Screenshot(screenshot(), 1).around(Box(10, -50, 20, 20)) is None


def test_values_are_marked_where_they_differ() -> None:
    """Tokens that only one side has are marked; where little is shared, all is; case counts where nothing else differs."""

    def marked(structural: str, rendered: str) -> tuple[list[str], list[str]]:
        ours, theirs = pair(structural, rendered)
        found = [re.findall(r"<mark>(.*?)</mark>", str(v.shown), re.DOTALL) for v in (ours, theirs)]
        return found[0], found[1]

    assert marked("1,234.56 up today", "1,234.78 up today") == (["56"], ["78"])
    assert marked("Buy now", "Add to cart") == (["Buy now"], ["Add to cart"])
    assert marked("Sign in here", "sign in there") == (["here"], ["there"])
    assert marked("OK", "Ok") == (["OK"], ["Ok"])
    assert marked("価格は百円", "価格は千円") == (["百"], ["千"])
    assert marked("", "now") == ([], ["now"])
    nothing, something = pair(None, "x")
    assert nothing.shown is None
    assert something.shown == "<mark>x</mark>"


def test_long_values_are_cut_around_the_difference() -> None:
    """What is shown holds the first difference; the rest is beside it, up to a limit that is said."""
    ours, theirs = pair("word " * 1000 + "one", "word " * 1000 + "two")
    assert "<mark>one</mark>" in str(ours.shown)
    assert "<mark>two</mark>" in str(theirs.shown)
    assert len(re.sub(r"<.*?>", "", str(ours.shown))) < CLIP
    assert (ours.length, ours.left_out) == (5003, 0)
    huge, short = pair("x" * 3_000_000, "y")
    assert huge.left_out == 3_000_000 - FULL
    assert huge.full is not None
    assert len(huge.full) == FULL
    assert short.full is None


def test_characters_that_cannot_be_seen_are_written_out() -> None:
    """Bidi controls, NUL and the like are named; emoji, flags and joiners stay whole."""
    assert visible("a\u202eb") == 'a<span class="unseen" title="RIGHT-TO-LEFT OVERRIDE">U+202E</span>b'
    assert "U+0000" in visible("\x00")
    assert "U+00AD" in visible("co\u00adop")
    assert flat("a\u202e\x00b") == "a\ufffd\ufffdb"
    family, england = "👩‍👩‍👧", "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    assert visible(f"{family} {england} é\tx\n") == f"{family} {england} é\tx\n"
    assert visible("<b>&") == "&lt;b&gt;&amp;"


@pytest.mark.browser
def test_strangers_text_stays_text(archive: Archive, tmp_path: Path, browser: Browser) -> None:
    """Markup, template marks, handlers, NUL and bidi in every field show as they are and do nothing; nothing is fetched."""
    hostile = finding(
        f"body > a[{HOSTILE}]",
        element_id=HOSTILE,
        structural=HOSTILE + "\u202e\x00😀",
        rendered="\ud800" + "z" * 500 + HOSTILE,
    )
    keep(archive, 1, [hostile], site=HOSTILE, title=HOSTILE, url="javascript:window.hit=1//" + HOSTILE, reason=HOSTILE)
    output = tmp_path / "r.html"
    write_report(archive, output)
    for scripts in (True, False):
        context = browser.new_context(java_script_enabled=scripts)
        opened = Opened(context, output)
        page = opened.page
        assert page.locator("article.card").count() == 1
        said = page.locator(".structural .said").text_content()
        assert said is not None
        assert said.startswith(HOSTILE)
        assert "😀" in said
        page.locator(".rendered summary").click()
        assert HOSTILE in page.locator(".rendered .full .said").inner_text()
        assert page.locator("img[src=x], article script, a[href^='javascript']").count() == 0
        if scripts:
            assert page.evaluate("window.hit") is None
        assert opened.complaints == []
        assert opened.outside() == []
        context.close()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', output.read_text("utf-8"))
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'")


@pytest.mark.browser
def test_without_scripts_it_is_a_plain_list(archive: Archive, tmp_path: Path, browser: Browser) -> None:
    """Every card, its picture and its times are there; what needs a script is not."""
    visit = keep(archive, 1, [finding("#a"), finding("#b", "title")])
    output = tmp_path / "r.html"
    write_report(archive, output)
    context = browser.new_context(java_script_enabled=False)
    opened = Opened(context, output, f"#{id_of(visit, finding('#b', 'title'))}")
    page = opened.page
    assert page.locator("article.card:visible").count() == 2
    assert page.locator(".scripted:visible").count() == 0
    assert "3,078 ms later" in page.locator(".when").first.inner_text()
    assert "12:01:01.000" in page.locator(".when").first.inner_text()
    page.locator(".onpage").first.click()
    assert page.locator(".shot").is_visible()
    assert opened.complaints == []
    context.close()


@pytest.mark.browser
def test_the_whole_screenshot_is_there_once_with_every_box(archive: Archive, tmp_path: Path, browser: Browser) -> None:
    """One picture for a capture, and on it a box at each element's place, at any width of the window."""
    places = [(200.0, 150.0, 90.0, 40.0), (900.0, 500.0, 120.0, 60.0)]
    png = screenshot((Box(*places[0]), RED), (Box(*places[1]), BLUE))
    keep(archive, 1, [finding(f"#e{i}", box=place) for i, place in enumerate(places)], png)
    output = tmp_path / "r.html"
    write_report(archive, output)
    assert output.read_text().count("data:image/jpeg") == 1
    for width in (1400, 500):
        context = browser.new_context(viewport={"width": width, "height": 900})
        opened = Opened(context, output)
        opened.page.locator(".whole summary").click()
        assert opened.page.locator(".box").count() == 2
        shot = opened.page.locator(".shot img").bounding_box()
        assert shot is not None
        drawn = []
        for handle in opened.page.locator(".box").all():
            box = handle.bounding_box()
            assert box is not None
            scale = shot["width"] / 1280
            drawn.append(((box["x"] - shot["x"]) / scale, (box["y"] - shot["y"]) / scale, box["width"] / scale))
        expected = sorted(p[:3] for p in places)
        for found, place in zip(sorted(drawn), expected, strict=True):
            assert found == pytest.approx(place, abs=2)
        assert opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        context.close()


@pytest.mark.browser
def test_filters_and_the_count(archive: Archive, tmp_path: Path, browser: Browser) -> None:
    """Kind, site, judgement and words narrow the list; the count says what is left, and empty groups go too."""
    keep(archive, 1, [finding("#a"), finding("#b", "title", structural="A late train")])
    keep(archive, 2, [finding("#a", "stale", structural="12:59", rendered="13:00")], site="clock")
    output = tmp_path / "r.html"
    write_report(archive, output)
    context = browser.new_context()
    opened = Opened(context, output)
    page = opened.page
    count = page.locator("#count")
    assert count.inner_text() == "3 of 3"
    page.locator("input[value=title]").uncheck()
    assert count.inner_text() == "2 of 3"
    page.locator("#site").select_option("clock")
    assert count.inner_text() == "1 of 3"
    assert page.locator("section.capture:visible").count() == 1
    page.locator("#find").fill("nowhere")
    assert count.inner_text() == "0 of 3"
    page.locator("#clear").click()
    assert count.inner_text() == "3 of 3"
    page.keyboard.press("/")
    page.keyboard.type("TRAIN late")
    assert count.inner_text() == "1 of 3"
    page.keyboard.press("Escape")
    assert count.inner_text() == "3 of 3"
    page.keyboard.press("j")
    page.keyboard.press("1")
    page.locator("#judged").select_option("none")
    assert count.inner_text() == "2 of 3"
    assert opened.complaints == []
    context.close()


@pytest.mark.browser
def test_going_through_with_keys(archive: Archive, tmp_path: Path, browser: Browser) -> None:
    """j and k walk, 1 2 3 judge and go on, 0 takes back; judgements outlive a reload and come out as JSON."""
    found = [finding(f"#e{i}") for i in range(4)]
    visit = keep(archive, 1, found)
    output = tmp_path / "r.html"
    write_report(archive, output)
    context = browser.new_context()
    opened = Opened(context, output)
    page = opened.page
    ids = [str(card.get_attribute("id")) for card in page.locator("article.card").all()]
    assert sorted(ids) == sorted(id_of(visit, f) for f in found)
    assert page.locator("#export").is_disabled()
    page.keyboard.press("2")
    assert opened.current() is None
    for key, at in (("j", 0), ("j", 1), ("k", 0), ("1", 1), ("2", 2), ("3", 3), ("j", 3)):
        page.keyboard.press(key)
        assert opened.current() == ids[at], key
        assert page.evaluate("document.activeElement.id") == ids[at]
    assert [opened.judged(card) for card in ids] == ["right", "wrong", "unsure", None]
    page.keyboard.press("n")
    page.keyboard.type("1 jk")
    page.keyboard.press("Enter")
    page.keyboard.press("k")
    page.keyboard.press("0")
    assert page.locator("#tally").inner_text() == "2 judged: 1 right, 1 wrong, 0 unsure"
    page.locator(f'[id="{ids[3]}"] label.unsure').click()
    page.keyboard.press("k")
    assert opened.current() == ids[2]
    # Loaded anew in its tab: on a busy machine Chromium gives one new tab in a hundred an empty storage.
    page.reload()
    assert [opened.judged(card) for card in ids] == ["right", "wrong", None, "unsure"]
    with opened.page.expect_download() as download:
        opened.page.locator("#export").click()
    assert re.fullmatch(r"parallax-judgements-\d{4}-\d\d-\d\d\.json", download.value.suggested_filename)
    written = json.loads(Path(download.value.path()).read_text())
    assert written["divergences"] == 4
    assert [(j["id"], j["judgement"], j["remark"]) for j in written["judgements"]] == [
        (ids[0], "right", ""),
        (ids[1], "wrong", ""),
        (ids[3], "unsure", "1 jk"),
    ]
    assert opened.complaints == []
    assert opened.outside() == []
    context.close()


@pytest.mark.browser
def test_links_to_a_card(archive: Archive, tmp_path: Path, browser: Browser) -> None:
    """An address with a divergence's id opens at its card, even one that the filters hide, and the way to its box."""
    found = [finding(f"#e{i}") for i in range(12)]
    visit = keep(archive, 1, found)
    output = tmp_path / "r.html"
    write_report(archive, output)
    wanted = id_of(visit, found[7])
    context = browser.new_context()
    opened = Opened(context, output, f"#{wanted}")
    page = opened.page
    assert opened.current() == wanted
    box = page.locator(f'[id="{wanted}"]').bounding_box()
    assert box is not None
    assert -10 <= box["y"] < 400
    page.locator("#find").fill("nothing like it")
    page.evaluate("id => { location.hash = '' ; location.hash = id }", wanted)
    page.wait_for_function("document.querySelector('#count').value === '12 of 12'")
    page.locator(f'[id="{wanted}"] .onpage').click()
    page.locator(f'[id="box-{wanted}"]').wait_for()
    page.wait_for_function("id => document.activeElement.id === 'box-' + id", arg=wanted)
    page.keyboard.press("Enter")
    page.wait_for_function("id => document.activeElement.id === id", arg=wanted)
    assert opened.complaints == []
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_ground(archive: Archive, tmp_path: Path, browser: Browser, scheme: Any) -> None:
    """Every text has the contrast that WCAG AA asks for, in light and in dark; headings go down by single steps."""
    keep(archive, 1, [finding(f"#{kind}", kind) for kind in ("aria", "title", "stale", "state")])
    output = tmp_path / "r.html"
    write_report(archive, output)
    context = browser.new_context(color_scheme=scheme)
    opened = Opened(context, output)
    opened.page.keyboard.press("j")
    opened.page.keyboard.press("2")
    assert opened.page.evaluate(CONTRAST) == []
    levels = opened.page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert opened.page.locator("img:not([alt]), img[alt='']").count() == 0
    context.close()


# Text with less contrast to what is behind it than AA asks for: 4.5, or 3 for text that is large. Colours by a canvas of one
# pixel, so that color-mix() and transparency are what the browser makes of them.
CONTRAST = """() => {
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
    .getContext("2d", { willReadFrequently: true });
  const pixel = () => [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  const light = (c) => c.map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const poor = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    const text = walk.currentNode.data.trim();
    if (!text || !element.checkVisibility() || element.closest(".unheard, script, style, option, .skip, :disabled")) continue;
    const grounds = [];
    for (let at = element; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
    pen.fillStyle = "white"; pen.fillRect(0, 0, 1, 1);
    for (const ground of grounds) { pen.fillStyle = ground; pen.fillRect(0, 0, 1, 1); }
    const behind = light(pixel());
    const style = getComputedStyle(element);
    pen.fillStyle = style.color; pen.fillRect(0, 0, 1, 1);
    const front = light(pixel());
    const ratio = (Math.max(front, behind) + 0.05) / (Math.min(front, behind) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) poor.push(`${element.className}: ${text.slice(0, 40)} ${ratio.toFixed(2)}`);
  }
  return poor;
}"""


def test_many_divergences_need_little_memory_and_time(archive: Archive, tmp_path: Path) -> None:
    """A screenshot is decoded once for all its cards, and the file stays in proportion."""
    for number in range(5):
        png = screenshot(*((Box(20 + 60 * i, 20 + 30 * i, 50, 20), (9 * i, 40, 90)) for i in range(20)))
        keep(archive, number, [finding(f"#e{i}", box=(20.0 + 60 * i, 20.0 + 30 * i, 50.0, 20.0)) for i in range(20)], png)
    output = tmp_path / "r.html"
    assert write_report(archive, output).divergences == 100
    pictures = re.findall(r"data:image/(\w+);base64,([^\"]+)", output.read_text())
    assert sum(1 for kind, _ in pictures if kind == "jpeg") == 5
    assert all(Image.open(io.BytesIO(base64.b64decode(content))).width <= 1280 for _, content in pictures)
    assert output.stat().st_size < 2_000_000
