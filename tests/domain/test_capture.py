"""Captures: which element of one reading is which of another, what moved, what held still."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.capture import Capture, pairs
from domain.divergence import detect
from tests.domain.made import Raw, capture, control, element, one, reading, told


def rows(*texts: tuple[str, ...], key: int = 100, tag: str = "tr") -> list[Raw]:
    """Rows of cells, all in the same nodes: row r, column c is always the same node at the same place."""
    inside = "td" if tag == "tr" else "span"
    return [
        element(
            text,
            inside,
            name=f"r{r}c{c}",
            key=key + 10 * r + c,
            path=f"html > body > div > {tag}:nth-child({r + 1}) > {inside}:nth-child({c + 1})",
        )
        for r, row in enumerate(texts)
        for c, text in enumerate(row)
    ]


def flagged(found: Capture) -> set[str]:
    """Ids of the elements that stale flags."""
    return {name for name, said in told(found, "stale").items() if said.startswith("flagged")}


# Identity.


def test_the_same_node_is_itself() -> None:
    """A node that is still there is matched with itself, wherever it went."""
    before = [element("A", key=1, path="x"), element("Was 12", key=2, path="y", name="it")]
    now = [element("Is 13", key=2, path="x", name="it"), element("A", key=1, path="y")]
    assert one(capture([before[1]], [now[0]]), "stale").structural == "Was 12"
    assert told(capture(before, now), "stale")["it"] == "flagged: disagree"


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (element("101.25", "b", key=1, path="a > b", name="price"), element("101.50", "b", key=2, path="c > b", name="price")),
        (element("101.25", "b", key=1, path="a > b"), element("101.50", "b", key=2, path="a > b")),
    ],
    ids=["by id", "by place"],
)
def test_a_replaced_node_is_the_same_field(before: Raw, now: Raw) -> None:
    """A page that renders a field anew has the same field: known by its id attribute, else by its place."""
    finding = one(capture([before], [now]), "stale")
    assert (finding.verdict, finding.structural, finding.rendered) == ("flagged", "101.25", "101.50")
    (pair,) = pairs(capture([before], [now]))
    assert pair.replaced


def test_a_replaced_node_is_known_by_its_text() -> None:
    """Moved and replaced at once, with the same text: nothing is stale, and nothing appeared or went."""
    before = [element("Acme Corp", "b", key=1, path="a > b", class_="name")]
    now = [element("Acme Corp", "b", key=2, path="c > d > b", class_="name")]
    assert one(capture(before, now), "stale").verdict == "clean"


def test_a_replaced_node_with_the_same_text_is_not_stale() -> None:
    """An element replaced between the readings by one that shows the same is not stale."""
    before, now = element("101.25", key=1, path="p"), element("101.25", key=2, path="p")
    assert one(capture([before], [now]), "stale").verdict == "clean"


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (element("101.25", "b", key=1, path="a"), element("101.50", "i", key=2, path="a")),
        (element("101.25", "b", key=1, path="a", frame=0), element("101.50", "b", key=2, path="a", frame=1)),
        (element("101.25", "b", key=1, path="a", name="bid"), element("101.50", "b", key=2, path="a", name="ask")),
    ],
    ids=["another tag", "another frame", "another id"],
)
def test_another_thing_at_the_same_place(before: Raw, now: Raw) -> None:
    """A new node of another kind, frame or name at the same place is another field: one went, one appeared."""
    found = detect(capture([before], [now]))
    assert {f.reason for f in found if f.kind == "stale"} == {"appeared", "gone"}


def test_which_of_two_cannot_be_told() -> None:
    """Where two new nodes could be the one that is gone, none is taken for it."""
    before = [element("Acme", "b", key=1, path="a")]
    now = [element("Acme", "b", key=2, path="b"), element("Acme", "b", key=3, path="c")]
    assert Counter(f.reason for f in detect(capture(before, now)) if f.kind == "stale") == {"appeared": 2, "gone": 1}


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6))
def test_nothing_is_lost_or_counted_twice(both: int, only_served: int, only_shown: int) -> None:
    """Every element of both readings is in exactly one pair."""
    stay = [element("Stays", key=i, path=f"s{i}") for i in range(both)]
    go = [element(f"Went {i}", key=100 + i, path=f"g{i}") for i in range(only_served)]
    come = [element(f"Came {i}", "i", key=200 + i, path=f"c{i}") for i in range(only_shown)]
    found = pairs(capture(stay + go, stay + come))
    assert len(found) == both + only_served + only_shown
    assert Counter(id(pair.shown) for pair in found if pair.shown) == Counter(
        id(pair.shown) for pair in found[: both + only_shown]
    )
    assert sum(pair.serialized is not None for pair in found) == both + only_served
    assert {pair.element.key for pair in found} == {e["k"] for e in stay + go + come}


# The bracket.


@pytest.mark.parametrize(
    "again",
    [
        element("13:01", name="it"),
        element("13:00", name="it", box=(10, 12, 100, 20)),
        element("13:00", name="it", box=(10, 10, 102, 20)),
        element("13:00", name="it", box=None),
        element("13:00", name="it", unseen="clipped"),
    ],
    ids=["text", "place", "size", "no box", "hidden"],
)
def test_what_moved_around_the_picture_is_unsettled(again: Raw) -> None:
    """Text, place, size or visibility that changed while the picture was taken: nobody knows what the picture shows."""
    found = capture([element("12:59", name="it")], [element("13:00", name="it")], [again])
    assert told(found, "stale") == {"it": "skipped: unsettled"}


def test_gone_after_the_picture() -> None:
    """An element that is not there after the picture is unsettled too."""
    found = capture([element("12:59", name="it")], [element("13:00", name="it")], [])
    assert told(found, "stale") == {"it": "skipped: unsettled"}


def test_half_a_pixel_is_no_move() -> None:
    """Readings are rounded: up to half a pixel is the same place."""
    again = element("13:00", name="it", box=(10.5, 10, 100, 20))
    assert flagged(capture([element("12:59", name="it")], [element("13:00", name="it")], [again])) == {"it"}


def test_a_tick_counts_for_the_bracket() -> None:
    """A control whose state changed while the picture was taken is unsettled though its text is the same."""
    off = element("", "input", state=control("checked", served=True, live=False, type="checkbox"))
    on = element("", "input", state=control("checked", served=True, live=True, type="checkbox"))
    assert not pairs(capture([off], [off], [on]))[0].settled
    assert pairs(capture([off], [off], [off]))[0].settled


@given(st.randoms(use_true_random=False))
def test_order_of_the_reading_after_the_pixels(shuffle: random.Random) -> None:
    """In which order the second reading lists its elements makes no difference."""
    before, now = rows(("Oslo", "12"), ("Rome", "24")), rows(("Oslo", "13"), ("Rome", "24"))
    after = [*now[:-1], element("25", "td", name="r1c1", key=111, path=now[-1]["s"])]
    shuffle.shuffle(after)
    assert told(capture(before, now, after), "stale") == {
        "r0c0": "clean: agree",
        "r0c1": "flagged: disagree",
        "r1c0": "clean: agree",
        "r1c1": "skipped: unsettled",
    }


@given(st.randoms(use_true_random=False))
def test_order_of_the_served_reading(shuffle: random.Random) -> None:
    """In which order the structure lists its elements makes no difference to what is found of each."""
    before = [*rows(("Oslo", "12"), ("Rome", "24")), element("Old", "b", key=1, path="x", name="x")]
    now = [*rows(("Oslo", "13"), ("Rome", "24")), element("New", "b", key=2, path="x", name="x")]
    straight = told(capture(before, now), "stale")
    shuffle.shuffle(before)
    assert told(capture(before, now), "stale") == straight


# Lists that moved.


def test_one_value_in_a_table() -> None:
    """One value that changes in a table is stale, and nothing else in it."""
    before = rows(("Oslo", "12 \u00b0C"), ("Rome", "24 \u00b0C"), ("Cairo", "33 \u00b0C"))
    now = rows(("Oslo", "12 \u00b0C"), ("Rome", "25 \u00b0C"), ("Cairo", "33 \u00b0C"))
    assert flagged(capture(before, now)) == {"r1c1"}


def test_every_value_in_a_table() -> None:
    """A table of prices that all tick is stale in every price, and in no name."""
    names = ["Acme", "Bolt", "Core", "Dome", "Echo"]
    before = rows(*((name, f"{100 + 7 * i}.25") for i, name in enumerate(names)))
    now = rows(*((name, f"{100 + 7 * i}.75") for i, name in enumerate(names)))
    assert flagged(capture(before, now)) == {f"r{r}c1" for r in range(5)}


@pytest.mark.parametrize("tag", ["tr", "li", "div"])
@pytest.mark.parametrize("away", [1, 2])
def test_rows_that_were_removed(tag: str, away: int) -> None:
    """Where the first rows are gone and the rest moved up, no row is stale: each shows an old value in a new place."""
    table = [("Oslo", "12.1"), ("Rome", "24.2"), ("Cairo", "33.3"), ("Lima", "19.4"), ("Perth", "28.5"), ("Quito", "15.6")]
    before, now = rows(*table, tag=tag), rows(*table[away:], tag=tag)
    found = capture(before, now)
    assert flagged(found) == set()
    assert {f.reason for f in detect(found) if f.verdict == "review"} <= {"shifted", "another-record"}


@pytest.mark.parametrize("tag", ["tr", "li", "div"])
def test_a_row_that_was_put_on_top(tag: str) -> None:
    """Where a new row pushes the others down, none of the others is stale."""
    table = [("Oslo", "12.1"), ("Rome", "24.2"), ("Cairo", "33.3"), ("Lima", "19.4"), ("Perth", "28.5")]
    before, now = rows(*table, tag=tag), rows(("Nome", "-7.0"), *table, tag=tag)
    assert flagged(capture(before, now)) == set()


def test_a_virtual_list() -> None:
    """A list that recycles its nodes while it scrolls shows other records in the same nodes: none is stale."""
    before = rows(*((f"Message {i}", f"{i}:00") for i in range(10, 20)), tag="div")
    now = rows(*((f"Message {i}", f"{i}:00") for i in range(13, 23)), tag="div")
    assert flagged(capture(before, now)) == set()


def test_an_axis() -> None:
    """The ticks of a chart's axis that moved by one are old numbers in new places."""

    def axis(first: int) -> list[Raw]:
        return [
            element(str(first + 10 * i), "text", key=i, path=f"html > svg > g:nth-child({i + 1}) > text:nth-child(1)")
            for i in range(6)
        ]

    assert flagged(capture(axis(100), axis(110))) == set()


