"""crawler health: asks the worker on this machine how it is. For people, and for a container's health check."""

from __future__ import annotations

from typing import Annotated

import httpx2
import typer
from pydantic import ValidationError

from crawler import printing
from crawler.cli_options import Json
from crawler.health import HealthReport
from crawler.knobs import settings_of
from crawler.serving import base_url
from domain.errors import Unavailable

app = typer.Typer()
LIMIT_S = 8.0
"""A report may wait for the database a moment; more is no health."""


@app.command()
def health(
    *,
    url: Annotated[
        str | None, typer.Option("--url", help="A worker elsewhere, as http://host:port. Default: CRAWLER_METRICS_PORT here.")
    ] = None,
    json: Json = False,
) -> None:
    """Ask the running worker whether it does its job: 0 yes, 1 no, with the reason in a line.

    It does where visits finish while something is due, or where nothing is due and a page of its own could be read.
    """
    report = ask(url or _own())
    if json:
        printing.json_line(report)
    else:
        printing.talk(f"{report.state}: {report.reason}")
    raise typer.Exit(0 if report.ok else 1)


def ask(base: str) -> HealthReport:
    """The report of the worker that serves there. Raises Unavailable where none is to be had."""
    address = base.rstrip("/").removesuffix("/health") + "/health"
    try:
        # No proxy of the environment: it would look for the worker on its own machine.
        answer = httpx2.get(address, timeout=LIMIT_S, trust_env=False)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise Unavailable(
            f"No worker answers at {address}: {str(error) or type(error).__name__}. "
            "Is `crawler run` or `crawler work` running, with the same CRAWLER_METRICS_PORT?"
        ) from error
    try:
        return HealthReport.model_validate_json(answer.content)
    except ValidationError as error:
        raise Unavailable(f"What answers at {address} (status {answer.status_code}) is no worker of this version.") from error


def _own() -> str:
    settings = settings_of({})
    if settings.metrics_port == 0:
        raise Unavailable(
            "CRAWLER_METRICS_PORT is 0: workers serve no /health. Set it for the worker and here, to 9464 say, or give --url."
        )
    return base_url(settings.metrics_host, settings.metrics_port)
