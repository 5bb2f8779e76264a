"""What each key of a site may hold. A rule takes the value as written and gives the value meant, or a Complaint."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import timedelta
from functools import cache
from types import MappingProxyType
from zoneinfo import available_timezones

from pydantic import ValidationError

from crawler.durations import format_duration, parse_duration
from crawler.site_rows import Complaint, show, suggest
from crawler.site_urls import NAME_CHARACTERS, url_complaint
from domain.visit import Viewport

# Widths and heights in CSS px, scale in image px per CSS px: common sizes, not particular products. A device sets the
# screen only; the user agent stays the crawler's own.
DEVICES: Mapping[str, Viewport] = MappingProxyType(
    {
        "desktop": Viewport(width=1280, height=720),
        "desktop-hidpi": Viewport(width=1440, height=900, scale=2),
        "desktop-wide": Viewport(width=1920, height=1080),
        "tablet": Viewport(width=820, height=1180, scale=2, mobile=True),
        "phone": Viewport(width=390, height=844, scale=3, mobile=True),
        "phone-small": Viewport(width=320, height=568, scale=2, mobile=True),
    }
)

TOPICS = (
    "finance", "transport", "weather", "sport", "time", "counters", "dashboards", "news", "shops", "docs", "reference",
    "community", "media", "government", "unsorted",
)  # fmt: skip
WAITS = ("load", "domcontentloaded", "none")

EVERY = (timedelta(minutes=1), timedelta(days=366))
DELAY = (timedelta(milliseconds=1), timedelta(minutes=2))
SCROLL_POSITIONS = (1, 20)

# ISO 639-1, and the three-letter codes that sites and browsers use in practice.
LANGUAGE_CODES = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en "
    "eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv "
    "ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne "
    "ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st "
    "su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu "
    "ast ber bho ceb chr ckb dsb fil gsw haw hsb kab kok mai mni nds nso sat scn syr tzm yue"
)
LANGUAGES = frozenset(LANGUAGE_CODES.split())
# language, then optional script, region, variants and extensions, in this order (RFC 5646)
LOCALE = re.compile(
    r"([a-z]{2,3})(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(-[a-z0-9](-[a-z0-9]{2,8})+)*",
    re.IGNORECASE,
)
SIZE = re.compile(r"\s*([0-9]{1,6})\s*[xX]\s*([0-9]{1,6})\s*(?:@\s*([0-9]{1,3}(?:\.[0-9]{1,3})?)x?)?\s*")
NOT_CSS = re.compile(r"/|\(/|(text|xpath|id|role|data-testid|internal:[a-z]+)=", re.IGNORECASE)

Rule = Callable[[object], object]


def url(value: object) -> object:
    if not isinstance(value, str):
        return Complaint("is not text", 'Write a URL in quotes, such as "https://example.test/".')
    return url_complaint(value) or value


def name(value: object) -> object:
    remedy = f'Write a-z, 0-9 and single hyphens, at most {NAME_CHARACTERS} characters, such as "world-clock".'
    if not isinstance(value, str):
        return Complaint("is not text", remedy)
    if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value) and len(value) <= NAME_CHARACTERS:
        return value
    slug = re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-")[:NAME_CHARACTERS].strip("-")
    return Complaint("is not a slug", f"Write {show(slug)}." if slug else remedy)


def why(value: object) -> object:
    if isinstance(value, str) and value.strip():
        return value
    return Complaint("says nothing", 'Write in words what may diverge there, such as "prices tick in its title".')


def every(value: object) -> object:
    return _duration(value, EVERY, ("m", "h"))


def delay(value: object) -> object:
    return _duration(value, DELAY, ("s", "ms"))


def topic(value: object) -> object:
    return _one_of(value, TOPICS, "a known topic")


def wait(value: object) -> object:
    return _one_of(value, WAITS, "a thing to wait for")


def device(value: object) -> object:
    return _one_of(value, DEVICES, "a known device")


def selector(value: object) -> object:
    remedy = 'Write a CSS selector, such as "#clock" or "table tbody tr".'
    if not isinstance(value, str):
        return Complaint("is not text", remedy)
    if not value.strip():
        return Complaint("is blank", remedy)
    # Only what is surely meant for another engine; whether it is good CSS is the browser's to say.
    return Complaint("is not a CSS selector", remedy) if NOT_CSS.match(value.strip()) else value


def locale(value: object) -> object:
    if not isinstance(value, str):
        return Complaint("is not text", 'Write a BCP 47 tag, such as "de-DE".')
    if "_" in value:
        return Complaint("is no BCP 47 tag", f"Write {show(value.partition('.')[0].replace('_', '-'))}.")
    found = LOCALE.fullmatch(value)
    if not found:
        return Complaint("is no BCP 47 tag", 'Write language, then script or region: "de-DE", "zh-Hant-TW", "ar".')
    if found[1].lower() not in LANGUAGES:
        return Complaint(f'has the unknown language "{found[1]}"', 'Begin with its ISO 639 code, such as "ja" or "zh".')
    return value


def timezone(value: object) -> object:
    if not isinstance(value, str):
        return Complaint("is not text", 'Write an IANA name, such as "Europe/Berlin".')
    known = _timezones()
    if not known:
        return Complaint("cannot be checked: this machine has no time zone database", "Install tzdata.")
    if value in known:
        return value
    hint = suggest(value, sorted(known))
    return Complaint(
        "is no IANA time zone", hint if hint.startswith("Did") else 'Write an area and a city, such as "Asia/Tokyo".'
    )


def viewport(value: object) -> object:
    remedy = 'Write "1280x720", "390x844@3" or { width = 390, height = 844, scale = 3, mobile = true }.'
    if isinstance(value, str):
        found = SIZE.fullmatch(value)
        if not found:
            return Complaint("is not a size", remedy)
        value = {"width": int(found[1]), "height": int(found[2]), "scale": float(found[3] or 1)}
    if not isinstance(value, dict):
        return Complaint("is not a size", remedy)
    try:
        return Viewport.model_validate(value, strict=True)
    except ValidationError as error:
        return Complaint(f"is no viewport ({'; '.join(map(_fault, error.errors()))})", remedy)


def scroll_positions(value: object) -> object:
    least, most = SCROLL_POSITIONS
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    return Complaint(f"is not a whole number from {least} to {most}", f"Write one, such as {least} or 3.")


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "name": name,
        "url": url,
        "why": why,
        "topic": topic,
        "every": every,
        "wait": wait,
        "wait_for": selector,
        "delay": delay,
        "locale": locale,
        "timezone": timezone,
        "viewport": viewport,
        "device": device,
        "scroll_positions": scroll_positions,
        "consent": selector,
    }
)
REQUIRED = {
    "name": 'Write name = "a-slug".',
    "url": 'Write url = "https://example.test/".',
    "why": "Write in words why it is there.",
    "topic": f"Write one of {', '.join(TOPICS)}.",
    "every": 'Write how often to visit, such as every = "1h".',
}
OF_ONE_SITE = ("name", "url", "why")  # no default could hold for two sites


def _duration(value: object, bounds: tuple[timedelta, timedelta], units: tuple[str, str]) -> object:
    written = str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    examples = f'Write "{{}}{units[0]}" or "{{}}{units[1]}".'
    if not isinstance(written, str):
        return Complaint("is not a duration", examples.format(5, 5))
    try:
        meant = parse_duration(written.strip())
    except ValueError as error:
        digits = written.strip()
        number = digits if re.fullmatch("[1-9][0-9]{0,5}", digits) else "5"
        return Complaint(str(error), examples.format(number, number))
    least, most = bounds
    if least <= meant <= most:
        return meant
    fault = "is zero" if not meant else "is too short" if meant < least else "is too long"
    return Complaint(fault, f'Write a duration from "{format_duration(least)}" to "{format_duration(most)}".')


def _one_of(value: object, known: Collection[str], what: str) -> object:
    if isinstance(value, str) and value in known:
        return value
    return Complaint(f"is not {what}", suggest(str(value), known))


def _fault(error: Mapping[str, object]) -> str:
    place = ".".join(map(str, error["loc"])) if isinstance(error["loc"], tuple) else ""
    if error["type"] == "extra_forbidden":
        return f"{place}: unknown key"
    return f"{place}: {str(error['msg']).removeprefix('Input should be ')}"


@cache
def _timezones() -> frozenset[str]:
    return frozenset(available_timezones())
