"""Whether the service can work, what it counts, and what happens when the database goes away."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from structlog.testing import capture_logs
from typer.testing import CliRunner

from api import cli
from api.app import create_app
from api.settings import ApiSettings
from domain.errors import BadInput
from store.blobs import Blobs
from store.database import Database, open_database
from store.schema import known_versions
from store.settings import StoreSettings
from tests.api.asking import ids, problem
from tests.api.conftest import Keep
from tests.api.serving import serving


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
            assert problem(answer, "unavailable") == told
            assert answer.headers["retry-after"] == "5"
    finally:
        with database.transaction() as connection:
            connection.execute(text("update alembic_version set version_num = :version"), {"version": version})


def test_no_database(blobs: Blobs) -> None:
    """Without a database the API runs, and says at /health and /probes what is missing, without the password: 503."""
    nowhere = StoreSettings(database_url="postgresql://u:hush@127.0.0.1:1/p")  # type: ignore[arg-type]
    with open_database(nowhere, schema=False) as database:
        app = create_app(database, blobs, ApiSettings(rate="0"))
        with TestClient(app) as client:
            for path in ("/health", "/probes", "/probes?format=ndjson"):
                told = problem(client.get(path), "unavailable")
                assert told.startswith("The database p at 127.0.0.1:1 cannot be reached: ")
                assert "hush" not in told


def test_where_things_are_is_for_the_log(blobs: Blobs, tmp_path: Path) -> None:
    """Of a socket and its folder strangers are told nothing; the log has both, once and not with every question."""
    nowhere = StoreSettings(database_url=f"postgresql://u@/p?host={tmp_path}/none")  # type: ignore[arg-type]
    with open_database(nowhere, schema=False) as database, capture_logs() as logged:
        with TestClient(create_app(database, blobs, ApiSettings(rate="0"))) as client:
            answers = [client.get(path) for path in ("/health", "/probes", "/probes", "/pages/probes")]
        assert [answer.status_code for answer in answers] == [503] * 4
        assert not [answer.text for answer in answers if str(tmp_path) in answer.text or ".s.PGSQL" in answer.text]
    [told] = [one for one in logged if one["event"] == "request.unavailable"]
    assert str(tmp_path) in told["reason"]


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


def test_more_questions_than_connections(database: Database) -> None:
    """Who finds no connection free is told to come again, as when there is no database."""
    url = database.engine.url.render_as_string(hide_password=False)
    with open_database(StoreSettings(database_url=url), schema=False, connections=1) as small:  # type: ignore[arg-type]
        small.engine.pool._timeout = 0  # type: ignore[attr-defined]
        held = [small.engine.connect() for _ in range(11)]
        app = create_app(small, Blobs("memory://"), ApiSettings(rate="0"))
        with TestClient(app) as client:
            assert problem(client.get("/health"), "unavailable").endswith("has no connection free; ask again in a while.")
        for connection in held:
            connection.close()


@pytest.mark.parametrize(
    ("listening", "told"),
    [("127.0.0.1", "127.0.0.1"), ("127.0.0.1", "0.0.0.0"), ("::1", "::1"), ("::1", "::")],  # noqa: S104
)
def test_it_is_asked_where_it_listens(
    database: Database, blobs: Blobs, monkeypatch: pytest.MonkeyPatch, listening: str, told: str
) -> None:
    """`api health` finds what API_HOST or --host names, whatever proxy is set; a port that is any is none to ask at."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with serving(create_app(database, blobs, ApiSettings(rate="0")), host=listening) as address:
        port = address.rpartition(":")[2]
        for given, host in (((), told), (("--host", told), "192.0.2.1")):
            monkeypatch.setenv("API_HOST", host)
            asked = CliRunner().invoke(cli.app, ["health", "--port", port, *given])
            assert (asked.exit_code, asked.exception) == (0, None)
            assert json.loads(asked.stdout)["status"] == "ok"
    assert CliRunner().invoke(cli.app, ["health", "--port", "0"]).exit_code == 2
    monkeypatch.setenv("API_PORT", "0")
    assert isinstance(CliRunner().invoke(cli.app, ["health"]).exception, BadInput)


def test_metrics(client: TestClient) -> None:
    """Requests are counted by route and status, not by what was asked for; HEAD as HEAD, and what is refused early too."""

    def count(route: str, status: str, method: str = "GET") -> float:
        wanted = f'parallax_api_requests_total{{method="{method}",route="{route}",status="{status}"}} '
        lines = client.get("/metrics").text.splitlines()
        return next((float(line.removeprefix(wanted)) for line in lines if line.startswith(wanted)), 0.0)

    before, lost, heads, bad = (
        count("/probes", "200"),
        count("other", "404"),
        count("/probes", "200", "HEAD"),
        count("other", "400"),
    )
    client.get("/probes?site=a")
    client.get("/probes?site=b")
    client.get("/no/such/place")
    client.get("/probes?site=%00")
    client.head("/probes")
    assert count("/probes", "200") == before + 2
    assert count("other", "404") == lost + 1
    assert count("other", "400") == bad + 1
    assert count("/probes", "200", "HEAD") == heads + 1
    timed = 'parallax_api_request_seconds_count{method="GET",route="/probes"} '
    assert any(line.startswith(timed) for line in client.get("/metrics").text.splitlines())
