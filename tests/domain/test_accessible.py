"""Whose accessible names are asked for."""

from __future__ import annotations

from domain.accessible import wanted
from tests.domain.made import control, element, reading


def test_the_most_needed_first() -> None:
    """What only the browser can tell, then what may disagree, then what may be stale; not what agrees, or is not seen."""
    before = reading(
        element("Buy now", "button", key=1, aria_label="Buy now"),
        element("Price", "span", key=2),
        element("Buy now", "button", key=3, aria_label="Sell it"),
        element("Buy now", "button", key=4, aria_labelledby="a"),
        element("yesterday", "time", key=5, title="28 November 2026"),
        element("13:00", "span", key=6),
        element("Buy now", "button", key=7, aria_label="Sell it", unseen="hidden"),
        element("All of it", "nav", key=8, aria_label="Topics"),
        element("", "button", key=9, aria_label="Search", flags={"icons": 1}),
        element("on", "input", key=10, state=control("checked", served=False, live=True)),
    )
    served = reading(*(element("12:59" if k == 6 else e.text, e.tag, key=k) for k, e in enumerate(before.elements, 1)))
    assert wanted(served, before) == [4, 3, 5, 9, 6, 10]
    assert wanted(served, before, 2) == [4, 3]
    assert wanted(before, before, 0) == []


def test_a_board_of_prices_is_asked_in_part() -> None:
    """Of a hundred texts that changed forty are asked; those that may decide something are asked before them."""
    buy = element("Buy", "button", key=101, title="Sell")
    before = reading(*(element(f"now {k}", "td", key=k) for k in range(1, 101)), buy)
    served = reading(*(element(f"then {k}", "td", key=k) for k in range(1, 101)), buy)
    assert wanted(served, before) == [101, *range(1, 41)]
