"""Sets of conflicts for `builder severity`: from a release, a file of probes, a table of pairs, or the store."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from builder.assembled import ROWS, folder_of
from builder.severity import Pair
from domain.errors import BadInput
from domain.families import NAMES, web_natural
from domain.probe import LIVE
from store.database import open_database
from store.probes import probes
from store.settings import store_settings

COLUMNS = (("pixel", "structure"), ("gold", "structural"))
"""Either pair of names says what the pixels show and what the structure says."""
_COLUMNS = " or ".join(", ".join(names) for names in COLUMNS)
WHAT = f"a release's folder or name, a .jsonl or .csv with columns {_COLUMNS}, live, or a family"


@dataclass(frozen=True, slots=True)
class PairSet:
    """name: for people: which family of what."""

    name: str
    pairs: tuple[Pair, ...]


def pair_set(source: str, *, family: str | None, usual: str, kind: str | None = None) -> PairSet:
    """The pairs of a source (see WHAT), of one family and kind where these are asked for.

    usual: the family that is taken of a set of several when none is asked for. Raises BadInput: which file, which line, what.
    """
    path = folder_of(Path(source), store_settings().releases)
    if path.exists():
        return _chosen(source, list(_of_file(path)), family, usual, kind)
    wanted = web_natural.NAME if source == LIVE else source
    if wanted not in NAMES:
        raise BadInput(f"{source!r} is not there and is no family. Expected {WHAT} of the store ({', '.join(NAMES)}).")
    if family not in {None, wanted}:
        raise BadInput(f"{source!r} is of family {wanted}, not {family}.")
    with open_database() as database:
        found = [
            (wanted, Pair(one.probe.gold, one.probe.structural, one.probe.kind)) for one in probes(database, family=wanted)
        ]
    return _chosen(f"{wanted} of the store", found, wanted, usual, kind, named=True)


def _chosen(
    source: str,
    found: Sequence[tuple[str | None, Pair]],
    family: str | None,
    usual: str,
    kind: str | None,
    *,
    named: bool = False,
) -> PairSet:
    families = {of for of, _ in found if of}
    wanted = family or (usual if len(families) > 1 else None)
    if wanted is not None and families and wanted not in families:
        raise BadInput(f"{source} has no probes of {wanted}. It has {', '.join(sorted(families))}.")
    pairs = tuple(pair for of, pair in found if (wanted is None or of in {wanted, None}) and kind in {None, pair.kind})
    one = wanted or (next(iter(families)) if len(families) == 1 else None)
    name = source if named or one is None else f"{one} of {Path(source).name or source}"
    return PairSet(name if kind is None else f"{name}, {kind}", pairs)


def _of_file(path: Path) -> Iterator[tuple[str | None, Pair]]:
    if path.is_dir():
        path /= ROWS
        if not path.is_file():
            raise BadInput(f"{path.parent} holds no release: there is no {ROWS} in it. Expected {WHAT}.")
    if path.suffix == ".csv":
        yield from _of_csv(path)
    elif path.suffix == ".jsonl":
        yield from (_pair(f"{path}, line {n}", row) for n, row in _lines(path))
    else:
        raise BadInput(f"{path}: expected {WHAT}.")


def _lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    with path.open("rb") as lines:
        for n, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise BadInput(f"{path}, line {n}: no JSON: {error.msg}.") from None
            if not isinstance(row, dict):
                raise BadInput(f"{path}, line {n}: a JSON object was expected.")
            yield n, row


def _of_csv(path: Path) -> Iterator[tuple[str | None, Pair]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines, strict=True)
            for row in reader:
                where = f"{path}, line {reader.line_num}"
                if None in row or None in row.values():
                    cells = sum(value is not None for name, value in row.items() if name is not None) + len(row.get(None) or ())
                    raise BadInput(f"{where}: {cells} cells, but {len(reader.fieldnames or ())} columns.")
                yield _pair(where, row)
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: no UTF-8 at byte {error.start}.") from None
    except csv.Error as error:
        raise BadInput(f"{path}: no CSV: {error}.") from None


def _pair(where: str, row: Mapping[str, Any]) -> tuple[str | None, Pair]:
    names = next((names for names in COLUMNS if all(name in row for name in names)), None)
    if names is None:
        told = " or ".join(" and ".join(names) for names in COLUMNS)
        raise BadInput(f"{where}: expected {told}, found {_listed(row)}.")
    texts = [row[name] for name in names]
    for name, text in zip(names, texts, strict=True):
        if text is not None and not isinstance(text, str):
            raise BadInput(f"{where}: {name} is no text but {text!r}.")
    family, kind = (row.get(name) or None for name in ("family", "kind"))
    if not all(one is None or isinstance(one, str) for one in (family, kind)):
        raise BadInput(f"{where}: family and kind are texts, not {family!r} and {kind!r}.")
    return family, Pair(texts[0] or "", texts[1] or "", kind)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(map(str, names))) or "nothing"
