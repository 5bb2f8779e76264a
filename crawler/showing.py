"""showing: one stored visit or divergence for a person or a program, and its artifacts as files."""

from __future__ import annotations

from pathlib import Path

import orjson
from rich.table import Table
from rich.text import Text

from crawler import printing
from crawler.detect import findings_of
from crawler.filing import Archive
from domain.errors import BadInput, NotFound
from domain.text import PolicyName
from domain.visit import CaptureRecord, Moment, Visit
from store.captures import StoredDivergence, divergences

FILES = {
    "dom": "dom.html",
    "served": "served.json",
    "before": "before.json",
    "after": "after.json",
    "screenshot": "screenshot.png",
    "mhtml": "page.mhtml",
}


def policy_of(capture: CaptureRecord) -> PolicyName:
    """The policy that judged a capture."""
    given = capture.rules.removeprefix("policy=").split(" ")[0]
    return given if given in {"tokens", "paper", "label-in-name"} else "tokens"  # type: ignore[return-value]


def show_visit(archive: Archive, visit: Visit, *, elements: bool, as_json: bool) -> None:
    """The record, the times, and what was found; with `elements`, every element looked at."""
    if elements:
        found = [f for capture in visit.captures for f in findings_of(archive, capture, policy_of(capture))]
    else:
        found = [d.finding for d in divergences(archive.database, visit=visit.id)]
    if as_json:
        printing.json_line({"visit": visit, "elements": found})
        return
    console = printing.out()
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in _facts(visit):
        table.add_row(Text(name, "bold"), Text(value))
    console.print(table)
    for capture in visit.captures:
        console.print()
        timeline(visit, capture)
    if found:
        console.print()
        printing.findings(found)


def _facts(visit: Visit) -> list[tuple[str, str]]:
    response, browser, viewport = visit.response, visit.browser, visit.viewport
    facts = [
        ("visit", visit.id),
        ("site", visit.site),
        ("url", visit.url),
        ("outcome", f"{visit.outcome} {visit.reason}".strip()),
        ("incidents", ", ".join(visit.incidents) or "none"),
        ("started", f"{visit.started.wall:%Y-%m-%d %H:%M:%S} UTC, {visit.attempts} attempt(s)"),
        ("viewport", f"{viewport.width}x{viewport.height} at scale {viewport.scale:g}{', mobile' if viewport.mobile else ''}"),
        ("delay", f"{visit.delay_ms} ms"),
    ]
    if browser is not None:
        facts.append(("browser", f"{browser.name} {browser.version}, by {browser.driver}"))
    if response is not None:
        way = " <- ".join([response.url, *reversed(response.redirects)])
        facts.append(("answer", f"{response.status} {response.mime_type} {way}"))
    if visit.title:
        facts.append(("title", visit.title))
    facts += [(f"  {name}", digest) for c in visit.captures for name, digest in sorted(c.artifacts.items())]
    return facts


def timeline(visit: Visit, capture: CaptureRecord) -> None:
    """When each channel was read, ms since S0."""
    times = capture.timeline
    moments: list[tuple[str, Moment | None]] = [
        ("navigated", visit.navigated),
        ("S0: structure read", times.served),
        ("frozen", times.frozen),
        ("read before the pixels", times.before),
        ("screenshot sent", times.screenshot_sent),
        ("screenshot received", times.screenshot_received),
        ("read after the pixels", times.after),
    ]
    zero = times.served.monotonic_ns if times.served else visit.started.monotonic_ns
    for name, moment in moments:
        if moment is not None:
            since = (moment.monotonic_ns - zero) / 1e6
            printing.out().print(f"{since:10.1f} ms  {moment.wall:%H:%M:%S.%f}  {name}", markup=False)
    counts = capture.counts
    printing.say(f"{counts.elements} elements, {counts.settled} settled, {counts.unsettled} not; rules: {capture.rules}")


def show_divergence(archive: Archive, divergence: StoredDivergence, *, as_json: bool) -> None:
    """Both values, where it is and when each channel was read."""
    if as_json:
        printing.json_line(divergence)
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    finding = divergence.finding
    box = "x".join(f"{v:g}" for v in finding.box[2:]) + f" at {finding.box[0]:g},{finding.box[1]:g}" if finding.box else "none"
    for name, value in (
        ("divergence", divergence.id),
        ("site", divergence.site),
        ("url", divergence.url),
        ("kind", finding.kind),
        ("verdict", f"{finding.verdict}: {finding.reason}"),
        ("structure says", finding.structural or ""),
        ("the screen shows", finding.rendered or ""),
        ("grade", finding.grade or ""),
        ("element", finding.path),
        ("box", f"{box} (CSS px)"),
        ("visit", divergence.visit_id),
        ("when", f"{divergence.when:%Y-%m-%d %H:%M:%S} UTC"),
    ):
        table.add_row(Text(name, "bold"), Text(value))
    printing.out().print(table)
    if archive.blobs.url:
        printing.talk(f"Look at it: crawler show {divergence.visit_id[:12]} --save FOLDER")


def save_recording(archive: Archive, visit: Visit, folder: Path) -> None:
    """The visit's record and artifacts as files; the driver `recorded` replays such a folder. Raises BadInput, NotFound."""
    if not visit.captures:
        raise NotFound(f"Visit {visit.id} ended in {visit.outcome}: there is nothing to save.")
    if folder.exists() and any(folder.iterdir()):
        raise BadInput(f"{folder} is not empty. Name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "visit.json").write_bytes(orjson.dumps(visit.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
    for name, digest in visit.captures[0].artifacts.items():
        (folder / FILES[name]).write_bytes(archive.blobs.get(digest))
    printing.talk(f"Saved in {folder}: visit.json, {', '.join(FILES[n] for n in visit.captures[0].artifacts)}")
