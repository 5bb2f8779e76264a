"""The application: one resource, one file in api/routes and one line here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio.to_thread import current_default_thread_limiter
from anyio.to_thread import run_sync as to_thread
from fastapi import Depends, FastAPI

from api import logs, told
from api.layers import around
from api.openapi import DESCRIPTION, describe, operation_name
from api.pages import audit as audit_page
from api.pages import crawl as crawl_page
from api.pages import divergences as divergences_page
from api.pages import docs as docs_page
from api.pages import gallery as gallery_page
from api.pages import probe as probe_page
from api.pages import releases as releases_page
from api.pages import sites as sites_page
from api.pages import static as static_files
from api.parameters import known_parameters
from api.reviving import Reviving
from api.rounds import Rounds
from api.routes import (
    archives,
    audits,
    captures,
    crawl,
    crops,
    divergences,
    elements,
    families,
    health,
    kinds,
    probes,
    releases,
    sites,
    stats,
    takedowns,
    visits,
)
from api.settings import ApiSettings, api_settings
from api.threads import Threads
from api.tokens import authorised
from store.blobs import Blobs
from store.database import Database, open_database
from store.probe_counts import Counts
from store.settings import store_settings

ROUTERS = (
    probes.router,
    captures.router,
    archives.router,
    divergences.router,
    crops.router,
    elements.router,
    sites.router,
    visits.router,
    releases.router,
    families.router,
    kinds.router,
    stats.router,
    crawl.router,
    takedowns.router,
    audits.router,
    health.router,
)
PAGES = (
    gallery_page.router,
    divergences_page.router,
    probe_page.router,
    sites_page.router,
    crawl_page.router,
    releases_page.router,
    audit_page.router,
    docs_page.router,
    static_files.router,
)


def create_app(database: Database | None = None, blobs: Blobs | None = None, settings: ApiSettings | None = None) -> FastAPI:
    """The application on the given database and blobs, which stay the caller's; else on those that the settings name.

    It starts without a database too, and says so at /health: whoever waits for it need not start it again.
    """
    settings = settings or api_settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = settings.threads
        # Tables are not touched: that is for `api serve` or `python -m store.database upgrade`, once and before.
        app.state.database = database or open_database(schema=False, connections=settings.threads)
        app.state.blobs = blobs or Blobs(store_settings().blobs)
        app.state.reviving = Reviving(app.state.database)
        app.state.counting = Rounds[Counts]()
        app.state.threads = Threads(settings.threads)
        try:
            yield
        finally:
            app.state.threads.end()
            await to_thread(app.state.reviving.end)
            if database is None:
                app.state.database.close()

    app = FastAPI(
        title="Parallax",
        version="0.1.0",
        summary="Where a page's structure and its pixels disagree",
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url=None,  # api/pages/docs.py sends it: packed, with an ETag, and not made on the event loop
        docs_url=None,  # it would load scripts from elsewhere; there is our own beside it
        redoc_url=None,
        redirect_slashes=False,
        # /metrics and the log tell of requests; FastAPI would look for OpenTelemetry's providers at each.
        telemetry={"tracing": False, "metrics": False, "logs": False},
        dependencies=[Depends(authorised), Depends(known_parameters)],
        generate_unique_id_function=operation_name,
    )
    app.state.settings = settings
    told.register(app)
    for router in (*ROUTERS, *PAGES):
        app.include_router(router)
    describe(app, settings)
    around(app, settings, (route for router in ROUTERS for route in router.routes))
    return app


def served() -> FastAPI:
    """The application as `api serve` starts it in each of its processes, with its log in order."""
    logs.configure()
    app = create_app()
    app.state.docs_early = True  # it is made in seconds, and nobody should wait for it
    return app
