"""A release is loaded in one line, offline, by the usual programs; what they give is what the rows say. docs/load.md."""

from __future__ import annotations

import importlib
import io
import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from PIL import Image

from builder.assembled import opened

# mlcroissant, not we, uses what rdflib and pandas will take away.
pytestmark = [
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index"),
]
FAMILIES = ("web-text", "desktop-graphic", "web-natural")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """`datasets`, with no way out and its cache in a folder of this session."""
    patch = pytest.MonkeyPatch()
    cache = tmp_path_factory.mktemp("hub")
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        patch.setenv(name, "1")
    patch.setenv("HF_HOME", str(cache))
    datasets = importlib.import_module("datasets")  # now, so that it reads these

    patch.setattr(datasets.config, "HF_DATASETS_CACHE", cache / "datasets")
    datasets.disable_progress_bars()
    yield datasets
    patch.undo()


def test_the_configurations_are_the_families(hub: Any, small_release: Path) -> None:
    """One each, named by the card."""
    assert sorted(hub.get_dataset_config_names(str(small_release))) == sorted(FAMILIES)


@pytest.mark.parametrize("family", FAMILIES)
def test_datasets_gives_pictures_and_rows(hub: Any, small_release: Path, family: str) -> None:
    """load_dataset(PATH, FAMILY): the rows in their order, pictures decoded, nothing in place of a recipe's."""
    release = opened(small_release)
    rows = [row.model_dump(mode="json") for row in release.rows(family)]
    loaded = hub.load_dataset(str(small_release), family, split="test")
    assert len(loaded) == len(rows)
    for row, given in zip(rows, loaded, strict=True):
        for name in ("id", "kind", "gold", "structural", "options", "region", "view", "edit", "splits", "redistribution"):
            assert given[name] == row[name], name
        assert json.loads(given["provenance"]) == row["provenance"]
        if row["redistribution"] == "recipe":
            assert (given["image"], given["crop"], given["structure"]) == (None, None, None)
            continue
        with Image.open(io.BytesIO(release.blob(row["screenshot"]))) as shown:
            assert given["image"].convert("RGB").tobytes() == shown.convert("RGB").tobytes()
        assert given["structure"] == release.blob(row["structure"]).decode()


def snippets() -> dict[str, str]:
    """The lines of docs/load.md, by the heading above them."""
    page = (ROOT / "docs" / "load.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^## (.+?)\n.*?```python\n(.*?)```", page, re.DOTALL | re.MULTILINE))


@pytest.mark.parametrize("name", ["datasets", "pyarrow", "mlcroissant", "plain JSON", "blobs", "duckdb"])
def test_the_lines_of_the_page_run(hub: Any, small_release: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Every way to load that docs/load.md gives runs as it stands, and ends in `found`: three probes."""
    if name == "duckdb":
        pytest.importorskip("duckdb")
    monkeypatch.chdir(small_release)
    assert hub.config.HF_HUB_OFFLINE
    scope: dict[str, Any] = {}
    exec(snippets()[name].replace("PATH", str(small_release)), scope)  # noqa: S102 - the page's own lines
    assert len(list(scope["found"])) == 3


def test_the_lines_of_the_card_run(hub: Any, small_release: Path) -> None:
    """What the card gives for copying is no less true."""
    assert hub.config.HF_HUB_OFFLINE
    card = (small_release / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", card, re.DOTALL)
    parts = [part for part in block.split("\n\n") if "import duckdb" not in part]
    scope: dict[str, Any] = {}
    exec("\n".join(parts).replace("PATH", str(small_release)), scope)  # noqa: S102 - the card's own lines
    assert len(scope["rows"]) == 8
    assert scope["table"].num_rows == len(scope["probes"]) == len(list(scope["records"]))


def test_a_table_has_one_split_and_small_groups(small_release: Path) -> None:
    """A reader who wants one row reads one group."""
    for family in FAMILIES:
        files = sorted(path.name for path in (small_release / "data" / family).iterdir())
        assert files == ["test-00000-of-00001.parquet"]
        metadata = pq.read_metadata(small_release / "data" / family / files[0])
        assert all(metadata.row_group(i).num_rows <= 100 for i in range(metadata.num_row_groups))
