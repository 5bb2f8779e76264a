"""The judgement on what was read. Readings are made by hand here; tests/channels/test_readers.py has real ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from domain.lookalikes import looks_like
from domain.pixel_check import REASONS, Line, judge

ROOT = Path(__file__).resolve().parents[2]
WORDS = st.text(st.characters(codec="latin-1", categories=("Lu", "Ll", "Nd")), min_size=1, max_size=12)
TEXTS = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


def line(text: str, confidence: float = 0.99, **unsure: float) -> Line:
    """A line, sure of all its characters but those named."""
    return Line(text, confidence, tuple(unsure.get(c, confidence) for c in text))


def reason(read: str, rendered: str, structural: str) -> str:
    return judge([line(read)], rendered, structural).reason


@given(TEXTS, TEXTS)
def test_the_rendered_value_is_confirmed(rendered: str, structural: str) -> None:
    """Reading exactly the rendered value confirms it, whatever else the structure says that looks different."""
    assume(not looks_like(rendered, structural))
    assert judge([line(rendered)], rendered, structural).verdict == "confirmed"


@given(TEXTS, TEXTS)
def test_the_structural_value_is_never_confirmed(rendered: str, structural: str) -> None:
    """Reading exactly the structural value never confirms the other; where they look different it contradicts it."""
    assume(rendered != structural)
    verdict = judge([line(structural)], rendered, structural).verdict
    assert verdict != "confirmed"
    if not looks_like(rendered, structural):
        assert verdict == "contradicted"


@given(TEXTS, TEXTS, TEXTS)
def test_one_reading_never_confirms_both(read: str, one: str, other: str) -> None:
    """Rendered and structural exchanged: at most one of the two is confirmed by a reading."""
    verdicts = [judge([line(read)], one, other).verdict, judge([line(read)], other, one).verdict]
    assert verdicts.count("confirmed") <= 1


@given(st.integers(0, 10**6), st.integers(0, 9), st.data())
def test_a_digit_decides(number: int, digit: int, data: st.DataObject) -> None:
    """A number read surely is confirmed as itself and never as one that differs by a digit, however far the structure's is."""
    text = f"{number:,}"
    place = data.draw(st.sampled_from([i for i, c in enumerate(text) if c.isdigit()]))
    other = text[:place] + str(digit) + text[place + 1 :]
    assume(other != text)
    assert judge([line(text)], text, other).verdict == "confirmed"
    assert judge([line(text)], other, text).verdict == "contradicted"
    assert judge([line(text)], other, "Out of stock").verdict == "contradicted"


@pytest.mark.parametrize(
    ("read", "rendered", "structural", "expected"),
    [
        ("Add to cart", "Add to cart", "Buy", "same"),
        ("ADD TOCART", "Add to cart", "Buy", "alike"),
        ("l0:4O", "10:40", "10:45", "alike"),
        ("17:08", "17:03", "17:08", "structural"),
        ("17:08", "17:03", "16:59", "other-text"),
        ("Checkout now please", "Sign in", "Log in", "other-text"),
        ("Ano nuevo", "Año nuevo", "Ano nuevo", "structural"),
        ("Ano nuevo", "Año nuevo", "Old year", "alike"),
        ("Terms and conditi…", "Terms and conditions of use…", "Privacy", "part"),
        ("Terms and cond...", "Terms and conditions of use", "Privacy", "part"),
        ("…/plans/report.txt", "…e/plans/report.txt", "Open the report", "part"),
        ("…/plans/report.txt", "…e/plans/report.txt", "home/plans/report.txt", "unsure"),
        ("home/…/report.txt", "home/…/report.txt", "Open the report", "same"),
        ("Te…", "Terms and conditions of use…", "Privacy", "unsure"),
        ("Terms and cond…", "Terms and conditions of use…", "Terms and conditions apply", "unsure"),
        ("| 5 items", "5 items", "9 things", "alike"),
        ("7 5 items", "5 items", "9 things", "beside"),
        ("75 items", "5 items", "9 things", "other-text"),
        ("1,234", "1,234", "1.234", "same"),
        ("I", "l", "I", "undecided"),
        ("", "Buy", "Sell", "nothing-read"),
    ],
)
def test_reasons(read: str, rendered: str, structural: str, expected: str) -> None:
    """What each reason is for, by example; the verdict is the reason's own."""
    said = judge([line(read)], rendered, structural)
    assert said == (REASONS[expected], expected)


def test_lines_are_read_as_one_text() -> None:
    """A value on three lines is the value."""
    read = [line("The quick brown"), line("fox jumps over"), line("the lazy dog")]
    assert judge(read, "The quick brown fox jumps over the lazy dog", "A fox").reason == "same"


def test_unsure_reading_tells_nothing() -> None:
    """A line that is noise by the reader's own word is unreadable, even where its letters happen to be the value."""
    assert judge([line("Buy", 0.3)], "Buy", "Sell") == ("unreadable", "unsure")
    assert judge([line("17:03", **{"3": 0.4})], "17:03", "17:08") == ("unreadable", "unsure")
    assert judge([line("17:08", **{"8": 0.4})], "17:03", "17:08") == ("unreadable", "unsure")


def test_one_unsure_letter_in_a_long_text() -> None:
    """A long text with one letter misread unsurely is confirmed against one far from it, not against one a letter away."""
    rendered = "Region payment terms basket global"
    read = [line("Region payment lerms basket global"), line("")]
    unsure = [Line(read[0].text, 0.98, tuple(0.6 if i == 15 else 0.99 for i in range(len(read[0].text))))]
    assert judge(unsure, rendered, "Something else altogether").reason == "near"
    assert judge(unsure, rendered, "Region payment germs basket global").reason == "unsure"
    assert judge(read, rendered, "Something else altogether").reason == "unsure"


def test_a_reader_without_confidence_by_character() -> None:
    """A reader that tells only of whole lines is judged by those."""
    assert judge([Line("17:03", 0.95)], "17:03", "17:08").verdict == "confirmed"
    assert judge([Line("17:08", 0.95)], "17:03", "17:08").verdict == "contradicted"
    assert judge([Line("17:08", 0.55)], "17:03", "17:08").verdict == "unreadable"


def test_every_reason_is_described() -> None:
    """docs/pixel-check.md has a line for each reason, in the section of its verdict."""
    page = (ROOT / "docs/pixel-check.md").read_text(encoding="utf-8")
    for verdict in ("confirmed", "contradicted", "unreadable"):
        section = page.split(f"### {verdict}\n")[1].split("\n### ")[0].split("\n## ")[0]
        lost = [name for name, its in REASONS.items() if its == verdict and f"| `{name}` |" not in section]
        assert not lost, f"docs/pixel-check.md, {verdict}: no line for {', '.join(lost)}"
