"""crawler takedown: what whoever answers a site owner's letter types, and reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from crawler.cli_app import app
from domain.errors import BadInput, NotFound
from store.captures import recent_visits, save
from store.database import Database
from tests.crawler.made import made_visit

Command = Callable[..., Result]


@pytest.fixture
def takedown(database: Database, monkeypatch: pytest.MonkeyPatch) -> Command:
    """`takedown("add", ...)` on a store with one visit each to shop.example and other.example."""
    for number, host in enumerate(("shop.example", "other.example")):
        save(database, made_visit(host=host).model_copy(update={"id": f"{number:032x}"}))
    monkeypatch.setenv("DATABASE_URL", database.engine.url.render_as_string(hide_password=False))
    return lambda *words: CliRunner().invoke(app, ["takedown", *words], catch_exceptions=False)


def test_add_list_lift(takedown: Command, database: Database) -> None:
    """Hidden, listed, shown again; each time it is said what and how much."""
    assert takedown("list").stdout == ""
    added = takedown("add", "shop.example", "--why", "a letter", "--by", "me", "--dry-run")
    said = (
        "shop.example with its subdomains, every port: Would be hidden: 1 visits with 0 captures and 0 divergences, 0 probes."
    )
    assert " ".join(added.stdout.split()) == said
    other = takedown("add", "http://shop.example:8080/", "--why", "a letter", "--dry-run")
    assert other.stdout.startswith("shop.example with its subdomains, port 8080 only: Would be hidden: 0 visits ")
    assert len(recent_visits(database)) == 2
    assert takedown("add", "shop.example", "--why", "a letter", "--by", "me").exit_code == 0
    assert [visit.site for visit in recent_visits(database)] == ["other.example"]
    [listed] = takedown("list", "--json").stdout.splitlines()
    entry: dict[str, Any] = json.loads(listed)
    assert {name: entry[name] for name in ("host", "path", "why", "by_whom", "lifted")} == {
        "host": "shop.example", "path": "", "why": "a letter", "by_whom": "me", "lifted": None,
    }  # fmt: skip
    assert "a letter" in takedown("list").stdout
    lifted = json.loads(takedown("lift", entry["id"], "--json").stdout)
    assert (lifted["became"], lifted["changed"]["visits"], lifted["entry"]["id"]) == ("shown again", 1, entry["id"])
    assert len(recent_visits(database)) == 2


def test_a_dry_run_says_what_is_done(takedown: Command) -> None:
    """Every number, and the releases, are those of the real one."""

    def said(*more: str) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(takedown("add", "shop.example", "--why", "a letter", "--json", *more).stdout)
        return {name: value for name, value in told.items() if name not in {"dry_run", "entry"}}

    would = said("--dry-run")
    assert {"became", "changed", "releases"} == would.keys()
    assert would == said()


def test_purge(takedown: Command, database: Database) -> None:
    """Deleted, not hidden."""
    assert "Now deleted: 1 visits" in takedown("add", "shop.example", "--why", "a letter", "--purge").stdout
    takedown("lift", "shop.example")
    assert [visit.site for visit in recent_visits(database)] == ["other.example"]


def test_asked_wrongly(takedown: Command) -> None:
    """What is no host, an entry without a reason, and one that is not there."""
    with pytest.raises(BadInput, match="neither a host nor a URL"):
        takedown("add", "not a host", "--why", "x")
    with pytest.raises(BadInput, match="--why is blank"):
        takedown("add", "shop.example", "--why", " ")
    with pytest.raises(NotFound, match="No take-down"):
        takedown("lift", "shop.example")
