"""builder ingest: what is stored of a corpus is what its files say, whatever the workers, however often, and if broken off."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from PIL import Image, ImageDraw

from builder import cli, commands_ingest
from builder.drawing import BAD_PICTURE, Draw, families_of
from builder.funnel import CorpusFunnel, FamilyDraw, funnel_of, release_funnel
from builder.ingest import DUPLICATE, Asked, Ingested, ingest
from builder.pins import Change
from builder.showing_sources import show_ingested
from builder.sources import Found, Rejected, Usable, screenspot_pro
from domain.errors import BadInput, Refused, Stopped
from domain.release import SourceFunnel
from store.corpora import known_items, rejected_items, stored_corpora
from store.database import Database
from store.probes import StoredProbe, probes

SIZE = (240, 180)
HOW = Draw(families_of("screenspot_pro"), 735, "rapidocr")
PICTURES = 6


def write_annotations(folder: Path, rows: list[dict[str, Any]]) -> None:
    (folder / "annotations").mkdir(exist_ok=True)
    (folder / "annotations" / "paint_linux.json").write_bytes(orjson.dumps(rows))


def row(number: int, **changes: Any) -> dict[str, Any]:
    """The annotation of picture `number`: a box of 60x40 px that is an icon where the number is even."""
    given = {
        "img_filename": f"paint/{number}.png",
        "bbox": [80, 60, 140, 100],
        "instruction": "press it",
        "instruction_cn": "",
        "id": f"paint_linux_{number}",
        "application": "paint",
        "platform": "linux",
        "img_size": list(SIZE),
        "ui_type": "text" if number % 2 else "icon",
        "group": "Creative",
    }
    return given | changes


def write_picture(folder: Path, number: int, fill: str = "black") -> Path:
    """Another one for every number; its target has ink."""
    image = Image.new("RGB", SIZE, "white")
    ImageDraw.Draw(image).rectangle((90, 70, 100 + number, 90), fill=fill)
    path = folder / "images" / "paint" / f"{number}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus in ScreenSpot-Pro's layout: six annotations with a picture each, and one whose picture is missing."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number in range(PICTURES):
        write_picture(folder, number)
    write_annotations(folder, [row(number) for number in range(PICTURES + 1)])
    return folder


@pytest.fixture
def take(database: Database, corpus: Path) -> Callable[..., Ingested]:
    """`take(**changes)`: ingests the corpus."""

    def take(source: Any = screenspot_pro, **changes: Any) -> Ingested:
        return ingest(database, source, replace(Asked(corpus, HOW), **changes))

    return take


def stored(database: Database) -> list[StoredProbe]:
    return sorted(probes(database), key=lambda one: one.probe.id)


def contents(database: Database) -> list[Any]:
    """All that is stored of the corpus, but for times."""
    items = [(k.item, k.outcome, k.stamp, k.files) for k in known_items(database, "screenspot_pro")]
    return [items, [one.probe for one in stored(database)], funnel_of(database, "screenspot_pro")]


class Like:
    """A source that reads ScreenSpot-Pro, and then does something of its own with what was read."""

    def __init__(self, then: Callable[[Iterator[Usable | Rejected]], Iterator[Usable | Rejected]]) -> None:
        self.then = then
        self.NAME, self.find = screenspot_pro.NAME, screenspot_pro.find

    def read(
        self, found: Found, *, skip: Collection[str] = (), only: Collection[str] | None = None
    ) -> Iterator[Usable | Rejected]:
        return self.then(screenspot_pro.read(found, skip=skip, only=only))


def test_every_item_is_accounted_for(database: Database, take: Callable[..., Ingested]) -> None:
    """Each item is usable or rejected by name, each usable one's node gave a probe; the funnel adds up."""
    done = take()
    assert (done.saved, done.probes, done.skipped, done.changes, done.gone, done.stopped) == (7, 6, 0, (), (), False)
    assert funnel_of(database, "screenspot_pro") == CorpusFunnel(
        source="screenspot_pro",
        made=False,
        stamp="seed 735; desktop-graphic/1",
        whole=True,
        stale=0,
        read=7,
        usable=6,
        rejected={"missing-picture": 1},
        nodes=6,
        families={"desktop-graphic": FamilyDraw(considered=6, rejected={}, drawn=6)},
    )
    assert {(one.probe.provenance.label, one.probe.gold) for one in stored(database)} == {("text", "text"), ("icon", "icon")}  # type: ignore[union-attr]
    [lost] = rejected_items(database, "screenspot_pro")
    assert (lost.item, lost.reason) == ("paint_linux_6", "missing-picture")
    assert release_funnel(database) == (
        {"screenspot_pro": SourceFunnel(read=7, usable=6, rejected={"missing-picture": 1})},
        {"desktop-graphic": {}},
    )


