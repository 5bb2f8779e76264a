"""The tables are at the version this code was written for."""

from __future__ import annotations

import re
from importlib import resources
from typing import TYPE_CHECKING, Any

from sqlalchemy import text

from domain.errors import Unavailable

if TYPE_CHECKING:
    from store.database import Database


def known_versions() -> tuple[str, ...]:
    """Versions that this code knows, first to last: the numbers of the migration files. Quick: needs no alembic."""
    names = (path.name for path in (resources.files("migrations") / "versions").iterdir())
    return tuple(sorted(match[1] for name in names if (match := re.match(r"(\d{4})_\w+\.py$", name))))


def current_version(database: Database) -> str | None:
    """Version of the tables, None where there are none."""
    with database.transaction() as connection:
        if connection.scalar(text("select to_regclass('alembic_version')")) is None:
            return None
        version: str | None = connection.scalar(text("select version_num from alembic_version"))
        return version


def ensure_schema(database: Database) -> tuple[str | None, str]:
    """Brings the tables to the version of this code, making them at first. Returns the versions before and after.

    Several processes may do so at once: the migrations take a lock, and the second finds nothing left to do.
    Raises Unavailable where the database is newer than this code.
    """
    known = known_versions()
    before = current_version(database)
    if before is not None and before not in known:
        raise Unavailable(
            f"The database {database.place} is at version {before}, newer than this code ({known[-1]}). "
            "Update Parallax, or point DATABASE_URL or PARALLAX_DATA elsewhere."
        )
    if before != known[-1]:
        from alembic import command  # noqa: PLC0415 - slow to import, and needed once

        with database.transaction() as connection:
            config = alembic_config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    return before, known[-1]


def alembic_config() -> Any:
    """Alembic's settings for migrations from inside the program, wherever the package is installed."""
    from alembic.config import Config  # noqa: PLC0415 - as above

    config = Config()
    config.set_main_option("script_location", "migrations:")
    return config
