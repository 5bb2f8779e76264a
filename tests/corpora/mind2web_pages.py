"""Pages for the made Mind2Web: shops, tables, articles, forms, timetables; written once, as HTML and as cleaned structure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import count

VOID = frozenset({"input", "br", "hr"})
STYLES = (
    "body{font:16px/1.4 sans-serif;color:#222;background:#fff}",
    "body{font:15px/1.5 serif;color:#111;background:#fdfaf3}",
    "body{font:17px/1.35 sans-serif;color:#eee;background:#1d2430} .card,td,th{border-color:#456}",
    "body{font:14px/1.6 sans-serif;color:#123;background:#f4f8fb}",
)
COMMON = (
    "*{box-sizing:border-box} body{margin:0;padding:20px 40px} .row{display:flex;gap:24px;flex-wrap:wrap;margin:12px 0}"
    ".card{border:1px solid #bbb;border-radius:8px;padding:14px;width:260px} .card>*{display:block;margin:4px 0}"
    "span.b{display:inline-block;margin-right:14px}"
    "button{font:inherit;padding:6px 16px;border-radius:6px;border:1px solid #789}"
    "table{border-collapse:collapse} td,th{border:1px solid #bbb;padding:6px 14px;text-align:left} p{max-width:720px}"
    ".menu{position:absolute;right:40px;top:70px;width:220px;visibility:hidden} .menu a{display:block;padding:8px}"
    ".belt{width:1240px;overflow:hidden;white-space:nowrap} .belt>a{display:inline-block;width:300px}"
)


@dataclass
class Element:
    """One element. children: elements and texts."""

    tag: str
    children: tuple[Element | str, ...] = ()
    attributes: dict[str, str] = field(default_factory=dict)
    key: str = ""
    text_keys: dict[int, str] = field(default_factory=dict)


def e(tag: str, *children: Element | str, **attributes: str) -> Element:
    """An element; `kind` is written as class."""
    return Element(tag, children, {"class" if name == "kind" else name: value for name, value in attributes.items()})


def numbered(root: Element, first: int) -> Element:
    """Gives every element and every text its backend_node_id, in document order."""
    keys = count(first)

    def go(element: Element) -> None:
        element.key = str(next(keys))
        for i, child in enumerate(element.children):
            if isinstance(child, Element):
                go(child)
            else:
                element.text_keys[i] = str(next(keys))

    go(root)
    return root


def walk(element: Element) -> Iterator[Element]:
    """The element and all within, in document order."""
    yield element
    for child in element.children:
        if isinstance(child, Element):
            yield from walk(child)


def page_html(root: Element, style: str) -> str:
    """What the browser draws; ids are the keys."""

    def go(element: Element) -> str:
        named = "".join(f' {name}="{escape(value)}"' for name, value in element.attributes.items())
        start = f'<{element.tag} id="{element.key}"{named}>'
        if element.tag in VOID:
            return start
        head = f"<head><meta charset=utf-8><style>{style}{COMMON}</style></head>" if element.tag == "html" else ""
        return (
            start
            + head
            + "".join(go(c) if isinstance(c, Element) else escape(c) for c in element.children)
            + f"</{element.tag}>"
        )

    return "<!doctype html>" + go(root)


def cleaned(root: Element) -> str:
    """As cleaned_html has it: no boxes, texts in leaves of their own, a few attributes with dashes as underscores."""

    def go(element: Element) -> str:
        kept = "".join(
            f' {name.replace("-", "_")}="{escape(element.attributes[name])}"'
            for name in ("aria-label", "type", "placeholder", "value")
            if name in element.attributes
        )
        inner = "".join(
            go(c)
            if isinstance(c, Element)
            else f'<text backend_node_id="{element.text_keys[i]}">{escape(c, quote=False)}</text>'
            for i, c in enumerate(element.children)
        )
        start = f'<{element.tag} backend_node_id="{element.key}"{kept}'
        return f"{start}>{inner}</{element.tag}>" if inner else start + "/>"

    return go(root)


GOODS = (
    "Copper kettle", "Wool blanket", "Desk lamp", "Oak chair", "Garden hose", "Paper lantern", "Steel bucket", "Cotton apron",
    "Bread knife", "Travel mug", "Wall clock", "Linen shirt",
)  # fmt: skip
CITIES = (
    "Northam",
    "Easterley",
    "Westbrook",
    "Southgate",
    "Millford",
    "Harwick",
    "Stonebridge",
    "Fenwick",
    "Oakdale",
    "Ravenhill",
)
LINES = (
    "The bridge was closed for repairs until the end of the month.",
    "Volunteers planted more than two hundred trees along the river.",
    "A new library opened its doors to readers on Saturday morning.",
    "The council will vote on the plan after the summer break.",
    "Heavy rain flooded several cellars in the old part of town.",
    "Local bakers won three prizes at the regional food fair.",
    "The museum shows early photographs of the harbour this autumn.",
    "Trains on the northern line run every half hour from today.",
)
TITLES = (
    "Harbour news and weather",
    "What the town talks about",
    "Letters from our readers today",
    "Notes from the market square",
)
PEOPLE = ("mara.quist", "jonas.feld", "ida.brandt", "tomas.kell", "nora.ashby", "felix.crane")


def _pick(values: tuple[str, ...], n: int, i: int) -> str:
    return values[(n * 5 + i * 3) % len(values)]


def shop(n: int) -> list[Element]:
    """Cards with names, prices and ratings, in one of three ways to write money."""
    forms: tuple[Callable[[int], str], ...] = (
        lambda c: f"${c / 100:,.2f}",
        lambda c: f"{c / 100:,.2f} €".replace(",", " ").replace(".", ","),
        lambda c: f"£{c / 100:,.2f}",
    )
    money = forms[n % 3]
    cards = [
        e(
            "div",
            e("h3", _pick(GOODS, n, i)),
            e("span", money(1299 + (n * 977 + i * 4111) % 240000), kind="b"),
            e("span", f"{(n * 7 + i * 13) % 40 + 3}% off", kind="b"),
            e("button", ("Add to basket", "Ask a question", "Compare offers", "Save for later")[i % 4]),
            kind="card",
        )
        for i in range(8)
    ]
    return [e("h1", "Spring catalogue"), e("div", *cards, kind="row")]


def table(n: int) -> list[Element]:
    """Numbers, percentages and changes."""
    head = e("tr", *(e("th", name) for name in ("District", "Residents", "Share", "Change")))
    rows = [
        e(
            "tr",
            e("td", CITIES[(n + i) % len(CITIES)]),
            e("td", f"{12345 + (n * 3571 + i * 7919) % 900000:,}"),
            e("td", f"{(n * 31 + i * 97) % 300 / 10 + 2:.1f}%"),
            e("td", f"{'+' if (n + i) % 2 else '-'}{(n * 17 + i * 41) % 90 / 100 + 0.1:.2f}%"),
        )
        for i in range(8)
    ]
    return [e("h1", "Districts in figures"), e("table", head, *rows), e("p", "Counted on the first day of the year.")]


MONTHS = ("January", "March", "April", "June", "August", "October", "November")


def article(n: int) -> list[Element]:
    """Headlines, dates, and whole sentences."""
    parts: list[Element] = [e("h1", _pick(TITLES, n, 0))]
    for i in range(5):
        parts += [
            e("h2", _pick(TITLES, n + 1, i) if i else "In short"),
            e("span", f"{(n * 3 + i * 5) % 27 + 1} {_pick(MONTHS, n, i)} {2019 + (n + i) % 6}", kind="b"),
            e("p", _pick(LINES, n, i)),
        ]
    return parts


def form(n: int) -> list[Element]:
    """Labels, fields, addresses."""
    contacts = []
    for i in range(4):
        person = _pick(PEOPLE, n, i)
        mail = e("span", f"{person}@office{(n + i) % 9 + 1}.example", kind="b")
        contacts.append(e("div", mail, e("a", f"www.{person.replace('.', '-')}.example"), kind="row"))
    return [
        e("h1", "Write to us"),
        *contacts,
        e("div", e("label", "Your full name"), e("input", type="text", placeholder="First and last"), kind="row"),
        e("div", e("button", "Send message"), e("button", "Clear form"), e("button", "Call us back"), kind="row"),
        e("p", "We answer every letter within two working days."),
        e("p", "Please do not send any passwords with this form."),
    ]


def timetable(n: int) -> list[Element]:
    """Times in two ways, and where to."""
    clock: Callable[[int], str] = (
        (lambda m: f"{m // 60 % 24:02d}:{m % 60:02d}")
        if n % 2
        else (lambda m: f"{(m // 60 + 11) % 12 + 1}:{m % 60:02d} {'pm' if m // 60 % 24 >= 12 else 'am'}")
    )
    rows = [
        e(
            "tr",
            e("td", clock(345 + n * 13 + i * 71)),
            e("td", _pick(CITIES, n, i)),
            e("td", f"Platform {i % 6 + 1}"),
            e("td", clock(402 + n * 17 + i * 83)),
        )
        for i in range(9)
    ]
    return [e("h1", "Departures"), e("table", *rows), e("p", "Times may change on public holidays.")]


KINDS = (shop, table, article, form, timetable)


def page(n: int, *, traps: bool) -> Element:
    """Page n. traps: with a hidden menu whose boxes are plausible, and a belt that runs past the right edge."""
    around: list[Element] = []
    if traps:
        links = ("Your profile", "Order history", "Sign out now", "Help and contact")
        belt = (*GOODS[n % 5 : n % 5 + 4], "Out of sight", "Further away")
        around = [
            e("div", *(e("a", text, href="#") for text in links), kind="menu"),
            e("div", *(e("a", text, href="#") for text in belt), kind="belt"),
        ]
    return e("html", e("body", e("div", *KINDS[n % len(KINDS)](n)), *around))