def test_two_rows_that_changed_places() -> None:
    """A ranking in which two changed places is not stale in either: they are other records now."""
    before = rows(("Oslo", "12.5"), ("Rome", "24.5"), ("Cairo", "33.5"))
    now = rows(("Rome", "24.5"), ("Oslo", "12.5"), ("Cairo", "33.5"))
    assert flagged(capture(before, now)) == set()


def test_a_row_of_another_record() -> None:
    """A row that begins with another name now shows another record; the rows beside it are stale as ever."""
    before = rows(("Oslo", "12.5"), ("Rome", "24.5"), ("Cairo", "33.5"))
    now = rows(("Nome", "-7.5"), ("Rome", "25.5"), ("Cairo", "33.5"))
    found = capture(before, now)
    assert flagged(found) == {"r1c1"}
    assert told(found, "stale")["r0c1"] == "review: another-record"


def test_a_row_named_further_on() -> None:
    """A row that begins with a number is known by the first words in it."""
    before = rows(("1", "Oslo", "12.5"), ("2", "Rome", "24.5"))
    now = rows(("1", "Oslo", "13.5"), ("2", "Nome", "-7.5"))
    found = capture(before, now)
    assert flagged(found) == {"r0c2"}
    assert told(found, "stale")["r1c2"] == "review: another-record"


