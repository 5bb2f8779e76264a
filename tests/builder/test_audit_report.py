"""builder audit report: from answers in a store to tables, JSON and a page; and how numbers are written."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import html
from PIL import Image
from typer.testing import CliRunner, Result

from builder import audit_report
from builder.audit_page import write_page
from builder.cli_audit_report import app
from builder.commands_audit_report import tell
from domain.agreement import kappa, mcnemar, rate
from domain.audit import Answer, Label, Region
from domain.audit_model import AnsweringModel
from domain.audit_report import report
from domain.errors import BadInput, NotFound
from store import audit_answers, audit_desk, audit_results
from store.audit_opening import NewItem, open_audit
from store.blobs import Blobs
from store.database import Database
from tests.domain.audited import judged, paper, written
from tests.store.audit_rows import AUDIT, RELEASE, TEN, TWELVE, UNREADABLE, record, released, someone

ABSENT = Label(answer="absent")
BLUE = (10, 20, 200)
Run = Callable[..., Result]


def words(node: Any) -> str:
    """All text below the node, blanks as one."""
    return " ".join(" ".join(node.itertext()).split())


def png(colour: tuple[int, int, int] = BLUE) -> bytes:
    """White, with one colour where the region is."""
    image = Image.new("RGB", (900, 600), "white")
    image.paste(colour, (400, 300, 460, 320))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def run(data_dir: Path, blobs: Blobs, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command over the store of the test."""
    monkeypatch.setenv("PARALLAX_DATA", str(data_dir))
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("BLOB_URL", blobs.url)
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def audit(database: Database, blobs: Blobs) -> None:
    """Five items with gold "Pay 10". Ann and Bob: both gold; both the structure's 12; 10 and 12, which Cy decides for gold;
    10 and unreadable; the last only Ann. A model has answered one.
    """
    rows = [record(n, kind=None) for n in range(5)]
    released(database, *rows)
    region = Region(x=400, y=300, width=60, height=20)
    items = [NewItem(row["id"], "text", png((10, 20, 200 + n)), (900, 600), region) for n, row in enumerate(rows)]
    open_audit(database, AUDIT, seed=1, release=RELEASE, items=items, put=lambda one: blobs.put(one, "image/png"))
    ids = sorted((row.probe, row.item) for row in audit_results.judged(database, AUDIT))
    answers = {
        "ann": [TEN, TWELVE, TEN, TEN, TEN],
        "bob": [Label(answer="value", value="pay  10"), TWELVE, TWELVE, UNREADABLE],
        "ocr": [ABSENT],
    }
    for name, labels in answers.items():
        who = someone(database, name, "model" if name == "ocr" else "human")
        audit_desk.next_items(database, AUDIT, who, count=len(ids))
        for (_, item), label in zip(ids, labels, strict=False):
            audit_answers.submit(database, AUDIT, who, item, label)
    cy = someone(database, "cy", adjudicates=True)
    audit_desk.next_items(database, AUDIT, cy, count=len(ids))
    audit_answers.submit(database, AUDIT, cy, ids[2][1], TEN)


@pytest.mark.usefixtures("audit")
def test_numbers_of_a_store(run: Run) -> None:
    """Every number of a small audit is the one worked out by hand, from answers as the store holds them."""
    found: dict[str, Any] = json.loads(run(AUDIT, "--json").stdout)
    assert (found["audit"], found["release"], found["items"], found["definition"]) == (AUDIT, RELEASE, 5, "audit/3")
    human, model = found["kinds"]
    assert (human["annotators"], human["names"], model["names"]) == ("human", ["ann", "bob"], ["ocr"])
    table = human["tables"][0]
    assert (table["items"], table["pairs"], table["agreement"]["count"], table["consensus"]["count"]) == (5, 4, 2, 1)
    assert (table["same_other"], table["adjudicated"]["count"], table["adjudicated"]["n"]) == (1, 1, 1)
    # Pay 10, pay 12, unreadable: 3 1 0 and 1 2 1 of 4. Chance (3 + 2) / 16.
    assert table["kappa"]["value"] == pytest.approx((2 / 4 - 5 / 16) / (1 - 5 / 16))
    assert [(v["annotator"], v["valid"]["count"], v["valid"]["n"]) for v in table["validity"]] == [("ann", 4, 5), ("bob", 1, 3)]
    assert [one["name"] for one in human["tables"]] == ["all", "headline", "web-text"]
    assert [one["between"] for one in human["disputed"]] == ["gold", "annotators", "annotators"]
    assert model["tables"][0]["agreement"] == {"count": 0, "n": 0, "share": None, "low": None, "high": None}


