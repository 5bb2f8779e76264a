"""What a page is, told from facts made by hand: each rule both ways."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from domain.geometry import Box
from domain.page import INLINE, OUTCOMES, SELECTORS, consent, verdict
from domain.pages import challenge, errors, loading, login
from domain.pages import consent as consents
from domain.pages.facts import Busy, Chars, Layer, PageFacts, PageField, PageFrame, Text
from domain.pages.loading import only_loading
from domain.visit import Outcome, Response

NOTHING = ("." * 12,) * 9
LINE = "The council approved the new tram line on Tuesday after three years of debate and much noise."


def text(words: str, y: float = 100, *, x: float = 40, **more: Any) -> Text:
    """A text as wide as its letters, one line high."""
    return Text(text=words, box=Box(x, y, min(1200, 9 * len(words)), 20), **more)


def facts(*texts: Text, **more: Any) -> PageFacts:
    """A page of these texts, counted as the page script counts them."""
    chars = Chars(
        page=sum(len(t.text) for t in texts),
        shown=sum(len(t.text) for t in texts if t.seen),
        prose=sum(len(t.text) for t in texts if t.role != "a" and len(t.text) >= 80),
        links=sum(len(t.text) for t in texts if t.role == "a"),
    )
    return PageFacts(**{"chars": chars, "texts": texts, "grid": NOTHING, **more})


def article(lines: int = 20, **more: Any) -> PageFacts:
    return facts(text("Tram line approved", 40, role="h"), *(text(LINE, 80 + 28 * n) for n in range(lines)), **more)


SMALL = Box(600, 340, 48, 48)
WHOLE = Box(0, 0, 1280, 720)


def spinner(box: Box = SMALL, **more: Any) -> Busy:
    return Busy(kind="animation", animation="spin", box=box, **more)


# --- challenges


def test_a_header_says_so() -> None:
    """What the vendor says in a header of its own needs no page; the same server without it is no challenge."""
    answer = Response(url="https://shop.example/", status=200, headers={"cf-mitigated": "challenge", "server": "cloudflare"})
    assert verdict(article(), answer).rule == "challenge-header"
    assert (
        verdict(article(), Response(url="https://shop.example/", status=200, headers={"server": "cloudflare"})).kind
        == "content"
    )


@pytest.mark.parametrize("mark", INLINE)
def test_a_walls_own_script(mark: str) -> None:
    """Each string that only a wall's script holds makes a page with little text a challenge, and an article none."""
    assert verdict(facts(text("One moment"), inline=(mark,))).kind == "challenge"
    assert verdict(article(inline=(mark,))).kind == "content"


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=8a",
        "https://geo.captcha-delivery.com/captcha/?initialCid=AHr",
        "https://captcha.px-cdn.net/PXabc/captcha.js",
        "https://shop.example/_Incapsula_Resource?SWUDNSAI=31&xinfo=1",
        "https://x.token.awswaf.com/x.captcha.awswaf.com/captcha.js",
        "https://validate.perfdrive.com/fb/captcha",
    ],
)
def test_a_walls_own_address(url: str) -> None:
    """A script or frame that only a wall has: with little text a challenge, in an article none."""
    assert verdict(facts(text("shop.example"), scripts=(url,))).rule == "challenge-vendor"
    assert verdict(facts(text("shop.example"), frames=(PageFrame(url=url, box=WHOLE),))).rule == "challenge-vendor"
    assert verdict(article(scripts=(url,))).kind == "content"


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example/cdn-cgi/challenge-platform/scripts/jsd/main.js",
        "https://client.px-cloud.net/PXabc/main.min.js",
        "https://js.datadome.co/tags.js",
        "https://shop.example/_Incapsula_Resource?SWJIYLWA=719d&ns=2",
    ],
)
def test_a_sensor_is_no_wall(url: str) -> None:
    """The scripts by which vendors watch ordinary pages: a page with something to see is content; alone they are the wall."""
    assert verdict(facts(text("Opening hours", role="h"), text("Monday to Friday 9 to 17"), scripts=(url,))).kind == "content"
    assert verdict(facts(scripts=(url,))).rule == "challenge-script-alone"


