"""What is different between two releases, or two files of rows: added, removed, changed and why. Both are read side by side."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import Field

from builder.assembled import ROWS, none_in
from domain.errors import BadInput, NotFound
from domain.record import Record

Row = dict[str, Any]
Reason = Literal[
    "gold changed",
    "structural changed",
    "picture differs",
    "structure differs",
    "question changed",
    "edit changed",
    "channels differ",
    "terms changed",
    "provenance only",
]
LABELS = frozenset({"release", "partial"})
"""Fields that tell which release a row is in. Two releases always differ in them, so by themselves they are no change."""
_FIELDS: Mapping[str, Reason] = {
    "gold": "gold changed",
    "structural": "structural changed",
    "screenshot": "picture differs",
    "structure": "structure differs",
    "family": "question changed",
    "kind": "question changed",
    "platform": "question changed",
    "region": "question changed",
    "variable": "question changed",
    "view": "question changed",
    "edit": "edit changed",
    "channels": "channels differ",
    "made": "terms changed",
    "redistribution": "terms changed",
    "splits": "terms changed",
}
_FOLLOWS = frozenset({"id", "options"})
"""Fields that follow from others: they change with gold or structural alone."""
_MOVE_CHANNELS = frozenset({"screenshot", "structure", "view", "region", "edit"})
"""Fields whose change shows in the channels' hashes too."""


class Listed(Record):
    """A probe that is only in one of the two."""

    id: str
    family: str
    kind: str | None
    gold: str
    structural: str


class Changed(Record):
    """A probe that is in both, and not the same. Where gold or structural changed, so did its id."""

    id: str = Field(description="in the first")
    now: str = Field(description="in the second")
    family: str
    reasons: tuple[Reason, ...]
    fields: Mapping[str, tuple[Any, Any]] = Field(
        description="field, with dots into it -> value in the first and in the second"
    )


class Difference(Record):
    """All differences of two releases."""

    added: tuple[Listed, ...]
    removed: tuple[Listed, ...]
    changed: tuple[Changed, ...]
    same: int = Field(description="rows that are the same, whichever release they say they are in")
    families: Mapping[str, Mapping[str, int]] = Field(description="family -> how many added, removed, changed, same")

    @property
    def none(self) -> bool:
        """Whether there is no difference."""
        return not (self.added or self.removed or self.changed)


def diff(first: Path, second: Path) -> Difference:
    """Two release folders or probes.jsonl files. Raises NotFound, BadInput at a line that is no row or not in order.

    Only rows that differ are held in memory.
    """
    added: dict[str, Row] = {}
    removed: dict[str, Row] = {}
    changed: list[Changed] = []
    same: Counter[str] = Counter()
    for one, other in _pairs(first, second):
        if one is None or other is None:
            row = one or other or {}
            (removed if other is None else added)[row["id"]] = row
        elif found := _changed(one, other):
            changed.append(found)
        else:
            same[one["family"]] += 1
    changed += _renamed(removed, added)
    families: dict[str, Counter[str]] = defaultdict(Counter)
    for family, count in same.items():
        families[family]["same"] += count
    for name, rows in (("added", added.values()), ("removed", removed.values())):
        for row in rows:
            families[row["family"]][name] += 1
    for each in changed:
        families[each.family]["changed"] += 1
    return Difference(
        added=tuple(map(_listed, added.values())),
        removed=tuple(map(_listed, removed.values())),
        changed=tuple(sorted(changed, key=lambda each: (each.id, each.now))),
        same=same.total(),
        families={family: dict(sorted(counts.items())) for family, counts in sorted(families.items())},
    )


def _pairs(first: Path, second: Path) -> Iterator[tuple[Row | None, Row | None]]:
    """Rows of both in the order of ids, those with one id together."""
    left, right = _rows(first), _rows(second)
    one, other = next(left, None), next(right, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one["id"] < other["id"]):
            yield one, None
            one = next(left, None)
        elif one is None or other["id"] < one["id"]:
            yield None, other
            other = next(right, None)
        else:
            yield one, other
            one, other = next(left, None), next(right, None)


def _rows(path: Path) -> Iterator[Row]:
    place = path / ROWS if path.is_dir() else path
    if len(path.parts) == 1 and path.suffix != Path(ROWS).suffix and not path.exists():
        raise none_in(path)
    if not place.is_file():
        raise NotFound(f"{place}: there is no such file. Give a release's folder, or a file of rows such as {ROWS}.")
    last = ""
    with place.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = orjson.loads(line)
                name = row["id"]
                missing = sorted({"family", "gold", "structural", "variable", "provenance"} - row.keys())
            except (orjson.JSONDecodeError, TypeError, KeyError) as error:
                raise BadInput(f"{place}, line {number} is no row: {error!r}") from None
            if missing:
                raise BadInput(f"{place}, line {number} is no row: it has no {', '.join(missing)}.")
            if not isinstance(name, str) or name <= last:
                raise BadInput(f"{place}, line {number}: {name!r} is not in the order of ids, after {last!r}.")
            last = name
            yield row


def _renamed(removed: dict[str, Row], added: dict[str, Row]) -> Iterator[Changed]:
    """An element that is asked the same in both with other values has another id in each: one change, not two."""
    left, right = _by_element(removed), _by_element(added)
    for element in sorted(left.keys() & right.keys()):
        if len(left[element]) == len(right[element]) == 1:
            one, other = left[element][0], right[element][0]
            if found := _changed(removed.pop(one), added.pop(other)):  # ids differ, so there is always something
                yield found


def _by_element(rows: Mapping[str, Row]) -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, row in rows.items():
        came = row["provenance"]
        found[row["family"], str(row.get("kind")), row["variable"], came["source"], came["element"]].append(name)
    return found


def _changed(one: Row, other: Row) -> Changed | None:
    fields = {name: pair for name, pair in _fields(one, other, "") if name not in LABELS}
    if not fields:
        return None
    tops = {name.partition(".")[0] for name in fields} - _FOLLOWS
    if tops & _MOVE_CHANNELS:
        tops.discard("channels")
    reasons = dict.fromkeys(reason for name, reason in _FIELDS.items() if name in tops)
    return Changed(
        id=one["id"], now=other["id"], family=one["family"], reasons=tuple(reasons) or ("provenance only",), fields=fields
    )


def _fields(one: Any, other: Any, crumb: str) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Each place where the two differ; lists are compared whole."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            yield from _fields(one.get(name), other.get(name), f"{crumb}.{name}" if crumb else name)
    elif one != other:
        yield crumb, (one, other)


def _listed(row: Row) -> Listed:
    return Listed(id=row["id"], family=row["family"], kind=row.get("kind"), gold=row["gold"], structural=row["structural"])
