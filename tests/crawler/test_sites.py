"""The site list: every format read, every fault found, at its line and with its remedy."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crawler.site_rules import LANGUAGES, TOPICS
from crawler.site_toml import read_toml
from crawler.sites import DEVICES, Site, check, default_sites_path, read_sites
from domain.errors import BadInput
from domain.visit import Viewport

SAMPLES = Path(__file__).parent.parent / "samples" / "sites"
SITE = """[[site]]
name = "one"
url = "https://one.test/"
why = "a clock"
topic = "time"
every = "1h"
"""

Write = Callable[[str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a list and gives its path."""

    def write(content: str | bytes) -> Path:
        path = tmp_path / "list.toml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def sentences(path: Path, *, allow_private: bool = False) -> list[str]:
    return [problem.sentence(path.name) for problem in check(path, allow_private=allow_private)]


# --- whole lists ---

MANY = [
    (3, 'defaults: unknown key "evry". Did you mean "every"?'),
    (4, 'defaults: "url" cannot be the same for all sites'),
    (6, 'delay = "3m" is too long. Write a duration from "1ms" to "2m"'),
    (16, 'site 1 (https://one.test/): every = "5" has no unit. Write "5m" or "5h".'),
    (18, "why is missing"),
    (19, 'name = "Bad Name" is not a slug. Write "bad-name"'),
    (20, 'has the scheme "ftp". Only http and https'),
    (21, 'topic = "newz" is not a known topic. Did you mean "news"?'),
    (22, 'every = 30 has no unit. Write "30m" or "30h".'),
    (23, 'wait = "onload" is not a thing to wait for. Did you mean "load"?'),
    (26, 'name = "no-unit" is already that of site 1 (line 9)'),
    (27, 'url = "HTTPS://ONE.test:443/" is already that of site 1 (line 10)'),
    (30, 'every = "30s" is too short'),
    (31, 'locale = "de_DE" is no BCP 47 tag. Write "de-DE".'),
    (32, 'timezone = "Europe/Berln" is no IANA time zone. Did you mean "Europe/Berlin"?'),
    (33, 'viewport = "1280" is not a size'),
    (34, 'device = "fone" is not a known device. Did you mean "phone"?'),
    (34, "viewport and device are both given. Keep one"),
    (35, "scroll_positions = 21 is not a whole number from 1 to 20"),
    (39, "url = 12 is not text"),
    (40, 'why = ["a", "b"] says nothing'),
    (43, 'every = "5 parsecs" is not a duration'),
    (44, 'delay = "0s" is zero'),
    (45, 'unknown key "scroll_position". Did you mean "scroll_positions"?'),
    (46, 'consent = "//button" is not a CSS selector'),
    (47, 'locale = "xx-YY" has the unknown language "xx"'),
    (49, "width: greater than or equal to 100; height: Field required; hieght: unknown key"),
    (53, "name is missing"),
    (53, "why is missing"),
    (53, "topic is missing"),
    (54, "has credentials in it"),
    (55, 'every = "-5m" is negative'),
    (59, "is not public: 0x7f.1 is 127.0.0.1, a loopback address"),
    (63, "timezone = 3 is not text"),
    (64, 'wait_for = "" is blank'),
    (66, '"sites" stands outside of any [[site]] or [defaults]. Did you mean "site"?'),
]
BROKEN = [
    (9, "this is not TOML: Illegal character"),
    (17, 'site 3 (https://three.test/): every = "5" has no unit'),
    (19, "this is not TOML: Expected ']]'"),
]
PLAIN = [
    (3, 'site 2 (https://two.test/a b): "https://two.test/a b" has a space in it'),
    (4, 'has the scheme "ftp"'),
    (5, '"https://ONE.test/" is already that of site 1 (line 2)'),
    (6, "is not public: localhost"),
    (7, "no valid name"),
]
RANKS = [
    (2, "is not a rank and a domain"),
    (3, "is not a rank and a domain"),
    (4, "is not a rank and a domain"),
    (5, "is already that of site 1 (line 1)"),
    (6, "no valid name"),
    (7, "192.168.0.1 is a private address"),
]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("many-problems.toml", MANY),
        ("broken.toml", BROKEN),
        ("plain-problems.txt", PLAIN),
        ("ranks-problems.csv", RANKS),
    ],
)
def test_all_problems_at_once(file: str, expected: list[tuple[int, str]]) -> None:
    """A list with many faults has exactly these problems, each at its own line."""
    found = check(SAMPLES / file, allow_private=False)
    assert [problem.line for problem in found] == [line for line, _ in expected]
    for problem, (line, fragment) in zip(found, expected, strict=True):
        assert fragment in problem.sentence(file)
        assert problem.sentence(file).startswith(f"{file}, line {line}")
        assert problem.remedy.endswith((".", "?"))


