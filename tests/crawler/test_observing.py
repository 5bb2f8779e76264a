"""Dashboard, alerts and docs/observing.md name what is served: every metric, every label, nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from prometheus_client import CollectorRegistry

from api.metrics import REGISTRY as API
from crawler.canonical import canonical
from crawler.health import State
from crawler.metrics import Metrics
from tests.crawler.made import made_visit, made_visited
from tests.crawler.test_metrics import EVERYTHING

ROOT = Path(__file__).resolve().parents[2]
DASHBOARD = ROOT / "deploy/grafana/parallax.json"
ALERTS = ROOT / "deploy/prometheus/alerts.yml"
OBSERVING = (ROOT / "docs/observing.md").read_text(encoding="utf-8")
BY_PROMETHEUS = {"job", "instance", "le"}


def crawler_registry() -> CollectorRegistry:
    """With everything there is to see, once."""
    metrics = Metrics()
    metrics.watch(EVERYTHING)
    metrics.visited(made_visited(made_visit(durations_ms={"settle": 1.0})))
    metrics.retried("timeout")
    return metrics.registry


@pytest.fixture(scope="module")
def served() -> dict[str, set[str]]:
    """Every sample of the crawler and of the API, with its labels."""
    found: dict[str, set[str]] = {}
    for family in crawler_registry().collect():
        for sample in family.samples:
            if sample.name.endswith("_created"):
                continue  # the library's own, for every counter
            found.setdefault(sample.name, set()).update(sample.labels)
    for collector in set(API._collector_to_names):  # what it would serve, without asking it anything
        name, labels = collector._name, set(collector._labelnames)  # type: ignore[attr-defined]
        for end in ("_total",) if collector._type == "counter" else ("_bucket", "_sum", "_count"):  # type: ignore[attr-defined]
            found[name + end] = labels
    return found


def expressions() -> Iterator[tuple[str, str]]:
    """(where, PromQL) of every panel, of the dashboard's variables and of every alert."""
    dashboard = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    for panel in dashboard["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"]
    for rule in yaml.safe_load(ALERTS.read_text(encoding="utf-8"))["groups"][0]["rules"]:
        yield rule["alert"], rule["expr"]


@pytest.mark.parametrize(("where", "expression"), list(expressions()), ids=[where for where, _ in expressions()])
def test_what_is_named_is_served(where: str, expression: str, served: dict[str, set[str]]) -> None:
    """Each metric exists, each label that is asked or summed by is one of that metric's."""
    bare = re.sub(r'"[^"]*"|\[[^]]*\]', "", expression)
    named = set(re.findall(r"\bparallax_\w+", bare))
    assert named or "up" in bare
    assert named <= set(served), f"{where}: nobody serves {named - set(served)}"
    labels = {label for inside in re.findall(r"\{([^}]*)\}", bare) for label in re.findall(r"([a-z_]+)(?==|!)", inside)}
    labels |= {label.strip() for inside in re.findall(r"by \(([^)]*)\)", bare) for label in inside.split(",")}
    missing = labels - BY_PROMETHEUS - set().union(*(served[name] for name in named))
    assert not missing, f"{where}: no label {missing}"


def test_the_dashboard_can_be_imported() -> None:
    """Ids are unique, panels do not overlap, the data source is a variable, each panel says what it shows."""
    dashboard = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    variables = {variable["name"]: variable for variable in dashboard["templating"]["list"]}
    assert variables["datasource"]["type"] == "datasource"
    panels: list[dict[str, Any]] = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    places: set[tuple[int, int]] = set()
    for panel in panels:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & places
        assert at["x"] + at["w"] <= 24
        places |= cells
        if panel["type"] != "row":
            assert panel["description"]
            assert panel["datasource"]["uid"] == "${datasource}"
            assert all(target["datasource"]["uid"] == "${datasource}" for target in panel["targets"])


def test_nothing_is_measured_for_nobody(served: dict[str, set[str]]) -> None:
    """Every metric that is served is on the dashboard, but for how many elements there are."""
    shown = " ".join(expression for _, expression in expressions()) + DASHBOARD.read_text(encoding="utf-8")
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in served}
    assert {name for name in families if name not in shown} <= {"parallax_elements_total"}


def test_every_metric_is_explained(served: dict[str, set[str]]) -> None:
    """docs/observing.md has a line for each family, with its labels, and for no other."""
    told = {
        name: {label for label in labels.strip().split(", ") if label}
        for name, labels in re.findall(r"^\| `(parallax_\w+)` \| ?([\w, ]*)\|", OBSERVING, re.MULTILINE)
    }
    families: dict[str, set[str]] = {}
    for name, labels in served.items():
        families.setdefault(re.sub(r"_(bucket|sum|count)$", "", name), set()).update(labels - {"le"})
    assert told == families


def test_every_state_and_field_is_explained() -> None:
    """docs/observing.md has a line for each state of health, and names each field of a visit's line."""
    assert set(re.findall(r"^\| `([\w-]+)` \| (?:200|503) \|", OBSERVING, re.MULTILINE)) == set(get_args(State))
    logs = OBSERVING[OBSERVING.index("## Logs") : OBSERVING.index("## The breaker")]
    table = [line.split("|")[1] for line in logs.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`(\w+)`", " ".join(table))) == set(canonical(made_visited(made_visit())))


def test_alerts_say_what_to_do() -> None:
    """No visits, tripped, disk: each waits a while, has a severity, and says what now. The example finds both services."""
    [group] = yaml.safe_load(ALERTS.read_text(encoding="utf-8"))["groups"]
    assert [rule["alert"] for rule in group["rules"]] == ["ParallaxNoVisits", "ParallaxTripped", "ParallaxDiskFillsUp"]
    for rule in group["rules"]:
        assert rule["for"]
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"]["what_now"]
    example = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text(encoding="utf-8"))
    assert [job["job_name"] for job in example["scrape_configs"]] == ["crawler", "api"]
    assert example["rule_files"] == [ALERTS.name]
