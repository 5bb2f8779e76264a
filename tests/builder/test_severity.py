"""builder severity: two sets of conflicts beside one another, from every kind of file and from the store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import ks_2samp
from typer.testing import CliRunner, Result

from builder.cli_severity import app, cells
from builder.pair_sets import pair_set
from builder.severity import Pair, compare, values_of
from domain.errors import BadInput

NEAR = [Pair(f"14:03:{n}", f"14:03:{n + 1}", "stale") for n in range(10, 30)]
FAR = [Pair(f"Item {n}", f"Something else altogether, {n}", "aria") for n in range(20)]
MADE = [Pair("Add to cart", "Sign in"), Pair("$1.20", "$9.99"), Pair("Menu", "Help")]


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def told(*words: object) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_compare() -> None:
    """Medians, band, coverage, KS and p are those of the pairs' values; once for all natural pairs, once for each kind."""
    report = compare(MADE, NEAR + FAR)
    assert [(one.kind, one.synthetic_n, one.natural_n) for one in report.comparisons] == [
        (None, 3, 40),
        ("aria", 3, 20),
        ("stale", 3, 20),
    ]
    stale = report.comparisons[2].measures["lev"]
    # 14:03:10 and 14:03:11 differ in one of eight characters, 14:03:19 and 14:03:20 in two: 18 and 2 pairs of 20.
    assert (stale.natural_median, stale.natural_low, stale.natural_high) == (0.125, 0.125, 0.25)
    # add to cart/sign in: 10 of 11; $1.20/$9.99: 3 of 5; menu/help: 3 of 4. None is in the band, all are above it.
    assert (stale.synthetic_median, stale.coverage, stale.ks) == (0.75, 0.0, 1.0)
    made, natural = values_of(MADE), values_of(NEAR)
    expected = ks_2samp(made["lev"], natural["lev"], method="exact").pvalue
    assert stale.p == pytest.approx(float(expected), rel=1e-10)
    assert stale.p_method == "exact"
    assert stale.tied == pytest.approx(20 / 23)


def test_order_changes_nothing() -> None:
    """The same pairs in another order give the same report, to the byte."""
    assert compare(MADE[::-1], (NEAR + FAR)[::-1]) == compare(MADE, NEAR + FAR)


def test_large_sets() -> None:
    """Above some thousand pairs p is that of the limit, and says so."""
    many = NEAR * 150
    assert compare(MADE, many).comparisons[0].measures["len"].p_method == "asymptotic"


def test_empty_sets() -> None:
    """What an empty set leaves open is null in JSON and n/a with its n in the table; never 0."""
    report = compare([], NEAR)
    one = report.comparisons[0].measures["jac"]
    assert (one.synthetic_median, one.coverage, one.ks, one.p, one.tied) == (None,) * 5
    assert one.natural_median == 1.0
    assert cells(report.comparisons[0], "jac")[4:] == ["n/a (n=0)", "1.0000", "1.0000 to 1.0000"] + ["n/a (n=0)"] * 4
    report = compare(MADE, [])
    assert len(report.comparisons) == 1
    assert cells(report.comparisons[0], "jac")[4:] == ["1.0000"] + ["n/a (n=0)"] * 6