def test_again_is_nothing_new(database: Database, corpus: Path, take: Callable[..., Ingested]) -> None:
    """What is done is not read again; read all the same, or only written anew, it stays as it was, time of storing included."""
    take()
    before, first = contents(database), [one.first_seen for one in stored(database)]
    second = take()
    assert (second.skipped, second.saved, second.probes) == (PICTURES, 1, 0)
    again = take(again=True)
    assert (again.skipped, again.saved, again.probes) == (0, 7, 6)
    picture = corpus / "images" / "paint" / "0.png"
    os.utime(picture, ns=(1, picture.stat().st_mtime_ns + 10**9))
    touched = take()
    assert (touched.skipped, touched.probes, touched.changes) == (PICTURES - 1, 1, ())
    assert take().skipped == PICTURES
    assert contents(database) == before
    assert [one.first_seen for one in stored(database)] == first


def test_a_file_that_has_changed(database: Database, corpus: Path, take: Callable[..., Ingested]) -> None:
    """Both hashes are told, and what is stored stays, until the change is accepted; then the probes are of the new file."""
    take()
    before = contents(database)
    old = next(one for one in stored(database) if one.probe.provenance.item == "paint_linux_2").probe  # type: ignore[union-attr]
    picture = write_picture(corpus, 2, "red")
    now = hashlib.sha256(picture.read_bytes()).hexdigest()
    for _ in range(2):
        done = take()
        [change] = done.changes
        assert change == Change(file="images/paint/2.png", before=old.screenshot, now=now, items=1, examples=("paint_linux_2",))
        assert contents(database) == before
    assert take(accept=True).changes == ()
    new = next(one for one in stored(database) if one.probe.provenance.item == "paint_linux_2").probe  # type: ignore[union-attr]
    assert (new.screenshot, new.id) == (now, old.id)
    assert take().changes == ()


def test_what_was_missing_comes(database: Database, corpus: Path, take: Callable[..., Ingested]) -> None:
    """An item that was rejected for want of a file is read again, and is no change once the file is there."""
    take()
    write_picture(corpus, PICTURES)
    done = take()
    assert (done.skipped, done.probes, done.changes) == (PICTURES, 1, ())
    assert len(stored(database)) == PICTURES + 1


def test_items_that_are_gone(database: Database, corpus: Path, take: Callable[..., Ingested]) -> None:
    """An item that is in the corpus no more is told and stays, until that is accepted."""
    take()
    write_annotations(corpus, [row(number) for number in range(PICTURES - 1)])
    done = take()
    assert done.gone == ("paint_linux_5", "paint_linux_6")
    assert {change.file for change in done.changes} == {"annotations/paint_linux.json"}
    assert len(stored(database)) == 6
    assert take(accept=True).gone == ()
    assert len(stored(database)) == 5
    assert sorted(known.item for known in known_items(database, "screenspot_pro")) == [f"paint_linux_{n}" for n in range(5)]


def test_another_seed(database: Database, take: Callable[..., Ingested]) -> None:
    """Under another seed everything is drawn anew, and nothing of the old draw is left."""
    take()
    done = take(how=replace(HOW, seed=736))
    assert (done.skipped, done.probes) == (0, 6)
    assert {one.probe.provenance.seed for one in stored(database)} == {736}  # type: ignore[union-attr]
    assert stored_corpora(database)["screenspot_pro"].stamp == "seed 736; desktop-graphic/1"


def test_any_number_of_workers(database: Database, take: Callable[..., Ingested]) -> None:
    """Several processes store what one stores."""
    take()
    alone = contents(database)
    together = take(fresh=True, processes=2, alone_s=0.0)
    assert together.probes == 6
    assert contents(database) == alone


