"""Visits a batch of pages with one driver, as the crawler does, and gives each page's finished visit."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from crawler.browsers import Tab
from crawler.run import Wish, run
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.visit import Visited
from domain.text import PolicyName

QUICK: dict[str, Any] = {"quiet_ms": 0, "concurrency": 4, "pixel_check": False, "robots": "ignore", "_env_file": None}


async def tick(tab: Tab) -> None:
    """The settle of tests: the page changes what it wants to change, and no time passes."""
    await tab.send("Runtime.evaluate", {"expression": "typeof tick === 'function' ? tick() : undefined", "awaitPromise": True})


def site(name: str, url: str, **more: Any) -> Site:
    return Site(name=name, url=url, why="for a test", topic="other", every=timedelta(hours=1), **more)


def visit_all(
    sites: Mapping[str, str | Site], driver: str, *, policy: PolicyName = "tokens", delay_ms: int | None = None, **settings: Any
) -> dict[str, Visited]:
    """Name -> finished visit. Without a delay, settle is `tick`."""
    done: dict[str, Visited] = {}
    listed = [s if isinstance(s, Site) else site(name, s) for name, s in sites.items()]
    knobs = CrawlerSettings(**{**QUICK, "driver": driver, **settings})
    wish = Wish(policy, allow_private=True, delay_ms=delay_ms or 0, settle=None if delay_ms is not None else tick)
    asyncio.run(run(listed, knobs, wish, None, on_visit=lambda v: done.__setitem__(v.visit.site, v)))
    return done
