"""robots.txt as servers really answer it: asked for over loopback, judged by RFC 9309. No browser."""

from __future__ import annotations

import asyncio
import gzip
from datetime import UTC, datetime, timedelta

import pytest

from crawler.arrive import Ended
from crawler.robots import decoded, is_page, origin_of, rules_of, token_of
from crawler.robots_fetch import LIMIT, Asking, fetch
from crawler.settings import CrawlerSettings
from domain.robots import Answer, Copy, known_after
from tests.pages.served import Reply, Say, answering

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
BAN = "User-agent: *\nDisallow: /\n"
HTML = "text/html; charset=utf-8"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def ask(say: Say, *, limit_s: float = 10) -> Answer:
    with answering(say) as (origin, _):
        return asyncio.run(fetch(origin, Asking("Parallax/0.1", limit_s)))


def plain(body: bytes | str, status: int = 200, **headers: str) -> Say:
    content = body.encode() if isinstance(body, str) else body
    given = {"Content-Type": "text/plain", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return lambda _: (status, given, content)


def allows(answer: Answer, path: str = "/page", token: str = "Parallax") -> bool:  # noqa: S107 - a product token
    assert answer.state in {"rules", "none"}, answer
    return rules_of(answer.text, token).allows(f"https://shop.example{path}")


@pytest.mark.parametrize(
    "body",
    [
        BAN.encode(),
        b"\xef\xbb\xbf" + BAN.encode(),
        b"\xef\xbb\xbf\xef\xbb\xbf" + BAN.encode(),
        BAN.encode("utf-16"),
        b"\xfe\xff" + BAN.encode("utf-16-be"),
        BAN.encode("utf-16-le"),
        BAN.encode("utf-16-be"),
        BAN.encode("utf-32"),
        BAN.replace("\n", "\r").encode(),
        BAN.replace("\n", "\r\n").encode(),
        b"\x00" + BAN.encode().replace(b"all", b"a\x00ll"),
        b"# caf\xe9\n" + BAN.encode(),
        b"USER-AGENT : *\n  DISALLOW:/  # all of it\n",
        b"User-agent: Parallax\nDisallow: /\n\nUser-agent: *\nAllow: /\n",
        b"User-agent: parallax/2.0 (old name)\nDisallow: /\n",
        b"User-agent: a\nUser-agent: PARALLAX\nUser-agent: b\nDisallow: /\n",
        b"User-agent: Parallax\nDisallow: /a\n\nUser-agent: Parallax\nDisallow: /\n",
        b"User-agent: Par*\nDisallow: /\n",
    ],
)
def test_a_full_ban_is_seen(body: bytes) -> None:
    """However it is encoded, marked, broken into lines or spelt, and with whatever version behind our name."""
    assert not allows(ask(plain(body)))


@pytest.mark.parametrize(
    "body",
    [
        "User-agent: Para\nDisallow: /\n",
        "User-agent: Parallaxis\nDisallow: /\n",
        "User-agent: x\nDisallow: /\n",
        "Disallow: /\n",
        "User-agent: *\nDisallow:\n",
        "User-agent: *\nDisallow: /\n\nUser-agent: Parallax\nAllow: /\n",
        "",
    ],
)
def test_a_ban_of_others_is_not_ours(body: str) -> None:
    """Names match whole, our own group goes before that of all, and what stands in no group bans nobody."""
    assert allows(ask(plain(body)))


def test_paths() -> None:
    """The longest rule wins, allow wins a tie; the query counts, letters compare as they are encoded."""
    answer = ask(plain("User-agent: *\nDisallow: /p\nAllow: /p/ok\nDisallow: /*?s=\nDisallow: /b\u00fccher\nDisallow: /x$\n"))
    paths = {"/": True, "/p": False, "/p/ok": True, "/page": False, "/q?s=1": False, "/q?t=1": True, "/x": False, "/x/y": True}
    assert {path: allows(answer, path) for path in paths} == paths
    encoded = {"/b%C3%BCcher": False, "/b\u00fccher/1": False, "/b%FCcher": True}
    assert {path: allows(answer, path) for path in encoded} == encoded


@pytest.mark.parametrize(
    ("body", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 3\n", 3),
        ("User-agent: *\nCrawl-delay: 0.5\n", 0.5),
        ("User-agent: *\nCrawl-delay: 999999\n", 86_400),
        ("User-agent: *\nCrawl-delay: -3\n", 0),
        ("User-agent: *\nCrawl-delay: soon\n", 0),
        ("User-agent: *\nCrawl-delay: inf\n", 0),
        ("User-agent: *\nRequest-rate: 1/20\n", 20),
        ("User-agent: *\nRequest-rate: 2/1m\nCrawl-delay: 5\n", 30),
        ("User-agent: *\nCrawl-delay: 9\n\nUser-agent: Parallax\nCrawl-delay: 4\n", 4),
        ("User-agent: other\nCrawl-delay: 9\n", 0),
    ],
)
def test_how_long_it_wants_us_to_wait(body: str, delay: float) -> None:
    """Crawl-delay or Request-rate of our group, the longer one; a day at most; what makes no sense counts for nothing."""
    assert rules_of(ask(plain(body)).text, "Parallax").delay_s == delay


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 451])
def test_4xx_means_there_are_no_rules(status: int) -> None:
    """RFC 9309, 2.3.1.3: a robots.txt that is unavailable restricts nobody."""
    assert ask(plain(BAN, status)).state == "none"


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_server_in_trouble_is_not_visited(status: int) -> None:
    """429 and 5xx: not now; the time that the server names is kept."""
    answer = ask(plain(BAN, status, Retry_After="7200"))
    assert (answer.state, answer.keep) == ("unreachable", 2 * HOUR)


