"""What handlers ask for."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from store.blobs import Blobs
from store.database import Database


# Not in a thread of the pool: that takes longer than what they do.
async def _database(request: Request) -> Database:
    opened: Database = request.app.state.database
    return opened


async def _blobs(request: Request) -> Blobs:
    opened: Blobs = request.app.state.blobs
    return opened


Stored = Annotated[Database, Depends(_database)]
"""The database of this process: a pool of connections; those that were cut are noticed before they are used."""
Archive = Annotated[Blobs, Depends(_blobs)]
"""The blobs that the settings name: what pages were made of, by digest."""