@pytest.mark.parametrize("how", [KeyboardInterrupt, RuntimeError])
def test_broken_off(database: Database, take: Callable[..., Ingested], how: type[BaseException]) -> None:
    """What was read before Ctrl-C, or before an error, is stored; the next run goes on, and comes to the same."""

    def part(read: Iterator[Usable | Rejected]) -> Iterator[Usable | Rejected]:
        for number, one in enumerate(read):
            if number == 3:
                raise how("in the middle")
            yield one

    if how is KeyboardInterrupt:
        done = take(Like(part))
        with pytest.raises(Stopped, match="the same command goes on") as ended:
            commands_ingest.end(done)
        assert ended.value.exit_code == 130
    else:
        with pytest.raises(RuntimeError, match="in the middle"):
            take(Like(part))
    assert len(list(known_items(database, "screenspot_pro"))) == 3
    assert stored_corpora(database)["screenspot_pro"].finished is None
    assert take().skipped == 3
    resumed = contents(database)
    take(fresh=True)
    assert contents(database) == resumed


def test_only_some(database: Database, take: Callable[..., Ingested]) -> None:
    """A limit reads so many more each time, and never calls the rest gone. One that is rejected is read each time."""
    done = [take(limit=4) for _ in range(3)]
    assert [(one.saved, one.skipped, one.gone) for one in done] == [(4, 0, ()), (3, 4, ()), (1, 6, ())]
    assert len(stored(database)) == 6


def test_two_with_one_id(database: Database, take: Callable[..., Ingested]) -> None:
    """The second item with the same id is rejected by name, and the first is as it was."""

    def twice(read: Iterator[Usable | Rejected]) -> Iterator[Usable | Rejected]:
        for one in read:
            yield one
            yield one

    source = Like(twice)
    take(source)
    names = [(k.item, k.outcome) for k in known_items(database, "screenspot_pro")]
    assert names[:2] == [("paint_linux_0", "usable"), ("paint_linux_0 #2", DUPLICATE)]
    assert len(stored(database)) == 6
    second = take(source)
    assert (second.gone, second.changes) == ((), ())
    assert len(list(known_items(database, "screenspot_pro"))) == 14


def test_a_picture_nobody_can_look_at(database: Database, take: Callable[..., Ingested]) -> None:
    """Where a family cannot look at the picture the item is rejected, and the others are as ever."""

    def spoilt(read: Iterator[Usable | Rejected]) -> Iterator[Usable | Rejected]:
        for one in read:
            bad = isinstance(one, Usable) and one.screen.item == "paint_linux_1"
            yield replace(one, picture=b"no picture") if bad else one  # type: ignore[type-var]

    take(Like(spoilt))
    assert {r.item: r.reason for r in rejected_items(database, "screenspot_pro")} == {
        "paint_linux_1": BAD_PICTURE,
        "paint_linux_6": "missing-picture",
    }
    assert len(stored(database)) == 5


def test_a_mistake_of_a_family_is_placed(take: Callable[..., Ingested]) -> None:
    """An error in a family keeps its traceback, and says at which item it was."""

    def odd(read: Iterator[Usable | Rejected]) -> Iterator[Usable | Rejected]:
        for one in read:
            yield replace(one, screen=replace(one.screen, nodes=(None,))) if isinstance(one, Usable) else one  # type: ignore[arg-type]

    with pytest.raises(AttributeError) as raised:
        take(Like(odd))
    assert raised.value.__notes__ == ["This was desktop-graphic at screenspot_pro paint_linux_0."]


def test_made_and_not_made(database: Database, corpus: Path, take: Callable[..., Ingested]) -> None:
    """A made corpus is never mixed with the publisher's; the one that is stored can be forgotten."""
    take()
    (corpus / "MADE.txt").write_text("made")
    with pytest.raises(Refused, match="holds a made corpus, and the publisher's one is stored"):
        take()
    assert take(fresh=True).made
    assert {one.probe.provenance.made for one in stored(database)} == {True}  # type: ignore[union-attr]


