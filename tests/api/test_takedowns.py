"""Take-downs through the API do what `crawler takedown` does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from store.database import Database
from store.takedowns import taken_down
from tests.api.asking import ids, problem
from tests.api.conftest import Keep

WHY = "letter of the owner, 2 March"


def test_taken_down_and_lifted(client: TestClient, database: Database, holder: dict[str, str], keep: Keep) -> None:
    """What is taken down is hidden at once and not visited; lifted, it is shown again. The list says who, when and why."""
    shop, bank = keep(1), keep(2, site="bank")
    added = client.post("/takedowns", json={"what": "shop.example", "why": WHY, "by": "ann"}, headers=holder)
    assert added.status_code == 201
    entry, changed = added.json()["entry"], added.json()["changed"]
    assert (entry["host"], entry["why"], entry["by_whom"], entry["lifted"]) == ("shop.example", WHY, "ann", None)
    assert changed == {"visits": 1, "captures": 1, "divergences": 1, "probes": 1}
    assert added.headers["location"] == f"/takedowns/{entry['id']}"
    assert client.get(added.headers["location"], headers=holder).json() == entry
    assert ids(client.get("/probes")) == [bank.id]
    assert taken_down(database, "https://www.shop.example/x") is not None

    lifted = client.delete(f"/takedowns/{entry['id']}", headers=holder)
    assert (lifted.status_code, lifted.json()["changed"]["probes"]) == (200, 1)
    assert {*ids(client.get("/probes"))} == {bank.id, shop.id}
    assert taken_down(database, "https://www.shop.example/x") is None
    problem(client.delete(f"/takedowns/{entry['id']}", headers=holder), "not-found")
    assert ids(client.get("/takedowns", headers=holder)) == []
    assert ids(client.get("/takedowns?every=true", headers=holder)) == [entry["id"]]


def test_the_same_again(client: TestClient, holder: dict[str, str]) -> None:
    """An entry that is in force stays as it is: 200, not 201."""
    first = client.post("/takedowns", json={"what": "https://shop.example/u/jane", "why": WHY}, headers=holder)
    again = client.post("/takedowns", json={"what": "shop.example/u/jane", "why": "another"}, headers=holder)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["entry"] == first.json()["entry"]


def test_the_same_at_once(client: TestClient, holder: dict[str, str]) -> None:
    """Of several who enter the same at one time, one is told that it is new."""
    body = {"what": "shop.example", "why": WHY}
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: client.post("/takedowns", json=body, headers=holder), range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    assert len({answer.json()["entry"]["id"] for answer in answers}) == 1
    assert ["location" in answer.headers for answer in answers] == [answer.status_code == 201 for answer in answers]


def test_pasted(client: TestClient, holder: dict[str, str], keep: Keep) -> None:
    """What is pasted out of a mail hides what it is said to cover."""
    keep(1)
    added = client.post("/takedowns", json={"what": "\u202e<https://shop.example>,", "why": WHY}, headers=holder).json()
    assert (added["entry"]["host"], added["changed"]["probes"]) == ("shop.example", 1)
    assert ids(client.get("/probes")) == []


def test_dry_runs(client: TestClient, holder: dict[str, str], keep: Keep) -> None:
    """A dry run tells what would change and changes nothing."""
    probe = keep(1)
    told = client.post("/takedowns?dry_run=true", json={"what": "shop.example", "why": WHY}, headers=holder)
    assert (told.status_code, told.json()["changed"]["probes"]) == (200, 1)
    assert ids(client.get("/probes")) == [probe.id]
    assert ids(client.get("/takedowns", headers=holder)) == []


@pytest.mark.parametrize("purge", [False, True])
def test_a_dry_run_tells_what_the_real_one_will(
    client: TestClient, database: Database, holder: dict[str, str], keep: Keep, purge: bool
) -> None:
    """The numbers of rows, and the frozen releases that lose some of theirs, are those of the real one after it.

    Lifted, they have them again; what was deleted is not given back.
    """
    keep(1), keep(2), keep(3, site="bank")
    with database.transaction() as connection:
        for name, site in (("v1", "shop"), ("v2", "shop"), ("v3", "bank")):
            connection.execute(text("insert into releases values (:name, 'd', '{}', '{}', now())"), {"name": name})
            rows = "insert into release_probes select :name, id, record from probes where site = :site"
            connection.execute(text(rows), {"name": name, "site": site})
    body = {"what": "shop.example", "why": WHY, "purge": purge}
    would = client.post("/takedowns?dry_run=true", json=body, headers=holder).json()
    done = client.post("/takedowns", json=body, headers=holder).json()
    assert done["releases"] == {"v1": 2, "v2": 2}
    assert {**would, "entry": None, "dry_run": False} == {**done, "entry": None}
    where = f"/takedowns/{done['entry']['id']}"
    would = client.delete(f"{where}?dry_run=true", headers=holder).json()
    done = client.delete(where, headers=holder).json()
    assert done["releases"] == ({"v1": 2, "v2": 2} if purge else {})
    assert {**would, "entry": None, "dry_run": False} == {**done, "entry": None}


def test_what_an_entry_covers(client: TestClient, holder: dict[str, str], keep: Keep) -> None:
    """A dry run and the entry say which ports are meant, and so it is: a port that is written is that one only."""
    probe = keep(1)  # at https://shop.example/, which is port 443
    for what, words, n in (
        ("http://shop.example:8432/", "shop.example with its subdomains, port 8432 only", 0),
        ("shop.example:443", "shop.example with its subdomains, port 443 only", 1),
        ("http://shop.example/", "shop.example with its subdomains, every port", 1),
    ):
        body = {"what": what, "why": WHY}
        told = client.post("/takedowns?dry_run=true", json=body, headers=holder).json()
        done = client.post("/takedowns", json=body, headers=holder).json()
        for one in (told, done):
            assert (one["entry"]["covers"], one["changed"]["probes"]) == (words, n), what
        assert ids(client.get("/probes")) == ([] if n else [probe.id])
        assert client.get(f"/takedowns/{done['entry']['id']}", headers=holder).json() == done["entry"]
        client.delete(f"/takedowns/{done['entry']['id']}", headers=holder)


def test_the_list_is_private(client: TestClient) -> None:
    """Who asked for what is told to nobody without the token, though all other reading is open."""
    problem(client.get("/takedowns"), "unauthorized")
    problem(client.get("/takedowns/3f9ac2d4"), "unauthorized")


def test_pages_of_the_list(client: TestClient, holder: dict[str, str]) -> None:
    """The list is given in pages, and whole."""
    for name in ("a", "b", "c"):
        client.post("/takedowns", json={"what": f"{name}.example", "why": WHY}, headers=holder)
    first = client.get("/takedowns?limit=2&fields=id,host", headers=holder).json()
    second = client.get(first["next"], headers=holder).json()
    assert [one["host"] for one in (*first["items"], *second["items"])] == ["a.example", "b.example", "c.example"]
    assert second["next"] is None
    assert len(client.get("/takedowns?format=csv", headers=holder).text.splitlines()) == 4


def test_bad_bodies(client: TestClient, holder: dict[str, str]) -> None:
    """What is no host, has no reason, is no JSON, no text of ours, packed or too large is refused: nothing is entered."""

    def sent(content: bytes, **headers: str) -> object:
        return client.post("/takedowns", content=content, headers=holder | {"Content-Type": "application/json"} | headers)

    def of(what: str, why: str = WHY) -> bytes:
        return f'{{"what":"{what}","why":"{why}"}}'.encode()

    assert "is neither a host nor a URL" in problem(sent(of("no host")), "bad-parameter")
    assert problem(sent(of("shop.example", "  ")), "bad-parameter").startswith("why: ")
    assert problem(sent(b'{"what":"shop.example"}'), "bad-parameter") == "why: it is missing"
    assert problem(sent(b'{"what":"a.example","why":"x","more":1}'), "bad-parameter").startswith("more: ")
    twice = b'{"what":"a.example","why":"x","\\u0077hat":"b.example"}'
    assert problem(sent(twice), "doubled-parameter") == "what: given more than once in the body. Give it once."
    assert problem(sent(b'{"why":[{"a":1,"b":2,"a":1}]}'), "doubled-parameter").startswith("a: ")
    assert "too deep" in problem(sent(b"[" * 1000 + b"]" * 1000), "bad-body")
    assert problem(sent(b"{"), "bad-body").startswith("The body is no JSON: ")
    assert problem(sent(b'{"what":"a.example","why":"\\ud800"}'), "bad-body").startswith("The body is no JSON: ")
    assert problem(sent(of("a.example", "x\\u0000y")), "bad-text").startswith("The body holds NUL")
    assert problem(sent(of("a.example"), **{"Content-Encoding": "gzip"}), "unsupported-media-type").startswith(
        "Content-Encoding"
    )
    assert problem(sent(of("a.example"), **{"Content-Type": "text/xml"}), "unsupported-media-type").startswith("Content-Type")
    assert problem(sent(of("a.example", "x" * 70_000)), "too-large").startswith("The body has more than 65536 bytes")
    assert ids(client.get("/takedowns?every=true", headers=holder)) == []
