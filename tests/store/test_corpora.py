"""store/corpora.py and store/funnels.py: items and their probes are one, and what is counted is what lies there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from domain import probe as domain_probe
from domain.errors import NotFound
from domain.geometry import Box
from domain.identity import digest
from domain.probe import CorpusProvenance, Edit, FileRef, PictureSize, Probe, probe_of
from domain.visit import Visit
from store.captures import divergence_id, save
from store.checks import save_checks
from store.corpora import (
    Item,
    Known,
    RejectedItem,
    StoredCorpus,
    begin,
    drop_items,
    finish,
    forget,
    known,
    known_items,
    rejected_items,
    save_items,
    stored_corpora,
)
from store.database import Database
from store.funnels import CorpusCounts, LiveCounts, corpus_counts, live_counts
from store.probes import find_probe, probes, redraw
from store.releases import candidates

NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)
STAMP = "seed 735; mobile-widget/1"


def file_of(item: str, content: str = "first") -> FileRef:
    return FileRef(name=f"combined/{item}.json", size=5, sha256=hashlib.sha256(content.encode()).hexdigest())


def probe(item: str, node: str = "a", *, gold: str = "icon", family: str = "mobile-widget", source: str = "clay") -> Probe:
    came = CorpusProvenance(
        source=source,
        made=True,
        item=item,
        site="com.example",
        files=(file_of(item),),
        picture=PictureSize(width=100, height=200),
        element=digest(source, item, node)[:24],
        node=node,
        seed=735,
        rules=f"{family}/1",
    )
    return probe_of(
        family=family,
        kind=None,
        platform="mobile",
        screenshot="a" * 64,
        structure="b" * 64,
        region=Box(1, 2, 3, 4),
        variable="type",
        gold=gold,
        structural="text",
        edit=Edit(rule="type-text", version=1, node=node, before=gold, after="text"),
        provenance=came,
    )


def item_of(name: str, probes: Sequence[Probe] = (), **changes: object) -> Item:
    given = {"files": (file_of(name),), "times": {f"combined/{name}.json": 7}, "nodes": 10, "probes": tuple(probes)}
    return Item(name, **({"outcome": "usable"} | given | changes))  # type: ignore[arg-type]


def begun(database: Database, name: str = "clay", stamp: str = STAMP) -> StoredCorpus:
    corpus = StoredCorpus(name=name, path="/c", base=None, made=True, stamp=stamp, notes=("a note",), started=NOON)
    begin(database, corpus)
    return corpus


def all_of(database: Database) -> list[Probe]:
    return [stored.probe for stored in probes(database)]


def test_what_is_saved_is_there(database: Database) -> None:
    """Items come back with their pins; their probes are probes like others, seen once, and found by family, source and id."""
    begun(database)
    one, two = probe("1"), probe("2", gold="image")
    assert save_items(database, "clay", STAMP, [item_of("1", [one]), item_of("2", [two])]) == 2
    assert list(known_items(database, "clay")) == [
        Known(n, "usable", STAMP, (file_of(n),), {f"combined/{n}.json": 7}) for n in ("1", "2")
    ]
    assert set(known(database, "clay", ["2", "3"])) == {"2"}
    found = list(probes(database, family="mobile-widget", source="clay"))
    assert sorted((s.probe.id, s.sightings) for s in found) == sorted([(one.id, 1), (two.id, 1)])
    assert find_probe(database, one.id[:20]).probe == one
    assert list(probes(database, source="live")) == []


def test_drawn_again(database: Database) -> None:
    """Items that are saved again have the new probes and no others; a probe that is drawn again keeps its first time."""
    begun(database)
    kept, gone, new = probe("1", "a"), probe("1", "b"), probe("1", "c")
    other = probe("2")
    save_items(database, "clay", STAMP, [item_of("1", [kept, gone]), item_of("2", [other])])
    before = find_probe(database, kept.id)
    moved = kept.model_copy(update={"region": Box(5, 5, 5, 5)})
    save_items(database, "clay", "two", [item_of("1", [moved, new])])
    assert sorted(p.id for p in all_of(database)) == sorted(p.id for p in (kept, new, other))
    after = find_probe(database, kept.id)
    assert (after.probe, after.first_seen) == (moved, before.first_seen)
    assert {k.item: k.stamp for k in known_items(database, "clay")} == {"1": "two", "2": STAMP}
    save_items(database, "clay", "two", [item_of("1", outcome="null-file")])
    assert all_of(database) == [other]


def test_all_or_nothing(database: Database) -> None:
    """A batch that cannot be saved whole leaves everything as it was."""
    begun(database)
    save_items(database, "clay", STAMP, [item_of("1", [probe("1")])])
    with pytest.raises(TypeError):
        save_items(database, "clay", STAMP, [item_of("1"), item_of("2", rejected={"mobile-widget": {"x": object()}})])  # type: ignore[dict-item]
    assert [p.provenance.item for p in all_of(database)] == ["1"]  # type: ignore[union-attr]
    with pytest.raises(NotFound, match="No corpus 'rico'"):
        save_items(database, "rico", STAMP, [item_of("1")])


def test_one_identity(database: Database) -> None:
    """Of two probes with one identity in a batch the first counts; two whose twelve digits are the same are both there."""
    begun(database)
    first = probe("1")
    again = first.model_copy(update={"region": Box(9, 9, 9, 9)})
    assert save_items(database, "clay", STAMP, [item_of("1", [first, again])]) == 1
    assert all_of(database) == [first]


def test_ids_that_begin_alike(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two probes have the same twelve digits, the later one has its whole identity for an id, and keeps it."""
    monkeypatch.setattr(domain_probe, "digest", lambda *parts: "a" * 12 + hashlib.sha256(repr(parts).encode()).hexdigest()[12:])
    begun(database)
    one, two = probe("1"), probe("2")
    for _ in range(2):
        save_items(database, "clay", STAMP, [item_of("1", [one])])
        save_items(database, "clay", STAMP, [item_of("2", [two])])
        assert {p.provenance.item: len(p.id) for p in all_of(database)} == {"1": 26, "2": 78}  # type: ignore[union-attr]
    forget(database, "clay")
    begun(database)
    save_items(database, "clay", STAMP, [item_of("1", [one]), item_of("2", [two])])
    assert sorted(len(p.id) for p in all_of(database)) == [26, 78]


