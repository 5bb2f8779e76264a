"""Roles, against HTML-AAM 1.0 and the ARIA specification."""

from __future__ import annotations

import pytest

from domain.capture import AccessibleName
from domain.roles import ENTRY, FROM_CONTENT, PLAIN, WIDGETS, role_in, role_of
from tests.domain.made import element, reading

# HTML-AAM 1.0, "HTML Element Role Mappings". Elements without a role of their own there are generic here.
IMPLICIT = [
    ("a", {"href": ""}, "link"),
    ("a", {}, "generic"),
    ("address", {}, "group"),
    ("area", {"href": ""}, "link"),
    ("area", {}, "generic"),
    ("article", {}, "article"),
    ("aside", {}, "complementary"),
    ("b", {}, "generic"),
    ("button", {}, "button"),
    ("caption", {}, "caption"),
    ("code", {}, "code"),
    ("dd", {}, "definition"),
    ("del", {}, "deletion"),
    ("details", {}, "group"),
    ("dialog", {}, "dialog"),
    ("div", {}, "generic"),
    ("dfn", {}, "term"),
    ("dt", {}, "term"),
    ("em", {}, "emphasis"),
    ("fieldset", {}, "group"),
    ("figure", {}, "figure"),
    ("footer", {}, "contentinfo"),
    ("form", {}, "form"),
    ("h1", {}, "heading"),
    ("h6", {}, "heading"),
    ("header", {}, "banner"),
    ("i", {}, "generic"),
    ("img", {}, "img"),
    ("img", {"alt": ""}, "none"),
    ("img", {"alt": "", "aria_label": "Logo"}, "img"),
    ("input", {}, "textbox"),
    ("input", {"type_": "text"}, "textbox"),
    ("input", {"type_": "email"}, "textbox"),
    ("input", {"type_": "tel"}, "textbox"),
    ("input", {"type_": "url"}, "textbox"),
    ("input", {"type_": "search"}, "searchbox"),
    ("input", {"type_": "SEARCH"}, "searchbox"),
    ("input", {"type_": "number"}, "spinbutton"),
    ("input", {"type_": "range"}, "slider"),
    ("input", {"type_": "checkbox"}, "checkbox"),
    ("input", {"type_": "radio"}, "radio"),
    ("input", {"type_": "submit"}, "button"),
    ("input", {"type_": "reset"}, "button"),
    ("input", {"type_": "button"}, "button"),
    ("input", {"type_": "image"}, "button"),
    ("ins", {}, "insertion"),
    ("li", {}, "listitem"),
    ("main", {}, "main"),
    ("menu", {}, "list"),
    ("meter", {}, "meter"),
    ("nav", {}, "navigation"),
    ("ol", {}, "list"),
    ("option", {}, "option"),
    ("output", {}, "status"),
    ("p", {}, "paragraph"),
    ("progress", {}, "progressbar"),
    ("search", {}, "search"),
    ("s", {}, "deletion"),
    ("section", {}, "generic"),
    ("section", {"aria_label": "News"}, "region"),
    ("section", {"title": "News"}, "region"),
    ("select", {}, "combobox"),
    ("select", {"size": "1"}, "combobox"),
    ("select", {"size": "4"}, "listbox"),
    ("select", {"size": "many"}, "combobox"),
    ("select", {"multiple": ""}, "listbox"),
    ("span", {}, "generic"),
    ("div", {"contenteditable": ""}, "textbox"),
    ("p", {"contenteditable": "plaintext-only"}, "textbox"),
    ("div", {"contenteditable": "false"}, "generic"),
    ("div", {"contenteditable": "true", "role": "note"}, "note"),
    ("strong", {}, "strong"),
    ("sub", {}, "subscript"),
    ("sup", {}, "superscript"),
    ("table", {}, "table"),
    ("tbody", {}, "rowgroup"),
    ("td", {}, "cell"),
    ("textarea", {}, "textbox"),
    ("th", {}, "columnheader"),
    ("th", {"scope": "col"}, "columnheader"),
    ("th", {"scope": "Row"}, "rowheader"),
    ("th", {"scope": "rowgroup"}, "rowheader"),
    ("time", {}, "time"),
    ("tr", {}, "row"),
    ("ul", {}, "list"),
    ("x-price", {}, "generic"),
]


def role(tag: str, **attributes: str) -> str:
    """The role of one element."""
    return role_of(reading(element("Text", tag, **attributes)).elements[0])


