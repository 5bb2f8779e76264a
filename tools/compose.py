"""Brings the services of docker-compose.yml up and waits until all are well; takes them down again.

python3 tools/compose.py up [SERVICE=NUMBER ...]    builds, starts, waits, prints where to look; crawler=3 starts three
python3 tools/compose.py down [--volumes]           stops them; what is stored stays, but for --volumes

Standard library only. Uses `docker compose` where it is there, else docker-compose.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST_S = 300.0
"""From the start of the containers until all are well. Building is not in it."""
PAUSE_S = 1.0


class Stop(Exception):
    """It cannot go on; the message says why."""


def docker() -> str:
    found = shutil.which("docker")
    if found is None:
        raise Stop("There is no Docker here. Install it, or go without containers: make setup.")
    return found


def compose() -> list[str]:
    """The compose command of this machine."""
    if subprocess.run([docker(), "compose", "version"], capture_output=True, check=False).returncode == 0:
        return [docker(), "compose"]
    if older := shutil.which("docker-compose"):
        return [older]
    raise Stop("Docker is here, and its compose is not: install the package docker-compose-plugin or docker-compose.")


def run(command: list[str]) -> None:
    # In this folder: docker-compose 1.29 looks for docker/seccomp.json where it is started.
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise Stop(f"`{' '.join(command[-3:])}` failed; what it said is above.")


def states(command: list[str]) -> dict[str, str]:
    """Name of each container of the project -> healthy, starting, unhealthy, running, done, or how it failed."""
    listing = [*command, "ps", "-q", *(["--all"] if len(command) > 1 else [])]  # 1.29 lists those that have ended anyway
    ids = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    if not ids:
        return {}
    told = subprocess.run([docker(), "inspect", *ids], capture_output=True, text=True, check=True).stdout
    return {container["Name"].lstrip("/"): state(container["State"]) for container in json.loads(told)}


def state(told: dict[str, object]) -> str:
    """One word of `docker inspect`, in ours."""
    if told["Status"] == "exited":
        return "done" if told["ExitCode"] == 0 else f"exited with {told['ExitCode']}"
    health = told.get("Health")
    return str(health["Status"] if isinstance(health, dict) else told["Status"])


def wait(command: list[str]) -> None:
    """Returns when every container is healthy, or has done its work. Raises Stop with those that are not."""
    last, end = "", time.monotonic() + LONGEST_S
    while True:
        found = states(command)
        said = ", ".join(f"{name} {word}" for name, word in sorted(found.items()))
        if said != last:
            print(f"compose: {said}", flush=True)
            last = said
        if found and set(found.values()) <= {"healthy", "done"}:
            return
        failed = [name for name, word in found.items() if word.startswith("exited") or word == "unhealthy"]
        if failed or time.monotonic() > end:
            late = failed or [name for name, word in found.items() if word not in {"healthy", "done"}]
            for name in late:
                print(f"--- the end of the log of {name}", flush=True)
                subprocess.run([docker(), "logs", "--tail", "20", name], check=False)
            raise Stop(f"Not well: {', '.join(late)}. They were left as they are: `make down` takes them away.")
        time.sleep(PAUSE_S)


def port() -> str:
    """API_PORT, from the environment or .env."""
    lines = (ROOT / ".env").read_text().splitlines() if (ROOT / ".env").exists() else []
    written = next((line.partition("=")[2].strip() for line in lines if line.startswith("API_PORT=")), "")
    return os.environ.get("API_PORT") or written or "8000"


def up(arguments: list[str]) -> None:
    command = compose()
    run([*command, "build"])
    run([*command, "up", "--detach", *(word for scale in arguments for word in ("--scale", scale))])
    wait(command)
    base, logs = f"http://127.0.0.1:{port()}", " ".join([Path(command[0]).name, *command[1:]])
    print(f"All is well.\n  probes   {base}/probes?family=web-natural\n  health   {base}/health\n  metrics  {base}/metrics")
    print(f"  logs     {logs} logs -f crawler\n  stop     make down")


def main(arguments: list[str]) -> int:
    """0 done, 1 could not, 2 asked wrongly, 130 interrupted."""
    try:
        match arguments:
            case ["up", *scales] if all("=" in scale for scale in scales):
                up(scales)
            case ["down"]:
                run([*compose(), "down"])
            case ["down", "--volumes"]:
                run([*compose(), "down", "--volumes"])
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except Stop as stop:
        print(f"compose: {stop}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("compose: interrupted; `make down` takes away what was started.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
