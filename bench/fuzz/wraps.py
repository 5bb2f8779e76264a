"""Wraps: what may be around a text: layout, clipping, stacking, covers, shadow roots, frames."""

from __future__ import annotations

from collections.abc import Callable

from bench.fuzz.pages import Maker, Wrap, escaped, styles

Inner = Callable[[], str]

BOX_STYLES = styles("boxes")
"""Clipping, placing, transforms, paint, layout."""
COVERS = styles("covers")


def box(m: Maker, inner: Inner) -> str:
    style = m.rng.choice(BOX_STYLES)
    m.around.append(style)
    made = f'<div style="{style}">{inner()}</div>'
    m.around.pop()
    return made


def two(m: Maker, inner: Inner) -> str:
    """Two styles on one element."""
    style = f"{m.rng.choice(BOX_STYLES)};{m.rng.choice(BOX_STYLES)}"
    m.around.append(style)
    tag = m.rng.choice(("div", "section", "span"))
    made = f'<{tag} style="{style}">{inner()}</{tag}>'
    m.around.pop()
    return made


def cover(m: Maker, inner: Inner) -> str:
    """Something beside the text that may lie over it."""
    style, text = (
        m.rng.choice(COVERS),
        m.rng.choice(
            (
                "",
                "z-index:1;position:relative",
                "z-index:-1;position:relative",
                "position:relative",
                "opacity:.99",
                "float:left",
            )
        ),
    )
    m.around.append(f"cover {style}; text {text}")
    first = m.chance(0.25)
    over = f'<div style="{style}"></div>'
    made = inner()
    m.around.pop()
    own = m.rng.choice(
        (
            "position:relative",
            "position:relative;z-index:0",
            "position:relative;isolation:isolate",
            "position:relative;overflow:hidden",
        )
    )
    block = f'<div style="{text}">{made}</div>'
    return f'<div style="{own}">{over + block if first else block + over}</div>'


def cover_with_text(m: Maker, inner: Inner) -> str:
    """One text on top of another."""
    below = inner()
    m.around.append("the upper one")
    words = m.pair()
    name = m.name(("plain",), words)
    m.around.pop()
    z = m.rng.choice(("", "z-index:-1", "z-index:2"))
    ground = m.rng.choice(("background:#eef", "background:#eef", "", "background:#eef;pointer-events:none"))
    return f'<div style="position:relative">{below}<div id={name} aria-label="quux {name}" style="position:absolute;inset:0;color:#123;{z};{ground}">{" ".join(words)}</div></div>'  # noqa: E501


def shadow(m: Maker, inner: Inner) -> str:
    mode = m.rng.choice(("open", "open", "closed"))
    words = m.pair()
    before = list(m.rules)
    m.rules.clear()
    m.around.append(f"shadow {mode}")
    slotted = m.chance(0.5)
    given = inner()
    name = m.name(("in a shadow root",), words)
    m.around.pop()
    own, m.rules = m.rules, before
    if slotted:
        m.rules += own
    rules = "" if slotted else "".join(own)
    style = m.rng.choice(
        (
            "",
            "slot{display:none}",
            "slot{opacity:0}",
            "::slotted(*){visibility:hidden}",
            "slot{display:block}",
            ":host{display:block;overflow:hidden;height:40px}",
        )
    )
    slot = "<slot>default</slot>" if slotted else given
    holder = f'<template shadowrootmode={mode}><style>*{{box-sizing:border-box}}{style}{rules}</style><b id={name} aria-label="quux {name}">{" ".join(words)}</b> {slot}</template>'  # noqa: E501
    return f"<x-a>{holder}{given if slotted else ''}</x-a>"


def frame(m: Maker, inner: Inner) -> str:
    before, m.rules = m.rules, []
    m.around.append("frame")
    held = inner()
    m.around.pop()
    own, m.rules = m.rules, before
    document = f'<!doctype html><meta charset=utf-8><style>*{{box-sizing:border-box}}body{{margin:4px;font:18px/1.3 "Open Sans",sans-serif;color:{m.ground[1]};background:{m.ground[0]}}}button,input,select,textarea{{font:inherit}}{"".join(own)}</style><body>{held}'  # noqa: E501
    style = m.rng.choice(
        (
            "",
            "",
            "border:0",
            "opacity:.5",
            "padding:6px",
            "transform:scale(.9);transform-origin:0 0",
            "height:30px",
            "visibility:hidden",
            "border-radius:10px",
            "zoom:.9",
        )
    )
    return f'<iframe width=280 height=90 style="{style}" srcdoc="{escaped(document)}"></iframe>'


def table(m: Maker, inner: Inner) -> str:
    style = m.rng.choice(("border-collapse:collapse", "", "table-layout:fixed;width:160px", "width:100%"))
    row = m.rng.choice(("", "", "visibility:collapse", "display:none", "opacity:.9"))
    return f'<table style="{style}"><tr style="{row}"><td style="border:1px solid">{inner()}<td>{m.word()}</table>'


def details(m: Maker, inner: Inner) -> str:
    return f"<details {m.rng.choice(('', 'open'))}><summary>{m.word()}</summary>{inner()}</details>"


def group(m: Maker, inner: Inner) -> str:
    return f"<fieldset><legend>{m.word()}</legend>{inner()}</fieldset>"


def dialog(m: Maker, inner: Inner) -> str:
    return f'<dialog {m.rng.choice(("", "open"))} style="position:{m.rng.choice(("static", "absolute"))};margin:0">{inner()}</dialog>'  # noqa: E501


def hidden(m: Maker, inner: Inner) -> str:
    return f"<div {m.rng.choice(('hidden', 'hidden=until-found', 'inert', 'popover', 'aria-hidden=true', 'hidden style=display:block'))}>{inner()}</div>"  # noqa: E501


def shown_again(m: Maker, inner: Inner) -> str:
    pair = m.rng.choice(
        (
            ("visibility:hidden", "visibility:visible"),
            ("color:transparent", "color:#c33"),
            ("font-size:0", "font-size:18px"),
            ("opacity:0", "opacity:1"),
            ("overflow:hidden;height:0", "position:absolute"),
            ("overflow:hidden;height:0", "position:fixed"),
            ("line-height:0", "line-height:1.3"),
            ("pointer-events:none", "pointer-events:auto"),
            ("text-indent:-999px", "text-indent:0"),
            ("zoom:2", "zoom:.5"),
            ("transform:scale(.1);transform-origin:0 0", "transform:scale(10);transform-origin:0 0"),
        )
    )
    m.around.append(" > ".join(pair))
    made = f'<div style="{pair[0]}"><div style="{pair[1]}">{inner()}</div></div>'
    m.around.pop()
    return made


WRAPS: tuple[tuple[str, Wrap], ...] = (
    *((("box", box),) * 9), ("two", two), ("two", two), *((("cover", cover),) * 4), ("text over text", cover_with_text), ("shadow", shadow), ("frame", frame), ("table", table),  # noqa: E501
    ("details", details), ("fieldset", group), ("dialog", dialog), ("hidden", hidden), ("shown again", shown_again), ("shown again", shown_again),  # noqa: E501
)  # fmt: skip