@pytest.mark.parametrize(("tag", "attributes", "expected"), IMPLICIT)
def test_implied_by_html(tag: str, attributes: dict[str, str], expected: str) -> None:
    """An element on which the author gave no role has the one that HTML gives it."""
    assert role(tag, **attributes) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("button", "button"),
        ("BUTTON", "button"),
        ("  tab  ", "tab"),
        ("none", "link"),
        ("nonsense button", "button"),
        ("nonsense", "link"),
        ("", "link"),
        ("alert button", "alert"),
        ("toolbar", "toolbar"),
        ("searchbox", "searchbox"),
        ("image", "img"),
        ("directory", "list"),
        ("doc-noteref", "link"),
        ("doc-chapter", "group"),
        ("summary", "link"),
    ],
)
def test_given_by_the_author(given: str, expected: str) -> None:
    """The first role that is known counts; unknown ones are passed over, as browsers do."""
    assert role("a", href="", role=given) == expected


@pytest.mark.parametrize(
    ("tag", "attributes", "expected"),
    [
        ("span", {}, "none"),
        ("li", {}, "none"),
        ("span", {"aria_label": "Price"}, "generic"),
        ("h2", {"aria_labelledby": "other"}, "heading"),
        ("h2", {"aria_label": " "}, "none"),
        ("button", {}, "button"),
        ("a", {}, "none"),
        ("a", {"href": ""}, "link"),
        ("li", {"tabindex": "-1"}, "listitem"),
        ("li", {"tabindex": "x"}, "none"),
    ],
)
def test_a_presentational_role_may_not_hold(tag: str, attributes: dict[str, str], expected: str) -> None:
    """An element that is named by its author or can take the focus keeps its role (WAI-ARIA 1.2, conflict resolution)."""
    assert role(tag, role="none", **attributes) == expected


@pytest.mark.parametrize(
    ("path", "tag", "expected"),
    [
        ("html > body > header:nth-child(1)", "header", "banner"),
        ("html > body > div:nth-child(1) > footer:nth-child(9)", "footer", "contentinfo"),
        ("html > body > article:nth-child(1) > header:nth-child(1)", "header", "group"),
        ("html > body > main:nth-child(2) > div:nth-child(1) > footer:nth-child(2)", "footer", "group"),
        ("html > body > x-section:nth-child(2) > header:nth-child(1)", "header", "banner"),
    ],
)
def test_headers_and_footers(path: str, tag: str, expected: str) -> None:
    """They are landmarks of the page, but not inside a part of it (HTML-AAM 1.0)."""
    assert role_of(reading(element("Text", tag, path=path)).elements[0]) == expected


@pytest.mark.parametrize(
    ("told", "ignored", "expected"),
    [
        ("gridcell", False, "gridcell"),
        ("DisclosureTriangle", False, "summary"),
        ("image", False, "img"),
        ("sectionheader", False, "group"),
        ("LayoutTableCell", False, "cell"),
        ("none", False, "cell"),
        ("", True, "cell"),
    ],
)
def test_the_browser_knows_better(told: str, ignored: bool, expected: str) -> None:
    """A role of ARIA that the browser tells goes before what HTML implies; its own inner words and hidden elements do not."""
    cell = reading(element("Text", "td")).elements[0]
    assert role_in(cell, AccessibleName(told, "", "", ignored)) == expected
    assert role_in(cell, None) == "cell"


# WAI-ARIA 1.2, 5.2.8.4 "Roles Supporting Name from Content"; without sectionhead, an abstract role.
BY_CONTENT = [
    *("button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox"),
    *("menuitemradio", "option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem"),
]


@pytest.mark.parametrize("known", BY_CONTENT)
def test_named_from_content(known: str) -> None:
    """Each role that ARIA names from its content is one whose name we hold against its text."""
    assert known in FROM_CONTENT
    assert role("div", role=known) == known


def test_nothing_else_is_named_from_content() -> None:
    """No other role is, but a summary, which browsers name from its content as well."""
    assert set(BY_CONTENT) | {"summary"} == FROM_CONTENT


# Landmarks and groups: their label names what they hold, and is not expected to repeat it.
GROUPS = [
    *("banner", "navigation", "main", "complementary", "contentinfo", "form", "region", "search", "group", "list", "table"),
    *("article", "dialog", "alertdialog", "img", "figure", "toolbar", "tablist", "tabpanel", "menu", "menubar", "tree", "grid"),
    *("radiogroup", "feed", "log", "application"),
]


@pytest.mark.parametrize("known", GROUPS)
def test_named_by_the_author_alone(known: str) -> None:
    """A group's name is nobody's text: none of these is compared with what it shows."""
    assert known not in FROM_CONTENT | ENTRY | PLAIN
    assert role("div", role=known) == known


def test_every_role_has_one_place() -> None:
    """No role is treated in two ways."""
    assert not FROM_CONTENT & ENTRY
    assert not FROM_CONTENT & PLAIN
    assert not ENTRY & PLAIN
    assert WIDGETS < FROM_CONTENT
