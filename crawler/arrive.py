"""arrive: from an address to a document that is ready to be read, or the named outcome that it ended in instead."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from urllib.parse import urlsplit

import tldextract

from crawler.addresses import plain_host
from crawler.browsers import BrowserGone, CommandFailed, DriverTimeout, Json, Tab
from crawler.guard import Allowed, Passage
from crawler.guard.find import Unreached, find
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.world import Navigated, World
from domain.errors import ParallaxError
from domain.hosts import USUAL_PORTS
from domain.visit import Incident, Outcome, Readiness, Response

DOCUMENTS = 3
"""A page may lead on to another while it loads; after so many it is said to navigate."""
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
KEPT_HEADERS = (
    "content-type", "content-language", "date", "last-modified", "age", "cache-control", "etag", "server", "retry-after",
    "content-security-policy", "x-robots-tag", "content-disposition", "location",
    "cf-mitigated", "x-amzn-waf-action", "x-vercel-mitigated",
)  # fmt: skip
# Chromium's net error names, by the outcome they mean; the first prefix that fits.
NET_ERRORS: tuple[tuple[str, Outcome], ...] = (
    ("ERR_NAME_", "dns-failed"),
    ("ERR_DNS_", "dns-failed"),
    ("ERR_CONNECTION_REFUSED", "connection-refused"),
    ("ERR_CERT_", "tls-failed"),
    ("ERR_SSL_", "tls-failed"),
    ("ERR_BAD_SSL_", "tls-failed"),
    ("ERR_TOO_MANY_REDIRECTS", "redirect-loop"),
    ("ERR_HTTP_RESPONSE_CODE_FAILURE", "http-error"),
    ("ERR_INVALID_AUTH_CREDENTIALS", "http-error"),
    ("ERR_TIMED_OUT", "timeout"),
    ("ERR_CONNECTION_TIMED_OUT", "timeout"),
    ("ERR_UNKNOWN_URL_SCHEME", "refused-scheme"),
    ("ERR_INVALID_URL", "refused-scheme"),
    ("ERR_UNSAFE_REDIRECT", "refused-scheme"),
    ("ERR_DISALLOWED_URL_SCHEME", "refused-scheme"),
    ("ERR_RESPONSE_HEADERS_TOO_BIG", "too-large"),
)


# By the list that comes with the library: nothing is fetched and nothing is written. Names under github.io and the like are
# sites of their own.
REGISTRABLE = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


class Ended(ParallaxError):
    """The visit ended here, in a named outcome."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome, self.reason = outcome, reason


async def admit(url: str, allowed: Allowed, passage: Passage | None) -> None:
    """Raises Ended unless the address is http(s) and, private ones not being allowed, resolves to the public internet.

    Behind a guard it is the guard that looks the name up, for this and for all that follows.
    """
    parts = urlsplit(url)
    if parts.scheme not in USUAL_PORTS:
        raise Ended("refused-scheme", f"{parts.scheme or 'no scheme'}: only http and https are opened")
    host, port = parts.hostname or "", parts.port or USUAL_PORTS[parts.scheme]
    if passage is not None and passage.proxy is not None:
        refused = await passage.admit(host, port)
        if refused is not None:
            raise Ended(*refused)
        return
    if allowed.host(host, port):
        return
    try:
        await find(host, port, allowed)
    except Unreached as error:
        # A name without an address is found out, and named, by the browser.
        if error.outcome != "dns-failed":
            raise Ended(error.outcome, error.reason) from error


def stay(site_url: str, url: str) -> None:
    """Raises Ended where the address is of another site than the one that is listed: nobody asked for that one."""
    if site_of(url) != site_of(site_url):
        raise Ended("redirected-away", f"{site_url} leads to {url}, which is another site")


def site_of(url: str) -> str:
    """The registrable domain of an address; the host itself where it has none, as with IP addresses and localhost."""
    host = plain_host(urlsplit(url).hostname or "")
    return REGISTRABLE(host).top_domain_under_public_suffix or host


