"""The card: metadata that Hugging Face reads, and what a reader must know before using the release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from huggingface_hub import DatasetCard
from PIL import Image
from typer.testing import CliRunner

from builder import cli_check
from builder.assembled import opened
from builder.formats.card import card
from builder.telling import CONDITIONS, GOLD, banners
from builder.verify import verify
from domain.families import EDITED, NAMES, NATURAL
from domain.release import Manifest
from tests.builder import small

RUN = CliRunner()


@pytest.fixture(scope="module")
def partial_and_made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release that is both: its desktop probes are of a made corpus, and there are too few of them."""
    copy = small.screenspot(tmp_path_factory.mktemp("made"), 2)
    (copy / "MADE.txt").write_text("made")
    return small.cut(tmp_path_factory.mktemp("cut") / "v1", [*small.desktop(copy)], quotas={"desktop-graphic": 60})


def metadata(release: Path) -> dict[str, Any]:
    head = (release / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    loaded: dict[str, Any] = yaml.safe_load(head)
    return loaded


def test_hugging_face_reads_its_metadata(small_release: Path) -> None:
    """Licence, size, tags and one configuration a family; the publisher's own library reads it without a warning."""
    read = DatasetCard.load(small_release / "README.md").data.to_dict()
    assert read == metadata(small_release)
    assert (read["license"], read["license_link"], read["size_categories"]) == ("other", "README.md", ["n<1K"])
    assert [one["config_name"] for one in read["configs"]] == ["web-text", "desktop-graphic", "web-natural"]
    for one in read["configs"]:
        (files,) = one["data_files"]
        assert (files["split"], (small_release / files["path"]).is_file()) == ("test", True)


def test_a_whole_release_has_no_banner(small_release: Path) -> None:
    """Nothing to warn of, and no word that would frighten."""
    text = (small_release / "README.md").read_text()
    assert "[!WARNING]" not in text
    assert metadata(small_release)["tags"] == ["gui-agents", "screenshots", "benchmark"]


def test_partial_and_made_are_loud_at_the_top(partial_and_made: Path) -> None:
    """Before anything else: what is lacking, by number, and that nothing in it is evidence. The digest comes later."""
    text = (partial_and_made / "README.md").read_text()
    top = text.partition("2 probes. A probe is")[0]
    assert (
        "**PARTIAL RELEASE: it has fewer probes than it is specified to have (desktop-graphic: 60 probes wanted, 2 there).**"
        in top
    )
    assert "**MADE DATA: All probes are of screens that were rendered for tests" in top
    assert {"partial", "made-data"} <= set(metadata(partial_and_made)["tags"])
    assert metadata(partial_and_made)["license"] == "cc0-1.0"
    assert verify(partial_and_made) == []


def test_it_says_what_is_in_it(small_release: Path) -> None:
    """Composition, conditions, gold, severity, terms, how to load and to verify, the digest."""
    text = (small_release / "README.md").read_text()
    manifest = opened(small_release).manifest
    for words in (
        "| web-text | web | text | agree, swap | 2 | 2 | 2 |",
        "Of web-natural by kind: 1 aria, 1 stale, 1 title.",
        f"| release digest | `{manifest.digest}` |",
        "| lev | 0.857 | 0.250 |",
        "| [screenspot_pro](https://huggingface.co/datasets/likaixin/ScreenSpot-Pro) | 3 | 3 | 0 | unknown | recipe |",
        "builder verify PATH",
        'datasets.load_dataset("PATH", "web-text", split="test")',
        "@misc{parallax_v1,",
        "![Probes by family and source](plots/composition.png)",
    ):
        assert words in text
    assert {path.name: _size(path) for path in (small_release / "plots").iterdir()} == {
        "composition.png": (1200, 540),
        "severity.png": (1575, 900),
    }


def _size(path: Path) -> tuple[int, int]:
    with Image.open(path) as image:
        return image.size


def test_the_words_of_a_source_stay_in_their_cell(small_release: Path) -> None:
    """A bar or a tag in a publisher's note breaks no table and is no markup."""
    release = opened(small_release)
    use = release.manifest.sources["live"].model_copy(update={"note": "a | b\n<script>"})
    manifest = release.manifest.model_copy(update={"sources": {**release.manifest.sources, "live": use}})
    text = card(type(release)(manifest, small_release, release.severity), small_release)
    assert r"a \| b &lt;script>" in text


def test_every_family_and_condition_has_its_words() -> None:
    """A new family cannot be released without telling how its gold is made."""
    assert tuple(GOLD) == ("web-text", "mobile-widget", "mobile-visible", "mobile-stale", "desktop-graphic", "web-natural")
    assert set(GOLD) == set(NAMES)
    assert set(CONDITIONS) == {*EDITED, *NATURAL}


def test_some_made_probes_are_counted(small_release: Path) -> None:
    """Not all of them: how many of how many."""
    given: Manifest = opened(small_release).manifest.model_copy(update={"made": 3})
    (told,) = banners(given)
    assert told.startswith("MADE DATA: 3 of 8 probes are of screens")


def test_the_card_can_be_made_anew(small_release: Path, tmp_path: Path) -> None:
    """The command prints what is there; with --write a spoiled one is mended, checksum included."""
    shown = RUN.invoke(cli_check.app, ["card", str(small_release)])
    as_json = json.loads(RUN.invoke(cli_check.app, ["card", str(small_release), "--json"]).stdout)
    assert as_json == {"path": str(small_release), "written": False, "card": shown.stdout}
    assert (shown.exit_code, shown.stdout) == (0, (small_release / "README.md").read_text(encoding="utf-8"))
    release = small.cut(tmp_path / "v1", [small.web_text(40)])
    (release / "README.md").write_text("nothing")
    assert verify(release) != []
    assert RUN.invoke(cli_check.app, ["card", str(release), "--write"]).exit_code == 0
    assert verify(release) == []
