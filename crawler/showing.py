"""showing: one stored visit or divergence for a person or a program, and its artifacts as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import orjson
from rich.table import Table
from rich.text import Text

from crawler import printing, showing_visits
from crawler.detect import findings_of
from crawler.filing import Archive
from domain.errors import BadInput, NotFound
from domain.looked import Looked, looked
from domain.pixel_check import Check
from domain.text import PolicyName
from domain.visit import CaptureRecord, Moment, Timeline, Visit
from store.captures import StoredDivergence, divergences
from store.checks import checks_of

FILES = {
    "dom": "dom.html",
    "served": "served.json",
    "before": "before.json",
    "after": "after.json",
    "screenshot": "screenshot.png",
    "frames": "frames.json",
    "names": "names.json",
    "drift": "drift.json",
    "page": "page.json",
    "mhtml": "page.mhtml",
}
MOMENTS = {
    "served": "S0: structure read",
    "during": "texts read, for the drift",
    "frozen": "frozen",
    "before": "read before the pixels",
    "screenshot_sent": "screenshot sent",
    "screenshot_received": "screenshot received",
    "after": "read after the pixels",
}


def policy_of(capture: CaptureRecord) -> PolicyName:
    """The policy that judged a capture."""
    given = capture.rules.removeprefix("policy=").split(" ")[0]
    return given if given in {"tokens", "paper", "label-in-name"} else "tokens"  # type: ignore[return-value]


def show_visit(archive: Archive, visit: Visit, *, elements: bool, as_json: bool) -> None:
    """The record, the times, and what was found; with `elements`, every element looked at."""
    found = list(chain.from_iterable(_looked(archive, visit, elements=elements)))
    if as_json:
        printing.json_line({"visit": visit, "elements": found})
        return
    console = printing.out()
    console.print(facts(_facts(visit)))
    for capture in visit.captures:
        console.print()
        timeline(visit, capture)
    if found:
        console.print()
        showing_visits.findings(found)


def facts(rows: Sequence[tuple[str, str]]) -> Table:
    """Names and what is so called, one a line."""
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in rows:
        table.add_row(Text(name, "bold"), Text(value))
    return table


def _looked(archive: Archive, visit: Visit, *, elements: bool) -> Iterator[list[Looked]]:
    """What is stored of each capture of the visit, in turn; with `elements` all that the rules say of it."""
    stored = list(divergences(archive.database, visit=visit.id))
    for capture in visit.captures:
        here = [d for d in stored if d.capture_id == capture.id]
        if not elements:
            yield [looked(d.finding, capture.index, d.check) for d in here]
            continue
        checks = {(d.finding.kind, d.finding.path): d.check for d in here}
        found = findings_of(archive, capture, policy_of(capture))
        yield [looked(f, capture.index, checks.get((f.kind, f.path))) for f in found]


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
    for capture in visit.captures:
        of = f" {capture.index}" if len(visit.captures) > 1 else ""
        facts += [(f"  {name}{of}", digest) for name, digest in sorted(capture.artifacts.items())]
        if capture.pruned:
            facts.append((f"  pruned{of}", ", ".join(sorted(capture.pruned)) + ": removed to save space"))
    if visit.pruned_captures:
        facts.append(("pruned", f"{visit.pruned_captures} capture(s), whole: removed to save space"))
    return facts


def timeline(visit: Visit, capture: CaptureRecord) -> None:
    """When each channel was read, and everything between, ms since S0."""
    times = capture.timeline
    told = [("navigated", visit.navigated), *_moments(times)]
    moments = sorted(((m, name) for name, m in told if m is not None), key=lambda pair: pair[0].monotonic_ns)
    zero = times.served.monotonic_ns if times.served else visit.started.monotonic_ns
    if len(visit.captures) > 1:
        printing.say(f"capture {capture.index}, {capture.scroll_y:g} px down")
    for moment, name in moments:
        since = (moment.monotonic_ns - zero) / 1e6
        printing.out().print(f"{since:10.1f} ms  {moment.wall:%H:%M:%S.%f}  {name}", markup=False)
    counts = capture.counts
    printing.say(f"{counts.elements} elements, {counts.settled} settled, {counts.unsettled} not; rules: {capture.rules}")


def _moments(times: Timeline) -> Iterator[tuple[str, Moment | None]]:
    """Every moment of the record, whatever moments it has."""
    for name in Timeline.model_fields:
        value = getattr(times, name)
        for moment in value if isinstance(value, tuple) else (value,):
            yield MOMENTS.get(name, name.replace("_", " ")), moment


def show_divergence(archive: Archive, divergence: StoredDivergence, *, as_json: bool) -> None:
    """Both values, where it is, when each channel was read, and what every reader made of the pixels."""
    if as_json:
        printing.json_line(divergence)
        return
    finding = divergence.finding
    box = "x".join(f"{v:g}" for v in finding.box[2:]) + f" at {finding.box[0]:g},{finding.box[1]:g}" if finding.box else "none"
    rows = [
        ("divergence", divergence.id),
        ("site", divergence.site),
        ("url", divergence.url),
        ("kind", f"{finding.kind}{f', by {finding.sub_kind}' if finding.sub_kind else ''}"),
        ("verdict", f"{finding.verdict}: {finding.reason}"),
        ("structure says", finding.structural or ""),
        ("the screen shows", finding.rendered or ""),
        ("grade", finding.grade or ""),
        *(("pixel check", said(c.check)) for c in checks_of(archive.database, divergence.id)),
        ("element", finding.path),
        ("box", f"{box} (CSS px)"),
        ("visit", divergence.visit_id),
        ("when", f"{divergence.when:%Y-%m-%d %H:%M:%S} UTC"),
    ]
    if finding.name:
        rows.insert(
            8, ("accessible name", f"{finding.name} ({finding.role or 'no role'}, from {finding.name_source or 'nothing'})")
        )
    printing.out().print(facts(rows))
    if archive.blobs.url:
        printing.talk(f"Look at it: crawler show {divergence.visit_id[:12]} --save FOLDER")


def said(check: Check | None) -> str:
    """A check in a line."""
    if check is None:
        return "not checked"
    read = f"read {check.read!r} with {check.confidence:.2f}" if check.read else "read nothing"
    return f"{check.verdict}: {check.reason}; {check.reader} {read}"


def save_recording(archive: Archive, visit: Visit, folder: Path) -> None:
    """The visit's record and artifacts as files; the driver `recorded` replays such a folder. Raises BadInput, NotFound.

    The first capture lies in the folder itself, the others in `capture-1` and so on.
    """
    pruned = visit.pruned_captures or any(capture.pruned for capture in visit.captures)
    if pruned and not any(capture.artifacts for capture in visit.captures):
        raise NotFound(f"Visit {visit.id}: what it brought was pruned to save space; there is nothing to save.")
    if not visit.captures:
        raise NotFound(f"Visit {visit.id} ended in {visit.outcome}: there is nothing to save.")
    if folder.exists() and any(folder.iterdir()):
        raise BadInput(f"{folder} is not empty. Name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "visit.json").write_bytes(orjson.dumps(visit.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
    for capture in visit.captures:
        place = folder / f"capture-{capture.index}" if capture.index else folder
        place.mkdir(exist_ok=True)
        names = [FILES.get(name, f"{name}.json") for name in capture.artifacts]
        for file, digest in zip(names, capture.artifacts.values(), strict=True):
            (place / file).write_bytes(archive.blobs.get(digest))
        record = [] if capture.index else ["visit.json"]
        printing.talk(f"Saved in {place}: {', '.join([*record, *names])}")
