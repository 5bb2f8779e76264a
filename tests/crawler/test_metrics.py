"""What a worker counts, by hand-made visits: the numbers are right, and no page can make up a label."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from crawler.breaker import Breaker
from crawler.metrics import Metrics, put_off_class
from crawler.metrics_live import FRESH_S, Kept, Sources
from domain.errors import Unavailable
from domain.visit import Traffic
from tests.crawler.made import BEGAN, made_check, made_finding, made_visit, made_visited

EVERYTHING = Sources(
    lanes=lambda: {"width": 4, "loading": 2, "open": 3},
    started=lambda: 7,
    ended=lambda: {"visits": 5},
    queue=lambda: {"due": 12, "doing": 1},
    breaker=Breaker(25),
    folders={"data": Path(".data")},
)


def value(registry: CollectorRegistry, name: str, **labels: str) -> float:
    """A sample's value; NaN-proof: raises where there is none."""
    found = registry.get_sample_value(name, labels)
    assert found is not None, f"no {name}{labels}"
    return found


def test_visits_are_counted() -> None:
    """Two captured and one crashed, by what was given: outcomes, bytes, elements, verdicts, checks, time, lateness."""
    metrics = Metrics()
    findings = (made_finding("aria", "flagged"), made_finding("aria", "flagged"), made_finding("title", "clean"))
    good = made_visit(
        took_s=4.5,
        durations_ms={"navigate": 250.0, "settle": 3000.0, "a step of next year": 1.0},
        due=BEGAN - timedelta(seconds=45),
        traffic=Traffic(requests=10, received_bytes=5000, refused=1),
    )
    for _ in range(2):
        metrics.visited(made_visited(good, findings, (made_check("confirmed"), None, None)))
    metrics.visited(made_visited(made_visit("browser-crashed")))
    at = metrics.registry
    assert value(at, "parallax_visits_total", outcome="captured", driver="playwright") == 2
    assert value(at, "parallax_visits_total", outcome="browser-crashed", driver="playwright") == 1
    assert value(at, "parallax_visits_total", outcome="timeout", driver="playwright") == 0
    assert value(at, "parallax_received_bytes_total") == 10_000
    assert value(at, "parallax_requests_total") == 20
    assert value(at, "parallax_refused_connections_total") == 2
    assert value(at, "parallax_elements_total") == 30
    assert value(at, "parallax_divergences_total", kind="aria", verdict="flagged") == 4
    assert value(at, "parallax_divergences_total", kind="title", verdict="clean") == 2
    assert value(at, "parallax_divergences_total", kind="stale", verdict="flagged") == 0
    assert value(at, "parallax_pixel_checks_total", kind="aria", verdict="confirmed") == 2
    assert value(at, "parallax_visit_seconds_sum") == pytest.approx(4.5 + 4.5 + 5)
    assert value(at, "parallax_visit_step_seconds_sum", step="navigate") == pytest.approx(0.5)
    assert value(at, "parallax_visit_step_seconds_count", step="other") == 2
    assert value(at, "parallax_visit_lateness_seconds_sum") == pytest.approx(90)
    assert value(at, "parallax_visit_lateness_seconds_bucket", le="30.0") == 0
    assert value(at, "parallax_visit_lateness_seconds_bucket", le="60.0") == 2


def test_the_queue_side_is_counted() -> None:
    """Retries by outcome, put-offs by class, probes by number."""
    metrics = Metrics()
    metrics.retried("timeout")
    metrics.put_off("example.test wants rest: crawl-delay")
    metrics.put_off("wat")
    metrics.drawn(3)
    assert value(metrics.registry, "parallax_retries_total", outcome="timeout") == 1
    assert value(metrics.registry, "parallax_put_offs_total", reason="crawl-delay") == 1
    assert value(metrics.registry, "parallax_put_offs_total", reason="other") == 1
    assert value(metrics.registry, "parallax_probes_drawn_total") == 3


