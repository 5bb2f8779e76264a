"""Pixel checks of what is stored: divergences that nobody has looked at, capture by capture, kept as they are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby

from pydantic import Field

from channels.readers import Reader
from crawler.drawing import store_checks_and_draw
from crawler.filing import Archive
from crawler.pixel_check import check
from domain.divergence import Verdict
from domain.errors import BadInput, NotFound
from domain.pixel_check import Check
from domain.record import Record
from domain.visit import CaptureRecord
from store.captures import StoredDivergence, divergences, find_capture, find_visit
from store.checks import unchecked

Looked = Callable[[StoredDivergence, Check], None]


class Checks(Record):
    """What a run of checks came to."""

    reader: str
    checked: int
    unreadable_captures: int = Field(description="captures whose screenshot was pruned, is missing or cannot be decoded")
    verdicts: dict[str, int]
    reasons: dict[str, int]
    stopped: bool = Field(default=False, description="Ctrl-C: what was checked by then is kept, and the rest is still to do")


def check_stored(
    archive: Archive,
    reader: Reader,
    *,
    site: str | None = None,
    kind: str | None = None,
    verdict: Verdict | None = "flagged",
    again: bool = False,
    another: bool = False,
    limit: int | None = None,
    on_check: Looked = lambda _divergence, _check: None,
) -> Checks:
    """Checks divergences that have no check yet, oldest first, and draws the probes that follow from what is confirmed.

    Saved a capture at a time, so that stopping loses next to nothing. verdict: None for flagged and for review. again: also
    those that were checked; this reader's own answer is replaced. another: those that this reader has not looked at, whoever
    else has.
    """
    verdicts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    lost, stopped = 0, False
    wanted = (
        _all(archive, site, kind, verdict, limit)
        if again
        else unchecked(
            archive.database, site=site, kind=kind, verdict=verdict, reader=reader.version if another else None, limit=limit
        )
    )
    try:
        for _, group in groupby(wanted, key=lambda pair: pair[1].id):
            together = list(group)
            try:
                found = _of_capture(archive, reader, together[0][1], [divergence for divergence, _ in together])
            except (NotFound, BadInput):
                lost += 1
                continue
            store_checks_and_draw(archive, together[0][1].id, {divergence.id: made for divergence, made in found})
            for divergence, made in found:
                verdicts[made.verdict] += 1
                reasons[f"{made.verdict}: {made.reason}"] += 1
                on_check(divergence, made)
    except KeyboardInterrupt:
        stopped = True
    return Checks(
        reader=reader.version,
        checked=verdicts.total(),
        unreadable_captures=lost,
        verdicts=dict(verdicts.most_common()),
        reasons=dict(reasons.most_common()),
        stopped=stopped,
    )


def _all(
    archive: Archive, site: str | None, kind: str | None, verdict: Verdict | None, limit: int | None
) -> Iterator[tuple[StoredDivergence, CaptureRecord]]:
    """Every divergence that matches and has a row, each with its capture."""
    found = divergences(archive.database, site=site, kind=kind, verdict=verdict, limit=limit)
    for capture_id, group in groupby(found, key=lambda divergence: divergence.capture_id):
        _, capture = find_capture(archive.database, capture_id)
        yield from ((divergence, capture) for divergence in group)


def _of_capture(
    archive: Archive, reader: Reader, capture: CaptureRecord, together: list[StoredDivergence]
) -> list[tuple[StoredDivergence, Check]]:
    """Raises NotFound or BadInput where the screenshot cannot be had."""
    if "screenshot" not in capture.artifacts:
        raise NotFound(f"Capture {capture.id} has no screenshot.")
    screenshot = archive.blobs.get(capture.artifacts["screenshot"])
    scale = find_visit(archive.database, together[0].visit_id).viewport.scale
    checks = check(reader, screenshot, scale, [divergence.finding for divergence in together])
    return [(divergence, made) for divergence, made in zip(together, checks, strict=True) if made is not None]
