"""api: serves what is stored to other programs."""

from __future__ import annotations

import os
import sys
import tempfile
import urllib.error
import urllib.request
from typing import Annotated

import typer
import uvicorn

from api import logs
from api.settings import api_settings
from domain.errors import ParallaxError, Unavailable

HEALTH_S = 5.0

app = typer.Typer(
    help="Serves what is stored to other programs: probes, health and metrics so far.",
    epilog="Settings: docs/settings.md. Exit codes: 0 done, 1 could not, 2 asked wrongly.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
Port = Annotated[int | None, typer.Option(min=0, max=65535, help="Default: API_PORT, 8000. 0: any that is free.")]


@app.command()
def serve(
    *,
    host: Annotated[str | None, typer.Option(help="Address to listen at. Default: API_HOST, 127.0.0.1.")] = None,
    port: Port = None,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Processes. Default: API_WORKERS, 1.")] = None,
) -> None:
    """Answer GET /probes, /health and /metrics until Ctrl-C.

    The database is DATABASE_URL, or the embedded one; its tables are left as they are.
    """
    settings = api_settings()
    count = workers or settings.workers
    if count > 1:  # before the processes start: they read it once
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="parallax-api-")
    host, port = settings.host if host is None else host, settings.port if port is None else port
    try:
        uvicorn.run(
            "api.app:served",
            factory=True,
            host=host,
            port=port,
            workers=count,
            log_config=logs.configure(),
            access_log=False,  # /metrics counts them
        )
    except SystemExit as ended:
        if ended.code:  # it has said why, to whoever reads logs
            raise Unavailable(
                f"Nothing can be served at {host}:{port}. Most often another program has that port: give --port, or API_PORT."
            ) from ended


@app.command()
def health(*, port: Port = None) -> None:
    """Ask the API on this machine whether it is well, and print what it says. For health checks."""
    where = f"http://127.0.0.1:{api_settings().port if port is None else port}/health"
    try:
        with urllib.request.urlopen(where, timeout=HEALTH_S) as answer:
            typer.echo(answer.read().decode())
    except urllib.error.HTTPError as error:
        raise Unavailable(error.read().decode(errors="replace")) from error
    except OSError as error:
        raise Unavailable(f"The API does not answer at {where}: {error}") from error


def main() -> None:
    """Runs a command. Errors made on purpose are a sentence and an exit code; anything else keeps its traceback."""
    try:
        app()
    except ParallaxError as error:
        print(f"api: {error}", file=sys.stderr)  # noqa: T201 - this is where talking to people begins
        sys.exit(error.exit_code)
