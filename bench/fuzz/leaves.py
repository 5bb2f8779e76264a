"""Leaves: elements with a text of their own, and what may be done to that text."""

from __future__ import annotations

from collections.abc import Sequence

from bench.fuzz.pages import Leaf, Maker, attributes, escaped, styles

TEXT_STYLES = styles("texts")
GONE_STYLES = styles("gone")
"""Each hides a text wholly, most times."""
TAGS = ("span", "span", "a href=#", "button", "b", "p", "label", "em", "code", "h3", "div")


def style_of(m: Maker, *, gone: float = 0.12) -> tuple[str, str]:
    """(declarations, name of the feature)."""
    if m.chance(gone):
        chosen = m.rng.choice(GONE_STYLES)
        return f"--g:{m.ground[0]};{chosen}", f"gone {chosen}"
    chosen = m.rng.choice(TEXT_STYLES)
    return chosen, chosen or "plain"


def opened(m: Maker, tag: str, words: Sequence[str], *more: str, gone: float = 0.12) -> str:
    style, feature = style_of(m, gone=gone)
    # A button has a ground of its own: without it the rest of the cell's colours hold.
    bare = "background:none;border:1px solid;color:inherit;" if tag == "button" else ""
    return f'<{tag} {attributes(m.name((feature, *more), words))} style="{bare}{style}">'


def closing(tag: str) -> str:
    return f"</{tag.partition(' ')[0]}>"


def plain(m: Maker) -> str:
    tag, words = m.rng.choice(TAGS), m.pair()
    if m.rng.random() < 0.05:  # noqa: PLR2004
        tag = "span hidden"
    return opened(m, tag, words) + " ".join(words) + closing(tag)


def parts(m: Maker) -> str:
    """A text in several elements, one of which may be hidden."""
    tag, words = m.rng.choice(("span", "button", "p", "div", "a href=#")), [m.word() for _ in range(3)]
    made = opened(m, tag, words, gone=0.03)
    for word in words:
        style, _ = style_of(m, gone=0.35)
        part = m.rng.choice(("span", "b", "i", "sup", "small"))
        made += f'<{part} style="--g:{m.ground[0]};{style}">{word}</{part}> '
    return made + closing(tag)


def generated(m: Maker) -> str:
    words = m.pair()
    name, extra = f"g{len(m.texts)}", m.word()
    which = m.rng.choice(("before", "after"))
    gone = m.rng.choice(
        ("", "", "", "display:none", "opacity:0", "color:transparent", "visibility:hidden", "position:absolute;left:-999px")
    )
    look = m.rng.choice(
        (
            "",
            "font-weight:700",
            "text-transform:uppercase",
            "display:block",
            "margin:0 8px",
            "float:right",
            "font-size:14px",
            "letter-spacing:1px",
            "display:inline-block;padding:2px",
            "position:relative;top:3px",
            "position:absolute",
        )
    )
    content = m.rng.choice((f"'{extra} '", f"'{extra}\\00a0'", "attr(data-x) ' '", f"' {extra} ' / 'alt'"))
    m.rule(f".{name}::{which}{{content:{content};{look};{gone}}}")
    style, feature = style_of(m, gone=0.05)
    made = m.name((feature, f"::{which} {look} {gone}"), (*words, extra))
    return f'<span {attributes(made)} class={name} data-x="{extra}" style="{style}">{" ".join(words)}</span>'


def covered_by_pseudo(m: Maker) -> str:
    words, name = m.pair(), f"c{len(m.texts)}"
    css = m.rng.choice(
        (
            "inset:0",
            "inset:0;z-index:-1",
            "inset:0;z-index:1",
            "left:0;top:0;width:40%;height:100%",
            "inset:0;opacity:.3",
            "inset:0;pointer-events:none",
            "inset:100% 0 -100% 0",
            "inset:0;transform:translateY(100%)",
            "inset:0;visibility:hidden",
        )
    )
    m.rule(
        f".{name}{{position:relative;{m.rng.choice(('', 'z-index:0', 'isolation:isolate'))}}} .{name}::after{{content:'';position:absolute;background:#c33;{css}}}"  # noqa: E501
    )
    made = m.name((f"pseudo cover {css}",), words)
    return f"<span {attributes(made)} class={name}>{' '.join(words)}</span>"


def counters(m: Maker) -> str:
    words, name = m.pair(), f"n{len(m.texts)}"
    m.rule(
        f".{name}{{counter-reset:{name} {m.rng.randrange(100, 900)}}} .{name} i::before{{counter-increment:{name};content:counter({name}) ' '}}"  # noqa: E501
    )
    return f"<span {attributes(m.name(('counter',), words))} class={name}><i>{words[0]}</i> <i>{words[1]}</i></span>"