def test_a_row_is_known_by_its_first_words() -> None:
    """A finding in a table row says what the row is known by, without numbers; outside of rows there is nothing to say."""
    before, now = (
        rows(("1", "Apple Inc 2", "182.30"), ("2", "Oslo", "7.10")),
        rows(("1", "Apple Inc 2", "182.40"), ("2", "Oslo", "7.10")),
    )
    found = [f for f in detect(capture([*before, element("1:02")], [*now, element("1:03")])) if f.verdict == "flagged"]
    assert [(f.rendered, f.row) for f in found] == [("182.40", "apple inc"), ("1:03", None)]


def test_numbers_beside_a_name_are_no_other_name() -> None:
    """ "Bids 12" and "Bids 13" are the same row."""
    assert flagged(capture(rows(("Bids 12", "55.10")), rows(("Bids 13", "55.25")))) == {"r0c0", "r0c1"}


@given(st.lists(st.integers(0, 999), min_size=2, max_size=8, unique=True), st.data())
def test_a_single_change_is_never_a_move(values: list[int], data: st.DataObject) -> None:
    """However a column looks, one cell that shows a value new to the page is stale."""
    names = ["Acme", "Bolt", "Core", "Dome", "Echo", "Flux", "Gale", "Halo"]
    i = data.draw(st.integers(0, len(values) - 1))
    before = rows(*((names[r], f"{value}.25") for r, value in enumerate(values)))
    now = rows(*((names[r], "1234.75" if r == i else f"{value}.25") for r, value in enumerate(values)))
    assert flagged(capture(before, now)) == {f"r{i}c1"}