def test_reading_a_faulty_list_raises_them_all() -> None:
    """read_sites() refuses a list with any problem, and its message has one line for each."""
    with pytest.raises(BadInput) as raised:
        read_sites(SAMPLES / "many-problems.toml")
    assert str(raised.value).splitlines() == sentences(SAMPLES / "many-problems.toml")


def test_passwords_are_not_repeated() -> None:
    """A password in a URL does not show up in any message."""
    assert "secret" in (SAMPLES / "many-problems.toml").read_text()
    assert "secret" not in "".join(sentences(SAMPLES / "many-problems.toml"))


def test_toml() -> None:
    """Every key of a TOML list arrives as its own type, and a site's own screen replaces the default one."""
    full, few = read_sites(SAMPLES / "good.toml")
    assert full == Site(
        name="all-keys",
        url="https://example.test/path?q=1",
        why="holds every key there is",
        topic="time",
        every=timedelta(hours=1, minutes=30),
        wait="domcontentloaded",
        wait_for="#clock",
        delay=timedelta(milliseconds=500),
        locale="zh-Hant-TW",
        timezone="Asia/Taipei",
        viewport=Viewport(width=390, height=844, scale=3, mobile=True),
        scroll_positions=3,
        consent="button.reject",
    )
    assert full.screen == full.viewport
    assert (few.topic, few.every, few.screen) == ("weather", timedelta(hours=6), DEVICES["phone"])


def test_a_site_survives_json() -> None:
    """A site written as JSON reads back as the same site."""
    for site in read_sites(SAMPLES / "good.toml"):
        assert Site.model_validate_json(site.model_dump_json()) == site


def test_plain_text() -> None:
    """One URL a line: comments, blanks, byte order mark and CRLF are passed over; a bare host is https."""
    sites = read_sites(SAMPLES / "plain.txt")
    assert [(site.name, site.url, site.why) for site in sites] == [
        ("one-test-a-b-1-2", "https://one.test/a?b=1,2#frag", "line 3 of plain.txt"),
        ("two-test", "https://www.two.test/", "line 4 of plain.txt"),
        ("three-test-8443-x", "https://three.test:8443/x", "line 6 of plain.txt"),
        ("2606-4700-1111", "https://[2606:4700::1111]/", "line 7 of plain.txt"),
    ]
    assert {site.topic for site in sites} == {"unsorted"}


@pytest.mark.parametrize(
    ("file", "urls"),
    [
        ("ranks.csv", ["https://one.test/", "https://two.test/", "https://three.test/"]),
        ("ranks-header.csv", ["https://one.test/", "https://two.test/"]),
        ("ranks-origin.csv", ["https://www.one.test", "https://two.test"]),
    ],
)
def test_ranks(file: str, urls: list[str]) -> None:
    """Lists of ranks and domains are read with and without header, quotes and CRLF, columns in either order."""
    sites = read_sites(SAMPLES / file)
    assert [site.url for site in sites] == urls
    assert sites[0].why.startswith("rank 1")


def test_limit() -> None:
    """A limit takes the first sites of any list, and what comes after is neither read nor complained about."""
    assert [site.url for site in read_sites(SAMPLES / "ranks.csv", limit=2)] == [
        "https://one.test/",
        "https://two.test/",
    ]
    assert [site.name for site in read_sites(SAMPLES / "good.toml", limit=1)] == ["all-keys"]
    assert check(SAMPLES / "ranks-problems.csv", limit=1, allow_private=False) == []


