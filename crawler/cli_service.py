"""The commands of a crawler that runs for months."""

from __future__ import annotations

from typing import Annotated

import typer

from crawler import commands_service
from crawler.cli_options import Concurrency, Delay, Driver, Json, Policy, Private, ViewportOption, flag
from crawler.knobs import Knobs

app = typer.Typer(no_args_is_help=True)

SiteArgument = Annotated[
    str, typer.Argument(metavar="SITE", help="Its name in the list; or a host, for all sites of it; or a URL.")
]


@app.command()
def work(
    *,
    concurrency: Concurrency = None,
    policy: Policy = None,
    delay: Delay = None,
    driver: Driver = None,
    viewport: ViewportOption = None,
    allow_private: Private = False,
    json: Json = False,
) -> None:
    """Visit the sites that are stored whenever they are due: those of `crawler add` and of the list `crawler run` had last.

    Any number may go, on any machine with the same DATABASE_URL and BLOB_URL: each turn is visited once.
    Ctrl-C (or SIGTERM) stops after the visits under way; a second one, a second later or more, ends
    it at once, and others redo those visits.
    """
    commands_service.work(Knobs(policy, delay, driver, viewport, allow_private, json, dry_run=False, concurrency=concurrency))


@app.command()
def status(
    *,
    watch: Annotated[bool, flag("--watch", "-w", help="Again every two seconds, until Ctrl-C.")] = False,
    json: Json = False,
) -> None:
    """Say what is due, waiting, resting, being done, done and failing, by host, and which workers live."""
    commands_service.show_status(watch=watch, as_json=json)


@app.command()
def pause(
    site: SiteArgument,
    *,
    why: Annotated[str, typer.Option(help="The reason, for whoever finds it paused.")] = "",
    json: Json = False,
) -> None:
    """Visit a site no more until `crawler resume`. What is stored stays. For ever, and hidden too: crawler takedown."""
    commands_service.pause(site, why, as_json=json)


@app.command()
def resume(site: SiteArgument, *, json: Json = False) -> None:
    """Visit a paused site again: at once where a visit was missed, one only."""
    commands_service.resume(site, as_json=json)


@app.command()
def add(
    url: Annotated[str, typer.Argument(metavar="URL", help="The page to visit again and again.")],
    *,
    every: Annotated[str, typer.Option(metavar="TIME", help='From one visit to the next: "30m", "1h", "1d".')] = "1d",
    name: Annotated[str | None, typer.Option(help="What its visits are filed under. Default: made of the URL.")] = None,
    why: Annotated[str, typer.Option(help="The reason it is visited, in words.")] = "",
    allow_private: Private = False,
    json: Json = False,
) -> None:
    """Add a site to those that are visited, beside the list; a worker visits it at once. It stays until it is paused.

    A page at a private address needs --allow-private here, and again where it is visited: crawler work --allow-private.
    """
    commands_service.add(url, every=every, name=name, why=why, allow_private=allow_private, as_json=json)
