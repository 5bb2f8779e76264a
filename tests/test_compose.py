"""docker-compose.yml, Dockerfile and .env.example say what is true of the code, without an engine to try them on."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic_settings import BaseSettings
from typer import Typer
from typer.main import get_command

from api import cli as api_cli
from api.settings import ApiSettings
from crawler import cli_app as crawler_cli
from crawler.settings import CrawlerSettings
from store import database
from store.settings import StoreSettings

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if "build" in service]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
EXAMPLE = (ROOT / ".env.example").read_text()
APPS: dict[str, Typer] = {"crawler": crawler_cli.app, "api": api_cli.app}
DEFAULT = re.compile(r"\$\{([A-Z_]+):-([^}]*)\}")
AWS = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_ENDPOINT_URL"}
"""Read by the library that talks to the bucket."""


def variables(settings: type[BaseSettings]) -> dict[str, Any]:
    """Environment variable of each setting -> its default."""
    prefix = settings.model_config.get("env_prefix") or ""
    fields = settings.model_fields.items()
    return {str(field.validation_alias or f"{prefix}{name}".upper()): field.default for name, field in fields}


SETTINGS = {**variables(CrawlerSettings), **variables(StoreSettings), **variables(ApiSettings)}
EXAMPLES: dict[str, str] = dict(re.findall(r"^#([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))
WRITTEN: dict[str, str] = dict(DEFAULT.findall(TEXT))
"""Variable -> default, of those that compose itself puts in."""


def commands() -> list[list[str]]:
    """What our services run, and how their health is asked for."""
    checks = [SERVICES[name]["healthcheck"]["test"] for name in OURS if "healthcheck" in SERVICES[name]]
    assert all(check[0] == "CMD" for check in checks), "a shell is one thing more that can fail"
    return [SERVICES[name]["command"] for name in OURS] + [check[1:] for check in checks]


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_commands_are_there(command: list[str]) -> None:
    """Every command is one of ours, and takes the options it is given."""
    if command[:3] == ["python3", "-m", "store.database"]:
        with pytest.raises(SystemExit) as ended:
            database.main([*command[3:], "--help"])
        assert ended.value.code == 0
        return
    if command[0] == "python3":  # asks for health
        assert f"COPY docker/healthy.py {Path(command[-2]).parent}/" in DOCKERFILE
        listening = {SERVICES["api"]["command"][-1], str(SERVICES["crawler"]["environment"]["CRAWLER_METRICS_PORT"])}
        assert command[-1] in listening
        return
    program, name, *given = command
    known = get_command(APPS[program]).commands  # type: ignore[attr-defined]
    assert name in known, f"docker-compose.yml runs `{program} {name}`, and there is {', '.join(known)}"
    known[name].make_context(name, given)


@pytest.mark.parametrize(("answers", "code"), [(200, 0), (503, 1), (404, 1), (None, 1)])
def test_health_is_asked_for(answers: int | None, code: int) -> None:
    """A container is well where its own address says 200, and what it says can be read with `docker inspect`."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(answers or 0)
            self.end_headers()
            self.wfile.write(f"at {self.path}".encode())

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        if answers is None:
            server.shutdown()
            server.socket.close()
        asked = [sys.executable, "-SE", str(ROOT / "docker" / "healthy.py"), str(port)]
        told = subprocess.run(asked, capture_output=True, text=True, check=False)
        server.shutdown()
    assert (told.returncode, told.stderr) == (code, "")
    assert ("at /health" if answers else "Nothing answers") in told.stdout


def test_services_hold_out() -> None:
    """Every service is left to itself for months: it starts again, tells its health, rotates its logs, keeps to its memory."""
    assert set(SERVICES) == {"postgres", "migrate", "crawler", "api"}
    for name, service in SERVICES.items():
        assert service["init"] is True, name
        assert service["logging"] == {"driver": "json-file", "options": {"max-size": "10m", "max-file": "5"}}, name
        if name == "migrate":
            assert service["restart"] == "no"
            continue
        assert service["restart"] == "unless-stopped", name
        assert {"test", "interval", "timeout", "retries", "start_period"} <= set(service["healthcheck"]), name
        assert {"mem_limit", "stop_grace_period"} <= set(service), name