def rows(path: Path, *given: dict[str, Any]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in given))
    return path


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A folder with the rows of a release that matter here."""
    rows(
        tmp_path / "v1" / "probes.jsonl",
        {"family": "web-text", "kind": None, "gold": "Add to cart", "structural": "Sign in", "id": "a"},
        {"family": "web-text", "kind": None, "gold": "7", "structural": "8", "id": "b"},
        {"family": "desktop-graphic", "kind": None, "gold": "icon", "structural": "text", "id": "c"},
        {"family": "web-natural", "kind": "stale", "gold": "14:03:27", "structural": "14:03:31", "id": "d"},
        {"family": "web-natural", "kind": "title", "gold": "Menu", "structural": "Open navigation menu", "id": "e"},
    )
    return tmp_path / "v1"


def test_one_release(release: Path) -> None:
    """With one release, its web-text beside its web-natural; --family and --kind choose others."""
    found = told(release)
    assert (found["definition"], found["synthetic"], found["natural"]) == ("severity/1", "web-text of v1", "web-natural of v1")
    assert [(one["kind"], one["synthetic_n"], one["natural_n"]) for one in found["comparisons"]] == [
        (None, 2, 2),
        ("title", 2, 1),
        ("stale", 2, 1),
    ]
    assert found["comparisons"][2]["measures"]["lev"]["natural_median"] == 0.25
    chosen = told(release, "--family", "desktop-graphic", "--kind", "title")
    assert [(one["kind"], one["synthetic_n"], one["natural_n"]) for one in chosen["comparisons"]] == [
        (None, 1, 1),
        ("title", 1, 1),
    ]


def test_any_two_sets(release: Path, tmp_path: Path) -> None:
    """A table of pairs, as CSV or JSON lines, under either pair of names; an empty cell is an empty text."""
    table = tmp_path / "mine.csv"
    table.write_text('\ufeffstructure,pixel,note\n"Sign, in",Log in,x\nLoading,,y\n', encoding="utf-8")
    assert pair_set(str(table), family=None, usual="web-text").pairs == (Pair("Log in", "Sign, in"), Pair("", "Loading"))
    lines = rows(tmp_path / "mine.jsonl", {"pixel": None, "structure": "Loading"})
    found = told(table, lines)
    assert [(one["kind"], one["synthetic_n"], one["natural_n"]) for one in found["comparisons"]] == [(None, 2, 1)]
    assert told(table, release / "probes.jsonl")["natural"] == "web-natural of probes.jsonl"


@pytest.mark.usefixtures("database")
def test_store(data_dir: Path, release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """live and the families are sets of the store; an empty one has n 0 and no numbers."""
    monkeypatch.setenv("PARALLAX_DATA", str(data_dir))
    monkeypatch.setenv("DATABASE_URL", "")
    for name in ("live", "web-natural"):
        found = told(release, name)
        assert found["natural"] == "web-natural of the store"
        assert found["comparisons"][0]["natural_n"] == 0
        assert found["comparisons"][0]["measures"]["lev"]["natural_median"] is None


def test_table(release: Path) -> None:
    """For a person: the sets, then a line a measure, with all natural pairs first."""
    shown = run(release)
    assert shown.exit_code == 0
    lines = [line.split() for line in shown.stdout.splitlines() if line.strip()]
    assert shown.stdout.splitlines()[0] == "A: web-text of v1   B: web-natural of v1   measures: severity/1"
    assert lines[2][:6] == ["all", "lev", "2", "2", "0.9545", "0.5250"]
    others = ["char", "jac", "tri", "len"]
    assert [line[0] for line in lines[2:]] == ["all", *others, "title", *others, "stale", *others]


def test_plot(release: Path, tmp_path: Path) -> None:
    """--plot writes a picture, the same bytes each time; the form is by the file's name."""
    contents = []
    for name in ("one.svg", "two.svg", "three.png"):
        assert run(release, "--plot", tmp_path / name).exit_code == 0
        contents.append((tmp_path / name).read_bytes())
    assert contents[0].startswith(b"<?xml")
    assert contents[0] == contents[1]
    assert contents[2].startswith(b"\x89PNG")


WRONG = [
    ("a.csv", "pixel,structure\na,b,c\n", "a.csv, line 2: 3 cells, but 2 columns."),
    ("a.csv", "pixel,structure\na\n", "a.csv, line 2: 1 cells, but 2 columns."),
    ("a.csv", "x,y\na,b\n", "a.csv, line 2: expected pixel and structure or gold and structural, found x, y."),
    ("a.jsonl", '{"pixel":"a","structure":"b"}\n{"pixel":', "a.jsonl, line 2: no JSON: unexpected end of data"),
    ("a.jsonl", "[]\n", "a.jsonl, line 1: a JSON object was expected."),
    ("a.jsonl", '{"gold":"a","structural":7}\n', "a.jsonl, line 1: structural is no text but 7."),
    ("a.jsonl", '{"gold":"a","structural":"b","kind":[1]}\n', "a.jsonl, line 1: family and kind are texts, not None and [1]."),
    ("a.txt", "", "a.txt: expected a release's folder"),
]


@pytest.mark.parametrize(("name", "content", "message"), WRONG)
def test_malformed(tmp_path: Path, name: str, content: str, message: str) -> None:
    """A file that is no set of pairs is named, with the line and what is wrong there."""
    (tmp_path / name).write_text(content)
    with pytest.raises(BadInput) as caught:
        pair_set(str(tmp_path / name), family=None, usual="web-text")
    assert message in str(caught.value)


def test_refused(release: Path, tmp_path: Path) -> None:
    """No such set, no such family in it, no such kind, a set beside itself, a folder without a release: each in a sentence."""
    lines = rows(tmp_path / "mine.jsonl", {"pixel": "a", "structure": "b"})
    refused = {
        (str(tmp_path / "nothing"),): "is not there and is no family. Expected",
        (release, "--family", "mobile-stale"): "has no probes of mobile-stale. It has desktop-graphic, web-natural, web-text.",
        (release, "--kind", "staale"): "No kind 'staale'. Known: aria, title, stale, state.",
        (lines,): "is one set and cannot be compared with itself.",
        (tmp_path,): "holds no release: there is no probes.jsonl in it.",
        (release, "--plot", "plot.jpg"): "plot.jpg: a plot is written as .png or .svg.",
    }
    for words, message in refused.items():
        result = run(*words)
        assert isinstance(result.exception, BadInput), words
        assert message in str(result.exception)
