"""crawler run, work, status, pause, resume and add, as a user gives them; the visits are real."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crawler.cli import main
from store.database import Database
from tests.pages.server import Site

ENDED = 90.0


@pytest.fixture
def crawler(
    queue: Database, data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Runs a command in this process: (exit code, stdout, stderr)."""
    assert queue.place
    for name in [name for name in os.environ if name.startswith("CRAWLER_") and name != "CRAWLER_BROWSER_PATH"]:
        monkeypatch.delenv(name)
    settings = {
        "PARALLAX_DATA": str(data_dir),
        "DATABASE_URL": "",
        "BLOB_URL": str(tmp_path / "blobs"),
        "CRAWLER_FLOOR_MS": "0",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("crawler.logs.configure", lambda: None)

    def command(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["crawler", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return command


def test_add_pause_resume(crawler: Callable[..., tuple[int, str, str]]) -> None:
    """A site is added and waits at once; it can be paused and resumed by name, host and URL; every slip is told."""
    assert crawler("pause", "shop")[::2] == (
        1,
        "crawler: No site 'shop': there is none yet. They come with: crawler run --list FILE, or crawler add URL\n",
    )
    crawler("takedown", "add", "shop.example", "--why", "its owner asked")
    code, _, said = crawler("add", "shop.example/cart")
    assert code == 2
    assert "shop.example is taken down: its owner asked" in said
    assert "crawler takedown lift shop.example" in said
    assert crawler("takedown", "lift", "shop.example")[0] == 0
    code, out, _ = crawler("add", "shop.example/cart", "--every", "30m", "--name", "shop", "--json")
    assert (code, json.loads(out)["every"]) == (0, "PT30M")
    status = json.loads(crawler("status", "--json")[1])
    assert (status["sites"], status["waiting"], status["due"], status["workers"]) == (1, 1, 0, [])
    assert "No worker runs" in crawler("status")[1]
    for name in ("shop", "shop.example", "https://shop.example/cart"):
        assert json.loads(crawler("pause", name, "--json", "--why", "asked")[1]) == {
            "paused": ["shop"],
            "changed": 1,
            "why": "asked",
        }
        assert json.loads(crawler("resume", name, "--json")[1]) == {"resumed": ["shop"], "changed": 1}
    assert "Did you mean shop?" in crawler("pause", "shp")[2]
    for arguments, told in (
        (["https://shop.example/cart"], "visited already, as shop"),
        (["https://other.example/", "--name", "shop"], "There is a site 'shop' already"),
        (["https://other.example/", "--every", "5"], "--every '5' has no unit"),
        (["http://127.0.0.1/"], "is not public"),
        (["ftp://other.example/"], "ftp"),
    ):
        code, _, err = crawler("add", *arguments)
        assert (code, told in err) == (2, True), err


def test_run_wants_once_for_one_pass(crawler: Callable[..., tuple[int, str, str]]) -> None:
    """What only makes sense for one pass over a list is refused without --once."""
    code, _, err = crawler("run", "--dry-run")
    assert (code, "add --once" in err) == (2, True)


@pytest.mark.browser
def test_run_and_work(
    crawler: Callable[..., tuple[int, str, str]], pages: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crawler that is left alone visits what is due, once; stopped, it finishes, and says that all is well."""
    urls = "\n".join(f"{pages}{path}" for path in ("/html/device.html", "/html/drift.html"))
    (tmp_path / "list.txt").write_text(urls)
    monkeypatch.setenv("CRAWLER_TICK_S", "0.2")
    monkeypatch.setenv("CRAWLER_DELAY_MS", "100")
    monkeypatch.setenv("CRAWLER_PIXEL_CHECK", "false")
    monkeypatch.setenv("CRAWLER_ROBOTS", "ignore")
    command = [sys.executable, "-m", "crawler.cli"]
    run = subprocess.Popen([*command, "run", "--list", "list.txt", "--allow-private"], stderr=subprocess.PIPE, text=True)
    deadline, status = time.monotonic() + ENDED, dict[str, Any]()
    while time.monotonic() < deadline and run.poll() is None and status.get("done_day", 0) < 2:
        status = json.loads(crawler("status", "--json")[1])
    run.send_signal(signal.SIGTERM)
    said = run.communicate(timeout=60)[1]
    assert (run.returncode, status.get("done_day")) == (0, 2), said
    assert (status["due"], status["waiting"], len(status["workers"])) == (0, 0, 1)
    assert json.loads(crawler("status", "--json")[1])["workers"] == []
