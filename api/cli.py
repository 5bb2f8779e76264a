"""api: serves what is stored, to programs and to people."""

from __future__ import annotations

import sys
import urllib.error
import urllib.request
from typing import Annotated

import typer

from api.addresses import address_of
from api.settings import api_settings
from domain.errors import BadInput, ParallaxError, Unavailable
from store.surroundings import look_around

HEALTH_S = 5.0

app = typer.Typer(
    help="Serves what is stored: JSON to other programs, pages to people.",
    epilog="Settings: docs/settings.md. Exit codes: 0 done, 1 could not, 2 asked wrongly.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.command()
def serve(
    *,
    host: Annotated[str | None, typer.Option(help="Address to listen at. Default: API_HOST, 127.0.0.1.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen at. Default: API_PORT, 8000. 0: any that is free.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Processes. Default: API_WORKERS, 1.")] = None,
) -> None:
    """Answer programs and browsers until Ctrl-C. It says which address to open.

    The database is DATABASE_URL, whose tables are left as they are, or the embedded one, whose tables are made or upgraded.
    """
    from api import running  # noqa: PLC0415 - it takes seconds to load, and `health` has only so many

    given = {"host": host, "port": port, "workers": workers}
    settings = api_settings().model_copy(update={name: value for name, value in given.items() if value is not None})
    running.serve(settings)


@app.command()
def health(
    *,
    host: Annotated[str | None, typer.Option(help="Address where it listens. Default: API_HOST, 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port where it listens. Default: API_PORT, 8000.")] = None,
) -> None:
    """Ask the API on this machine whether it is well, and print what it says. For health checks."""
    settings = api_settings()
    if not (port or settings.port):
        raise BadInput("API_PORT is 0, any that is free. Give --port, as `api serve` told it when it began.")
    where = f"{address_of(settings.host if host is None else host, port or settings.port)}health"
    asking = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy leads elsewhere than to this machine
    try:
        with asking.open(where, timeout=HEALTH_S) as answer:
            typer.echo(answer.read().decode())
    except urllib.error.HTTPError as error:
        raise Unavailable(error.read().decode(errors="replace")) from error
    except OSError as error:
        raise Unavailable(f"The API does not answer at {where}: {error}") from error


def main() -> None:
    """Runs a command. Errors made on purpose are a sentence and an exit code; anything else keeps its traceback."""
    try:
        look_around("api", api_settings, sys.argv[1:])
        app()
    except ParallaxError as error:
        print(f"api: {error}", file=sys.stderr)  # noqa: T201 - this is where talking to people begins
        sys.exit(error.exit_code)