async def go(tab: Tab, url: str, settings: CrawlerSettings, passage: Passage | None = None) -> None:
    """Opens the address. Raises Ended where no document came of it."""
    try:
        answer = await tab.send("Page.navigate", {"url": url}, limit_ms=settings.navigation_timeout_ms)
    except DriverTimeout as error:
        raise Ended("timeout", f"timeout:navigation, no document within {settings.navigation_timeout_ms} ms") from error
    except CommandFailed as error:
        raise Ended("refused-scheme", f"the browser does not open this address: {error}") from error
    if answer.get("isDownload"):
        raise await _download(tab)
    text = answer.get("errorText", "")
    if text:
        if known := _why(passage, await _last_asked(tab) or url, text):
            raise Ended(*known)
        code = text.removeprefix("net::")
        outcome: Outcome = next((o for prefix, o in NET_ERRORS if code.startswith(prefix)), "connection-failed")
        raise Ended(outcome, text)


# What a browser says of a proxy that does not connect, or that cuts what it had begun.
GUARD_ERRORS = (
    "ERR_TUNNEL_CONNECTION_FAILED", "ERR_EMPTY_RESPONSE", "ERR_PROXY_CONNECTION_FAILED", "ERR_CONNECTION_CLOSED",
    "ERR_CONNECTION_RESET", "ERR_SOCKET_NOT_CONNECTED", "ERR_CONTENT_LENGTH_MISMATCH", "ERR_INCOMPLETE_CHUNKED_ENCODING",
)  # fmt: skip


def _why(passage: Passage | None, url: str, text: str) -> tuple[Outcome, str] | None:
    """What the guard knows of a document that did not come; `text` is what the browser says of it."""
    return passage.why(url) if passage is not None and text.removeprefix("net::") in GUARD_ERRORS else None


async def _last_asked(tab: Tab) -> str | None:
    """The address of the document that was asked for last, redirects followed."""
    asked = [p for name, p in await tab.events() if name == "Network.requestWillBeSent"]
    return str(asked[-1]["request"]["url"]) if asked else None


async def error_page(tab: Tab, passage: Passage | None) -> Ended:
    """What the browser's own error page stands for: a page led to an address that did not come."""
    return _nowhere((await tab.send("Page.getFrameTree"))["frameTree"]["frame"], passage)


def _nowhere(frame: Json, passage: Passage | None) -> Ended:
    url = str(frame.get("unreachableUrl", ""))
    known = passage.why(url) if passage is not None else None
    return Ended(*known) if known else Ended("connection-failed", f"the page led to {url or 'an address'} that did not open")


async def led_to(tab: Tab, url: str, passage: Passage | None) -> tuple[str, Ended | None]:
    """(the address that the page has gone to, or the one given; what its end there is, where it came to no document)."""
    with contextlib.suppress(DriverTimeout, BrowserGone, CommandFailed):
        tree: Json = await tab.send("Page.getFrameTree", limit_ms=2000)
        frame = tree["frameTree"]["frame"]
        scheme = urlsplit(str(frame["url"])).scheme
        if scheme == "chrome-error":
            return url, _nowhere(frame, passage)
        if scheme in USUAL_PORTS:
            return str(frame["url"]), None
    return url, None


async def _download(tab: Tab) -> Ended:
    """A file that was sent to be saved, or a document that this browser does not show (a PDF, in the headless shell)."""
    answers = [p["response"] for name, p in await tab.events() if name == "Network.responseReceived"]
    headers = {k.lower(): str(v).lower() for k, v in answers[-1].get("headers", {}).items()} if answers else {}
    if answers and not headers.get("content-disposition", "").startswith("attachment"):
        return Ended("not-html", f"the document is {answers[-1].get('mimeType') or 'of an unknown type'}")
    return Ended("download", "the address is a file to download; it was not fetched")


