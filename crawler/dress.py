"""dress: what a page will find: size, agent, language, time zone; and that nobody is there to be asked for anything."""

from __future__ import annotations

import asyncio
import contextlib

from crawler.browsers import Browser, CommandFailed, Json, Tab
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from domain.visit import Viewport


async def dress(tab: Tab, browser: Browser, site: Site, viewport: Viewport, settings: CrawlerSettings) -> None:
    """Sets what the page will find: size and scale, agent, language, time zone. Before anything is opened."""
    metrics = {
        "width": viewport.width,
        "height": viewport.height,
        "deviceScaleFactor": viewport.scale,
        "mobile": viewport.mobile,
    }
    agent = f"{browser.user_agent} {settings.agent}".strip()
    language: Json = {"acceptLanguage": site.locale} if site.locale else {}
    wanted: list[tuple[str, Json]] = [(f"{domain}.enable", {}) for domain in ("Page", "Network")]
    wanted += [
        ("Emulation.setDeviceMetricsOverride", metrics),
        ("Emulation.setUserAgentOverride", {"userAgent": agent, **language}),
    ]
    if viewport.mobile:
        # A page asks whether it is touched before it shows what fingers need.
        wanted.append(("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5}))
    if site.locale:
        wanted.append(("Emulation.setLocaleOverride", {"locale": site.locale.replace("-", "_")}))
    if site.timezone:
        wanted.append(("Emulation.setTimezoneOverride", {"timezoneId": site.timezone}))
    # Sent together: each alone would wait for an answer that says nothing.
    await asyncio.gather(*(tab.send(method, params) for method, params in wanted), _refuse(tab))


async def _refuse(tab: Tab) -> None:
    """What a page may ask a person for is refused at once: permissions, files, downloads.

    A browser that does not know one of these commands asks nobody either: it has no window.
    """
    with contextlib.suppress(CommandFailed):
        # A replay knows no targets.
        info = (await tab.send("Target.getTargetInfo")).get("targetInfo", {})
        context: Json = {"browserContextId": info["browserContextId"]} if "browserContextId" in info else {}
        # No permission is granted, and what is not granted is denied.
        await tab.send("Browser.grantPermissions", {"permissions": [], **context})
        await tab.send("Browser.setDownloadBehavior", {"behavior": "deny", **context})
    with contextlib.suppress(CommandFailed):
        await tab.send("Page.setInterceptFileChooserDialog", {"enabled": True, "cancel": True})
