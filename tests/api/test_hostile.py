"""Whatever the API is sent in a question, it answers with what there is or with a problem: never with a fault, never with more.

Every parameter of every operation and page is tried: they are found in the OpenAPI document, so new ones are tried as well.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import text

from api.app import create_app
from api.settings import ApiSettings
from store import tables
from store.database import Database
from tests.api.serving import serving
from tests.api.stocked import Stocked
from tests.api.walking import TOKEN, Answer, Asker, Operation, operations

Walked = tuple[Asker, list[Operation]]
PROBLEM = "application/problem+json"
NOTHING = "zq7w"
"""In no text of the store: what matches it all the same was made to match."""
SQL = (
    f"{NOTHING}' OR '1'='1",
    f"{NOTHING}') OR 1=1; drop table probes; --",
    f"{NOTHING}%' union select record from probes where id like '%",  # noqa: S608 - that is what it is
    f'{NOTHING}\\\' or 1=1 -- " or ""="',
    f"{NOTHING}' || pg_sleep(45) || ' $$; select pg_sleep(45) $$ :* | ! & <-> ( ''",
)
ODD = (
    "\u202e\ufeff\u200b\uffff\U0010ffff",
    "%s%n%x %(a)s {0} {{7*7}} ${7*7} #{7*7}",
    *"*%_\\\"' ",
    "a:*b & | ! <->",
    "null",
    "\r\nX-Injected: 1\r\n\r\n<script>",
    "é" * 700,
    "x" * 20_000,
    "(" * 3000,
    "\ufdfa" * 200,  # one character that is eighteen when it is put in its plain form
)
NO_TEXT = ("%00", "a%00b", "%ED%A0%80", "%C0%AF", "%F5%80%80%80", "%FF%FE", "%E2%82", "%80")
"""NUL, half of a surrogate pair, overlong, beyond the last character, and what begins or ends nowhere."""
NUMBERS = (
    "-1",
    "0",
    str(2**31),
    str(2**63),
    "9" * 400,
    "9" * 5000,
    "1e3",
    "1e400",
    "NaN",
    "-0",
    "0x10",
    "1_000",
    " 1",
    "\u0661",
    "",
)
NO_NUMBER = ("-1", "9" * 400, "1e400", "NaN", "0x10", "")
FIRST, LAST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"
NO_MOMENT = ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999-23:59", "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-03-01T00:00:00+99:99", "-1", "1e20", "9" * 20, "NaN",
    "now", "infinity", "", "2026-03-01'--")  # fmt: skip


FEW_OR_ALL = pytest.mark.parametrize("few", [1, pytest.param(100, marks=pytest.mark.slow)])
"""Each parameter with one of the texts, each of the texts with some parameter; and, at length, each with each."""


@pytest.fixture(scope="module")
def walked(made: Stocked) -> Iterator[Walked]:
    settings = ApiSettings(token=SecretStr(TOKEN), rate="0")
    app = create_app(made.database, made.blobs, settings)
    with serving(app) as address:
        asker = Asker(address)
        yield asker, operations(app, made)
        asker.close()


def must_be_fine(answer: Answer, asked: str) -> None:
    """What there is, or a problem in full; nothing of what was sent is a header; nobody's inside is told."""
    assert answer.status < 500, f"{answer.status} to {asked[:300]}: {answer.body[:500]!r}"
    if answer.status >= 400 and answer.headers["content-type"] != "text/html; charset=utf-8":
        assert answer.headers["content-type"] == PROBLEM, asked[:300]
        assert answer.told["status"] == answer.status
        assert len(answer.body) < 5000, f"{len(answer.body)} bytes of complaint: {asked[:300]}"
    assert "x-injected" not in answer.headers, asked[:300]
    for inside in (b"Traceback", b"psycopg", b"sqlalchemy", b"SELECT "):
        assert inside not in answer.body, asked[:300]


def items_of(answer: Answer) -> Any:
    """What a list or a count holds."""
    told = answer.told
    return told.get("items", told.get("total")) if isinstance(told, dict) else None


def test_what_is_there_is_found(walked: Walked) -> None:
    """The walk begins at places where there is something: else all that follows would be asked of nothing."""
    asker, every = walked  # audits are not in this store; they are asked all the same, for what is not there
    lost = {str(one): answer.body[:200] for one in every if one.method == "GET" and "/audits" not in one.path
        and (answer := asker.ask("GET", one.target())).status not in {200, 307}}  # fmt: skip
    assert lost == {}
    assert len(every) > 20


