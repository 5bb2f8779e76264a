"""The audit's API: who may ask, what is asked, how answers are given, repeated, taken back and skipped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from api.app import create_app
from api.routes import audits
from api.settings import ApiSettings
from store import annotators, audit_results
from store.blobs import Blobs
from store.database import Database
from tests.api.asking import problem
from tests.api.audited import NAME, Audited, audited
from tests.api.conftest import TOKEN

HERE = f"/audits/{NAME}"
STRANGE = "A" * 22


@pytest.fixture
def made(database: Database, blobs: Blobs) -> Audited:
    return audited(database, blobs, 4, "ann", "ben", "cleo", checkboxes=True)


@pytest.fixture
def ann(client: TestClient, made: Audited) -> TestClient:
    """An annotator's program."""
    client.headers.update(made.header("ann"))
    return client


def right(made: Audited, item: str) -> dict[str, object]:
    return {**made.right(item).model_dump(), "seconds": 1.5}


def answer_all(client: TestClient, made: Audited, name: str) -> list[str]:
    """Everything that is left for this annotator, as the pixels show it; the items in their order."""
    done = []
    while (asked := client.post(f"{HERE}/next", headers=made.header(name))).status_code == 200:
        item = asked.json()["item"]
        assert client.put(f"{HERE}/items/{item}/label", json=right(made, item), headers=made.header(name)).status_code == 200
        done.append(item)
    assert (asked.status_code, asked.content) == (204, b"")
    return done


def routes() -> Iterator[tuple[str, str]]:
    for route in audits.router.routes:
        assert isinstance(route, APIRoute)
        for method in route.methods:
            yield method, route.path.format(audit=NAME, item=STRANGE)


@pytest.mark.parametrize(("method", "path"), list(routes()))
def test_only_annotators(client: TestClient, made: Audited, method: str, path: str) -> None:
    """Every route of the desk needs an annotator's name with its own token. The token of this service is none."""
    [token, other] = made.tokens["ann"], made.tokens["ben"]
    bad = (
        "",
        f"Bearer {TOKEN}",
        f"Bearer {token}",
        f"Bearer ann:{other}",
        "Bearer ann:",
        f"Bearer dora:{token}",
        f"Basic ann:{token}",
    )
    for sent in bad:
        answer = client.request(method, path, headers={"Authorization": sent} if sent else {})
        problem(answer, "unauthorized")
        assert answer.headers["www-authenticate"].startswith('Bearer realm="parallax audit"')
        assert answer.headers["cache-control"] == "no-store"
    annotators.remove(made.database, "ann")
    problem(client.request(method, path, headers=made.header("ann")), "unauthorized")


def test_an_annotators_token_opens_nothing_else(made: Audited) -> None:
    """Behind API_READS=token an annotator gets the desk and its files, and no gallery, list or archive."""
    settings = ApiSettings(rate="0", token=TOKEN, reads="token")  # type: ignore[arg-type]
    with TestClient(create_app(made.database, made.blobs, settings)) as client:
        for path in ("/audit", "/static/audit.js", "/static/page.css"):
            assert client.get(path).status_code == 200, path
        client.headers.update(made.header("ann"))
        assert client.post(f"{HERE}/next").status_code == 200
        row = next(iter(made.rows.values()))
        for path in ("/pages/probes", "/probes", f"/probes?release={row.release}", f"/archives/{row.screenshot}"):
            assert client.get(path).status_code == 401, path
        problem(client.post("/takedowns", json={"what": "a.example", "why": "x"}), "unauthorized")


def test_one_item_after_the_other(ann: TestClient, made: Audited) -> None:
    """What is next is the same until it is answered; then another, until nothing is left. Each has a picture of its own."""
    assert ann.get("/audits").json() == {"items": [{"audit": NAME, "items": 4}]}
    seen: dict[str, bytes] = {}
    for n in range(4):
        asked = ann.post(f"{HERE}/next")
        assert asked.json() == ann.post(f"{HERE}/next").json()
        item = asked.json()["item"]
        seen[item] = ann.get(f"{HERE}/items/{item}/picture").content
        assert ann.get(f"{HERE}/items/{item}").json() == {"item": asked.json(), "label": None}
        stored = ann.put(f"{HERE}/items/{item}/label", json=right(made, item))
        assert stored.json() == {"item": asked.json(), "label": made.right(item).model_dump()}
        assert ann.get(f"{HERE}/items/{item}").json() == stored.json()
        assert ann.get(f"{HERE}/progress").json() == {"answered": n + 1, "left": 3 - n, "skipped": 0, "adjudicates": False}
    assert (len(seen), len(set(seen.values()))) == (4, 4)
    assert ann.post(f"{HERE}/next").status_code == 204
    assert seen.keys() == made.rows.keys()


