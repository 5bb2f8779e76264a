"""By which names the API is asked: a page elsewhere whose name is made to lead to this machine reads nothing of it."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api.app import create_app
from api.layers.named import names_of
from api.settings import ApiSettings
from store.blobs import Blobs
from store.database import Database
from tests.api.asking import problem


@pytest.fixture(scope="module")
def app(server: Database) -> FastAPI:
    """An API that listens at this machine alone and goes by one name besides."""
    return create_app(server, Blobs("memory://"), ApiSettings(rate="0", hosts="probes.lab.example, [2001:db8::7]:80"))


@pytest.fixture(scope="module")
def asking(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize(
    "host",
    ["localhost", "LocalHost:8000", "127.0.0.1:8000", "[::1]", "[::1]:9", "probes.lab.example", "probes.lab.example.:443",
     "[2001:db8::7]"],
)  # fmt: skip
def test_own_names(asking: TestClient, host: str) -> None:
    """Those of this machine and those of API_HOSTS, in capitals too, at any port."""
    assert asking.get("/kinds", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "lab.example", "", "[::1",
     "localhost:8000:9000", "user@localhost", "localhost/evil.example", "192.0.2.1"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/kinds", "/pages/probes", "/static/page.css", "/health", "/nothing"])
def test_other_names(asking: TestClient, path: str, host: str) -> None:
    """421 with a code, and what to do; whatever is asked for."""
    told = problem(asking.get(path, headers={"Host": host}), "misdirected")
    assert "API_HOSTS" in told


def test_two_names(asking: TestClient) -> None:
    """A request that goes by two names is nobody's."""
    problem(asking.get("/kinds", headers=[("Host", "localhost"), ("Host", "evil.example")]), "misdirected")


@pytest.mark.parametrize(
    ("target", "host", "status"),
    [
        ("http://evil.example/kinds", "localhost", 421),
        ("http://localhost@evil.example/kinds", "localhost", 421),
        ("http://evil.example?http://localhost/kinds", "localhost", 421),
        ("http://evil.example/kinds", "localhost\r\nHost: localhost", 421),
        ("http://localhost/kinds", "localhost\r\nHost: evil.example", 421),
        ("http://localhost/kinds", "evil.example", 200),
        ("HTTP://Probes.Lab.Example.:80/kinds", "localhost", 200),
        ("http://[::1]:9/kinds", "localhost", 200),
        ("http://localhost?nothing=1", "localhost", 422),
    ],
)
def test_the_name_in_a_whole_address(address: str, target: str, host: str, status: int) -> None:
    """`GET http://name/path`, as proxies are asked: the name in it counts, and what Host says does not (RFC 9112, 3.2.2)."""
    port = int(address.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), 20) as opened:
        opened.sendall(f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        with opened.makefile("rb") as answer:
            assert answer.readline().startswith(b"HTTP/1.1 %d " % status)


@pytest.mark.parametrize(
    ("listening", "hosts", "answered"),
    [
        ("127.0.0.1", (), {"localhost", "127.0.0.1", "::1"}),
        ("127.0.0.2", (), {"localhost", "127.0.0.1", "::1", "127.0.0.2"}),
        ("localhost", ("a.example",), {"localhost", "127.0.0.1", "::1", "a.example"}),
        ("::1", ("*",), None),
        ("0.0.0.0", (), None),  # noqa: S104 - nothing listens
        ("192.0.2.1", (), None),
        ("0.0.0.0", ("api",), {"localhost", "127.0.0.1", "::1", "0.0.0.0", "api"}),  # noqa: S104
    ],
)
def test_names(listening: str, hosts: tuple[str, ...], answered: set[str] | None) -> None:
    """Who listens at this machine alone is strict from the start; who listens elsewhere, where names are given."""
    assert names_of(listening, hosts) == answered