@FEW_OR_ALL
def test_sql_is_text(few: int, walked: Walked, made: Stocked) -> None:
    """What is meant for the database's parser matches nothing, does nothing, and waits for nothing, in any parameter."""
    asker, every = walked
    before = _rows(made.database)
    for one, name, where, said in _each(every, SQL, few):
        target = _target(one, name, where, said)
        answer = asker.ask(one.method, target, _body(one))
        must_be_fine(answer, f"{one.method} {target}")
        if where == "path":
            assert answer.status >= 400, target
        elif answer.status == 200 and not one.is_page:
            assert not items_of(answer), f"{target} matched: {answer.body[:300]!r}"
    assert _rows(made.database) == before


@FEW_OR_ALL
def test_odd_texts(few: int, walked: Walked) -> None:
    """Text of any sort and length is looked for, or refused; it is no header, no template, no query language."""
    asker, every = walked
    for one, name, where, said in _each(every, ODD, few):
        target = _target(one, name, where, said)
        must_be_fine(asker.ask(one.method, target, _body(one)), f"{one.method} {target}")


@FEW_OR_ALL
def test_what_is_no_text(few: int, walked: Walked) -> None:
    """NUL, halves of surrogate pairs, overlong UTF-8 and bytes that are none: refused in every place, with 400."""
    asker, every = walked
    for one, name, where, said in _each(every, NO_TEXT, few):
        target = _target(one, name, where, "MARK").replace("MARK", said)
        answer = asker.ask(one.method, target, _body(one))
        must_be_fine(answer, f"{one.method} {target}")
        assert answer.status == 400, target
        assert one.is_page or answer.told["code"] == "bad-text", target


@FEW_OR_ALL
def test_odd_names(few: int, walked: Walked) -> None:
    """A parameter that there is not is refused, whatever its name: NUL, two thousand of them, one very long, one twice."""
    asker, every = walked
    refused = (
        "nosuch=1",
        "%00=1",
        "%ff=1",
        "a[]=1",
        "x" * 9000 + "=1",
        "&".join(f"p{n}=1" for n in range(2000)),
        "limit=1&limit=2",
    )
    for one in every[:: 1 if few > 1 else 5]:
        for query in (*refused, "=", "&&", "?", "%") if one.method == "GET" else ():
            answer = asker.ask("GET", f"{one.target().split('?')[0]}?{query}")
            must_be_fine(answer, f"GET {one.path}?{query[:100]}")
            assert query not in refused or answer.status in {400, 422}, f"{one} took {query[:100]}"


def test_numbers(walked: Walked) -> None:
    """Numbers of more than 64 bits, below zero, in other scripts and notations: refused or taken at their word."""
    asker, every = walked
    asked = [(one, name, said) for one in every if not one.is_page for name in one.numbers for said in NUMBERS]
    for one, name, said in asked:
        must_be_fine(answer := asker.ask(one.method, target := one.target({name: said}), _body(one)), target)
        assert said not in NO_NUMBER or answer.status in {400, 422} or one.is_page, target
    assert len(asked) > 100


def test_moments(walked: Walked) -> None:
    """The first and the last moment of the calendar are moments; those beyond it in another zone, and numbers, are none."""
    asker, every = walked
    asked = [(one, name, said) for one in every for name in one.moments for said in (FIRST, LAST, *NO_MOMENT)]
    for one, name, said in asked:
        must_be_fine(answer := asker.ask(one.method, target := one.target({name: said})), target)
        assert one.is_page or answer.status == (422 if said in NO_MOMENT else 200), target
    assert len(asked) > 50


BODIES: tuple[tuple[bytes, dict[str, str]], ...] = (
    *((body, {}) for body in (b"", b"{", b"null", b"[]", b'"text"', b"1e999", b"NaN", b"\xff\xfe{}", b'{"what": "\\ud800"}')),
    (b"[" * 20_000 + b"]" * 20_000, {}),
    (b'{"a":' * 5000 + b"1" + b"}" * 5000, {}),
    (b'{"what": "a\\u0000b", "why": "x"}', {}),
    (b'{"what": ' + b"9" * 5000 + b"}", {}),
    (b"x" * 100_000, {}),
    *(
        (b"what=a", {"Content_Type": f"application/{kind}"})
        for kind in ("x-www-form-urlencoded", "xml", "json; charset=utf-16")
    ),
    *((b"{}", {"Content_Type": kind}) for kind in ("", "text/plain", "multipart/form-data", "multipart/form-data; boundary=x")),
    *((b"{}", {"Content_Encoding": coding}) for coding in ("gzip", "br, gzip", "identity, deflate")),
    (gzip.compress(b"0" * 10_000_000), {"Content_Encoding": "gzip"}),
)