def test_no_answer_in_time() -> None:
    """A server that accepts and says nothing, one whose file never ends, and one that breaks off: not now."""
    assert ask(lambda _: None, limit_s=0.3).state == "unreachable"
    assert ask(plain("User-agent: *\nAllow: /\n", Content_Length="999"), limit_s=0.3).state == "unreachable"


def test_nothing_to_connect_to() -> None:
    """A closed port and a name that does not exist are what a visit would end in."""
    with answering(plain("")) as (gone, _):
        pass
    for origin, outcome in ((gone, "connection-refused"), ("http://nowhere.invalid:80", "dns-failed")):
        with pytest.raises(Ended) as ended:
            asyncio.run(fetch(origin, Asking("Parallax/0.1", 10)))
        assert ended.value.outcome == outcome


@pytest.mark.parametrize(
    ("body", "media_type", "page"),
    [
        ("<!doctype html><title>Shop</title>", "text/plain", True),
        ("\n\n  <html>", "", True),
        ("Not found", HTML, True),
        ('{"error": 404}', "application/json", True),
        ("", HTML, False),
        (BAN, HTML, False),
        (BAN, "text/plain", False),
        ("gone fishing", "text/plain", False),
    ],
)
def test_a_page_in_place_of_robots(body: str, media_type: str, page: bool) -> None:
    """By its first sign or its type; a ban that is sent as HTML by mistake is a ban."""
    assert is_page(body.encode(), media_type) is page
    answer = ask(lambda _: (200, {"Content-Type": media_type}, body.encode()))
    assert answer.state == ("unreadable" if page else "rules")


def hops(count: int) -> Say:
    """/robots.txt leads on that often, then to a ban."""

    def say(path: str) -> Reply:
        done = 0 if path == "/robots.txt" else int(path[1:])
        if done == count:
            return 200, {"Content-Type": "text/plain"}, BAN.encode()
        return 302, {"Location": f"/{done + 1}"}, b""

    return say


def test_redirects() -> None:
    """Five are followed; a sixth, a circle, and one to no web address mean that there is no robots.txt."""
    assert not allows(ask(hops(5)))
    assert ask(hops(6)).state == "none"
    assert ask(lambda path: (301, {"Location": path}, b"")).state == "none"
    assert ask(lambda _: (301, {"Location": "ftp://shop.example/robots.txt"}, b"")).state == "none"


def test_a_redirect_to_another_host() -> None:
    """Its answer counts for the host that was asked (RFC 9309, 2.3.1.2). One that cannot be reached is no answer."""
    with answering(plain(BAN)) as (other, asked):
        assert not allows(ask(lambda _: (308, {"Location": f"{other}/elsewhere"}, b"")))
        assert [path for path, _ in asked] == ["/elsewhere"]
    assert ask(lambda _: (308, {"Location": f"{other}/elsewhere"}, b"")).state == "unreachable"


def test_a_public_site_does_not_lead_us_home() -> None:
    """Without a guard: robots.txt of a public site that redirects to a private address is not looked for there."""
    from crawler.robots_fetch import _led_astray  # noqa: PLC0415 - a public site cannot be had on loopback

    said = asyncio.run(_led_astray("http://192.0.43.8/robots.txt", "http://127.0.0.1:1/robots.txt"))
    assert "loopback" in str(said)


def test_a_long_file() -> None:
    """500 KiB count; what is behind them does not, and half a line at the cut is no rule."""
    rule = b"Disallow: /late\n"
    head = b"User-agent: *\nDisallow: /early\n"
    long = head + b"#" * (2_000_000 - len(head)) + b"\n" + rule
    answer = ask(plain(long))
    assert (allows(answer, "/early"), allows(answer, "/late")) == (False, True)
    cut = b"User-agent: *\nDisallow: /\n" + b"# \n" * 200_000
    cut = cut[: LIMIT - 8] + b"\nAllow: /public\n" + cut
    assert not allows(ask(plain(cut)))


