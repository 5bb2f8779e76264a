"""Captures made by hand: raw readings in the page script's form, parsed as stored ones are. No browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.capture import Capture, Ink
from domain.divergence import Finding, detect
from domain.reading import Snapshot, parse
from domain.text import PolicyName

Raw = dict[str, Any]


def element(
    text: str = "",
    tag: str = "p",
    *,
    name: str | None = None,
    key: int | None = None,
    path: str | None = None,
    parent: int = -1,
    frame: int = 0,
    box: tuple[float, float, float, float] | None = (10, 10, 100, 20),
    unseen: str = "",
    covered: float = 0,
    flags: Mapping[str, int] | None = None,
    state: Raw | None = None,
    labelled_by: str | None = None,
    **attributes: str,
) -> Raw:
    """One element of a raw reading: a line of text of its own that can be seen, where nothing else is said.

    name: its id attribute, by which tests speak of it. Attributes are written with _ for -. flags: None for own and line.
    """
    named = {"id": name} if name is not None else {}
    return {
        "k": key,
        "p": parent,
        "f": frame,
        "t": tag,
        "s": path,
        "a": named | {attribute.rstrip("_").replace("_", "-"): value for attribute, value in attributes.items()},
        "x": "" if unseen else text,
        "b": list(box) if box else None,
        "v": unseen,
        "g": dict(flags if flags is not None else {"own": 1, "line": 1}),
        **({"l": state} if state is not None else {}),
        **({"cov": covered} if covered else {}),
        **({"lb": labelled_by} if labelled_by is not None else {}),
    }


def control(
    what: str,
    served: str | bool | None,
    live: str | bool,
    *,
    type: str = "text",  # noqa: A002
    secret: bool = False,
) -> Raw:
    """The state of a control: what the document says it starts with, and what it is."""
    return {"what": what, "type": type, "served": served, "live": live, **({"secret": True} if secret else {})}


def report(*elements: Raw, **other: Any) -> Raw:
    """A raw reading of these elements. Keys and paths count from 1 where none were given."""
    return {
        "version": 1,
        "url": "https://example.org/",
        "title": "Example",
        "now": 1000.0,
        "view": {"width": 1280, "height": 720, "scale": 1, "scrollX": 0, "scrollY": 0},
        "nodes": len(elements),
        "truncated": 0,
        "frames": [],
        "elements": [
            {
                **e,
                "k": i if e["k"] is None else e["k"],
                "s": f"html > body > {e['t']}:nth-child({i})" if e["s"] is None else e["s"],
            }
            for i, e in enumerate(elements, 1)
        ],
        **other,
    }


def reading(*elements: Raw) -> Snapshot:
    """The snapshot of these elements."""
    return parse(report(*elements))


def capture(
    served: list[Raw], shown: list[Raw] | None = None, after: list[Raw] | None = None, *, ink: Ink | None = None
) -> Capture:
    """Served, then shown, and shown again after the pixels, where nothing else is said: a page that stands still."""
    shown = served if shown is None else shown
    return Capture(reading(*served), reading(*shown), reading(*(shown if after is None else after)), ink)


def told(found: Capture, kind: str, policy: PolicyName = "tokens") -> dict[str, str]:
    """What one kind says: id attribute, else path -> "verdict: reason"."""
    return {f.element_id or f.path: f"{f.verdict}: {f.reason}" for f in detect(found, policy) if f.kind == kind}


def one(found: Capture, kind: str, policy: PolicyName = "tokens") -> Finding:
    """The only finding of a kind."""
    (finding,) = (f for f in detect(found, policy) if f.kind == kind)
    return finding


def changed(before: str, now: str, **other: Any) -> Capture:
    """A capture of one element whose text changed between structure and pixels."""
    return capture([element(before, **other)], [element(now, **other)])
