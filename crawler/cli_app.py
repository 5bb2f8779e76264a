"""cli_app: the visiting commands, and the application that holds them and all others."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from crawler import cli_health, cli_prune, cli_service, cli_stored, cli_takedown, commands, commands_service
from crawler.cli_options import (
    MOST,
    Concurrency,
    Delay,
    Driver,
    DryRun,
    Json,
    ListFile,
    Policy,
    Private,
    ViewportOption,
    flag,
)
from crawler.knobs import Knobs

app = typer.Typer(
    help="Opens pages in a real browser and records where their structure and their pixels disagree.",
    epilog="Settings: docs/settings.md. Exit codes: 0 done, 1 could not, 2 asked wrongly, 3 stopped itself, "
    "130 stopped by you (docs/errors.md).",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.command()
def run(
    *,
    once: Annotated[bool, flag("--once", help="Visit every site of the list once, then stop.")] = False,
    list_file: ListFile = None,
    limit: Annotated[int | None, typer.Option(min=1, max=MOST, help="Only the first N sites.")] = None,
    since: Annotated[datetime | None, typer.Option(help="Leave out sites visited since then: goes on after Ctrl-C.")] = None,
    concurrency: Concurrency = None,
    policy: Policy = None,
    delay: Delay = None,
    driver: Driver = None,
    viewport: ViewportOption = None,
    allow_private: Private = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Visit every site of a list when it is due, for months; with --once, all of them once, with a table at the end.

    Every visit ends in a named outcome and is stored with its evidence. Ctrl-C keeps what is done: what is due stays due.
    More workers, here or elsewhere: crawler work.
    """
    knobs = Knobs(policy, delay, driver, viewport, allow_private, json, dry_run, concurrency)
    if not once:
        commands_service.run(knobs, list_file, limit=limit, since=since)
        return
    commands.run_list(knobs, list_file, limit=limit, since=since)


@app.command()
def visit(
    urls: Annotated[list[str], typer.Argument(metavar="URL...", help="Pages to visit.")],
    *,
    policy: Policy = None,
    delay: Delay = None,
    driver: Driver = None,
    viewport: ViewportOption = None,
    allow_private: Private = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Visit pages now and say what each kind finds, element by element.

    With --json, one document a line for each URL, in the order given (docs/visit-json.md).
    """
    commands.visit_urls(Knobs(policy, delay, driver, viewport, allow_private, json, dry_run, None), urls)


@app.command()
def demo(
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the report goes.")] = Path(".data/demo-report.html"),
    boards: Annotated[bool, flag("--boards", help="Its dense tables too: probes enough for a release.")] = False,
    json: Json = False,
) -> None:
    """Serve a small site of our own on loopback, crawl it, and write a report. Needs no network."""
    commands.demo(output, boards=boards, as_json=json)


app.add_typer(cli_service.app)
app.add_typer(cli_stored.app)
app.add_typer(cli_prune.app)
app.add_typer(cli_takedown.app)
app.add_typer(cli_health.app)