async def ready(tab: Tab, site: Site, settings: CrawlerSettings) -> tuple[World, Readiness, Json]:
    """Waits until the page has come as far as the site asks, and says how far that is. Never longer than the setting."""
    options: Json = {
        "wait": site.wait,
        "selector": site.wait_for,
        "timeout": settings.ready_timeout_ms,
        "quiet": settings.quiet_ms,
        "quietLimit": settings.quiet_limit_ms,
    }
    limit = settings.ready_timeout_ms + settings.command_timeout_ms
    for attempt in range(1, DOCUMENTS + 1):
        try:
            world = await World.enter(tab)
            told: Json = await world.call("ready", options, wait=True, limit_ms=limit)
        except Navigated:
            if attempt == DOCUMENTS:
                raise
            continue
        except DriverTimeout as error:
            raise Ended("timeout", "timeout:ready, the page does not answer while it loads") from error
        readiness = Readiness(
            load_event=told["load"], load_ms=told["loadMs"], fonts_pending=told["fontsPending"], quiet_ms=told["quietMs"]
        )
        return world, readiness, told
    raise AssertionError("the loop returns or raises")


def response_of(events: Sequence[tuple[str, Json]], told: Json, world: World) -> Response:
    """What the server answered for the document now shown, and the way to it."""
    redirects: list[str] = []
    answer: Json = {}
    for name, params in events:
        if name == "Network.requestWillBeSent" and params.get("frameId") and "redirectResponse" in params:
            redirects.append(params["redirectResponse"]["url"])
        if name == "Network.responseReceived" and params.get("loaderId") == world.loader:
            answer = (
                params["response"] if params["response"]["url"] == world.url.split("#")[0] else answer or params["response"]
            )
    headers = {k.lower(): str(v)[:2000] for k, v in answer.get("headers", {}).items()}
    return Response(
        url=world.url,
        status=answer.get("status") or told.get("status"),
        mime_type=told.get("type"),
        headers={k: headers[k] for k in KEPT_HEADERS if k in headers},
        redirects=tuple(dict.fromkeys(redirects)),
    )


def refuse_huge(told: Json, settings: CrawlerSettings) -> None:
    """Raises Ended for a document of more elements than one reading takes, before anything is asked of it."""
    if told["nodes"] > settings.max_nodes:
        raise Ended("too-large", f"The document has {told['nodes']} elements; CRAWLER_MAX_NODES is {settings.max_nodes}.")


def refuse_unreadable(response: Response) -> None:
    """Raises Ended for answers that are no page: an error, or no HTML."""
    asks_for_rest = response.status == 429 or (response.status == 503 and "retry-after" in response.headers)  # noqa: PLR2004
    if asks_for_rest:
        after = response.headers.get("retry-after")
        raise Ended("rate-limited", f"HTTP {response.status}" + (f", Retry-After: {after}" if after else ""))
    if response.status is not None and response.status >= 400:  # noqa: PLR2004 - HTTP's own number
        raise Ended("http-error", f"HTTP {response.status}")
    if response.mime_type not in HTML_TYPES:
        raise Ended("not-html", f"the document is {response.mime_type}")


def incidents_of(events: Sequence[tuple[str, Json]], readiness: Readiness | None) -> list[Incident]:
    """What happened on the way and was dealt with."""
    names = {name for name, _ in events}
    found: list[Incident] = []
    if "Page.javascriptDialogOpening" in names:
        found.append("dialog-dismissed")
    if "Page.windowOpen" in names:
        found.append("popup-closed")
    if "Page.downloadWillBegin" in names:
        found.append("download-denied")
    if "Page.fileChooserOpened" in names:
        found.append("permission-refused")
    if readiness is not None and readiness.fonts_pending:
        found.append("fonts-pending")
    if readiness is not None and not readiness.load_event:
        found.append("load-pending")
    return found
