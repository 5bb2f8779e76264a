"""Everything that matches, as lines or as a table; of each item all fields or some."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator

import duckdb
import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

from api.accepting import best_of, takes_gzip
from api.attached import attachment
from store.blobs import Blobs
from store.database import Database
from tests.api.asking import problem
from tests.api.things import LINES, THINGS, application


@pytest.fixture
def things(database: Database, blobs: Blobs) -> Iterator[TestClient]:
    """A program that asks for /things."""
    with TestClient(application(database, blobs), raise_server_exceptions=False) as asking:
        yield asking


def table(answer: httpx.Response) -> list[dict[str, str]]:
    """The rows, as the standard library reads them."""
    return list(csv.DictReader(io.StringIO(answer.text, newline="")))


def test_lines(things: TestClient) -> None:
    """NDJSON is a line for each item, as it is stored."""
    answer = things.get("/things?format=ndjson")
    assert answer.content == b"".join(line + b"\n" for line in LINES)
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.headers["content-disposition"] == 'attachment; filename="things.ndjson"'


def test_a_table(things: TestClient) -> None:
    """CSV has a column for each value, under its dotted name, whatever the items hold; lists and mappings are JSON."""
    answer = things.get("/things?format=csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8; header=present"
    rows = table(answer)
    assert list(rows[0]) == [
        "id", "text", "box.x", "box.y", "box.width", "box.height", "words", "inner.when", "inner.sums", "others",
    ]  # fmt: skip
    assert rows[0] == {
        "id": "a", "text": "Pay 10", "box.x": "-1.5", "box.y": "2", "box.width": "3", "box.height": "4", "words": '["x","y"]',
        "inner.when": "", "inner.sums": '{"one":1}', "others": '[{"when":"now","sums":{}}]',
    }  # fmt: skip
    assert [row["text"] for row in rows] == ["Pay 10", '\'=1+1,"q"\nx', ""]


def test_formulas_are_texts(things: TestClient) -> None:
    """A text that a spreadsheet would run has ' in front; one taken away from any text gives it back. Numbers stay."""
    [row] = [row for row in table(things.get("/things?format=csv")) if row["id"] == "b"]
    assert row["text"].removeprefix("'") == THINGS[1]["text"]
    assert table(things.get("/things?format=csv"))[0]["box.x"] == "-1.5"


def test_another_program_reads_it(things: TestClient, tmp_path_factory: pytest.TempPathFactory) -> None:
    """DuckDB finds the same rows in the table and in the lines."""
    folder = tmp_path_factory.mktemp("read")
    for form in ("csv", "ndjson"):
        (folder / f"things.{form}").write_bytes(things.get(f"/things?format={form}").content)
    for form in ("csv", "ndjson"):
        found = duckdb.sql(f"select id from '{folder}/things.{form}' order by id").fetchall()  # noqa: S608
        assert found == [("a",), ("b",), ("c",)]


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("text/csv", "text/csv"),
        ("application/x-ndjson", "application/x-ndjson"),
        ("text/csv;q=0.5, application/x-ndjson", "application/x-ndjson"),
        ("text/html, */*;q=0.8", "application/json"),
        ("application/*;q=0.2, text/csv;q=0.1", "application/json"),
        ("application/json;q=0, */*", "application/x-ndjson"),
    ],
)
def test_accept(things: TestClient, accept: str, form: str) -> None:
    """What `Accept` likes best is given, by RFC 9110; where it likes all the same, a page."""
    assert things.get("/things", headers={"Accept": accept}).headers["content-type"].split(";")[0] == form


