"""croissant.json: mlcroissant finds no fault with it and reads every record set; the records are the rows."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import mlcroissant
import pytest
from PIL import Image

from builder.assembled import Assembled, opened
from builder.formats import croissant
from builder.formats.parquet import COLUMNS
from builder.telling import version_of
from tests.builder import small

# mlcroissant, not we, uses what rdflib and pandas will take away.
pytestmark = [
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index"),
]


@pytest.fixture(scope="module")
def dataset(small_release: Path) -> mlcroissant.Dataset:
    """As a stranger opens it."""
    return mlcroissant.Dataset(small_release / "croissant.json")


def plain(value: Any) -> Any:
    """Texts come as bytes."""
    if isinstance(value, bytes):
        return value.decode()
    return [plain(one) for one in value] if isinstance(value, list) else value


def test_it_is_valid(dataset: mlcroissant.Dataset) -> None:
    """No error; the one warning is of a date, which a release does not have: it is the same whenever it is cut."""
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    assert all("datePublished" in str(one) or "date_published" in str(one) for one in issues.warnings), issues.report()
    assert [one.uuid for one in dataset.metadata.record_sets] == ["web-text", "desktop-graphic", "web-natural"]
    assert (dataset.metadata.version, dataset.metadata.ctx.is_live_dataset) == ("1.0.0", False)


@pytest.mark.parametrize("family", ["web-text", "desktop-graphic", "web-natural"])
def test_every_record_set_can_be_iterated_and_is_the_rows(
    dataset: mlcroissant.Dataset, small_release: Path, family: str
) -> None:
    """Every record is a row of probes.jsonl, in its order, with its picture where the release holds it."""
    release = opened(small_release)
    rows = [row.model_dump(mode="json") for row in release.rows(family)]
    records = list(dataset.records(family))
    assert len(records) == len(rows)
    for row, record in zip(rows, records, strict=True):
        for name in ("id", "family", "kind", "platform", "variable", "options", "gold", "structural", "splits", "made"):
            assert plain(record[f"{family}/{name}"]) == row[name]
        assert {name.rpartition("/")[2]: n for name, n in record[f"{family}/region"].items()} == row["region"]
        assert json.loads(record[f"{family}/channels"]) == row["channels"]
        assert json.loads(record[f"{family}/provenance"]) == row["provenance"]
        image = record[f"{family}/image"]
        if row["redistribution"] == "recipe":
            assert image is None
            assert record[f"{family}/structure"] is None
        else:
            shown = Image.open(io.BytesIO(release.blob(row["screenshot"])))
            assert (image.size, image.convert("RGB").tobytes()) == (shown.size, shown.convert("RGB").tobytes())
            assert record[f"{family}/structure"] == release.blob(row["structure"])


def test_every_column_of_the_tables_is_a_field(dataset: mlcroissant.Dataset) -> None:
    """Nothing of the tables is hidden from those who read them this way."""
    for record_set in dataset.metadata.record_sets:
        assert [field.uuid for field in record_set.fields] == [f"{record_set.uuid}/{name}" for name in COLUMNS]


def test_a_partial_release_says_so_first(tmp_path: Path, screenspot: Path) -> None:
    """Its description begins with it."""
    release = small.cut(tmp_path / "v1", small.contents(screenspot)[:3], quotas={"web-natural": 9})
    document = json.loads((release / "croissant.json").read_bytes())
    assert document["description"].startswith(
        "PARTIAL RELEASE: it has fewer probes than it is specified to have (web-natural: 9 probes wanted, 3 there)."
    )


def test_it_is_the_same_each_time(small_release: Path, tmp_path: Path) -> None:
    """Written again from the same files it has the same bytes."""
    before = (small_release / "croissant.json").read_bytes()
    release = opened(small_release)
    for name in ("probes.jsonl", "data"):
        (tmp_path / name).symlink_to(small_release / name)
    croissant.write(Assembled(release.manifest, tmp_path), tmp_path)
    assert (tmp_path / "croissant.json").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "version"), [("v1", "1.0.0"), ("v2.1", "2.1.0"), ("v0.9.12", "0.9.12"), ("v01", "1.0.0"), ("trial", "1.0.0")]
)
def test_a_name_is_a_version(name: str, version: str) -> None:
    """MAJOR.MINOR.PATCH without leading zeros; a name that is none has the one version that it will ever have."""
    assert version_of(name) == version
