"""What a killed worker leaves is ended at the next start: exactly that, on this machine; nothing that only looks like it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from crawler import orphans
from crawler.browsers import program
from crawler.settings import CrawlerSettings
from tests.crawler.alive import lives

WORKER = """
import asyncio, json, sys, time
from pathlib import Path
import psutil
from crawler.orphans import Run
from crawler.pool import BrowserPool
from crawler.settings import CrawlerSettings

async def work(run):
    pool = BrowserPool(CrawlerSettings(driver=sys.argv[2], _env_file=None), run)
    tab = await (await pool.take()).open_tab()
    children = psutil.Process().children(recursive=True)
    print(json.dumps({"folder": str(run.folder), "pids": [p.pid for p in children]}), file=sys.stderr, flush=True)
    await asyncio.Event().wait()

with Run(Path(sys.argv[1])) as run:
    asyncio.run(work(run))
"""
SLEEP = [sys.executable, "-c", "import sys; sys.stdin.read()"]


@contextmanager
def sleeper(*more: str) -> Iterator[psutil.Process]:
    """Somebody else's process, with these arguments; it lives until it is ended."""
    with subprocess.Popen([*SLEEP, *more], stdin=subprocess.PIPE) as started:
        try:
            yield psutil.Process(started.pid)
        finally:
            started.kill()


def dead_run(data: Path, *, folder: str = "gone-1-abcd", **owned: str) -> Path:
    """The folder of a worker that was killed: not locked by anybody."""
    made = data / "run" / folder
    for inner in ("flags", "processes", "t"):
        (made / inner).mkdir(parents=True)
    (made / "lock").touch()
    (made / "owner.json").write_text(orphans.owner().model_copy(update=owned).model_dump_json())
    return made


def record(folder: Path, process: psutil.Process, **otherwise: str) -> None:
    """Writes down a process as the worker would have done, but for what is said otherwise."""
    seen = orphans.look(process.pid)
    assert seen is not None
    (folder / "processes" / str(process.pid)).write_text(seen.model_copy(update=otherwise).model_dump_json())


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder with a path as short as people's: pytest's are longer than Chromium's sockets may be."""
    with tempfile.TemporaryDirectory(prefix="plx-test-", ignore_cleanup_errors=True) as made:
        yield Path(made)


@pytest.mark.browser
def test_killed_worker(driver: str, data: Path, tmp_path: Path) -> None:
    """After kill -9 of a worker no process of its browsers is left, nor a file, while another worker's browser runs on."""
    other = program.find_browser(CrawlerSettings(_env_file=None))
    assert other is not None
    flags = program.flags(CrawlerSettings(_env_file=None))
    command = [sys.executable, "-c", WORKER, str(data), driver]
    with (
        subprocess.Popen(
            [other, *flags, f"--user-data-dir={tmp_path}/other", "about:blank"], stderr=subprocess.DEVNULL
        ) as foreign,
        subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as worker,
    ):
        try:
            assert worker.stderr is not None
            told = next(json.loads(line) for line in worker.stderr if line.startswith('{"folder"'))
            folder, family = Path(told["folder"]), [psutil.Process(pid) for pid in told["pids"]]
            assert len(family) >= 4
            assert any((folder / "t").iterdir())
            assert orphans.sweep(data) == orphans.Swept()  # The worker lives.
            assert all(lives(p) for p in family)
            worker.kill()
            worker.wait()
            if driver == "playwright":
                # The driver reads the end of its pipe and takes the browser with it.
                psutil.wait_procs(family, timeout=20)
                assert not any(lives(p) for p in family)
                assert orphans.sweep(data) == orphans.Swept(processes=0, folders=1)
            else:
                assert all(lives(p) for p in family)
                assert orphans.sweep(data) == orphans.Swept(processes=len(family), folders=1)
                assert not any(lives(p) for p in family)
            assert not folder.exists()
            assert lives(psutil.Process(foreign.pid))
            assert orphans.sweep(data) == orphans.Swept()
        finally:
            worker.kill()
            assert program.end(flags[-1]) >= 2