def test_names_are_of_the_url(write: Write) -> None:
    """Two URLs whose slugs agree get two names, and long ones are cut, the same way each time."""
    path = write("https://one.test/a-b\nhttps://one.test/a/b\nhttps://one.test/" + "long/" * 40 + "\nhttps://日本.test/\n")
    path = path.rename(path.with_suffix(".txt"))
    names = [site.name for site in read_sites(path)]
    assert names == [site.name for site in read_sites(path)]
    assert names[0] == "one-test-a-b"
    assert names[1].startswith("one-test-a-b-")
    assert max(map(len, names)) == 64
    assert len(set(names)) == 4


def test_the_shipped_list() -> None:
    """The list that is shipped has no problem, at least 45 sites over at least 9 topics, none hurried."""
    assert sentences(default_sites_path()) == []
    sites = read_sites(default_sites_path())
    assert len(sites) >= 45
    assert len({site.topic for site in sites}) >= 9
    assert {"zh", "ja", "ar", "th", "de"} <= {site.locale.partition("-")[0] for site in sites if site.locale}
    assert min(site.every for site in sites) >= timedelta(minutes=15)
    assert len({site.why for site in sites}) == len(sites)
    assert not any(site.consent for site in sites)


# --- what is no list at all ---


@pytest.mark.parametrize(
    ("content", "fragment"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "is a binary file"),
        (b"PK\x03\x04abc", "is a zip archive. Unpack it"),
        (b"\x1f\x8b\x08abc", "is a gzip archive. Unpack it"),
        ("https://one.test/".encode("utf-16"), "UTF-16 or UTF-32 text. Save it as UTF-8"),
        (
            "https://one.test/\nhttps://zwölf.test/".encode("latin-1"),
            "line 2: this is not UTF-8. Save the list as UTF-8",
        ),
    ],
)
def test_no_text(write: Write, content: bytes, fragment: str) -> None:
    """What is not UTF-8 text is refused in one sentence that says what to do."""
    for call in (lambda path: check(path, allow_private=False), read_sites):
        with pytest.raises(BadInput, match=fragment):
            call(write(content))


def test_no_file(tmp_path: Path) -> None:
    """A missing file, a folder and a path that cannot be are refused in one sentence each."""
    with pytest.raises(BadInput, match="No site list at"):
        read_sites(tmp_path / "none.toml")
    with pytest.raises(BadInput, match=r"is a folder\. Give the site list itself"):
        read_sites(tmp_path)
    with pytest.raises(BadInput, match=r"No site list at|cannot be read"):
        read_sites(tmp_path / "a\0b")


@pytest.mark.parametrize("content", ["", "\n\n", "# nothing\n", "\ufeff", "[defaults]\nevery = '1h'\n", "site = []\n"])
def test_an_empty_list(write: Write, content: str) -> None:
    """A list without a site is a problem: a crawler with nothing to do is not what was meant."""
    assert [problem.message for problem in check(write(content), allow_private=False)] == ["there is no site in this list"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode), st.text('[]site="\n#= .u1,', max_size=60)))
def test_any_file_is_answered(write: Write, content: bytes | str) -> None:
    """Whatever is in the file, there are problems, or sites, or one BadInput; never a crash."""
    with contextlib.suppress(BadInput):
        if not check(write(content), allow_private=False):
            assert read_sites(write(content))


# --- lines ---


def test_lines_through_strings_comments_and_arrays() -> None:
    """Headers and keys inside of strings, arrays and comments are none; quoted and dotted keys are keys."""
    text = '''# [[site]]
[[site]]   # first
why = """
[[site]]
""\\"
name = 1
"""
tags = [
  "]", # ]
  [ "[[site]]" ],
]
x = \'\'\'
every = "1"\'\'\'\'

  [[ "site" ]]
"the url" = { a = "}", b = [1, 2] }
\'name\' = ""
viewport.width = 3
viewport . "height" = """a""\"""
[site.deep]
key = 1
[[site]]
'''
    first, second, third = read_toml(text).rows
    assert (first.line, first.lines) == (2, {"why": 3, "tags": 8, "x": 12})
    assert (second.line, third.line) == (15, 22)
    assert second.lines == {
        "the url": 16,
        "name": 17,
        "viewport": 18,
        "viewport.width": 18,
        "viewport.height": 19,
        "deep": 20,
        "deep.key": 21,
    }


