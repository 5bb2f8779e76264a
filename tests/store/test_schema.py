"""store/schema.py and migrations/: the tables follow the code, up and down, and with several at it at once."""

from __future__ import annotations

import re
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
from domain.identity import digest
from store import tables
from store.annotators import find_annotator
from store.audit_desk import progress
from store.database import Database, ensure_schema, open_database
from store.divergences import divergences
from store.release_recipes import recipes_alone
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


def test_recipes_frozen_before_they_were_marked(empty: Database) -> None:
    """What a full row or the folder names is handed out; what recipes alone name is not, nor what nothing tells of."""
    alembic(empty, "upgrade", "0013")
    full = '{"redistribution": "full", "screenshot": "aa", "structure": "bb", "channels": {"swap": {"structure": "cc"}}}'
    recipe = '{"redistribution": "recipe", "screenshot": "aa", "structure": "dd", "channels": {"swap": {"structure": "ee"}}}'
    with empty.transaction() as connection:
        connection.execute(text("insert into releases values ('v1', 'd', '{}', '{}', now()), ('v2', 'd', '{}', '{}', now())"))
        insert = text("insert into release_probes values (:release, :probe, cast(:record as jsonb))")
        rows = [("v1", "p", full), ("v1", "q", recipe), ("v2", "q", recipe)]
        connection.execute(insert, [dict(zip(("release", "probe", "record"), row, strict=True)) for row in rows])
        held = [("v1", digest) for digest in ("aa", "bb", "cc", "dd", "ee", "ff", "00")] + [("v2", "aa"), ("v2", "dd")]
        insert = text("insert into release_blobs values (:release, :digest)")
        connection.execute(insert, [{"release": release, "digest": digest} for release, digest in held])
        connection.execute(text("insert into release_files values ('v1', 'README.md', 'ff', 1, 'text/plain')"))
    ensure_schema(empty)
    with empty.transaction() as connection:
        marked = connection.execute(text("select release || digest from release_blobs where recipe")).scalars()
        assert set(marked) == {"v1dd", "v1ee", "v100", "v2aa", "v2dd"}
    assert recipes_alone(empty, ["aa", "bb", "cc", "dd", "ee", "ff", "00", "11"]) == {"dd", "ee", "00"}


def test_audits_under_way_before_turns_were_for_all(empty: Database) -> None:
    """Who had which place, what was skipped and what is left stay as they were; taken back, everybody's order is back."""
    alembic(empty, "upgrade", "0016")
    places = [
        # item, place, annotator, category: b is disputed, c has one answer, d is leased, e is hidden, f was skipped by ann
        *[("b", 1, "ann", "x"), ("b", 2, "bob", "y"), ("c", 1, "ann", "x"), ("d", 1, "bob", None)],
    ]
    with empty.transaction() as connection:
        connection.execute(text("insert into releases values ('v1', 'd', '{}', '{}', now())"))
        people = text("insert into annotators values (:name, 'human', null, :thirds, now(), null)")
        connection.execute(people, [{"name": name, "thirds": name == "cy"} for name in ("ann", "bob", "cy")])
        connection.execute(text("insert into audits values ('paper', 'v1', 5, false, 6, now(), null)"))
        values = "(:item, 'paper', :item, 'p', '{}', case when :item = 'e' then now() end)"
        connection.execute(text(f"insert into audit_items values {values}"), [{"item": item} for item in "abcdef"])  # noqa: S608 - ours
        connection.execute(text("insert into audit_members values ('paper', 'ann', now()), ('paper', 'bob', now())"))
        # Stages as that version had them.
        stages = {"ann": (0, None, None, 1, None, 0), "bob": (0, None, 1, None, None, 0)}
        for name, given in stages.items():
            for item, stage in zip("abcdef", given, strict=True):
                turn = int(digest("5", name, item)[:15], 16)
                shown = "now()" if item in {"ann": "bcf", "bob": "bd"}[name] else "null"
                skipped = "now()" if (name, item) == ("ann", "f") else "null"
                row = f"(:item, :name, 'paper', 'human', :turn, :stage, {skipped}, {shown})"
                values = {"item": item, "name": name, "turn": turn, "stage": stage}
                connection.execute(text(f"insert into audit_turns values {row}"), values)  # noqa: S608 - ours
        for item, place, name, category in places:
            done = "now()" if category else "null"
            row = f"(:item, 'human', :place, 'paper', :name, now(), now(), 'value', :said, :said, 1, {done})"
            given_values = {"item": item, "place": place, "name": name, "said": category}
            connection.execute(text(f"insert into audit_places values {row}"), given_values)  # noqa: S608 - ours
        old = text("select * from audit_turns order by item, annotator")
        before = connection.execute(old).all()
    ensure_schema(empty)
    alembic(empty, "check")
    with empty.transaction() as connection:
        turns = connection.execute(text("select item, kind, block, stage, holder from audit_turns order by kind, item")).all()
        shown = connection.execute(text("select item, annotator, skipped is not null from audit_shown order by 1, 2")).all()
        keys = connection.scalars(text("select key from audit_members")).all()
    assert len(set(keys)) == 2  # whoever had joined has one for sheets, a secret
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in keys)
    wanted = [("a", 0, ""), ("b", 2, ""), ("c", 1, "ann"), ("d", 1, "bob"), ("e", None, ""), ("f", 0, "")]
    assert [(row.item, row.stage, row.holder) for row in turns if row.kind == "human"] == wanted
    assert [(row.stage, row.block) for row in turns if row.kind == "model"] == [
        (None if item == "e" else 0, 1) for item in "abcdef"
    ]
    assert shown == [("b", "ann", False), ("b", "bob", False), ("c", "ann", False), ("d", "bob", False), ("f", "ann", True)]
    ann, cy = (find_annotator(empty, name) for name in ("ann", "cy"))
    left = [progress(empty, "paper", one) for one in (ann, cy)]
    assert [(one.answered, one.left, one.skipped) for one in left] == [(2, 3, 1), (0, 5, 0)]
    alembic(empty, "downgrade", "0016")
    with empty.transaction() as connection:
        assert connection.execute(old).all() == before
