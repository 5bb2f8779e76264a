"""aria: the name spoken for an element against the text it shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.capture import LINE_LIMIT, AccessibleName
from domain.divergence import Finding
from domain.text import PolicyName
from tests.domain.made import capture, changed, control, element, one, told


def labelled(text: str, label: str, tag: str = "button", **other: Any) -> str:
    """What aria says of a labelled element on a page that stands still."""
    finding = one(capture([element(text, tag, aria_label=label, **other)]), "aria")
    return f"{finding.verdict}: {finding.reason}"


def test_the_two_values() -> None:
    """The structural value is the label, the rendered one the text; grade and box come with them."""
    finding = one(capture([element("Add to cart", "button", name="buy", box=(1, 2, 3, 4), aria_label="Buy now")]), "aria")
    assert (finding.verdict, finding.structural, finding.rendered) == ("flagged", "Buy now", "Add to cart")
    assert (finding.grade, finding.element_id, finding.box) == ("disjoint", "buy", (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("text", "label", "verdict"),
    [
        ("Discover Italy", "Discover It", "flagged: disagree"),
        ("10", "1a", "flagged: disagree"),
        ("Details", "Branch Vienna", "flagged: disagree"),
        ("Close", "Close dialog", "clean: agree"),
        ("Open navigation menu", "Menu", "clean: agree"),
        ("Next...", "Next", "clean: agree"),
        ("Donau\u00addampf", "Donaudampf", "clean: agree"),
        ("foo\u200bbar", "foobar", "clean: agree"),
        ("1,234", "1234", "clean: format-only"),
        ("Quarterly rep\u2026", "Quarterly report 2024", "clean: agree"),
        ("Quarterly rep\u2026", "Annual report 2024", "flagged: disagree"),
        ("X", "Close", "review: too-short"),
        ("aA", "Text size", "review: too-short"),
        ("?", "Help", "review: symbols-only"),
        ("\U0001f50d", "Search", "review: symbols-only"),
        ("Search", "\U0001f50d", "review: symbols-only"),
        ("7", "Seven", "review: too-short"),
        ("17", "Seventeen", "flagged: disagree"),
        ("\u641c\u7d22", "\u8fd4\u56de", "flagged: disagree"),
        ("\u641c", "\u8fd4\u56de", "review: too-short"),
        ("Search", " \u200b", "skipped: blank-name"),
        ("Search", "", "skipped: blank-name"),
        ("", "Search", "skipped: no-text"),
    ],
)
def test_strings(text: str, label: str, verdict: str) -> None:
    """Whole words decide; symbols and single letters go to a person; an empty label names nothing."""
    assert labelled(text, label) == verdict


def test_an_icon_is_for_a_person() -> None:
    """Where an icon font draws the only text, nobody can tell from strings whether the picture means the label."""
    icon = element("", "button", aria_label="Remove", flags={"own": 1, "line": 1, "icons": 1})
    assert one(capture([icon]), "aria").verdict == "review"


@pytest.mark.parametrize(
    ("tag", "attributes", "verdict"),
    [
        ("button", {}, "flagged: disagree"),
        ("a", {"href": ""}, "flagged: disagree"),
        ("summary", {}, "flagged: disagree"),
        ("td", {}, "flagged: disagree"),
        ("div", {"role": "tab"}, "flagged: disagree"),
        ("span", {}, "flagged: disagree"),
        ("nav", {}, "skipped: names-a-group"),
        ("section", {}, "skipped: names-a-group"),
        ("ul", {}, "skipped: names-a-group"),
        ("button", {"role": "group"}, "skipped: names-a-group"),
        ("input", {}, "skipped: text-is-a-value"),
        ("div", {"role": "slider"}, "skipped: text-is-a-value"),
        ("button", {"aria_labelledby": "other"}, "skipped: labelled-by-another"),
        ("button", {"aria_labelledby": " "}, "flagged: disagree"),
    ],
)
def test_which_elements(tag: str, attributes: dict[str, str], verdict: str) -> None:
    """Only a name that is expected to repeat the text is held against it."""
    assert labelled("Add to cart", "Buy now", tag, **attributes) == verdict


def test_plain_elements_that_hold_more() -> None:
    """On a plain element that holds a control, several lines or a long text, a label names the whole of it."""
    for flags in ({"own": 1}, {"own": 1, "line": 1, "focusable": 1}):
        assert labelled("Add to cart", "Buy now", "div", flags=flags) == "skipped: names-a-group"
    assert labelled("x" * LINE_LIMIT, "Buy now", "div") == "flagged: disagree"
    assert labelled("x" * (LINE_LIMIT + 1), "Buy now", "div") == "skipped: names-a-group"


def test_the_name_came_or_went() -> None:
    """A name that was given or taken away during the visit is told, and not compared."""
    without, named = element("Add to cart", "button"), element("Add to cart", "button", aria_label="Buy now")
    assert one(capture([without], [named]), "aria").reason == "moved"
    assert one(capture([named], [without]), "aria").reason == "moved"


def test_without_a_label() -> None:
    """An element without the attribute is none of its business."""
    assert told(capture([element("Add to cart", "button", title="Buy now")]), "aria") == {}


def test_only_what_held_still() -> None:
    """Where text or label changed during the visit, the two were never shown and said at once: nothing is said of them."""
    assert one(changed("Add", "Remove", tag="button", aria_label="Buy now"), "aria").reason == "moved"
    relabelled = capture(
        [element("Add to cart", "button", aria_label="Buy now")], [element("Add to cart", "button", aria_label="Sell now")]
    )
    assert one(relabelled, "aria").reason == "moved"


def test_came_and_went() -> None:
    """An element that only one of the two channels has is told, and not compared."""
    button = element("Add to cart", "button", key=1, path="a", aria_label="Buy now")
    other = element("Back", key=2, path="b")
    assert one(capture([other], [other, button]), "aria").reason == "appeared"
    assert one(capture([button, other], [other]), "aria").reason == "gone"


def test_counters_are_for_a_person() -> None:
    """Digits of a CSS counter are on the screen and in no text: only a person can compare them."""
    flags = {"own": 1, "line": 1, "unknown": 1}
    assert labelled("Chapter", "Chapter 7", flags=flags) == "review: generated-counter"


def named(text: str, name: AccessibleName | None, policy: PolicyName = "tokens", tag: str = "button", **other: Any) -> Finding:
    """What aria says of an element whose name the browser told."""
    bare = capture([element(text, tag, key=1, **other)])
    return one(replace(bare, names={1: name} if name else {}), "aria", policy)


def test_named_by_another() -> None:
    """The browser tells what aria-labelledby comes to; its name is the structural value, and role and source are kept."""
    finding = named(
        "Buy now", AccessibleName("button", "Sell it", "aria-labelledby"), aria_labelledby="a", labelled_by="Sell it"
    )
    assert (finding.verdict, finding.structural, finding.sub_kind) == ("flagged", "Sell it", "aria-labelledby")
    assert (finding.role, finding.name, finding.name_source) == ("button", "Sell it", "aria-labelledby")


@pytest.mark.parametrize(
    ("held", "label", "said"),
    [
        ("Buy now and save", None, ("clean", "agree", "aria-labelledby")),
        ("Sell it", None, ("review", "name-unknown", "aria-labelledby")),
        ("Sell it", "Buy now", ("review", "name-unknown", "aria-labelledby")),
        ("", "Sell it", ("flagged", "disagree", "aria-label")),
        ("", "Buy now", ("clean", "agree", "aria-label")),
        ("", None, ("skipped", "blank-name", None)),
        (None, "Sell it", ("skipped", "labelled-by-another", None)),
    ],
)
def test_the_browser_was_not_asked(held: str | None, label: str | None, said: tuple[str, str, str | None]) -> None:
    """Then what the elements named hold stands in, and a person decides. Nothing there: the label counts."""
    attributes = {"aria_label": label} if label else {}
    finding = named("Buy now", None, aria_labelledby="a", labelled_by=held, **attributes)
    assert (finding.verdict, finding.reason, finding.sub_kind) == said


def test_a_broken_reference() -> None:
    """Where the browser took the name from the label, the label is what is compared; from the contents: nothing is."""
    fallen = AccessibleName("button", "Sell it", "aria-label")
    finding = named("Buy now", fallen, aria_labelledby="none", aria_label="Sell it", labelled_by="")
    assert (finding.verdict, finding.structural, finding.sub_kind) == ("flagged", "Sell it", "aria-label")
    contents = AccessibleName("button", "Buy now", "contents")
    assert named("Buy now", contents, aria_labelledby="none", labelled_by="").reason == "blank-name"


def test_what_names_it_changed() -> None:
    """A name that another element gave and that changed during the visit is told, and not compared."""
    before, after = (element("Buy now", "button", aria_labelledby="a", labelled_by=held) for held in ("Sell it", "Buy now"))
    assert one(capture([before], [after]), "aria").reason == "moved"


@pytest.mark.parametrize(
    ("text", "label", "said"),
    [
        ("Buy", "Buy now", "clean: agree"),
        ("Buy now", "Buy", "flagged: disagree"),
        ("1", "1a", "flagged: disagree"),
        ("OK", "Next", "flagged: disagree"),
        ("1,234", "1234", "flagged: disagree"),
        ("X", "Close", "clean: agree"),
        ("B", "Bold", "review: too-short"),
        ("\u00bb", "Next", "clean: symbols-only"),
        ("x Close", "Close", "review: symbol-beside-words"),
        ("Station Rd.", "Station Road", "review: expands-an-abbreviation"),
        ("Colour", "Color", "review: spelt-otherwise"),
        ("Buy", " ", "clean: agree"),
        ("Quarterly rep\u2026", "Quarterly report 2024", "clean: agree"),
    ],
)
def test_label_in_name(text: str, label: str, said: str) -> None:
    """Under this policy W3C's rule decides, word for word."""
    finding = named(text, None, "label-in-name", aria_label=label)
    assert f"{finding.verdict}: {finding.reason}" == said