VALUES = st.sampled_from(
    ['"a"', '""', '"""x\n[[site]]\n"""', "'''\n\"\"\"\n'''", '[\n 1, # ]\n "]"]', "{ a = [1], b = '}' }", '"#\\""', "1"]
)


@given(st.lists(st.lists(st.tuples(st.sampled_from(["", "# x = 1\n", "\n"]), VALUES), max_size=4), max_size=4))
def test_lines_are_where_the_keys_are(tables: list[list[tuple[str, str]]]) -> None:
    """In any list, the line of a table and of a key is the one that begins with it."""
    text, places = "", []
    for number, table in enumerate(tables):
        places.append((text.count("\n") + 1, {}))
        text += f"[[site]] # {number}\n"
        for key, (before, value) in enumerate(table):
            text += before
            places[-1][1][f"k{key}"] = text.count("\n") + 1
            text += f"k{key} = {value}\n"
    assert [(row.line, row.lines) for row in read_toml(text).rows] == places
    assert [row.values for row in read_toml(text).rows] == tomllib.loads(text).get("site", [])


@pytest.mark.parametrize(
    ("text", "line", "fragment"),
    [
        (SITE + "every = '2h'\n", 7, "Cannot overwrite a value"),
        (SITE + "\nwhy\n", 8, "Expected '='"),
        (SITE + 'wait = "load', 7, "this is not TOML"),
        (SITE + 'wait = """load\n\n', 7, "this is not TOML"),
        ("[defaults]\n" + SITE + "[defaults]\n", 8, "Cannot declare"),
        (SITE.replace("[[site]]", "[site]"), 1, "site is not written as [[site]]"),
        ("defaults = 3\n" + SITE, 1, "defaults is not written as [defaults]"),
        ("every = '1h'\n" + SITE, 1, '"every" stands outside'),
        (SITE + "\rwait = 'load'\r", 7, "this is not TOML"),
    ],
)
def test_syntax(write: Write, text: str, line: int, fragment: str) -> None:
    """A fault of TOML itself is told with its line; the column is there where the parser gives one."""
    problems = check(write(text), allow_private=False)
    assert (problems[0].line, len(problems)) == (line, 1)
    assert fragment in problems[0].message


def test_crlf_and_inline_lists(write: Write) -> None:
    """CRLF does not move lines, and sites in one inline array are all at its line."""
    text = SITE.replace('"1h"', '"1"').replace("\n", "\r\n")
    assert [problem.line for problem in check(write("\r\n" + text), allow_private=False)] == [7]
    inline = "\nsite = [{ name = 'a', url = 'https://a.test/', why = 'x', topic = 'time', every = '1' }]\n"
    assert [problem.line for problem in check(write(inline), allow_private=False)] == [2]


def test_a_bad_default_is_one_problem(write: Write) -> None:
    """A wrong default is told once, not for each site that relies on it."""
    site = SITE.replace('every = "1h"\n', "")
    text = "[defaults]\nevery = '1'\n" + site + site.replace("one", "two")
    assert [problem.line for problem in check(write(text), allow_private=False)] == [2]


# --- values ---


def problems_of(write: Write, line: str, *, allow_private: bool = False) -> list[str]:
    """What is wrong with a good site to which this line is added in place of its own key."""
    key = line.partition(" = ")[0]
    text = "".join(own for own in SITE.splitlines(keepends=True) if not own.startswith(f"{key} ="))
    return [problem.message for problem in check(write(text + line + "\n"), allow_private=allow_private)]