def test_services_are_confined() -> None:
    """Nobody is root, nobody gains rights, the image is read only, and the sandbox of Chromium has what it needs."""
    assert re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE) == ["parallax"]
    assert DEFAULT.fullmatch(SERVICES["postgres"]["user"])[2] == "postgres"  # type: ignore[index]
    for name, service in SERVICES.items():
        assert "privileged" not in service
        assert "cap_add" not in service
        assert "no-new-privileges:true" in service["security_opt"], name
        assert service["read_only"] is True, name
        assert any(place.startswith("/tmp") for place in service["tmpfs"]), name  # noqa: S108 - inside the container
        assert name not in OURS or ("user" not in service and service["cap_drop"] == ["ALL"])
    assert "seccomp=${SECCOMP_PROFILE:-./docker/seccomp.json}" in SERVICES["crawler"]["security_opt"]


def test_the_profile_opens_namespaces_and_nothing_else() -> None:
    """What Chromium's sandbox needs is allowed without conditions; mounts, modules, keys and tracing by right are not."""
    rules = json.loads((ROOT / "docker" / "seccomp.json").read_text())
    assert rules["defaultAction"] == "SCMP_ACT_ERRNO"
    allowed = [rule for rule in rules["syscalls"] if rule["action"] == "SCMP_ACT_ALLOW" and not rule.get("args")]
    free = {name for rule in allowed if not rule.get("includes") for name in rule["names"]}
    assert {"clone", "setns", "unshare", "chroot"} <= free
    closed = "mount umount2 pivot_root bpf keyctl add_key init_module kexec_load reboot io_uring_setup perf_event_open"
    more = "userfaultfd open_by_handle_at process_vm_writev swapon settimeofday"
    assert not free & set(f"{closed} {more}".split())


def test_order() -> None:
    """Tables are made when the database answers; everybody else begins when they are, and ends before the database does."""
    healthy, done = {"condition": "service_healthy"}, {"condition": "service_completed_successfully"}
    assert SERVICES["migrate"]["depends_on"] == {"postgres": healthy}
    for name in ("crawler", "api"):
        # Of migrate nothing runs when all is stopped, so the way over it would put nothing in order.
        assert SERVICES[name]["depends_on"] == {"postgres": healthy, "migrate": done}


def test_crawlers_can_be_many() -> None:
    """`--scale crawler=3`: nothing of a crawler is there only once."""
    for service in SERVICES.values():
        assert "container_name" not in service
    assert "ports" not in SERVICES["crawler"]


def test_only_this_machine_is_served() -> None:
    """The one published port is on 127.0.0.1."""
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert ports == ["127.0.0.1:${API_PORT:-8000}:8000"]


def test_what_is_stored_outlives_containers() -> None:
    """Postgres, blobs and the crawler's spool are in volumes; the API reads where the crawler writes; our own user owns it."""
    assert set(COMPOSE["volumes"]) == {"postgres", "data"}
    [volume] = SERVICES["postgres"]["volumes"]
    assert SERVICES["postgres"]["environment"]["PGDATA"].startswith(volume.split(":")[1] + "/")
    assert "data:/data" in SERVICES["crawler"]["volumes"]
    assert "data:/data:ro" in SERVICES["api"]["volumes"]
    assert "PARALLAX_DATA=/data\n" in DOCKERFILE
    assert "install -d -o parallax -g parallax /data\n" in DOCKERFILE
    assert {DEFAULT.fullmatch(SERVICES[name]["environment"]["BLOB_URL"])[2] for name in OURS} == {"/data/blobs"}  # type: ignore[index]
    # What only this container's browsers need is in memory, and gone with them.
    assert any(place.startswith("/data/run:") for place in SERVICES["crawler"]["tmpfs"])


def test_images_can_be_others() -> None:
    """Every image is a setting with a public default, and no registry is named."""
    for name, service in SERVICES.items():
        assert DEFAULT.fullmatch(service["image"]), name
    assert SERVICES["crawler"]["build"]["args"] == {"PYTHON_IMAGE": "${PYTHON_IMAGE:-python:3.11-slim-bookworm}"}
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["${PYTHON_IMAGE}"] * 2
    defaults = [WRITTEN[name] for name in ("PYTHON_IMAGE", "POSTGRES_IMAGE", "PARALLAX_IMAGE")]
    assert all("/" not in image and ":" in image for image in defaults)


