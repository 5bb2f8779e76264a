"""store/schema.py and migrations/: the tables follow the code, up and down, and with several at it at once."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from pydantic import SecretStr
from sqlalchemy import inspect, text

from domain.errors import Unavailable
from store import tables
from store.database import Database, ensure_schema, open_database
from store.divergences import divergences
from store.schema import alembic_config, current_version, known_versions
from store.settings import StoreSettings

ROOT = Path(__file__).parents[2]


@pytest.fixture
def empty(server: Database) -> Iterator[Database]:
    """A database without tables, on the session's server."""
    name = f"test_{uuid4().hex}"
    outside = server.engine.execution_options(isolation_level="AUTOCOMMIT")
    with outside.connect() as connection:
        connection.execute(text(f"create database {name}"))
    url = server.engine.url.set(database=name).render_as_string(hide_password=False)
    with open_database(StoreSettings(database_url=SecretStr(url)), schema=False) as database:
        yield database
    with outside.connect() as connection:
        connection.execute(text(f"drop database {name}"))


def alembic(database: Database, name: str, *arguments: str) -> None:
    """Runs one of alembic's commands on the database."""
    with database.transaction() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        getattr(command, name)(config, *arguments)


def table_names(database: Database) -> set[str]:
    with database.transaction() as connection:
        return set(inspect(connection).get_table_names())


def test_up_down_up(empty: Database) -> None:
    """The migrations make exactly the tables of the code, take the last step back, and make it again."""
    assert current_version(empty) is None
    assert ensure_schema(empty) == (None, known_versions()[-1])
    alembic(empty, "check")
    assert table_names(empty) == {table.name for table in tables.metadata.sorted_tables} | {"alembic_version"}
    alembic(empty, "downgrade", "-1")
    assert current_version(empty) == (known_versions()[-2] if len(known_versions()) > 1 else None)
    ensure_schema(empty)
    alembic(empty, "check")
    assert ensure_schema(empty) == (known_versions()[-1],) * 2


def test_all_the_way_down(empty: Database) -> None:
    """What was stored at the first version is read by this code, and every step can be taken back without losing it."""
    alembic(empty, "upgrade", "0001")
    names = "id, key, capture_id, visit_id, kind, verdict, reason, path, structural, rendered, box, rules"
    values = "'0a', 'k', 'v-0', 'v', 'stale', 'flagged', 'disagree', '#a', '1', '2', '[1, 2, 3, 4]', '1'"
    visit = "'v', 'shop', 'https://shop.example/', 'shop.example', 'captured', '', now(), now(), '{}'"
    with empty.transaction() as connection:
        connection.execute(text(f"insert into visits values ({visit})"))  # noqa: S608 - ours
        connection.execute(text("insert into captures values ('v-0', 'v', 0, null, null, '{}')"))
        connection.execute(text(f"insert into divergences ({names}) values ({values})"))  # noqa: S608 - ours
    ensure_schema(empty)
    [old] = divergences(empty)
    assert (old.finding.box, old.finding.lines, old.finding.role, old.element, old.check) == (
        (1, 2, 3, 4),
        (),
        None,
        None,
        None,
    )
    alembic(empty, "downgrade", "0001")
    with empty.transaction() as connection:
        assert connection.scalar(text("select count(*) from divergences")) == 1
    alembic(empty, "downgrade", "base")
    assert table_names(empty) == {"alembic_version"}


def test_names_and_comments(empty: Database) -> None:
    """Indexes, constraints and comments of the migrated tables are those of the code, by name."""
    ensure_schema(empty)
    with empty.transaction() as connection:
        seen = inspect(connection)
        for table in tables.metadata.sorted_tables:
            indexes = {index["name"] for index in seen.get_indexes(table.name)}
            uniques = {unique["name"] for unique in seen.get_unique_constraints(table.name)}
            assert {index.name for index in table.indexes} == indexes - uniques
            for column in seen.get_columns(table.name):
                assert column["comment"] == table.c[column["name"]].comment
                declared = table.c[column["name"]].type.dialect_impl(connection.dialect)
                declared = getattr(declared, "impl_instance", declared)
                assert getattr(column["type"], "collation", None) == getattr(declared, "collation", None), column


def test_versions_are_read_without_alembic() -> None:
    """The numbers of the migration files are alembic's own history, in order."""
    script = ScriptDirectory.from_config(alembic_config())
    assert known_versions() == tuple(revision.revision for revision in script.walk_revisions())[::-1]
    assert [script.get_current_head()] == [known_versions()[-1]]


def test_two_at_once(empty: Database) -> None:
    """Processes that find the same empty database bring it up together: all succeed, and it is done once."""
    program = "import sys; from store.database import main; sys.exit(main(['upgrade']))"
    url = empty.engine.url.render_as_string(hide_password=False)
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", program],
            env={"DATABASE_URL": url, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    said = [process.communicate(timeout=120)[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], said
    assert current_version(empty) == known_versions()[-1]


def test_newer_than_the_code(empty: Database) -> None:
    """A database from a newer Parallax is left alone, and the message says what to do."""
    ensure_schema(empty)
    with empty.transaction() as connection:
        connection.execute(text("update alembic_version set version_num = '9999'"))
    with pytest.raises(Unavailable, match=r"version 9999, newer than this code .*Update Parallax"):
        ensure_schema(empty)


def test_alembic_reads_pyproject() -> None:
    """Alembic's own commands find the migrations by pyproject.toml, the same ones as the program does."""
    config = Config(toml_file=ROOT / "pyproject.toml")
    folder = config.get_alembic_option("script_location")
    assert folder is not None
    assert Path(folder) == ROOT / "migrations"
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert "migrations" in packages