@pytest.mark.parametrize(
    ("url", "fragment"),
    [
        ("", "is blank"),
        ("  ", "is blank"),
        ("example.test", "has no scheme"),
        ("example.test:8080/x", "has no scheme"),
        ("//example.test/", "has no scheme"),
        ("/path", "has no scheme"),
        ("ftp://example.test/", 'has the scheme "ftp"'),
        ("file:///etc/passwd", 'has the scheme "file"'),
        ("javascript:alert(1)", 'has the scheme "javascript"'),
        ("data:text/html,x", 'has the scheme "data"'),
        ("about:blank", 'has the scheme "about"'),
        ("ws://example.test/", 'has the scheme "ws"'),
        ("https://", "has no host"),
        ("https:///path", "has no host"),
        ("https:example.test", "has no host"),
        ("https://:80/", "has no host"),
        ("https://user@example.test/", "has credentials in it"),
        ("https://user:pw@example.test/", "has credentials in it"),
        (" https://example.test/", "has a space in it"),
        ("https://example.test/a b", "has a space in it"),
        ("https://example.test/a\u00a0b", "has a space in it"),
        ("https://exam ple.test/", "has a space in it"),
        ("https://example.test/\u200b", "has an unprintable character in it"),
        ("https:\\\\example.test", "has a backslash in it"),
        ("https://example.test:abc/", "has a bad port"),
        ("https://example.test:65536/", "has a bad port"),
        ("https://example.test:0/", "has a bad port"),
        ("https://example.test:-1/", "has a bad port"),
        ("https://example.test:/", "has a bad port"),
        ("https://example.test:\u0661/", "has a bad port"),
        ("https://[::1/", "has a malformed host"),
        ("https://[::zz]/", "malformed"),
        ("https://1.2.3.4.5/", "has a malformed address"),
        ("https://256.1.1.1/", "has a malformed address"),
        ("https://a..test/", "no valid"),
        ("https://.test/", "no valid"),
        ("https://-a.test/", "no valid"),
        ("https://a-.test/", "no valid"),
        ("https://a$b.test/", "no valid"),
        ("https://a%20b.test/", "no valid"),
        (f"https://{'a' * 64}.test/", "no valid"),
        (f"https://{'ü' * 64}.test/", "no valid"),
        (f"https://{'a.' * 126}test/", "no valid"),
        ("https://xn--\u00fc.test/", "no valid"),
        ("https://xn--99999999.test/", "no valid"),
        ("https://a\u2100b.test/", "malformed host"),
    ],
)
def test_bad_urls(write: Write, url: str, fragment: str) -> None:
    """Each way for a URL to be wrong is one problem that names it."""
    quoted = "".join(c if c.isprintable() and c not in '\\"' else f"\\u{ord(c):04x}" for c in url)
    (message,) = problems_of(write, f'url = "{quoted}"')
    assert fragment in message


@pytest.mark.parametrize(
    "url",
    [
        "http://example.test",
        "HTTPS://Example.TEST:8443/a?b=c#d",
        "https://bücher.test/ä",
        "https://xn--bcher-kva.test/",
        "https://xn--strae-oqa.test/",
        "https://例え.test/メインページ",
        "https://a_b.test./",
        "https://8.8.8.8/",
        "https://[2606:4700::1111]:8443/",
        "https://example.test/@user/a:b",
    ],
)
def test_good_urls(write: Write, url: str) -> None:
    """Ports, IDNA in either form, addresses and odd paths are fine."""
    assert problems_of(write, f'url = "{url}"') == []


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8000/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://017700000001/",
        "http://127.1/",
        "http://%31%32%37.1/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[fe80::1]/",
        "http://169.254.169.254/latest/",
        "http://printer.local/",
        "http://a.internal/",
        "http://intranet/",
    ],
)
def test_private_urls(write: Write, url: str) -> None:
    """A URL into this machine or its network is a problem, unless private addresses are allowed."""
    (message,) = problems_of(write, f'url = "{url}"')
    assert "is not public" in message
    assert problems_of(write, f'url = "{url}"', allow_private=True) == []


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("https://a.test/", "https://a.test"),
        ("https://a.test/", "HTTPS://A.TEST/"),
        ("https://a.test/", "https://a.test:443/"),
        ("http://a.test/x", "http://a.test:80/x"),
        ("https://a.test/?", "https://a.test."),
        ("https://bücher.test/", "https://xn--bcher-kva.test/"),
    ],
)
def test_the_same_page_twice(write: Write, left: str, right: str) -> None:
    """URLs of one page are duplicates however they are spelled."""
    text = SITE.replace("https://one.test/", left) + SITE.replace("https://one.test/", right).replace('"one"', '"two"')
    assert [(p.line, "is already that of site 1 (line 3)" in p.message) for p in check(write(text), allow_private=False)] == [
        (9, True)
    ]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("https://a.test/", "http://a.test/"),
        ("https://a.test/", "https://a.test:80/"),
        ("https://a.test/x", "https://a.test/x/"),
        ("https://a.test/#orders", "https://a.test/#bills"),
        ("https://a.test/x", "https://a.test/X"),
        ("https://a.test/?a", "https://a.test/?b"),
    ],
)
def test_other_pages(write: Write, left: str, right: str) -> None:
    """URLs that may be of two pages are not duplicates."""
    text = SITE.replace("https://one.test/", left) + SITE.replace("https://one.test/", right).replace('"one"', '"two"')
    assert check(write(text), allow_private=False) == []