def test_accept_in_several_lines(things: TestClient) -> None:
    """Lines of one header are one list (RFC 9110, 5.3): what any of them takes is there, and what is not is told whole."""
    for lines, form in (
        (("text/html", "text/csv"), "text/csv"),
        (("text/csv;q=0.5", "image/png", "application/x-ndjson"), "application/x-ndjson"),
        (("", ""), "application/json"),
    ):
        answer = things.get("/things", headers=[("Accept", line) for line in lines])
        assert answer.headers["content-type"].split(";")[0] == form, lines
    told = problem(things.get("/things", headers=[("Accept", "text/html"), ("Accept", "image/png")]), "not-acceptable")
    assert told.startswith("Accept: nothing of 'text/html, image/png' is there.")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("history-a.csv", 'filename="history-a.csv"'),
        ("a b & c-visits.csv", 'filename="a b & c-visits.csv"'),
        ('a"b.csv', 'filename="a_b.csv"'),
        ("a\r\nX-Evil: 1.csv", 'filename="a__X-Evil_ 1.csv"'),
        ("..\\..\\C:/x|<y>*?.csv", 'filename="_.._C__x__y___.csv"'),
        ("\u4e2d\u6587.csv", "filename=\"__.csv\"; filename*=UTF-8''%E4%B8%AD%E6%96%87.csv"),
        ("a%22.csv", "filename=\"a_22.csv\"; filename*=UTF-8''a%2522.csv"),
        ("\u202evsc.exe\ud800\u2028.csv", 'filename="_vsc.exe__.csv"'),
        ("..", 'filename="file"'),
    ],
)
def test_a_name_of_a_file_is_safe(name: str, told: str) -> None:
    """Whatever it is made of, it ends where it ends, leads to no other folder, and can be sent (RFC 6266)."""
    assert attachment(name) == f"attachment; {told}"
    assert attachment(name).isascii()


def test_format_goes_before_accept(things: TestClient) -> None:
    """A link with format= gives it to every browser."""
    assert (
        things.get("/things?format=csv", headers={"Accept": "application/json"}).headers["content-type"].startswith("text/csv")
    )


def test_accept_by_the_letter() -> None:
    """The more specific range decides, a weight that is none is none."""
    assert best_of("", ("a/b", "c/d")) == "a/b"
    assert best_of("*/*;q=0.1, c/*;q=0.5, c/d;q=0", ("c/d", "c/e")) == "c/e"
    assert best_of("a/b;q=nonsense", ("a/b",)) is None
    assert best_of(" , ", ("a/b", "c/d")) == "a/b"
    assert not takes_gzip("")
    assert takes_gzip("deflate, gzip;q=0.01")
    assert not takes_gzip("gzip;q=0, *")


def test_fields(things: TestClient) -> None:
    """Only the fields asked for, within fields and lists too; what an item does not have is left out."""
    found = things.get("/things?fields=id,box.x,others.when,inner.sums.one").json()["items"]
    assert found == [
        {"id": "a", "box": {"x": -1.5}, "others": [{"when": "now"}], "inner": {"sums": {"one": 1}}},
        {"id": "b", "box": {"x": 0}, "others": [], "inner": None},
        {"id": "c", "box": {"x": 0}, "others": [], "inner": None},
    ]
    assert things.get("/things?format=ndjson&fields=id").text == '{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n'
    rows = things.get("/things?format=csv&fields=box,id").text
    assert rows.startswith("box.x,box.y,box.width,box.height,id\r\n-1.5,2,3,4,a\r\n")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("ids", "fields: there is no 'ids'. There is id, text, box, words, inner, others."),
        ("box.z", "fields: there is no 'z' in box. There is x, y, width, height."),
        ("id.x", "fields: there is no 'x' in id."),
        ("width", "fields: there is no 'width'. Did you mean 'box.width'? There is id, text, box, words, inner, others."),
        ("id,y", "fields: there is no 'y'. Did you mean 'box.y'? There is id, text, box, words, inner, others."),
        (
            "when",
            (
                "fields: there is no 'when'. Did you mean 'inner.when' or 'others.when'? "
                "There is id, text, box, words, inner, others."
            ),
        ),
        ("sums.one.x", "fields: there is no 'sums'. There is id, text, box, words, inner, others."),
        (",", "fields: no field is named. There is id, text, box, words, inner, others."),
    ],
)
@pytest.mark.parametrize("form", ["json", "ndjson", "csv"])
def test_unknown_fields(things: TestClient, fields: str, told: str, form: str) -> None:
    """A field that there is not is refused, with those there are; also where everything is streamed.

    Where it is the name of fields within others, these are named too, if they are no more than three.
    """
    assert problem(things.get("/things", params={"fields": fields, "format": form}), "unknown-field") == told


def test_fields_of_a_divergence(client: TestClient) -> None:
    """Who asks for the verdict of divergences learns that there are two, and where."""
    told = problem(client.get("/divergences?fields=id,verdict"), "unknown-field")
    assert told.startswith("fields: there is no 'verdict'. Did you mean 'finding.verdict' or 'check.verdict'? There is id, ")


def test_packed_streams(things: TestClient) -> None:
    """A stream is packed for whoever takes it, and is the same unpacked."""
    with things.stream("GET", "/things?format=ndjson", headers={"Accept-Encoding": "gzip"}) as answer:
        packed = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed) == b"".join(line + b"\n" for line in LINES)
