"""Who may write, and who may read."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Error as PlaywrightError

from api.app import create_app
from api.settings import ApiSettings
from store.blobs import Blobs
from store.database import Database
from tests.api.asking import problem
from tests.api.conftest import TOKEN
from tests.api.opened import Opened, chromium
from tests.api.serving import serving

CHALLENGES = ['Bearer realm="parallax"', 'Basic realm="parallax", charset="UTF-8"']
NEW = {"what": "shop.example", "why": "letter of the owner, 2 March"}


def basic(password: str, user: str = "ann") -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


@pytest.fixture
def guarded(database: Database, blobs: Blobs) -> Iterator[TestClient]:
    """A program that asks an API whose reads need the token."""
    settings = ApiSettings(rate="0", token=TOKEN, reads="token")  # type: ignore[arg-type]
    with TestClient(create_app(database, blobs, settings), raise_server_exceptions=False) as asking:
        yield asking


def test_nobody_writes_without_a_token_set(database: Database, blobs: Blobs) -> None:
    """Where API_TOKEN is not set, no token is right: 403, which says what cannot be done, and what to set."""
    with TestClient(create_app(database, blobs, ApiSettings(rate="0"))) as client:
        for sent in ({}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {TOKEN}"}):
            for answer in (
                client.post("/takedowns", json=NEW, headers=sent),
                client.delete("/takedowns/3f9ac2d4", headers=sent),
            ):
                assert problem(answer, "refused").startswith("Nothing can be written here: API_TOKEN is not set. Set it ")
            for path in ("/takedowns", "/takedowns/3f9ac2d4"):
                told = problem(client.get(path, headers=sent), "refused")
                assert told.startswith("The take-down list is read with the token only, and API_TOKEN is not set. Set it ")
        assert client.get("/probes").status_code == 200


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"Authorization": TOKEN},
        {"Authorization": "Bearer"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": f"Digest {TOKEN}"},
        basic(TOKEN),
    ],
)
def test_writes_need_the_bearer(client: TestClient, sent: dict[str, str]) -> None:
    """Nothing but the whole token as Bearer writes. Not Basic: browsers send that by themselves, whoever made them ask."""
    answer = client.post("/takedowns", json=NEW, headers=sent)
    problem(answer, "unauthorized")
    [asked] = answer.headers.get_list("www-authenticate")
    assert asked.startswith('Bearer realm="parallax"')
    assert "Basic" not in asked


def test_reads_behind_the_token(guarded: TestClient) -> None:
    """With API_READS=token nothing is read without it: data, pages, pictures. Bearer and Basic both do; health is open."""
    for path in ("/probes", "/pages/probes", "/stats", "/metrics", "/crawl"):
        answer = guarded.get(path)
        assert answer.status_code == 401, path
        assert answer.headers.get_list("www-authenticate") == CHALLENGES, path
        assert guarded.head(path).status_code == 401
    for sent in ({"Authorization": f"Bearer {TOKEN}"}, {"Authorization": f"bearer {TOKEN}"}, basic(TOKEN), basic(TOKEN, "")):
        assert guarded.get("/probes", headers=sent).status_code == 200
        assert guarded.get("/metrics", headers=sent).status_code == 200
    assert guarded.get("/health").status_code == 200


@pytest.mark.parametrize("sent", [basic("no"), {"Authorization": "Basic ???"}, {"Authorization": "Basic " + "A" * 9999}])
def test_a_wrong_password(guarded: TestClient, sent: dict[str, str]) -> None:
    """A browser that sends what is wrong is asked again."""
    answer = guarded.get("/probes", headers=sent)
    assert problem(answer, "unauthorized").startswith("The token is wrong. In a browser ")
    bearer, asked = answer.headers.get_list("www-authenticate")
    assert (bearer, asked) == (f'{CHALLENGES[0]}, error="invalid_token"', CHALLENGES[1])


@pytest.mark.browser
def test_people_come_in_with_a_password(database: Database, blobs: Blobs) -> None:
    """In Chromium, whoever has the token opens any page by it as the password; who has not is told what to give."""
    settings = ApiSettings(rate="0", token=TOKEN, reads="token")  # type: ignore[arg-type]
    with chromium() as browser, serving(create_app(database, blobs, settings)) as address:
        for path in ("/", "/pages/crawl"):  # of which the second asks by itself, too
            with Opened(browser, address, path, http_credentials={"username": "anybody", "password": TOKEN}) as opened:
                assert opened.page.locator("h1").count() == 1, path
                assert not opened.complaints, path
        for given in ({}, {"http_credentials": {"username": "ann", "password": f"{TOKEN}x"}}):
            try:
                with Opened(browser, address, "/pages/sites", **given) as opened:
                    assert opened.texts("h1") == ["Unauthorized"]
                    [told] = opened.texts(".lead")
                    assert "any name as user and the token (API_TOKEN) as password" in told
                    assert [one for one in opened.complaints if not one.startswith("Failed to load")] == [
                        f"401 {address}/pages/sites"
                    ]
            except PlaywrightError as asked:  # a whole Chrome asks whoever sits before it, and shows the page to who gives up
                if given or "ERR_INVALID_AUTH_CREDENTIALS" not in asked.message:
                    raise


def test_the_document_says_who_may(client: TestClient, guarded: TestClient) -> None:
    """Open reads ask for nothing; reads behind the token, and all writes, say so."""
    both = [{"token": []}, {"password": []}]
    for asking, wanted in ((client, None), (guarded, both)):
        paths = asking.get("/openapi.json").json()["paths"]
        assert paths["/probes"]["get"].get("security") == wanted
        assert paths["/takedowns"]["post"]["security"] == [{"token": []}]
        assert "security" not in paths["/health"]["get"]
