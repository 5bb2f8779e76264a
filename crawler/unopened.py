"""unopened: the record of a visit that ended before any browser was asked."""

from __future__ import annotations

from datetime import datetime

from crawler.arrive import Ended
from crawler.reading import now
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.turns import Turn
from crawler.visit import Visited, delay_of, viewport_of
from domain.visit import Visit


def unopened(
    site: Site, settings: CrawlerSettings, ended: Ended, *, visit_id: str, turn: Turn | None, worker: str, delay_ms: int | None
) -> Visited:
    """What was decided, when and why; no browser, no evidence."""
    moment = now()
    due: datetime | None = turn.due if turn else None
    record = Visit(
        id=visit_id,
        url=site.url,
        site=site.name,
        outcome=ended.outcome,
        reason=ended.reason,
        started=moment,
        finished=moment,
        viewport=viewport_of(site, settings),
        locale=site.locale,
        timezone=site.timezone,
        delay_ms=delay_of(site, settings, delay_ms),
        due=due,
        tries=turn.tries if turn else (),
        worker=worker,
    )
    return Visited(record, (), browser_hurt=False)
