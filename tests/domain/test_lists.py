"""Lists that were put in another order: which of their changed cells are stale values, and which belong to another record."""

from __future__ import annotations

from collections.abc import Sequence

from tests.domain.made import Raw, capture, element, told

Row = tuple[str, str, str]


def table(rows: Sequence[Row]) -> list[Raw]:
    """Cells of a table as a reading has them, known by their place: a browser keeps the cells and changes their texts."""
    cells = []
    for r, row in enumerate(rows, 1):
        for c, text in enumerate(row, 1):
            path = f"html > body > table > tbody > tr:nth-child({r}) > td:nth-child({c})"
            cells.append(element(text, "td", name=f"r{r}c{c}", key=10 * r + c, path=path))
    return cells


def stale(before: Sequence[Row], now: Sequence[Row]) -> dict[str, str]:
    """Element id -> what stale says, of the cells whose text changed."""
    found = told(capture(table(before), table(now)), "stale")
    return {name: said for name, said in found.items() if said != "clean: agree"}


def test_a_new_process_in_a_sorted_list_is_no_stale_value() -> None:
    """Rows one to three changed places; the fourth shows a process that was not in the list, by the name of another one."""
    before = [("2062", "chromium", "22.2"), ("2018", "node", "19.1"), ("1895", "python", "6.4"), ("574", "chromium", "4.9")]
    now = [("1895", "python", "30.1"), ("2062", "chromium", "19.9"), ("2018", "node", "18.3"), ("4903", "chromium", "4.2")]
    found = stale(before, now)
    assert found
    assert set(found.values()) == {"review: shifted"}
    assert {"r4c1", "r4c3"} <= found.keys()


def test_a_row_that_stayed_is_known_by_what_it_alone_says() -> None:
    """Two rows changed places; the third kept its name, which no other row has: its value is stale."""
    before = [("2062", "alpha", "22.2"), ("2018", "beta", "19.1"), ("1895", "gamma", "6.4")]
    now = [("2018", "beta", "19.1"), ("2062", "alpha", "22.2"), ("1895", "gamma", "7.7")]
    found = stale(before, now)
    assert found.pop("r3c3") == "flagged: disagree"
    assert set(found.values()) == {"review: shifted"}


def test_a_list_in_its_order_has_stale_values() -> None:
    """No row moved: every changed number is a stale value, though rows have no name of their own."""
    before = [("cpu", "node", "22.2"), ("mem", "node", "19.1"), ("net", "node", "6.4")]
    now = [("cpu", "node", "23.0"), ("mem", "node", "17.5"), ("net", "node", "8.8")]
    assert stale(before, now) == dict.fromkeys(("r1c3", "r2c3", "r3c3"), "flagged: disagree")


def test_a_window_that_jumps_shows_other_records() -> None:
    """A virtual list at "Record 1" to "Record 4" is scrolled by a script to "Record 101" to "Record 104": no row is stale."""
    before = [(f"Record {n}", "harbour", f"{7 * n % 10}.5") for n in range(1, 5)]
    now = [(f"Record {n}", "harbour", f"{7 * n % 10 + 20}.5") for n in range(101, 105)]
    assert set(stale(before, now).values()) == {"review: shifted"}


def test_counters_side_by_side_are_no_window() -> None:
    """Four counters that all went on by one, or count down, are values: they are not numbered from row to row."""
    before = [("open", "desk", "17 waiting"), ("open", "till", "4 waiting"), ("open", "gate", "31 waiting")]
    now = [("open", "desk", "18 waiting"), ("open", "till", "5 waiting"), ("open", "gate", "32 waiting")]
    assert stale(before, now) == dict.fromkeys(("r1c3", "r2c3", "r3c3"), "flagged: disagree")
