"""api: what other programs are told, from the real database."""

from __future__ import annotations

import importlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from api import routes
from api.app import ROUTERS, create_app
from api.settings import ApiSettings, api_settings
from domain.errors import BadInput
from domain.families import NAMES
from domain.probe import Probe
from store.database import Database, open_database
from store.schema import known_versions
from store.settings import StoreSettings

Keep = Callable[..., Probe]


def problem(answer: Any, status: int) -> str:
    """The reason that a problem gives, which is a problem as RFC 9457 has it and nothing more."""
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert set(told) == {"type", "title", "status", "detail", "instance"}
    assert told["status"] == status
    return str(told["detail"])


def ids(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [item["id"] for item in answer.json()["items"]]


def test_probes_as_stored(client: TestClient, keep: Keep) -> None:
    """An item is the probe exactly as it was drawn and stored."""
    probe = keep(1)
    answer = client.get("/probes", params={"family": "web-natural"})
    assert answer.json() == {"items": [json.loads(probe.model_dump_json())], "next": None}


def test_filters(client: TestClient, keep: Keep) -> None:
    """Each filter leaves what it names, those seen last first; all of them together as well."""
    a, b, c = keep(1), keep(2, kind="title"), keep(3, site="bank")
    assert ids(client.get("/probes")) == [c.id, b.id, a.id]
    assert ids(client.get("/probes?kind=title")) == [b.id]
    assert ids(client.get("/probes?site=bank")) == [c.id]
    assert ids(client.get("/probes?site=nowhere")) == []
    # Seen means the screenshot: three seconds after the visit began, at 12:02 and 12:03.
    assert ids(client.get("/probes", params={"since": "2026-03-01T12:02:03Z"})) == [c.id, b.id]
    assert ids(client.get("/probes", params={"since": "2026-03-01T13:03:03+01:00"})) == [c.id]
    assert ids(client.get("/probes?kind=aria&site=shop&since=2026-03-01")) == [a.id]


def test_pages(client: TestClient, keep: Keep) -> None:
    """`next` leads through all there are, each once, though a newer one comes in meanwhile; the last page has none."""
    kept = [keep(number).id for number in range(1, 6)]
    first = client.get("/probes?limit=2")
    assert ids(first) == kept[4:2:-1]
    keep(9)
    second = client.get("/probes", params={"limit": 2, "after": first.json()["next"]})
    assert ids(second) == kept[2:0:-1]
    third = client.get("/probes", params={"limit": 2, "after": second.json()["next"]})
    assert ids(third) == [kept[0]]
    assert third.json()["next"] is None


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("family=web-taxt", f"family: there is no 'web-taxt'. There is {', '.join(NAMES)}."),
        ("kind=colour", "kind: there is no 'colour'. There is aria, title, stale, state."),
        ("limit=0", "limit: Input should be greater than or equal to 1, not '0'"),
        ("limit=501", "limit: Input should be less than or equal to 500, not '501'"),
        ("after=zzz", "after: 'zzz' is no cursor. Give the `next` of the page before."),
        ("after=MjAyNg", "after: 'MjAyNg' is no cursor. Give the `next` of the page before."),
    ],
)
def test_asked_wrongly(client: TestClient, question: str, told: str) -> None:
    """What is not right is named, with its value and what there is; 422."""
    assert problem(client.get(f"/probes?{question}"), 422) == told


def test_nothing_pretends(client: TestClient) -> None:
    """What is not there is a problem too: an unknown path, a method nobody takes."""
    assert problem(client.get("/captures"), 404) == "Not Found"
    assert problem(client.post("/probes"), 405) == "Method Not Allowed"


def test_a_fault_of_ours(client: TestClient, database: Database, keep: Keep) -> None:
    """A bug is a 500 that tells nothing of the inside."""
    keep(1)
    with database.transaction() as connection:
        connection.execute(text("update probes set record = '{\"secret\": 1}'"))
    assert problem(client.get("/probes"), 500) == "A fault of ours; the server's log tells of it."


def test_health(client: TestClient, keep: Keep) -> None:
    """Well is: the tables are of this code's version. The last visit finished is told, with its age; none at first."""
    version = known_versions()[-1]
    assert client.get("/health").json() == {
        "status": "ok",
        "schema_version": version,
        "last_visit": None,
        "last_visit_age_s": None,
    }
    keep(2)
    keep(1)
    told = client.get("/health").json()
    assert told["last_visit"] == "2026-03-01T12:02:05Z"
    since = datetime.now(UTC) - datetime(2026, 3, 1, 12, 2, 5, tzinfo=UTC)
    assert told["last_visit_age_s"] == pytest.approx(since.total_seconds(), abs=60)


