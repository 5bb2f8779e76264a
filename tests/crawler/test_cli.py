"""The commands as a user runs them: in processes of their own, against a real browser and a real database."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from crawler.cli import main
from domain.looked import Looked
from domain.visit import Visit
from store.captures import recent_visits
from store.database import Database
from tests.crawler.warm import COMMAND, Warm
from tests.pages.server import Site

pytestmark = pytest.mark.browser

Crawler = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def environment(database: Database, data_dir: Path, tmp_path: Path) -> dict[str, str]:
    """An empty database of the session's server, and no settings of whoever runs the tests."""
    assert database.place
    kept = {k: v for k, v in os.environ.items() if not k.startswith("CRAWLER_") or k == "CRAWLER_BROWSER_PATH"}
    return {
        **kept,
        "PARALLAX_DATA": str(data_dir),
        "DATABASE_URL": "",
        "BLOB_URL": str(tmp_path / "blobs"),
        "CRAWLER_QUIET_MS": "50",
        # A page with hardly a word is given so long to show more: three seconds each otherwise.
        "CRAWLER_QUIET_LIMIT_MS": "200",
    }


@pytest.fixture(scope="module")
def warm() -> Iterator[Warm]:
    with Warm() as warm:
        yield warm


@pytest.fixture
def crawler(warm: Warm, environment: dict[str, str], tmp_path: Path) -> Crawler:
    """Runs the command in an empty folder and gives what it printed."""

    def command(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return warm.run(arguments, env={**environment, **more}, cwd=tmp_path)

    return command


def lines(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    """The JSON documents on stdout."""
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_visit_prints_a_document_a_url(crawler: Crawler, pages: Site) -> None:
    """One JSON document a line, in the order asked for, with the visit and an entry per element and kind."""
    asked = [f"{pages}/cases/aria/roles.html", f"{pages}/404", f"{pages}/cases/title/elements.html"]
    given = ("--json", "--allow-private", "--delay", "100ms")
    documents = lines(crawler("visit", *asked, *given, CRAWLER_PIXEL_CHECK="false"))
    assert [d["visit"]["url"] for d in documents] == asked
    assert [d["visit"]["outcome"] for d in documents] == ["captured", "http-error", "captured"]
    for document in documents:
        assert set(document) == {"visit", "elements"}
        Visit.model_validate(document["visit"])
        for element in document["elements"]:
            Looked.model_validate(element)
            assert set(element) == set(Looked.model_fields)
    assert {e["verdict"] for e in documents[0]["elements"]} >= {"flagged", "clean", "skipped"}
    assert documents[1]["elements"] == []


def test_policy_decides_what_is_flagged(crawler: Crawler, pages: Site) -> None:
    """The policies tokens, paper and label-in-name flag different things on the same page."""
    flagged = {}
    for policy in ("tokens", "paper", "label-in-name"):
        [document] = lines(
            crawler(
                "visit",
                f"{pages}/cases/aria/containment.html",
                "--json",
                "--allow-private",
                "--delay",
                "0s",
                "--policy",
                policy,
                CRAWLER_PIXEL_CHECK="false",
            )
        )
        flagged[policy] = {e["path"] for e in document["elements"] if e["verdict"] == "flagged" and e["kind"] == "aria"}
    assert flagged["paper"] < flagged["tokens"] < flagged["label-in-name"]


def test_viewport_and_scale(crawler: Crawler, pages: Site) -> None:
    """The viewport asked for is the one that was set, and boxes stay in CSS px at scale 2."""
    asked = ("visit", f"{pages}/ok", "--json", "--allow-private", "--delay", "0s", "--viewport", "800x600@2")
    [document] = lines(crawler(*asked, CRAWLER_PIXEL_CHECK="false"))
    assert document["visit"]["viewport"] == {"width": 800, "height": 600, "scale": 2.0, "mobile": False}
    assert document["visit"]["outcome"] == "captured"
    assert all(e["box"][0] + e["box"][2] <= 800 for e in document["elements"] if e["box"] and e["verdict"] != "skipped")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("visit", "http://"), "http://"),
        (("visit", "ftp://example.org/"), "ftp"),
        (("visit", "nonsense"), "no dot"),
        (("visit", "127.0.0.1:8000"), "--allow-private"),
        (("visit", "http://example.org/", "--delay", "soon"), "--delay"),
        (("visit", "http://example.org/", "--viewport", "wide"), "--viewport"),
        (("visit", "http://example.org/", "--policy", "mine"), "mine"),
        (("run", "--once", "--list", "no-such-file.txt"), "no-such-file.txt"),
        (("run", "--dry-run"), "--once"),
        (("add", "ftp://example.org/"), "ftp"),
        (("show", ""), "The id is empty"),
        (("history", " "), "The id is empty"),
    ],
)
def test_asked_wrongly(crawler: Crawler, arguments: tuple[str, ...], said: str) -> None:
    """Exit code 2, a sentence on stderr that names what was wrong, nothing on stdout, no traceback."""
    done = crawler(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_nothing_captured(crawler: Crawler) -> None:
    """A visit that captures no page is told in full, and is no success. That https was guessed is said."""
    done = crawler("visit", "127.0.0.1:9", "--allow-private", "--dry-run", "--json")
    assert (done.returncode, json.loads(done.stdout)["visit"]["outcome"]) == (1, "connection-refused")
    assert "127.0.0.1:9 has no scheme: https is taken. Where it speaks http: http://127.0.0.1:9" in done.stderr
    assert "crawler: The page was not captured: connection-refused." in done.stderr


@pytest.mark.parametrize("command", ["probes", "status", "check", "history ffff"])
def test_reading_makes_no_store(crawler: Crawler, tmp_path: Path, command: str) -> None:
    """Where there is no store, whoever reads is told so, where it was looked for, and how one begins; none is made."""
    done = crawler(*command.split(), PARALLAX_DATA="elsewhere")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"There is no store in {tmp_path}/elsewhere. PARALLAX_DATA says where one is" in done.stderr
    assert not (tmp_path / "elsewhere").exists()


def test_a_new_folder_for_a_report_is_said(crawler: Crawler, tmp_path: Path) -> None:
    """The first that was not there, once; of one that was there, nothing."""
    told = [crawler("report", "--output", "new/and/below/r.html", *more).stderr.strip() for more in ((), (), ("--json",))]
    assert told == [f"Made the folder {tmp_path}/new, which was not there.", "", ""]
    assert crawler("report").stderr == ""


@pytest.mark.slow
def test_new_store_is_announced(crawler: Crawler, data_dir: Path) -> None:
    """A command that makes a store says so, in one line: there may be another one elsewhere that was meant."""
    place = data_dir / "new"
    done = crawler("add", "https://example.org/", PARALLAX_DATA=str(place))
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        0, f"Making a new, empty store in {place} (PARALLAX_DATA names another place).",
    )  # fmt: skip
    assert "alembic" not in done.stderr
    assert "Making" not in crawler("add", "https://example.org/b", PARALLAX_DATA=str(place)).stderr


