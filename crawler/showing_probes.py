"""showing_probes: probes, where each was seen, and the pair of an element over time, for a person or a program."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from datetime import datetime

from rich.table import Table
from rich.text import Text

from crawler import printing
from crawler.filing import Archive
from crawler.showing import facts, said
from crawler.showing_visits import MARKS
from domain.errors import BadInput
from domain.families import FAMILIES
from domain.probe import LIVE, Probe
from store.history import Past, history
from store.probes import Sighting, StoredProbe, sightings

FAMILY_NAMES = tuple(name.replace("_", "-") for name in FAMILIES)
"""As people and ids spell them."""
CUT = 60
"""Characters of a value in a table."""
RECENT = 20
"""Entries of a history, and sightings, that are shown with a probe; `crawler history` has them all."""


def is_probe(id_or_prefix: str) -> bool:
    """Whether an id is a probe's: it begins with a family; those of visits and divergences are hex digits alone."""
    return id_or_prefix.strip().lower().startswith(FAMILY_NAMES)


def list_probes(found: Iterable[StoredProbe], *, as_json: bool) -> None:
    """A row a probe: its pair, how often and when it was seen."""
    if as_json:
        for one in found:
            printing.json_line(one)
        return
    table = _table(
        "probe", "kind", "asks", "structure says", "the screen shows", "sightings", "first seen", "last seen", "site"
    )
    for one in found:
        probe = one.probe
        values = (probe.id, probe.kind or "", probe.variable, _cut(probe.structural), _cut(probe.gold), str(one.sightings))
        table.add_row(*map(Text, (*values, _time(one.first_seen), _time(one.last_seen), probe.provenance.site)))
    printing.out().print(table)
    total = table.row_count
    printing.say(f"{total} probe{'s' * (total != 1)}.")


def show_probe(archive: Archive, stored: StoredProbe, *, as_json: bool) -> None:
    """The whole tuple, each sighting, and the history of the element's pair. Raises BadInput for a corpus's."""
    probe = stored.probe
    if probe.provenance.source != LIVE:
        raise BadInput(f"{probe.id} is of {probe.provenance.source}, not of the crawl. See it: builder show {probe.id}")
    seen = sightings(archive.database, probe.id)
    past = history(archive.database, probe.provenance.element)
    if as_json:
        printing.json_line({"probe": probe, "sightings": list(seen), "history": list(past)})
        return
    printing.out().print(facts(_facts(probe)))
    console = printing.out()
    console.print()
    printing.say(f"Seen in {stored.sightings} capture{'s' * (stored.sightings != 1)}:")
    _sightings(seen)
    console.print()
    printing.say("The element's pair over time:")
    show_history(past, as_json=False, most=RECENT)
    printing.talk(f"Look at it: crawler show {probe.live.visit[:12]} --save FOLDER")


def show_history(past: Iterable[Past], *, as_json: bool, most: int | None = None) -> None:
    """A row a visit, oldest first. most: only so many of the newest."""
    if as_json:
        for one in past:
            printing.json_line(one)
        return
    table = _table("when", "structure says", "the screen shows", "verdict", "pixel check", "probe", "divergence")
    kept = deque(past, maxlen=most)
    for one in kept:
        found = one.divergence
        if found is None:
            table.add_row(_time(one.when), "", "", Text("no divergence", "bright_black"), "", "", "")
            continue
        finding = found.finding
        table.add_row(
            _time(one.when),
            Text(_cut(finding.structural)),
            Text(_cut(finding.rendered)),
            Text(f"{finding.verdict}: {finding.reason}", MARKS[finding.verdict]),
            found.check.verdict if found.check else "not checked",
            one.probe or "",
            found.id,
        )
    printing.out().print(table)


def _facts(probe: Probe) -> list[tuple[str, str]]:
    came, region = probe.live, probe.region
    size = f"{came.viewport.width}x{came.viewport.height} at scale {came.viewport.scale:g}, {came.scroll_y:g} px down"
    by = f", by {came.sub_kind}" if came.sub_kind else ""
    return [
        ("probe", probe.id),
        ("family", f"{probe.family}, {probe.platform}, {probe.kind or 'no kind'}{by}"),
        ("asks for", probe.variable),
        ("options", " | ".join(map(repr, probe.options))),
        ("gold (the screen)", probe.gold),
        ("structural", probe.structural),
        ("region", f"{region.width:g}x{region.height:g} at {region.x:g},{region.y:g} (CSS px)"),
        ("pixel check", said(came.check)),
        ("screenshot", probe.screenshot),
        ("structure", probe.structure),
        ("site", came.site),
        ("url", came.url),
        ("element", f"{came.path}{f', id {came.element_id}' if came.element_id else ''}"),
        ("visit", f"{came.visit}, capture {came.capture.rpartition('-')[2]}"),
        ("when", f"{_time(came.when)} UTC, with a delay of {came.delay_ms} ms"),
        ("screen", size),
        ("browser", f"{came.browser or 'unknown'}{f', by {came.driver}' if came.driver else ''}"),
        ("rules", came.rules),
    ]


def _sightings(seen: Iterable[Sighting]) -> None:
    table = _table("when", "structure says", "the screen shows", "pixel check", "region", "divergence", "capture")
    for one in deque(seen, maxlen=RECENT):
        region, check = one.probe.region, one.probe.provenance.check
        table.add_row(
            _time(one.when),
            Text(_cut(one.probe.structural)),
            Text(_cut(one.probe.gold)),
            check.verdict if check else "not checked",
            f"{region.width:g}x{region.height:g} at {region.x:g},{region.y:g}",
            one.divergence_id,
            f"{one.visit_id[:12]}-{one.capture_id.rpartition('-')[2]}",
        )
    printing.out().print(table)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        table.add_column(name, overflow="fold", justify="right" if name == "sightings" else "left")
    return table


def _cut(text: str | None) -> str:
    text = text or ""
    return text if len(text) <= CUT else text[: CUT - 1] + "\u2026"


def _time(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M:%S}"
