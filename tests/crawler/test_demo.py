"""The demo site stands on its own: every page and file comes from the package, nothing from anywhere else."""

from __future__ import annotations

import re
import socket
import threading
import urllib.error
import urllib.request

import pytest
from lxml import html

from crawler.demo import PAGES
from crawler.demo.boards import BOARDS, board
from crawler.demo.server import serve, site
from domain.text import materially_disagree


def test_every_page_is_served_and_nothing_outlives_the_server() -> None:
    """All listed pages are there, other paths are 404, and no thread is left."""
    before = threading.active_count()
    with serve() as base:
        for page in PAGES:
            with urllib.request.urlopen(base + page, timeout=30) as answer:  # noqa: S310 - loopback only
                assert b"Tidemark" in answer.read()
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(base + "/../server.py", timeout=30)  # noqa: S310 - loopback only
        with caught.value:
            assert caught.value.code == 404
    assert threading.active_count() == before


def test_the_address_stays_where_it_can() -> None:
    """What is found is filed under it. Several at once have one each, and whoever must have a port hears that it is taken."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for _ in range(2):
        with serve(rather=port) as one:
            assert one == f"http://127.0.0.1:{port}"
            with serve(rather=port) as other, serve(rather=port) as third:
                assert len({one, other, third}) == 3
                for base in (one, other, third):
                    with urllib.request.urlopen(base + PAGES[0], timeout=30) as answer:  # noqa: S310 - loopback only
                        assert answer.status == 200
            with pytest.raises(OSError, match="in use"), serve(port=port):
                pass


def test_nothing_is_fetched_from_elsewhere() -> None:
    """No file of the site names another host, and all that a page asks for is served."""
    files = site()
    for kind, content in files.values():
        text = content.decode()
        assert "http:" not in text
        assert "https:" not in text
        if kind.startswith("text/html"):
            asked = re.findall(r'(?:src|href)="([^"#:]+)"', text)
            assert [name for name in asked if f"/{name.lstrip('/')}" not in files] == []


def test_boards_hold_what_they_say() -> None:
    """Each board has fifteen names with another's title, nine buttons named for another thing, and ten prices that move."""
    for number in range(1, len(BOARDS) + 1):
        page = html.fromstring(board(number))
        spans, buttons = page.xpath("//td/span[@title]"), page.xpath("//button")
        assert len(spans) == 15
        assert all(materially_disagree(span.get("title"), span.text) for span in spans)
        assert sum(materially_disagree(button.get("aria-label"), button.text) for button in buttons) == 9
        assert len(page.xpath("//td[@data-step]")) == 10
        assert len(set(page.xpath("//@id"))) == len(page.xpath("//@id"))
