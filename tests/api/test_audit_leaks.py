"""What an annotator can come to know: pixels, a region, a question. Nothing that a structure says, and no proposed gold.

The fields of all that is told are a fixed set; and of a whole session in a browser every answer is searched, byte by byte.
"""

from __future__ import annotations

import hashlib
import inspect
import struct
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser

from api.app import create_app
from api.bare_png import KEPT, MARK, bare
from api.settings import ApiSettings
from domain import audit
from domain.audit import Label
from domain.errors import NotFound, Unavailable
from domain.record import Record
from store.blobs import Blobs
from store.database import Database
from tests.api.at_desk import Desk, Told
from tests.api.audited import NAME, Audited, audited, written
from tests.api.serving import serving

PIXELS_ONLY = (
    "Annotators see pixels and nothing else: that is what the audit's numbers are worth (docs/audit.md). A field that is "
    "new here reaches everybody who judges. If it tells nothing of a structure, of options, of proposed gold, of where the "
    "page is from, and of what others answered, add it to the list; else leave it to store.audit_results. They differ in: "
)
OF_DOMAIN = {
    "Region": {"x", "y", "width", "height"},
    "AuditItem": {"item", "ask", "question", "choices", "width", "height", "region"},
    "Label": {"answer", "value"},
    "Judgement": {"item", "annotator", "kind", "label", "when", "seconds", "place"},
}
"""Every record of domain.audit. Judgement is stored, and never told to annotators."""
OF_DESK = {
    **{name: OF_DOMAIN[name] for name in ("Region", "AuditItem", "Label")},
    "OpenAudits": {"items"},
    "OpenAudit": {"audit", "items"},
    "GivenLabel": {"answer", "value", "seconds"},
    "OwnItem": {"item", "label"},
    "OwnProgress": {"answered", "left", "skipped", "adjudicates"},
    "Problem": {"type", "title", "status", "code", "detail", "instance", "request_id"},
}
"""Every schema that an operation under /audits names."""
HEADERS = {
    "cache-control", "connection", "content-encoding", "content-length", "content-security-policy", "content-type",
    "cross-origin-opener-policy", "cross-origin-resource-policy", "date", "permissions-policy", "ratelimit", "ratelimit-policy",
    "referrer-policy", "retry-after", "server", "transfer-encoding", "vary", "www-authenticate", "x-content-type-options",
    "x-request-id",
}  # fmt: skip
"""Of the desk's answers. None of them is made of a file: no ETag, no Content-Disposition, no Link, no Last-Modified."""


def test_the_fields_of_what_is_asked_are_these() -> None:
    """No record of domain.audit has a field that is not on the list above."""
    there = {
        name: set(record.model_fields)
        for name, record in inspect.getmembers(audit, inspect.isclass)
        if issubclass(record, Record) and record.__module__ == audit.__name__
    }
    assert there == OF_DOMAIN, PIXELS_ONLY + _differing(there, OF_DOMAIN)


def test_the_fields_of_what_is_told_are_these() -> None:
    """No schema that the desk's part of the document names has a field that is not on the list; neither has a parameter."""
    document = create_app().openapi()
    operations = [item for path, item in document["paths"].items() if path.startswith("/audits")]
    schemas = document["components"]["schemas"]
    there = {name: set(schemas[name].get("properties", ())) for name in _named(operations, schemas)}
    assert there == OF_DESK, PIXELS_ONLY + _differing(there, OF_DESK)
    parameters = {one["name"] for item in operations for operation in item.values() for one in operation.get("parameters", ())}
    assert parameters == {"audit", "item"}, PIXELS_ONLY + str(parameters)


def _differing(there: dict[str, set[str]], known: dict[str, set[str]]) -> str:
    """Which of both has what the other has not."""
    pairs = [{f"{name}.{one}" for name, fields in given.items() for one in fields} | given.keys() for given in (there, known)]
    return ", ".join(sorted(pairs[0] ^ pairs[1]))