@pytest.mark.parametrize(
    ("line", "fragment"),
    [
        ('every = "0s"', "is zero"),
        ('every = "59s"', "is too short"),
        ('every = "367d"', "is too long"),
        ("every = 1.5", "has no unit"),
        ("every = true", "is not a duration"),
        ("every = 10:00:00", "is not a duration"),
        ("every = []", "is not a duration"),
        ('delay = "121s"', "is too long"),
        ('delay = "5"', "has no unit"),
        ("name = 3", "is not text"),
        ('name = "日本"', "is not a slug"),
        (f'name = "{"a" * 65}"', "is not a slug"),
        ('why = " "', "says nothing"),
        ("topic = 3", "is not a known topic"),
        ("device = []", "is not a known device"),
        ('wait = "Load"', "is not a thing to wait for"),
        ('wait_for = "text=Accept"', "is not a CSS selector"),
        ("wait_for = 3", "is not text"),
        ("locale = 3", "is not text"),
        ('locale = "english"', "is no BCP 47 tag"),
        ('locale = "de-"', "is no BCP 47 tag"),
        ('timezone = "Mars/Olympus"', "is no IANA time zone"),
        ('timezone = "../etc/passwd"', "is no IANA time zone"),
        ('timezone = "europe/berlin"', "is no IANA time zone"),
        ('viewport = "wide"', "is not a size"),
        ('viewport = "1280x"', "is not a size"),
        ('viewport = "50x720"', "width: greater than or equal to 100"),
        ('viewport = "1280x20000"', "height: less than or equal to 10000"),
        ('viewport = "1280x720@9"', "scale: less than or equal to 8"),
        ("viewport = 1280", "is not a size"),
        ('viewport = { width = "1280", height = 720 }', "width: a valid integer"),
        ("viewport = { width = 1280, height = 720, mobile = 1 }", "mobile: a valid boolean"),
        ("scroll_positions = 0", "is not a whole number"),
        ("scroll_positions = 1.0", "is not a whole number"),
        ("scroll_positions = true", "is not a whole number"),
        ('scroll_positions = "3"', "is not a whole number"),
        ("consent = false", "is not text"),
        ('extra = "\\u001b[31m"', 'unknown key "extra"'),
    ],
)
def test_bad_values(write: Write, line: str, fragment: str) -> None:
    """Each value that a key cannot hold is one problem."""
    (message,) = problems_of(write, line)
    assert fragment in message
    assert message.isprintable()


@pytest.mark.parametrize(
    "line",
    [
        'viewport = "1280x720"',
        'viewport = "390 x 844 @ 3"',
        'viewport = "1280x720@1.5x"',
        "viewport = { width = 390, height = 844, scale = 2.5, mobile = true }",
        'locale = "ar"',
        'locale = "zh-Hant-TW"',
        'locale = "es-419"',
        'locale = "de-DE-1996"',
        'locale = "ar-EG-u-nu-latn"',
        'timezone = "UTC"',
        'timezone = "America/Argentina/Buenos_Aires"',
        'wait = "none"',
        'wait_for = "[data-id] > td:nth-child(2)"',
        "scroll_positions = 20",
        'every = "1m"',
        'delay = "2m"',
    ],
)
def test_good_values(write: Write, line: str) -> None:
    """Each of these is fine."""
    assert problems_of(write, line) == []


def test_names_of_things() -> None:
    """The tables hold what the pages and the shipped list speak of."""
    page = (Path(__file__).parents[2] / "docs" / "sites.md").read_text(encoding="utf-8")
    for known in (*TOPICS, *DEVICES, *Site.model_fields):
        assert f"`{known}`" in page, f"docs/sites.md does not tell of {known}"
    assert {"de", "ja", "zh", "ar", "th", "ko", "he", "hi"} <= LANGUAGES
