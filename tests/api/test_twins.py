"""What the pages of probes and divergences show is there as JSON too, and one comes to it by links."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.app import create_app
from api.artifacts import NOT_HANDED_OUT
from store.releases import released_probes
from tests.api.stocked import HIDDEN_SITE, Stocked


@pytest.fixture(scope="module")
def asking(made: Stocked) -> Iterator[TestClient]:
    with TestClient(create_app(made.database, made.blobs), raise_server_exceptions=False, follow_redirects=False) as client:
        yield client


def told(client: TestClient, address: str) -> Any:
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_from_a_probe_to_all_about_it(asking: TestClient, made: Stocked) -> None:
    """Its links lead to the capture, the divergence, the element's history, every sighting, and what its page shows."""
    probe = made.probes["shop"][0]
    links = told(asking, f"/probes/{probe.id}")["links"]
    assert all(asking.get(link).status_code == 200 for link in links.values())
    first = made.visits["shop"][0].captures[0].id
    assert (links["capture"], links["divergence"]) == (f"/captures/{first}", f"/divergences/{made.divergences['shop'][0]}")
    assert told(asking, links["divergence"])["probe"]["id"] == probe.id
    assert {past["probe"] for past in told(asking, links["history"])["items"]} == {probe.id}


def test_sightings_page_by_page(asking: TestClient, made: Stocked) -> None:
    """The three visits of the shop, newest first, and as a stream; a cursor of another probe's is refused."""
    probe, other = made.probes["shop"][:2]
    first = told(asking, f"/probes/{probe.id}/sightings?limit=2")
    second = told(asking, first["next"])
    found = [*first["items"], *second["items"]]
    assert second["next"] is None
    assert [one["capture_id"] for one in found] == [visit.captures[0].id for visit in reversed(made.visits["shop"])]
    assert len(asking.get(f"/probes/{probe.id}/sightings?format=ndjson").text.splitlines()) == 3
    assert asking.get(f"/probes/{other.id}/sightings", params={"after": first["after"]}).json()["code"] == "bad-cursor"
    assert asking.get("/probes/nobody/sightings").status_code == 404


def test_evidence(asking: TestClient, made: Stocked) -> None:
    """What the page of a probe shows: moments since S0, every look at the pixels, the structure with the value marked."""
    probe = made.probes["shop"][0]
    seen = told(asking, f"/probes/{probe.id}/evidence")
    assert [(one["name"], one["ms"]) for one in seen["moments"]] == [
        ("served", 0), ("before", 3000), ("screenshot_sent", 3100), ("after", 3300),
    ]  # fmt: skip
    assert [look["check"]["verdict"] for look in seen["checks"]] == ["confirmed"]
    assert [piece["text"] for piece in seen["excerpt"]["pieces"] if piece["marked"]] == ["Pay 10"]
    assert (seen["sightings_total"], len(seen["sightings"])) == (3, 3)
    of_divergence = told(asking, f"/divergences/{made.divergences['shop'][0]}/evidence")
    for name in ("moments", "checks", "excerpt", "history", "sightings", "archives"):
        assert of_divergence[name] == seen[name], name
    doubtful = next(one for one in told(asking, "/divergences?verdict=review&site=bank")["items"])
    assert told(asking, f"/divergences/{doubtful['id']}/evidence")["probe"] is None


def test_a_corpus_has_less(asking: TestClient, made: Stocked) -> None:
    """A probe of a corpus has no capture, so neither history nor sightings; what may not be handed out is not told of it."""
    probe = made.probes["mind2web"][0]
    links = told(asking, f"/probes/{probe.id}")["links"]
    assert [links[name] for name in ("capture", "divergence", "history")] == [None, None, None]
    assert told(asking, links["sightings"])["items"] == []
    assert told(asking, links["evidence"])["moments"] == []


def test_shortened_ids(asking: TestClient, made: Stocked) -> None:
    """The beginning of one id alone leads to it, as the page's address does; of several it is none."""
    probe = made.probes["bank"][0]
    for behind in ("", "/evidence"):
        answer = asking.get(f"/probes/{probe.id[:-2]}{behind}")
        assert (answer.status_code, answer.headers["location"]) == (307, f"/probes/{probe.id}{behind}")
        page = asking.get(f"/pages/probes/{probe.id[:-2]}")
        assert (page.status_code, page.headers["location"]) == (307, f"/pages/probes/{probe.id}")
        assert asking.get(f"/probes/web-natural{behind}").status_code == 404
        assert asking.get(f"/probes/%25{behind}").status_code == 404


def test_counts_of_divergences(asking: TestClient) -> None:
    """As the gallery counts them: all that match, by kind, verdict, grade and site."""
    found = told(asking, "/divergences/stats?verdict=flagged&site=shop&aside=true")
    assert found["total"] == 6
    assert found["facets"]["site"] == {"shop": 6, "bank": 2, "evil": 1}
    assert found["facets"]["verdict"] == {"flagged": 6, "review": 3}
    alone = told(asking, "/divergences/stats?verdict=flagged&site=shop&top=1")
    assert alone["facets"]["site"] == {"shop": 6}
    assert len(alone["facets"]["kind"]) == 1
    assert asking.get("/divergences/stats?text=--").status_code == 422


def test_what_is_taken_down_has_none(asking: TestClient, made: Stocked) -> None:
    """Neither evidence nor sightings, by the whole id or how it begins, and it is in no count."""
    probe, divergence = made.probes[HIDDEN_SITE][0].id, made.divergences[HIDDEN_SITE][0]
    for address in (
        f"/probes/{probe}",
        f"/probes/{probe[:-1]}",
        f"/probes/{probe}/sightings",
        f"/probes/{probe}/evidence",
        f"/divergences/{divergence}/evidence",
    ):
        assert asking.get(address).status_code == 404, address
    assert HIDDEN_SITE not in asking.get("/divergences/stats").text


def test_what_may_not_be_handed_out(made: Stocked) -> None:
    """Of a corpus whose terms forbid it, only the store's keeper is given links and structure; between them nobody keeps it."""
    recipe = next(row for row in released_probes(made.database, made.release) if row.redistribution == "recipe")
    shown = []
    for address in ("192.0.2.7", "127.0.0.1"):
        with TestClient(create_app(made.database, made.blobs), client=(address, 5000)) as client:
            answer = client.get(f"/probes/{recipe.id}/evidence")
        assert answer.headers["cache-control"] == "private, no-cache"
        seen = answer.json()
        shown.append((bool(seen["screenshot"]["link"]), seen["excerpt"]["problem"] != NOT_HANDED_OUT))
    assert shown == [(False, False), (True, True)]
