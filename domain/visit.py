"""Visit: one attempt to capture one page, with an outcome. Written to the store and printed as JSON as it is."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from domain.pages.verdict import ConsentBanner, PageVerdict
from domain.record import Record

Driver = Literal["playwright", "selenium", "recorded"]

# Every way in which a visit can end. One line each in docs/outcomes.md (a test checks).
Outcome = Literal[
    "captured",
    "refused-private-address",
    "refused-scheme",
    "refused-robots",
    "taken-down",
    "put-off",
    "redirected-away",
    "rate-limited",
    "dns-failed",
    "connection-refused",
    "connection-failed",
    "tls-failed",
    "redirect-loop",
    "http-error",
    "not-html",
    "download",
    "empty",
    "challenge",
    "consent-wall",
    "login-wall",
    "still-loading",
    "error-page",
    "too-large",
    "navigated",
    "timeout",
    "browser-crashed",
    "repeated-screenshot",
    "viewport-mismatch",
    "interrupted",
    "failed",
]

# Things that happened during a visit and were dealt with; they do not void the evidence.
Incident = Literal[
    "dialog-dismissed",
    "popup-closed",
    "download-denied",
    "fonts-pending",
    "load-pending",
    "dom-truncated",
    "frame-unreadable",
    "consent-clicked",
    "private-request-refused",
    "limits-reached",
    "permission-refused",
    "retried",
]


class Moment(Record):
    """One instant, by three clocks."""

    wall: datetime = Field(description="UTC, by this machine's clock")
    monotonic_ns: int = Field(description="by this machine's monotonic clock; only differences within a visit mean something")
    page_ms: float | None = Field(default=None, description="the page's own performance.now(), ms since its navigation began")


class Viewport(Record):
    """Size in CSS px and scale in image px per CSS px, as set and as read back from the browser."""

    width: int = Field(ge=100, le=10_000)
    height: int = Field(ge=100, le=10_000)
    scale: float = Field(default=1.0, ge=0.25, le=8)
    mobile: bool = False


class BrowserInfo(Record):
    """Which browser made the evidence."""

    driver: Driver
    name: str
    version: str
    user_agent: str
    flags: tuple[str, ...] = ()


class Readiness(Record):
    """How far the page had come when S0 was read."""

    load_event: bool = Field(description="whether the load event had fired")
    load_ms: float | None = Field(default=None, description="when it fired, page_ms")
    fonts_pending: int = Field(default=0, ge=0, description="font faces still loading")
    quiet_ms: float | None = Field(default=None, description="time since the last change of the DOM that was seen before S0")


class Response(Record):
    """What the server answered for the document."""

    url: str
    status: int | None = None
    mime_type: str | None = None
    headers: dict[str, str] = Field(default_factory=dict, description="the few that matter, lower-case names")
    redirects: tuple[str, ...] = Field(
        default=(), description="addresses passed on the way, first to last, without the final one"
    )


class Traffic(Record):
    """What went over the wire for one visit, as the guard in front of the browser counted it."""

    requests: int = Field(default=0, ge=0, description="plain requests, and tunnels for encrypted ones (which may hold many)")
    received_bytes: int = Field(default=0, ge=0, description="from servers")
    sent_bytes: int = Field(default=0, ge=0, description="to servers")
    refused: int = Field(default=0, ge=0, description="connections the guard did not make")
    refused_hosts: tuple[str, ...] = Field(default=(), description="host:port of the first few of them")


class Try(Record):
    """An earlier try at the same due visit, which ended in something that may pass."""

    started: datetime
    outcome: Outcome
    reason: str = ""


class Timeline(Record):
    """When each channel was read. The evidence pair is `before` / `screenshot` / `after`."""

    served: Moment | None = Field(default=None, description="S0: serialised DOM and element readings, one script turn")
    during: tuple[Moment, ...] = Field(default=(), description="looks at the texts during the delay, for the drift")
    frozen: Moment | None = Field(default=None, description="scripts stopped, network cut, animations held")
    before: Moment | None = Field(default=None, description="reading just before the pixels")
    screenshot_sent: Moment | None = Field(
        default=None, description="sending of the screenshot command; the pixels are of 10 to 20 ms later"
    )
    screenshot_received: Moment | None = None
    after: Moment | None = Field(default=None, description="reading just after the pixels")


class Counts(Record):
    """Elements by what the bracket said of them."""

    elements: int = Field(default=0, ge=0, description="elements seen on the screen at S1")
    settled: int = Field(default=0, ge=0, description="read the same before and after the screenshot")
    unsettled: int = Field(default=0, ge=0)


class Frame(Record):
    """One frame of the page, whether its content was read, and when.

    A frame of the page's own site is read in the same script turn as the page. One of another site has instants of its own:
    what it shows is proved by its own readings around the pixels, and is not of one instant with the page's.
    """

    url: str
    read: bool
    process: Literal["same", "other"] | None = Field(
        default=None, description="which process holds it: that of the document around it, or another; null where nobody asked"
    )
    reason: str = Field(default="", description="why it was not read (docs/protocol.md)")
    served: Moment | None = Field(default=None, description="other site: its own reading of the structure")
    before: Moment | None = Field(default=None, description="other site: its own reading just before the pixels")
    after: Moment | None = Field(default=None, description="other site: its own reading just after the pixels")
    skew_ms: float | None = Field(
        default=None,
        description="the longest time between one of its readings and the page's of the same name; 0: the same script turn",
    )


class CaptureRecord(Record):
    """One evidence pair: structure, delay, pixels between two readings. What was read lies in blobs, named by digest."""

    id: str = Field(description="<visit id>-<index>")
    index: int = Field(default=0, ge=0, description="0 for the first scroll position")
    scroll_y: float = Field(default=0, description="CSS px from the top of what scrolls: the page, or its main part")
    loader_served: str = Field(description="the document's loader id at S0")
    loader_shown: str = Field(description="and at S1; equal, or the visit is void")
    readiness: Readiness
    timeline: Timeline
    counts: Counts
    frames: tuple[Frame, ...] = ()
    page: PageVerdict | None = Field(default=None, description="what kind of page it is; only content is evidence")
    consent: ConsentBanner | None = Field(default=None, description="a request for consent on the screen")
    artifacts: dict[str, str] = Field(
        default_factory=dict,
        description="dom, served, before, after, screenshot, names, drift, frames, page, mhtml -> SHA-256 of the content",
    )
    pruned: dict[str, str] = Field(
        default_factory=dict, description="artifacts removed since to save space, as above: no longer there to be read"
    )
    tallies: dict[str, dict[str, int]] = Field(
        default_factory=dict, description="kind -> 'verdict' or 'verdict: reason' -> how many elements"
    )
    rules: str = Field(default="", description="version of the rules and policy that made the findings")


class Visit(Record):
    """One attempt to capture one page. `outcome` says how it ended, `reason` why in a sentence."""

    id: str = Field(description="32 hex digits, unique")
    url: str = Field(description="as asked for")
    site: str = Field(description="name of the site in the list, or one made of the URL")
    outcome: Outcome
    reason: str = ""
    incidents: tuple[Incident, ...] = ()
    attempts: int = Field(default=1, ge=1, description="how often the page was opened for this visit")
    due: datetime | None = Field(default=None, description="the turn of its site; null where asked for by hand")
    tries: tuple[Try, ...] = Field(default=(), description="earlier tries at this turn, which ended in something that may pass")
    worker: str = Field(default="", description="which worker made it: host name and process")
    traffic: Traffic | None = None
    started: Moment
    navigated: Moment | None = Field(default=None, description="when the document was committed")
    finished: Moment
    browser: BrowserInfo | None = None
    viewport: Viewport
    locale: str | None = None
    timezone: str | None = None
    delay_ms: int = Field(ge=0, description="between S0 and the freeze")
    response: Response | None = None
    title: str | None = None
    captures: tuple[CaptureRecord, ...] = ()
    pruned_captures: int = Field(default=0, ge=0, description="captures removed since, records and all, to save space")
    durations_ms: dict[str, float] = Field(default_factory=dict, description="where the time went, by step")