def test_could_not(crawler: Crawler, pages: Site) -> None:
    """Exit code 1 where the thing asked for cannot be had: no such visit, no browser there, no database there."""
    assert crawler("show", "ffff").returncode == 1
    no_browser = crawler("visit", f"{pages}/ok", "--allow-private", CRAWLER_BROWSER_PATH="/nowhere/chromium")
    assert (no_browser.returncode, "CRAWLER_BROWSER_PATH" in no_browser.stderr) == (1, True)
    no_database = crawler("show", "ffff", DATABASE_URL="postgresql://nobody:secret@127.0.0.1:9/x")
    assert (no_database.returncode, "secret" in no_database.stderr) == (1, False)


def test_run_detect_show_replay(crawler: Crawler, pages: Site, tmp_path: Path) -> None:
    """A list is crawled; the rules asked again find the same; another policy says what changes; a capture is replayed."""
    listed = tmp_path / "urls.txt"
    listed.write_text(f"{pages}/cases/aria/containment.html\n{pages}/cases/state/values.html\n{pages}/500\n")
    visits = [
        d["visit"] for d in lines(crawler("run", "--once", "--list", str(listed), "--allow-private", "--delay", "0s", "--json"))
    ]
    assert sorted(v["outcome"] for v in visits) == ["captured", "captured", "http-error"]

    [same] = lines(crawler("detect", "--json"))
    assert (same["captures"], same["added"], same["removed"], same["changed"]) == (2, 0, 0, 0)
    [dry] = lines(crawler("detect", "--policy", "paper", "--dry-run", "--json"))
    [paper] = lines(crawler("detect", "--policy", "paper", "--json"))
    assert dry["removed"] == paper["removed"] > 0
    [back] = lines(crawler("detect", "--policy", "tokens", "--json"))
    assert back["added"] == paper["removed"]
    # What was taken out of the store lost its pixel check with it: it is looked at again.
    *_, checked = lines(crawler("check", "--json"))
    assert checked["checked"] == paper["removed"]

    captured = next(v for v in visits if v["url"].endswith("containment.html"))
    [shown] = lines(crawler("show", captured["id"][:10], "--elements", "--json"))
    assert crawler("show", captured["id"], "--save", "recording").returncode == 0
    [replayed] = lines(
        crawler(
            "visit",
            captured["url"],
            "--driver",
            "recorded",
            "--json",
            "--allow-private",
            "--dry-run",
            CRAWLER_RECORDING="recording",
        )
    )
    assert replayed["elements"] == shown["elements"]
    assert replayed["visit"]["captures"][0]["counts"] == captured["captures"][0]["counts"]
    report = crawler("report", "-o", "r.html", "--json")
    [written] = lines(report)
    assert written["divergences"] > 0
    assert (tmp_path / "r.html").stat().st_size > 10_000


