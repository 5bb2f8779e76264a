"""builder verify: a release as it was cut has no problem; whatever is changed in it is named, and what should be there."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rfc8785
from PIL import Image
from typer.testing import CliRunner

from builder import cli_check
from builder.assembled import Assembled, opened
from builder.formats import checksums, parquet
from builder.verify import verify
from builder.verifying.problems import Problem
from domain.errors import NotFound
from tests.builder import small

Spoiled = Callable[[], Path]
RUN = CliRunner()
NATURAL = "data/web-natural/test-00000-of-00001.parquet"


def sealed(release: Path) -> None:
    """Checksums as one would write them who wants a change to go unseen."""
    checksums.write(Assembled(opened(release).manifest, release), release)


def rows_of(release: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (release / "probes.jsonl").read_bytes().splitlines()]


def write_rows(release: Path, rows: list[dict[str, Any]]) -> None:
    (release / "probes.jsonl").write_bytes(b"".join(rfc8785.dumps(row) + b"\n" for row in rows))


def change_manifest(release: Path, change: Callable[[dict[str, Any]], None]) -> None:
    manifest = json.loads((release / "manifest.json").read_bytes())
    change(manifest)
    (release / "manifest.json").write_bytes(orjson.dumps(manifest))


def told(problems: list[Problem]) -> list[str]:
    return [str(problem) for problem in problems]


def a_blob(release: Path, media: bytes = b"\x89PNG") -> Path:
    """The first picture of the release, in the order of names."""
    return next(
        path for path in sorted((release / "blobs").rglob("*")) if path.is_file() and path.read_bytes().startswith(media)
    )


def name_of(release: Path, path: Path) -> str:
    return path.relative_to(release).as_posix()


def test_a_release_as_it_was_cut_has_no_problem(small_release: Path) -> None:
    """Nothing to say, whatever the number of threads."""
    assert verify(small_release) == []
    assert verify(small_release, workers=3) == []


def test_sha256sum_agrees_with_the_checksums(small_release: Path) -> None:
    """checksums.txt is what the usual program reads and finds right."""
    program = shutil.which("sha256sum")
    if program is None:
        pytest.skip("no sha256sum on this machine")
    done = subprocess.run([program, "--check", "--strict", "--quiet", "checksums.txt"], cwd=small_release, check=False)
    assert done.returncode == 0


def test_the_digest_can_be_worked_out_by_hand(small_release: Path) -> None:
    """SHA-256 over the rows and the sorted digests of the blobs that are there, a line each."""
    manifest = json.loads((small_release / "manifest.json").read_bytes())
    blobs = sorted(path.name for path in (small_release / "blobs").rglob("*") if path.is_file())
    by_hand = (small_release / "probes.jsonl").read_bytes() + "".join(f"{name}\n" for name in blobs).encode()
    assert manifest["digest"] == hashlib.sha256(by_hand).hexdigest()


def test_a_flipped_byte_is_named_with_both_hashes(spoiled: Spoiled) -> None:
    """The file, its hash as listed and its hash as it is; and nothing else where it is a blob."""
    release = spoiled()
    blob = a_blob(release)
    content = bytearray(blob.read_bytes())
    content[-1] ^= 1
    blob.write_bytes(content)
    found = hashlib.sha256(content).hexdigest()
    assert told(verify(release)) == [f"{name_of(release, blob)}: the content was changed: expected {blob.name}, found {found}"]


def test_a_changed_blob_with_a_mended_checksum_is_known_by_its_name(spoiled: Spoiled) -> None:
    """Checksums can be written anew; the name of a blob is its digest."""
    release = spoiled()
    blob = a_blob(release)
    blob.write_bytes(small.picture(77))
    found = hashlib.sha256(blob.read_bytes()).hexdigest()
    sealed(release)
    said = told(verify(release))
    assert (
        f"{name_of(release, blob)}: the content is not what the blob's name says: expected {blob.name}, found {found}" in said
    )


def test_a_missing_blob_is_named_with_its_probe(spoiled: Spoiled) -> None:
    """Once as a file of the list, once as what a row needs."""
    release = spoiled()
    row = next(row for row in rows_of(release) if row["family"] == "web-natural")
    blob = release / "blobs" / "sha256" / row["screenshot"][:2] / row["screenshot"]
    blob.unlink()
    name = name_of(release, blob)
    said = told(verify(release))
    assert f"{name}: the file is missing: expected {blob.name}" in said
    assert f"{name}, {row['id']}: the blob is missing" in said


def test_files_that_nobody_named_are_problems(spoiled: Spoiled) -> None:
    """A file beside the others, and a blob that no row names though it is listed."""
    release = spoiled()
    (release / "notes.txt").write_text("mine")
    assert told(verify(release)) == ["notes.txt: the file is not in checksums.txt"]
    (release / "notes.txt").unlink()
    digest = hashlib.sha256(b"more").hexdigest()
    (release / "blobs" / "sha256" / digest[:2]).mkdir(exist_ok=True)
    (release / "blobs" / "sha256" / digest[:2] / digest).write_bytes(b"more")
    sealed(release)
    assert told(verify(release)) == [f"blobs/sha256/{digest[:2]}/{digest}: no row names this blob"]


def test_an_extra_row_is_found_by_every_count(spoiled: Spoiled) -> None:
    """One row more than the manifest, the spec and the table have, with checksums written anew."""
    release = spoiled()
    probe, *_ = small.live("aria", "Pay 99", "Pay 98", 9)
    rows = rows_of(release)
    like = next(row for row in rows if row["family"] == "web-natural")
    added = {**like, **probe.model_dump(mode="json")}
    added["channels"] = {"natural": {"pixels": probe.screenshot, "structure": probe.structure}}
    write_rows(release, sorted([*rows, added], key=lambda row: str(row["id"])))
    sealed(release)
    said = told(verify(release))
    assert f"{NATURAL}, {probe.id}: the row is missing" in said
    assert "manifest.json: counts.total is not what the rows come to: expected 9, found 8" in said
    assert "manifest.json: counts.families.web-natural is not what the rows come to: expected 4, found 3" in said
    assert "probes.jsonl: web-natural: more than the spec allows: expected 3 probes, found 1 too many (quota-full)" in said
    assert any(one.startswith("manifest.json: digest is not what the rows come to") for one in said)
    assert f"blobs/sha256/{probe.screenshot[:2]}/{probe.screenshot}, {probe.id}: the blob is missing" in said


def test_rows_that_are_not_in_order_or_twice_there(spoiled: Spoiled) -> None:
    """The order of ids is strict."""
    release = spoiled()
    rows = rows_of(release)
    write_rows(release, [rows[1], rows[0], *rows[2:], rows[-1]])
    said = told(verify(release))
    assert f"probes.jsonl, {rows[0]['id']}: line 2: the row is not in the order of ids: expected after {rows[1]['id']}" in said
    assert f"probes.jsonl, {rows[-1]['id']}: line 9: the id is there twice: expected after {rows[-1]['id']}" in said


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda row: row.update(gold="Pay 13"), "Value error"),
        (lambda row: row.update(surprise=1), "surprise: Extra inputs are not permitted"),
        (lambda row: row.update(id="web-natural-000000000000"), "is not of this content"),
        (lambda row: row.update(partial=True), "partial is not as it should be: expected False, found True"),
        (lambda row: row.update(release="v2"), "release is not as it should be: expected v1, found v2"),
        (lambda row: row.update(made=True), "made is not as it should be: expected False, found True"),
        (
            lambda row: row.update(splits=["headline"]),
            "splits is not as it should be: expected ['natural'], found ['headline']",
        ),
        (
            lambda row: row["channels"]["natural"].update(pixels="0" * 64),
            f"the pixels of natural are not what is shown of the picture: expected {{screenshot}}, found {'0' * 64}",
        ),
        (lambda row: row["channels"].update(swap=row["channels"]["natural"]), "the conditions are not those of the family"),
    ],
)
def test_a_row_that_was_tampered_with(spoiled: Spoiled, spoil: Callable[[dict[str, Any]], None], problem: str) -> None:
    """Each field that says something is checked against the rest of the row, the manifest, or the content."""
    release = spoiled()
    rows = rows_of(release)
    row = next(row for row in rows if row["kind"] == "aria")
    expected = problem.replace("{screenshot}", row["screenshot"]).removeprefix("Value error")
    spoil(row)
    write_rows(release, rows)
    sealed(release)
    assert any(expected in one and one.startswith("probes.jsonl") for one in told(verify(release)))


def test_an_edit_that_does_not_give_the_swapped_structure(spoiled: Spoiled) -> None:
    """The swap is made again from the structure and the edit record."""
    release = spoiled()
    rows = rows_of(release)
    row = next(row for row in rows if row["family"] == "web-text")
    row["edit"]["after"] = "Sign out"
    write_rows(release, rows)
    sealed(release)
    assert any(f"{row['id']}: the structure of swap is not the structure with its edit" in one for one in told(verify(release)))


def test_a_row_that_is_not_canonical(spoiled: Spoiled) -> None:
    """The same row with a blank in it is another byte: the first one that differs is told."""
    release = spoiled()
    lines = (release / "probes.jsonl").read_bytes().splitlines()
    lines[0] = lines[0].replace(b'":', b'": ', 1)
    (release / "probes.jsonl").write_bytes(b"\n".join(lines))
    sealed(release)
    said = told(verify(release))
    assert any("line 1 is not canonical JSON (RFC 8785) from byte 12" in one for one in said), said
    assert "probes.jsonl: the last line has no end" in said


def test_a_quota_that_is_not_met(spoiled: Spoiled) -> None:
    """The spec asks for more than there is, and the release does not call itself partial."""
    release = spoiled()
    change_manifest(release, lambda manifest: manifest["spec"]["families"]["web-natural"].update(count=5))
    sealed(release)
    assert told(verify(release)) == [
        "probes.jsonl: web-natural: probes are asked for by the spec: expected 5, found 3",
    ]


def test_a_partial_release_says_so_everywhere(tmp_path: Path, screenspot: Path) -> None:
    """Cut as partial it has no problem; without the word on its card it has one."""
    release = small.cut(tmp_path / "v1", small.contents(screenspot), quotas={"web-natural": 5})
    assert verify(release) == []
    assert all(row["partial"] for row in rows_of(release))
    card = (release / "README.md").read_text()
    (release / "README.md").write_text(card.replace("PARTIAL", "WHOLE"))
    sealed(release)
    assert told(verify(release)) == ["README.md: it does not say PARTIAL, and the release is"]


def rewrite(release: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """A table with other rows, of the same columns."""
    table = pq.read_table(release / NATURAL)
    rows = table.to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, table.schema), release / NATURAL)
    sealed(release)


def without_croissant(problems: list[Problem]) -> list[str]:
    """The table's own problems: its hash stands in croissant.json as well."""
    assert any(problem.file == "croissant.json" for problem in problems)
    return [str(problem) for problem in problems if problem.file != "croissant.json"]


