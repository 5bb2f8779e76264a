"""The comparison as a person reads it."""

from __future__ import annotations

from statistics import median

from rich.console import Console
from rich.table import Table

from bench.crawl.contestants import NAMES, Run
from bench.machine import Machine

RATIOS = ("paper", "crawlee", "bare", "lean")
WIDTH = 128  # characters; in a log there is no terminal to ask
HEADS = ("pages/min", "min", "max", *(f"x {name}" for name in RATIOS), "crawl only", "CPU s/page", "peak MiB", "failed")


def line(run: Run) -> str:
    """One run in a line."""
    steps = ", ".join(f"{name} {seconds:.2f}" for name, seconds in run.steps.items())
    why = "; ".join(f"{count} x {reason}" for reason, count in run.why.items())
    return (
        f"{run.name}: {run.per_minute:.1f} pages a minute, {run.ok} of {run.pages} pages in {run.wall_s:.1f} s, "
        f"CPU {run.cpu_per_page:.2f} s a page, peak {run.peak_mib:.0f} MiB"
        + (f"; median s: {steps}" if steps else "")
        + ("; ended at its time limit" if run.timed_out else "")
        + (f"; failed: {why}" if why else "")
    )


def show(runs: list[Run], *, delay_s: float, machine: Machine) -> None:
    by_name = {name: [run for run in runs if run.name == name] for name in NAMES}
    speeds = {name: median(run.per_minute for run in its) for name, its in by_name.items() if its}
    made = Table(title=f"{runs[0].pages} pages, delay {delay_s:g} s" if runs else "no runs")
    made.add_column("", min_width=max(map(len, NAMES)))
    for head in HEADS:
        made.add_column(head, justify="right", no_wrap=True)
    for name, its in by_name.items():
        if not its:
            continue
        each = [run.per_minute for run in its]
        crawl = [60 * run.ok / run.crawl_s for run in its if run.crawl_s]
        made.add_row(
            name, f"{median(each):.1f}", f"{min(each):.1f}", f"{max(each):.1f}",
            *(f"{speeds[name] / speeds[other]:.2f}" if speeds.get(other) else "-" for other in RATIOS),
            f"{median(crawl):.1f}" if crawl else "-", f"{median(run.cpu_per_page for run in its):.2f}",
            f"{max(run.peak_mib for run in its):.0f}", str(sum(run.pages - run.ok for run in its)),
        )  # fmt: skip
    out = Console(width=WIDTH)
    out.print(made)
    out.print(machine.sentence(), highlight=False)
