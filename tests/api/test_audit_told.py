"""What the desk says when something is amiss, to whom: annotators learn what to do, whoever runs the audit learns the rest."""

from __future__ import annotations

import shutil

import pytest
from fastapi.testclient import TestClient
from structlog.testing import capture_logs

from api.app import create_app
from api.audit_gold import told_of
from api.running import _tell_of_gold
from api.settings import ApiSettings
from store import annotators, audit_results
from store.blobs import Blobs
from store.database import Database
from tests.api.asking import problem
from tests.api.audited import NAME, Audited, audited
from tests.api.conftest import TOKEN

HERE = f"/audits/{NAME}"
PRIVATE = ApiSettings.model_validate({"reads": "token", "token": TOKEN})


@pytest.fixture
def made(database: Database, blobs: Blobs) -> Audited:
    return audited(database, blobs, 2, "ann")


@pytest.mark.parametrize("how", ["gone", "other bytes", "no picture"])
def test_a_missing_picture_is_told_without_its_name(client: TestClient, made: Audited, blobs: Blobs, how: str) -> None:
    """A code of its own, neither digest nor folder; the item can be skipped, and the next one is asked."""
    client.headers.update(made.header("ann"))
    item = client.post(f"{HERE}/next").json()["item"]
    digest = next(one.picture for one in audit_results.judged(made.database, NAME) if one.item == item)
    assert blobs.folder
    place = blobs.folder / "sha256" / digest[:2] / digest[2:]
    if how == "gone":
        blobs.delete([digest])
    elif how == "other bytes":
        place.write_bytes(place.read_bytes() + b"more")
    else:
        other = blobs.put(b"GIF89a", "image/png").digest
        with made.database.transaction() as connection:
            connection.exec_driver_sql("update audit_items set picture = %s where item = %s", (other, item))
    with capture_logs() as logged:
        answer = client.get(f"{HERE}/items/{item}/picture")
    assert answer.status_code == 404
    assert "Skip it" in problem(answer, "picture-missing")
    for secret in (digest, digest[:12], str(blobs.folder), "sha256", "blob"):
        assert secret.lower() not in answer.text.lower(), secret
    assert [one["event"] for one in logged if one["log_level"] == "warning"] == ["audit.picture-missing"]
    assert client.post(f"{HERE}/items/{item}/skip").status_code == 204
    other_item = client.post(f"{HERE}/next").json()["item"]
    assert other_item != item
    assert client.get(f"{HERE}/items/{other_item}/picture").status_code == 200


def test_pictures_that_cannot_be_had_are_told_without_their_place(client: TestClient, made: Audited, blobs: Blobs) -> None:
    """The archive fails: 503, to be tried again, and not where it is."""
    client.headers.update(made.header("ann"))
    item = client.post(f"{HERE}/next").json()["item"]
    assert blobs.folder
    shutil.rmtree(blobs.folder / "sha256")
    (blobs.folder / "sha256").write_bytes(b"")  # no folder, so nothing in it can be looked for
    said = problem(client.get(f"{HERE}/items/{item}/picture"), "unavailable")
    assert said == "The pictures cannot be had now. What was answered is stored; ask again in a while."


def test_nobody_answers_under_a_models_name(client: TestClient, made: Audited) -> None:
    """A model's token is right, and opens nothing: 403 with the reason."""
    token = annotators.add(made.database, "seer", "model")
    for method, path in (("GET", "/audits"), ("POST", f"{HERE}/next"), ("POST", f"{HERE}/undo")):
        answer = client.request(method, path, headers={"Authorization": f"Bearer seer:{token}"})
        assert "seer is a model, and the desk is for people" in problem(answer, "refused")
    assert not audit_results.status(made.database, NAME).kinds


def test_gold_within_reach_is_told_to_whoever_runs_it(made: Audited, blobs: Blobs, capsys: pytest.CaptureFixture[str]) -> None:
    """At the start, and once when annotators first ask; with the remedy; not where reads need a token, or none is open."""
    for settings, warned in ((ApiSettings(rate="0"), True), (PRIVATE, False)):
        _tell_of_gold(settings, made.database)
        said = capsys.readouterr().err
        assert (f"An open audit: {NAME}." in said, "API_READS=token API_TOKEN=" in said) == (warned, warned)
        with (
            TestClient(create_app(made.database, blobs, settings), base_url="http://localhost") as client,
            capture_logs() as logged,
        ):
            answers = [client.get("/audits", headers=made.header("ann")) for _ in range(2)]
        assert [one["event"] for one in logged if "gold" in one["event"]] == ["audit.gold-open"] * warned
        assert [one.json() for one in answers] == [{"items": [{"audit": NAME, "items": 2}]}] * 2
    audit_results.close(made.database, NAME)
    _tell_of_gold(ApiSettings(), made.database)
    assert capsys.readouterr().err == ""
    assert told_of(ApiSettings(), ["a", "b"]).startswith("Open audits: a, b. As long as API_READS is open")
