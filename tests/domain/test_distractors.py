"""A text is swapped for another of its page that is of the same broad type and plainly something else."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.distractors import PATTERNS, choose, type_of
from domain.text import materially_disagree, normalize

TYPES = {
    "number": [
        "7", "1,234", "1.234,56", "1 234,56", "1\u202f234,56", "1\u00a0234", "1'234.56", "12,34,567", "-3.2", "\u22123,2", ".5",
        "\u0661\u066c\u0662\u0663\u0664", "\u0967,\u0968\u0969\u096a", "1.2k", "3 million", "(8)", "#42", "2023", "14.30",
    ],
    "price": [
        "$19.99", "\u20ac 1.234,56", "1\u00a0234,56 \u20ac", "US$ 20", "20 USD", "\u00a51,200", "1,200\u5186", "20,- \u20ac",
        "R$ 12,90", "-$5.00", "$10 - $20", "$5 / month", "12 kr", "\u20b912,34,567", "CHF 1'234.50", "499 z\u0142",
    ],
    "percentage": ["12 %", "12,5%", "%12", "\u066a\u0661\u0662", "+0.42%", "-1.07%", "\u22121,07\u00a0%", "5\u2030"],
    "date": [
        "2024-03-14", "14/03/2024", "14.03.2024", "3/14/24", "14 March 2024", "March 14, 2024", "Mar 14", "14. M\u00e4rz 2024",
        "14 mars 2024", "14 de marzo de 2024", "2024\u5e743\u670814\u65e5", "Thu Apr 13 2023", "May 5", "Wednesday, 1st of May",
        "May 3 - May 7, 2024",
    ],
    "time": [
        "14:03", "14:03:27", "2:30 pm", "2 PM", "14h30", "14.30 Uhr", "9:00 - 17:00", "9:00 AM\u20135:00 PM",
        "14\u664230\u5206", "12:00 UTC",
    ],
    "e-mail": ["mara.quist@office7.example", "a@b.example", "mailto:a@b.example"],
    "url": ["https://x.example/a?b=1", "www.example.com", "example.com/path", "shop.example"],
    "short-label": ["Sign in", "Add to cart", "May", "Press.", "3 items", "21st", "v1.2.3", "\u304a\u77e5\u3089\u305b"],
    "phrase": ["Learn something new today", "\u4eca\u3059\u3050\u8cfc\u5165\u3057\u3066\u9001\u6599\u7121\u6599"],
    "sentence": [
        "How much is custom cabinetry?", "Get the app. Get things done.",
        "\u4eca\u65e5\u306f\u5929\u6c17\u304c\u3044\u3044\u3002", "one two three four five six seven eight nine ten eleven",
    ],
}  # fmt: skip
ALL = [(text, name) for name, texts in TYPES.items() for text in texts]


@pytest.mark.parametrize(("text", "name"), ALL)
def test_each_type_is_told_in_the_forms_of_several_languages(text: str, name: str) -> None:
    """Grouping by point, comma, blank, apostrophe; digits of other scripts; signs before or behind."""
    assert type_of(text) == name


def test_every_type_has_examples_and_what_is_no_text_has_no_type() -> None:
    """All patterns and the three kinds of words are above."""
    assert {*TYPES} == {name for name, _ in PATTERNS} | {"short-label", "phrase", "sentence"}
    for text in ("", " ", "\u2192", "...", "\U0001f600"):
        assert type_of(text) is None


def test_another_string_of_the_same_type_is_chosen() -> None:
    """Of everything on the page the one other price, the one other date."""
    page = [text for text, _ in ALL]
    assert choose("$24.50", ["$24.50", "7", "Sign in", "12 %", "$31.00"], seed=1, key="n") == "$31.00"
    assert choose("1 May 2024", ["1.5.24 was a day", "14 March 2023", "14:03"], seed=1, key="n") == "14 March 2023"
    for text, name in ALL:
        found = choose(text, page, seed=1, key="n")
        assert found is None or (type_of(found) == name and found != text)


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("Sign in", ["SIGN IN", "sign\u00a0in", "Sign in now"]),  # the same, the same, and one that holds it
        ("Reservations", ["Reservation"]),  # held in characters, though not in words
        ("1,234", ["1234", "1.234"]),  # the same number in another form
        ("O0O", ["OOO"]),  # no reader tells them apart
        ("$5", []),
        ("\u2192", ["\u2190"]),  # no type
    ],
)
def test_nothing_is_chosen_where_all_others_say_the_same(text: str, others: list[str]) -> None:
    """By hand, each for its own reason."""
    assert choose(text, others, seed=1, key="n") is None


def test_a_similar_length_comes_first() -> None:
    """12 characters against 10 (a sixth shorter), 7 (five twelfths) and 20 (two fifths): the first band holds one alone."""
    far = ["Account", "Customer help centre"]
    assert choose("Your profile", [*far, "Directions"], seed=3, key="k") == "Directions"
    assert choose("Your profile", far, seed=3, key="k") in far


def test_order_and_repetition_do_not_count_but_seed_and_key_do() -> None:
    """The same set of strings gives the same answer however it is shuffled; ten of a length are taken in turn."""
    others = ["Alpha", "Bravo", "Delta", "Gamma", "Hotel", "India", "Kilos", "Limas", "Oscar", "Romeo"]
    first = choose("Tango", others, seed=7, key="k")
    for n in range(20):
        mixed = others * 2
        random.Random(n).shuffle(mixed)  # noqa: S311 - no secret
        assert choose("Tango", mixed, seed=7, key="k") == first
    assert len({choose("Tango", others, seed=n, key="k") for n in range(40)}) > 5
    assert len({choose("Tango", others, seed=7, key=str(n)) for n in range(40)}) > 5


def test_the_choice_is_the_same_on_every_machine() -> None:
    """Worked out once; a change of it changes every release."""
    assert choose("Tango", ["Alpha", "Bravo", "Delta", "Gamma", "Hotel"], seed=7, key="k") == "Gamma"


@given(st.text(max_size=30), st.lists(st.text(max_size=30), max_size=8))
def test_what_is_chosen_is_never_the_same_nor_contained(text: str, others: list[str]) -> None:
    """For any strings at all."""
    found = choose(text, others, seed=1, key="k")
    if found is not None:
        assert found in others
        assert normalize(found) != normalize(text)
        assert materially_disagree(found, text)
        assert materially_disagree(text, found, "paper")


def test_long_texts_take_no_time() -> None:
    """Text made to be read in many ways: each answer comes from one pass (else this would take years)."""
    assert type_of("mar " * 20_000 + "1") == "sentence"
    assert type_of("mar " * 19 + "!") == "sentence"
    assert type_of("a." * 20_000 + "x") == "short-label"