def test_an_answer_is_taken_once(ann: TestClient, made: Audited) -> None:
    """Sent again it is the same answer, also when all is over; another one is a conflict, until the first is taken back."""
    item = ann.post(f"{HERE}/next").json()["item"]
    place = f"{HERE}/items/{item}/label"
    first = ann.put(place, json={"answer": "unreadable", "seconds": 2})
    assert ann.put(place, json={"answer": "unreadable", "seconds": 9}).json() == first.json()
    assert "take that back first" in problem(ann.put(place, json={"answer": "unsure"}), "conflict")
    assert "take that back first" in problem(ann.post(f"{HERE}/items/{item}/skip"), "conflict")
    assert ann.post(f"{HERE}/undo").json()["item"] == item
    assert ann.get(f"{HERE}/items/{item}").json()["label"] is None
    assert ann.put(place, json={"answer": "unsure"}).json()["label"] == {"answer": "unsure", "value": None}
    audit_results.close(made.database, NAME)
    assert ann.put(place, json={"answer": "unsure"}).json()["label"] == {"answer": "unsure", "value": None}
    assert "was closed" in problem(ann.put(place, json={"answer": "absent"}), "conflict")
    for path in ("next", "undo", f"items/{item}/skip"):
        assert "was closed" in problem(ann.post(f"{HERE}/{path}"), "conflict")
    assert ann.get("/audits").json() == {"items": []}


@pytest.mark.parametrize("control", ["\x07", "\x1b[2J", "\x7f", "\x9b", "\r"])
def test_control_characters_are_no_answer(ann: TestClient, made: Audited, control: str) -> None:
    """No picture shows one, and a terminal would obey it. Tab and line feed are text."""
    item = ann.post(f"{HERE}/next").json()["item"]
    assert item in made.rows
    place = f"{HERE}/items/{item}/label"
    told = problem(ann.put(place, json={"answer": "value", "value": f"Pay{control} 12"}), "bad-parameter")
    problem(ann.put(place, json={"answer": "value", "value": "Pay\0 12"}), "bad-text")
    assert f"control character U+{ord(control[0]):04X}" in told
    assert ann.get(f"{HERE}/items/{item}").json()["label"] is None
    if made.rows[item].variable == "text":
        assert ann.put(place, json={"answer": "value", "value": "Pay\t1\n2"}).status_code == 200


def test_blanks_around_name_and_token(client: TestClient, made: Audited) -> None:
    """They come with pasting."""
    sent = {"Authorization": f"Bearer  ann : {made.tokens['ann']} "}
    assert client.get("/audits", headers=sent).status_code == 200


def test_undo_without_an_answer(ann: TestClient, made: Audited) -> None:
    """Nothing to take back is no error."""
    assert made.rows
    assert ann.post(f"{HERE}/undo").status_code == 204


def test_skipped_ones_come_again(ann: TestClient, made: Audited) -> None:
    """A skipped item comes after all others, as often as it is skipped."""
    item = ann.post(f"{HERE}/next").json()["item"]
    for _ in range(2):
        assert (skipped := ann.post(f"{HERE}/items/{item}/skip")).status_code == 204
        assert skipped.headers["cache-control"] == "no-store"
    assert ann.get(f"{HERE}/progress").json() == {"answered": 0, "left": 4, "skipped": 1, "adjudicates": False}
    assert answer_all(ann, made, "ann")[-1] == item


