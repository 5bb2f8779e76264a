"""How this project's crawler is started and what it says, in one place: every benchmark goes through here."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.machine import browser_flags

RUN = "{crawler} run --once --list {list} --allow-private --json"
DETECT = "{crawler} detect --json"
CAPTURED = "captured"


@dataclass(frozen=True, slots=True)
class Said:
    """One visit as the crawler's JSON tells it."""

    url: str
    outcome: str
    started_s: float | None = None  # by the machine's monotonic clock
    finished_s: float | None = None
    durations_s: dict[str, float] = field(default_factory=dict)


def crawler_command() -> str:
    """The `crawler` beside this Python, else the one on PATH, else the module."""
    beside = Path(sys.executable).with_name("crawler")
    found = str(beside) if beside.exists() else shutil.which("crawler")
    return shlex.quote(found) if found else f"{shlex.quote(sys.executable)} -m crawler.cli"


def command(template: str, **values: object) -> list[str]:
    """The template's words with {crawler} and the values filled in."""
    filled = {name: shlex.quote(str(value)) for name, value in values.items()}
    return shlex.split(template.format(crawler=crawler_command(), **filled))


def environment(
    data: Path, *, outside: bool, delay_s: float | None = None, browser: str | None = None, concurrency: int = 0
) -> dict[str, str]:
    """A data folder of its own, its own embedded database, and the browser flags that all contestants get.

    concurrency: 0 leaves it to the crawler.
    """
    env = {
        "PARALLAX_DATA": str(data),
        "CRAWLER_BROWSER_FLAGS": shlex.join(browser_flags(outside=outside)),
        "CRAWLER_CONCURRENCY": str(concurrency),
        "DATABASE_URL": "",  # never measured into somebody's database
        "BLOB_URL": "",
    }
    if delay_s is not None:
        env["CRAWLER_DELAY_MS"] = str(round(delay_s * 1000))
    if browser:
        env["CRAWLER_BROWSER_PATH"] = browser
    return env


def documents(lines: Iterable[str]) -> Iterator[Any]:
    """The JSON documents in an output: one a line, or one over all lines."""
    kept = [line for line in lines if line.strip()]
    found = False
    for line in kept:
        try:
            yield json.loads(line)
            found = True
        except ValueError:
            continue
    if not found and kept:
        try:
            yield json.loads("\n".join(kept))
        except ValueError:
            return


def visits(document: Any) -> Iterator[Said]:
    """Visits told anywhere in a document: {"visit": {...}}, {"visits": [...]} or the visit itself."""
    if isinstance(document, list):
        for part in document:
            yield from visits(part)
    elif isinstance(document, dict):
        if isinstance(document.get("outcome"), str):
            yield Said(
                url=str(document.get("url", "")),
                outcome=document["outcome"],
                started_s=seconds(document.get("started")),
                finished_s=seconds(document.get("finished")),
                durations_s={name: ms / 1000 for name, ms in (document.get("durations_ms") or {}).items()},
            )
        else:
            for key in ("visit", "visits"):
                yield from visits(document.get(key))


def seconds(moment: Any) -> float | None:
    """The monotonic clock of a moment in a visit's record."""
    return moment["monotonic_ns"] / 1e9 if isinstance(moment, dict) and "monotonic_ns" in moment else None


def said(lines: Iterable[str]) -> list[Said]:
    return [visit for document in documents(lines) for visit in visits(document)]
