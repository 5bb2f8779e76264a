"""A file of answers that comes again once the audit is closed: whoever was cut off at the first import learns that it came."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.audit_import import Imported, import_answers
from domain.errors import BadInput, Refused
from store.audit_results import close, status
from store.blobs import Blobs
from store.database import Database
from tests.api.audited import NAME, audited
from tests.builder.sheets import answers, asked, sheet_for


def test_a_file_that_is_stored_whole_is_fine_when_it_is_closed(database: Database, blobs: Blobs, tmp_path: Path):
    """As before it was closed; one answer more is refused, and a file that is wrong is told to be."""
    given = audited(database, blobs, 3, "ada")
    folder = sheet_for(given, "ada", tmp_path / "sheet")
    lines = [{"item": one["item"], "answer": "absent"} for one in asked(folder)]
    assert import_answers(database, answers(folder, *lines[:2])).new == 2
    close(database, NAME)
    assert import_answers(database, answers(folder, *lines[:2])) == Imported(NAME, "ada", new=0, same=2, hidden=0)
    with pytest.raises(Refused, match="was closed on"):
        import_answers(database, answers(folder, *lines))
    with pytest.raises(BadInput, match="it is there twice, with the same answer"):
        import_answers(database, answers(folder, *lines[:2], lines[0]))
    assert status(database, NAME).kinds[0].answers == 2
