"""Which element a finding is of, over time: the same one keeps its name, another never gets it."""

from __future__ import annotations

from typing import Any

import pytest

from domain.divergence import Finding
from domain.identity import element_of, given_id, page_of
from store.clean import clean


def name(*, site: str = "shop", url: str = "https://shop.example/", **changes: Any) -> str:
    given: dict[str, Any] = {
        "path": "html > body > div:nth-child(3) > span:nth-child(1)",
        "kind": "stale",
        "verdict": "flagged",
        "reason": "disagree",
        "structural": "1.20",
        "rendered": "1.30",
    }
    return element_of(site, url, Finding(**(given | changes)))


def test_the_same_element_at_another_time() -> None:
    """Values, verdict, box and grade change; the element stays the same, on the same page, whatever the fragment."""
    again = name(
        structural="7.20", rendered="7.31", verdict="review", reason="shifted", box=(0.0, 0.0, 1.0, 1.0), grade="numeric",
        url="https://SHOP.example#top",
    )  # fmt: skip
    assert again == name()
    assert len(again) == 24


def test_another_element() -> None:
    """Another site, page, kind or place is another element."""
    names = [
        name(),
        name(site="news"),
        name(url="https://shop.example/?page=2"),
        name(url="https://shop.example/#/cart"),
        name(kind="state"),
        name(path="html > body > div:nth-child(4) > span:nth-child(1)"),
    ]
    assert len(set(names)) == len(names)


def test_an_id_is_a_name() -> None:
    """An element with an id that a person gave keeps its name wherever the page puts it and whatever it says."""
    here = name(element_id="last-price")
    assert name(element_id="last-price", path="html > body > p:nth-child(9) > span:nth-child(4)", structural="none yet") == here
    assert name(element_id="other-price") != here
    assert name(element_id="last-price", path="html > body > b:nth-child(9)") != here
    assert name(element_id="last-price", path="html > body > iframe:nth-child(9) >>> html > body > span:nth-child(4)") != here


@pytest.mark.parametrize(
    "made", [":r1:", ":ra:", "radix-:ra:", "react-aria-_r_a_", "ember1234", "w-k3j9x0", "4f1c9a", "x", "", "item-3", "a b"]
)
def test_an_id_made_anew_at_each_load_is_none(made: str) -> None:
    """An id with digits or of a framework's making may be another element's next time: place and words decide instead."""
    assert not given_id(made)
    assert name(element_id=made) == name(element_id="z9") == name()


@pytest.mark.parametrize("given", ["price", "last-price", "lastPrice", "form.total", "Größe", "цена"])
def test_an_id_that_a_person_gave(given: str) -> None:
    """Words in any script, with what joins them."""
    assert given_id(given)


def test_rows_that_move() -> None:
    """A cell is followed when its row moves, and is not taken for the cell that stands in its place then."""

    def cell(row: int, known_by: str, column: int = 2) -> str:
        return name(path=f"html > body > table:nth-child(1) > tr:nth-child({row}) > td:nth-child({column})", row=known_by)

    assert cell(3, "apple inc") == cell(7, "apple inc")
    assert cell(3, "apple inc") != cell(3, "oslo")
    assert cell(3, "apple inc") != cell(3, "apple inc", column=3)


def test_lists_of_anything_that_move() -> None:
    """Where a place holds other words at another time, it is another element: a headline, a label. Numbers do not count."""
    assert name(structural="Oslo wins") != name(structural="Rain again")
    assert name(structural="1,024 watching now") == name(structural="987 watching now")


def test_text_that_cannot_be_stored() -> None:
    """A value as the page had it and as the store gives it back name the same element."""
    for bad in ("\x00a", "\ud800", "a\udfff\x00"):
        stored = clean(bad)
        assert name(path=bad, structural=bad, row=bad) == name(path=stored, structural=stored, row=stored)
        assert name(path=bad, structural=bad) == name(path=stored, structural=stored)


def test_any_address() -> None:
    """Whatever was asked for is a page; a fragment is a place on it, unless it is a route."""
    assert page_of("https://[broken/#x") == "https://[broken/#x"
    assert page_of("https://A.example#x") == "https://a.example/"
    assert page_of("https://a.example/#!cart") == "https://a.example/#!cart"
    assert page_of("") == "/"
