"""builder: a command in name only until the builder comes with its own issue."""

from __future__ import annotations

import typer

app = typer.Typer(add_completion=False)


@app.command(help="Makes a benchmark of captures. It comes with its own issue; nothing is here yet.")
def builder() -> None:
    typer.echo("builder: nothing is here yet; the builder comes with its own issue.", err=True)
    raise typer.Exit(1)


def main() -> None:
    app()
