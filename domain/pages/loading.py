"""loading: a page that is not there yet: something turns, or grey blocks stand in, and there is little else."""

from __future__ import annotations

import regex

from domain.geometry import Box
from domain.pages.facts import Busy, PageFacts, Text
from domain.pages.phrases import LOADING
from domain.pages.verdict import PageVerdict
from domain.pages.words import bare

# What stands in for text that is to come: dots, dashes, blocks.
STAND_IN = regex.compile(r"[\s.\u2026\u2013\u2014\-_\u2588\u25a0\u25cf\u2022]*")
SENTENCE = 80
"""Characters of the longest text that says only this."""
WIDE = 40
"""CSS px of a grey block that is as wide as a word; what is narrower is a dot or a bullet."""
FINE = (36, 48)
"""Rows and columns in which an empty space is looked for."""
FEW = 60
"""Characters beside the spinner that are a name, a slogan or a version, and no content."""
SPINS = regex.compile(r"spin|load|rotat|progress|throbber|splash|preload|busy|circular|indeterminate|dots|ellipsis|bounce")
GLIMMERS = regex.compile(r"skelet|shimmer|placeholder|ghost|glimmer|bone|pulse|wave|loading")


def only_loading(text: str) -> bool:
    """Whether a text says nothing but that something is on its way."""
    plain = bare(regex.sub(r"\s*[\d.,]+ ?%?\s*$", "", text))
    return STAND_IN.fullmatch(plain) is not None or (len(plain) <= SENTENCE and LOADING.fullmatch(plain) is not None)


def _is_spinner(busy: Busy, facts: PageFacts) -> bool:
    """Something small that turns, or a bar that does not say how far it is, with no text but "Loading"."""
    if not busy.top or busy.value or busy.media or not only_loading(busy.text):
        return False
    share = facts.share(busy.box)
    if busy.kind == "skeleton":
        return False
    if busy.kind == "named":
        # A name alone may be anybody's; small, and a name for what turns.
        return share < 0.1 and SPINS.search(busy.marks.lower()) is not None and busy.box.width >= 8 and busy.box.height >= 3  # noqa: PLR2004
    if busy.kind == "animation":
        # A line of glimmer is a skeleton's; a dot that pulses is too small to be what is waited for.
        return share < 0.35 and busy.box.width * busy.box.height >= 30  # noqa: PLR2004
    return True


def _is_block(busy: Busy) -> bool:
    """A grey block that stands in for text or a picture."""
    if not busy.top or busy.media or busy.text or busy.box.width < 16 or busy.box.height < 6:  # noqa: PLR2004
        return False
    if busy.kind == "skeleton":
        return True
    return (
        busy.kind == "animation"
        and GLIMMERS.search(f"{busy.animation} {busy.marks}".lower()) is not None
        and busy.box.width > WIDE
    )


def _content(facts: PageFacts) -> list[Text]:
    """Texts that are seen and are neither furniture of the page nor "Loading"."""
    return [t for t in facts.seen if not t.furniture and not only_loading(t.text)]


def _length(texts: list[Text]) -> int:
    return sum(len(t.text) for t in texts)


def _says_loading(facts: PageFacts) -> list[Text]:
    return [t for t in facts.seen if only_loading(t.text) and any(c.isalpha() for c in t.text)]


def _pictures(facts: PageFacts, besides: list[Box]) -> float:
    """Share of the viewport with pictures, fields or frames, those in the given boxes left out."""
    if not facts.points:
        return 0.0
    outside = [(x, y) for x, y in facts.cells("mcf") if not any(_in(b, x, y) for b in besides)]
    return len(outside) / facts.points


def _in(box: Box, x: float, y: float) -> bool:
    return box.x - 2 <= x <= box.x + box.width + 2 and box.y - 2 <= y <= box.y + box.height + 2


def by_spinner(facts: PageFacts) -> PageVerdict | None:
    """Something turns, or the page says that it loads, and nothing else is there to see."""
    spinners = [b for b in facts.busy if _is_spinner(b, facts)]
    says = _says_loading(facts)
    if not spinners and not says:
        return None
    everything = _length([t for t in facts.seen if not only_loading(t.text)])
    if everything > FEW or _pictures(facts, [b.box for b in spinners]) > 0.25:  # noqa: PLR2004 - a picture of some size is content
        return None
    what = (
        f"it says {says[0].text[:40]!r}"
        if says
        else f"something waits ({spinners[0].animation or spinners[0].marks.strip() or spinners[0].tag})"
    )
    return PageVerdict(kind="loading", rule="spinner-alone", reason=f"{what}, and {everything} characters beside it")


def by_space(facts: PageFacts) -> PageVerdict | None:
    """A frame of navigation around an empty middle with a spinner in it: the content is still to come."""
    if not facts.points or _length(_content(facts)) > 200 or _pictures(facts, []) > 0.3:  # noqa: PLR2004 - then there is content
        return None
    waiting = [(b.box, b.ground, b.animation or b.marks.strip() or b.kind) for b in facts.busy if _is_spinner(b, facts)]
    waiting += [(t.box, None, t.text[:40]) for t in _says_loading(facts)]
    for box, ground, name in waiting:
        space = _space_around(facts, box)
        if ground is not None:
            # A spinner in a card or a player is the card's.
            space = space.overlap(ground)
        x, y = box.x + box.width / 2, box.y + box.height / 2
        middle = (
            abs(x - space.x - space.width / 2) < 0.2 * space.width
            and space.y + 0.05 * space.height < y < space.y + 0.9 * space.height
        )
        if middle and facts.share(space) > 0.45:  # noqa: PLR2004 - about half of the viewport
            return PageVerdict(
                kind="loading",
                rule="spinner-in-empty-space",
                reason=f"{name} in the middle of an empty {facts.share(space):.0%} of the viewport",
            )
    return None


