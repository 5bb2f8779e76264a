"""The crawl dashboard. Its twin is /crawl, which its script asks again and again."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.pages.charts import rate
from api.pages.rendering import PageRoute, render
from api.watching import CrawlNow
from store.progress import Crawl

router = APIRouter(include_in_schema=False, route_class=PageRoute)
EVERY_S = 3.0
"""How often the page's script asks again."""
LATE_S = 60.0
"""A worker that has not beaten for so long is taken for dead."""


@router.get("/pages/crawl")
def crawl_page(request: Request, now: CrawlNow) -> Response:
    """What waits, who works, which hosts rest and why, and what came in lately."""
    asked = datetime.now(UTC)
    visits = sum(minute.visits for minute in now.minutes)
    late = {worker.name for worker in now.workers if worker.beat is None or (asked - worker.beat).total_seconds() > LATE_S}
    return render(
        request,
        "crawl.html.j2",
        now=now,
        asked=asked,
        every_ms=round(1000 * EVERY_S),
        chart=rate(now.minutes),
        visits=visits,
        failed=visits - now.hour.get("captured", 0),
        day=sum(now.day.values()),
        late=late,
        standing=_standing(now, living=len(now.workers) - len(late)),
    )


def _standing(now: Crawl, *, living: int) -> str:
    """What goes on, in a sentence or two. living: workers."""
    queue = now.queue
    if not queue.sites:
        return (
            "Nothing is scheduled: visits here were asked for by hand or made in one pass."
            if now.newest
            else "Nothing is scheduled or stored. Begin: crawler add URL, then crawler work; or crawler run --list FILE"
        )
    if not living:
        sites = f"the {queue.active:,} active site{'s' * (queue.active != 1)} counted here"
        return (
            f"No worker runs: nobody queues what is due ({queue.due:,} now), nobody visits. "
            f"Start one: crawler work. It visits {sites}."
        )
    doing = f"{queue.doing:,} visit{'s' * (queue.doing != 1)} under way"
    return f"{doing}, {queue.waiting:,} waiting, {queue.due:,} due, {queue.resting:,} put off."
