"""The embedded Postgres dies while the API runs: whoever asks again a little later is answered."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api.app import create_app
from api.reviving import Reviving
from api.settings import ApiSettings
from store.blobs import Blobs
from store.database import Database, open_database
from store.postgres import Programs
from store.settings import StoreSettings
from tests.api.asking import problem

DEADLINE_S = 90
"""For what must come; it takes about a second."""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="parallax-test-"))
    made.chmod(0o711)
    yield made.resolve()
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def embedded(folder: Path) -> Iterator[Database]:
    """An embedded server of its own, that may be killed."""
    with open_database(StoreSettings(data_dir=folder, database_url=None)) as database:
        yield database


def test_it_is_started_again(embedded: Database, folder: Path) -> None:
    """The question that finds out is told 503 and when to ask again; then all is well, with another server."""
    programs = Programs.find(folder / "postgres")
    before = programs.postmaster(folder / "postgres")
    assert before is not None
    with TestClient(create_app(embedded, Blobs("memory://"), ApiSettings(rate="0"))) as client:
        assert client.get("/health").status_code == 200
        os.kill(before, signal.SIGKILL)
        until = time.monotonic() + DEADLINE_S
        # Those who serve a connection notice a moment later that the server is gone.
        while (answer := client.get("/probes")).status_code == 200 and time.monotonic() < until:
            pass
        told = problem(answer, "unavailable")
        assert str(folder) not in told
        assert answer.headers["retry-after"] == "5"
        until = time.monotonic() + DEADLINE_S
        while (answer := client.get("/health")).status_code == 503 and time.monotonic() < until:
            pass
        assert answer.status_code == 200
        assert client.get("/probes").json()["items"] == []
    assert programs.postmaster(folder / "postgres") not in {None, before}


def test_one_try_at_a_time(embedded: Database, folder: Path) -> None:
    """While a try is under way nobody begins another, nor for a while after it; at the end it is waited for."""
    hasty, patient = Reviving(embedded, pause_s=0), Reviving(embedded, pause_s=3600)
    with (folder / "postgres.lock").open("a") as lock:  # as of another process that is starting the server
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert [one.begin() for one in (hasty, hasty, patient, patient)] == [True, False, True, False]
    until = time.monotonic() + DEADLINE_S
    while not (again := hasty.begin()) and time.monotonic() < until:
        pass
    assert again
    patient.end()
    hasty.end()
    assert (patient.begin(), hasty.begin()) == (False, False)


def test_not_right_after_another(embedded: Database) -> None:
    """A server that does not start is not tried to be started with every question."""
    patient = Reviving(embedded, pause_s=3600)
    assert patient.begin()
    trying = patient._trying
    if trying is not None:
        trying.join(DEADLINE_S)
    assert not patient.begin()


def test_nothing_is_started_behind_who_stops_it(embedded: Database, folder: Path) -> None:
    """A try that comes after the database was closed starts no server that nobody would stop. Last: it closes it."""
    embedded.close()
    cluster = folder / "postgres"
    assert Programs.find(cluster).postmaster(cluster) is None
    embedded.revive()
    assert Programs.find(cluster).postmaster(cluster) is None
