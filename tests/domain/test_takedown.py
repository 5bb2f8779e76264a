"""What an entry of the take-down list covers."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.errors import BadInput
from domain.takedown import covers, read_covered


@pytest.mark.parametrize(
    ("entry", "url", "covered"),
    [
        ("shop.example", "https://shop.example/x", True),
        ("shop.example", "http://SHOP.example:8080/", True),
        ("shop.example", "https://www.shop.example/x", True),
        ("shop.example", "https://notshop.example/", False),
        ("shop.example", "https://shop.example.evil.test/", False),
        ("https://shop.example/", "https://a.shop.example/x", True),
        ("www.shop.example", "https://shop.example/", False),
        ("m\u00fcnchen.example", "https://xn--mnchen-3ya.example/", True),
        ("10.0.0.1", "http://10.0.0.1/", True),
        ("0.0.1", "http://10.0.0.1/", False),
        ("https://shop.example/u/jane", "https://shop.example/u/jane", True),
        ("https://shop.example/u/jane", "http://shop.example:8080/u/jane/photos?x#y", True),
        ("https://shop.example/u/jane", "https://shop.example/u/%6Aane", True),
        ("https://shop.example/u/jane", "https://shop.example/a/../u/jane", True),
        ("https://shop.example/u/jane", "https://shop.example/a/%2e%2e/u/jane", True),
        ("https://shop.example/u/jane", "https://shop.example/u/", False),
        ("https://shop.example/u/jane", "https://shop.example/u/Jane", False),
        ("https://shop.example/u/jane", "https://www.shop.example/u/jane", False),
        ("https://shop.example:8080/u", "http://shop.example:8080/u", True),
        ("https://shop.example:8080/u", "http://shop.example/u", False),
        ("https://shop.example:443/u", "https://shop.example/u", True),
        ("https://shop.example:443/u", "http://shop.example/u", False),
        ("http://127.0.0.1:8432/", "http://127.0.0.1:8432/u", True),
        ("http://127.0.0.1:8432/", "http://127.0.0.1:8433/", False),
        ("http://127.0.0.1:8432/", "http://127.0.0.1/", False),
        ("127.0.0.1:8432", "https://127.0.0.1:8432/u", True),
        ("127.0.0.1:8432", "http://127.0.0.1:84/", False),
        ("shop.example:8080", "http://www.shop.example:8080/", True),
        ("shop.example:8080", "http://www.shop.example/", False),
        ("http://shop.example:80", "http://shop.example/x", True),
        ("http://shop.example:80", "https://shop.example/x", False),
        ("http://shop.example", "https://shop.example:8080/x", True),
        ("http://127.0.0.1/", "http://127.0.0.1:8432/u", True),
        ("http://[::1]:8432/", "http://[::1]:8432/u", True),
        ("http://[::1]:8432/", "http://[::1]:8433/u", False),
        ("shop.example/list?id=3", "https://shop.example/list?id=33", True),
        ("shop.example/list?id=3", "https://shop.example/list", False),
        ("shop.example", "no address", False),
        ("shop.example", "https://[bad", False),
    ],
)
def test_covers(entry: str, url: str, covered: bool) -> None:
    """A host with its subdomains, whatever the scheme; an address and all that begin so, however they are spelt.

    A port that is given counts, with a path or without; where none is given, all do. An entry, as it is written out, is read
    as the same.
    """
    assert covers(read_covered(entry), url) is covered
    assert read_covered(str(read_covered(entry))) == read_covered(entry)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("shop.example", "shop.example with its subdomains, every port"),
        ("https://shop.example/", "shop.example with its subdomains, every port"),
        ("http://shop.example:80", "shop.example with its subdomains, port 80 only"),
        ("http://127.0.0.1:8432/", "127.0.0.1, port 8432 only"),
        ("http://127.0.0.1/", "127.0.0.1, every port"),
        ("[::1]:8432", "[::1], port 8432 only"),
        ("https://shop.example/u/jane", "all that begins with shop.example/u/jane, every port"),
        ("https://shop.example:8080/u", "all that begins with shop.example/u, port 8080 only"),
    ],
)
def test_said(entry: str, said: str) -> None:
    """Whoever enters it is told whether subdomains and other ports are meant."""
    assert read_covered(entry).said == said


# What stands around an address that is pasted out of a mail, a sentence, a table, or Markdown.
BEFORE = (
    *("", "<", "(", "[", "{", '"', "'", "`", ",", ";", "**", "- ", "| ", '<"', "\u2022 ", "(\u201c"),
    *"\u201c\u201e\u00ab\u2018\uff08\u300c",
    *" \n\u00a0\u3000\x00\x1b\u202e\u200e\u200f\u2066\u2068\u061c\u200b\u00ad\ufeff\u2060\ufe0f\u3164",
)
AFTER = (
    *("", ">", ")", "]", "}", '"', "'", "`", ",", ";", "**", " |", ".", ":", "!", "?", ">.", ").", '".', ">;", "\r\n"),
    *("\u201d),", *"\u201d\u201c\u00bb\u2019\uff09\u300d\u3002\uff0c\uff1f\u2013"),
    *" \n\u00a0\u3000\x00\x1b\u202c\u200e\u200f\u2069\u061c\u200b\u00ad\ufeff\u200d\ufe0f\u3164",
)
PASTED = (
    "shop.example", "https://shop.example", "https://shop.example/", "https://shop.example/u/jane", "shop.example/u/jane?a=1",
    "https://shop.example/wiki/Foo_(bar)", "m\u00fcnchen.example", "[::1]", "http://[::1]:8432/u", "10.0.0.1",
    "shop.example:8080",
)  # fmt: skip


@pytest.mark.parametrize("address", PASTED)
def test_pasted(address: str) -> None:
    """Whatever surrounds an address when it is pasted is no part of it."""
    meant = read_covered(address)
    read = {(before, after): read_covered(before + address + after) for before, after in product(BEFORE, AFTER)}
    assert {around: entry for around, entry in read.items() if entry != meant} == {}
    assert covers(meant, address if "://" in address else f"https://{address}")


@pytest.mark.parametrize("inside", [*"\u202e\u200e\u2066\u2069\u200b\u00ad\ufeff"])
def test_unseen_within(inside: str) -> None:
    """What is not seen within a host is refused, or is no part of it; within a path, refused: nobody knows what is meant."""
    with pytest.raises(BadInput, match="the invisible character U"):
        read_covered(f"https://shop.example/u{inside}/jane")
    with pytest.raises(BadInput, match="the invisible character U"):
        read_covered(f"sh{inside}op.example")


@settings(max_examples=300, deadline=None)
@given(
    text=st.one_of(st.text(), st.builds("{}{}{}{}".format, st.text(max_size=3), st.sampled_from(PASTED), st.text(), st.text()))
)
def test_what_is_accepted_covers_what_it_says(text: str) -> None:
    """Any text at all is refused, or is an entry that covers what it is written out as, and reads so again."""
    try:
        entry = read_covered(text)
    except BadInput:
        return
    assert covers(entry, f"https://{entry}")
    assert read_covered(str(entry)) == entry
    assert re.fullmatch(r"[a-z0-9_.:-]+", entry.host)


@pytest.mark.parametrize(
    ("written", "visited"),
    [
        ("stra\u00dfe.example", "https://xn--strae-oqa.example/"),
        ("127.1", "http://127.0.0.1/"),
        ("127.0.0.1", "http://0x7f000001/"),
        ("[0:0:0:0:0:0:0:1]", "http://[::1]/"),
        ("xn--n3h.example", "https://\u2603.example/"),
        ("shop.example/u/jane", "https://shop.example\\u\\jane".replace("example\\", "example/")),
    ],
)
def test_hosts_as_browsers_read_them(written: str, visited: str) -> None:
    """However a host is spelt, it is the one that a browser goes to."""
    assert covers(read_covered(written), visited)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "a b",
        "<>",
        ", ",
        "*.example",
        ".example",
        "shop.example,bank.example",
        "shop.example and bank.example",
        "shop.example\nbank.example",
        "[shop](https://shop.example/)",
        '<a href="https://shop.example/">',
        "shop[.]example",
        "hxxps://shop.example",
        "\u2192shop.example",
        "shop\u2026",
        "https://shop.example/u/ja\u2026",
        "_shop.example_",
        "x" * 64 + ".example",
        "jane@shop.example",
        "<mailto:jane@shop.example>",
        "https://jane:pw@shop.example/",
        "ftp://shop.example",
        "/x",
        "https://",
        "mailto:jane@shop.example",
        "shop.example:0",
        "shop.example:x",
    ],
)
def test_no_entry(text: str) -> None:
    with pytest.raises(BadInput, match=r'is neither a host nor a URL(: it holds .*)?\. Write "shop\.example"'):
        read_covered(text)
