"""Who is compared: how each is started, and what its lines say about it."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from bench import ours
from bench.meter import Usage, measure

NAMES = ("ours", "paper", "crawlee", "bare", "lean")
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Setting:
    """What all contestants are given alike, and the few things that are one's own."""

    urls: tuple[str, ...]
    delay_s: float
    page_limit_s: float
    limit_s: float
    browser: str | None
    outside: bool
    concurrency: int
    crawlee_concurrency: int
    ours_concurrency: int
    python: str = sys.executable  # of the baselines
    ours: str = ours.RUN
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    name: str
    pages: int
    ok: int
    wall_s: float  # of the whole process, browser start and end included
    crawl_s: float | None  # from the first page's start to the last page's end, where told
    cpu_s: float
    peak_mib: float
    timed_out: bool
    exit_code: int
    why: dict[str, int] = field(default_factory=dict)  # what failed, how often
    steps: dict[str, float] = field(default_factory=dict)  # median seconds of each step of the pages that went well

    @property
    def per_minute(self) -> float:
        return 60 * self.ok / self.wall_s

    @property
    def cpu_per_page(self) -> float:
        return self.cpu_s / self.ok if self.ok else float("nan")


def run(name: str, setting: Setting, folder: Path) -> Run:
    """Runs one contestant over all pages, in a folder of its own."""
    folder.mkdir(parents=True)
    pages = folder / "urls.txt"
    pages.write_text("\n".join(setting.urls) + "\n", encoding="utf-8")
    if name == "ours":
        data = folder / "data"
        env = ours.environment(
            data,
            outside=setting.outside,
            delay_s=setting.delay_s,
            browser=setting.browser,
            concurrency=setting.ours_concurrency,
        )
        line = ours.command(setting.ours, list=pages, delay=setting.delay_s)
        # Making the database is set-up, done once for a machine; crawling into it is what is measured.
        measure([sys.executable, "-m", "store.database", "upgrade"], limit_s=setting.limit_s, log=folder / "setup.log", env=env)
        usage = measure(line, limit_s=setting.limit_s, log=folder / "log", env=env)
        return of_ours(setting, usage)
    usage = measure(baseline(name, setting, pages, folder / "out"), limit_s=setting.limit_s, log=folder / "log")
    return of_baseline(name, setting, usage)


def baseline(name: str, setting: Setting, pages: Path, out: Path) -> list[str]:
    concurrency = setting.crawlee_concurrency if name == "crawlee" else setting.concurrency
    line = [
        setting.python, "-m", f"bench.crawl.{name}", "--list", str(pages), "--out", str(out),
        "--delay", str(setting.delay_s), "--page-limit", str(setting.page_limit_s), "--concurrency", str(concurrency),
    ]  # fmt: skip
    if setting.browser:
        line += ["--browser", setting.browser]
    if setting.outside:
        line.append("--outside")
    return line + [f"--flag={flag}" for flag in setting.flags]


def of_ours(setting: Setting, usage: Usage) -> Run:
    visits = ours.said(usage.lines)
    outcomes = Counter(visit.outcome for visit in visits)
    steps = defaultdict(list)
    for visit in visits:
        for step, took in visit.durations_s.items():
            if visit.outcome == ours.CAPTURED:
                steps[step].append(took)
    medians = {step: median(took) for step, took in steps.items()}
    why = {outcome: count for outcome, count in outcomes.items() if outcome != ours.CAPTURED}
    return made("ours", setting, usage, ok=outcomes[ours.CAPTURED], why=why, crawl_s=span(visits), steps=medians)


def span(visits: list[ours.Said]) -> float | None:
    """Seconds from the first visit's start to the last one's end."""
    started = [visit.started_s for visit in visits if visit.started_s is not None]
    finished = [visit.finished_s for visit in visits if visit.finished_s is not None]
    return max(finished) - min(started) if started and finished else None


def of_baseline(name: str, setting: Setting, usage: Usage) -> Run:
    told = [record for line in usage.lines if (record := parsed(line)) and "url" in record]
    good = [record for record in told if record["ok"]]
    why = Counter(str(record["why"]).partition("\n")[0][:80] for record in told if not record["ok"])
    steps = defaultdict(list)
    for record in good:
        for step, seconds in record["steps"].items():
            steps[step].append(float(seconds))
    crawl_s = max(r["ended"] for r in told) - min(r["started"] for r in told) if told else None
    medians = {step: median(seconds) for step, seconds in steps.items()}
    return made(name, setting, usage, ok=len(good), why=dict(why), crawl_s=crawl_s, steps=medians)


def made(
    name: str,
    setting: Setting,
    usage: Usage,
    *,
    ok: int,
    why: dict[str, int],
    crawl_s: float | None = None,
    steps: dict[str, float] | None = None,
) -> Run:
    lost = len(setting.urls) - ok - sum(why.values())
    return Run(
        name=name, pages=len(setting.urls), ok=ok, wall_s=usage.wall_s, crawl_s=crawl_s, cpu_s=usage.cpu_s,
        peak_mib=usage.peak_bytes / MIB, timed_out=usage.timed_out, exit_code=usage.exit_code,
        why={**why, "nothing told": lost} if lost > 0 else why, steps=steps or {},
    )  # fmt: skip


def parsed(line: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None
