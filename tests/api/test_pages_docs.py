"""/docs: everything that the OpenAPI document tells is on the page, and can be tried there without scripts."""

from __future__ import annotations

import json
import shlex
import threading
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from lxml import html
from playwright.sync_api import Browser

from api.app import create_app
from api.settings import ApiSettings
from store.blobs import Blobs
from store.database import Database
from tests.api.opened import Opened

Json = dict[str, Any]
ENDS = ("minimum", "maximum", "minLength", "maxLength", "pattern")
WAIT_S = 60
"""For what is made once, on a machine that has much else to do."""


@pytest.fixture(scope="module")
def app(server: Database) -> FastAPI:
    """The API, and one route more that nobody has told the page of."""
    made = create_app(server, Blobs("memory://"))

    @made.get("/lately/{thing}")
    def lately(thing: str, depth: int = 7) -> dict[str, int]:
        """What came `lately`."""
        return {thing: depth}

    return made


@pytest.fixture(scope="module")
def document(app: FastAPI) -> Json:
    told: Json = json.loads(json.dumps(app.openapi()))
    return told


@pytest.fixture(scope="module")
def page(address: str) -> html.HtmlElement:
    return html.fromstring(httpx2.get(f"{address}/docs", timeout=WAIT_S).text)


def test_it_is_made_before_anyone_asks(server: Database) -> None:
    """As `api serve` starts it, /docs is made in a thread of its own; all who ask for the document have the same."""
    app = create_app(server, Blobs("memory://"))
    app.state.docs_early = True
    with TestClient(app), ThreadPoolExecutor(3) as pool:
        told = list(pool.map(lambda _: app.openapi(), range(3)))
        for thread in threading.enumerate():
            if thread.name == "docs":
                thread.join(WAIT_S)
        assert "list_probes" in app.state.docs.operations
    assert all(one is told[0] for one in told)
    assert "Problem" in told[0]["components"]["schemas"]  # the document as it is told, and not as it is made first


def operations(document: Json) -> list[tuple[str, str, Json]]:
    """(method, path, operation), in the document's order."""
    return [(method, path, told) for path, item in document["paths"].items() for method, told in item.items()]


def text(element: html.HtmlElement) -> str:
    """What is read, blanks put together."""
    return " ".join(element.text_content().split())


def plain(told: str) -> str:
    """The document's words without their signs."""
    return " ".join(told.replace("`", "").split())


def said_of(schema: Json) -> list[str]:
    """What a parameter's schema allows, and what it is where it is not given."""
    found = [str(schema["default"]).lower()] if schema.get("default") is not None else []
    for one in schema.get("anyOf", [schema]):
        found += [str(value) for value in one.get("enum", ())]
        found += [str(one[end]).removesuffix(".0") for end in ENDS if end in one]
    return found


def row_of(table: html.HtmlElement, name: str) -> str:
    """The row of this name."""
    [row] = (row for row in table.iter("tr") if row.find("th/code") is not None and row.find("th/code").text == name)
    return text(row)


def test_every_operation_is_there(page: html.HtmlElement, document: Json) -> None:
    """Each under its own id, linked from the contents, with its words, every status, code and media type, and its example."""
    links = page.xpath("//nav[@aria-label='Contents']//li/a/@href")
    for method, path, told in operations(document):
        panel = page.get_element_by_id(told["operationId"])
        read = text(panel)
        assert f"#{told['operationId']}" in links
        assert f"{method.upper()} {path}" in read
        assert plain(told["summary"]) in read
        assert plain(told["description"]) in read
        for status, answer in told["responses"].items():
            [row] = (row for row in panel.iter("tr") if row.find("th") is not None and row.find("th").text == status)
            said = answer["description"]  # FastAPI's own words say nothing: the status does, in words
            assert plain(HTTPStatus(int(status)).phrase if said == "Successful Response" else said) in text(row), (path, status)
            assert all(media in text(row) for media in answer.get("content", ())), (path, status)
            for content in answer.get("content", {}).values():
                if "example" in content:
                    shown = [json.loads(one.text_content()) for one in panel.xpath(".//details/pre")]
                    assert content["example"] in shown, path
        assert panel.xpath("string(.//pre[contains(@class, 'curl')])").startswith("curl")
    assert "/lately/{thing}" in text(page)


@pytest.mark.parametrize(
    ("host", "shown"),
    [("127.0.0.1:18761", "http://127.0.0.1:18761"), ("localhost", "http://localhost"), ("[::1]:9", "http://[::1]:9"),
     ("probes.lab.example:8080", "http://probes.lab.example:8080"), ("a'; rm -rf ~; '", "http://127.0.0.1:8123"),
     ("lab.example/evil", "http://127.0.0.1:8123"), ("", "http://127.0.0.1:8123")],
)  # fmt: skip
def test_command_lines_ask_where_the_page_was_asked(server: Database, host: str, shown: str) -> None:
    """Every one, with an ETag of that address; where what is asked for is no name, the address of the settings."""
    with TestClient(create_app(server, Blobs("memory://"), ApiSettings(rate="0", hosts="*", port=8123))) as client:
        answer = client.get("/docs", headers={"Host": host})
        lines = [
            shlex.split(one.text_content())[-1] for one in html.fromstring(answer.text).xpath("//pre[contains(@class, 'curl')]")
        ]
        assert len(lines) > 40
        assert [line for line in lines if not line.startswith(f"{shown}/")] == []
        known = {"If-None-Match": answer.headers["etag"]}
        assert client.get("/docs", headers={"Host": host, **known}).status_code == 304
        assert client.get("/docs", headers={"Host": "other.example", **known}).status_code == 200


