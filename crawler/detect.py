"""detect: the rules asked again of stored captures, with no browser and no site visited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from pydantic import Field

from crawler.drawing import draw
from crawler.evidence import capture_of
from crawler.filing import Archive
from crawler.frames_stored import judged
from domain.divergence import Finding, detect, rules_version, tallies
from domain.errors import BadInput, NotFound
from domain.record import Record
from domain.text import PolicyName
from domain.visit import CaptureRecord
from store.captures import captures, replace_findings

CHANGES_KEPT = 10_000
_NEEDED = frozenset({"served", "before", "after", "screenshot"})
_USED = _NEEDED | {"names", "frames"}
"""Not every capture has these two; without those it had, the rules would judge otherwise."""


class Change(Record):
    """One divergence that another version of the rules sees otherwise."""

    what: str = Field(description="added, removed or changed")
    id: str
    site: str
    kind: str
    before: str = Field(description="verdict and reason, empty where it was not there")
    after: str


class Redetected(Record):
    """What asking again has changed."""

    captures: int
    unreadable: int = Field(description="captures whose artifacts are missing or of an unknown version")
    pruned: int = Field(default=0, description="captures whose artifacts were removed to save space: left as they were judged")
    rules: str
    rules_before: dict[str, int] = Field(description="rules that had judged the captures -> how many")
    added: int
    removed: int
    changed: int
    changes: tuple[Change, ...] = Field(description=f"the first {CHANGES_KEPT}")


def findings_of(archive: Archive, capture: CaptureRecord, policy: PolicyName) -> tuple[Finding, ...]:
    """Every finding of a stored capture; none where the page is no evidence.

    Raises NotFound and BadInput where its artifacts cannot be read.
    """
    if capture.page is not None and capture.page.kind != "content":
        return ()
    if pruned := _USED & capture.pruned.keys():
        raise NotFound(f"Capture {capture.id} was pruned to save space: it has no {', '.join(sorted(pruned))} any more.")
    if missing := _NEEDED - capture.artifacts.keys():
        raise NotFound(f"Capture {capture.id} has no {', '.join(sorted(missing))}.")

    def artifact(name: str) -> bytes | None:
        return archive.blobs.get(capture.artifacts[name]) if name in capture.artifacts else None

    whole = capture_of(artifact)
    return (*detect(whole, policy), *judged(artifact("frames") or b"", whole.before, whole.ink, policy)[1])


def again(
    archive: Archive, policy: PolicyName, *, site: str | None, dry_run: bool, on_capture: Callable[[], None] = lambda: None
) -> Redetected:
    """Judges every stored capture anew. A capture that cannot be read is counted and left as it is."""
    rules = rules_version(policy)
    seen: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    kept: list[Change] = []
    for visit, capture in captures(archive.database, site=site):
        on_capture()
        seen[capture.rules or "unknown rules"] += 1
        try:
            found = findings_of(archive, capture, policy)
        except (NotFound, BadInput):
            counted["pruned" if capture.pruned.keys() & _USED else "unreadable"] += 1
            continue
        changes = replace_findings(archive.database, capture.id, rules, found, tallies(found), dry_run=dry_run)
        if any(changes) and not dry_run:
            draw(archive, [capture.id])  # what is flagged again and was confirmed before is a probe again
        told = [
            *(("added", None, d) for d in changes.added),
            *(("removed", d, None) for d in changes.removed),
            *(("changed", old, new) for old, new in changes.changed),
        ]
        for what, old, new in told:
            counted[what] += 1
            either = new or old
            if either is not None and len(kept) < CHANGES_KEPT:
                before = f"{old.finding.verdict}: {old.finding.reason}" if old else ""
                after = f"{new.finding.verdict}: {new.finding.reason}" if new else ""
                kept.append(
                    Change(what=what, id=either.id, site=visit.site, kind=either.finding.kind, before=before, after=after)
                )
    return Redetected(
        captures=sum(seen.values()),
        unreadable=counted["unreadable"],
        pruned=counted["pruned"],
        rules=rules,
        rules_before=dict(seen),
        added=counted["added"],
        removed=counted["removed"],
        changed=counted["changed"],
        changes=tuple(kept),
    )