def test_corpora_apart(database: Database) -> None:
    """What is dropped or forgotten of one corpus leaves the others."""
    begun(database)
    begun(database, "screenspot_pro")
    save_items(database, "clay", STAMP, [item_of("1", [probe("1")]), item_of("2", [probe("2")])])
    save_items(database, "screenspot_pro", STAMP, [item_of("1", [probe("1", source="screenspot_pro")])])
    drop_items(database, "clay", ["2"])
    assert [k.item for k in known_items(database, "clay")] == ["1"]
    assert forget(database, "clay") == 1
    assert [p.provenance.source for p in all_of(database)] == ["screenspot_pro"]
    assert list(stored_corpora(database)) == ["screenspot_pro"]
    finish(database, "screenspot_pro")
    stored = stored_corpora(database)["screenspot_pro"]
    assert (stored.path, stored.made, stored.notes, stored.started) == ("/c", True, ("a note",), NOON)
    assert stored.finished is not None
    begun(database, "screenspot_pro")
    assert stored_corpora(database)["screenspot_pro"].finished is None


def test_counts(database: Database) -> None:
    """The funnel is what lies there, added up: items by outcome, nodes by family and reason, probes by family."""
    assert corpus_counts(database, "clay") == CorpusCounts()
    begun(database)
    visible = probe("1", "z", family="mobile-visible")
    save_items(
        database,
        "clay",
        STAMP,
        [
            item_of("1", [probe("1", "a"), probe("1", "b"), visible], rejected={"mobile-widget": {"no-label": 3, "tiny": 1}}),
            item_of("2", [probe("2")], rejected={"mobile-widget": {"no-label": 2}, "mobile-visible": {"flat": 9}}),
            item_of("3", outcome="null-file", detail="the whole file is null", nodes=0),
            item_of("4", outcome="null-file", nodes=0),
            item_of("5", outcome="bad-picture", nodes=0, files=()),
        ],
    )
    save_items(database, "clay", "older", [item_of("6")])
    assert corpus_counts(database, "clay") == CorpusCounts(
        read=6,
        usable=3,
        nodes=30,
        stale=1,
        rejected={"bad-picture": 1, "null-file": 2},
        passed_over={"mobile-visible": {"flat": 9}, "mobile-widget": {"no-label": 5, "tiny": 1}},
        drawn={"mobile-visible": 1, "mobile-widget": 3},
    )
    told = list(rejected_items(database, "clay"))
    assert [(r.item, r.reason) for r in told] == [("5", "bad-picture"), ("3", "null-file"), ("4", "null-file")]
    assert told[1] == RejectedItem(
        source="clay", item="3", reason="null-file", detail="the whole file is null", files=(file_of("3"),)
    )


def test_beside_the_crawl(
    database: Database, visit_of: Callable[..., Visit], finding_of: Callable[..., object], check_of: Callable[..., object]
) -> None:
    """The crawl's probes and a corpus's are candidates alike and leave each other alone; the crawl's funnel counts its own."""
    from domain.families.web_natural import draw  # noqa: PLC0415 - beside its one use

    findings = [finding_of("#a"), finding_of("#b", kind="title"), finding_of("#c", verdict="review")]
    visit = visit_of(1)
    [capture] = visit.captures
    save(database, visit, {capture.id: findings})
    save(database, visit_of(2, captures=0, outcome="timeout"), {})
    save_checks(database, {divergence_id(capture.id, "aria", "#a"): check_of()})
    redraw(database, capture.id, lambda found: draw(visit, capture, [(d.finding, d.check) for d in found]))
    begun(database)
    save_items(database, "clay", STAMP, [item_of("1", [probe("1")])])
    light = sorted(candidates(database), key=lambda one: one.id)
    assert [(c.family, c.kind, c.source, c.item, c.site, c.made) for c in light] == [
        ("mobile-widget", None, "clay", "1", "com.example", True),
        ("web-natural", "aria", "live", capture.id, "shop", False),
    ]
    assert [c.family for c in candidates(database, ["web-natural"])] == ["web-natural"]
    assert live_counts(database) == LiveCounts(
        visits={"captured": 1, "timeout": 1},
        captures=1,
        flagged={"aria": 1, "title": 1},
        checks={"confirmed": 1, "unchecked": 1},
        confirmed={"aria": 1},
        probes={"aria": 1},
    )
    assert redraw(database, capture.id, lambda _: []).withdrawn == 1
    assert [p.provenance.source for p in all_of(database)] == ["clay"]


def test_what_a_release_names_stays(database: Database) -> None:
    """A blob that a release names is referred to, and so are the captures of its probes."""
    from store.referrers import blob_referred, capture_referred  # noqa: PLC0415 - beside its one use

    with database.transaction() as connection:
        connection.execute(text("insert into releases values ('v1', 'd', '{}', '{}', now())"))
        connection.execute(text("insert into release_blobs values ('v1', 'aa')"))
        asked = text("select " + blob_referred(":digest"))
        assert [connection.scalar(asked, {"digest": digest}) for digest in ("aa", "bb")] == [True, False]
        assert "release_probes" in capture_referred()