def test_every_example_is_a_setting() -> None:
    """A variable of .env.example is read by the code, or by compose; those that are for the crawler reach it."""
    unknown = set(EXAMPLES) - set(SETTINGS) - set(WRITTEN) - AWS
    assert not unknown, f".env.example explains {sorted(unknown)}, which nothing reads"
    unexplained = set(WRITTEN) - set(EXAMPLES)
    assert not unexplained, f".env.example has no line for {sorted(unexplained)}"
    passed = {name for service in SERVICES.values() for name, value in service.get("environment", {}).items() if value is None}
    assert passed - set(WRITTEN) == set(EXAMPLES) - set(WRITTEN), "passed on by docker-compose.yml, and in .env.example"
    assert passed <= set(SETTINGS) | AWS


def test_examples_show_the_defaults() -> None:
    """What .env.example shows is the default, so that taking a # away changes nothing; an example where nothing is set."""
    wrong = []
    for name, shown in EXAMPLES.items():
        default = SETTINGS.get(name)
        default = str(default).lower() if isinstance(default, bool) else str(default)
        written = WRITTEN.get(name, "")
        if name in WRITTEN and not (name in SETTINGS and default == shown) and name != "BLOB_URL" and written != shown:
            wrong.append(f"{name}: compose has {written}")
        if name in SETTINGS and default not in {"", "None"} and default != shown:
            wrong.append(f"{name}: the code has {default}")
    assert not wrong


def test_no_address_is_in_the_recipe() -> None:
    """Neither file names a place to download from, nor a setting of the classic builder's successor."""
    assert not re.search(r"https?://|--index|\.(io|com|org)/", DOCKERFILE)
    assert not re.search(r"https?://", TEXT)
    assert not re.search(r"^# *syntax=|--mount=|--chmod|--link|<<[-~]?['\"]?EOF|--platform|SHELL", DOCKERFILE, re.MULTILINE)
    assert "requirements.lock" in DOCKERFILE
    assert "--only-binary :all:" in DOCKERFILE


def test_what_the_image_is_made_of() -> None:
    """.dockerignore lets in every package that the wheel is made of, and what pyproject.toml names."""
    let_in = set(re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    packages = {"domain", "channels", "store", "crawler", "builder", "api", "migrations"}
    assert let_in == packages | {"pyproject.toml", "requirements.lock", "README.md", "LICENSE", "docker/healthy.py"}
    assert all((ROOT / name).exists() for name in let_in)


def test_up_and_down(tmp_path: Path) -> None:
    """`make up` and `make down` use `docker compose` where it is there, else docker-compose, and say what a container is at."""
    spec = importlib.util.spec_from_file_location("tools_compose", ROOT / "tools" / "compose.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    states = {
        ("running", "healthy", 0): "healthy",
        ("running", "starting", 0): "starting",
        ("exited", None, 0): "done",
        ("exited", "unhealthy", 3): "exited with 3",
        ("restarting", None, 1): "restarting",
    }
    for (status, health, code), word in states.items():
        told = {"Status": status, "ExitCode": code} | ({"Health": {"Status": health}} if health else {})
        assert tool.state(told) == word

    def ask(docker: str) -> str:
        (tmp_path / "docker").write_text(f"#!/bin/sh\n{docker}\n")
        (tmp_path / "docker").chmod(0o755)
        (tmp_path / "docker-compose").write_text("#!/bin/sh\necho older $@; exit 7\n")
        (tmp_path / "docker-compose").chmod(0o755)
        done = subprocess.run(
            ["/usr/bin/env", "make", "down", "VOLUMES=1"],
            cwd=ROOT,
            env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    assert "newer down --volumes" in ask('[ "$1 $2" = "compose version" ] && exit 0; shift; echo newer $@; exit 0')
    said = ask("exit 1")
    assert "older down --volumes" in said
    assert "failed; what it said is above" in said
