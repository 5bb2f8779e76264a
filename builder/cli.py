"""builder: corpora and the crawl become an immutable release of probes."""

from __future__ import annotations

import sys

import typer

from builder import cli_audit, cli_captures, cli_check, cli_ingest, cli_release, cli_severity
from builder.settings import builder_settings
from domain.controls import printable
from domain.errors import ParallaxError
from store.surroundings import look_around

INTERRUPTED = 130
"""Exit code that typer gives a command which Ctrl-C has stopped."""

app = typer.Typer(
    help="Makes a benchmark of corpora and of the crawl's captures: an immutable release with its statistics.",
    epilog="Settings: docs/settings.md. Exit codes: 0 done, 1 could not, 2 asked wrongly, 130 stopped by you (docs/errors.md).",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(cli_ingest.ingest)
app.command()(cli_ingest.funnel)
app.command()(cli_ingest.sources)
app.command()(cli_release.export)
app.command()(cli_release.releases)
app.command()(cli_check.verify)
app.command()(cli_check.diff)
app.command()(cli_check.show)
app.command()(cli_check.card)
app.command()(cli_check.rebuild)
app.command()(cli_severity.severity)
app.command("export-captures")(cli_captures.export_captures)
app.add_typer(cli_audit.app, name="audit")


def main() -> None:
    """Runs a command. Errors made on purpose are a sentence and an exit code; anything else keeps its traceback."""
    try:
        look_around("builder", builder_settings, sys.argv[1:])
        app()
    except ParallaxError as error:
        print(printable(f"builder: {error}"), file=sys.stderr)  # noqa: T201 - this is where talking to people begins
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.exit(1)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            print("builder: Stopped. Nothing is half-written; the same command begins again.", file=sys.stderr)  # noqa: T201
        raise


if __name__ == "__main__":
    main()
