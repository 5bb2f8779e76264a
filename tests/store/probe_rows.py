"""Rows of probes made by hand, with whatever a test filters by. Their ids are not of their content: nobody reads them back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import insert

from domain.identity import digest
from store import tables
from store.database import Database

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PLATFORMS = {"web-natural": "web", "web-text": "web", "mobile-stale": "mobile"}
SOURCES = {"web-natural": "live", "web-text": "mind2web", "mobile-stale": "clay"}


def row(number: int, **given: Any) -> dict[str, Any]:
    """One row. given: family, kind, site, policy, grade, verdict, gold, structural, hidden; first, last: minutes after noon."""
    family = given.get("family", "web-natural")
    identity = digest("row", str(number))
    live = family == "web-natural"
    facets = {
        "family": family,
        "kind": given.get("kind", "aria" if live else None),
        "platform": PLATFORMS[family],
    }
    check = {"verdict": given["verdict"]} if given.get("verdict") else None
    first = NOON + timedelta(minutes=given.get("first", 0))
    provenance = {
        "source": SOURCES[family],
        "site": given.get("site", "shop"),
        "check": check,
        "policy": given.get("policy"),
        "grade": given.get("grade"),
        "when": first.isoformat(),
    }
    values = {"gold": given.get("gold", "Pay 10"), "structural": given.get("structural", "Total 12")}
    probe_id = f"{family}-{identity[:12]}"
    return {
        **facets,
        "id": probe_id,
        "identity": identity,
        "site": provenance["site"],
        "source": provenance["source"],
        "url": "https://shop.example/",
        "element": identity[:24],
        "first_seen": first,
        "last_seen": NOON + timedelta(minutes=given.get("last", given.get("first", 0))),
        "hidden": NOON if given.get("hidden") else None,
        "record": {"id": probe_id, **facets, **values, "provenance": provenance},
    }


def put(database: Database, *rows: dict[str, Any]) -> None:
    with database.transaction() as connection:
        connection.execute(insert(tables.probes), list(rows))


def release(database: Database, name: str, *rows: dict[str, Any]) -> None:
    """A release of these probes."""
    frozen = {"name": name, "digest": "f" * 64, "spec": {}, "manifest": {}, "frozen_at": NOON}
    released = [{"release": name, "probe_id": one["id"], "record": {**one["record"], "release": name}} for one in rows]
    with database.transaction() as connection:
        connection.execute(insert(tables.releases), frozen)
        connection.execute(insert(tables.release_probes), released)
