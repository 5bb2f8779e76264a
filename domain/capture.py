"""Capture, Pair: the two channels of one page beside each other, element by element.

A capture is three readings around one screenshot; everything the rules look at comes from it, so they can be asked again
of a stored one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import regex

from domain.geometry import Box
from domain.reading import Element, Snapshot
from domain.text import normalize, tokens, visible_characters

BOX_TOLERANCE_PX = 0.51
"""Layout is in 1/64 px and readings are rounded to 1/100; half a pixel is no move that a screenshot shows."""
LINE_LIMIT = 80
"""Characters: a longer run of pieces is a text of its own, not one value set in several elements."""

Ink = Callable[[Box], float | None]
"""Share of a region's pixels that are not its ground, 0 to 1; None where the region is not on the picture."""


@dataclass(frozen=True, slots=True)
class AccessibleName:
    """What the browser's own accessibility tree calls an element, and where it took that from.

    source: aria-label, aria-labelledby, alt, title, contents, placeholder, label, caption, value or "" for no name.
    """

    role: str
    name: str
    source: str
    ignored: bool = False


@dataclass(frozen=True, slots=True)
class Capture:
    """served: as the structure was given. before, after: around the pixels. ink: asks the screenshot.

    names: key of an element -> its accessible name, while the page was stopped; only of elements that may be compared.
    """

    served: Snapshot
    before: Snapshot
    after: Snapshot
    ink: Ink | None = None
    names: Mapping[int, AccessibleName] = field(default_factory=dict)


@dataclass(slots=True)
class Pair:
    """One element in both channels. Either side may be missing: it appeared, or it is gone."""

    serialized: Element | None
    shown: Element | None
    settled: bool = True
    replaced: bool = False
    changed_inside: bool = False
    shifted: bool = False
    other_record: bool = False
    row: str = ""
    accessible: AccessibleName | None = None
    inner: list[Pair] = field(default_factory=list, repr=False)

    @property
    def element(self) -> Element:
        """The side to point at: what is on the screen, else what the structure had."""
        found = self.shown or self.serialized
        assert found is not None, "a pair has at least one side"  # noqa: S101 - an invariant of pairing, not input
        return found

    @property
    def moved(self) -> bool:
        """The text on the screen is another than when the structure was read; form and case count, blanks do not."""
        return (
            self.serialized is not None
            and self.shown is not None
            # Most have not: told without looking at single characters.
            and self.serialized.text != self.shown.text
            and visible_characters(self.serialized.text) != visible_characters(self.shown.text)
        )


def pairs(capture: Capture) -> tuple[Pair, ...]:
    """Every element of both readings once, parents before children; the gone ones last."""
    served = capture.served
    same_field = _same_fields(served, capture.before)
    found: list[Pair] = []
    by_index: dict[int, Pair] = {}
    taken: set[int] = set()
    for i, shown in enumerate(capture.before.elements):
        j = served.by_key.get(shown.key)
        replaced = j is None
        if j is None:
            j = same_field.get(i)
        if j is not None:
            taken.add(j)
        pair = Pair(
            served.elements[j] if j is not None else None,
            shown,
            _settled(shown, capture.after),
            replaced and j is not None,
            accessible=capture.names.get(shown.key),
        )
        found.append(pair)
        by_index[i] = pair
        if shown.parent in by_index:
            by_index[shown.parent].inner.append(pair)
    mark_shifts(found)
    _mark_records(found)
    found += [_absent(element) for j, element in enumerate(served.elements) if j not in taken]
    return tuple(found)


NOT_READ_AGAIN = frozenset({"not-rendered", "off-viewport", "hidden"})
"""Why an element of S0 may be missing at S1 though it is still there: the readings around the pixels leave out what is not
drawn and what is a screen or more away."""


def _absent(served: Element) -> Pair:
    """An element of S0 that the readings around the pixels do not have: gone, or as unseen as it was."""
    return Pair(served, served, settled=True) if served.why_unseen in NOT_READ_AGAIN else Pair(served, None)


