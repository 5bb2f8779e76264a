"""Pages that mean harm: each ends as it should in bounded time, nothing private is reached, and the next visit is good."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from crawler.guard import Guard
from crawler.pool import BrowserPool
from crawler.settings import CrawlerSettings
from crawler.visit import visit
from domain.visit import Visit
from tests.crawler.batch import site
from tests.hostile.pages import PAGES, REACHES, REDIRECTS, Hostile, fill
from tests.pages.server import page, serve

TURN, OTHER = "turn.test", "other.test"
FREE = "127.0.0.9"
"""Let through, and nobody listens there: what a name that changes its mind gives first."""
AT_A_TIME = 4
LIMITS: dict[str, Any] = {
    "delay_ms": 100,
    "visit_timeout_ms": 8000,
    "navigation_timeout_ms": 5000,
    "ready_timeout_ms": 800,
    "command_timeout_ms": 3000,
    "quiet_ms": 0,
    "quiet_limit_ms": 100,
    "readings": "0",
    "max_nodes": 5000,
    "max_visit_bytes": 6_000_000,
    "max_visit_requests": 30,
    "archive_mhtml": False,
    "_env_file": None,
}
PATIENT: dict[str, Any] = {"visit_timeout_ms": 30_000, "navigation_timeout_ms": 15_000, "command_timeout_ms": 12_000}
"""For pages that do end by themselves: on a machine that has more to do, a page that is merely late is not one that hangs."""
BOUND_S = 40.0
"""No visit may take longer, four of them at a time on a machine that has more to do; most take a second."""
SELENIUM = ("hang-at-load", "dialogs", "downloads", "redirect-private", "reach-fetch", "reach-webrtc")


@contextmanager
def victims() -> Iterator[tuple[int, int, list[bytes]]]:
    """(port for connections, port for datagrams, all that came): what stands for something private on this machine."""
    hits: list[bytes] = []
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        datagrams = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        datagrams.bind(("127.0.0.1", 0))

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    hits.append(b"a connection")
                    connection.close()

        def receive() -> None:
            while (datagram := datagrams.recv(2000)) != b"end":
                hits.append(datagram)

        threads = [threading.Thread(target=accept), threading.Thread(target=receive)]
        for thread in threads:
            thread.start()
        try:
            yield listening.getsockname()[1], datagrams.getsockname()[1], hits
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
                end.sendto(b"end", datagrams.getsockname())
            for thread in threads:
                thread.join()


def _route(hostile: Hostile, names: dict[str, str]) -> Callable[[Any], None]:
    def send(handler: Any) -> None:
        if isinstance(hostile.body, str):
            handler.send(page("Hostile", fill(hostile.body, names)))
        else:
            hostile.body(handler, names)

    return send


def _turning() -> Any:
    """DNS in the hands of the page's owner: every name is here; one of them is elsewhere when it is asked for first."""
    asked: list[str] = []

    def lookup(host: str, port: int, **_options: object) -> list[Any]:
        asked.append(host)
        address = FREE if host == TURN and asked.count(TURN) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    return lookup