@pytest.mark.parametrize(
    "words",
    [
        "Verify you are human",
        "Checking your browser before accessing shop.example",
        "Bitte bestätigen Sie, dass Sie ein Mensch sind",
        "Vérifiez que vous êtes humain",
        "Подтвердите, что вы не робот",
        "请完成安全验证",
        "人間であることを確認します",
        "로봇이 아닙니다",
        "Access denied",
        "Zugriff verweigert",
        "Too many requests",
    ],
)
def test_words_of_a_wall(words: str) -> None:
    """Said first on a page of nothing else they are a wall; in the middle of an article they are its subject."""
    assert verdict(facts(text(words, role="h"))).kind == "challenge"
    assert verdict(facts(*article().texts, text(words, 700))).kind == "content"
    assert verdict(article(title=words)).kind == "content"


def test_a_captcha_in_a_form_is_no_wall() -> None:
    """A form with fields of its own and a captcha is content; a captcha alone, or with the question, is a challenge."""
    widget = {"widget: Turnstile": Box(40, 300, 300, 65)}
    fields = tuple(PageField(type=t, box=Box(40, 100 + 40 * n, 200, 30)) for n, t in enumerate(("email", "password")))
    assert verdict(facts(text("Sign in", role="h"), fields=fields, marks=widget)).kind == "content"
    assert verdict(facts(marks=widget)).rule == "challenge-widget"
    assert (
        verdict(facts(text("Security check", role="h"), *(text(LINE, 200 + 30 * n) for n in range(6)), marks=widget)).kind
        == "challenge"
    )
    assert verdict(facts(text("Security check", role="h"), *(text(LINE, 200 + 30 * n) for n in range(6)))).kind == "content"


# --- consent


def banner(box: Box, *, points: int, layer: Layer | None = None, **more: Any) -> PageFacts:
    """An article, and a layer with a question about cookies and a button."""
    question = (
        Text(text="We use cookies.", box=Box(box.x + 10, box.y + 10, 200, 20), layer=0),
        Text(text="Accept all", box=Box(box.x + 10, box.y + 40, 80, 20), role="b", layer=0),
    )
    return facts(*article().texts, *question, layers=(layer or Layer(box=box, points=points, alpha=1),), **more)


def test_a_banner_is_not_a_wall() -> None:
    """A bar at the bottom is recorded, with its share; the page is content."""
    page = banner(Box(0, 620, 1280, 100), points=12)
    found = consent(page)
    assert found is not None
    assert (found.position, found.share, found.covers_content, found.buttons) == ("bottom", 0.139, False, ("Accept all",))
    assert verdict(page).kind == "content"


def test_a_sheet_is_a_wall() -> None:
    """A layer over all of the viewport, or a small one with a sheet that darkens the rest."""
    assert verdict(banner(WHOLE, points=108)).rule == "consent-over-content"
    small = Box(440, 260, 400, 200)
    alone = banner(small, points=8)
    assert verdict(alone).kind == "content"
    sheet = Layer(box=WHOLE, points=100, alpha=0.6)
    assert verdict(alone.model_copy(update={"layers": (*alone.layers, sheet)})).kind == "consent-wall"
    clear = Layer(box=WHOLE, points=100, alpha=0)
    assert verdict(alone.model_copy(update={"layers": (*alone.layers, clear)})).kind == "content"


def test_a_modal_with_a_clear_backdrop_covers_nothing() -> None:
    """A backdrop that is see-through leaves the page as it is; the browser's own darkens it."""
    box = Box(440, 260, 400, 200)
    for backdrop, kind in ((0.0, "content"), (0.1, "consent-wall")):
        layer = Layer(tag="dialog", modal=True, box=box, points=108, alpha=1, backdrop=backdrop)
        assert verdict(banner(box, points=108, layer=layer)).kind == kind


def test_a_question_needs_subject_and_answer() -> None:
    """A layer without a word on cookies or privacy, or without a button that answers, asks for no consent."""
    box = Box(440, 260, 400, 200)
    for words, button in (("Stay in touch", "Accept"), ("We use cookies", "Subscribe")):
        page = facts(
            *article().texts,
            text(words, 280, layer=0),
            text(button, 320, role="b", layer=0),
            layers=(Layer(box=box, points=8),),
        )
        assert consent(page) is None


def test_an_application_is_no_banner() -> None:
    """A layer with navigation or a main part is the application, whatever buttons and words it has."""
    assert consent(banner(WHOLE, points=108, layer=Layer(box=WHOLE, points=108, main=True))) is None


@pytest.mark.parametrize(
    "words",
    [
        "Accept all",
        "OK",
        "Alle akzeptieren",
        "Tout accepter",
        "Aceptar",
        "Принять",
        "すべて同意する",
        "同意",
        "Akceptuję",
        "Got it!",
    ],
)
def test_answers(words: str) -> None:
    """What buttons of banners say, in several languages."""
    assert consents.is_answer(words)