def _same_fields(served: Snapshot, shown: Snapshot) -> dict[int, int]:
    """Index in `shown` -> index in `served` for new nodes that stand for nodes that are gone: the same field, re-rendered.

    By id attribute, else by place (same path and tag), else by its text where that is the text of exactly one.
    """
    gone = [i for i, e in enumerate(served.elements) if e.key not in shown.by_key]
    new = [i for i, e in enumerate(shown.elements) if e.key not in served.by_key]
    matched: dict[int, int] = {}
    for key in (_by_id, _by_place, _by_text):
        places: dict[object, list[int]] = defaultdict(list)
        for j in gone:
            if (name := key(served.elements[j])) is not None:
                places[name].append(j)
        taken = set(matched.values())
        rivals = Counter(key(shown.elements[i]) for i in new if i not in matched)
        for i in new:
            name = key(shown.elements[i])
            candidates = [j for j in places.get(name, ()) if j not in taken]
            if i not in matched and name is not None and len(candidates) == 1 and rivals[name] == 1:
                matched[i] = candidates[0]
    return matched


def _by_id(e: Element) -> tuple[object, ...] | None:
    return (e.frame, e.tag, e.element_id) if e.element_id else None


def _by_place(e: Element) -> tuple[object, ...] | None:
    return (e.frame, e.tag, e.path, e.element_id)


def _by_text(e: Element) -> tuple[object, ...] | None:
    return (e.frame, normalize(e.text)) if e.text and "own" in e.flags else None


def _settled(shown: Element, after: Snapshot) -> bool:
    i = after.by_key.get(shown.key)
    if i is None:
        return False
    again = after.elements[i]
    if (
        again.text != shown.text
        or again.why_unseen != shown.why_unseen
        or (again.state and again.state.live) != (shown.state and shown.state.live)
    ):
        return False
    if shown.box is None or again.box is None:
        return shown.box is again.box
    return shown.box.near(again.box, BOX_TOLERANCE_PX)


_STEPS = regex.compile(r":nth-child\(\d+\)")
_DEPTH = 5
"""How many steps up from an element the rows of its list may be."""
_LEAST = 2
"""Members that must have moved before a list is said to have."""
PERMUTED_SHARE = 0.3
"""Share of a column's changed cells that show another row's old text, from which on its rows are taken to have moved."""


def mark_shifts(found: Sequence[Pair]) -> None:
    """In a list whose rows moved, the texts are old ones in new places: no field is stale.

    Members of a column differ by one place among siblings. It shifted where most of the changed ones now show what another
    member, always the same distance away, showed before; its rows are permuted where enough of the changed ones show a
    text that was another member's alone. A row whose cell in such a column changed is another record, whole.
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
    for (frame, _, _), members in columns.items():
        for row in _moved_rows(members):
            for pair in rows[frame, row]:
                pair.shifted = pair.shifted or pair.moved


def _columns_of(element: Element) -> list[tuple[tuple[int, str, str], str]]:
    """((frame, path before the row's place, path after it), path of the row) for each step that may be a list's row."""
    path = element.path
    spans = [m.span() for m in _STEPS.finditer(path)][-_DEPTH:]
    return [((element.frame, path[:start], path[end:]), path[:end]) for start, end in spans]


def _moved_rows(members: Sequence[tuple[str, Pair]]) -> list[str]:
    """The rows (by path) of one column that now show what other rows of it showed before."""
    changed = [i for i, (_, pair) in enumerate(members) if pair.moved]
    if len(changed) < _LEAST:
        return []
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
    return [members[i][0] for i in changed] if shifted or permuted else []


_ROW = regex.compile(r".*(?:^|> )(?:tr|li)(?::nth-child\(\d+\))?(?= > |$)")
_NUMERIC = regex.compile(r"\p{N}")
_ROW_WORDS = 4
"""Words by which a row is known: later ones may be values."""


def _identity(text: str) -> tuple[str, ...]:
    """The words of a text without its numbers and symbols."""
    return tuple(t for t in tokens(text) if not _NUMERIC.search(t) and any(c.isalpha() for c in t))


def _mark_records(found: Sequence[Pair]) -> None:
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