def test_a_tampered_picture_in_a_table_is_found_by_its_pixels(spoiled: Spoiled) -> None:
    """One pixel of one picture, with all hashes written anew: the place and both colours are told."""
    release = spoiled()

    def paint(rows: list[dict[str, Any]]) -> None:
        image = Image.open(io.BytesIO(rows[0]["image"]["bytes"])).convert("RGB")
        image.putpixel((3, 5), (1, 2, 3))
        out = io.BytesIO()
        image.save(out, "PNG")
        rows[0]["image"]["bytes"] = out.getvalue()

    before = Image.open(io.BytesIO(pq.read_table(release / NATURAL).to_pylist()[0]["image"]["bytes"])).getpixel((3, 5))
    rewrite(release, paint)
    id_ = rows_of(release)[[row["family"] for row in rows_of(release)].index("web-natural")]["id"]
    assert without_croissant(verify(release)) == [
        (
            f"{NATURAL}, {id_}: image does not show what is shown of the blob, first at pixel 3,5: "
            f"expected {before}, found (1, 2, 3)"
        )
    ]


def test_the_same_picture_encoded_in_another_way_is_the_same(spoiled: Spoiled) -> None:
    """It is pixels that count: a table written by another library is no problem of the picture."""
    release = spoiled()

    def again(rows: list[dict[str, Any]]) -> None:
        out = io.BytesIO()
        Image.open(io.BytesIO(rows[0]["image"]["bytes"])).save(out, "PNG", compress_level=0)
        rows[0]["image"]["bytes"] = out.getvalue()

    rewrite(release, again)
    assert without_croissant(verify(release)) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda rows: rows[0].update(gold="other"), "gold is not the one in the rows"),
        (lambda rows: rows[0].update(structure="<p>other</p>"), "structure is not the blob"),
        (
            lambda rows: rows[0].update(crop=None),
            "crop does not show what is shown of the blob: expected a picture, found no picture",
        ),
        (lambda rows: rows.pop(0), "the row is missing"),
        (lambda rows: rows.insert(0, {**rows[0], "id": "web-natural-0"}), "the row is not in the rows of the release"),
    ],
)
def test_a_table_that_says_something_else(
    spoiled: Spoiled, change: Callable[[list[dict[str, Any]]], None], problem: str
) -> None:
    """Whatever is in a table and not in the rows, or the other way round, is one problem."""
    release = spoiled()
    rewrite(release, change)
    said = without_croissant(verify(release))
    assert len(said) == 1
    assert problem in said[0]


