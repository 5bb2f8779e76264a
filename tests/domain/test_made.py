"""Pages of the crawler's own machine are called made."""

from __future__ import annotations

import pytest

from domain.made import own_machine


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("http://127.0.0.1:8000/x", True),
        ("http://127.9.9.9/", True),
        ("http://[::1]:80/", True),
        ("https://localhost/", True),
        ("http://shop.localhost:8000/", True),
        ("https://localhost.example/", False),
        ("https://example.com/?to=127.0.0.1", False),
        ("http://192.168.0.1/", False),  # a neighbour's page, not ours
        ("http://[broken/", False),
        ("about:blank", False),
    ],
)
def test_a_page_is_made_where_its_host_is_this_machine(url: str, own: bool):
    """Loopback addresses and names, nothing else."""
    assert own_machine(url) is own
