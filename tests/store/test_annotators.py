"""store/annotators.py: names and tokens, and nothing stored that would let anybody answer."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from domain.audit import Label
from domain.errors import BadInput, NotFound, Refused
from store import annotators, audit_desk, audit_results
from store.blobs import Blobs
from store.database import Database
from tests.store.audit_rows import AUDIT, opened


def test_a_name_and_a_token(database: Database) -> None:
    """Who has both is known, with kind and task; the token itself is nowhere in the table."""
    token = annotators.add(database, "ann", "human", adjudicates=True)
    other = annotators.add(database, "ocr-1", "model")
    assert annotators.annotator_of(database, "ann", token) == annotators.Annotator(name="ann", kind="human", adjudicates=True)
    assert annotators.annotator_of(database, "ocr-1", other).kind == "model"
    assert len(token) == 43  # 256 bits
    assert token != other
    with database.transaction() as connection:
        stored = connection.scalar(text("select string_agg(annotators::text, ' ') from annotators"))
    assert token not in stored


def test_wrong_either_way_is_said_alike(database: Database) -> None:
    """Nobody learns which names there are: a wrong name, a wrong token, another's, one that is void."""
    token, other = annotators.add(database, "ann", "human"), annotators.add(database, "bob", "human")
    annotators.remove(database, "bob")
    said = set()
    for name, given in [
        ("ann", "x"),
        ("nobody", token),
        ("ann", other),
        ("bob", other),
        ("ann", ""),
        ("a\x00\ud800", "\ud800"),
    ]:
        with pytest.raises(Refused) as caught:
            annotators.annotator_of(database, name, given)
        said.add(str(caught.value))
    assert len(said) == 1


def test_removed(database: Database, blobs: Blobs) -> None:
    """The token is void, answers stay, and what was held comes free; the same name comes back with a new token, as the same."""
    opened(database, blobs, 2)
    token = annotators.add(database, "ann", "human")
    ann = annotators.annotator_of(database, "ann", token)
    first = audit_desk.next_item(database, AUDIT, ann)
    assert first is not None
    audit_desk.submit(database, AUDIT, ann, first.item, Label(answer="absent"))
    held = audit_desk.next_item(database, AUDIT, ann)
    annotators.remove(database, "ann")
    with pytest.raises(Refused):
        annotators.annotator_of(database, "ann", token)
    annotators.add(database, "bob", "human")
    bob = annotators.find_annotator(database, "bob")
    assert audit_desk.next_item(database, AUDIT, bob) == held  # nobody has it: it comes before the one with an answer
    [line, _] = annotators.annotators(database)
    assert (line.name, line.answers, line.gone is not None) == ("ann", 1, True)
    assert [one.annotator for row in audit_results.judged(database, AUDIT) for one in row.judgements] == ["ann"]
    with pytest.raises(NotFound):
        annotators.remove(database, "ann")
    with pytest.raises(NotFound, match=r"ann was removed on .* builder audit annotator add ann --kind human"):
        annotators.find_annotator(database, "ann")
    with pytest.raises(NotFound, match="Known: bob"):
        annotators.find_annotator(database, "nobody")
    with pytest.raises(Refused, match="a human"):
        annotators.add(database, "ann", "model")  # its answers are a person's
    again = annotators.add(database, "ann", "human")
    assert again != token
    assert annotators.annotator_of(database, "ann", again) == ann


@pytest.mark.parametrize("name", ["", "Ann", "ann bob", "-a", "a--b", "a" * 65, "ä", "a:b", "a\n", "human-1", "model-12"])
def test_names(database: Database, name: str) -> None:
    """A name can stand before a colon, in a file name and in a table, and is none that a release gives."""
    with pytest.raises(BadInput):
        annotators.add(database, name, "human")


def test_a_name_is_of_one(database: Database) -> None:
    """Answers of two people are never under one name."""
    annotators.add(database, "ann", "human")
    with pytest.raises(Refused, match="There is an annotator ann already"):
        annotators.add(database, "ann", "human")
