"""The commands on what is stored, and on site lists."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from crawler import commands_check, commands_drift, commands_probes, commands_stored
from crawler.cli_options import MOST, Json, OnlyKind, OnlySite, Policy, Private, Since, flag

app = typer.Typer(no_args_is_help=True)
sites_app = typer.Typer(help="The site list: check it, see it.", no_args_is_help=True)
app.add_typer(sites_app, name="sites")


@app.command()
def detect(
    *,
    policy: Policy = None,
    site: OnlySite = None,
    dry_run: Annotated[bool, flag("--dry-run", help="Say what would change, change nothing.")] = False,
    json: Json = False,
) -> None:
    """Ask the rules again of every stored capture, with no browser, and say what changed since they last looked."""
    commands_stored.detect_again(policy, site, dry_run=dry_run, as_json=json)


@app.command()
def show(
    id: Annotated[str, typer.Argument(metavar="ID", help="A visit, a divergence or a probe; the first digits are enough.")],  # noqa: A002
    *,
    elements: Annotated[bool, flag("--elements", help="Every element looked at, not only the flagged ones.")] = False,
    save: Annotated[Path | None, typer.Option(help="Write page, readings and screenshot into this folder.")] = None,
    json: Json = False,
) -> None:
    """Show one visit, divergence or probe: what the structure said, what the screen showed, and when each was read."""
    commands_stored.show(id, elements=elements, save=save, as_json=json)


@app.command()
def report(
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")] = Path("report.html"),
    *,
    site: OnlySite = None,
    kind: OnlyKind = None,
    verdict: Annotated[Literal["flagged", "review"], typer.Option(help="Flagged, or those a person must decide.")] = "flagged",
    check: Annotated[
        Literal["confirmed", "contradicted", "unreadable", "unchecked"] | None,
        typer.Option(help="Only what the pixel check said."),
    ] = None,
    since: Since = None,
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="At most so many divergences, newest first.")] = 500,
    json: Json = False,
) -> None:
    """Write one HTML file to look at: each divergence with its crop, box, both values, kind, site and times."""
    commands_stored.report(output, site=site, kind=kind, verdict=verdict, check=check, since=since, limit=limit, as_json=json)


@app.command()
def check(
    *,
    site: OnlySite = None,
    kind: OnlyKind = None,
    verdict: Annotated[Literal["flagged", "review"], typer.Option(help="Flagged, or those a person must decide.")] = "flagged",
    reader: Annotated[
        Literal["rapidocr", "tesseract"] | None, typer.Option(help="Ask this reader, whoever looked before. Default: rapidocr.")
    ] = None,
    again: Annotated[bool, flag("--again", help="Those checked before, too.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, max=MOST, help="At most so many.")] = None,
    json: Json = False,
) -> None:
    """Read the pixels of stored divergences that no reader has looked at, and draw probes from those confirmed.

    `crawler run` does so by itself; this catches up after Ctrl-C, or asks another reader. What is done stays done.
    """
    commands_check.check(site=site, kind=kind, verdict=verdict, reader=reader, again=again, limit=limit, as_json=json)


@app.command()
def probes(
    *,
    site: OnlySite = None,
    kind: OnlyKind = None,
    family: Annotated[str | None, typer.Option(help="Only this family, such as web-natural.")] = None,
    since: Since = None,
    limit: Annotated[int | None, typer.Option(min=1, max=MOST, help="At most so many, last seen first.")] = None,
    json: Json = False,
) -> None:
    """List the probes drawn from confirmed divergences: what is asked, both values, and how often each was seen."""
    commands_probes.list_stored_probes(site=site, kind=kind, family=family, since=since, limit=limit, as_json=json)


@app.command()
def history(
    id: Annotated[str, typer.Argument(metavar="ID", help="A divergence or a probe; the first digits are enough.")],  # noqa: A002
    *,
    since: Since = None,
    json: Json = False,
) -> None:
    """Show what structure and screen said of one element at every visit, oldest first."""
    commands_probes.show_element_history(id, since=since, as_json=json)


@app.command()
def drift(
    *,
    site: OnlySite = None,
    since: Since = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the curves into this .png or .svg file.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="At most so many live elements.")] = 20,
    json: Json = False,
) -> None:
    """Tell how soon structure goes stale: the share of texts that differ against the delay, and half-lives of live elements."""
    commands_drift.drift(site=site, since=since, output=plot, limit=limit, as_json=json)


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
