"""A store with something of everything: crawled sites with their blobs, corpora, a release, take-downs, a hostile page.

Small, and the same each time: identifiers are known beforehand, so that whoever asks for them need not look for them first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import text

from builder.export import choose, export
from domain.divergence import Finding
from domain.families.web_natural import draw
from domain.pixel_check import Check
from domain.probe import CorpusProvenance, Probe
from domain.release import FamilyQuota, ReleaseSpec
from domain.takedown import read_covered
from domain.visit import (
    BrowserInfo,
    CaptureRecord,
    Counts,
    Frame,
    Moment,
    Outcome,
    Readiness,
    Response,
    Timeline,
    Viewport,
    Visit,
)
from store import tables, takedowns
from store.blobs import Blobs, StoredBlob
from store.captures import divergence_id, save
from store.checks import save_checks
from store.corpora import Item, StoredCorpus, begin, finish, save_items
from store.database import Database
from store.probes import redraw
from store.sites import Listed, sync
from tests.builder import small

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
RELEASE = "tiny"
HIDDEN_SITE = "gone"
EVIL = "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">'\"&{{7*7}}\u202e javascript:alert(1)"
"""What a page may show: markup, template syntax, a character that turns text round."""
MEDIA = {"dom": "text/html; charset=utf-8", "screenshot": "image/png", "mhtml": "multipart/related"}
POLICY = "policy=paper aria=1 title=1 stale=1 state=1"
PAIRS = {
    "shop": (("aria", "Pay 10", "Total 12"), ("stale", "14:03:27", "14:03:31")),
    "bank": (("state", "off", "on"), ("title", "Menu", "Accounts")),
    "evil": (("aria", EVIL, "Total " + EVIL[::-1]),),
    HIDDEN_SITE: (("aria", "Secret 1", "Nothing 2"),),
}


@dataclass
class Stocked:
    """What was put, by the names that one would ask for it with."""

    database: Database
    blobs: Blobs
    probes: dict[str, list[Probe]] = field(default_factory=dict)
    """By site, or by corpus."""
    visits: dict[str, list[Visit]] = field(default_factory=dict)
    divergences: dict[str, list[str]] = field(default_factory=dict)
    release: str = RELEASE

    @property
    def hidden(self) -> tuple[str, ...]:
        """Identifiers and digests of what is taken down: none of them may ever be told."""
        captures = [capture for visit in self.visits[HIDDEN_SITE] for capture in visit.captures]
        own = {capture.artifacts["dom"] for capture in captures}
        probes = [probe.id for probe in self.probes[HIDDEN_SITE]]
        return (*(capture.id for capture in captures), *own, *probes, *self.divergences[HIDDEN_SITE])


def stock(database: Database, blobs: Blobs, folder: Path, documents: Sequence[str] | None = None) -> Stocked:
    """Empties the database and fills it. folder: an empty one, for what a release is cut into. documents: of the release."""
    names = ", ".join(table.name for table in tables.metadata.sorted_tables)
    with database.transaction() as connection:
        connection.execute(text(f"truncate {names}"))
    made = Stocked(database, blobs)
    listed = [Listed(site, f"https://{site}.example/", f"{site}.example", _listing(site), timedelta(hours=6)) for site in PAIRS]
    sync(database, listed, now=NOON)
    for number, site in enumerate(PAIRS):
        for again in range(3 if site == "shop" else 1):
            _visit(made, site, number * 10 + again)
    for number, outcome in enumerate(("dns-failed", "refused-robots", "http-error")):
        _failed(made, 90 + number, outcome)
    _corpora(made, folder / "screenspot")
    takedowns.add(database, read_covered(f"{HIDDEN_SITE}.example"), why="a letter", by_whom="me")
    takedowns.add(database, read_covered("https://other.example/u/jane"), why="asked for", by_whom="me")
    families = {"web-natural": FamilyQuota(count=3), "desktop-graphic": FamilyQuota(count=2)}
    spec = ReleaseSpec(name=RELEASE, title="A tiny release", seed=735, families=families)
    # Parquet and Croissant take longer than all the rest.
    export(database, blobs, spec, choose(database, spec), folder / "release", formats=documents or DOCUMENTS)
    return made


DOCUMENTS = ("manifest", "card", "checksums")


def _listing(site: str) -> dict[str, Any]:
    return {
        "name": site,
        "url": f"https://{site}.example/",
        "every": "PT6H",
        "why": f"sells {EVIL if site == 'evil' else 'things'}",
    }


def moment(seconds: float) -> Moment:
    return Moment(wall=NOON + timedelta(seconds=seconds), monotonic_ns=int(seconds * 1e9), page_ms=seconds * 1e3)


def _visit(made: Stocked, site: str, number: int) -> None:
    """One visit with one capture, its blobs, what was found, how it was checked, and the probes."""
    visit_id, begun = f"{number:032x}", number * 3600.0
    findings = _findings(site)
    artifacts = {name: made.blobs.put(content, MEDIA.get(name, "application/json")) for name, content in _content(site, number)}
    moments = {"served": moment(begun + 1), "before": moment(begun + 4), "screenshot_sent": moment(begun + 4.1)}
    capture = CaptureRecord(
        id=f"{visit_id}-0",
        loader_served="L",
        loader_shown="L",
        readiness=Readiness(load_event=True, load_ms=812.3, quiet_ms=0.1),
        timeline=Timeline(**moments, after=moment(begun + 4.3)),
        counts=Counts(elements=len(findings), settled=len(findings)),
        frames=(Frame(url="https://ads.example/", read=False, reason="other process"),),
        artifacts={name: blob.digest for name, blob in artifacts.items()},
        tallies={"aria": {"flagged: disagree": 1, "clean": 8}},
        rules=POLICY,
    )
    visit = replace_visit(_visited(visit_id, site, begun), captures=(capture,))
    save(made.database, visit, {capture.id: findings}, list(artifacts.values()))
    flagged = [finding for finding in findings if finding.verdict == "flagged"]
    looks = [_look(finding) for finding in flagged]
    ids = [divergence_id(capture.id, finding.kind, finding.path) for finding in flagged]
    save_checks(made.database, dict(zip(ids, looks, strict=True)))
    drawn = list(draw(visit, capture, list(zip(flagged, looks, strict=True))))
    redraw(made.database, capture.id, lambda _: drawn)
    made.visits.setdefault(site, []).append(visit)
    made.divergences.setdefault(site, []).extend(ids)
    made.probes.setdefault(site, []).extend(drawn)


def replace_visit(visit: Visit, **changes: Any) -> Visit:
    return visit.model_copy(update=changes)


def _visited(visit_id: str, site: str, begun: float, outcome: Outcome = "captured", reason: str = "") -> Visit:
    return Visit(
        id=visit_id,
        url=f"https://{site}.example/",
        site=site,
        outcome=outcome,
        reason=reason,
        started=moment(begun),
        navigated=moment(begun + 0.25),
        finished=moment(begun + 5),
        browser=BrowserInfo(driver="recorded", name="Chromium", version="1", user_agent="test", flags=("--a",)),
        viewport=Viewport(width=320, height=200, scale=2),
        delay_ms=3000,
        response=Response(url=f"https://{site}.example/", status=200, headers={"content-type": "text/html"}),
        title=EVIL if site == "evil" else site.title(),
        durations_ms={"open": 12.5},
    )


def _failed(made: Stocked, number: int, outcome: Outcome) -> None:
    save(made.database, _visited(f"{number:032x}", f"down{number}", number * 3600.0, outcome, f"It did not answer: {EVIL}"))


def _findings(site: str) -> list[Finding]:
    """A flagged one for each pair, and one that only a person can judge."""
    flagged = [
        Finding(
            path=f"#e{n}",
            element_id=f"e{n}",
            kind=kind,
            verdict="flagged",
            reason="disagree",
            structural=structural,
            rendered=rendered,
            grade="disjoint",
            box=(5.5, 10 + 40 * n, 60, 30),
            lines=((5.5, 10 + 40 * n, 60, 30),),
            role="button",
        )
        for n, (kind, structural, rendered) in enumerate(PAIRS[site])
    ]
    doubtful = {
        "path": "#doubt",
        "verdict": "review",
        "reason": "part-of",
        "structural": "Go",
        "rendered": "Go on",
        "box": None,
    }
    return [*flagged, flagged[0].model_copy(update={**doubtful, "box": None, "lines": (), "element_id": None})]


def _look(finding: Finding) -> Check:
    rendered = finding.rendered or ""
    return Check(reader="reader-1", read=rendered, confidence=0.9, verdict="confirmed", reason="equal")


def _content(site: str, number: int) -> Sequence[tuple[str, bytes]]:
    """The artifacts of one capture: the document, readings of it before and after the delay, the picture."""
    said = [(n, structural, rendered) for n, (_, structural, rendered) in enumerate(PAIRS[site])]
    rows = "".join(f"<button id=e{n} title='x'>{shown}</button>" for n, _, shown in said)
    dom = f"<!DOCTYPE html><html><head><title>{site} {number}</title></head><body>{rows}{'<p>filler</p>' * 200}</body></html>"
    moments = {"served": 1000.0, "before": 4000.0, "after": 4300.0}
    readings = {name: _reading(site, now, said) for name, now in moments.items()}
    drift = {"watched": len(said), "gone": 0, "changed": [], "changedMore": 0}
    held = [{"after_ms": ms, "frozen": ms == 3000, **drift} for ms in (100.0, 1000.0, 3000.0)]
    shot = small.picture(number, (640, 400))
    return (
        ("dom", dom.encode()),
        *((name, orjson.dumps(reading)) for name, reading in readings.items()),
        ("drift", orjson.dumps({"version": 1, "readings": held})),
        ("screenshot", shot),
    )


def _reading(site: str, now: float, said: Sequence[tuple[int, str, str]]) -> dict[str, Any]:
    root = {"k": 1, "p": 0, "f": 0, "t": "body", "s": "body", "b": [0, 0, 320, 200], "x": "", "v": ""}
    elements = [
        {"k": n + 2, "p": 1, "f": 0, "t": "button", "s": f"#e{n}", "a": {"id": f"e{n}", "aria-label": structural}, "x": shown,
         "b": [5.5, 10 + 40 * n, 60, 30], "tb": [5.5, 10 + 40 * n, 60, 30], "v": ""}
        for n, structural, shown in said
    ]  # fmt: skip
    view = {"width": 320, "height": 200, "scale": 2, "scrollY": 0}
    return {"version": 1, "elements": [root, *elements], "url": f"https://{site}.example/", "title": site, "now": now,
        "view": view, "nodes": len(said) + 1, "truncated": 0, "frames": []}  # fmt: skip


def _corpora(made: Stocked, folder: Path) -> None:
    """Two corpora: one of rows alone, and one with its files, of which recipes are released."""
    given = {
        "mind2web": [small.web_text(seed) for seed in (40, 50, 60)],
        "screenspot_pro": list(small.desktop(small.screenspot(folder))),
    }
    for name, contents in given.items():
        about = StoredCorpus(name=name, path=str(folder), base=None, made=False, stamp="", started=NOON, finished=None)
        begin(made.database, about)
        items = []
        for probe, *_ in contents:
            assert isinstance(probe.provenance, CorpusProvenance)
            items.append(Item(probe.provenance.item, "usable", files=probe.provenance.files, probes=(probe,)))
        save_items(made.database, name, "", items)
        finish(made.database, name)
        made.probes[name] = [probe for probe, *_ in contents]


def put(made: Stocked, content: bytes, media_type: str) -> StoredBlob:
    """A blob of a visit of its own, so that it is shown: to be asked for at /archives."""
    blob = made.blobs.put(content, media_type)
    number = 1000 + sum(map(len, made.visits.values()))
    visit_id, site = f"{number:032x}", "extra"
    capture = made.visits["shop"][0].captures[0].model_copy(update={"id": f"{visit_id}-0", "artifacts": {"mhtml": blob.digest}})
    visit = replace_visit(_visited(visit_id, site, float(number)), captures=(capture,))
    save(made.database, visit, {}, [blob])
    made.visits.setdefault(site, []).append(visit)
    return blob