def _space_around(facts: PageFacts, box: Box) -> Box:
    """The empty rectangle of the grid around a box's middle, grown a step at a time to each side while nothing is met."""
    rows, columns = FINE
    width, height = facts.view.width / columns, facts.view.height / rows
    full = {(r, c) for t in facts.seen if not only_loading(t.text) for r, c in _cells(facts, t.box)}
    for x, y in facts.cells("mcfp"):
        tall, wide = facts.view.height / len(facts.grid), facts.view.width / len(facts.grid[0])
        full |= _cells(facts, Box(x - wide / 4, y - tall / 4, wide / 2, tall / 2))
    full -= _cells(facts, Box(box.x - 8, box.y - 8, box.width + 16, box.height + 16))

    def empty(row: int, column: int) -> bool:
        return (row, column) not in full

    row, column = min(rows - 1, int((box.y + box.height / 2) / height)), min(columns - 1, int((box.x + box.width / 2) / width))
    top = bottom = row
    left = right = column
    grown = True
    while grown:
        grown = False
        if left > 0 and all(empty(r, left - 1) for r in range(top, bottom + 1)):
            left, grown = left - 1, True
        if right < columns - 1 and all(empty(r, right + 1) for r in range(top, bottom + 1)):
            right, grown = right + 1, True
        if top > 0 and all(empty(top - 1, c) for c in range(left, right + 1)):
            top, grown = top - 1, True
        if bottom < rows - 1 and all(empty(bottom + 1, c) for c in range(left, right + 1)):
            bottom, grown = bottom + 1, True
    return Box(left * width, top * height, (right - left + 1) * width, (bottom - top + 1) * height)


def _cells(facts: PageFacts, box: Box) -> set[tuple[int, int]]:
    """The cells of the fine grid that a box touches, as (row, column)."""
    rows, columns = FINE
    width, height = facts.view.width / columns, facts.view.height / rows
    across = range(max(0, int(box.x / width)), min(columns - 1, int((box.x + box.width) / width)) + 1)
    down = range(max(0, int(box.y / height)), min(rows - 1, int((box.y + box.height) / height)) + 1)
    return {(r, c) for r in down for c in across}


def by_sheet(facts: PageFacts) -> PageVerdict | None:
    """A sheet over the content with nothing on it but a spinner."""
    for index, layer in enumerate(facts.layers):
        if layer.position == "static" or not facts.points or layer.points < 0.6 * facts.points:
            continue
        inside = facts.within(index)
        texts = [t for t in facts.texts if t.layer in inside]
        if _length([t for t in texts if not only_loading(t.text)]) > FEW or layer.main:
            continue
        turning = [b for b in facts.busy if _is_spinner(b, facts)]
        # A cross that closes a dialog is no word for loading.
        says = any(only_loading(t.text) and any(c.isalpha() for c in t.text) for t in texts)
        if (turning or says) and layer.alpha >= 0.3 and not _covered_pictures(facts):  # noqa: PLR2004 - it darkens
            return PageVerdict(
                kind="loading",
                rule="spinner-over-content",
                reason=f"a sheet over {layer.points / facts.points:.0%} of the viewport",
            )
    return None


def _covered_pictures(facts: PageFacts) -> bool:
    """Pictures on top over most of the viewport: a gallery in a box of light, not a sheet."""
    return sum(1 for _ in facts.cells("mf")) > 0.4 * facts.points


def by_skeleton(facts: PageFacts) -> PageVerdict | None:
    """Grey blocks stand where the content will be, and there is little of it."""
    blocks = [b for b in facts.busy if _is_block(b)]
    if not facts.points:
        return None
    content = _content(facts)
    # Blocks that say what they are by an animation or a name, and plain ones: many of them, and no text at all.
    marked = facts.covered([b.box for b in blocks])
    plain = sum(1 for _ in facts.cells("p")) / facts.points
    shown = facts.covered([t.box for t in content]) + sum(1 for _ in facts.cells("mf")) / facts.points
    if len(blocks) >= 4 and marked >= 0.05 and _length(content) < 400 and marked > 1.5 * shown:  # noqa: PLR2004
        what = f"{len(blocks)} grey blocks on {marked:.0%} of the viewport"
    elif plain >= 0.2 and _length(content) < FEW and plain > 3 * shown:  # noqa: PLR2004
        what = f"plain blocks on {plain:.0%} of the viewport"
    else:
        return None
    return PageVerdict(kind="loading", rule="skeleton", reason=f"{what}, {_length(content)} characters of content")


def by_busy(facts: PageFacts) -> PageVerdict | None:
    """The page itself says that its main part is busy (aria-busy), and there is little text."""
    for busy in facts.busy:
        if busy.kind == "busy" and facts.share(busy.box) > 0.4 and _length(_content(facts)) < FEW:  # noqa: PLR2004
            return PageVerdict(
                kind="loading", rule="aria-busy", reason=f"aria-busy on {facts.share(busy.box):.0%} of the viewport"
            )
    return None


RULES = (by_spinner, by_sheet, by_skeleton, by_space, by_busy)
