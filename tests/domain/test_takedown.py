"""What an entry of the take-down list covers."""

from __future__ import annotations

import pytest

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
        ("shop.example/list?id=3", "https://shop.example/list?id=33", True),
        ("shop.example/list?id=3", "https://shop.example/list", False),
        ("shop.example", "no address", False),
        ("shop.example", "https://[bad", False),
    ],
)
def test_covers(entry: str, url: str, covered: bool) -> None:
    """A host with its subdomains, whatever scheme and port; an address and all that begin so, however they are spelt."""
    assert covers(read_covered(entry), url) is covered


@pytest.mark.parametrize(
    "text", ["", " ", "a b", "*.example", "ftp://shop.example", "/x", "https://", "mailto:jane@shop.example"]
)
def test_no_entry(text: str) -> None:
    with pytest.raises(BadInput, match="neither a host nor a URL"):
        read_covered(text)
