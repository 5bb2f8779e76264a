"""crawler: opens pages in a real browser and records where their structure and their pixels disagree."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from crawler import commands, commands_stored, logs
from crawler.knobs import Knobs
from domain.errors import ParallaxError
from domain.text import PolicyName

app = typer.Typer(
    help="Opens pages in a real browser and records where their structure and their pixels disagree.",
    epilog="Settings: docs/settings.md. Exit codes: 0 done, 1 could not, 2 asked wrongly.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
sites_app = typer.Typer(help="The site list: check it, see it.", no_args_is_help=True)
app.add_typer(sites_app, name="sites")

Policy = Annotated[PolicyName | None, typer.Option(help="When a name and a label agree. Default: CRAWLER_POLICY, tokens.")]
Delay = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help='Between structure and pixels: "3s", "500ms"; a bare number is seconds. Default: CRAWLER_DELAY_MS, 3s.',
    ),
]
Driver = Annotated[
    Literal["playwright", "selenium", "recorded"] | None,
    typer.Option(help="Who drives the browser; recorded replays stored captures. Default: CRAWLER_DRIVER, playwright."),
]
ViewportOption = Annotated[
    str | None, typer.Option("--viewport", metavar="WxH[@SCALE]", help="CSS px, and image px per CSS px. Default: 1280x720.")
]
Private = Annotated[bool, typer.Option("--allow-private", help="Open loopback and private addresses too.")]
Json = Annotated[bool, typer.Option("--json", help="JSON, a document a line, for other programs.")]
ListFile = Annotated[
    Path | None, typer.Option("--list", help="TOML, text (a URL a line) or rank,domain CSV. Default: the shipped list.")
]


@app.command()
def run(
    *,
    once: Annotated[bool, typer.Option("--once", help="Visit every site of the list once, then stop.")] = False,
    list_file: ListFile = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N sites.")] = None,
    since: Annotated[datetime | None, typer.Option(help="Leave out sites visited since then: goes on after Ctrl-C.")] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=0, max=64, help="Pages at a time; 0 finds out. Default: CRAWLER_CONCURRENCY.")
    ] = None,
    policy: Policy = None,
    delay: Delay = None,
    driver: Driver = None,
    viewport: ViewportOption = None,
    allow_private: Private = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Visit and judge, store nothing.")] = False,
    json: Json = False,
) -> None:
    """Visit the sites of a list, many at a time, with live progress and a table at the end.

    Every visit ends in a named outcome and is stored with its evidence. Ctrl-C keeps what is done.
    """
    knobs = Knobs(policy, delay, driver, viewport, allow_private, json, dry_run, concurrency)
    commands.run_list(knobs, list_file, limit=limit, since=since, once=once)


@app.command()
def visit(
    urls: Annotated[list[str], typer.Argument(metavar="URL...", help="Pages to visit.")],
    *,
    policy: Policy = None,
    delay: Delay = None,
    driver: Driver = None,
    viewport: ViewportOption = None,
    allow_private: Private = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Visit and judge, store nothing.")] = False,
    json: Json = False,
) -> None:
    """Visit pages now and say what each kind finds, element by element.

    With --json, one document a line for each URL, in the order given (docs/visit-json.md).
    """
    commands.visit_urls(Knobs(policy, delay, driver, viewport, allow_private, json, dry_run, None), urls)


@app.command()
def detect(
    *,
    policy: Policy = None,
    site: Annotated[str | None, typer.Option(help="Only captures of this site.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would change, change nothing.")] = False,
    json: Json = False,
) -> None:
    """Ask the rules again of every stored capture, with no browser, and say what changed since they last looked."""
    commands_stored.detect_again(policy, site, dry_run=dry_run, as_json=json)


@app.command()
def show(
    id: Annotated[str, typer.Argument(metavar="ID", help="A visit or a divergence; the first digits are enough.")],  # noqa: A002
    *,
    elements: Annotated[bool, typer.Option("--elements", help="Every element looked at, not only the flagged ones.")] = False,
    save: Annotated[Path | None, typer.Option(help="Write page, readings and screenshot into this folder.")] = None,
    json: Json = False,
) -> None:
    """Show one visit or one divergence: what the structure said, what the screen showed, and when each was read."""
    commands_stored.show(id, elements=elements, save=save, as_json=json)


@app.command()
def report(
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")] = Path("report.html"),
    *,
    site: Annotated[str | None, typer.Option(help="Only this site.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only this kind: aria, title, stale, state.")] = None,
    verdict: Annotated[Literal["flagged", "review"], typer.Option(help="Flagged, or those a person must decide.")] = "flagged",
    since: Annotated[datetime | None, typer.Option(help="Only visits since then.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many divergences, newest first.")] = 500,
    json: Json = False,
) -> None:
    """Write one HTML file to look at: each divergence with its crop, box, both values, kind, site and times."""
    commands_stored.report(output, site=site, kind=kind, verdict=verdict, since=since, limit=limit, as_json=json)


@app.command()
def demo(
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the report goes.")] = Path(".data/demo-report.html"),
    json: Json = False,
) -> None:
    """Serve a small site of our own on loopback, crawl it, and write a report. Needs no network."""
    commands.demo(output, as_json=json)


@sites_app.command("check")
def sites_check(
    path: Annotated[Path | None, typer.Argument(help="The list. Default: the shipped one.")] = None,
    *,
    allow_private: Private = False,
    json: Json = False,
) -> None:
    """Name every problem of a site list at once, each with its line and its remedy."""
    commands_stored.check_sites(path, allow_private=allow_private, as_json=json)


@sites_app.command("show")
def sites_show(
    path: Annotated[Path | None, typer.Argument(help="The list. Default: the shipped one.")] = None,
    *,
    allow_private: Private = False,
    json: Json = False,
) -> None:
    """Print the sites of a list: name, how often, topic, address, and why it is there."""
    commands_stored.show_sites(path, allow_private=allow_private, as_json=json)


def main() -> None:
    """Runs a command. Errors made on purpose are a sentence and an exit code; anything else keeps its traceback."""
    logs.configure()
    try:
        app()
    except ParallaxError as error:
        print(f"crawler: {error}", file=sys.stderr)  # noqa: T201 - this is where talking to people begins
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.exit(1)


if __name__ == "__main__":
    main()
