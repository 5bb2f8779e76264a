"""One line a visit, valid JSON, with nothing that a page says; and what libraries log leaves by the same door."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import structlog

from crawler import logs
from crawler.canonical import LONGEST_REASON, canonical, tell
from crawler.settings import CrawlerSettings
from domain.visit import Traffic, Try
from tests.crawler.batch import visit_all
from tests.crawler.made import BEGAN, made_check, made_finding, made_visit, made_visited

MARKER = "Xylophon"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """The process logs afterwards as it did before."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in logs.NOISY}
    yield
    structlog.reset_defaults()
    root.handlers, root.level = handlers, level
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


def said(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """What stderr got, a document a line; stdout got nothing."""
    out, err = capsys.readouterr()
    assert out == ""
    return [json.loads(line) for line in err.splitlines()]


def test_what_is_said_goes_where_stderr_is_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of progress takes stderr's place while it stands, so as to be moved below whatever is said."""
    logs.configure(CrawlerSettings(log="json"))
    monkeypatch.setattr("sys.stderr", now := io.StringIO())
    structlog.get_logger().info("one")
    logging.getLogger("other").warning("two")
    assert [json.loads(line)["event"] for line in now.getvalue().splitlines()] == ["one", "two"]


def test_a_line_a_visit_and_no_page_text(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a visit whose page says the marker everywhere (title, elements, what a reader read, the rule's sentence)."""
    logs.configure(CrawlerSettings(log="json"))
    findings = (
        made_finding("aria", "flagged", MARKER),
        made_finding("stale", "flagged", MARKER),
        made_finding("aria", "clean"),
    )
    checks = (made_check("confirmed", MARKER), made_check("unreadable", MARKER), None)
    good = made_visit(
        title=MARKER,
        due=BEGAN - timedelta(seconds=30),
        tries=(Try(started=BEGAN, outcome="timeout"),),
        incidents=("retried",),
        durations_ms={"settle": 3000.4},
        traffic=Traffic(requests=12, received_bytes=34_567, refused=1),
        worker="here-1",
    )
    tell(made_visited(good, findings, checks))
    tell(made_visited(made_visit("challenge", title=MARKER, reason=f"waiting-title: the title is {MARKER!r}")))
    tell(made_visited(made_visit("failed", reason="x" * 5000)))
    first, wall, failed = said(capsys)
    assert MARKER not in json.dumps([first, wall, failed])
    assert first.pop("timestamp")
    assert first.pop("memory_mb") > 1
    assert first == {
        "event": "visit.finished",
        "level": "info",
        "visit_id": "0" * 32,
        "site": "example.test",
        "host": "example.test",
        "outcome": "captured",
        "reason": "",
        "status": None,
        "incidents": ["retried"],
        "attempts": 1,
        "tries": ["timeout"],
        "due": "2026-11-30T11:59:30+00:00",
        "late_s": 30.0,
        "seconds": 5.0,
        "delay_ms": 3000,
        "ms": {"settle": 3000},
        "received_bytes": 34567,
        "requests": 12,
        "refused": 1,
        "captures": 1,
        "elements": 10,
        "settled": 9,
        "flagged": {"aria": 1, "stale": 1},
        "review": 0,
        "confirmed": {"aria": 1},
        "contradicted": 0,
        "unreadable": 1,
        "browser": "140.0.1",
        "driver": "playwright",
        "worker": "here-1",
    }
    assert (wall["outcome"], wall["reason"]) == ("challenge", "waiting-title")
    assert len(failed["reason"]) == LONGEST_REASON


@pytest.mark.browser
def test_a_real_visit_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A page full of the marker, with a divergence, by a real browser and through all of the crew: one line, no marker."""
    page = tmp_path / "page.html"
    page.write_text(
        f"<!doctype html><title>{MARKER} in the title</title><h1>{MARKER} on the screen</h1>"
        f"<button aria-label='Close {MARKER} window'>Open the door to the {MARKER}</button>"
        f"<script>console.log('{MARKER}'); setTimeout(() => {{ throw new Error('{MARKER}') }})</script>"
    )
    logs.configure(CrawlerSettings(log="json"))
    with serve_folder(tmp_path) as base:
        visited = visit_all({"marked": f"{base}/page.html"}, "playwright")["marked"]
    assert visited.visit.outcome == "captured", visited.visit.reason
    assert visited.visit.title == f"{MARKER} in the title"
    events = said(capsys)
    assert MARKER not in json.dumps(events)
    [line] = [event for event in events if event["event"] == "visit.finished"]
    assert (line["site"], line["host"], line["outcome"], line["flagged"]) == ("marked", "127.0.0.1", "captured", {"aria": 1})


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """The files of a folder, on loopback."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name for it
            """Says nothing: stderr is what is looked at."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_strange_addresses_make_a_line_too() -> None:
    """An address that cannot be taken apart has no host, and a line all the same; half a surrogate is written as JSON."""
    assert canonical(made_visited(made_visit(url="http://[broken/")))["host"] is None
    json.dumps(canonical(made_visited(made_visit(reason="\ud800"))))


def test_what_is_logged_during_a_visit_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Two visits at a time, and a thread of one of them: each event says whose it is; after them nothing does."""
    logs.configure(CrawlerSettings(log="json"))
    log = structlog.get_logger()

    async def one(visit_id: str) -> None:
        with logs.visiting(visit_id, f"site-{visit_id}"):
            await asyncio.sleep(0)
            await asyncio.to_thread(log.info, "page.looked", mine=visit_id)

    async def both() -> None:
        await asyncio.gather(one("a"), one("b"))
        log.info("all.done")

    asyncio.run(both())
    *during, after = said(capsys)
    assert sorted((e["visit_id"], e["site"], e["mine"]) for e in during) == [("a", "site-a", "a"), ("b", "site-b", "b")]
    assert "visit_id" not in after


def test_libraries_leave_by_the_same_door(capsys: pytest.CaptureFixture[str]) -> None:
    """The queue's warning is a JSON line with its logger's name, what it chatters is not written; an error has its trace."""
    logs.configure(CrawlerSettings(log="json"))
    logs.configure(CrawlerSettings(log="json"))  # a second time changes nothing: one line each
    logging.getLogger("procrastinate.worker").info("Starting job %s", 1)
    logging.getLogger("procrastinate.worker").warning("Job %s was lost", 1)
    logging.getLogger("apscheduler.scheduler").info("Added job")
    logging.getLogger("uvicorn.error").info("Started server process")
    try:
        _lose(MARKER)
    except OSError:
        logging.getLogger("procrastinate").exception("Lost")
    lost, uvicorn, error = said(capsys)
    assert (lost["event"], lost["level"], lost["logger"]) == ("Job 1 was lost", "warning", "procrastinate.worker")
    assert uvicorn["event"] == "Started server process"
    assert "OSError: no route" in error["exception"]
    assert MARKER not in error["exception"]


def _lose(page_text: str) -> None:
    """Fails with something in a variable that must not be written."""
    assert page_text
    raise OSError("no route")


def test_times_are_written_for_every_reader(capsys: pytest.CaptureFixture[str]) -> None:
    """RFC 3339 in UTC, at the top and deep inside, as JSON and as plain lines."""
    until = datetime(2026, 11, 30, 14, 5, tzinfo=timezone(timedelta(hours=1)))
    logs.configure(CrawlerSettings(log="json"))
    structlog.get_logger().warning("host.rested", until=until, slots=[until], wait=timedelta(minutes=2), never=None)
    logs.configure(CrawlerSettings(log="plain"))
    structlog.get_logger().warning("host.rested", until=until)
    first, second = capsys.readouterr().err.splitlines()
    written = json.loads(first)
    assert (written["until"], written["slots"], written["wait"], written["never"]) == (
        "2026-11-30T13:05:00+00:00", ["2026-11-30T13:05:00+00:00"], 120.0, None,
    )  # fmt: skip
    assert "until=2026-11-30T13:05:00+00:00" in second


def test_levels(capsys: pytest.CaptureFixture[str]) -> None:
    """At warning the line of a visit is not written; at debug the queue's chatter is."""
    logs.configure(CrawlerSettings(log="json", log_level="warning"))
    tell(made_visited(made_visit()))
    structlog.get_logger().warning("host.rested")
    logs.configure(CrawlerSettings(log="json", log_level="debug"))
    logging.getLogger("procrastinate").debug("chatter")
    assert [entry["event"] for entry in said(capsys)] == ["host.rested", "chatter"]


def test_plain_for_people(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """CRAWLER_LOG=plain gives lines for people where there is no terminal; auto gives JSON there; nonsense is no crash here."""
    monkeypatch.setenv("CRAWLER_LOG", "plain")
    logs.configure()
    structlog.get_logger().info("host.rested", host="a.test")
    assert "host.rested" in (line := capsys.readouterr().err)
    assert not line.startswith("{")
    for value in ("auto", "nonsense"):
        monkeypatch.setenv("CRAWLER_LOG", value)
        logs.configure()
        structlog.get_logger().info("host.rested", host="a.test")
        [entry] = said(capsys)
        assert entry["host"] == "a.test"