def test_bodies(walked: Walked, made: Stocked) -> None:
    """Bodies that are no JSON, not ours, deep, large, packed, or say that they are something else: refused, nothing is done."""
    asker, every = walked
    before = _rows(made.database)
    writes = [one for one in every if one.body is not None]
    for one in writes:
        for body, headers in BODIES:
            answer = asker.ask(one.method, one.target(), body, **headers)
            must_be_fine(answer, f"{one} {body[:60]!r} {headers}")
            assert answer.status >= 400, f"{one} took {body[:60]!r} {headers}"
    assert writes
    assert _rows(made.database) == before


def test_fields_of_bodies(walked: Walked) -> None:
    """Every field of every body may hold anything, and is no fault."""
    asker, every = walked
    for one in (one for one in every if one.body is not None):
        schema = one.body or {}
        for name in schema.get("properties", {}):
            for said in (*SQL, *ODD, 10**400, -1, True, None, [], {}, ["a"] * 5000):
                filled = {other: f"{NOTHING} why" for other in schema.get("required", ()) if other != name}
                answer = asker.ask(one.method, one.target(), json.dumps({**filled, name: said}).encode())
                must_be_fine(answer, f"{one} {name}={str(said)[:60]!r}")


DOTS = (
    "../",
    "..%2f",
    "%2e%2e/",
    "%2e%2e%2f",
    "%252e%252e%252f",
    "..%5c",
    "..\\",
    "....//",
    "/",
    "//",
    "%2f",
    "%2f%2f",
    "file:///",
    "C:%5c",
    "~/",
)


def test_paths_lead_nowhere_else(walked: Walked, made: Stocked) -> None:
    """No path leads out of archives, static files or a release: encoded once or twice, with backslashes, absolute."""
    asker, _ = walked
    for base in (
        "/archives/",
        "/static/",
        f"/releases/{made.release}/files/",
        f"/releases/{made.release}/files/blobs/",
        "/docs/",
    ):
        for dots in DOTS:
            for place in ("etc/passwd", "pyproject.toml"):
                for target in (base + dots * 8 + place, base + dots + place):
                    answer = asker.ask("GET", target)
                    must_be_fine(answer, f"GET {target}")
                    assert answer.status in {400, 404, 422}, target
    digest = made.visits["shop"][0].captures[0].artifacts["dom"]
    for wrong in (
        digest.upper(),
        digest[:-1],
        f"{digest}0",
        f"%20{digest}",
        f"{digest}.gz",
        f"{digest[:2]}/{digest[2:]}",
        "0" * 64,
        f"{digest}%0a",
    ):
        assert asker.ask("GET", f"/archives/{wrong}").status in {404, 422}, wrong


def test_methods(walked: Walked) -> None:
    """A method that a path does not take is a problem with Allow; TRACE mirrors nothing; HEAD is GET without its body."""
    asker, every = walked
    taken: dict[str, set[str]] = {}
    for one in every:
        taken.setdefault(one.path, set()).add(one.method)
    for one in every:
        for method in {"TRACE", "PUT", "PROPFIND"} - taken[one.path]:
            answer = asker.ask(method, one.target(), X_Mirror="mirrored")
            must_be_fine(answer, f"{method} {one.path}")
            assert answer.status == 405, f"{method} {one.path}"
            assert taken[one.path] <= set(answer.headers["allow"].split(", ")), f"{method} {one.path}"
            assert b"mirrored" not in answer.body
        if one.method == "GET":
            whole, head = (asker.ask(method, one.target()) for method in ("GET", "HEAD"))
            assert (head.status, head.body) == (whole.status, b""), one
            assert head.headers["content-type"] == whole.headers["content-type"], one


RANGES = ("bytes=", "bytes=-", "bytes=9-1", "bytes=-0", "bytes=0-0,2-3", "bytes=" + "0-1," * 500, "bytes=-" + "9" * 400,
    "bytes=" + "9" * 5000 + "-", "lines=1-2", "bytes=a-b", "bytes 0-1", "bytes=\u0661-\u0662", "bytes=0-0x9",
    "bytes=1-+2", "bytes=1_0-2_0")  # fmt: skip