@pytest.mark.usefixtures("audit")
def test_for_a_person(run: Run) -> None:
    """Tables of text with intervals; what is undefined is n/a with its n; disputed items only when asked for."""
    shown = run(AUDIT)
    assert shown.exit_code == 0
    lines = [" ".join(line.split()) for line in shown.stdout.splitlines()]
    assert lines[0] == "Audit paper of release v1: 5 items. Numbers: audit/3."
    assert any(line.startswith("all 5 4 0.500 (0.150 to 0.850) 0.273 (") for line in lines)
    assert "all ocr 1 0 of 1: 0.000 (0.000 to 0.793) 0 1 0 0" in lines
    assert "all 5 0 n/a (n=0) n/a (n=0) n/a (n=0) n/a (n=0) 0" in lines
    assert "Disputed: 2 between annotators; 1 where both say the same, and not gold." in lines
    assert "web-text-0002" not in shown.stdout
    for word in ("headline", "coded", "consensus", "agree, not gold", "undecided", "validity", "structural"):
        assert f"{word}: " in shown.stderr, f"{word} is a row or a column, and no word of it is explained"
    assert "95 % interval" in shown.stderr
    listed = run(AUDIT, "--disputed").stdout
    assert "web-text-0002 web-text Pay 10 Pay 10 Pay 12 Pay 10" in [" ".join(line.split()) for line in listed.splitlines()]


@pytest.mark.usefixtures("audit")
def test_page_of_a_store(run: Run, tmp_path: Path) -> None:
    """--html writes one file: a card for each disputed item with its picture, gold, both labels and the adjudication."""
    place = tmp_path / "new" / "report.html"
    shown = run(AUDIT, "--html", place)
    assert shown.exit_code == 0
    assert "--html" not in shown.stderr, "it was just written"
    page = html.fromstring(place.read_bytes())
    cards = page.xpath("//article")
    assert len(cards) == 3
    assert "gold Pay 10 structure Pay 12 ann Pay 10 gold bob Pay 12 the structure's value" in words(cards[1])
    assert "adjudication by cy Pay 10 gold" in words(cards[1])
    assert "bob unreadable adjudication none" in words(cards[2])
    for number, card in zip((1, 2, 3), cards, strict=True):
        [source] = card.xpath(".//img/@src")
        crop = Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))).convert("RGB")
        assert (10, 20, 200 + number) in {colour for _, colour in crop.getcolors(1 << 20) or ()}
        assert crop.width < 900


