"""severity.json says what the rows come to."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from builder.assembled import SEVERITY
from builder.severity import Pair, SeverityReport, compare, pair_of
from builder.verifying.problems import Problem, cut
from domain.released import ReleasedProbe

COMPARED = ("web-text", "web-natural")
"""Families: edited, natural. Source: paper, "Severity"."""
NEAR = 1e-9
"""Relative: libraries may differ in the last digits."""


class Pairs:
    """Keeps both values of the rows that are compared."""

    def __init__(self) -> None:
        self._pairs: dict[str, list[Pair]] = {family: [] for family in COMPARED}

    def add(self, row: ReleasedProbe) -> None:
        """One row more."""
        if row.family in self._pairs:
            self._pairs[row.family].append(pair_of(row))

    def check(self, folder: Path) -> Iterator[Problem]:
        """The report, worked out again."""
        place, needed = folder / SEVERITY, any(self._pairs.values())
        if not needed or not place.is_file():
            if needed != place.is_file():
                what = "there are pairs to compare and no report" if needed else "there is a report and nothing to compare"
                yield Problem(file=SEVERITY, what=what)
            return
        try:
            stated = SeverityReport.model_validate(orjson.loads(place.read_bytes())).model_dump(mode="json")
        except (orjson.JSONDecodeError, ValidationError) as error:
            yield Problem(file=SEVERITY, what="it is no report of severity", found=cut(error))
            return
        expected = compare(*(self._pairs[family] for family in COMPARED)).model_dump(mode="json")
        for crumb, one, other in _differences(expected, stated, ""):
            yield Problem(file=SEVERITY, what=f"{crumb} is not what the rows come to", expected=cut(one), found=cut(other))


def _differences(one: Any, other: Any, crumb: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            yield from _differences(one.get(name), other.get(name), f"{crumb}.{name}".lstrip("."))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from _differences(a, b, f"{crumb}.{i}")
    elif isinstance(one, float) and isinstance(other, float):
        if not math.isclose(one, other, rel_tol=NEAR, abs_tol=NEAR):
            yield crumb, one, other
    elif one != other:
        yield crumb, one, other