def _named(part: Any, schemas: dict[str, Any]) -> set[str]:
    """The schemas that a part of the document leads to."""
    found: set[str] = set()
    waiting = [part]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            where, _, name = str(one.get("$ref", "")).rpartition("/")
            if where == "#/components/schemas" and name not in found:
                found.add(name)
                waiting.append(schemas[name])
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return {name for name in found if schemas[name].get("type") == "object"}


def leaks(told: Sequence[Told], made: Audited, typed: set[str]) -> list[str]:
    """What was told that must not be: secrets of any item, a picture's own bytes or name, a header that is not on the list."""
    found = []
    secrets = {secret: item for item in made.rows for secret in made.secrets(item, typed=item in typed)}
    for shot in made.shots.values():  # a tag would be made of another hash, or of what is in the store
        for told_by in (
            hashlib.blake2b(shot, digest_size=16),
            hashlib.blake2b(shot),
            *(hashlib.new(name, shot) for name in ("md5", "sha1", "sha512")),
        ):
            secrets |= dict.fromkeys(written(told_by.hexdigest()), "a hash")
    for one in told:
        where = f"{one.method} {one.url}"
        text = one.all.lower()
        of_desk = "/audits" in one.url
        # Of the page and its files only what belongs to one item: they are the same for everybody.
        words = [secret for secret in secrets if of_desk or len(secret) > 8]
        found += [f"{where}: {secret!r} of {secrets[secret]}" for secret in words if secret.lower().encode() in text]
        if of_desk:
            found += [f"{where}: header {name}" for name in one.headers if name.lower() not in HEADERS]
            found += [f"{where}: may be kept" for _ in [0] if one.headers.get("cache-control") != "no-store"]
        if one.headers.get("content-type") == "image/png":
            found += [f"{where}: the screenshot's own bytes" for shot in made.shots.values() if one.body == shot]
            found += [f"{where}: chunk {name!r}" for name in chunks(one.body) if name not in KEPT]
    return found


def chunks(png: bytes) -> Iterator[bytes]:
    """Names of a PNG's parts; what stands behind the end is a part, too."""
    at = len(MARK)
    while at < len(png):
        length, name = struct.unpack_from(">I4s", png, at)
        at += 12 + length
        yield name
        if name == b"IEND" and at < len(png):
            yield png[at:]
            return


@pytest.mark.browser
def test_a_whole_session_tells_nothing(browser: Browser, database: Database, blobs: Blobs) -> None:
    """Signed in, answered, skipped, taken back, refused, finished: no answer holds what nobody may know, nor can be kept.

    What one annotator answers is in no answer to the other.
    """
    made = audited(database, blobs, 8, "ann", "ben", checkboxes=True)
    with serving(create_app(database, blobs, ApiSettings(rate="6000/minute"))) as address:
        for name in ("ann", "ben"):
            with Desk(browser, address, made, name) as desk:
                desk.key("Alt+s")
                typed = set()
                while item := desk.item:
                    typed.add(item)
                    desk.answer(_said(made, item, name, len(typed)))
                last = desk.take_back()
                desk.answer(Label(answer="unsure"))
                _ask_amiss(desk, last)
                told = desk.told()
                assert typed == made.rows.keys()
                assert len([one for one in told if one.headers.get("content-type") == "image/png"]) > len(made.rows)
                assert leaks(told, made, typed if name == "ann" else set()) == []
                assert [one.url for one in told if name == "ben" and b"by ann" in one.body] == []
                assert desk.page.evaluate("Object.keys(localStorage)") == []
                assert desk.context.cookies() == []
                assert desk.outside == []


def _said(made: Audited, item: str, name: str, n: int) -> Label:
    """Now gold, now something else that tells whose it is, now a word without a text."""
    if made.rows[item].variable == "checked":
        return Label(answer="value", value="unchecked")
    if n % 3 == 0:
        return Label(answer="absent")
    return made.right(item) if name == "ann" and n % 3 == 1 else Label(answer="value", value=f"by {name} alone")


