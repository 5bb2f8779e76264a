"""crawler run, work, status, pause, resume and add, as a user gives them; the visits are real."""

from __future__ import annotations

import asyncio
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
from sqlalchemy import text

from crawler.cli import main
from crawler.filing import open_archive
from crawler.progress import Wish
from crawler.service import serve
from crawler.settings import CrawlerSettings
from crawler.visit import Visited
from store.database import Database
from store.status import status
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


def test_resume_says_what_is_true(crawler: Callable[..., tuple[int, str, str]], queue: Database) -> None:
    """A site that was never paused, one that was, one that is taken down, and one that left its list."""
    crawler("add", "shop.example/cart", "--name", "shop")
    assert crawler("resume", "shop")[2] == "shop will be visited in turn. It was not paused.\n"
    crawler("pause", "shop")
    assert crawler("pause", "shop")[2] == "shop will not be visited until: crawler resume shop. It was paused before.\n"
    assert crawler("resume", "shop")[2] == "shop will be visited in turn.\n"
    crawler("takedown", "add", "https://shop.example/cart", "--why", "its owner asked")
    assert crawler("resume", "shop")[2].startswith("shop will not be visited: taken down. See: crawler takedown list.")
    assert json.loads(crawler("status", "--json")[1])["taken_down"] == 1
    assert "taken down" in crawler("status")[1]
    crawler("takedown", "lift", "https://shop.example/cart")
    with queue.transaction() as connection:
        connection.execute(text("update sites set listed = false"))
    crawler("pause", "shop")
    assert crawler("resume", "shop")[2] == (
        "shop will not be visited: no longer in the list. Put it there again: crawler run --list FILE.\n"
    )


def test_add_says_whether_it_is_visited(crawler: Callable[..., tuple[int, str, str]], queue: Database) -> None:
    """A page that is known is not added again; whether it is visited, and as what, is said as it is."""

    def refused() -> str:
        code, _, err = crawler("add", "shop.example/cart")
        assert code == 2
        return err.removeprefix("crawler: https://shop.example/cart ").split(". ")[0].strip()

    def change(statement: str) -> None:
        with queue.transaction() as connection:
            connection.execute(text(statement))

    crawler("add", "shop.example/cart", "--name", "a-shop")
    assert refused() == "is visited already, as a-shop"
    crawler("pause", "a-shop")
    assert refused() == "is known as a-shop, and paused"
    change("update sites set listed = false, origin = 'list'")
    assert refused() == "is known as a-shop, and not visited: no longer in the list"
    crawler("resume", "a-shop")
    assert refused() == "is known as a-shop, and not visited: no longer in the list"
    change('insert into sites select (jsonb_populate_record(sites, \'{"name": "b-shop", "listed": true}\')).* from sites')
    assert refused() == "is visited already, as b-shop"


def test_run_wants_once_for_one_pass(crawler: Callable[..., tuple[int, str, str]]) -> None:
    """What only makes sense for one pass over a list is refused without --once."""
    code, _, err = crawler("run", "--dry-run")
    assert (code, "add --once" in err) == (2, True)


def test_nobody_queues(crawler: Callable[..., tuple[int, str, str]], queue: Database) -> None:
    """Where no worker lives, `status` and `add` say so, what is due, what to start, and what that will visit."""

    def said(*arguments: str) -> str:
        code, out, err = crawler(*arguments)
        assert code == 0
        return " ".join((out + err).split())

    assert "Nothing is scheduled, and no worker runs. Begin: crawler add URL, then crawler work" in said("status")
    start = "No worker runs. Start one: crawler work. It visits all sites that are stored."
    assert start in said("add", "shop.example", "--name", "shop")
    assert "crawler work --allow-private" in said(
        "add", "127.0.0.1:8000/a", "--allow-private", "--every", "1m", "--name", "own"
    )
    queued = said("status")
    assert "nobody queues what comes due, nobody visits. Start one: crawler work. It visits the 2 active sites" in queued
    with queue.transaction() as connection:
        connection.execute(text("truncate queue.procrastinate_jobs cascade"))
        connection.execute(text("update sites set next_due = now()"))
        connection.execute(text("insert into workers (name, number, begun) values ('dead', 1, now() - interval '1 hour')"))
    late = said("status")
    for words in ("2 due now", "dead 0", "nobody queues what is due (2 now)", "It visits the 2 active sites"):
        assert words in late
    with queue.transaction() as connection:
        connection.execute(
            text("insert into queue.procrastinate_workers (id, last_heartbeat) overriding system value values (1, now())")
        )
    assert "No worker" not in said("status")
    private = said("add", "127.0.0.1:8000/b", "--allow-private")
    assert "Its address is private: only workers that were started with --allow-private open it." in private


@pytest.mark.browser
def test_work_queues_what_is_due(crawler: Callable[..., tuple[int, str, str]], queue: Database, pages: Site) -> None:
    """A site that was added is visited again and again though `crawler work` alone runs; its list stays as it is."""
    crawler("add", f"{pages}/html/device.html", "--every", "1d", "--name", "own", "--allow-private")
    wish = Wish("tokens", allow_private=True, delay_ms=100)
    settings = CrawlerSettings(tick_s=0.2, concurrency=1, pixel_check=False, robots="ignore", floor_ms=0)

    seen = list[Visited]()

    def on_visit(visited: Visited) -> None:
        seen.append(visited)
        if len(seen) > 1:
            signal.raise_signal(signal.SIGTERM)
            return
        days = "interval '2 days'"  # are over, as far as the schedule can tell
        shift = f"update sites set added = added - {days}, last_due = last_due - {days}, next_due = next_due - {days}"  # noqa: S608
        with queue.transaction() as connection:
            connection.execute(text(shift))

    done = asyncio.run(asyncio.wait_for(serve(settings, wish, open_archive, sites=None, on_visit=on_visit), ENDED))
    assert [(visit.site, visit.outcome) for visit in done.done] == [("own", "captured")] * 2
    assert len({visit.id for visit in done.done}) == 2
    assert status(queue).active == 1


@pytest.mark.browser
def test_run_until_stopped(
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