def test_bombs() -> None:
    """A little that unfolds to much, and thousands of crawlers named for thousands of rules, cost what their length does."""
    bomb = gzip.compress(BAN.encode() + b"# " + b"x" * 40_000_000, 1)
    answer = ask(plain(bomb, Content_Encoding="gzip"))
    assert not allows(answer)
    assert len(answer.text) <= LIMIT
    groups = "".join(f"User-agent: a{n}\n" for n in range(12_000)) + "".join(f"Disallow: /{n}\n" for n in range(12_000))
    assert allows(ask(plain(groups)), "/1")
    assert ask(plain(b"not gzip at all", Content_Encoding="gzip")).state == "unreadable"
    assert ask(plain(BAN, Content_Encoding="br")).state == "unreadable"
    assert not allows(ask(plain(gzip.compress(BAN.encode()), Content_Encoding="gzip")))


def test_who_asks() -> None:
    """Our own user agent with the contact, not a browser's; robots.txt is matched by its first word."""
    settings = CrawlerSettings(user_agent_suffix="MyBot/2.1", contact="https://lab.example/bot")
    with answering(plain("")) as (origin, asked):
        asyncio.run(fetch(origin, Asking(settings.agent, 10)))
    assert asked == [("/robots.txt", "MyBot/2.1 (+https://lab.example/bot)")]
    assert (token_of(settings), token_of(CrawlerSettings(user_agent_suffix=""))) == ("MyBot", "Parallax")


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Shop.Example/a?b", "https://shop.example:443"),
        ("http://shop.example:8080", "http://shop.example:8080"),
        ("http://[::1]/", "http://[::1]:80"),
    ],
)
def test_one_file_for_an_origin(url: str, origin: str) -> None:
    """Scheme, host and port: another port has a robots.txt of its own."""
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    ("header", "kept"),
    [("", DAY), ("max-age=60", HOUR), ("public, max-age=7200", 2 * HOUR), ("max-age=9999999", DAY), ("no-store", HOUR)],
)
def test_how_long_it_is_kept(header: str, kept: timedelta) -> None:
    """A day; less where the server says so, an hour at least."""
    answer = ask(plain(BAN, Cache_Control=header))
    assert known_after(None, answer, NOON).expires == NOON + kept


def test_html_is_asked_for_twice() -> None:
    """A page in place of the rules: nothing is visited for an hour; still a page then: the site has no robots.txt."""
    page = Answer("unreadable", "a page")
    first = known_after(None, page, NOON)
    assert (first.rules(NOON), first.expires) == (None, NOON + HOUR)
    second = known_after(first, page, NOON + HOUR)
    assert (second.state, second.rules(NOON + HOUR), second.expires) == ("none", "", NOON + HOUR + DAY)


def test_unreachable_rests_grow_to_a_day() -> None:
    """5, 10, 20 minutes and so on; a longer time that the server names counts; nothing is ever allowed by waiting."""
    known: Copy | None = None
    rests = []
    for _ in range(11):
        known = known_after(known, Answer("unreachable", "HTTP 500"), NOON)
        rests.append(known.expires - NOON)
        assert known.rules(NOON + timedelta(days=40)) is None
    assert [rest.total_seconds() / 60 for rest in rests] == [5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]
    named = known_after(None, Answer("unreachable", "HTTP 503", keep=2 * HOUR), NOON)
    assert named.expires == NOON + 2 * HOUR


def test_a_good_copy_stands_in_for_a_week() -> None:
    """Where none can be had now, the last good one counts until it is seven days old."""
    good = known_after(None, Answer("rules", "HTTP 200", text=BAN), NOON)
    for lost in (Answer("unreachable", "HTTP 500"), Answer("unreadable", "a page")):
        known = known_after(good, lost, NOON + 2 * DAY)
        assert (known.rules(NOON + 6 * DAY), known.rules(NOON + 7 * DAY)) == (BAN, None)
    back = known_after(known, Answer("none", "HTTP 404"), NOON + 3 * DAY)
    assert (back.rules(NOON + 3 * DAY), back.failures) == ("", 0)


def test_decoding_never_fails() -> None:
    """Whatever bytes come."""
    for content in (b"", b"\xff", b"\xff\xfe\x00", b"\x00\x00\xfe\xff\x00", bytes(range(256)), b"\xed\xa0\x80"):
        rules_of(decoded(content), "Parallax").allows("https://shop.example/\ud800")
