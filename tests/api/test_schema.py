"""The API does what its OpenAPI document says, whatever it is asked: schemathesis asks, with every check that it has.

A server of its own, with a store that holds something of everything. In CI the same requests each time.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr
from sqlalchemy import select

from api.app import create_app
from api.settings import ApiSettings
from domain.audit import Label, Region
from store import annotators, audit_desk, tables
from store.audit_opening import NewItem, open_audit
from store.blobs import Blobs
from store.database import Database
from tests.api.serving import serving
from tests.api.stocked import Stocked, stock
from tests.builder.small import picture

ROOT = Path(__file__).resolve().parents[2]
CONFIG = Path(__file__).with_name("schemathesis.toml")
COUNTED = re.compile(r'parallax_api_requests_total\{method="(\w+)",route="([^"]+)",status="(\d+)"\} ([\d.e+]+)')
AUDIT = "second-look"
TOKEN = "token-of-the-tests"  # noqa: S105 - no secret


@dataclass(frozen=True)
class Place:
    address: str
    made: Stocked
    annotator: str
    """Of the audit: name and token."""
    items: list[str]
    """Those that the annotator was given, of which one is answered."""

    def config(self, folder: Path, *, same: bool) -> Path:
        """The configuration with what there is to ask for: most that a path names is there.

        Of the bank: the shop is what the document's own example takes down.
        """
        probe, [capture] = self.made.probes["bank"][0], self.made.visits["bank"][0].captures
        known = {
            "probe_id": [probe.id, self.made.probes["mind2web"][0].id],
            "divergence_id": self.made.divergences["bank"],
            "capture_id": [capture.id],
            "visit_id": [self.made.visits["bank"][0].id],
            "element": [probe.provenance.element],
            "sha256": [capture.artifacts[name] for name in ("dom", "screenshot", "served")],
            "release": [self.made.release],
            "site": ["bank"],
            "path": ["manifest.json", "probes.jsonl"],
            "audit": [AUDIT],
            "item": self.items,
        }
        lines = [CONFIG.read_text("utf-8").replace("deterministic = true", f"deterministic = {str(same).lower()}")]
        lines += [f"[dictionaries.{name}]\nvalues = {json.dumps(values)}" for name, values in known.items()]
        lines += ["[parameters]", *(_bound(name, name) for name in known if name not in {"release", "site"})]
        for name in ("release", "site"):
            lines += [f'[[operations]]\ninclude-path-regex = "^/{name}s/"\n[operations.parameters]', _bound("name", name)]
        written = folder / CONFIG.name
        written.write_text("\n".join(lines), "utf-8")
        return written


@pytest.fixture(scope="module")
def place(server: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("stocked")
    blobs = Blobs(str(folder / "blobs"))
    made = stock(server, blobs, folder)
    annotator, items = _audited(made)
    settings = ApiSettings(token=SecretStr(TOKEN), rate="0")
    with serving(create_app(server, blobs, settings)) as url:
        # Made once and kept; whoever asks first may wait longer on a full machine than schemathesis does.
        httpx2.get(f"{url}/openapi.json", timeout=60)
        yield Place(url, made, annotator, items)


def _audited(made: Stocked) -> tuple[str, list[str]]:
    """Opens an audit of the release, what may be taken down aside. Its annotator, and the items that they have."""
    rows = select(tables.release_probes.c.record).where(tables.release_probes.c.release == made.release)
    with made.database.transaction() as connection:
        records = [record for record in connection.scalars(rows) if record["provenance"]["site"] != "shop"]
    pictures = [picture(500 + n, (640, 400)) for n in range(len(records))]
    items = [
        NewItem(record["id"], record["variable"], content, (640, 400), Region(x=20, y=10, width=60, height=30))
        for record, content in zip(records, pictures, strict=True)
    ]
    open_audit(
        made.database, AUDIT, seed=1, release=made.release, items=items, put=lambda one: made.blobs.put(one, "image/png")
    )
    token = annotators.add(made.database, "ann", "human")
    ann = annotators.find_annotator(made.database, "ann")
    given = [item.item for item in audit_desk.next_items(made.database, AUDIT, ann, count=len(items) - 1)]
    audit_desk.submit(made.database, AUDIT, ann, given[0], Label(answer="absent"), 1.5)
    return f"ann:{token}", given


def _bound(name: str, known: str) -> str:
    return f'"path.{name}" = {{ dictionary = "{known}", probability = 0.9 }}'


def asked(place: Place, folder: Path, *more: str, same: bool = True, timeout: int = 300) -> str:
    """What schemathesis reports; it must have found nothing. same: the same requests each time; else by the seed."""
    command = [str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(place.config(folder, same=same))]
    done = subprocess.run(
        [*command, "run", f"{place.address}/openapi.json", *more],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT), "API_TOKEN": TOKEN, "ANNOTATOR": place.annotator},
        capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2_000:]
    return done.stdout


def test_the_api_is_what_its_document_says(place: Place, tmp_path: Path) -> None:
    """No fault, no undocumented status, type or body; the invalid refused, the valid taken; every operation answered well."""
    asked(place, tmp_path)
    # A release of which something was taken down is no whole to hand out any more, and the shop was, as above.
    refused = {"GET /releases/{name}/download"}
    every = {f"{method} {path}" for method, path in _operations(place.address)}
    never = sorted(every - _answered_well(place.address) - refused)
    assert never == [], "these were never asked for something that is there"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_api_is_what_its_document_says_at_length(place: Place, tmp_path: Path, seed: int) -> None:
    """The same with other and many more requests."""
    print(asked(place, tmp_path, "--seed", str(seed), "--max-examples", "200", same=False, timeout=3000))  # noqa: T201 - it was long


def _operations(address: str) -> list[tuple[str, str]]:
    paths: dict[str, dict[str, Any]] = httpx2.get(f"{address}/openapi.json").json()["paths"]
    return [(method.upper(), path) for path, item in paths.items() for method in item]


def _answered_well(address: str) -> set[str]:
    """Operations that were answered with 2xx or 3xx."""
    counted = COUNTED.findall(httpx2.get(f"{address}/metrics").text)
    return {f"{method} {path.replace(':path', '')}" for method, path, status, _ in counted if status[0] in "23"}