def test_every_parameter_is_there(page: html.HtmlElement, document: Json) -> None:
    """Each has a row: name, where it goes, all values and ends, default, words. So has each field of a body."""
    seen = 0
    for _, path, told in operations(document):
        panel = page.get_element_by_id(told["operationId"])
        for parameter in told.get("parameters", ()):
            row = row_of(panel, parameter["name"])
            assert [one for one in said_of(parameter["schema"]) if one not in row] == [], (path, row)
            assert f" {parameter['in']} " in row
            assert plain(parameter.get("description", "")) in row
            assert not parameter["required"] or "required" in row
            seen += 1
        for content in told.get("requestBody", {}).get("content", {}).values():
            record = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
            for name, schema in record["properties"].items():
                row = row_of(panel, name)
                assert [one for one in said_of(schema) if one not in row] == [], (path, row)
                assert plain(schema.get("description", "")) in row
    assert seen > 100


def test_every_record_is_there(address: str, page: html.HtmlElement, document: Json) -> None:
    """What is answered stands on a page of its own, field by field; no link to a record leads nowhere."""
    records = html.fromstring(httpx2.get(f"{address}/docs/records").text)
    for name, schema in document["components"]["schemas"].items():
        section = records.get_element_by_id(name)
        assert plain(schema.get("description", "")) in text(section)
        for field in schema.get("properties", {}):
            assert row_of(section, field)
    there = set(records.xpath("//section/@id"))
    for one in (records, page):
        linked = {link.rpartition("#")[2] for link in one.xpath("//a/@href") if link.startswith("/docs/records#")}
        assert linked
        assert linked <= there


def test_what_a_browser_can_ask_has_a_form(page: html.HtmlElement, document: Json) -> None:
    """A field for each parameter but headers, wherever reading needs no token; nothing that writes can be sent from here."""
    for method, _, told in operations(document):
        forms = page.get_element_by_id(told["operationId"]).xpath(".//form")
        assert len(forms) == (method == "get" and "security" not in told)
        for form in forms:
            asked = [one["name"] for one in told.get("parameters", ()) if one["in"] != "header"]
            assert form.xpath(".//@name") == asked
            assert form.get("method") == "get"


def test_a_form_leads_to_what_it_asks(address: str) -> None:
    """Empty fields are left out, parts of the path put in their place and kept there; what cannot be asked is refused."""

    def led(question: str) -> str:
        return str(httpx2.get(f"{address}/docs/try/{question}").headers["location"])

    assert led("list_probes?limit=2&kind=&text=a+%26+b&site=") == "/probes?limit=2&text=a+%26+b"
    assert led("lately?thing=a%3Fb%23c&depth=3") == "/lately/a%3Fb%23c?depth=3"
    assert led("lately?thing=//elsewhere.example/") == "/lately///elsewhere.example/"
    assert httpx2.get(f"{address}/docs/try/lately?thing=&depth=3").status_code == 422
    assert httpx2.get(f"{address}/docs/try/list_takedowns").status_code == 404
    assert httpx2.get(f"{address}/docs/try/add_takedown").status_code == 404


@pytest.mark.browser
def test_it_is_tried_without_scripts(browser: Browser, address: str) -> None:
    """A form is filled in and sent by keyboard; what comes is the API's own answer."""
    with Opened(browser, address, "/docs#list_probes", java_script_enabled=False) as opened:
        form = opened.page.locator("#list_probes form")
        opened.page.locator("#list_probes .try summary").press("Enter")
        form.locator("[name=kind]").select_option("stale")
        form.locator("[name=limit]").fill("3")
        with opened.page.expect_navigation():
            form.locator("[name=limit]").press("Enter")
        assert opened.path == "/probes?limit=3&kind=stale"
        assert opened.page.locator("body").inner_text().startswith('{"items":[')  # whatever other tests have left there


@pytest.mark.browser
def test_typing_leaves_what_fits(browser: Browser, address: str) -> None:
    """The page and its contents show what has all the words; a link to another shows it again; it looks as all pages do."""
    with Opened(browser, address, "/docs") as opened:
        page = opened.page
        everything = page.locator(".operation:visible").count()
        page.keyboard.press("/")
        page.keyboard.type("WHO ENTERS it")
        shown = page.eval_on_selector_all(".operation:not([hidden])", "found => found.map(one => one.id)")
        assert shown == ["add_takedown"]
        assert page.locator(".contents li li:visible").all_inner_texts() == ["POST\n/takedowns"]
        assert opened.texts("#left") == [f"1 of {everything} operations"]
        page.evaluate("location.hash = 'list_probes'")
        page.locator("#list_probes:visible").wait_for()
        assert page.locator(".operation:visible").count() == everything
        assert address in page.locator("#list_probes .curl").inner_text()
        page.click(".keys summary")
        page.uncheck("#keys-on")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "keys-on", "single keys are off"
        page.emulate_media(color_scheme="dark")
        ground = "getComputedStyle(document.querySelector('.operation')).backgroundColor"
        assert page.evaluate(ground) == "rgb(28, 30, 34)"
        assert not opened.outside
        assert not opened.complaints
