"""Every page that people open, with an address of it at which there is something. A test tells which page is not here.

A new page adds its line; what it needs is in tests/api/stocked.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.api.stocked import Stocked


class Seen(NamedTuple):
    """One address of a page."""

    address: Callable[[Stocked], str]
    sign: str
    """What is to be seen once the page is drawn: a selector. An empty page has no faults either."""
    enough: str = ""
    """Of panels that are many and drawn alike, those to be looked at, with all folds open; empty: all. All take a minute."""


def at(address: str, sign: str, enough: str = "") -> Seen:
    """An address that is the same whatever is stored."""
    return Seen(lambda _: address, sign, enough)


PAGES: dict[str, tuple[Seen, ...]] = {
    "/pages/probes": (
        at("/pages/probes", ".card .values"),
        at("/pages/probes?kind=aria&site=shop&limit=1", ".card .values"),
        at("/pages/probes?text=nowhere", ".empty"),
    ),
    "/pages/divergences": (
        at("/pages/divergences", ".card .values"),
        at("/pages/divergences?verdict=review", ".card .values"),
    ),
    "/pages/probes/{id}": (
        Seen(lambda made: f"/pages/probes/{made.probes['shop'][0].id}", ".shot img"),
        Seen(lambda made: f"/pages/probes/{made.probes['evil'][0].id}", ".side-by .values"),
        Seen(lambda made: f"/pages/probes/{made.probes['mind2web'][0].id}", ".nopicture"),
        at("/pages/probes/web-natural-none", ".lead"),
    ),
    "/pages/divergences/{id}": (Seen(lambda made: f"/pages/divergences/{made.divergences['shop'][0]}", ".shot img"),),
    "/pages/sites": (at("/pages/sites", "tbody tr"),),
    "/pages/sites/{name}": (at("/pages/sites/shop", ".figures"), at("/pages/sites/evil", ".figures")),
    "/pages/sites/{name}/visits": (at("/pages/sites/shop/visits", "tbody tr"),),
    "/pages/crawl": (at("/pages/crawl", "#newest tbody tr"),),
    "/pages/releases": (at("/pages/releases", "tbody tr"),),
    "/pages/releases/{name}": (
        Seen(lambda made: f"/pages/releases/{made.release}", "#files"),
        at("/pages/releases/none", ".lead"),
    ),
    "/audit": (at("/audit", "#sign-form"),),
    "/docs": (at("/docs", "#element_history tbody tr", "#add_takedown, #element_history"),),
    "/docs/records": (at("/docs/records", "#Probe tbody tr", "#Probe, #Problem"),),
}
"""Path of the route -> what is looked at there."""
