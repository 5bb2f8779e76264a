"""orphans: what a worker starts is written down, so that the next one can end what a killed worker left, and nothing else.

    <data>/run/<host>-<pid>-<random>/
        lock            locked (flock) while the worker lives: the kernel lets go of it, however the worker ends
        owner.json      host, boot, pid namespace; pids mean nothing anywhere else
        flags/<hex>     one empty file for each --parallax-instance=<hex> that was started and has not ended
        processes/<pid> when it was born, and its name
        t/              the temporary folder of browsers: profiles, downloads

A process is ours when its command line has a flag that was written down (128 random bits), or when pid, birth and name are
those written down, on the same boot of the same machine in the same pid namespace.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil
from pydantic import ValidationError

from crawler.browsers import program
from domain.errors import Unavailable
from domain.record import Record

LONGEST_TEMP = 52
"""Characters. Chromium puts a socket below (`/xxxx/org.chromium.Chromium.XXXXXX/SingletonSocket`), whose path may have 107."""
FOREIGN_S = 24 * 3600.0
"""A folder of another machine or container, unlocked and so long unchanged, is taken away. Its processes are left alone."""
MARK = ".parallax"


class Owner(Record):
    """Whose pids the folder speaks of. temp: the temporary folder, where it is not inside."""

    host: str
    boot: str
    namespace: str
    pid: int
    temp: str | None = None

    @property
    def worker(self) -> str:
        """<host name>-<pid>-<four digits>: containers may share a host name, and each has a process 1."""
        where = hashlib.sha256(f"{self.boot} {self.namespace}".encode()).hexdigest()[:4]
        return f"{self.host}-{self.pid}-{where}"

    def here(self) -> bool:
        """Whether its pids are this process's pids."""
        mine = owner()
        return (self.host, self.boot, self.namespace) == (mine.host, mine.boot, mine.namespace)


class Started(Record):
    """One process. born: clock ticks from the boot to its start on Linux, else seconds since 1970."""

    pid: int
    born: str
    name: str


@dataclass(frozen=True, slots=True)
class Swept:
    """What dead workers had left."""

    processes: int = 0
    folders: int = 0
    workers: tuple[str, ...] = field(default=(), compare=False)
    """What each was called."""