def test_what_is_asked_at_a_scrape() -> None:
    """Queue, lanes, browsers, breaker and disk as their sources say; this process holds memory; the version is told."""
    metrics = Metrics()
    metrics.watch(EVERYTHING)
    at = metrics.registry
    assert value(at, "parallax_queue_depth", state="due") == 12
    assert value(at, "parallax_lanes") == 4
    assert value(at, "parallax_pages", state="open") == 3
    assert value(at, "parallax_browsers_started_total") == 7
    assert value(at, "parallax_browsers_ended_total", reason="visits") == 5
    assert value(at, "parallax_breaker_limit") == 25
    assert value(at, "parallax_memory_bytes", process="worker") > 1e6
    assert 0 < value(at, "parallax_disk_free_bytes", folder="data") <= value(at, "parallax_disk_size_bytes", folder="data")
    assert "parallax_build_info{" in generate_latest(at).decode()


def test_a_lost_database_leaves_a_gap_and_no_error() -> None:
    """The scrape goes on without the queue; the database is asked again when the answer has grown old, not before."""
    asked, now = [], 0.0

    def lost() -> dict[str, int]:
        asked.append(now)
        if len(asked) == 1:
            raise Unavailable("The database was lost.")
        return {"due": 3}

    kept = Kept(lost, lambda: now)
    assert kept() is None
    now = FRESH_S / 2
    assert kept() is None
    now = FRESH_S + 1
    assert kept() == {"due": 3}
    assert len(asked) == 2
    metrics = Metrics()
    metrics.watch(Sources(queue=lambda: (_ for _ in ()).throw(Unavailable("lost"))))
    assert "parallax_lanes" in generate_latest(metrics.registry).decode()


def test_a_database_that_hangs_holds_up_one_thread_only() -> None:
    """While one asks and waits, another gets the answer from before at once."""
    now = 0.0
    hangs, asked = threading.Event(), threading.Event()

    def slow() -> int:
        if now:
            asked.set()
            assert hangs.wait(20)
        return int(now)

    kept = Kept(slow, lambda: now)
    assert kept() == 0
    now = FRESH_S + 1
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(kept)
        assert asked.wait(20)
        assert kept() == 0
        hangs.set()
        assert waiting.result(20) == FRESH_S + 1


def test_no_label_is_open() -> None:
    """A visit full of strange words leaves none of them in what is served; a thousand hosts make no more series than one."""
    metrics = Metrics()
    series = []
    for i in range(1000):
        visit = made_visit(host=f"marker{i}.test", reason="marker", title="marker", durations_ms={"settle": 1.0})
        metrics.visited(made_visited(visit, (made_finding("aria", "flagged", "marker"),)))
        metrics.put_off(f"marker{i}.test wants rest: crawl-delay")
        if i in {0, 999}:
            series.append(generate_latest(metrics.registry).decode())
    assert "marker" not in series[-1]
    assert len(series[0].splitlines()) == len(series[1].splitlines())


def test_names_follow_the_conventions() -> None:
    """Every family parses, begins with parallax_, has a help text, and carries its base unit: seconds, bytes, total, info."""
    metrics = Metrics()
    metrics.watch(EVERYTHING)
    families = list(text_string_to_metric_families(generate_latest(metrics.registry).decode()))
    assert len(families) > 20
    for family in families:
        assert family.name.startswith("parallax_")
        assert family.documentation or family.name.endswith("_created")
        assert not family.name.endswith(("_ms", "_mb", "_milliseconds"))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("busy", "busy"),
        ("another visit to robots.txt.test is under way", "busy"),
        ("floor.test wants rest: 5 visits in a row failed", "failing"),
        ("a.test wants rest: HTTP 429 with Retry-After", "limited"),
        ("a.test wants rest: the floor between visits", "rest"),
        ("a.test wants rest: crawl-delay", "crawl-delay"),
        ("a.test wants rest: the worker that visited it is gone", "lost"),
        ("HTTP 503 for robots.txt; without a robots.txt nothing is visited", "robots"),
        ("The disk of .data has 3 MB left", "disk"),
    ],
)
def test_reasons_have_classes(said: str, meant: str) -> None:
    """The sentence of a put-off is counted under its class."""
    assert put_off_class(said) == meant
