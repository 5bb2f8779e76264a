"""builder audit: an audit is opened, answered at a desk or elsewhere, told, closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from builder import cli_audit_out, cli_audit_report
from builder.cli_options import MOST, Json, flag
from builder.later import Later
from builder.settings import LARGEST_SEED

if TYPE_CHECKING:
    from builder import commands_audit
else:
    commands_audit = Later("builder.commands_audit")

app = typer.Typer(no_args_is_help=True, help="Let people and models say what the pixels show, who see nothing else.")
annotator_app = typer.Typer(no_args_is_help=True, help="Who may answer.")
app.add_typer(annotator_app, name="annotator")
Audit = Annotated[str, typer.Argument(metavar="AUDIT", help="The audit's name.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The annotator's name: lower case letters, digits and '-'.")]


@app.command("open")
def open_(
    name: Annotated[str, typer.Argument(metavar="AUDIT", help="A name for it: lower case letters, digits, '-' and '.'.")],
    *,
    release: Annotated[
        str, typer.Option("--release", "-r", metavar="NAME", help="A frozen release: its rows are asked about.")
    ],
    families: Annotated[
        str | None, typer.Option(metavar="NAME,NAME", help="Only rows of these families. Default: all of them.")
    ] = None,
    items: Annotated[
        int | None, typer.Option("--items", min=1, max=MOST, help="Only so many rows, drawn by the seed: to try. Default: all.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=LARGEST_SEED, help="Of everybody's order. Default: by chance.")] = None,
    adjudicate: Annotated[
        bool, flag("--adjudicate", help="Everybody is asked what two others disagree on, not only who adjudicates.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=0, max=64, help="Threads; 0: one a core. Default: BUILDER_WORKERS.")
    ] = None,
    json: Json = False,
) -> None:
    """Open an audit over the rows of a frozen release: each becomes a picture, a region and a question.

    Pictures are written anew, without metadata, under numbers that tell nothing. They come from the store, else from the corpus
    as it was ingested. What cannot be shown is listed with its reason, and counted.
    """
    commands_audit.open_(
        name, release=release, families=families, seed=seed, adjudicate=adjudicate, items=items, workers=workers, as_json=json
    )


@app.command()
def status(
    name: Annotated[str | None, typer.Argument(metavar="AUDIT", help="One audit. Default: all.")] = None, *, json: Json = False
) -> None:
    """Tell how far audits are, humans and models apart: items with no, one and two labels, leases, disagreements."""
    commands_audit.status(name, as_json=json)


@app.command()
def close(name: Audit, *, again: Annotated[bool, flag("--reopen", help="Take answers again.")] = False) -> None:
    """Take no more answers. Its numbers stay, and can still be asked for."""
    commands_audit.close(name, again=again)


@app.command()
def remove(
    name: Audit, *, yes: Annotated[bool, flag("--yes", help="Do it: all of its answers are gone for good.")] = False
) -> None:
    """Remove an audit with all that was answered, and its pictures, unless another audit has them too."""
    commands_audit.remove(name, yes=yes)


@annotator_app.command()
def add(
    name: Name,
    *,
    kind: Annotated[Literal["human", "model"], typer.Option(help="For good: they are never counted together.")] = "human",
    adjudicates: Annotated[
        bool, flag("--adjudicates", help="Is asked what two others disagree on, once nothing else is left.")
    ] = False,
    json: Json = False,
) -> None:
    """Add an annotator and print the token that the desk asks for. It is told once, and nowhere stored.

    One that was removed comes back, with a new token.
    """
    commands_audit.add_annotator(name, kind, adjudicates=adjudicates, as_json=json)


@annotator_app.command("list")
def list_(*, json: Json = False) -> None:
    """List the annotators, those that were removed too."""
    commands_audit.list_annotators(as_json=json)


@annotator_app.command("remove")
def remove_annotator(name: Name) -> None:
    """Make an annotator's token void. What they answered stays; what they have and have not answered comes free."""
    commands_audit.remove_annotator(name)


cli_audit_out.register(app)
app.add_typer(cli_audit_report.app)
