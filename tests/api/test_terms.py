"""What the terms of a corpus forbid to hand out is shown to the keeper of the store alone; recipes are all that others get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import SecretStr
from sqlalchemy import text

from api.app import create_app
from api.settings import ApiSettings
from domain.probe import Probe
from domain.released import ReleasedProbe
from store.release_recipes import recipes_alone
from store.releases import released_probes
from tests.api.asking import problem
from tests.api.conftest import TOKEN
from tests.api.stocked import Stocked, put

BEARER, STRANGER, HERE = {"Authorization": f"Bearer {TOKEN}"}, ("192.0.2.7", 50000), ("127.0.0.1", 50000)


@pytest.fixture(scope="module")
def app(made: Stocked) -> FastAPI:
    return application(made)


@pytest.fixture(scope="module")
def stranger(made: Stocked) -> Iterator[TestClient]:
    with TestClient(application(made), client=STRANGER) as client:  # an application is begun once at a time
        yield client


def application(made: Stocked, **settings: Any) -> FastAPI:
    return create_app(made.database, made.blobs, ApiSettings(rate="0", token=SecretStr(TOKEN), **settings))


def row_of(made: Stocked, redistribution: str) -> ReleasedProbe:
    return next(row for row in released_probes(made.database, made.release) if row.redistribution == redistribution)


def addresses(probe: Probe) -> tuple[str, str, str]:
    return f"/archives/{probe.screenshot}", f"/archives/{probe.structure}", f"/probes/{probe.id}/crop"


def test_strangers_get_recipes_alone(made: Stocked, stranger: TestClient) -> None:
    """Picture, structure and crop of a recipe: 403, which says why and what to do. The row itself, and what is full: 200."""
    recipe, full = row_of(made, "recipe"), row_of(made, "full")
    for address in addresses(recipe):
        for headers in ({}, {"If-None-Match": "*"}, {"Range": "bytes=0-9"}, {"Authorization": "Bearer a-wrong-token-of-20"}):
            told = problem(stranger.get(address, headers=headers), "refused")
            assert "terms forbid" in told
            assert "API_TOKEN" in told
            assert "builder rebuild" in told
        assert stranger.head(address).status_code == 403
    assert stranger.get(f"/probes/{recipe.id}").status_code == 200
    for address in addresses(full):
        assert stranger.get(address).status_code == 200
    assert "public" in stranger.get(addresses(full)[0]).headers["cache-control"]


def test_whoever_sends_the_token_sees_it(made: Stocked, stranger: TestClient) -> None:
    """By Bearer or Basic, byte for byte; and nobody between may keep it for others."""
    recipe = row_of(made, "recipe")
    for address in addresses(recipe):
        answer = stranger.get(address, headers=BEARER)
        assert answer.status_code == 200
        assert answer.headers["cache-control"].startswith("private")
        assert stranger.get(address, auth=("me", TOKEN)).status_code == 200
    assert stranger.get(addresses(recipe)[0], headers=BEARER).content == made.blobs.get(recipe.screenshot)


@pytest.mark.parametrize(
    ("client", "headers", "seen"),
    [
        (HERE, {}, True),
        (("::1", 50000), {}, True),
        (("::ffff:127.0.0.1", 50000), {}, True),
        (("127.0.0.1.example", 50000), {}, False),
        (HERE, {"X-Forwarded-For": "127.0.0.1"}, False),
        (HERE, {"Forwarded": "for=192.0.2.7"}, False),
        (HERE, {"Via": "1.1 proxy"}, False),
        (STRANGER, {"X-Forwarded-For": "127.0.0.1"}, False),
        # A page of elsewhere has its visitor's browser fetch it; a link that is followed there is only looked at.
        (HERE, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, False),
        (HERE, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, True),
    ],
)
def test_who_asks_on_this_machine(
    made: Stocked, app: FastAPI, client: tuple[str, int], headers: dict[str, str], seen: bool
) -> None:
    """Directly from this machine it is shown without a token; not through a proxy, for then anybody may stand behind it."""
    with TestClient(app, client=client) as asking:
        found = {asking.get(address, headers=headers).status_code for address in addresses(row_of(made, "recipe"))}
    assert found == {200 if seen else 403}


def test_behind_a_proxy_only_the_token_counts(made: Stocked) -> None:
    """Where API_PROXIES names one, an address of this machine is no proof, whatever headers there are."""
    recipe = row_of(made, "recipe")
    with TestClient(application(made, proxies="127.0.0.1"), client=HERE) as asking:
        assert {asking.get(address).status_code for address in addresses(recipe)} == {403}
        assert {asking.get(address, headers=BEARER).status_code for address in addresses(recipe)} == {200}


def test_pages_show_it_to_the_keeper_alone(made: Stocked, app: FastAPI, stranger: TestClient) -> None:
    """The page of the probe and the gallery have neither picture nor structure for strangers, and say why."""
    recipe = row_of(made, "recipe")
    crop, page = f'src="/probes/{recipe.id}/crop', f"/pages/probes/{recipe.id}"
    shot = f"/archives/{recipe.screenshot}"
    gallery = "/pages/probes?family=desktop-graphic"
    with TestClient(app, client=HERE) as keeper:
        assert crop in keeper.get(gallery).text
        assert shot in keeper.get(page).text
    assert crop not in stranger.get(gallery).text
    assert "picture is the publisher&#39;s: screenspot_pro" in stranger.get(gallery).text
    told = stranger.get(page).text
    assert shot not in told
    assert f"/archives/{recipe.structure}" not in told
    assert "The terms of its corpus forbid handing it out" in told


def test_no_file_of_a_release_is_withheld(made: Stocked, stranger: TestClient) -> None:
    """A release holds nothing that its recipes were cut from: all of its files are for everybody."""
    files = stranger.get(f"/releases/{made.release}/files?limit=500").json()["items"]
    assert {stranger.get(one["link"]).status_code for one in files} == {200}
    assert recipes_alone(made.database, [one["sha256"] for one in files]) == frozenset()
    assert stranger.get(f"/releases/{made.release}/download").status_code == 200


def test_what_is_released_in_full_or_was_visited_is_shown(made: Stocked, stranger: TestClient) -> None:
    """The same bytes in a row that is full, or on a page of the crawl: no recipe's alone. It changes what is stored: last."""
    recipe = row_of(made, "recipe")
    picture, structure, _ = addresses(recipe)
    with made.database.transaction() as connection:
        connection.execute(text("insert into releases select 'other', digest, spec, manifest, frozen_at from releases"))
        connection.execute(
            text("insert into release_blobs (release, digest, recipe) values ('other', :digest, false)"),
            {"digest": recipe.screenshot},
        )
    assert stranger.get(picture).status_code == 200
    assert stranger.get(structure).status_code == 403
    put(made, made.blobs.get(recipe.structure), "application/json")
    assert stranger.get(structure).status_code == 200
    with made.database.transaction() as connection:
        connection.execute(text("update visits set hidden = now() where site = 'extra'"))
    assert stranger.get(structure).status_code == 403


def test_nobody_between_keeps_what_needs_the_token(made: Stocked) -> None:
    """Where reads need the token no answer is public, kept ever so long by whoever asked; files of pages are anybody's."""
    app, release, full = application(made, reads="token"), f"/releases/{made.release}", row_of(made, "full")
    with TestClient(app, client=STRANGER, headers=BEARER) as client:
        some = [path for path, methods in client.get("/openapi.json").json()["paths"].items() if "get" in methods]
        some = [path for path in some if "{" not in path and not path.startswith(("/audits", "/health"))]
        files = [one["link"] for one in client.get(f"{release}/files").json()["items"]]
        of_release = [release, f"{release}/manifest", f"{release}/severity", f"{release}/download", *files]
        for address in (*some, *of_release, *addresses(full), "/pages/probes", f"/pages/probes/{full.id}"):
            for headers in ({}, {"If-None-Match": "*"}):
                control = client.get(address, headers=headers).headers.get("cache-control", "no-store")
                assert control == "no-store" or control.startswith("private"), address
        assert client.get(f"/archives/{full.screenshot}").headers["cache-control"] == "private, max-age=86400, immutable"
        assert "private" not in client.get("/static/page.css").headers["cache-control"]