@pytest.mark.parametrize("words", ["Accept the invitation of Eva", "Book now", "Learn more about cookies", "Okapi", ""])
def test_no_answers(words: str) -> None:
    """Other buttons, though one of their words is such a word."""
    assert not consents.is_answer(words)


# --- login


def test_a_login_that_nobody_asked_for() -> None:
    """A login page in place of another is a wall; one that was asked for is content."""
    page = facts(
        text("Log in", role="h"), url="https://a.example/login?next=/board", fields=(PageField(type="password", box=SMALL),)
    )
    assert verdict(page, None, "https://a.example/board").rule == "login-instead"
    assert verdict(page, None, "https://a.example/login").kind == "content"
    assert verdict(page, None, "https://a.example/login/").kind == "content"


# --- loading


@pytest.mark.parametrize(
    "words",
    [
        "Loading",
        "Loading…",
        "Please wait",
        "Wird geladen...",
        "Chargement",
        "読み込み中",
        "Загрузка…",
        "加载中",
        "Loading 45 %",
    ],
)
def test_texts_that_only_say_loading(words: str) -> None:
    """Alone on a page they are all that it says."""
    assert only_loading(words)
    assert verdict(facts(text(words))).rule == "spinner-alone"


@pytest.mark.parametrize(
    "words", ["Loading dock 4 is closed for repairs this week", "Waiting for Godot", "Ladenschluss", "Wait times"]
)
def test_texts_that_say_more(words: str) -> None:
    """A text that begins like it and says something."""
    assert not only_loading(words)


def test_a_spinner_alone() -> None:
    """A spinner beside a name is all there is; beside an article, in a corner, under a cover or with a value it is not."""
    assert verdict(facts(text("Acme"), busy=(spinner(),))).rule == "spinner-alone"
    assert verdict(article(busy=(spinner(Box(1250, 690, 16, 16)),))).kind == "content"
    assert verdict(facts(text("Acme"), busy=(spinner(top=False),))).kind == "content"
    assert verdict(facts(text("Acme"), busy=(Busy(kind="progress", value=True, box=Box(0, 0, 600, 20)),))).kind == "content"


def test_a_spinner_in_a_frame_of_navigation() -> None:
    """In the middle of an empty main part it is waited for; in a player's own box, or beside content, it is not."""
    menu = tuple(
        text(words, 60 + 30 * n, x=10, furniture=True) for n, words in enumerate(["Overview", "Projects", "Members"] * 5)
    )
    shell = facts(*menu, busy=(spinner(Box(700, 340, 48, 48)),))
    assert verdict(shell).rule == "spinner-in-empty-space"
    player = Box(300, 200, 600, 340)
    page = facts(*menu, text("Harbour cam", x=300, role="h"), busy=(spinner(Box(580, 350, 40, 40), ground=player),))
    assert verdict(page.model_copy(update={"texts": (*page.texts, text(LINE, 600, x=300))})).kind == "content"


def test_a_skeleton() -> None:
    """Six lines that glimmer and no text: still loading. One such card among three with content: not."""
    bones = tuple(Busy(kind="skeleton", marks="skeleton", box=Box(300, 60 + 90 * n, 600, 60)) for n in range(6))
    assert verdict(facts(text("Inbox", role="h"), busy=bones)).rule == "skeleton"
    card = tuple(Busy(kind="skeleton", marks="skeleton", box=Box(900, 60 + 30 * n, 300, 18)) for n in range(5))
    assert verdict(article(busy=card)).kind == "content"


def test_a_page_not_looked_at_to_its_end_is_content() -> None:
    """Where there were more texts than are looked at, nobody can say that there are few."""
    assert verdict(facts(text("Loading"), busy=(spinner(),), truncated=True)).kind == "content"


# --- errors


