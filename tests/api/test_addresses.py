"""Addresses that answers hold: no page's link leads to a stranger, and a problem names the path as it was asked."""

from __future__ import annotations

import socket
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from fastapi.testclient import TestClient
from lxml import html

from api.addresses import reference
from tests.api.conftest import Keep

ACCEPT = {"Accept": "text/html"}


@pytest.mark.parametrize(
    "path",
    ["/pagesjavascript:alert(1)", "/pageshttps://evil.example/x", "/pages//evil.example/login?x=1", "/pagesxyz",
     "/pages///evil.example", "/pages/%5cevil.example/x", "/pages/\\evil.example/x", "/pages/%09/evil.example",
     "/pages/%2fevil.example", "/pages/%2f/evil.example", "/pages/nope",
     "/pages", "/pages/", "/pages/..//e.example", "/pages/kinds/x", "/nope", "//evil.example/pages/x"],
)  # fmt: skip
def test_what_is_no_page_has_no_twin(address: str, path: str) -> None:
    """Whatever is asked for: a page of a problem links to what is ours alone, and to no JSON that there is not."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), 20) as opened:
        opened.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n".encode())
        with opened.makefile("rb") as sent:
            head, _, content = sent.read().partition(b"\r\n\r\n")
    assert head.split()[1] in {b"404", b"405"}
    page = html.fromstring(content.decode())
    assert page.xpath("//link[@rel='alternate']") == []
    assert "as JSON" not in page.text_content()
    for link in page.xpath("//@href"):
        assert urlsplit(urljoin("http://localhost/pages/x", link)).netloc == "localhost", link


def test_a_problem_has_its_twin_where_it_is_told_to_programs_too(client: TestClient, keep: Keep) -> None:
    """Of what there is not, and of a wrong question, the link gives the same problem; of a page that is well, what it shows."""
    keep(1, site="shop")
    for path, status in (
        ("/pages/probes/web-natural-none", 404), ("/pages/sites/a%3Fb", 404), ("/pages/probes?limit=0", 422),
        ("/pages/probes?nosuch=a%26b", 422), ("/pages/sites/shop", 200), ("/pages/probes?site=shop", 200),
    ):  # fmt: skip
        answer = client.get(path)
        assert answer.status_code == status
        [twin] = html.fromstring(answer.text).xpath("//link[@rel='alternate']/@href")
        assert client.get(twin).status_code == status
        assert unquote(twin) == unquote(path.removeprefix("/pages"))


@pytest.mark.parametrize(
    ("path", "instance"),
    [("/sites/a%20b%3Fc%25", "/sites/a%20b%3Fc%25"), ("/probes/a%00b", "/probes/a%00b"), ("/sites/%ff", "/sites/%ff"),
     ("/sites/caf%C3%A9?x=1", "/sites/caf%C3%A9"), ("/probes/%2e%2e%2Fx", "/probes/%2e%2e%2Fx")],
)  # fmt: skip
def test_a_problem_names_the_path_as_it_was_asked(client: TestClient, path: str, instance: str) -> None:
    """A URI reference (RFC 9457, 3.1.5): with its escapes, without the query."""
    assert client.get(path).json()["instance"] == instance


@pytest.mark.parametrize(
    ("path", "written"),
    [(b"/a-b.c_d~e/:@!$&'()*+,;=", "/a-b.c_d~e/:@!$&'()*+,;="), (b"/%zz%4", "/%25zz%254"),
     (b'/a\\b"<>^`{|} \xff\0', "/a%5Cb%22%3C%3E%5E%60%7B%7C%7D%20%FF%00"),
     (b"//evil.example/x", "/.//evil.example/x"), (b"", ""), (b"*", "*"), (b"/" + b"a" * 8 + b"%C3%A9", "/aaaaaaaa..."),
     (b"/" + b"a" * 9 + b"%C3", "/aaaaaaaaa...")],
)  # fmt: skip
def test_references(path: bytes, written: str) -> None:
    """What may not stand in a URI is escaped, no path names a server, and no escape is cut in two."""
    assert reference(path, 11) == written or (len(written) > 14 and reference(path, 2000) == written)