def test_no_such_audit(run: Run, database: Database) -> None:
    """An audit that is not there is named."""
    del database
    with pytest.raises(NotFound, match="nothing"):
        run("nothing", "--json")


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A page of what strangers may have written, one picture gone."""
    hostile = '<img src="https://evil.example/x.png"><script>alert(1)</script>'
    items = [
        judged(1, written(hostile), written("Save \u202ethe whales"), values=("Save the whales", hostile)),
        judged(2, written("x"), ABSENT, written("Berlin"), variable="value", values=("", "Berlin")),
    ]
    gone = items[1].picture

    def blob(digest: str) -> bytes:
        if digest == gone:
            raise NotFound("gone")
        return png()

    return write_page(report("a-b", items), blob, tmp_path / "page.html")


def test_page_is_by_itself(strange: Path) -> None:
    """Nothing in the page runs or is fetched, whatever was written; what cannot be seen is spelt; a gone picture is said."""
    page = html.fromstring(strange.read_bytes())
    assert page.xpath("//script | //iframe | //object | //form | //@onload | //@onerror") == []
    assert all(re.match(r"data:|#", link) for link in page.xpath("//@src | //@href"))
    assert "https://evil.example" in page.text_content()
    assert "U+202E" in page.text_content()
    assert "default-src 'none'" in page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert len(page.xpath("//img")) == 1
    assert "The picture is not there any more." in page.text_content()
    assert "gold blank" in words(page.xpath("//article")[1])


def test_page_shows_where_texts_differ(tmp_path: Path) -> None:
    """What gold has and the label has not is struck out, what the label has instead is marked."""
    one = judged(1, written("Total $12.05 today"), written("Total $12.50 today"), values=("Total $12.50 today", "Total"))
    page = html.fromstring(write_page(report("x", [one]), lambda _: png(), tmp_path / "p.html").read_bytes())
    assert [node.text for node in page.xpath("//del")] == ["$12.50"]
    assert [node.text for node in page.xpath("//ins")] == ["$12.05"]


def test_page_without_answers(tmp_path: Path) -> None:
    """An audit that nobody has answered is a page too."""
    place = write_page(report("x", [judged(1, None, None)]), lambda _: png(), tmp_path / "p.html")
    assert "n/a (n=0)" in place.read_text("utf-8")


def test_page_names_models(tmp_path: Path) -> None:
    """Which model answered under a name stands with its numbers."""
    one = judged(1, written("a"), written("a"), who="model", names=("m1", "m2", "m3"))
    found = report("x", [one], models={"m1": AnsweringModel(way="reader", name="rapidocr", version="3.4")})
    page = html.fromstring(write_page(found, lambda _: png(), tmp_path / "p.html").read_bytes())
    assert "annotator 1 (m1): rapidocr (3.4)" in page.text_content()


def test_page_in_the_way(tmp_path: Path) -> None:
    """A folder is not replaced; a failure leaves nothing behind."""
    with pytest.raises(BadInput, match="no file that a report could replace"):
        write_page(report("x", []), lambda _: png(), tmp_path)
    with pytest.raises(ValueError, match="broken"):
        write_page(report("x", [judged(1, written("a"), written("b"))]), _broken, tmp_path / "p.html")
    assert list(tmp_path.iterdir()) == []


def _broken(_: str) -> bytes:
    raise ValueError("broken")


def test_cells() -> None:
    """Numbers have three digits and their interval; what is undefined says n, and why."""
    assert audit_report.share(rate(647, 735)) == "0.880 (0.855 to 0.902)"
    assert audit_report.share(rate(0, 0)) == "n/a (n=0)"
    assert audit_report.kappa(kappa([])) == "n/a (n=0)"
    assert audit_report.kappa(kappa([("visible", "visible")] * 30)) == "n/a (n=30, one category)"
    assert audit_report.kappa(kappa([("a", "a"), ("b", "b")])) == "1.000 (no interval: they never differ)"
    of_one = kappa([("match", "match")] * 118 + [("match", "other")] * 2)
    assert audit_report.kappa(of_one) == "0.000 (no interval: one used one category only)"
    assert audit_report.kappa(kappa([("a", "b"), ("b", "a")])) == "-1.000 (no interval: its error cannot be estimated)"
    assert audit_report.p_value(mcnemar([])) == "n/a (n=0)"
    assert audit_report.p_value(mcnemar([(True, True)] * 3)) == "1.0000"


def test_each_number_of_nothing_is_told_as_none() -> None:
    """Two persons who could read nothing: no cell has a number that something would be needed for."""
    [kind] = report("x", [judged(1, UNREADABLE, UNREADABLE)]).kinds
    [row, other] = [row for row in audit_report.people_rows(kind) if row[0] in {"all", ""}][:2]
    assert row == ("all", "ada", "1", "n/a (n=0)", "0", "0", "1", "0", "n/a (n=0)")
    assert other == ("", "ben", "1", "n/a (n=0)", "0", "0", "1", "0", "")
    [alone] = report("x", [judged(1, UNREADABLE, None)]).kinds
    assert next(audit_report.agreement_rows(alone))[2:7] == ("0", *["n/a (n=0)"] * 4)


def test_paper_for_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    """The paper's audit as a table: its figures stand in the lines of their families."""
    tell(report("v1", paper()), disputed=False)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert any(line.startswith("all 735 735 0.880 (0.855 to 0.902) 0.870 (") for line in lines)
    assert any(line.startswith("mobile-stale 250 250 0.912 (0.870 to 0.941) 0.825 (") for line in lines)
    assert any(line.startswith("mobile-visible 30 30 1.000 (0.886 to 1.000) n/a (n=30, one category)") for line in lines)
    assert any(line.startswith("desktop-graphic ada 60 50 of 60: 0.833") for line in lines)
    assert any(line.startswith("all 735 ") and " 528 of 735: 0.718 (" in line for line in lines)
    said = (
        "Disputed: 88 between annotators; 119 where both say the same, and not gold (of these 2 unreadable or unsure to both)."
    )
    assert said in lines
    assert any(line.startswith("all 735 ") and " 119 (2 undecided)" in line for line in lines)
    assert any(line.startswith("mobile-stale 250 ") and line.endswith(" 114") for line in lines)


@pytest.mark.parametrize("word", ["unreadable", "unsure"])
def test_whoever_could_not_read_or_decide_is_not_against_gold(word: Answer, tmp_path: Path) -> None:
    """In line and page: one pair that says another text, one that says nothing of it."""
    said = Label(answer=word)
    found = report("x", [judged(1, written("Send"), written("Send")), judged(2, said, said), judged(3, said, written("Save"))])
    [kind] = found.kinds
    assert next(audit_report.agreement_rows(kind))[7] == "2 (1 undecided)"
    page = html.fromstring(write_page(found, lambda _: png(), tmp_path / "p.html").read_bytes())
    assert [words(node).partition("text; ")[2] for node in page.xpath("//h4")] == [
        "both annotators against gold",
        f"both say {word}",
        "the annotators differ",
    ]
    both = "1 between annotators; 2 where both say the same, and not gold (of these 1 unreadable or unsure to both)."
    assert both in words(page)
