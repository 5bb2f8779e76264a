"""What counts as the site that was listed, and what as another."""

from __future__ import annotations

import contextlib

import pytest

from crawler.arrive import Ended, stay


@pytest.mark.parametrize(
    ("listed", "reached", "same"),
    [
        ("http://example.com/", "https://www.example.com/en", True),
        ("https://a.example.co.uk/", "https://b.example.co.uk/", True),
        ("https://example.co.uk/", "https://other.co.uk/", False),
        ("https://example.com/", "https://example.org/", False),
        ("https://one.github.io/", "https://two.github.io/", False),
        ("https://b\u00fccher.example.com/", "https://xn--bcher-kva.example.com/", True),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:9000/", True),
        ("http://127.0.0.1/", "http://127.0.0.2/", False),
        ("http://localhost/", "http://127.0.0.1/", False),
        ("http://intranet/", "http://other/", False),
    ],
)
def test_same_site(listed: str, reached: str, *, same: bool) -> None:
    """The registrable domain by the public suffix list decides; a host without one is a site of its own, ports aside."""
    with contextlib.nullcontext() if same else pytest.raises(Ended, match="another site"):
        stay(listed, reached)
