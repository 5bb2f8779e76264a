"""builder audit report: the numbers of an audit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli_options import flag
from builder.later import Later

if TYPE_CHECKING:
    from builder import commands_audit_report
else:
    commands_audit_report = Later("builder.commands_audit_report")

app = typer.Typer()


@app.command()
def report(
    name: Annotated[str, typer.Argument(metavar="AUDIT", help="The audit's name.")],
    *,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page too: numbers, and each disputed item with its picture. One file."),
    ] = None,
    disputed: Annotated[bool, flag("--disputed", help="List the disputed items too.")] = False,
    json: Annotated[bool, flag("--json", help="JSON, for other programs; with all disputed items.")] = False,
) -> None:
    """How far annotators agree with one another and with gold (docs/audit-numbers.md).

    Raw agreement, Cohen's kappa, consensus and validity with 95 % intervals: for all, the headline, each family and each
    natural kind; humans and models apart. Over the labels before adjudication. Can be asked while an audit goes on.
    """
    commands_audit_report.show(name, html=html, disputed=disputed, as_json=json)
