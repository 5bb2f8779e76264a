"""channels/serialised.py: a document as a browser writes it is taken apart as it stands, whatever a page makes of it."""

from __future__ import annotations

import pytest

from channels.serialised import attributes, locate, parse, text_runs

PAGE = (
    "<!DOCTYPE html>\n<html><head><title>A &lt;b&gt;</title><script>if (a<b) x='</p><p>';</script></head>"
    '<body><!-- <p>no</p> --><p id="one" title="5 > 3">One<div>in a p</div></p><img src="a.png">'
    "<ul><li>a</li><li>b<br>c</li></ul></body></html>"
)


def said(text: str, path: str) -> str:
    node, beyond = locate(parse(text), path)
    assert node is not None
    assert beyond == ""
    return text[node.start : node.end]


def test_paths() -> None:
    """Comments, scripts and void elements count for nothing; what a parser of strangers' HTML would move stays in its place."""
    assert said(PAGE, "html > body > p:nth-child(1) > div:nth-child(1)") == "<div>in a p</div>"
    assert said(PAGE, "html > body > img:nth-child(2)") == '<img src="a.png">'
    assert said(PAGE, "html > body > ul:nth-child(3) > li:nth-child(2)") == "<li>b<br>c</li>"
    for nowhere in ("html > body > p:nth-child(2)", "html > body > ul:nth-child(4)", "#pay", "", "body", "html > html"):
        assert locate(parse(PAGE), nowhere) == (None, ""), nowhere


def test_shadow_roots() -> None:
    """A shadow root is entered by >>>, and its template is no child of the host; one in another is entered again."""
    inner = '<i><template shadowrootmode="open"><em>deep</em></template></i>'
    text = f'<html><body><x-a><template shadowrootmode="open">{inner}<b>in</b></template><b>out</b></x-a></body></html>'
    host = "html > body > x-a:nth-child(1)"
    assert said(text, f"{host} > b:nth-child(1)") == "<b>out</b>"
    assert said(text, f"{host} >>> b:nth-child(2)") == "<b>in</b>"
    assert said(text, f"{host} >>> i:nth-child(1) >>> em:nth-child(1)") == "<em>deep</em>"
    assert locate(parse(text), f"{host} > b:nth-child(1) >>> em:nth-child(1)") == (None, "")


def test_frames() -> None:
    """A frame is where the document ends: its element, and the rest of the path."""
    node, beyond = locate(
        parse("<html><body><iframe src=x></iframe></body></html>"), "html > body > iframe:nth-child(1) >>> html > body"
    )
    assert node is not None
    assert (node.tag, beyond) == ("iframe", "html > body")


def test_attributes_and_texts() -> None:
    """Where each attribute's value stands, and each run of text, comments and scripts left out."""
    node, _ = locate(parse(PAGE), "html > body > p:nth-child(1)")
    assert node is not None
    found = attributes(PAGE, node)
    assert [(a.name, PAGE[a.opens : a.closes]) for a in found] == [("id", "one"), ("title", "5 > 3")]
    whole = parse(PAGE).elements()[0]
    assert [PAGE[a:b] for a, b in text_runs(whole)] == ["A &lt;b&gt;", "One", "in a p", "a", "b", "c"]


@pytest.mark.parametrize(
    "text", ["", "no tags", "<", "<p", "</p>", "<!--", "<p>" * 20_000, "<p x='" * 1000, "</b>" * 50_000, "<a " * 100_000]
)
def test_what_no_browser_writes(text: str) -> None:
    """Nothing breaks it; text that poses as tags is given up after a while, or this would take minutes."""
    assert parse(text).end == len(text)
