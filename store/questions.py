"""Questions that are asked often: put together once, then each is one trip to the database, without a transaction around it.

SQLAlchemy's own way costs several times what Postgres takes for a row by its key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Select
from sqlalchemy.dialects.postgresql import psycopg

_DIALECT = psycopg.dialect()  # type: ignore[no-untyped-call]


class Question:
    """A statement that only reads, as text for the driver. Its parameters are named; those that it holds itself are kept."""

    def __init__(self, statement: Select[Any], *, keeps_plan: bool = False) -> None:
        """keeps_plan: one plan is good for all, as for a row by its key. Else each is planned for what it asks."""
        compiled = statement.compile(dialect=_DIALECT)
        self.sql = compiled.string
        self.keeps_plan = keeps_plan
        self._own = dict(compiled.params)
        self._clean: dict[str, Callable[[Any], Any]] = {
            name: made
            for name, bound in compiled.binds.items()
            if (made := bound.type.dialect_impl(_DIALECT).bind_processor(_DIALECT)) is not None
        }

    def given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters as the driver takes them: texts cut and cleaned as those in rows are."""
        found = {**self._own, **values}
        return {name: self._clean[name](value) if name in self._clean else value for name, value in found.items()}