def test_interrupted(environment: dict[str, str], database: Database, pages: Site, tmp_path: Path) -> None:
    """Ctrl-C: the visits under way are finished and kept, the rest is not begun, and the message says how to go on."""
    listed = tmp_path / "urls.txt"
    listed.write_text("".join(f"{pages}/ok?{n}\n" for n in range(8)))
    environment = {**environment, "CRAWLER_PIXEL_CHECK": "false"}
    arguments = ["run", "--once", "--list", str(listed), "--allow-private", "--delay", "300ms", "--concurrency", "1", "--json"]
    with subprocess.Popen(
        [*COMMAND, *arguments], env=environment, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        # A terminal tells the whole group of a Ctrl-C: neither a driver nor a browser may be in it.
        assert in_group(process.pid) == []
        os.killpg(process.pid, signal.SIGINT)
        # Those who stop a process often tell it and its group: the second one at once is no second wish.
        process.send_signal(signal.SIGTERM)
        rest, said = process.communicate(timeout=180)
    assert process.returncode == 130
    assert said.count("Stopping: what is under way is finished first") == 1
    kept = {v.id for v in recent_visits(database, limit=100)}
    assert {first["visit"]["id"], *(json.loads(line)["visit"]["id"] for line in rest.splitlines())} == kept
    assert 1 <= len(kept) < 8
    assert "crawler run --once" in said
    assert "Traceback" not in said
    again = said.split("To go on: crawler ")[1].split()
    done = subprocess.run(
        [*COMMAND, *again, "--allow-private", "--delay", "0s", "--json"],
        env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    assert len(done.stdout.splitlines()) == 8 - len(kept)
    assert len(recent_visits(database, limit=100)) == 8


def in_group(pid: int) -> list[str]:
    """Names of the processes below this one, at any depth, that are in its group."""
    found = []
    for child in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if os.getpgid(child.pid) == pid:
                found.append(child.name())
    return found


def test_interrupted_while_it_loads(environment: dict[str, str], tmp_path: Path) -> None:
    """Ctrl-C before anything is begun, while modules are imported: 130, and no word."""
    command = [COMMAND[0], "-X", "importtime", *COMMAND[1:], "work"]
    # A shell's background job ignores Ctrl-C, and so does what it starts: here it is as at a terminal, whoever runs the tests.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(command, env=environment, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with process, contextlib.ExitStack() as stack:
        stack.callback(process.kill)
        assert process.stderr is not None
        while not process.stderr.readline().rstrip().endswith(" typer"):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        said = [line for line in process.communicate(timeout=60)[1].splitlines() if not line.startswith("import time:")]
    assert (process.returncode, said) == (130, [])


@pytest.mark.parametrize("how", [(), ("--json",)])
def test_reader_has_gone(how: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What is piped into `head`, which closes the pipe when it has its lines, is no failure: 0, and no word."""
    monkeypatch.setattr("crawler.logs.configure", lambda: None)
    monkeypatch.setattr("sys.argv", ["crawler", "sites", "show", *how])
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as pipe:
        monkeypatch.setattr("sys.stdout", pipe)
        with pytest.raises(SystemExit) as ended:
            main()
    assert (ended.value.code, capsys.readouterr().err) == (0, "")


def test_no_browser_is_left(crawler: Crawler, pages: Site) -> None:
    """When a command ends, no process that it started is left, by either driver."""

    mark = uuid.uuid4().hex

    def left() -> list[str]:
        """Processes that were started with the mark in their environment: those of this test, whoever else crawls here."""
        found = []
        for process in psutil.process_iter(["name"]):
            with contextlib.suppress(psutil.Error):
                if process.environ().get("PARALLAX_TEST") == mark and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process.name())
        return found

    limits = {"CRAWLER_COMMAND_TIMEOUT_MS": "3000", "CRAWLER_READY_TIMEOUT_MS": "1000", "CRAWLER_PIXEL_CHECK": "false"}
    for driver in ("playwright", "selenium"):
        asked = ["visit", f"{pages}/ok", f"{pages}/while-true", "--driver", driver, "--allow-private", "--delay", "1s"]
        lines(crawler(*asked, "--json", "--dry-run", **limits, PARALLAX_TEST=mark))
        assert left() == []


def test_demo(crawler: Crawler, tmp_path: Path) -> None:
    """The demo finds divergences of all four kinds on its own pages and writes a report."""
    done = crawler("demo", "--json")
    [written] = lines(done)
    assert set(written["by_kind"]) == {"aria", "title", "stale", "state"}
    assert min(written["by_kind"].values()) > 0
    assert Path(written["path"]).exists() or (tmp_path / written["path"]).exists()