def test_inner_pairs_are_those_inside() -> None:
    """A pair knows the pairs directly inside it."""
    found = pairs(Capture(reading(), reading(element("a"), element("b", parent=0), element("c", parent=1)), reading()))
    assert [len(pair.inner) for pair in found] == [1, 1, 0]
    assert found[0].inner[0] is found[1]


def table(*rows: tuple[str, ...]) -> list[Raw]:
    """A table whose cells are elements of their own: same nodes, new texts."""
    return [
        element(text, "td", name=f"r{i}c{j}", key=100 * i + j, path=f"table > tbody > tr:nth-child({i}) > td:nth-child({j})")
        for i, row in enumerate(rows, 1)
        for j, text in enumerate(row, 1)
    ]  # fmt: skip


def test_rows_sorted_anew() -> None:
    """A process list sorted anew: rows that hold other processes now are no stale values; a row that stayed still can be."""
    before = table(("2.1%", "root", "4711"), ("1.0%", "root", "4712"), ("0.4%", "root", "4713"), ("0.1%", "root", "4714"))
    now = table(("3.0%", "root", "4712"), ("2.2%", "root", "4711"), ("0.6%", "root", "4713"), ("0.1%", "root", "4714"))
    found = told(capture(before, now), "stale")
    assert {found[i] for i in ("r1c1", "r1c3", "r2c1", "r2c3")} == {"review: shifted"}
    assert found["r3c1"] == "flagged: disagree"
    assert found["r4c1"] == found["r1c2"] == "clean: agree"


def test_values_that_many_cells_have_are_no_move() -> None:
    """Two shops close: that other shops were closed before says nothing of a move."""
    words = ["Open", "Open", "Open", "Closed", "Closed", "Open"]
    later = ["Open", "Closed", "Open", "Closed", "Closed", "Closed"]
    shops = ["Arne", "Bela", "Cleo", "Dora", "Egon", "Fred"]
    found = told(capture(table(*zip(shops, words, strict=True)), table(*zip(shops, later, strict=True))), "stale")
    assert {i for i, said in found.items() if said == "flagged: disagree"} == {"r2c2", "r6c2"}


def test_a_row_of_one_text_is_its_value() -> None:
    """A list item that holds nothing but its state has no name by which to be another record."""
    path = "ul > li:nth-child(1)"
    found = told(capture([element("Online", "li", path=path)], [element("Offline", "li", path=path)]), "stale")
    assert found == {path: "flagged: disagree"}


def test_unseen_at_first_is_not_gone() -> None:
    """The readings around the pixels leave out what is far away or not drawn: such elements are skipped as what they were."""
    for why in ("off-viewport", "not-rendered", "hidden"):
        far = element("Price 12", name="far", unseen=why, aria_label="Other")
        found = capture([far, element("here", name="here")], [element("here", name="here", key=2)])
        assert told(found, "stale")["far"] == told(found, "aria")["far"] == f"skipped: {why}"