HEADERS: dict[str, tuple[str, ...]] = {
    "If_None_Match": ("*", '"', "W/", '"a", "' + "b" * 9000 + '"', ",,,", "\xff\xfe"),
    "If_Modified_Since": ("never",),
    "Accept": ("*/*;q=nan", "a", ",", "text/html;q=1e9", "*/*;q=0", "application/x-ndjson;q=-1", "x/y," * 900, "\xe9"),
    "Accept_Encoding": ("gzip;q=0", "br", "*", "gzip;q=x", "identity;q=0"),
    "X_Request_ID": ("a" * 9000, "\xff", "a b", "../..", "{}"),
    "Authorization": ("Basic", "Basic %%%", "Basic OnQ=", "Bearer", "Bearer \xff", "Digest x", "Bearer " + "x" * 9000),
    "X_Forwarded_For": ("1.2.3.4, x", "[::1", "%s", "a" * 9000),
    "Origin": ("null", "https://evil.example", "\xff"),
    "Host": ("evil.example", "a:b:c", "[", "\xff", "127.0.0.1:99999"),
    "Content_Length": ("5", "\xb2"),
}


STEERED = {"/probes", "/pages/probes", "/archives/{sha256}", "/stats", "/takedowns", "/probes/{probe_id}/crop"}


def test_odd_headers(walked: Walked) -> None:
    """Headers that steer an answer may say anything; who says to be another host is not sent there."""
    asker, every = walked
    tried = [one for one in every if one.path in STEERED]
    for one in (one for one in tried if one.method == "GET"):
        for name, saids in HEADERS.items():
            for said in saids:
                answer = asker.ask("GET", one.target({"limit": "1"} if "limit" in one.numbers else {}), **{name: said})
                assert answer.status < 500, f"{one} {name}: {said[:60]}"
                assert "evil.example" not in str(answer.headers), f"{one} {name}"
                asker.close()  # what follows a length that is wrong is no request
    for one in every:
        for said in (
            RANGES if one.path in {"/archives/{sha256}", "/releases/{name}/files/{path}", "/releases/{name}/download"} else ()
        ):
            for more in ({}, {"If_Range": '"x"'}, {"If_Range": "Thu, 99 Foo 2026"}):
                answer = asker.ask("GET", one.target(), Range=said.encode().decode("latin-1"), **more)
                assert answer.status in {200, 206, 400, 416}, f"{one} {said[:60]} {more}"


def test_cursors_cannot_be_changed(walked: Walked) -> None:
    """Each character of a cursor changed, one taken away or put in, or another question: 400, bad-cursor."""
    asker, every = walked
    lists = 0  # of the first every character; they are all made in one place
    for one in every:
        if one.method != "GET" or "after" not in one.texts or one.is_page:
            continue
        cursor = asker.ask("GET", one.target({"limit": 1})).told["after"]
        if cursor is None:
            continue
        lists += 1
        assert asker.ask("GET", one.target({"limit": 1, "after": cursor})).status == 200
        changed = {cursor[:n] + chr(ord(cursor[n]) ^ 1) + cursor[n + 1 :] for n in range(0, len(cursor), 7 if lists > 1 else 1)}
        changed |= {cursor[:-1], cursor + "A", cursor + "=", cursor[1:], cursor * 2, cursor[:20], " " + cursor, "é" + cursor}
        for wrong in sorted(changed):
            answer = asker.ask("GET", target := one.target({"limit": 1, "after": wrong}))
            assert (answer.status, answer.told.get("code")) in {(400, "bad-cursor"), (422, "bad-parameter")}, target
        for name, value in (
            ("site", "shop"),
            ("family", "web-natural"),
            ("kind", "aria"),
            ("outcome", "captured"),
            ("state", "listed"),
        ):
            if name in one.texts:
                answer = asker.ask("GET", target := one.target({"limit": 1, name: value, "after": cursor}))
                assert (answer.status, answer.told.get("code")) == (400, "bad-cursor"), target
    assert lists >= 4


def _each(every: list[Operation], saids: tuple[str, ...], few: int) -> Iterator[tuple[Operation, str, str, str]]:
    """(operation, name, path or query, text) for every text of every operation, with so many of the texts, in turn."""
    turn = 0
    for one in every:
        for name, where in one.texts.items():
            if where == "header":
                continue
            for n in range(min(few, len(saids))):
                yield one, name, where, saids[(turn + n) % len(saids)]
            turn += few


def _target(one: Operation, name: str, where: str, said: str) -> str:
    return one.target(**{name: said}) if where == "path" else one.target({name: said})


def _body(one: Operation) -> bytes | None:
    return b"{}" if one.body is not None else None


def _rows(database: Database) -> dict[str, int]:
    with database.transaction() as connection:
        return {
            table.name: int(connection.scalar(text(f"select count(*) from {table.name}")) or 0)  # noqa: S608 - our own names
            for table in tables.metadata.sorted_tables
        }
