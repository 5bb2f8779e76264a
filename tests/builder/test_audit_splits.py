"""A release says which of its rows an audit confirmed; without one it stays what it was, to the byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import text

from builder.assembled import opened
from builder.audit_open import Wanted, begin_audit
from builder.audit_splits import audited
from builder.commands_release import Asked, export_release
from builder.export import Exported
from builder.formats import FORMATS
from builder.verify import verify
from domain.audit import AnnotatorKind, Label
from domain.errors import BadInput, NotFound, Refused
from store import annotators, audit_results
from store.annotators import Annotator
from store.audit_answers import submit
from store.audit_desk import next_items
from store.blobs import Blobs
from store.database import Database
from tests.builder.test_export import Ingest, content_of, cut, ingest, live_probe, rows_of, spec

__all__ = ["ingest"]


def judge(database: Database, name: str, kind: AnnotatorKind, labels: dict[str, Label], of: int | None = None) -> None:
    """Labels by a new annotator, who is handed so many items."""
    annotators.add(database, name, kind)
    next_items(database, "a", Annotator(name=name, kind=kind), count=of or len(labels))
    for item, label in labels.items():
        submit(database, "a", Annotator(name=name, kind=kind), item, label)


@pytest.fixture
def whole(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path) -> Exported:
    """Three desktop probes, which are headline, and two of the crawl; audit `a` is open over them."""
    ingest(3)
    for n in range(2):
        live_probe(database, blobs, n)
    done = cut(database, blobs, spec(desktop=3, natural=2), tmp_path / "plain")
    begin_audit(database, blobs, Wanted("a", "t1"))
    return done


def test_rows_that_two_people_confirmed_are_clean(database: Database, blobs: Blobs, whole: Exported, tmp_path: Path):
    """Counted by hand: of five, two are confirmed by both, one of them headline. Models do not count beside people."""
    rows = rows_of(whole.place)
    items = {row.probe: row.item for row in audit_results.judged(database, "a")}
    right = {items[row.id]: Label(answer="value", value=row.gold) for row in rows}
    desktop = [items[row.id] for row in rows if row.family == "desktop-graphic"]
    natural = [items[row.id] for row in rows if row.family == "web-natural"]
    judge(database, "zoe", "human", right)
    judge(database, "abe", "human", {**right, desktop[1]: Label(answer="unsure"), natural[1]: Label(answer="unreadable")})
    judge(database, "m1", "model", right)
    judge(database, "m2", "model", right)
    with database.transaction() as connection:  # one label less: that row has one only
        gone = "delete from audit_places where item = :item and annotator = 'abe'"
        connection.execute(text(gone), {"item": desktop[2]})
    done = cut(
        database, blobs, spec("t2", desktop=3, natural=2), tmp_path / "audited", audit=audited(database, "a"), formats=FORMATS
    )
    by_item = {items[row.id]: row for row in rows_of(done.place)}
    assert by_item[desktop[0]].splits == ("clean", "headline", "headline-clean")
    assert by_item[desktop[1]].splits == by_item[desktop[2]].splits == ("headline",)
    assert by_item[natural[0]].splits == ("clean", "natural")
    assert by_item[natural[1]].splits == ("natural",)
    said = json.loads((done.place / "manifest.json").read_bytes())["audit"]
    assert said["clean"] == {"clean": 2, "headline-clean": 1}
    assert (said["items"], said["unasked"], set(said["tables"])) == (5, 0, {"human", "model"})
    people = {one["name"]: one for one in said["tables"]["human"]}
    assert (people["all"]["pairs"], people["all"]["consensus"]["count"]) == (4, 2)
    assert people["web-natural"]["consensus"]["count"] == 1
    assert [one["annotator"] for one in people["all"]["validity"]] == ["human-1", "human-2"]
    for content in content_of(done.place).values():  # who the people are is in no file
        assert b"zoe" not in content
    assert "How gold was audited" in (done.place / "README.md").read_text()
    assert verify(done.place) == []
    again = cut(
        database, blobs, spec("t2", desktop=3, natural=2), tmp_path / "again", audit=audited(database, "a"), formats=FORMATS
    )
    assert again.manifest.digest == done.manifest.digest
    assert not again.frozen
    assert (again.place / "manifest.json").read_bytes() == (done.place / "manifest.json").read_bytes()


def test_without_an_audit_nothing_is_other_than_before(database: Database, blobs: Blobs, whole: Exported, tmp_path: Path):
    """The manifest has no such field; the same release cut again is the same; with the audit it is refused under that name."""
    assert "audit" not in json.loads((whole.place / "manifest.json").read_bytes())
    assert cut(database, blobs, spec(desktop=3, natural=2), tmp_path / "again").manifest.digest == whole.manifest.digest
    items = [row.item for row in audit_results.judged(database, "a")]
    for name in ("zoe", "abe"):  # so that no row comes to be clean
        judge(database, name, "human", dict.fromkeys(items, Label(answer="unsure")))
    with pytest.raises(Refused, match=r"with no audit, and its manifest would say otherwise.*--name"):
        cut(database, blobs, spec(desktop=3, natural=2), tmp_path / "other", audit=audited(database, "a"))
    with pytest.raises(NotFound):
        audited(database, "b")


def test_models_alone_make_a_split_of_their_own(database: Database, blobs: Blobs, whole: Exported, tmp_path: Path):
    """Never `clean`, which is people's. A row that was not asked about is counted."""
    rows = rows_of(whole.place)
    items = {row.probe: row.item for row in audit_results.judged(database, "a")}
    right = {items[row.id]: Label(answer="value", value=row.gold) for row in rows}
    judge(database, "m1", "model", right)
    judge(database, "m2", "model", right)
    live_probe(database, blobs, 7)
    found = cut(database, blobs, spec("t3", desktop=3, natural=3), tmp_path / "out", audit=audited(database, "a"))
    audit = found.manifest.audit
    assert audit
    assert (audit.clean, audit.items, audit.unasked) == ({"clean-model": 5, "headline-clean-model": 3}, 5, 1)
    assert {one.annotator for one in audit.tables["model"][0].validity} == {"m1", "m2"}
    assert found.manifest.counts.splits["clean-model"] == 5


