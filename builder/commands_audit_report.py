"""What builder audit report does: ask the store, work it out, print."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from builder import printing
from builder.audit_page import write_page
from builder.audit_report import (
    AGREEMENT,
    DISPUTED,
    LEGEND,
    PEOPLE,
    agreement_rows,
    audit_report,
    between,
    disputed_rows,
    model_lines,
    people_rows,
)
from domain.audit_report import AuditReport
from domain.controls import printable
from store.blobs import Blobs
from store.database import open_database
from store.settings import store_settings

LEFT = frozenset({"part", "annotator", *DISPUTED})


def show(name: str, *, html: Path | None, disputed: bool, as_json: bool) -> None:
    """builder audit report."""
    settings = store_settings()
    with open_database(settings) as database:
        found = audit_report(database, name)
        if html is not None:
            place = write_page(found, Blobs(settings.blobs).get, html)
            printing.talk(f"Page: {place}")
    if as_json:
        printing.json_line(found)
    else:
        tell(found, disputed=disputed, page=html is not None)


def tell(found: AuditReport, *, disputed: bool, page: bool = False) -> None:
    """The report for a person, then what its words mean. page: whether it was written as a page too."""
    printing.say(
        f"Audit {found.audit} of release {found.release}: {printing.some(found.items, 'item')}. Numbers: {found.definition}."
    )
    if not found.kinds:
        printing.say("Nobody has answered yet: every number is n/a (n=0).")
    for kind in found.kinds:
        printing.say(f"\n{kind.annotators}: {', '.join(kind.names) or 'adjudication only'}")
        for line in model_lines(kind):
            printing.say(printable(f"  {line}"))
        _table(AGREEMENT, list(agreement_rows(kind)))
        _table(PEOPLE, list(people_rows(kind)))
        printing.say(f"Disputed: {between(kind.disputed)}")
        if disputed and kind.disputed:
            _table(DISPUTED, list(disputed_rows(kind.disputed)))
    if not disputed and any(kind.disputed for kind in found.kinds):
        printing.talk("The disputed items: --disputed" + ("" if page else "; with pictures: --html FILE"))
    for line in LEGEND if found.kinds else ():
        printing.talk(line)


def _table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    made = printing.table(*columns, right=[name for name in columns if name not in LEFT])
    for row in rows:
        made.add_row(*(Text(printable(cell)) for cell in row))
    printing.out().print(made)