def test_exactly_what_was_recorded(tmp_path: Path) -> None:
    """Ended are the flag and the process that were written down; not a flag of somebody else, nor who got the pid since."""
    folder = dead_run(tmp_path)
    flag, foreign = program.instance_flag(), program.instance_flag()
    (folder / "flags" / flag.partition("=")[2]).touch()
    with (
        sleeper("--headless", flag) as flagged,
        sleeper("--headless", foreign) as other,
        sleeper(f"{flag}0") as longer,
        sleeper(f"grep {flag}") as about,
        sleeper() as driver,
        sleeper() as later,
        sleeper() as renamed,
    ):
        record(folder, driver)
        record(folder, later, born="1")  # The pid was another process's when it was written down.
        record(folder, renamed, name="chromedriver")
        assert orphans.sweep(tmp_path) == orphans.Swept(processes=2, folders=1)
        assert [lives(p) for p in (flagged, driver)] == [False, False]
        assert [lives(p) for p in (other, longer, about, later, renamed)] == [True] * 5
    assert not folder.exists()


@pytest.mark.parametrize("otherwise", [{"host": "another"}, {"boot": "another"}, {"namespace": "pid:[1]"}])
def test_other_machines_and_containers(otherwise: dict[str, str], tmp_path: Path) -> None:
    """Pids of another machine, boot or container are nobody's to judge here; their folder goes when it is a day old."""
    folder = dead_run(tmp_path, **otherwise)
    flag = program.instance_flag()
    (folder / "flags" / flag.partition("=")[2]).touch()
    with sleeper(flag) as flagged, sleeper() as driver:
        record(folder, driver)
        assert orphans.sweep(tmp_path) == orphans.Swept()
        assert folder.exists()
        for path in (folder, *folder.iterdir()):
            os.utime(path, (time.time() - 90_000, time.time() - 90_000))
        assert orphans.sweep(tmp_path) == orphans.Swept(processes=0, folders=1)
        assert not folder.exists()
        assert lives(flagged)
        assert lives(driver)


def test_long_paths(tmp_path: Path) -> None:
    """A socket's path has 107 characters at most. Deep data folders keep their temporary files elsewhere; those go too."""
    data = tmp_path / ("deep" * 20)
    with orphans.Run(data) as run:
        scratch = run.scratch()
        assert len(str(scratch / "org.chromium.Chromium.XXXXXX" / "SingletonSocket")) <= 107
        assert not scratch.is_relative_to(data)
        # Killed here, as it were: the folder stays and the lock goes.
        left = dead_run(data, temp=str(run.temp))
        assert orphans.sweep(data).folders == 1
        assert not left.exists()
        assert scratch.exists()  # It is marked as another worker's.
    assert not run.temp.exists()
    assert not run.folder.exists()


def test_end_of_a_run(tmp_path: Path) -> None:
    """What is still running when a worker leaves in good order is ended too, and what it ended itself is forgotten."""
    with (
        sleeper(flag := program.instance_flag()) as left,
        sleeper(ended := program.instance_flag()) as kept,
        sleeper() as driver,
    ):
        with orphans.Run(tmp_path) as run:
            for name in (flag, ended):
                run.started(name)
            run.ended(ended)
            run.process(driver.pid)
            run.process_ended(driver.pid)
            assert orphans.sweep(tmp_path) == orphans.Swept()
        assert [lives(p) for p in (left, kept, driver)] == [False, True, True]
    assert list((tmp_path / "run").iterdir()) == []


def test_strange_folders(tmp_path: Path) -> None:
    """A folder without a lock is nobody's run; one whose record cannot be read has no process judged; sweeping never raises."""
    (tmp_path / "run" / "notes").mkdir(parents=True)
    folder = dead_run(tmp_path, folder=secrets.token_hex(4))
    (folder / "owner.json").write_text("{")
    with sleeper() as driver:
        record(folder, driver)
        assert orphans.sweep(tmp_path) == orphans.Swept()
        assert lives(driver)
    assert orphans.sweep(tmp_path / "nowhere") == orphans.Swept()
    shutil.rmtree(tmp_path / "run")
