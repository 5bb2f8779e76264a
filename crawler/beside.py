"""beside: pixel checks while visits go on. Each visit waits for its own, holding neither a browser nor a lane."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import structlog

from crawler.checker import Checker
from crawler.drawing import store_checks_and_draw
from crawler.evidence import Evidence
from crawler.filing import Archive
from crawler.visit import Visited
from crawler.waiting import Stop, keep
from domain.divergence import Finding
from domain.errors import BadInput, NotFound, Unavailable
from domain.pixel_check import Check
from store.captures import StoredDivergence, divergences, find_visit

log = structlog.get_logger()
Checks = tuple[Check | None, ...]


@dataclass(frozen=True, slots=True)
class Unlooked:
    """A stored capture whose flagged divergences nobody has looked at."""

    capture_id: str
    screenshot: bytes
    scale: float
    divergences: Sequence[StoredDivergence]


class PixelChecks:
    """The checks of a run. What is not checked when it is told to stop is left for `crawler check`."""

    def __init__(self, stop: Stop, on_drawn: Callable[[int], None] = lambda _: None) -> None:
        """on_drawn: is told, for each visit, how many probes came of it that were not there before."""
        self._stop, self._loop, self._on_drawn = stop, asyncio.get_running_loop(), on_drawn
        self._answers: dict[str, asyncio.Future[Sequence[Check | None]]] = {}
        self._checker: Checker | None = None
        self._told = False

    async def of(self, visited: Visited, archive: Archive | None) -> Visited:
        """The visit with a check beside each flagged finding; stored, and probes drawn, where there is an archive."""
        evidence = [replace(e, checks=await self._of(e, visited.visit.viewport.scale)) for e in visited.evidence]
        if archive is not None:
            await self._stored(archive, visited.visit.id, lambda: _store(archive, visited.visit.id, evidence))
        return replace(visited, evidence=tuple(evidence))

    async def made_up_for(self, archive: Archive, visit_id: str) -> None:
        """The checks of a visit whose worker was killed between storing it and looking at its pixels."""
        for asked in await asyncio.to_thread(_unlooked, archive, visit_id):
            findings = [one.finding for one in asked.divergences]
            answers = await self._ask(asked.capture_id, asked.screenshot, asked.scale, findings)
            checks = {d.id: check for d, check in zip(asked.divergences, answers, strict=False) if check is not None}
            if checks:
                await self._stored(archive, visit_id, partial(_draw, archive, asked.capture_id, checks))

    async def _stored(self, archive: Archive, visit_id: str, store: Callable[[], int]) -> None:
        try:
            new = await keep(store, stop=self._stop, why=f"checks of {visit_id[:12]}", mend=archive.database.revive)
        except Unavailable as error:
            log.warning("check.failed", why=str(error), remedy="The visit is stored. Afterwards: crawler check")
        else:
            self._on_drawn(new)

    async def _of(self, evidence: Evidence, scale: float) -> Checks:
        flagged = [i for i, finding in enumerate(evidence.findings) if finding.verdict == "flagged"]
        if not flagged or self._stop.is_set():
            return ()
        picture = evidence.artifacts["screenshot"]
        answers = await self._ask(evidence.record.id, picture, scale, [evidence.findings[i] for i in flagged])
        told = dict(zip(flagged, answers, strict=True)) if answers else {}
        return tuple(told.get(i) for i in range(len(evidence.findings))) if told else ()

    async def _ask(
        self, capture_id: str, screenshot: bytes, scale: float, findings: Sequence[Finding]
    ) -> Sequence[Check | None]:
        self._checker = self._checker or Checker(self._on_checked)
        answer = self._loop.create_future()
        self._answers[capture_id] = answer
        stopped = asyncio.ensure_future(self._stop.wait())
        try:
            if not self._checker.submit(capture_id, screenshot, scale, findings):
                return ()
            while not answer.done() and not self._stop.is_set() and not self._failed():
                # A reader that cannot be loaded answers nobody: asked for now and then.
                await asyncio.wait({answer, stopped}, timeout=1, return_when=asyncio.FIRST_COMPLETED)
            return answer.result() if answer.done() else ()
        finally:
            stopped.cancel()
            del self._answers[capture_id]

    def _failed(self) -> bool:
        failed = self._checker.failed if self._checker is not None else None
        if failed is not None and not self._told:
            self._told = True
            log.warning("check.failed", why=str(failed), remedy="Visits go on. Afterwards: crawler check")
        return failed is not None and self._checker is not None and not self._checker.waiting

    def _on_checked(self, capture_id: str, checks: Sequence[Check | None]) -> None:
        """In the checker's thread."""

        def tell() -> None:
            answer = self._answers.get(capture_id)
            if answer is not None and not answer.done():
                answer.set_result(checks)

        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(tell)

    async def close(self) -> None:
        """Ends the checker; waits for the capture that it is at."""
        if self._checker is not None:
            await asyncio.to_thread(self._checker.close)


def _store(archive: Archive, visit_id: str, evidence: Sequence[Evidence]) -> int:
    """Checks go to the rows of their divergences; what they confirm becomes probes. Gives how many of these are new."""
    new = 0
    ids = {(d.capture_id, d.finding.kind, d.finding.path): d.id for d in divergences(archive.database, visit=visit_id)}
    for one in evidence:
        checks: dict[str, Check] = {}
        for finding, check in zip(one.findings, one.checks, strict=False):
            found = ids.get((one.record.id, finding.kind, finding.path))
            if check is not None and found is not None:
                checks.setdefault(found, check)
        if checks:
            new += store_checks_and_draw(archive, one.record.id, checks).new
    return new


def _draw(archive: Archive, capture_id: str, checks: Mapping[str, Check]) -> int:
    return store_checks_and_draw(archive, capture_id, checks).new


def _unlooked(archive: Archive, visit_id: str) -> list[Unlooked]:
    """What is left to check of a stored visit; nothing where it is hidden or its pictures are gone."""
    try:
        visit = find_visit(archive.database, visit_id)
    except NotFound:
        return []
    pictures = {capture.id: capture.artifacts.get("screenshot") for capture in visit.captures}
    found = divergences(archive.database, visit=visit_id, verdict="flagged", check="unchecked")
    asked = []
    for capture_id, group in groupby(sorted(found, key=lambda d: d.capture_id), key=lambda d: d.capture_id):
        with contextlib.suppress(NotFound, BadInput):
            if digest := pictures.get(capture_id):
                asked.append(Unlooked(capture_id, archive.blobs.get(digest), visit.viewport.scale, tuple(group)))
    return asked
