"""The paper's 735, cut by the commands a user gives from made corpora and a crawl of the demo site; it says that it is made."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.corpora.__main__ import main as make_corpora

pytestmark = pytest.mark.browser
BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Not under pytest's own folder: as root, the embedded Postgres runs as another user, who must get there."""
    with tempfile.TemporaryDirectory(prefix="v1-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


def command(folder: Path, *words: str, exit_code: int = 0) -> list[dict[str, Any]]:
    """What the command says with --json."""
    ours = ("CRAWLER_", "BUILDER_", "DATABASE_URL", "BLOB_URL")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    settings = {
        "PARALLAX_DATA": str(folder / "data"),
        "CRAWLER_DELAY_MS": "1500",
        "CRAWLER_READINGS": "0",
        "BUILDER_WORKERS": "1",
    }
    run = subprocess.run(
        [BIN / words[0], *words[1:]], cwd=folder, env=kept | settings, capture_output=True, text=True, timeout=600, check=False
    )
    assert run.returncode == exit_code, (words, run.stdout[-2000:], run.stderr[-4000:])
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]


@pytest.fixture(scope="module")
def release(folder: Path) -> Path:
    """v1, cut as the tutorial does it."""
    make_corpora(str(folder / "corpora"))
    command(folder, "crawler", "demo", "--boards", "--json")
    for source in ("rico", "clay", "mind2web", "screenspot_pro"):
        command(folder, "builder", "ingest", source, str(folder / "corpora" / source), "--json")
    command(folder, "builder", "export", "--release", "v1", "--to", str(folder / "v1"), "--json")
    return folder / "v1"


def test_has_what_the_paper_has(release: Path) -> None:
    """Six families, three natural kinds, and 250 stale nodes on 99 screens with three at most, as counted in the paper."""
    rows = [json.loads(line) for line in (release / "probes.jsonl").read_text().splitlines()]
    assert Counter(row["family"] for row in rows) == {
        "web-text": 120,
        "mobile-widget": 50,
        "mobile-visible": 30,
        "mobile-stale": 250,
        "desktop-graphic": 60,
        "web-natural": 225,
    }
    assert Counter(row["kind"] for row in rows if row["kind"]) == {"aria": 55, "title": 105, "stale": 65}
    screens = Counter(row["provenance"]["item"] for row in rows if row["family"] == "mobile-stale")
    assert len(screens) == 99
    assert max(screens.values()) <= 3
    assert all(row["made"] and not row["partial"] for row in rows)
    assert "MADE DATA" in (release / "README.md").read_text()


def test_exactly_one_channel_differs(release: Path) -> None:
    """Of a conflict that was made, swap has the pixels of agree and another structure; what was found has one condition."""
    for line in (release / "probes.jsonl").read_text().splitlines():
        row = json.loads(line)
        channels = row["channels"]
        if row["edit"] is None:
            assert channels.keys() == {"natural"}
        else:
            assert channels["agree"]["pixels"] == channels["swap"]["pixels"]
            assert channels["agree"]["structure"] != channels["swap"]["structure"]


@pytest.mark.slow
def test_is_whole(folder: Path, release: Path) -> None:
    """Every byte of it can be verified, with no more than the folder; of smaller releases: test_verify.py."""
    command(folder, "builder", "verify", str(release), "--json")