def test_other_tables(client: TestClient, database: Database) -> None:
    """Tables of another version are no health: 503 with both versions and what to do."""
    version = known_versions()[-1]
    try:
        for given, remedy in (("0001", "Run `python -m store.database upgrade`."), ("9999", "Update this service.")):
            with database.transaction() as connection:
                connection.execute(text("update alembic_version set version_num = :given"), {"given": given})
            answer = client.get("/health")
            told = f"The tables are at version {given}, and this code needs {version}. {remedy}"
            assert problem(answer, 503) == told
            assert answer.headers["retry-after"] == "5"
    finally:
        with database.transaction() as connection:
            connection.execute(text("update alembic_version set version_num = :version"), {"version": version})


def test_no_database() -> None:
    """Without a database the API runs, and says at /health and /probes what is missing, without the password: 503."""
    nowhere = StoreSettings(database_url="postgresql://u:hush@127.0.0.1:1/p")  # type: ignore[arg-type]
    with open_database(nowhere, schema=False) as database, TestClient(create_app(database)) as client:
        for path in ("/health", "/probes"):
            told = problem(client.get(path), 503)
            assert told.startswith("The database p at 127.0.0.1:1 cannot be reached: ")
            assert "hush" not in told


def test_a_restart_of_postgres(client: TestClient, database: Database, keep: Keep) -> None:
    """Connections that the server has cut are no trouble: the next question is answered."""
    probe = keep(1)
    assert ids(client.get("/probes")) == [probe.id]
    cut = (
        "select count(pg_terminate_backend(pid)) from pg_stat_activity "
        "where datname = current_database() and pid <> pg_backend_pid()"
    )
    database_of_another = open_database(StoreSettings(database_url=database.engine.url.render_as_string(hide_password=False)))  # type: ignore[arg-type]
    with database_of_another as other, other.transaction() as connection:
        assert connection.scalar(text(cut)) >= 1
    assert ids(client.get("/probes")) == [probe.id]


def test_metrics(client: TestClient) -> None:
    """Requests are counted by route and status, not by what was asked for."""

    def count(route: str, status: str) -> float:
        wanted = f'parallax_api_requests_total{{method="GET",route="{route}",status="{status}"}} '
        lines = client.get("/metrics").text.splitlines()
        return next((float(line.removeprefix(wanted)) for line in lines if line.startswith(wanted)), 0.0)

    before, lost = count("/probes", "200"), count("other", "404")
    client.get("/probes?site=a")
    client.get("/probes?site=b")
    client.get("/no/such/place")
    assert count("/probes", "200") == before + 2
    assert count("other", "404") == lost + 1
    timed = 'parallax_api_request_seconds_count{method="GET",route="/probes"} '
    assert any(line.startswith(timed) for line in client.get("/metrics").text.splitlines())


def test_every_resource_is_listed(client: TestClient) -> None:
    """Each file of api/routes is in ROUTERS of api/app.py."""
    files = {path.stem for path in Path(routes.__file__).parent.glob("*.py") if not path.stem.startswith("_")}
    missing = [name for name in files if importlib.import_module(f"api.routes.{name}").router not in ROUTERS]
    assert not missing, f"api/app.py: ROUTERS lacks {missing}"
    assert len(ROUTERS) == len(files)
    assert {"/probes", "/health"} <= set(client.get("/openapi.json").json()["paths"])


def test_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that is wrong is named; one that is set to nothing counts as unset."""
    monkeypatch.setenv("API_PORT", "")
    assert ApiSettings().port == 8000
    monkeypatch.setenv("API_WORKERS", "0")
    with pytest.raises(BadInput, match=r"^API_WORKERS: Input should be greater than or equal to 1"):
        api_settings()


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    """Who starts the API at a port that another program has is told so in a sentence, and the exit code is 1."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-c", "from api.cli import main; main()", "serve", "--port", port],
            cwd=tmp_path, env=os.environ | {"PARALLAX_DATA": str(tmp_path)}, capture_output=True, text=True,
            timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert f"api: Nothing can be served at 127.0.0.1:{port}." in done.stderr
    assert "API_PORT" in done.stderr