async def _visits(
    chosen: dict[str, Hostile], hurried: CrawlerSettings, patient: CrawlerSettings, names: dict[str, str]
) -> dict[str, tuple[Visit, Visit, float]]:
    """Name -> the visit, a visit to a good page right after it, and how long the first one took, s."""
    done: dict[str, tuple[Visit, Visit, float]] = {}
    gentle = REDIRECTS.keys() | REACHES.keys()
    pool, guard, lanes = BrowserPool(patient), Guard(patient, lookup=_turning()), asyncio.Semaphore(AT_A_TIME)
    await guard.start()

    async def one(name: str, url: str, settings: CrawlerSettings = patient) -> tuple[Visit, float]:
        browser, began, hurt = await pool.take(), time.monotonic(), True
        try:
            async with guard.passage() as passage:
                visited = await visit(browser, site(name, url), settings, passage=passage)
            hurt = visited.browser_hurt
        finally:
            await pool.give_back(browser, hurt=hurt)
        return visited.visit, time.monotonic() - began

    async def both(name: str) -> None:
        async with lanes:
            settings = hurried if chosen[name].ends == ("timeout",) else patient
            bad, took = await one(name, fill(f"http://{chosen[name].host}/hostile/{name}", names), settings)
            # Those that only ask for something hurt no browser: one good visit at the end will do.
            good = bad if name in gentle else (await one("good", fill("http://$SITE/ok", names)))[0]
            done[name] = bad, good, took

    try:
        async with asyncio.TaskGroup() as group:
            for name in chosen:
                group.create_task(both(name))
        good, _ = await one("good", fill("http://$SITE/ok", names))
        done |= {name: (bad, good, took) for name, (bad, _, took) in done.items() if name in gentle}
    finally:
        await pool.close()
        await guard.close()
    return done


Run = tuple[dict[str, tuple[Visit, Visit, float]], list[bytes]]


def _run(chosen: dict[str, Hostile], driver: str, **more: Any) -> Run:
    names: dict[str, str] = {}
    routes = {f"/hostile/{name}": _route(hostile, names) for name, hostile in PAGES.items()}
    routes["/hostile-to-victim"] = lambda handler: handler.redirect(302, f"http://{names['VICTIM']}/")
    reach = "self.onfetch = () => 0; fetch('http://$VICTIM/from-worker', { mode: 'no-cors' }).catch(() => 0);"
    routes["/hostile-worker.js"] = lambda handler: handler.send(fill(reach, names), "text/javascript")
    with victims() as (tcp, udp, hits), serve(more=routes) as base:
        port = base.rpartition(":")[2]
        names |= {
            "VICTIM_PORT": str(tcp),
            "VICTIM": f"127.0.0.1:{tcp}",
            "UDP": f"127.0.0.1:{udp}",
            "SITE": f"127.0.0.1:{port}",
            "OTHER": f"{OTHER}:{port}",
            "TURN": TURN,
        }
        limits = {**LIMITS, "driver": driver, "allow_private": f"127.0.0.1:{port},{FREE}"}
        hurried, patient = (CrawlerSettings(**{**limits, **times, **more}) for times in ({}, PATIENT))
        return asyncio.run(_visits(chosen, hurried, patient, names)), hits


@pytest.fixture(scope="module")
def quick() -> Run:
    return _run({name: hostile for name, hostile in PAGES.items() if not hostile.slow}, "playwright")


def _check(name: str, run: Run) -> None:
    bad, good, took = run[0][name]
    assert bad.outcome in PAGES[name].ends, bad.reason
    assert set(PAGES[name].incidents) <= set(bad.incidents), bad.traffic
    assert took < BOUND_S
    assert good.outcome == "captured", good.reason


@pytest.mark.parametrize("name", [name for name, hostile in PAGES.items() if not hostile.slow])
def test_ends_as_it_should(name: str, quick: Run) -> None:
    """The named outcome, in bounded time; and the browser, or the one in its place, makes a good visit afterwards."""
    _check(name, quick)


def test_nothing_private_is_reached(quick: Run) -> None:
    """Of all these pages, by whatever way they tried, not one connection and not one datagram arrived."""
    assert quick[1] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, hostile in PAGES.items() if hostile.slow])
def test_slow_ones_end_as_they_should(name: str) -> None:
    """As above, for those that take the machine's memory or more time than CI has."""
    run = _run({name: PAGES[name]}, "playwright", **PAGES[name].limits)
    _check(name, run)
    assert run[1] == []


@pytest.mark.slow
def test_through_a_web_driver() -> None:
    """A handful of them through selenium: the same outcomes, and nothing private is reached."""
    run = _run({name: PAGES[name] for name in SELENIUM}, "selenium", command_timeout_ms=8000, visit_timeout_ms=20_000)
    for name in SELENIUM:
        _check(name, run)
    assert run[1] == []
