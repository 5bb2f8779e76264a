"""Every knob of the crawler, with its unit and default. Environment: CRAWLER_<NAME>."""

from __future__ import annotations

import re
import shlex
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from domain.text import PolicyName
from domain.visit import Viewport

REMOTE = {"webdriver_url": "selenium", "cdp_url": "playwright"}
"""Settings that name someone else's browser, and the driver that each is for."""
LATEST_READING_S, MOST_READINGS = 120.0, 20
PUBLIC_FLOOR_S = 10.0
CLEARANCE_MS = 50
"""A look so close before the freeze tells nothing that the frozen one does not."""


def _seconds(text: str) -> list[float]:
    return [] if text.strip() == "0" else [float(part) for part in text.split(",")]


class CrawlerSettings(BaseSettings):
    """Read from the environment (CRAWLER_DELAY_MS=500) and from `.env` in the current folder."""

    model_config = SettingsConfigDict(
        env_prefix="CRAWLER_",
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        use_attribute_docstrings=True,
        frozen=True,
        hide_input_in_errors=True,  # a URL may hold a password
    )

    browser_path: str | None = None
    """Browser to start. Without it: a headless shell, Chrome or Chromium on PATH, else Playwright's own."""
    chromedriver_path: str | None = None
    """WebDriver program for the selenium driver. Without it: chromedriver on PATH."""
    driver: Literal["playwright", "selenium", "recorded"] = "playwright"
    """Who sends the DevTools commands. Both give the same divergences; playwright shares one browser between pages."""
    recording: str | None = None
    """For the driver `recorded`: the folder with stored captures to replay."""
    browser_flags: str = ""
    """More command-line flags for the browser, separated by blanks; quoting as in a shell."""
    sandbox: Literal["auto", "on", "off"] = "auto"
    """Chromium's own sandbox. auto: on, except for root, where Chromium does not start with it."""
    delay_ms: int = Field(default=3000, ge=0, le=120_000)
    """Time between S0 and the freeze, ms. 3 s is what an agent step takes."""
    readings: str = "0.5,1,2,3,5,10"
    """When texts are read again during the delay, s after S0, for `crawler drift`; none past the delay. 0: never."""
    policy: PolicyName = "tokens"
    """When a name and a label agree: tokens, paper or label-in-name (docs/policies.md)."""
    viewport: str = Field(default="1280x720")
    """Width x height in CSS px, and after @ the scale in image px per CSS px (1 where not given)."""
    concurrency: int = Field(default=0, ge=0, le=64)
    """Pages at a time. 0: as many as the machine carries, found while running."""
    navigation_timeout_ms: int = Field(default=30_000, ge=100)
    """How long a server may take to answer with a document, ms."""
    ready_timeout_ms: int = Field(default=10_000, ge=0)
    """How long to wait for the load event (or the site's own sign), ms; then the capture goes on and says so."""
    quiet_ms: int = Field(default=500, ge=0, le=10_000)
    """S0 waits, after the load event, until the DOM has not changed and nothing has arrived for so long, ms: an application
    builds its page then."""
    quiet_limit_ms: int = Field(default=3000, ge=0, le=60_000)
    """... but no longer than this, ms: a page with a ticker never pauses."""
    command_timeout_ms: int = Field(default=20_000, ge=100)
    """Hard limit on every single DevTools command, ms. A browser that does not answer is ended and replaced."""
    visit_timeout_ms: int = Field(default=120_000, ge=1000)
    """Hard limit on a whole visit, ms, beyond the delay."""
    max_nodes: int = Field(default=50_000, ge=100)
    """A document with more elements is `too-large`: counted first, not read."""
    max_html_units: int = Field(default=16_000_000, ge=1000)
    """A document whose HTML is longer is `too-large`. Counted in UTF-16 units, before anything is sent."""
    max_elements: int = Field(default=20_000, ge=100)
    """Elements in one reading; what is over is counted in the record."""
    pixel_check: bool = True
    """Read the pixels of what is flagged, beside the visits, and draw probes of it. False: `crawler check` does so later."""
    archive_mhtml: bool = True
    """Keep the page as MHTML beside DOM and screenshot."""
    user_agent_suffix: str = "Parallax/0.1"
    """Put after the browser's own user agent, so that sites can tell who visits; robots.txt is asked by its first word."""
    contact: str = ""
    """Where the people behind this crawler can be reached, a URL or an e-mail address: it goes into the user agent."""
    robots: Literal["obey", "ignore"] = "obey"
    """ignore is for sites of your own."""
    floor_ms: int | None = Field(default=None, ge=0, le=86_400_000)
    """Least time between two visits to one host, ms, for all workers together; a longer crawl-delay counts instead. Unset: 10 s
    for public hosts, none for those on this machine and on private networks, which are one's own."""
    allow_private: str = ""
    """Private addresses that may be opened all the same: `all`, or a list of host, host:port and CIDR, with commas."""
    guard: Literal["on", "off"] = "on"
    """The proxy in front of every browser that refuses private addresses and counts. off: only the document is checked."""
    guard_host: str = "127.0.0.1"
    """Where the guard listens. A browser on another machine must reach it there: give this machine's own address then."""
    max_visit_bytes: int = Field(default=300_000_000, ge=10_000)
    """Bytes that one visit may receive; then nothing more is let through."""
    max_visit_requests: int = Field(default=5000, ge=10)
    """Requests (and tunnels) that one visit may make; then nothing more is let through."""
    tries: int = Field(default=3, ge=1, le=20)
    """How often a due visit is tried before what may pass (a time-out, a crash, a 503) is its outcome."""
    tick_s: float = Field(default=10, ge=0.2, le=3600)
    """How often the schedule looks for sites that are due, s."""
    backlog: int = Field(default=2000, ge=10, le=1_000_000)
    """Visits that wait in the queue at most: the others stay due until there is room. A short queue is a quick one."""
    breaker: int = Field(default=25, ge=0)
    """Visits in a row, to different hosts, that fail by our own doing before the crawler stops with exit code 3; 0: never."""
    host_breaker: int = Field(default=5, ge=0)
    """Visits in a row to one host that fail before it is left alone for an hour, then two, up to a day; 0: never."""
    browser_visits: int = Field(default=200, ge=1)
    """A browser is replaced after so many visits."""
    browser_memory_mb: int = Field(default=3000, ge=200)
    """... or when its processes hold so many MB."""
    least_free_mb: int = Field(default=500, ge=0)
    """While the disk of the blobs or of the data folder has fewer MB left, no new visit begins; 0: never mind."""
    webdriver_url: SecretStr | None = None
    """A WebDriver server to use instead of starting chromedriver, e.g. that of a Selenium Grid; implies driver `selenium`."""
    cdp_url: SecretStr | None = None
    """The debugging address (http:// or ws://) of a running browser to connect to; implies driver `playwright`."""
    metrics_port: int = Field(default=0, ge=0, le=65535)
    """Where /metrics and /health are served by `crawler run` and `crawler work`; 0: nowhere."""
    metrics_host: str = "127.0.0.1"
    """The address that port is opened at."""
    log: Literal["auto", "json", "plain"] = "auto"
    """How events are written to stderr. auto: plain on a terminal, JSON, a document a line, elsewhere."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Events below this are not written. debug also tells what the queue and the schedule say of themselves."""

    @model_validator(mode="before")
    @classmethod
    def _imply_driver(cls, given: Any) -> Any:
        if isinstance(given, dict) and not given.get("driver"):
            implied = next((driver for name, driver in REMOTE.items() if given.get(name)), None)
            return {**given, "driver": implied} if implied else given
        return given

    @field_validator("webdriver_url", "cdp_url")
    @classmethod
    def _is_remote(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if value is None:
            return None
        driver, wanted = info.data.get("driver"), REMOTE[str(info.field_name)]
        if driver in REMOTE.values() and driver != wanted:
            raise ValueError(f"this is for the driver {wanted}, and the driver is to be {driver}. Unset one of the two")
        schemes = ("http", "https") if info.field_name == "webdriver_url" else ("http", "https", "ws", "wss")
        # The value may hold a password: no message repeats it.
        try:
            parts = urlsplit(value.get_secret_value().strip())
            right = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
        except ValueError:
            right = False
        if not right or (info.field_name == "webdriver_url" and parts.query):
            raise ValueError(f"this is no address to connect to. Write {' or '.join(f'{s}://host:port' for s in schemes)}")
        return value

    @field_validator("viewport")
    @classmethod
    def _is_viewport(cls, value: str) -> str:
        written = re.fullmatch(r"(\d{1,6})x(\d{1,6})(?:@(\d{1,3}(?:\.\d{1,4})?))?", value)
        wanted = f'{value!r} is no viewport. Write "1280x720" or "1280x720@2": 100 to 10000 CSS px each way, scale 0.25 to 8'
        if written is None:
            raise ValueError(wanted)
        try:
            Viewport(width=int(written[1]), height=int(written[2]), scale=float(written[3] or 1))
        except ValueError as error:
            raise ValueError(wanted) from error
        return value

    @field_validator("readings")
    @classmethod
    def _are_moments(cls, value: str) -> str:
        try:
            given = _seconds(value)
        except ValueError as error:
            raise ValueError(f'{value!r} is no list of seconds. Write "0.5,1,2,3"') from error
        if any(not 0 < s <= LATEST_READING_S for s in given) or len(given) > MOST_READINGS:
            raise ValueError(f"{value!r}: at most {MOST_READINGS} moments, each above 0 and up to {LATEST_READING_S:g} s")
        return value

    @field_validator("browser_flags")
    @classmethod
    def _are_flags(cls, value: str) -> str:
        try:
            shlex.split(value)
        except ValueError as error:
            raise ValueError(f"{value!r} cannot be split into flags: {error}") from error
        return value

    def moments(self, delay_ms: int) -> tuple[int, ...]:
        """ms after S0, ascending, at which texts are read again while a delay of this length passes."""
        return tuple(sorted({ms for s in _seconds(self.readings) if (ms := round(s * 1000)) <= delay_ms - CLEARANCE_MS}))

    def floor_s(self, *, public: bool) -> float:
        """Least time between two visits to one host, s."""
        return self.floor_ms / 1000 if self.floor_ms is not None else PUBLIC_FLOOR_S if public else 0.0

    @property
    def agent(self) -> str:
        """What we add to the browser's user agent: our name, and where to reach us."""
        return f"{self.user_agent_suffix} (+{self.contact})".strip() if self.contact else self.user_agent_suffix

    @property
    def size(self) -> tuple[int, int, float]:
        """(width, height, scale) of the default viewport."""
        size, _, scale = self.viewport.partition("@")
        width, _, height = size.partition("x")
        return int(width), int(height), float(scale or 1)