def first_letter(m: Maker) -> str:
    words, name = m.pair(), f"f{len(m.texts)}"
    m.rule(
        f".{name}::first-letter{{{m.rng.choice(('font-size:1.6em', 'text-transform:uppercase', 'float:left;font-size:2em', 'color:#c33'))}}} .{name}::first-line{{{m.rng.choice(('', 'text-transform:uppercase', 'letter-spacing:1px'))}}}"  # noqa: E501
    )
    return f"<p {attributes(m.name(('first-letter',), words))} class={name}>{' '.join(words)}</p>"


def field(m: Maker) -> str:
    words = m.pair()
    value = " ".join(words)
    style, feature = style_of(m, gone=0.1)
    kind = m.rng.choice(
        ("text", "search", "email", "hint", "textarea", "select", "submit", "password", "narrow", "listbox", "indented")
    )
    own = (
        attributes(m.name((feature, f"field {kind}"), words))
        + f' style="color:inherit;background:{m.ground[0]};width:220px;{style}"'
    )
    if kind == "textarea":
        return f"<textarea rows=2 {own}>{value}</textarea>"
    if kind == "select":
        other = " ".join(m.pair())
        return f"<select {own}><option>{other}<option selected>{value}</select>"
    if kind == "listbox":
        return f"<select size=2 {own}><option>{words[0]}<option>{words[1]}</select>"
    if kind == "hint":
        return f'<input placeholder="{value}" {own}>'
    if kind == "narrow":
        return f'<input value="{value}" {own.replace("width:220px", "width:90px")}>'
    if kind == "indented":
        return f'<input value="{value}" {own.replace("width:220px", "width:220px;text-indent:-300px")}>'
    return f'<input type={kind} value="{escaped(value)}" {own}>'


def vector(m: Maker) -> str:
    words = m.pair()
    look = m.rng.choice(
        (
            "",
            "",
            "fill-opacity=0",
            "fill=none stroke=currentColor",
            "opacity=0",
            "visibility=hidden",
            "text-anchor=middle",
            "fill=none",
            "display=none",
            'style="fill:currentColor"',
        )
    )
    cover = m.rng.choice(
        ("", "", "<rect width=280 height=40 fill=teal />", "<rect width=280 height=40 fill=none stroke=teal />")
    )
    anchor = 140 if "middle" in look else 6
    fill = "" if "fill" in look else "fill=currentColor "
    made = m.name((f"svg text {look}", f"svg {cover}"), words)
    text = f"<text x={anchor} y=26 font-size=18 {fill}{look} {attributes(made)}>{words[0]} <tspan>{words[1]}</tspan></text>"
    return f"<svg width=280 height=40>{text}{cover}</svg>"


def ellipsis(m: Maker) -> str:
    words = (*m.pair(), *m.pair())
    way = m.rng.choice(
        (
            "white-space:nowrap;overflow:hidden;text-overflow:ellipsis",
            "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden",
            "white-space:nowrap;overflow:hidden",
            "white-space:nowrap;overflow:hidden;text-overflow:ellipsis;direction:rtl",
            "height:1.3em;overflow:hidden",
            "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden",
            "white-space:nowrap;overflow:clip;text-overflow:'>'",
        )
    )
    width = m.rng.choice((110, 140, 180, 230))
    return f'<div {attributes(m.name((f"cut {way}",), words))} style="width:{width}px;{way}">{" ".join(words)}</div>'


def ruby(m: Maker) -> str:
    words = m.pair()
    return f'<ruby {attributes(m.name(("ruby",), words))} style="line-height:2">{words[0]}<rt style="font-size:13px">{words[1]}</rt></ruby>'  # noqa: E501


def clipped_ground(m: Maker) -> str:
    words = m.pair()
    way = m.rng.choice(("linear-gradient(90deg,#c33,#33c)", "linear-gradient(#0a5,#0a5)"))
    return f'<span {attributes(m.name(("background-clip:text",), words))} style="background:{way};-webkit-background-clip:text;color:transparent;font-weight:700">{" ".join(words)}</span>'  # noqa: E501


def zero_widths(m: Maker) -> str:
    words = m.pair()
    return f"<span {attributes(m.name(('soft hyphen, br, wbr',), words))}>{words[0][:2]}&shy;{words[0][2:]}{m.rng.choice((' ', '<br>', ' <wbr>', '&nbsp;'))}{words[1][:2]}&#8203;{words[1][2:]}</span>"  # noqa: E501


LEAVES: tuple[tuple[str, Leaf], ...] = (
    *((("plain", plain),) * 8), ("parts", parts), ("parts", parts), ("generated", generated), ("generated", generated), ("pseudo cover", covered_by_pseudo),  # noqa: E501
    ("counters", counters), ("first-letter", first_letter), ("field", field), ("field", field), ("svg", vector), ("cut", ellipsis), ("cut", ellipsis),  # noqa: E501
    ("ruby", ruby), ("clip:text", clipped_ground), ("zero widths", zero_widths),
)  # fmt: skip