def test_a_person_who_looked_in_discards_no_audit_of_models(database: Database, blobs: Blobs, whole: Exported, tmp_path: Path):
    """One label of one person is no pair: models', who answered all, count. By people's is refused; so is an empty audit."""
    with pytest.raises(Refused, match=r"none of its 5 items has two labels of people or of models.*status.* without --audit"):
        audited(database, "a")
    rows = rows_of(whole.place)
    items = {row.probe: row.item for row in audit_results.judged(database, "a")}
    right = {items[row.id]: Label(answer="value", value=row.gold) for row in rows}
    judge(database, "m1", "model", right)
    judge(database, "m2", "model", right)
    judge(database, "zoe", "human", dict([next(iter(right.items()))]), of=5)
    audit_results.close(database, "a")
    found = audited(database, "a")
    assert (found.kind, list(found.warnings())) == ("model", [])
    done = cut(database, blobs, spec("t2", desktop=3, natural=2), tmp_path / "out", audit=found).manifest.audit
    assert done
    assert (done.annotators, done.pairs, done.clean) == ("model", 5, {"clean-model": 5, "headline-clean-model": 3})
    with pytest.raises(
        Refused, match=r"none of its 5 items has two labels of people.*of models, 5 items \(--annotators model\)"
    ):
        audited(database, "a", "human")


@pytest.fixture
def as_command(data_dir: Path, blobs: Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands work on the store of the test."""
    monkeypatch.setenv("PARALLAX_DATA", str(data_dir))
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("BLOB_URL", blobs.url)


@pytest.mark.usefixtures("as_command")
def test_an_audit_half_done_is_warned_of(
    database: Database, blobs: Blobs, whole: Exported, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """People have answered two of five items twice, models all: people count, with numbers; models where they are chosen."""
    rows = rows_of(whole.place)
    items = {row.probe: row.item for row in audit_results.judged(database, "a")}
    right = {items[row.id]: Label(answer="value", value=row.gold) for row in rows}
    judge(database, "zoe", "human", right)
    judge(database, "abe", "human", {items[row.id]: right[items[row.id]] for row in rows if row.family == "web-natural"}, of=5)
    judge(database, "m1", "model", right)
    judge(database, "m2", "model", right)
    of = tmp_path / "t2.toml"
    of.write_text('name = "t2"\ntitle = "x"\nseed = 735\n[families]\ndesktop-graphic.count = 3\nweb-natural.count = 2\n')
    asked = Asked(str(of), tmp_path / "out", audit="a", workers=1)
    export_release(asked, as_json=True)
    told = capsys.readouterr()
    assert "only 2 of its 5 items have two labels of people" in " ".join(told.err.split())
    assert "Audit a is still open" in told.err
    assert "5 of its items have two labels of models: by these with --annotators model" in " ".join(told.err.split())
    audit = json.loads(told.out)["audit"]
    assert (audit["annotators"], audit["pairs"], audit["items"], audit["clean"]) == ("human", 2, 5, {"clean": 2})
    assert "Labels of people count; 2 rows have two." in (tmp_path / "out" / "README.md").read_text()
    assert verify(tmp_path / "out") == []
    by_models = cut(
        database,
        blobs,
        spec("t3", desktop=3, natural=2),
        tmp_path / "m",
        audit=audited(database, "a", "model"),
        formats=FORMATS,
    )
    said = by_models.manifest.audit
    assert said
    assert (said.annotators, said.pairs, said.clean) == ("model", 5, {"clean-model": 5, "headline-clean-model": 3})
    assert verify(by_models.place) == []
    place = by_models.place / "manifest.json"
    place.write_bytes(place.read_bytes().replace(b'"annotators": "model"', b'"annotators": "human"'))
    assert {one.what.partition(" is ")[0] for one in verify(by_models.place)} >= {"audit.pairs"}


def test_whose_labels_needs_an_audit():
    """An option that would do nothing is told."""
    with pytest.raises(BadInput, match="say which audit with --audit"):
        export_release(Asked("v1", annotators="model"), as_json=True)


def test_verify_sees_a_split_that_no_audit_made(whole: Exported):
    """A row that calls itself clean, in a release whose manifest has no audit."""
    folder = whole.place
    rows = folder / "probes.jsonl"
    rows.write_bytes(rows.read_bytes().replace(b'"splits":["headline"]', b'"splits":["clean","headline"]', 1))
    problems = {(one.file, one.what) for one in verify(folder)}
    assert ("probes.jsonl", "splits is not as it should be") in problems
    assert opened(folder).manifest.audit is None
