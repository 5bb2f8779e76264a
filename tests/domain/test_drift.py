"""When texts first differed: courses and tallies worked out by hand from readings made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from domain.drift import Course, Tally, course, parse, tallies
from domain.errors import BadInput
from tests.domain.made import control, element, reading

MOMENTS = (500, 1000, 2000, 3000, 5000, 10_000)


def readings(*changed: dict[int, str], watched: int = 3, gone: int = 0, more: int = 0) -> dict[str, Any]:
    """An artifact with one reading at each of the moments, the last one frozen."""
    return {
        "version": 1,
        "readings": [
            {
                "after_ms": ms,
                "frozen": i == len(changed) - 1,
                "watched": watched,
                "gone": gone,
                "changed": [[key, text] for key, text in now.items()],
                "changedMore": more,
            }
            for i, (ms, now) in enumerate(zip(MOMENTS, changed, strict=False))
        ],
    }


SERVED = reading(element("12:00", name="clock"), element("Loading", name="late"), element("Imprint", name="still"))


def one(*texts: str | None) -> Course:
    """The course of the first element, which held these texts at the moments; None for that of S0."""
    kept = parse(readings(*({1: text} if text else {} for text in texts)))
    return course(SERVED.elements[0], kept)


def test_a_change_lies_between_two_readings() -> None:
    """Same at 0.5 and 1 s, another at 2 s: it changed after 1 s and not after 2 s, whatever came later."""
    it = one(None, None, "12:01", "12:01", "12:02", "12:02")
    assert (it.last_same_ms, it.first_differ_ms) == (1000, 2000)
    assert it.values == ("12:01", "12:02")
    assert not it.returned


def test_a_change_before_the_first_reading() -> None:
    """S0 itself is the last reading with its text."""
    it = one("12:01", "12:01")
    assert (it.last_same_ms, it.first_differ_ms) == (0, 500)


def test_a_text_that_comes_back() -> None:
    """Another at 1 s, that of S0 at 2 s, a third at 3 s: it came back, and its first change is the first one."""
    it = one(None, "12:01", None, "12:02")
    assert it.returned
    assert (it.last_same_ms, it.first_differ_ms, it.values) == (500, 1000, ("12:01", "12:02"))
    assert it.steps == ((0, 500, False), (500, 1000, True), (1000, 2000, True), (2000, 3000, True))


def test_no_change() -> None:
    """An element that held its text has no first change, and was the same at the last reading."""
    it = one(None, None, None)
    assert (it.last_same_ms, it.first_differ_ms, it.values, it.returned) == (2000, None, (), False)


def test_a_cut_list_says_nothing_of_what_it_leaves_out() -> None:
    """Where a reading names only some of those that differ, an element that it does not name may differ too."""
    kept = parse(readings({}, {2: "x"}, {}, more=0))
    assert course(SERVED.elements[0], kept).moments == (500, 1000, 2000)
    kept = parse(readings({1: "12:01"}, {2: "x"}, {1: "12:02"}, more=4))
    assert course(SERVED.elements[0], kept).moments == (500, 2000)


def test_stale_now_and_ever() -> None:
    """The clock differs at 0.5 s and is back at 1 s, when the late text has come: 1, 1 stale and 1, 2 ever, of 3."""
    found, courses = tallies(parse(readings({1: "12:01"}, {2: "News"}, gone=1)), SERVED)
    assert found == (Tally(500, 3, 1, 1, 0, 1), Tally(1000, 3, 1, 2, 0, 1))
    assert [(c.element.element_id, c.first_differ_ms) for c in courses] == [("clock", 500), ("late", 1000)]


def test_those_beyond_the_list_count() -> None:
    """2 named and 5 more are 7 that differ; at least 7 ever did."""
    found, _ = tallies(parse(readings({1: "a", 2: "b"}, watched=40, more=5)), SERVED)
    assert (found[0].stale, found[0].ever) == (7, 7)


def test_an_element_at_two_scroll_positions_counts_once() -> None:
    """The clock, counted by the capture of the first position, is neither watched nor stale in that of the second."""
    found, courses = tallies(parse(readings({1: "12:01", 2: "News"})), SERVED, counted={1})
    assert (found[0].watched, found[0].stale) == (2, 1)
    assert [c.element.element_id for c in courses] == ["late"]


def row(number: int, text: str) -> dict[str, Any]:
    return element(text, "li", path=f"html > body > ul:nth-child(1) > li:nth-child({number})")


def test_a_list_that_moves_is_not_stale() -> None:
    """Four headlines move down by one and a new one comes first: three texts are old ones in new places, one is new."""
    served = reading(row(1, "Alpha wins"), row(2, "Beta falls"), row(3, "Gamma rises"), row(4, "Delta waits"))
    moved = {1: "Epsilon is new", 2: "Alpha wins", 3: "Beta falls", 4: "Gamma rises"}
    found, courses = tallies(parse(readings(moved, watched=4)), served)
    assert (found[0].stale, found[0].ever, found[0].moved) == (0, 0, 4)
    assert courses == ()


def test_counters_in_a_list_are_stale() -> None:
    """Three prices that change where they are did not move: all are stale."""
    served = reading(row(1, "10.20"), row(2, "33.00"), row(3, "7.15"))
    found, _ = tallies(parse(readings({1: "10.25", 2: "33.10", 3: "7.05"})), served)
    assert (found[0].stale, found[0].moved) == (3, 0)


def test_an_artifact_of_another_version() -> None:
    """It is refused, not guessed at."""
    with pytest.raises(BadInput, match="version 2; known: 1"):
        parse({"version": 2, "readings": []})


def test_readings_come_by_time() -> None:
    """Whatever their order in the artifact; a field's state is watched as a text is."""
    raw = readings({}, {2: "new"})
    raw["readings"].reverse()
    assert [r.after_ms for r in parse(raw)] == [500, 1000]
    served = reading(element("Name", "p"), element("", "input", flags={}, state=control("value", None, "old")))
    _, courses = tallies(parse(raw), served)
    assert [c.values for c in courses] == [("new",)]