def test_every_source_that_is_listed_can_be_drawn_from() -> None:
    """Families and sources name one another."""
    assert families_of("screenspot_pro") == ("domain.families.desktop_graphic",)
    assert families_of("rico") == ()
    assert Draw((), 735, "rapidocr").stamp == ""
    assert "rapidocr" in Draw(families_of("mind2web"), 735, "rapidocr").stamp


@pytest.fixture
def builder(
    database: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """`builder(*arguments)`: the command on the test's database; its exit code, stdout and stderr."""
    url = database.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    monkeypatch.setenv("DATABASE_URL", url)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["builder", *map(str, arguments)])
        try:
            cli.main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_no_probes_where_none_are_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    """RICO alone gives none, which is said to be as it should, and what does; a source that should have given some says 0."""
    some = Ingested(source="rico", path="p", made=False, skipped=0, saved=54, probes=0, changes=(), gone=(), stopped=False)
    show_ingested(some)
    assert capsys.readouterr().err == (
        "54 items read and stored. By itself rico gives no probes: nobody says in it what its pixels show. "
        "What stands on it gives them: builder ingest clay PATH\n"
    )
    show_ingested(some.model_copy(update={"source": "clay", "saved": 1}))
    assert capsys.readouterr().err == "1 item read and stored with 0 probes.\n"


def test_commands(builder: Callable[..., tuple[int, str, str]], corpus: Path, tmp_path: Path) -> None:
    """The commands say what they did, in words and as JSON, and end with the code that the page of errors has."""
    code, out, err = builder("ingest", "screenspot_pro", corpus)
    assert code == 0
    assert "7 items read and stored with 6 probes." in err
    assert "missing-picture" in out
    code, out, _ = builder("ingest", "screenspot_pro", corpus, "--json", "--workers", 1, "--again")
    told = json.loads(out)
    assert (code, told["ingested"]["saved"], told["funnel"]["families"]["desktop-graphic"]["drawn"]) == (0, 7, 6)
    code, out, _ = builder("funnel", "--json")
    assert [json.loads(line)["source"] for line in out.splitlines()] == ["screenspot_pro"]
    code, out, _ = builder("funnel", "screenspot_pro", "--rejected", "--json")
    assert json.loads(out)["item"] == "paint_linux_6"
    code, out, _ = builder("sources", "--json")
    assert {one["source"]: one["probes"] for one in map(json.loads, out.splitlines())} == {
        "rico": 0, "clay": 0, "mind2web": 0, "screenspot_pro": 6, "live": 0,
    }  # fmt: skip
    code, out, _ = builder("ingest", "live", "--json")
    assert (code, json.loads(out)["read"]) == (0, 0)

    write_picture(corpus, 3, "blue")
    code, out, err = builder("ingest", "screenspot_pro", corpus)
    assert code == 1
    assert "changed: images/paint/3.png" in err
    assert err.rstrip().endswith("If the corpus is to be taken as it is now: --accept-changes")
    assert builder("ingest", "screenspot_pro", corpus, "--accept-changes")[0] == 0

    for arguments, words in (
        (("ingest", "screenspot_pro", tmp_path), "expected a folder with annotations/"),
        (("ingest", "screenspot_pro"), "Say where the corpus is"),
        (("ingest", "nothing", tmp_path), "No corpus 'nothing'"),
        (("ingest", "live", tmp_path), "Leave it out"),
        (("funnel", "nothing"), "No source 'nothing'"),
    ):
        code, _, err = builder(*arguments)
        assert (code, words in err) == (2, True), err
    code, _, err = builder("funnel", "rico")
    assert (code, "builder ingest rico PATH" in err) == (1, True)


def test_settings_that_are_wrong(
    builder: Callable[..., tuple[int, str, str]], corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A setting that is wrong is named."""
    monkeypatch.setenv("BUILDER_SEED", "many")
    code, _, err = builder("ingest", "screenspot_pro", corpus)
    assert (code, "BUILDER_SEED" in err) == (2, True)


def test_a_wrong_path(take: Callable[..., Ingested], tmp_path: Path) -> None:
    """What is not there is told before anything is written."""
    with pytest.raises(BadInput, match="expected"):
        take(path=tmp_path)
