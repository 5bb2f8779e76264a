"""What handlers ask for."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from store.database import Database


def _database(request: Request) -> Database:
    opened: Database = request.app.state.database
    return opened


Stored = Annotated[Database, Depends(_database)]
"""The database of this process: a pool of connections, each tried before it is used."""
