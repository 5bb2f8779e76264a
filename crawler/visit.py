"""visit: the story of one visit, from an address to a record with its evidence. Every visit ends in a named outcome."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from crawler.arrive import Ended, incidents_of, led_to
from crawler.browsers import Browser, BrowserGone, CommandFailed, DriverTimeout, Tab
from crawler.capture import RawCapture, capture
from crawler.draft import Draft
from crawler.dress import dress
from crawler.during import Settle, wait
from crawler.evidence import Evidence, WrongViewport
from crawler.frames import OFF_SCREEN
from crawler.guard import Allowed, Passage
from crawler.judging import judged
from crawler.positions import Plan
from crawler.reach import reach
from crawler.reading import TooLarge, now
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.waiting import asked_to_end
from crawler.world import Navigated, PageFailed, went
from domain.text import PolicyName
from domain.visit import BrowserInfo, Outcome, Try, Viewport, Visit

ATTEMPTS = 2
"""A page that moved on during the capture is opened once more, from where it led to."""


@dataclass(frozen=True, slots=True)
class Visited:
    """A finished visit: its record without artifact digests, its evidence, and whether the browser can go on."""

    visit: Visit
    evidence: tuple[Evidence, ...]
    browser_hurt: bool


def viewport_of(site: Site, settings: CrawlerSettings) -> Viewport:
    """The site's own viewport or device, else the setting's."""
    width, height, scale = settings.size
    return site.screen or Viewport(width=width, height=height, scale=scale)


def delay_of(site: Site, settings: CrawlerSettings, asked_ms: int | None) -> int:
    """Between structure and pixels, ms: as asked for by hand, else the site's own, else the setting's."""
    if asked_ms is not None:
        return asked_ms
    return int(site.delay.total_seconds() * 1000) if site.delay is not None else settings.delay_ms


async def visit(
    browser: Browser,
    site: Site,
    settings: CrawlerSettings,
    *,
    policy: PolicyName = "tokens",
    allow_private: bool = False,
    settle: Settle | None = None,
    delay_ms: int | None = None,
    on_loaded: Callable[[], Awaitable[None]] | None = None,
    passage: Passage | None = None,
    visit_id: str | None = None,
    due: datetime | None = None,
    tries: tuple[Try, ...] = (),
    worker: str = "",
) -> Visited:
    """One attempt to capture one site. Never raises for what a page, a server or a browser does: that is the outcome.

    on_loaded is awaited when S0 has been read and nothing but the delay is left to wait for. passage: the way out, through the
    guard; without one only the document is checked. visit_id, due, tries, worker: filed in the record as they are.
    """
    delay_ms = delay_of(site, settings, delay_ms)
    draft, viewport, visit_id = Draft(site.url), viewport_of(site, settings), visit_id or uuid.uuid4().hex
    allowed = Allowed.of(settings.allow_private, everything=allow_private)
    delay = settle or wait(delay_ms)
    # A settle of one's own takes no known time: there is no moment within it to look at.
    plan = Plan(site.scroll_positions, settings.moments(delay_ms) if settle is None else ())

    async def settled(tab: Tab) -> None:
        if on_loaded is not None:
            await on_loaded()
        await delay(tab)

    async def attempt(tab: Tab, url: str) -> None:
        await dress(tab, browser, site, viewport, settings)
        world = await reach(tab, url, site, settings, draft, allowed=allowed, passage=passage)
        raws = await capture(tab, *world, settled, settings, plan=plan)
        _merge(draft, raws[0])
        await _note_events(tab, draft, raws)
        evidence, none = await asyncio.to_thread(
            judged, raws, visit_id, policy, viewport, response=draft.response, asked=site.url
        )
        draft.clock.lap("judge")
        if any(not frame.read and frame.reason != OFF_SCREEN for e in evidence for frame in e.record.frames):
            draft.incidents.append("frame-unreadable")
        draft.title = str(raws[0].before.report["title"])[:500] or None
        draft.evidence += evidence
        if none is not None:
            raise none

    await _attempts(browser, draft, attempt, limit_ms=settings.visit_timeout_ms + delay_ms, passage=passage)
    if passage is not None:
        draft.incidents += passage.incidents()
    finished = now()
    record = Visit(
        id=visit_id,
        url=site.url,
        site=site.name,
        outcome=draft.outcome,
        reason=draft.reason,
        incidents=tuple(dict.fromkeys(draft.incidents)),
        attempts=draft.attempts,
        due=due,
        tries=tries,
        worker=worker,
        traffic=passage.traffic() if passage is not None else None,
        started=draft.started,
        navigated=draft.navigated,
        finished=finished,
        browser=BrowserInfo(
            driver=browser.driver,
            name=browser.name,
            version=browser.version,
            user_agent=browser.user_agent,
            flags=browser.flags,
        ),
        viewport=viewport,
        locale=site.locale,
        timezone=site.timezone,
        delay_ms=delay_ms,
        response=draft.response,
        title=draft.title,
        captures=tuple(e.record for e in draft.evidence),
        durations_ms=draft.clock.spent,
    )
    return Visited(record, tuple(draft.evidence), draft.browser_hurt)


def _merge(draft: Draft, raw: RawCapture) -> None:
    for step, spent in raw.spent_ms.items():
        draft.clock.spent[step] = draft.clock.spent.get(step, 0) + spent
    draft.clock.restart()


async def _note_events(tab: Tab, draft: Draft, raws: Sequence[RawCapture]) -> None:
    draft.incidents += incidents_of(await tab.events(), None)
    if any(raw.before.report["truncated"] for raw in raws):
        draft.incidents.append("dom-truncated")


async def _attempts(
    browser: Browser,
    draft: Draft,
    attempt: Callable[[Tab, str], Awaitable[None]],
    *,
    limit_ms: int,
    passage: Passage | None,
) -> None:
    """Runs the attempt in a tab of its own, once more where the page moved on, and names how it ended."""
    url = draft.url
    for number in range(1, ATTEMPTS + 1):
        draft.attempts = number
        tab: Tab | None = None
        try:
            tab = await browser.open_tab(proxy=passage.proxy if passage is not None else None)
            draft.clock.lap("open")
            async with asyncio.timeout(limit_ms / 1000):
                await attempt(tab, url)
        except asyncio.CancelledError:
            if asked_to_end():
                raise
            # Nobody cancels this visit: what it waited for went away, e.g. the thread of a session that was ended.
            draft.outcome, draft.reason, draft.browser_hurt = "browser-crashed", "a call to the browser was dropped", True
            return
        except Exception as error:  # noqa: BLE001 - a visit ends in an outcome, whatever a page or browser does
            if not _moved_on(error):
                await _note_what_happened(tab, error, draft)
                draft.outcome, draft.reason, draft.browser_hurt = _outcome(error, limit_ms)
                return
            draft.outcome, draft.reason = "navigated", "the page went to another document between S0 and the screenshot"
            url, nowhere = await led_to(tab, url, passage) if tab is not None else (url, None)
            if nowhere is not None and number == ATTEMPTS:
                draft.outcome, draft.reason = nowhere.outcome, nowhere.reason
            draft.incidents.append("retried")
        else:
            draft.outcome, draft.reason = "captured", ""
            return
        finally:
            if tab is not None:
                draft.browser_hurt |= not await _close(tab)
            draft.clock.lap("close")


async def _note_what_happened(tab: Tab | None, error: Exception, draft: Draft) -> None:
    """What the page did before it ended so, where the browser still answers: e.g. the dialogs that kept it from doing more."""
    if tab is not None and isinstance(error, CommandFailed | PageFailed):
        with contextlib.suppress(DriverTimeout, BrowserGone, CommandFailed):
            draft.incidents += incidents_of(await tab.events(), None)


def _moved_on(error: Exception) -> bool:
    """Whether the document is another one by now, whichever command noticed."""
    return isinstance(error, Navigated) or (isinstance(error, CommandFailed) and went(error))


def _outcome(error: Exception, limit_ms: int) -> tuple[Outcome, str, bool]:
    """(outcome, reason, whether the browser may be hurt)."""
    match error:
        case Ended():
            return error.outcome, error.reason, error.outcome == "timeout" and "navigation" not in error.reason
        case TooLarge():
            return "too-large", str(error), False
        case WrongViewport():
            return "viewport-mismatch", str(error), False
        case DriverTimeout():
            return "timeout", f"timeout:{error.method}, {error}", True
        case TimeoutError():
            return "timeout", f"timeout:visit, longer than {limit_ms} ms", True
        case BrowserGone():
            return "browser-crashed", str(error), True
        case CommandFailed() | PageFailed():
            return "failed", f"{type(error).__name__}: {error}", False
        case _:
            return "failed", f"{type(error).__name__}: {error}", True


async def _close(tab: Tab) -> bool:
    """Whether the browser answered."""
    try:
        await tab.close()
    except (DriverTimeout, BrowserGone, CommandFailed):
        return False
    return True
