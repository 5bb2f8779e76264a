"""The application: one resource, one file in api/routes and one line here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from api import logs, problems
from api.metrics import Counted
from api.routes import health, probes
from store.database import Database, open_database

ROUTERS = (health.router, probes.router)


def create_app(database: Database | None = None) -> FastAPI:
    """The application on the given database, which stays the caller's; else on the one that the settings name.

    It starts without a database too, and says so at /health: whoever waits for it need not start it again.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # Tables are not touched: that is for `python -m store.database upgrade`, once and before.
        app.state.database = database or open_database(schema=False)
        try:
            yield
        finally:
            if database is None:
                app.state.database.close()

    # The pages of /docs would load scripts from elsewhere; /openapi.json is all there is of it.
    app = FastAPI(title="Parallax", version="0.1.0", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.add_middleware(Counted)
    problems.register(app)
    for router in ROUTERS:
        app.include_router(router)
    return app


def served() -> FastAPI:
    """The application as `api serve` starts it in each of its processes, with its log in order."""
    logs.configure()
    return create_app()
