"""How an id begins: it leads to the only one that begins so; of several that is said, and not that there is none."""

from __future__ import annotations

from itertools import count

import pytest
from fastapi.testclient import TestClient

from tests.api.conftest import Keep

ALIKE = {"probe": "web-natural-", "visit": "000", "capture": "000"}
"""How ids of these begin; those of divergences are chance."""


@pytest.mark.parametrize("noun", [*ALIKE, "divergence"])
def test_several_that_begin_so(noun: str, client: TestClient, keep: Keep) -> None:
    """They are named, and what to do; what hangs on it, and the page for people, say the same."""
    begun = ALIKE.get(noun)
    for number in count(1):  # of seventeen divergences two begin with the same digit
        keep(number)
        if noun == "divergence":
            ids = [one["id"] for one in client.get("/divergences?limit=100").json()["items"]]
            begun = next((id_[0] for id_ in ids if sum(other[0] == id_[0] for other in ids) > 1), None)
        if number > 1 and begun:
            break
    addresses = [f"/{noun}s/{begun}"]
    if noun in {"probe", "divergence"}:
        addresses += [f"/{noun}s/{begun}/evidence", f"/pages/{noun}s/{begun}"]
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 404
        assert f"More than one {noun} begins with" in answer.text, address
        assert "Give more of it." in answer.text, address


def test_none_that_begins_so(client: TestClient, keep: Keep) -> None:
    """That is said of the beginning; where the whole id is needed, that."""
    drawn = keep(1)
    assert client.get("/probes/web-text-").json()["detail"].startswith("No probe 'web-text-', nor one that begins so.")
    assert client.get(f"/probes/{drawn.id[:-1]}", follow_redirects=False).headers["location"] == f"/probes/{drawn.id}"
    assert "Here the whole id is needed" in client.get(f"/probes/{drawn.id[:-1]}/sightings").json()["detail"]


def test_a_release_that_there_is_not(client: TestClient) -> None:
    """What is advised works: V1 is no name that a release can be cut under."""
    told = client.get("/releases/V1").json()["detail"]
    assert told == "No release 'V1'. None is frozen yet. To cut one: builder export --release v1"


def test_a_page_of_nothing_leads_on(client: TestClient) -> None:
    """What its words name is linked, and the gallery."""
    answer = client.get("/pages/nothing", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    for place in ("/pages/probes", "/docs", "/openapi.json"):
        assert f'href="{place}"' in answer.text.split("<main")[1]
