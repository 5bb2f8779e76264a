"""reach: the way of a visit to a page that is ready, past the one button that the site list may name."""

from __future__ import annotations

from urllib.parse import urlsplit

from crawler.arrive import admit, error_page, go, incidents_of, ready, refuse_huge, refuse_unreadable, response_of, stay
from crawler.browsers import Tab
from crawler.consent import click_consent
from crawler.draft import Draft
from crawler.guard import Allowed, Passage
from crawler.reading import now
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.world import World
from domain.visit import Readiness


async def reach(
    tab: Tab, url: str, site: Site, settings: CrawlerSettings, draft: Draft, *, allowed: Allowed, passage: Passage | None
) -> tuple[World, Readiness]:
    """Opens the address and waits until the page is ready for S0. Raises Ended where that is the end of the visit."""
    await admit(url, allowed, passage)
    draft.clock.lap("admit")
    await go(tab, url, settings, passage)
    draft.navigated = now()
    # The document's answer has come; those of everything it fetches would only be passed on and thrown away.
    await tab.send("Network.disable")
    draft.clock.lap("navigate")
    reached = await _reached(tab, url, site, settings, draft, allowed=allowed, passage=passage)
    if site.consent is not None and await click_consent(tab, reached[0], site.consent) == "clicked":
        draft.incidents.append("consent-clicked")
        # The click may have led to another document, or let the page begin.
        reached = await _reached(tab, url, site, settings, draft, allowed=allowed, passage=passage)
    draft.clock.lap("ready")
    return reached


async def _reached(
    tab: Tab, url: str, site: Site, settings: CrawlerSettings, draft: Draft, *, allowed: Allowed, passage: Passage | None
) -> tuple[World, Readiness]:
    """Waits for the document, and refuses it where it is none to read."""
    world, readiness, told = await ready(tab, site, settings)
    refuse_huge(told, settings)
    events = await tab.events()
    draft.response = response_of(events, told, world)
    draft.incidents += incidents_of(events, readiness)
    if urlsplit(world.url).scheme == "chrome-error":
        raise await error_page(tab, passage)
    if world.url != url:
        await admit(world.url, allowed, passage)
    stay(site.url, world.url)
    refuse_unreadable(draft.response)
    return world, readiness