def test_tables_that_cannot_be_read_or_have_other_columns(spoiled: Spoiled) -> None:
    """A file that is no Parquet is one problem, not one a row."""
    release = spoiled()
    (release / NATURAL).write_bytes(b"PAR1 and no more")
    sealed(release)
    assert [one.partition(":")[2].partition(":")[0] for one in without_croissant(verify(release))] == [
        " the table cannot be read"
    ]
    table = pq.read_table(release / "data/web-text/test-00000-of-00001.parquet").drop_columns(["gold"])
    pq.write_table(table, release / NATURAL)
    sealed(release)
    assert without_croissant(verify(release)) == [
        f"{NATURAL}: columns are missing, of another type, or too many: expected {{'gold': 'string'}}, found {{}}"
    ]


def test_an_edited_card_is_found_by_its_configurations(spoiled: Spoiled) -> None:
    """What Hugging Face reads must be the families' own files."""
    release = spoiled()
    card = (release / "README.md").read_text()
    (release / "README.md").write_text(card.replace("path: data/web-text/", "path: data/web-texts/"))
    assert told(verify(release))[0].startswith("README.md: the configuration web-text is not the family's files: expected")
    (release / "README.md").write_text(card.replace("---\n", "", 1))
    assert told(verify(release))[0].startswith("README.md: its metadata cannot be read")


