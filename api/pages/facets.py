"""What a gallery can be narrowed by: values with how many there are, each a link, and what is asked for already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from fastapi import Request

from api.pages.asking import MIDNIGHT
from api.pages.rendering import address_with
from store.words import query_of

FEW = 8
"""Values shown of a facet at once; the others are behind a fold."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a facet."""

    value: str
    count: int | None
    """How many there are under all other filters; None: not counted."""
    address: str
    """The page with this filter; where it is chosen already, without."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing to narrow by."""

    name: str
    label: str
    choices: tuple[Choice, ...]

    @property
    def first(self) -> tuple[Choice, ...]:
        """Those that are always to be seen: the commonest, and the chosen one."""
        return tuple(c for place, c in enumerate(self.choices) if place < FEW or c.chosen)

    @property
    def others(self) -> tuple[Choice, ...]:
        """Those behind the fold."""
        return tuple(c for c in self.choices if c not in self.first)


@dataclass(frozen=True, slots=True)
class Chip:
    """One filter that is on."""

    label: str
    value: str
    address: str
    """The page without it."""


def facets(
    request: Request,
    labels: Mapping[str, str],
    asked: Mapping[str, object],
    counts: Mapping[str, Mapping[str, int | None]],
) -> tuple[Facet, ...]:
    """The facets with anything to choose, in the order of `labels`. counts: by name and value, commonest first."""
    made = []
    for name, label in labels.items():
        chosen = asked.get(name)
        found = dict(counts.get(name, {}))
        if chosen is not None and str(chosen) not in found:
            found[str(chosen)] = 0
        choices = tuple(
            Choice(
                value, count, address_with(request, **{name: None if value == chosen else value}), chosen=value == chosen
            )
            for value, count in found.items()
        )  # fmt: skip
        if len(choices) > 1 or chosen is not None:
            made.append(Facet(name, label, choices))
    return tuple(made)


def chips(
    request: Request, labels: Mapping[str, str], asked: Mapping[str, object], usual: Mapping[str, str] | None = None
) -> tuple[Chip, ...]:
    """One for each filter that is on, in the order of `labels`. usual: filters that are on where nothing is asked for."""
    given = {name: value for name, value in asked.items() if value is not None and (usual or {}).get(name) != value}
    return tuple(
        Chip(label, _written(given[name]), address_with(request, **{name: None}))
        for name, label in labels.items()
        if name in given
    )


def _written(value: object) -> str:
    """Moments as people write them: 30 Nov 2026; with the time where it is not midnight."""
    if not isinstance(value, datetime):
        return str(value)
    day = f"{value:%-d %b} {value.year}"
    return day if value.time() == MIDNIGHT else f"{day}, {value:%H:%M:%S}".removesuffix(":00")


def wordless(text: str | None) -> str:
    """Why this text cannot be searched for, in words to stand beside the field; empty where it can."""
    return f"There is neither letter nor digit in {text!r}: this search finds words." if text and not query_of(text) else ""