def test_what_is_no_answer(ann: TestClient, made: Audited) -> None:
    """A text without the answer `value`, a blank, what is not to choose from: refused, and said why."""
    box = next(item for item, row in made.rows.items() if row.variable == "checked")
    while ann.post(f"{HERE}/next").json()["item"] != box:
        ann.post(f"{HERE}/items/{ann.post(f'{HERE}/next').json()['item']}/skip")
    for body, told in (
        ({"answer": "value"}, "value: it goes with"),
        ({"answer": "value", "value": " \n"}, "value: it goes with"),
        ({"answer": "value", "value": "\u200b\u00ad"}, "value: it goes with"),
        ({"answer": "absent", "value": "x"}, "value: it goes with"),
        ({"answer": "value", "value": "maybe"}, "'maybe' is not to choose from: checked, unchecked"),
        ({"answer": "no idea"}, "answer: Input should be"),
        ({"answer": "unsure", "gold": "x"}, "gold: Extra inputs"),
    ):
        assert told in problem(ann.put(f"{HERE}/items/{box}/label", json=body), "bad-parameter")
    assert ann.get(f"{HERE}/progress").json()["answered"] == 0


def test_what_is_not_theirs(ann: TestClient, made: Audited) -> None:
    """An item that was not handed out to them is no item: another's, one of another audit, none."""
    mine = ann.post(f"{HERE}/next").json()["item"]
    others = [STRANGE, *(made.rows.keys() - {mine})]
    for item in others:
        here, answer = f"{HERE}/items/{item}", {"answer": "unsure"}
        asked = (ann.get(here), ann.get(f"{here}/picture"), ann.put(f"{here}/label", json=answer), ann.post(f"{here}/skip"))
        assert {problem(one, "not-found").replace(item, "") for one in asked} == {f"No item '' in audit {NAME}."}
    assert all(not row.judgements for row in audit_results.judged(made.database, NAME))
    problem(ann.get("/audits/none/progress"), "not-found")
    problem(ann.get(f"/audits/none/items/{mine}/picture"), "not-found")
    problem(ann.get(f"{HERE}/items/x"), "bad-parameter")


def test_two_people_for_each(client: TestClient, made: Audited) -> None:
    """Two answer everything; for a third nothing is left, and what they say of an item that they once skipped is too late."""
    skipped = client.post(f"{HERE}/next", headers=made.header("cleo")).json()["item"]
    assert client.post(f"{HERE}/items/{skipped}/skip", headers=made.header("cleo")).status_code == 204
    for name in ("ann", "ben"):
        assert len(answer_all(client, made, name)) == 4
    assert answer_all(client, made, "cleo") == []
    late = client.put(f"{HERE}/items/{skipped}/label", json=right(made, skipped), headers=made.header("cleo"))
    assert "others have both places" in problem(late, "conflict")


def test_who_settles_is_handed_it_first(client: TestClient, made: Audited) -> None:
    """Whoever adjudicates answers what they were handed, and no other item on which two differ."""
    for name in ("ann", "ben"):
        for _ in made.rows:
            item = client.post(f"{HERE}/next", headers=made.header(name)).json()["item"]
            given = right(made, item) if name == "ann" else {"answer": "unsure"}
            assert client.put(f"{HERE}/items/{item}/label", json=given, headers=made.header(name)).status_code == 200
    made.tokens["dora"] = annotators.add(made.database, "dora", "human", True)
    handed = client.post(f"{HERE}/next", headers=made.header("dora")).json()["item"]
    for item in sorted(made.rows, key=lambda one: one == handed):
        answer = client.put(f"{HERE}/items/{item}/label", json=right(made, item), headers=made.header("dora"))
        if item == handed:
            assert answer.status_code == 200
        else:
            problem(answer, "not-found")
    thirds = [one.item for row in audit_results.judged(made.database, NAME) for one in row.judgements if one.place == 3]
    assert thirds == [handed]


def test_the_document_says_who_may(client: TestClient) -> None:
    """Each operation of the desk names the annotator's token, 401 and 409 where there can be one, and has no tag to ask by."""
    document = client.get("/openapi.json").json()
    assert document["components"]["securitySchemes"]["annotator"]["scheme"] == "bearer"
    of_desk = {path: item for path, item in document["paths"].items() if path.startswith("/audits")}
    assert len(of_desk) == 8
    for path, item in of_desk.items():
        for method, operation in item.items():
            assert operation["security"] == [{"annotator": []}]
            assert "401" in operation["responses"]
            assert "304" not in operation["responses"]
            assert "403" in operation["responses"]
            assert ("409" in operation["responses"]) is (method != "get"), path