def owner(temp: Path | None = None) -> Owner:
    """This process, on this boot of this machine, in its pid namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        namespace = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        boot, namespace = str(int(psutil.boot_time())), ""
    return Owner(host=socket.gethostname(), boot=boot, namespace=namespace, pid=os.getpid(), temp=str(temp) if temp else None)


def look(pid: int) -> Started | None:
    """The process that has this pid now; None where there is none."""
    try:
        process = psutil.Process(pid)
        stat = Path(f"/proc/{pid}/stat")
        # Field 22, counted after the name, which may hold blanks and brackets. It does not move when the clock is set.
        born = stat.read_text().rpartition(")")[2].split()[19] if stat.exists() else str(process.create_time())
        return Started(pid=pid, born=born, name=process.name())
    except (psutil.Error, OSError, IndexError):
        return None


class Run:
    """The folder of this worker, for as long as it lives.

    with Run(data_dir) as run: everything that is started and not ended by then ends with it.
    """

    def __init__(self, data_dir: Path) -> None:
        self._root = data_dir.absolute() / "run"
        host = re.sub(r"[^A-Za-z0-9]+", "-", socket.gethostname())[:12]
        self.folder = self._root / f"{host}-{os.getpid()}-{secrets.token_hex(4)}"
        self.temp = self.folder / "t"
        self._lock = -1

    def __enter__(self) -> Self:
        # Made under a name that nobody sweeps, and named when it is locked.
        making = self.folder.with_name(f".{self.folder.name}")
        try:
            making.mkdir(parents=True, mode=0o700)
            self._lock = _locked(making / "lock", create=True)
            outside = None
            if len(str(self.temp)) > LONGEST_TEMP:
                self.temp = outside = Path(tempfile.mkdtemp(prefix="plx-"))
                (outside / MARK).write_text(self.folder.name)
            for inner in ("flags", "processes", *(() if outside else ("t",))):
                (making / inner).mkdir(mode=0o700)
            (making / "owner.json").write_text(owner(outside).model_dump_json())
            making.rename(self.folder)
        except OSError as error:
            raise Unavailable(f"The run folder {self.folder} cannot be made: {error.strerror}. See PARALLAX_DATA.") from error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        _end(self.folder)
        _remove(self.folder, self.temp)
        os.close(self._lock)

    def scratch(self) -> Path:
        """A new folder for the temporary files of one browser or driver."""
        self.temp.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="", dir=self.temp))

    def started(self, flag: str) -> None:
        """Something is about to start with this flag (`--parallax-instance=<32 hex digits>`). Raises Unavailable."""
        self._write(f"flags/{flag.rpartition('=')[2]}", "")

    def ended(self, flag: str) -> None:
        """All that was started with this flag has ended."""
        (self.folder / "flags" / flag.rpartition("=")[2]).unlink(missing_ok=True)

    def process(self, pid: int) -> None:
        """A driver with this pid has started. Raises Unavailable."""
        if (seen := look(pid)) is not None:
            self._write(f"processes/{pid}", seen.model_dump_json())

    def process_ended(self, pid: int) -> None:
        """The driver with this pid has ended."""
        (self.folder / "processes" / str(pid)).unlink(missing_ok=True)

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        except OSError as error:
            # Without a record nobody would ever end it.
            raise Unavailable(f"The run folder {self.folder} cannot be written: {error.strerror}.") from error


def sweep(data_dir: Path) -> Swept:
    """Ends what dead workers of this machine left, and removes their folders. Never raises; living workers are left alone."""
    root = data_dir.absolute() / "run"
    processes = folders = 0
    workers: list[str] = []
    for folder in sorted(root.iterdir()) if root.is_dir() else ():
        with contextlib.suppress(OSError):
            if folder.name.startswith(".") and time.time() - folder.stat().st_mtime < FOREIGN_S:
                continue
        with contextlib.suppress(OSError), _dead(folder):
            told = _owner(folder)
            if told is not None and told.here():
                processes += _end(folder)
                workers.append(told.worker)
            elif time.time() - _changed(folder) < FOREIGN_S:
                continue
            _remove(folder, Path(told.temp) if told is not None and told.temp else folder / "t")
            folders += 1
    return Swept(processes, folders, tuple(workers))


def _locked(path: Path, *, create: bool) -> int:
    """A descriptor that holds the lock of this file. Raises OSError where another process does."""
    lock = os.open(path, os.O_RDWR | (os.O_CREAT if create else 0), 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(lock).st_ino != path.stat().st_ino:
            raise FileNotFoundError(path)  # another sweep took it away between the two
    except OSError:
        os.close(lock)
        raise
    return lock


@contextlib.contextmanager
def _dead(folder: Path) -> Iterator[None]:
    """Holds the lock of a dead worker's folder. Raises OSError where the worker lives, or where this is no such folder."""
    lock = _locked(folder / "lock", create=False)
    try:
        yield
    finally:
        os.close(lock)


def _owner(folder: Path) -> Owner | None:
    try:
        return Owner.model_validate_json((folder / "owner.json").read_bytes())
    except (OSError, ValidationError):
        return None


def _changed(folder: Path) -> float:
    """When anything was last written down there, s since 1970."""
    return max(path.stat().st_mtime for path in (folder, folder / "lock", *folder.glob("*/")))


def _end(folder: Path) -> int:
    """Kills what this folder says was started and is still there; how many."""
    flags = [f"--parallax-instance={f.name}" for f in folder.glob("flags/*") if re.fullmatch("[0-9a-f]{32}", f.name)]
    ended = {process.pid: process for process in program.processes(*flags)}
    for path in folder.glob("processes/*"):
        with contextlib.suppress(OSError, ValidationError, psutil.Error):
            told = Started.model_validate_json(path.read_bytes())
            if look(told.pid) == told:
                ended[told.pid] = psutil.Process(told.pid)
    return program.kill(ended.values())


def _remove(folder: Path, temp: Path) -> None:
    """The lock goes last, so that a removal that is cut short is taken up by the next sweep."""
    inside = temp.is_relative_to(folder)
    if not inside:
        with contextlib.suppress(OSError):
            # Only what this very worker made, whatever the record says.
            if (temp / MARK).read_text() == folder.name:
                shutil.rmtree(temp, ignore_errors=True)
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.name != "lock":
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    (folder / "lock").unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        folder.rmdir()
