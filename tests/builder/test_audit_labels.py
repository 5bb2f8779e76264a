"""The labels of an audit are in the release that rests on them: whoever has it can work out every number of the audit."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, update

from builder.assembled import CHECKSUMS, LABELS, file_digest
from builder.audit_open import Wanted, begin_audit
from builder.audit_splits import audited
from builder.export import Exported
from builder.formats import FORMATS
from builder.verify import verify
from domain.audit import Label
from domain.audit_earlier import as_of
from domain.audit_labels import ReleasedLabel, ReleasedLabels, judged_again, unpadded
from domain.audit_model import AnsweringModel
from domain.audit_report import report
from domain.errors import Refused
from store import annotators, audit_results, tables
from store.annotators import Annotator
from store.audit_answers import submit
from store.audit_desk import next_items
from store.blobs import Blobs
from store.database import Database
from store.release_files import all_files
from store.release_hidden import shows_hidden
from tests.builder.test_export import Ingest, content_of, cut, ingest, live_probe, rows_of, spec

__all__ = ["ingest"]
UNSURE = Label(answer="unsure")
SEER = AnsweringModel(way="reader", name="tesseract", version="5.3/eng")


def judge(database: Database, name: str, labels: dict[str, Label]) -> None:
    """A new annotator answers all items, each in 2.5 s."""
    annotators.add(database, name, "human")
    next_items(database, "a", Annotator(name=name, kind="human"), count=len(labels))
    for item, label in labels.items():
        submit(database, "a", Annotator(name=name, kind="human"), item, label, 2.5)


@pytest.fixture
def done(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path) -> Exported:
    """Of five rows, four are right to Zoe, and three to Axel, who is unsure of two; Kim settles one; a model says one."""
    ingest(3)
    for n in range(2):
        live_probe(database, blobs, n)
    plain = cut(database, blobs, spec(desktop=3, natural=2), tmp_path / "plain")
    begin_audit(database, blobs, Wanted("a", "t1"))
    items = {row.probe: row.item for row in audit_results.judged(database, "a")}
    right = {items[row.id]: Label(answer="value", value=row.gold) for row in rows_of(plain.place)}
    first, second, third, *_ = right
    judge(database, "zoe", {**right, first: Label(answer="unreadable")})
    judge(database, "axel", {**right, second: UNSURE, third: UNSURE})
    kim = Annotator(name="kim", kind="human", adjudicates=True)
    annotators.add(database, "kim", "human", True)
    [handed] = next_items(database, "a", kim, count=1)
    submit(database, "a", kim, handed.item, right[handed.item])
    annotators.add(database, "seer", "model")
    seer = Annotator(name="seer", kind="model")
    [handed] = next_items(database, "a", seer, count=1)
    submit(database, "a", seer, handed.item, right[handed.item], by=SEER)
    return cut(
        database, blobs, spec("t2", desktop=3, natural=2), tmp_path / "out", audit=audited(database, "a"), formats=FORMATS
    )


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / LABELS).read_text().splitlines()]


def test_numbers_follow_from_the_file(done: Exported, database: Database) -> None:
    """Agreement and kappa worked out from its lines alone are those of the manifest; who the people are is in no file."""
    lines = lines_of(done.place)
    assert [line["probe"] for line in lines] == [row.id for row in rows_of(done.place)]
    labels = [one for line in lines for one in line["labels"]]
    assert {tuple(sorted(one)) for one in labels} == {("annotator", "answer", "kind", "place", "seconds", "value")}
    assert Counter(one["annotator"] for one in labels) == {"human-1": 5, "human-2": 5, "human-3": 1, "seer": 1}
    assert {one["place"] for one in labels if one["annotator"] == "human-3"} == {3}
    assert {one["seconds"] for one in labels if one["annotator"] in {"human-1", "human-2"}} == {2.5}
    said = [{one["annotator"]: one["value"] or one["answer"] for one in line["labels"] if one["place"] < 3} for line in lines]
    pairs = [(one["human-1"], one["human-2"]) for one in said]
    agree = sum(a == b for a, b in pairs)
    both = [Counter(one) for one in zip(*pairs, strict=True)]
    chance = sum(both[0][what] * both[1][what] for what in both[0]) / 25
    assert agree == 2
    audit = json.loads((done.place / "manifest.json").read_bytes())["audit"]
    whole = audit["tables"]["human"][0]
    assert (whole["agreement"]["count"], whole["agreement"]["n"]) == (2, 5)
    assert whole["kappa"]["value"] == pytest.approx((agree / 5 - chance) / (1 - chance))
    assert audit["models"] == {"seer": SEER.model_dump()}
    assert audit["labels"]["sha256"] == file_digest(done.place / LABELS)
    for content in content_of(done.place).values():
        for name in (b"zoe", b"axel", b"kim"):
            assert name not in content
    card = (done.place / "README.md").read_text()
    assert f"Every label: `{LABELS}`." in card
    assert "- model annotator 1 (`seer`): tesseract (5.3/eng)" in card
    assert LABELS in (done.place / "croissant.json").read_text()
    assert LABELS in {one.path for one in all_files(database, "t2")}
    assert verify(done.place) == []
    # Which rater is the first goes by number, as it went by name when the release was cut: the tenth comes after the second.
    row = rows_of(done.place)[0]
    given = [
        ReleasedLabel(annotator=name, kind="human", place=place, answer=answer, value=None, seconds=None)
        for name, place, answer in (("human-10", 1, "absent"), ("human-2", 2, "unsure"))
    ]
    again = judged_again(row, ReleasedLabels(probe=row.id, labels=tuple(given)))
    assert [one.label.answer for one in again.first("human")] == ["unsure", "absent"]
    [kind] = report("a", [again]).kinds
    assert [one.annotator for one in unpadded(kind.tables)[0].validity] == ["human-2", "human-10"]


def _sealed(folder: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    """A file is another one, and the checksums and the manifest know it."""
    before = file_digest(folder / name), (folder / name).stat().st_size
    content = (folder / name).read_bytes()
    assert change(content) != content
    (folder / name).write_bytes(change(content))
    digests = [(before[0], file_digest(folder / name))]
    if name == LABELS:
        manifest, size = folder / "manifest.json", (folder / name).stat().st_size
        old = file_digest(manifest)
        text = manifest.read_text().replace(*digests[0]).replace(f'"size": {before[1]}', f'"size": {size}')
        manifest.write_text(text)
        digests.append((old, file_digest(manifest)))
    sums = (folder / CHECKSUMS).read_text()
    for one in digests:
        sums = sums.replace(*one)
    (folder / CHECKSUMS).write_text(sums)


CASES: list[tuple[str, Callable[[bytes], bytes], str]] = [
    (
        "manifest.json",
        lambda content: content.replace(b'"pairs": 5', b'"pairs": 4'),
        "audit.tables.human.all all.pairs is not what the labels come to",
    ),
    (
        LABELS,
        lambda content: content.replace(b'"answer":"unsure","kind":"human"', b'"answer":"absent","kind":"human"', 1),
        "audit.tables.human.all all.validity is not what the labels come to",
    ),
    (
        LABELS,
        lambda content: content.replace(b'"answer":"unreadable"', b'"answer":"perhaps"', 1),
        "line 1 is no labels of a row, labels.",
    ),
    (LABELS, lambda content: content.split(b"\n", 1)[1], "audit.items is not what the labels come to"),
    (LABELS, lambda content: content.replace(b"human-1", b"human-2"), "they are no labels"),
    (LABELS, lambda content: content.replace(b'"probe":"', b'"probe":"z', 1), "no such row is in the release"),
]
"""A file, what is changed in it, and what `verify` says first of all."""


def test_verify_tells_where_numbers_and_labels_differ(done: Exported, tmp_path: Path) -> None:
    """With checksums that fit, so that it is the numbers that are found wrong. Labels and splits, too."""
    for number, (name, change, told) in enumerate(CASES):
        folder = Path(shutil.copytree(done.place, tmp_path / f"case{number}"))
        _sealed(folder, name, change)
        problems = verify(folder)
        assert [one for one in problems if one.what.startswith(told)], (told, problems)
    rows = done.place / "probes.jsonl"
    rows.write_bytes(rows.read_bytes().replace(b'"splits":["clean","natural"]', b'"splits":["natural"]', 1))
    problems = [one for one in verify(done.place) if one.what == "its splits are not what its labels come to"]
    assert [(one.expected, one.found) for one in problems] == [("clean", "none")]
    (done.place / LABELS).unlink()
    assert {one.what for one in verify(done.place) if one.file == LABELS} == {"the file is missing"}


def test_what_was_cut_stays_what_it_is(database: Database, blobs: Blobs, done: Exported, tmp_path: Path) -> None:
    """A release that was frozen without labels: cut again it is the same, has none, and is whole. What it rests on stays."""
    assert any("Audit a is still open" in one and "builder audit close a" in one for one in audited(database, "a").warnings())
    audit_results.close(database, "a")
    assert not any("still open" in one for one in audited(database, "a").warnings())
    frozen = tables.releases
    audit = done.manifest.audit
    assert audit
    old = done.manifest.model_copy(update={"audit": audit.model_copy(update={"labels": None, "models": {}})})
    with database.transaction() as connection:
        connection.execute(update(frozen).where(frozen.c.name == "t2").values(manifest=old.model_dump(mode="json")))
    again = cut(
        database, blobs, spec("t2", desktop=3, natural=2), tmp_path / "again", audit=audited(database, "a"), formats=FORMATS
    )
    assert (again.frozen, again.manifest) == (False, old)
    assert not (again.place / LABELS).exists()
    assert "labels" not in json.loads((again.place / "manifest.json").read_bytes())["audit"]
    assert verify(again.place) == []
    assert again.manifest.digest == done.manifest.digest
    # And the audit is not removed, whoever asks. Another one goes, and so does a later one of the name.
    with pytest.raises(Refused, match=r"Audit a stays: release t2 rests on its answers.*builder audit close a"):
        audit_results.remove(database, blobs, "a")
    assert audit_results.status(database, "a").kinds[0].answers == 10
    begin_audit(database, blobs, Wanted("b", done.manifest.name, most=1))
    audit_results.remove(database, blobs, "b")
    with database.transaction() as connection:
        later = tables.audits.c.opened + func.make_interval(0, 0, 0, 1)
        connection.execute(update(tables.audits).where(tables.audits.c.name == "a").values(opened=later))
    audit_results.remove(database, blobs, "a")


def test_numbers_of_the_definition_before_are_checked(database: Database, blobs: Blobs, done: Exported, tmp_path: Path) -> None:
    """A release that was cut by audit/2: cut again it is the same, it is whole, and a number that is another is found."""
    audit = done.manifest.audit
    assert audit
    tables_then = {kind: as_of("audit/2", some) for kind, some in audit.tables.items()}
    old = done.manifest.model_copy(update={"audit": audit.model_copy(update={"definition": "audit/2", "tables": tables_then})})
    with database.transaction() as connection:
        change = update(tables.releases).where(tables.releases.c.name == "t2")
        connection.execute(change.values(manifest=old.model_dump(mode="json")))
    again = cut(
        database, blobs, spec("t2", desktop=3, natural=2), tmp_path / "again", audit=audited(database, "a"), formats=FORMATS
    )
    assert (again.frozen, again.manifest) == (False, old)
    assert b"same_undecided" not in (again.place / "manifest.json").read_bytes()
    assert b"same_undecided" in (done.place / "manifest.json").read_bytes()
    assert verify(again.place) == []
    name, change_of, told = CASES[0]
    _sealed(again.place, name, change_of)
    assert told in {one.what for one in verify(again.place)}


def test_labels_are_held_back_with_the_rows() -> None:
    """They say what pictures show that were taken down since."""
    assert shows_hidden(LABELS, {"web-natural": 1})
    assert not shows_hidden(LABELS, {})
    assert not shows_hidden("README.md", {"web-natural": 1})