@pytest.mark.parametrize(
    ("tag", "attributes", "flags", "said"),
    [
        ("h2", {}, {}, "skipped: not-a-widget"),
        ("span", {}, {}, "skipped: not-a-widget"),
        ("td", {"role": "gridcell"}, {}, "flagged: disagree"),
        ("nav", {}, {}, "skipped: names-a-group"),
        ("button", {}, {"meant": 1}, "clean: icon-font"),
        ("button", {}, {"unknown": 1}, "review: generated-counter"),
        ("button", {}, {"partial": 1}, "review: partly-visible"),
    ],
)
def test_where_the_rule_applies(tag: str, attributes: dict[str, str], flags: dict[str, int], said: str) -> None:
    """To widgets that are named from their contents, and to what they show as text."""
    flags = {"own": 1, "line": 1, **flags}
    finding = named("Buy", None, "label-in-name", tag, flags=flags, aria_label="Sell", **attributes)
    assert f"{finding.verdict}: {finding.reason}" == said


@pytest.mark.parametrize(("policy", "verdict"), [("tokens", "clean"), ("paper", "clean"), ("label-in-name", "flagged")])
def test_policies(policy: PolicyName, verdict: str) -> None:
    """A label that says less than the text agrees by containment and fails label in name (WCAG 2.5.3)."""
    found = capture([element("Open navigation menu", "button", aria_label="Menu")])
    assert one(found, "aria", policy).verdict == verdict


def test_a_value_that_was_entered() -> None:
    """What a person typed into a field is no label, and the field's name need not repeat it."""
    field = element("Vienna", "input", aria_label="City", state=control("value", None, "Vienna"))
    assert told(capture([field]), "aria") == {"html > body > input:nth-child(1)": "skipped: text-is-a-value"}
