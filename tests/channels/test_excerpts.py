"""channels/excerpts.py: the document around an element as it was, the value marked wherever it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
import pytest

from channels.corpus_excerpts import excerpt_of_node
from channels.excerpts import NOT_LITERAL, NOT_SERIALISED, NOT_THERE, Artifacts, Excerpt, excerpt
from domain.probe import Edit


def reading(*elements: dict[str, Any]) -> bytes:
    return orjson.dumps({"version": 1, "elements": elements})


def marked(found: Excerpt) -> list[str]:
    return [text for text, is_value in found.pieces if is_value]


def written(found: Excerpt) -> str:
    return "".join(text for text, _ in found.pieces)


def page(body: str) -> Artifacts:
    return Artifacts(dom=f"<!DOCTYPE html>\n<html><head></head><body>{body}</body></html>".encode())


BODY = "html > body > "


def test_the_whole_of_it() -> None:
    """What is around stands as opening and closing tags, what is beside it as an ellipsis, and the value is marked."""
    held = page('<main><p>first</p><p><a href="#" title="Old &amp; grey">New</a></p><p>last</p></main>')
    found = excerpt(held, BODY + "main:nth-child(1) > p:nth-child(2) > a:nth-child(1)", "Old & grey", "title")
    assert marked(found) == ["Old &amp; grey"]
    assert found.problem == ""
    assert written(found) == (
        "<html>\n  \u2026\n  <body>\n    <main>\n      \u2026\n      <p>\n"
        '        <a href="#" title="Old &amp; grey">New</a>\n'
        "      </p>\n      \u2026\n    </main>\n  </body>\n</html>\n"
    )


CASES: Sequence[tuple[str, str, str, str, list[str]]] = [
    # body, path below it, value, kind, what is marked
    ('<b aria-label=" Pay  now ">Go</b>', "b:nth-child(1)", "Pay now", "aria", [" Pay  now "]),
    (
        '<u id="l1">Pay</u><u id="l2">now</u><b aria-labelledby="l1 l2">Go</b>',
        "b:nth-child(3)",
        "Pay now",
        "aria",
        ["Pay", "now"],
    ),
    ("<p>Price: <b>8<i>4</i>.04</b> EUR</p>", "p:nth-child(1) > b:nth-child(1)", "84.04", "stale", ["8", "4", ".04"]),
    ("<p>shown <s>hidden</s> again</p>", "p:nth-child(1)", "shown again", "stale", ["shown", "again"]),
    ("<p>shout</p>", "p:nth-child(1)", "SHOUT", "stale", ["shout"]),
    ("<p> a\n  b </p>", "p:nth-child(1)", "a b", "stale", ["a\n  b"]),
    ('<input value="3">', "input:nth-child(1)", "3", "state", ["3"]),
    ('<input class="x">', "input:nth-child(1)", "", "state", ['<input class="x">']),
    ("<textarea>old</textarea>", "textarea:nth-child(1)", "old", "state", ["old"]),
    ('<input type="checkbox" checked="">', "input:nth-child(1)", "checked", "state", ['checked=""']),
    ('<input type="checkbox">', "input:nth-child(1)", "unchecked", "state", ['<input type="checkbox">']),
    ('<input value="checked">', "input:nth-child(1)", "checked", "state", ["checked"]),
    ('<details open=""><summary>s</summary></details>', "details:nth-child(1)", "open", "state", ['open=""']),
    ('<select><option>a</option><option selected="">ab</option></select>', "select:nth-child(1)", "ab", "state", ["ab"]),
    ("<select><option>a</option><option>ab</option></select>", "select:nth-child(1)", "a", "state", ["a"]),
]


@pytest.mark.parametrize(("body", "path", "value", "kind", "wanted"), CASES)
def test_marks(body: str, path: str, value: str, kind: str, wanted: list[str]) -> None:
    """Wherever the value stands: attribute, text over several elements, label, option; a state also by what is not there."""
    found = excerpt(page(body), BODY + path, value, kind)
    assert marked(found) == wanted
    assert found.problem == ""


def test_a_value_that_the_browser_made() -> None:
    """Text of a style sheet stands in no document: the element is there, without a mark, and that is said."""
    found = excerpt(page('<p class="x"></p>'), BODY + "p:nth-child(1)", "generated", "stale")
    assert (marked(found), found.problem) == ([], NOT_LITERAL)
    assert '<p class="x"></p>' in written(found)


def test_an_element_that_moved() -> None:
    """The path is that of S1: at S0 the element stood elsewhere, and there it is shown. Its key tells."""
    held = page("<ul><li>first 10</li><li>second 20</li></ul>")
    before = reading({"k": 7, "s": BODY + "ul:nth-child(1) > li:nth-child(2)"})
    served = reading(
        {"k": 7, "s": BODY + "ul:nth-child(1) > li:nth-child(1)"}, {"k": 8, "s": BODY + "ul:nth-child(1) > li:nth-child(2)"}
    )
    held = Artifacts(held.dom, served=served, before=before)
    assert marked(excerpt(held, BODY + "ul:nth-child(1) > li:nth-child(2)", "first 10", "stale")) == ["first 10"]


def test_frames() -> None:
    """A frame of another site has a document of its own; one of this site is in none: written out of the reading."""
    at = BODY + "iframe:nth-child(1)"
    inner = {"reading": {"elements": []}}
    frame = {"path": at, "dom": "<html><body><b>in 5</b></body></html>", "served": inner, "before": inner}
    held = Artifacts(page("<iframe></iframe>").dom, frames=orjson.dumps({"version": 1, "frames": [frame]}))
    found = excerpt(held, f"{at} >>> {BODY}b:nth-child(1)", "in 5", "stale")
    assert (marked(found), found.problem) == (["in 5"], "")
    path = f"{at} >>> {BODY}a:nth-child(1)"
    served = reading({"k": 3, "s": path, "t": "a", "a": {"title": 'x"<'}, "x": "5 < 6"})
    found = excerpt(Artifacts(page("<iframe></iframe>").dom, served=served), path, "5 < 6", "stale")
    assert (written(found), marked(found)) == ('<a title="x&quot;&lt;">5 &lt; 6</a>', ["5 &lt; 6"])
    assert found.problem == NOT_SERIALISED
    assert excerpt(page("<iframe></iframe>"), path, "5", "stale") == Excerpt((), NOT_THERE)


def test_long_ones_are_cut() -> None:
    """A long element keeps its beginning and what is near the mark; a long attribute its beginning, unless it is the value."""
    held = page(f'<p style="{"s" * 500}" title="{"t" * 500}">{"a " * 4000}<b>here</b>{" z" * 4000}</p>')
    found = excerpt(held, BODY + "p:nth-child(1)", "here", "stale")
    assert marked(found) == ["here"]
    assert len(written(found)) < 2000
    assert "s" * 160 + '\u2026" title=' in written(found)
    found = excerpt(held, BODY + "p:nth-child(1)", "t" * 500, "title")
    assert marked(found) == ["t" * 500]


HIERARCHY = orjson.dumps(
    {
        "activity": {
            "root": {"pointer": "r", "children": [{"pointer": "x", "class": "Image", "text": "", "visible-to-user": True}]}
        }
    }
)


def test_corpora() -> None:
    """The node as the probe's edit makes it: a text of cleaned HTML, a view of a hierarchy; without an edit as it is."""
    html = b'<html backend_node_id="1"><text backend_node_id="2">12:02</text></html>'
    edit = Edit(rule="swap-text", version=1, node="2", before="12:02", after="Platform 2")
    found = excerpt_of_node(html, "2", edit)
    assert (marked(found), found.problem) == (["Platform 2"], "")
    hide = Edit(rule="hide-node", version=1, node="x", before="visible", after="gone")
    assert marked(excerpt_of_node(HIERARCHY, "x", hide)) == ['"visibility": "gone"', '"visible-to-user": false']
    assert marked(excerpt_of_node(HIERARCHY, "x", None)) == ['"visible-to-user": true']
    assert excerpt_of_node(HIERARCHY, "y", None).problem == "The view hierarchy has no node 'y'."
    assert excerpt_of_node(html, "9", edit.model_copy(update={"node": "9"})).problem.startswith("Node '9' is not there")
