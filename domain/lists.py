"""Lists whose rows moved, and rows that show another record: old texts in new places are no stale values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import regex

from domain.pair import Pair
from domain.reading import Element
from domain.text import normalize, tokens

_STEPS = regex.compile(r":nth-child\(\d+\)")
_DEPTH = 5
"""How many steps up from an element the rows of its list may be."""
_LEAST = 2
"""Members that must have moved before a list is said to have."""
LEAST_NUMBERED = 3
"""Rows in a row that must be numbered before their list is said to be."""
ANCHOR = 3
"""Letters or digits that a cell must have to say which record its row is: shorter ones may be those of places."""
PERMUTED_SHARE = 0.3
"""Share of a column's changed cells that show another row's old text, from which on its rows are taken to have moved."""


def mark_shifts(found: Sequence[Pair]) -> None:
    """In a list whose rows moved, the texts are old ones in new places: no field is stale.

    Members of a column differ by one place among siblings. It shifted where most of the changed ones now show what another
    member, always the same distance away, showed before; its rows are permuted where enough of the changed ones show a
    text that was another member's alone. A row that does so is another record, whole; so is one that nothing proves to be
    the same, in a list that was put in another order.
    """
    wanted = {key for pair in found if pair.moved and pair.shown is not None for key, _ in _columns_of(pair.shown)}
    if not wanted:
        return
    columns: dict[tuple[int, str, str], list[tuple[str, Pair]]] = defaultdict(list)
    rows: dict[tuple[int, str], list[Pair]] = defaultdict(list)
    for pair in found:
        if pair.serialized is None or pair.shown is None or not (pair.serialized.text or pair.shown.text):
            continue
        for key, row in _columns_of(pair.shown):
            if key in wanted:
                columns[key].append((row, pair))
            rows[key[0], row].append(pair)
    reordered: dict[tuple[int, str], set[str]] = defaultdict(set)
    for (frame, before, _), members in columns.items():
        reordered[frame, before].update(_moved_rows(members))
    for (frame, before), moved in reordered.items():
        if moved:
            _mark(rows, frame, moved | _unanchored(found, frame, before))


def _mark(rows: Mapping[tuple[int, str], Sequence[Pair]], frame: int, shifted: Iterable[str]) -> None:
    for row in shifted:
        for pair in rows[frame, row]:
            pair.shifted = pair.shifted or pair.moved


def _unanchored(found: Sequence[Pair], frame: int, before: str) -> set[str]:
    """The rows of a list that nothing proves to be the records they were: no cell that stayed says what no other row's does.

    Where some rows changed places, others may be new: a process that was not among the first ten.
    """
    columns: dict[str, list[tuple[str, Pair]]] = defaultdict(list)
    for pair in found:
        if pair.serialized is None or pair.shown is None or pair.shown.frame != frame or not pair.shown.text:
            continue
        for key, row in _columns_of(pair.shown):
            if key[1] == before:
                columns[key[2]].append((row, pair))
    every = {row for members in columns.values() for row, _ in members}
    anchored: set[str] = set()
    for members in columns.values():
        texts = Counter(normalize(pair.element.text) for _, pair in members)
        anchored.update(
            row
            for row, pair in members
            if not pair.moved
            and texts[normalize(pair.element.text)] == 1
            and sum(map(str.isalnum, pair.element.text)) >= ANCHOR
        )
    return every - anchored


def _columns_of(element: Element) -> list[tuple[tuple[int, str, str], str]]:
    """((frame, path before the row's place, path after it), path of the row) for each step that may be a list's row."""
    path = element.path
    spans = [m.span() for m in _STEPS.finditer(path)][-_DEPTH:]
    return [((element.frame, path[:start], path[end:]), path[:end]) for start, end in spans]


def _moved_rows(members: Sequence[tuple[str, Pair]]) -> set[str]:
    """The rows (by path) of one column that now show what other rows of it showed before; none where too few do."""
    changed = [i for i, (_, pair) in enumerate(members) if pair.moved]
    if len(changed) < _LEAST:
        return set()
    places: dict[str, list[int]] = defaultdict(list)
    for i, (_, pair) in enumerate(members):
        places[normalize(pair.serialized.text) if pair.serialized else ""].append(i)
    now = {i: normalize(members[i][1].element.text) for i in changed}
    # A text that several members had (Open, Closed) tells nothing of where it came from.
    origin = {i: places[now[i]][0] for i in changed if now[i] and len(places.get(now[i], ())) == 1}
    distances = Counter(j - i for i, j in origin.items() if j != i)
    shifted = bool(distances) and distances.most_common(1)[0][1] >= max(_LEAST, len(changed) / 2)
    alone = [i for i, j in origin.items() if len(now[i]) >= _LEAST and j != i]
    permuted = len(alone) >= max(_LEAST, PERMUTED_SHARE * len(changed))
    if shifted or permuted:
        return {members[i][0] for i, j in origin.items() if j != i}
    return {row for row, _ in members} if _jumped([pair for _, pair in members]) else set()


def _jumped(column: Sequence[Pair]) -> bool:
    """A window on a numbered list that went on by so far that no row is left: "Record 1" to "Record 9", then "Record 101" on.

    Told where all members changed, are numbered with the same step before and now, and say the same beside their number.
    A clock has no step from row to row, and prices have none that is the same.
    """
    if len(column) < LEAST_NUMBERED or not all(pair.moved and pair.serialized for pair in column):
        return False
    before = [_numbered(pair.serialized.text if pair.serialized else "") for pair in column]
    now = [_numbered(pair.element.text) for pair in column]
    if len({words for words, _ in (*before, *now)}) != 1 or any(number is None for _, number in (*before, *now)):
        return False
    steps = {
        second - first
        for numbers in ([n for _, n in before if n is not None], [n for _, n in now if n is not None])
        for first, second in pairwise(numbers)
    }
    return len(steps) == 1 and 0 not in steps


def _numbered(text: str) -> tuple[str, int | None]:
    """The text without its only whole number, and that number; None where it has none, or several."""
    numbers = _WHOLE.findall(text)
    return _WHOLE.sub("", normalize(text)).strip(), int(numbers[0]) if len(numbers) == 1 else None


_WHOLE = regex.compile(r"(?<![\p{N}.,:/-])[0-9]{1,15}(?![\p{N}.,:/%-])")
_ROW = regex.compile(r".*(?:^|> )(?:tr|li)(?::nth-child\(\d+\))?(?= > |$)")
_NUMERIC = regex.compile(r"\p{N}")
_ROW_WORDS = 4
"""Words by which a row is known: later ones may be values."""


def _identity(text: str) -> tuple[str, ...]:
    """The words of a text without its numbers and symbols."""
    return tuple(t for t in tokens(text) if not _NUMERIC.search(t) and any(c.isalpha() for c in t))


def mark_records(found: Sequence[Pair]) -> None:
    """A table row or list item whose first words are others now shows another record: its values are not stale ones.

    `row` of its members: these words, by which the row is known wherever in its list it stands.
    """
    rows: dict[tuple[int, str], list[Pair]] = defaultdict(list)
    for pair in found:
        if pair.shown is None or pair.serialized is None:
            continue
        row = _ROW.match(pair.shown.path)
        if row:
            rows[pair.shown.frame, row[0]].append(pair)
    for members in rows.values():
        if len(members) < _LEAST:
            continue  # a row of one text has nothing beside its value to be known by
        first = next(
            (p for p in members if p.serialized and p.shown and (_identity(p.serialized.text) or _identity(p.shown.text))),
            None,
        )
        if first is None or first.serialized is None or first.shown is None:
            continue
        # The first cell with words of its own; the row itself has those of all its cells.
        named = next((e for p in members if (e := p.shown) and "own" in e.flags and _identity(e.text)), first.shown)
        words = " ".join(_identity(named.text)[:_ROW_WORDS])
        for member in members:
            member.row = words
        if _identity(first.serialized.text) and _identity(first.serialized.text)[:1] != _identity(first.shown.text)[:1]:
            for member in members:
                member.other_record = True
