"""crawler takedown: what is not visited any more, and hidden. For whoever answers a site owner's letter."""

from __future__ import annotations

import getpass
from typing import Annotated, Any

import typer
from rich.table import Table

from crawler import printing
from crawler.cli_options import Json, flag
from crawler.filing import Archive
from crawler.opened import kept_archive, made_archive
from domain.errors import BadInput
from domain.takedown import read_covered
from store import takedowns
from store.hiding import Hidden
from store.takedowns import Releases, Takedown

app = typer.Typer(no_args_is_help=True)
list_app = typer.Typer(
    help="What is not visited any more, and hidden from every command and the API. docs/conduct.md says when.",
    no_args_is_help=True,
)
app.add_typer(list_app, name="takedown")
DryRun = Annotated[bool, flag("--dry-run", help="Say what would change, change nothing.")]


@list_app.command("add")
def add(
    what: Annotated[
        str,
        typer.Argument(
            metavar="HOST_OR_URL",
            help="shop.example, with its subdomains; or https://shop.example/u/jane. A port counts where one is given.",
        ),
    ],
    *,
    why: Annotated[str, typer.Option(help="Who asked for it, and when: kept with the entry.")],
    by: Annotated[str | None, typer.Option(help="Who enters it. Default: your login name.")] = None,
    purge: Annotated[bool, flag("--purge", help="Delete what is stored instead of hiding it. Not to be undone.")] = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Stop visits to a host, or to all addresses that begin as this one does, and hide what is stored of them.

    At once, for all workers: visits that wait in the queue end as taken-down, and one under way is hidden when it is saved.
    """
    if not why.strip():
        raise BadInput('--why is blank. Write e.g. --why "letter of the owner, 2 March"')
    covered = read_covered(what)
    archive = made_archive()
    try:
        entry, done, releases, _ = takedowns.add(
            archive.database, covered, why=why, by_whom=by or _login(), dry_run=dry_run, purged=purge
        )
    finally:
        archive.close()
    _tell([entry], done, releases, "deleted" if purge else "hidden", dry_run=dry_run, as_json=json)
    when = "would be" if dry_run else "are now"
    for name, n in releases.items():
        printing.talk(f"Release {name} is frozen and holds {n} probes that {when} taken down: docs/conduct.md says what to do.")


@list_app.command("lift")
def lift(
    what: Annotated[str, typer.Argument(metavar="ID_OR_HOST", help="An id from the list, or the host or URL as entered.")],
    *,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Take an entry off the list: the site may be visited again, and what was hidden by it is shown again."""
    archive = kept_archive()
    try:
        lifted, done, releases = takedowns.lift(archive.database, what, dry_run=dry_run)
    finally:
        archive.close()
    _tell(lifted, done, releases, "shown again", dry_run=dry_run, as_json=json)


@list_app.command("list")
def show(
    *,
    every: Annotated[bool, flag("--all", help="Those that were lifted, too.")] = False,
    json: Json = False,
) -> None:
    """Print the take-down list, oldest entry first."""
    archive: Archive = kept_archive()
    try:
        found = takedowns.takedowns(archive.database, lifted=every)
    finally:
        archive.close()
    if json:
        for entry in found:
            printing.json_line(entry)
        return
    if not found:
        printing.talk("Nothing is taken down.")
        return
    table = Table("id", "covers", "since", "by", "why", *(["lifted"] if every else []))
    for entry in found:
        lifted = [f"{entry.lifted:%Y-%m-%d}" if entry.lifted else ""] if every else []
        table.add_row(entry.id, entry.covered, f"{entry.since:%Y-%m-%d}", entry.by_whom, entry.why, *lifted)
    printing.out().print(table)


def _tell(entries: list[Takedown], done: Hidden, releases: Releases, became: str, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        for entry in entries:
            said: dict[str, Any] = {"dry_run": dry_run, "became": became, "entry": entry.model_dump(mode="json")}
            printing.json_line(said | {"changed": done.model_dump(), "releases": releases})
        return
    would = "Would be" if dry_run else "Now"
    names = "; ".join(entry.covers for entry in entries)
    printing.say(
        f"{names}: {would} {became}: {done.visits} visits with {done.captures} captures and {done.divergences} divergences, "
        f"{done.probes} probes."
    )
    if became == "deleted" and not dry_run:
        printing.talk("Their blobs go with the next: crawler prune")


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
