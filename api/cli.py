"""api: a command in name only until the API comes with its own issue."""

from __future__ import annotations

import typer

app = typer.Typer(add_completion=False)


@app.command(help="Serves probes, captures and releases. It comes with its own issue; nothing is here yet.")
def api() -> None:
    typer.echo("api: nothing is here yet; the API comes with its own issue.", err=True)
    raise typer.Exit(1)


def main() -> None:
    app()