def test_what_the_manifest_says_is_counted_again(spoiled: Spoiled) -> None:
    """Counts, sources, blobs and the funnel."""
    release = spoiled()

    def change(manifest: dict[str, Any]) -> None:
        manifest["counts"]["kinds"]["aria"] = 2
        manifest["sources"]["live"]["items"] = 7
        manifest["blobs"]["count"] = 1
        manifest["made"] = 3
        manifest["funnel"]["families"]["web-text"]["released"] = 1

    change_manifest(release, change)
    sealed(release)
    assert told(verify(release)) == [
        "README.md: it does not say MADE, and the release is",
        "funnel.json: it is not the funnel of manifest.json",
        "manifest.json: blobs.count is not what the rows come to: expected 12, found 1",
        "manifest.json: counts.kinds.aria is not what the rows come to: expected 1, found 2",
        "manifest.json: funnel.families.web-text.released is not what the rows come to: expected 2, found 1",
        "manifest.json: made is not what the rows come to: expected 0, found 3",
        "manifest.json: sources.live.items is not what the rows come to: expected 3, found 7",
    ]


def test_a_document_that_was_left_out(spoiled: Spoiled) -> None:
    """Even where the checksums know nothing of it."""
    release = spoiled()
    for name in ("croissant.json", "schema/probe.schema.json", "severity.json"):
        (release / name).unlink()
    sealed(release)
    assert told(verify(release)) == [
        "croissant.json: the file is missing",
        "schema/probe.schema.json: the file is missing",
        "severity.json: there are pairs to compare and no report",
    ]


def test_the_severity_is_worked_out_again(spoiled: Spoiled) -> None:
    """A median that somebody wished for is found."""
    release = spoiled()
    report = json.loads((release / "severity.json").read_bytes())
    report["comparisons"][0]["measures"]["lev"]["natural_median"] = 0.5
    (release / "severity.json").write_text(json.dumps(report))
    sealed(release)
    assert told(verify(release)) == [
        "severity.json: comparisons.0.measures.lev.natural_median is not what the rows come to: expected 0.25, found 0.5"
    ]


def test_links_and_ways_out_of_the_folder_are_refused(spoiled: Spoiled, tmp_path: Path) -> None:
    """A release holds its files itself, and its list names no others."""
    release = spoiled()
    outside = tmp_path / "funnel.json"
    outside.write_bytes((release / "funnel.json").read_bytes())
    (release / "funnel.json").unlink()
    (release / "funnel.json").symlink_to(outside)
    listed = (release / "checksums.txt").read_text()
    (release / "checksums.txt").write_text(f"{'0' * 64}  ../funnel.json\n{listed}")
    assert told(verify(release)) == [
        f"checksums.txt: line 1 is no checksum of a file of the release: found {'0' * 64}  ../funnel.json",
        "funnel.json: it is a link, and a release holds its files itself",
    ]


def test_a_folder_without_a_release() -> None:
    """It is not there: a sentence, not a list of problems."""
    with pytest.raises(NotFound, match=r"/nonexistent holds no release: there is no such folder"):
        verify(Path("/nonexistent"))


def test_the_command_names_all_problems_and_ends_with_1(spoiled: Spoiled, small_release: Path) -> None:
    """For people a line each, for programs one document; 0 only where there is none."""
    good = RUN.invoke(cli_check.app, ["verify", str(small_release)])
    assert (good.exit_code, "release v1 is whole. 8 probes" in good.stdout) == (0, True)
    release = spoiled()
    (release / "notes.txt").write_text("mine")
    bad = RUN.invoke(cli_check.app, ["verify", str(release)])
    assert (bad.exit_code, bad.stdout) == (1, "notes.txt: the file is not in checksums.txt\n")
    document = json.loads(RUN.invoke(cli_check.app, ["verify", str(release), "--json"]).stdout)
    assert document["problems"] == [
        {"file": "notes.txt", "what": "the file is not in checksums.txt", "probe": None, "expected": "", "found": ""}
    ]
    assert parquet.NAME in NATURAL