@pytest.mark.parametrize(
    "words",
    [
        "Page not found",
        "The page you are looking for does not exist.",
        "Sorry, we couldn't find that page",
        "404 Not Found",
        "Seite nicht gefunden",
        "Cette page est introuvable",
        "Página no encontrada",
        "Страница не найдена",
        "ページが見つかりません",
        "页面不存在",
        "Something went wrong",
        "Oops! An unexpected error occurred.",
        "Es ist ein Fehler aufgetreten",
        "Une erreur est survenue",
        "エラーが発生しました",
        "We'll be right back",
        "Down for maintenance",
    ],
)
def test_messages(words: str) -> None:
    """As the heading of a page with little else they are what it is; as one line among many they are not."""
    assert verdict(facts(text(words, role="h"), text("Home", 200, role="a"))).kind == "error-page"
    assert verdict(facts(*article().texts, text(words, 690))).kind == "content"
    rows = [text(f"Vehicle {n}, last seen at berth {n}, 12 km", 80 + 30 * n) for n in range(20)]
    assert verdict(facts(text("Fleet", role="h"), *rows[:10], text(words, 400), *rows[10:])).kind == "content"


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("502 Bad Gateway", "server-error"),
        ("Error establishing a database connection", "server-error"),
        ("Whitelabel Error Page", "server-error"),
        ("Welcome to nginx!", "server-default"),
        ("Apache2 Ubuntu Default Page", "server-default"),
        ("Application error: a client-side exception has occurred", "framework-error"),
    ],
)
def test_what_only_machines_write(words: str, rule: str) -> None:
    """A page of it is that page; an article with such a title has more to say."""
    assert verdict(facts(text(words, role="h"), title=words, headings=(words,))).rule == rule
    assert (
        verdict(facts(text(words, role="h"), *article(40).texts[1:], title=f"{words}: what to do", headings=(words,))).kind
        == "content"
    )


def test_a_number_is_no_message() -> None:
    """404 as a heading with "not found" beside it is an error; the year and the model of that number are content."""
    code = text("404", role="h")
    assert verdict(facts(code, text("Page not found", 160))).kind == "error-page"
    assert verdict(facts(code, text("A leap year that began on a Friday.", 160), title="404 - Wiki")).kind == "content"
    assert verdict(facts(code, text("Not found in your local store? We deliver.", 160), title="Grinder 404")).kind == "content"


def test_a_list_is_no_message() -> None:
    """A heading that holds such a word among others, and a list of links under a message, are what was asked for."""
    links = [text(f"Broken redirects {n}", 80 + 30 * n, role="a") for n in range(50)]
    assert verdict(facts(text("Maintenance reports", role="h"), *links[:4])).kind == "content"
    assert (
        verdict(facts(text("Maintenance", role="h"), text("Back in an hour", 90), *links[:2], title="Maintenance")).kind
        == "error-page"
    )
    assert verdict(facts(text("Page not found", role="h"), *links)).kind == "content"


def test_an_overlay_and_a_badge() -> None:
    """A framework's report over the page is an error; the badge of its tools in a corner is none."""
    assert verdict(article(marks={"overlay: Next.js": WHOLE})).rule == "framework-error"
    assert verdict(article(marks={"overlay: Next.js": Box(20, 660, 40, 40)})).kind == "content"


# --- all


def test_nothing_there() -> None:
    """No text, picture, field or frame: empty. A picture alone: content."""
    assert verdict(facts()).kind == "empty"
    assert verdict(facts(grid=("m" * 12,) * 9)).kind == "content"


def test_every_kind_has_its_outcome() -> None:
    """Every verdict but content names an outcome of a visit."""
    assert "content" not in OUTCOMES
    assert set(OUTCOMES.values()) <= set(get_args(Outcome))


def test_every_rule_is_described() -> None:
    """Each rule that can be named has a line in docs/not-evidence.md, by the name it gives."""
    root = Path(__file__).resolve().parents[2]
    sources = [*root.glob("domain/pages/*.py"), root / "domain/page.py"]
    named = set(itertools.chain.from_iterable(re.findall(r'rule="([a-z-]+)"', p.read_text()) for p in sources))
    named |= {rule for rule, _, _ in errors.MACHINE_RULES} | {"turned-away", "challenge-words", "not-found", "something-failed"}
    told = set(re.findall(r"`([a-z-]+)`", (root / "docs/not-evidence.md").read_text()))
    assert not named - told, f"docs/not-evidence.md says nothing of {sorted(named - told)}"
    assert all(module.RULES for module in (challenge, consents, errors, loading, login))


def test_selectors_are_single() -> None:
    """Each selector stands by itself, so that the page can look an id up."""
    assert all(name and selector and "," not in selector for name, selector, _ in SELECTORS)


def test_a_small_dialog_over_a_page_is_content() -> None:
    """The cross that closes it is no word for loading; a sheet that says "Loading" covers the page."""
    sheet = Layer(box=WHOLE, points=108, alpha=0.5)
    ask = (text("Delete this file?", 300, layer=0), text("Delete", 340, layer=0, role="b"), text("\u00d7", 260, layer=0))
    assert verdict(facts(*article().texts, *ask, layers=(sheet,))).kind == "content"
    assert verdict(facts(*article().texts, text("Loading", 300, layer=0), layers=(sheet,))).rule == "spinner-over-content"