def _ask_amiss(desk: Desk, item: str) -> None:
    """What is refused tells as little: a wrong token, an item of somebody else's, another answer, a wrong choice."""
    desk.page.evaluate(
        """async ([here, item, own]) => {
            const ask = async (method, path, body, token = own) => {
                const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
                return (await fetch(here + path, { method, body, headers })).text();
            };
            await ask("PUT", `/items/${item}/label`, '{"answer": "unreadable"}');
            await ask("PUT", `/items/${item}/label`, '{"answer": "value"}');
            await ask("GET", `/items/${"A".repeat(22)}/picture`);
            await ask("GET", `/items/${item}`);
            await ask("POST", "/next", undefined, "ann:wrong");
            await ask("GET", "/nothing");
        }""",
        [f"/audits/{NAME}", item, f"{desk.name}:{desk.made.tokens[desk.name]}"],
    )


def test_what_leaks_is_found(database: Database, blobs: Blobs) -> None:
    """The search itself: a structural value, a probe's id, a tag or an address of the real digest, the file itself."""
    made = audited(database, blobs, 2, "ann")
    item, row = next(iter(made.rows.items()))
    here = f"/audits/{NAME}/items/{item}/picture"
    private = {"cache-control": "no-store", "content-type": "image/png"}
    good = bare(made.shots[item])
    assert leaks([Told("GET", here, private, good)], made, set()) == []
    tag = hashlib.blake2b(made.shots[item], digest_size=16).hexdigest()
    hashed = hashlib.sha256(row.id.encode()).hexdigest()
    for bad in (
        Told("GET", f"/audits/{NAME}/pictures/{row.screenshot}", private, good),
        Told("GET", f"/audits/{NAME}/pictures/{row.screenshot[:12]}.png", private, good),
        Told("GET", here, {**private, "etag": f'"{row.screenshot}"'}, good),
        Told("GET", here, {**private, "x-picture": tag}, good),
        Told("GET", here, {**private, "cache-control": "public, max-age=31536000, immutable"}, good),
        Told("GET", here, private, made.shots[item]),
        Told("GET", here, private, good + b"more"),
        *(
            Told("GET", here, private | {"content-type": "application/json"}, f'{{"note": "in {secret}."}}'.encode())
            for secret in (row.structural, row.gold, row.id, hashed, made.pictures[item], blobs.url)
        ),
    ):
        assert leaks([bad], made, set()), bad.headers


def test_a_picture_is_of_no_other_name(database: Database, blobs: Blobs) -> None:
    """The stored picture of an item is not the screenshot's blob; what is sent has a digest that its row does not have."""
    made = audited(database, blobs, 4, "ann")
    with TestClient(create_app(database, blobs, ApiSettings(rate="0"))) as client:
        client.headers.update(made.header("ann"))
        item = client.post(f"/audits/{NAME}/next").json()["item"]
        content = client.get(f"/audits/{NAME}/items/{item}/picture").content
    digest = hashlib.sha256(content).hexdigest()
    assert digest not in made.rows[item].model_dump_json()
    assert blobs.get(digest) == content
    with pytest.raises(NotFound):
        blobs.get(made.rows[item].screenshot)


def test_pixels_alone_are_sent(database: Database, blobs: Blobs) -> None:
    """Whatever was stored: text, times and profiles within a PNG, and bytes behind its end, stay here. No PNG: not sent."""
    made = audited(database, blobs, 1, "ann")
    [shot], [row] = made.shots.values(), made.rows.values()
    assert row.structural.encode() in shot
    sent = bare(shot + row.gold.encode())
    assert set(chunks(sent)) == {b"IHDR", b"IDAT", b"IEND"}
    assert row.structural.encode() not in sent
    for broken in (b"", b"GIF89a", shot[:-7], shot[:60], MARK):
        with pytest.raises(Unavailable, match="picture of this item"):
            bare(broken)
