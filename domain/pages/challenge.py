"""challenge: a page that asks whether a person is there, or turns the visitor away. Never solved, never evaded.

A vendor's marks are on ordinary pages as well (its sensor script, its widget in a form, an article about it). So every rule
asks for what only the wall has, and for a page that has little else to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import regex

from domain.pages.facts import PageFacts
from domain.pages.phrases import ASKS, SMALL_PRINT, TURNED_AWAY, WEAK
from domain.pages.verdict import PageVerdict
from domain.pages.words import bare, first, leads
from domain.visit import Response

LITTLE = 1500
"""Characters on the whole page, links left out: a wall with all its small print has fewer; an article has more."""
BARE = 450
"""Characters on the whole page below which nothing but the wall is there."""
ALONE = 120
"""Characters of a page that is a captcha and its caption."""
NOTHING = 30
"""Characters of a page that shows nothing."""
SENSORS = regex.compile(
    r"/_Incapsula_Resource\?SWJIYLWA|awswaf\.com/.*challenge|/cdn-cgi/challenge-platform/|/ips\.js|js\.datadome\.co/tags|"
    r"px-cloud\.net|px-cdn\.net|perimeterx\.net|/akam/\d+/|cdn\.perfdrive\.com"
)
"""Scripts that ordinary pages have too: alone on a page, they are what stands before it."""
FEW_LINKS = 6
"""Links that are seen: help, a way back, the small print; more, and there is a site around it."""
PROSE, LINKS = 700, 300
"""Characters of running text and of links that the footer of a wall may have."""
REFUSALS = frozenset({401, 403, 405, 429, 503})


class Vendor(NamedTuple):
    """What only this vendor's wall has: any one of these, on a page with little else, is the wall."""

    name: str
    selectors: tuple[str, ...] = ()
    urls: str = ""
    """Expression over the addresses of scripts, frames and forms, and of the page itself."""
    inline: tuple[str, ...] = ()


VENDORS = (
    Vendor(
        "Cloudflare",
        (
            "#challenge-form",
            "#challenge-running",
            "#challenge-error-text",
            "#cf-please-wait",
            "#cf-challenge-running",
            "#cf-norobot-container",
        ),
        r"/cdn-cgi/challenge-platform/.*/orchestrate/(?:chl_page|managed|jsch|captcha|chl_api)|[?&]__cf_chl_",
        ("_cf_chl_opt", "_cf_chl_ctx"),
    ),
    Vendor("Cloudflare waiting room", ("#waitTime",), "", ("cf-waiting-room",)),
    Vendor(
        "DataDome",
        ("#ddv1-captcha-container", "#captcha-container[data-dd-captcha-container]"),
        r"captcha-delivery\.com/(?:captcha|interstitial|c\.js|i\.js)",
        ("var dd={'rt'", 'var dd={"rt"', "var dd = {'rt'"),
    ),
    Vendor(
        "HUMAN",
        ("#px-captcha", "#px-captcha-wrapper", ".px-captcha-container"),
        r"captcha\.(?:px-cdn|px-cloud|perimeterx)\.net|/captcha/PX\w+/",
        ("window._pxBlockedUrl", "_pxVid", "_pxJsClientSrc"),
    ),
    Vendor(
        "Akamai",
        ("#sec-if-cpt-container", "#sec-cpt-if", "#sec-bc-text-container"),
        r"/_sec/(?:cp_challenge|verify)|[?&]bm-verify=",
        ("bm-verify", "/_sec/cp_challenge"),
    ),
    Vendor(
        "Imperva",
        (
            "#main-iframe[src*='_Incapsula_Resource']",
            "iframe[src*='/_Incapsula_Resource']",
            "#distilIdentificationBlock",
            "form#distilCaptchaForm",
        ),
        r"/_Incapsula_Resource\?(?:SWUDNSAI|CWUDNSAI)|distil_r_(?:captcha|blocked)",
        ("onProtectionInitialized", "reeseSkipExpirationCheck"),
    ),
    Vendor("Kasada", (), r"/ips\.js\?.*(?:KP_UIDz|x-kpsdk)", ("window.KPSDK={}", "KPSDK.scriptStart")),
    Vendor(
        "AWS WAF",
        ("#captcha-container + script[src*='awswaf']", "#challenge-container"),
        r"\.captcha\.awswaf\.com",
        ("window.gokuProps", "AwsWafIntegration.saveReferrer", "AwsWafIntegration.checkForceRefresh"),
    ),
    Vendor("Amazon", ("form[action*='/errors/validateCaptcha']",), r"/errors/validateCaptcha"),
    Vendor("Sucuri", (), "", ("sucuri_cloudproxy_js",)),
    Vendor(
        "DDoS-Guard",
        ("#ddg-captcha", "#ddg-l10n-title"),
        r"/\.well-known/ddos-guard/(?:js-challenge|captcha)|check\.ddos-guard\.net",
        ("ddg_challenge",),
    ),
    Vendor("Reblaze", (), "", ("window.rbzns", "rbzid=")),
    Vendor("Radware", (), r"validate\.perfdrive\.com|captcha\.perfdrive\.com"),
    Vendor("F5", (), r"/TSPD/", ("bobcmn",)),
    Vendor("Anubis", ("#anubis_challenge", "#anubis_version"), r"/\.within\.website/x/cmd/anubis/"),
    Vendor(
        "go-away, haproxy-protection",
        ("#pow-challenge", "[data-pow][data-mode]"),
        r"/\.well-known/\.git\.gammaspectra\.live/|/\.basedflare/",
    ),
    Vendor("Google", ("form#captcha-form[action*='index']",), r"^https?://[^/]*google\.[^/]+/sorry/"),
    Vendor("Yandex", ("#checkbox-captcha-form", ".CheckboxCaptcha"), r"/showcaptcha\b|/checkcaptcha\b"),
    Vendor("Vercel", (), r"/\.well-known/vercel/security/"),
    Vendor("Fastly", (), r"/_fs-ch-"),
    Vendor("Baidu", (), r"^https?://wappass\.baidu\.com"),
    Vendor("Queue-it", ("#queue-it_log", "#MainPart_lbQueueNumber"), r"^https?://[^/]*\.queue-it\.net/"),
    Vendor("Wordfence", ("#wfls-prompt-overlay",), "", ("wordfence_syncAttackData",)),
    Vendor("Friendly Captcha", (".frc-captcha-page",)),
)

# Widgets that ordinary forms hold too.
WIDGETS = {
    "widget: Turnstile": ".cf-turnstile, iframe[src*='challenges.cloudflare.com']",
    "widget: reCAPTCHA": ".g-recaptcha, iframe[src*='/recaptcha/']",
    "widget: hCaptcha": ".h-captcha, iframe[src*='hcaptcha.com']",
    "widget: GeeTest": ".geetest_captcha, .geetest_holder, .geetest_panel",
    "widget: Arkose": "#arkose, iframe[src*='arkoselabs.com'], iframe[src*='funcaptcha.com']",
    "widget: other": ".frc-captcha, altcha-widget, .mtcaptcha, .smart-captcha, "
    "img[src*='captcha' i], input[name*='captcha' i], [id*='captcha' i]",
}
SELECTORS: Mapping[str, str] = {f"vendor: {v.name}": ", ".join(v.selectors) for v in VENDORS if v.selectors} | WIDGETS
INLINE = tuple(mark for vendor in VENDORS for mark in vendor.inline)
_URLS = tuple((v.name, regex.compile(v.urls)) for v in VENDORS if v.urls)
_BY_INLINE = {mark: v.name for v in VENDORS for mark in v.inline}

# Headers by which a vendor says that this answer is no page of the site's.
HEADERS = {"cf-mitigated": "challenge", "x-amzn-waf-action": "challenge|captcha", "x-vercel-mitigated": "challenge|deny"}


def _urls(facts: PageFacts) -> tuple[str, ...]:
    return (facts.url, *facts.scripts, *facts.forms, *(f.url for f in facts.frames), facts.refresh)


def vendor_of(facts: PageFacts) -> str:
    """The vendor whose wall's own marks are on the page, and which mark that is; empty for none."""
    for mark in facts.inline:
        if mark in _BY_INLINE:
            return f"{_BY_INLINE[mark]}: the script with {mark}"
    for name, expression in _URLS:
        if any(expression.search(url) for url in _urls(facts)):
            return f"{name}: its script, frame or form"
    for mark in facts.marks:
        if mark.startswith("vendor: "):
            return f"{mark.removeprefix('vendor: ')}: its mark-up"
    return ""


def widget_of(facts: PageFacts) -> str:
    """The captcha widget that is seen, or of the page's few things; empty for none."""
    seen = [
        mark.removeprefix("widget: ") for mark, box in facts.marks.items() if mark.startswith("widget: ") and box is not None
    ]
    return seen[0] if seen else ""


def other_fields(facts: PageFacts) -> int:
    """Fields on the viewport that are there to be filled in, the captcha's own left out."""
    typed = {"text", "email", "password", "search", "tel", "url", "number", "textarea", "select", "date"}
    return sum(f.type in typed and "captcha" not in folded_name(f.name) for f in facts.fields)


def folded_name(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def rest(facts: PageFacts) -> int:
    """Characters on the page that are no link's."""
    return facts.chars.page - facts.chars.links


def by_header(facts: PageFacts, response: Response | None) -> PageVerdict | None:  # noqa: ARG001 - every rule has this form
    """The answer's own header says that it is a challenge."""
    for name, value in HEADERS.items():
        said = (response.headers if response else {}).get(name, "")
        if said and regex.search(value, said.lower()):
            return PageVerdict(kind="challenge", rule="challenge-header", reason=f"the answer says {name}: {said[:40]}")
    return None


def by_vendor(facts: PageFacts, response: Response | None) -> PageVerdict | None:  # noqa: ARG001 - every rule has this form
    """A vendor's wall: marks that only it has, and little else on the page."""
    vendor = vendor_of(facts)
    if not vendor or rest(facts) > LITTLE or facts.truncated:
        return None
    # A page of few words may still be one: it has fields, headings and links of its own, and does not ask.
    asks = first(ASKS, facts.title, facts.said) or first(TURNED_AWAY, facts.title, facts.said)
    if not asks and (facts.chars.links > LINKS or other_fields(facts) > 1):
        return None
    return PageVerdict(
        kind="challenge", rule="challenge-vendor", reason=f"{vendor}, and {facts.chars.page} characters of text in all"
    )


def by_words(facts: PageFacts, response: Response | None) -> PageVerdict | None:
    """A wall of nobody's known making: it asks, or turns away, up front, and says next to nothing else."""
    lead = _lead(facts)
    asks, away = first(ASKS, *lead), _turned_away(lead)
    weak = next((bare(text) for text in lead if WEAK.fullmatch(bare(text))), "")
    said = asks or away or weak
    if (
        not said
        or rest(facts) > LITTLE
        or facts.truncated
        or facts.chars.prose > PROSE
        or facts.chars.links > LINKS
        or other_fields(facts) > 1
    ):
        return None
    support = widget_of(facts) or SMALL_PRINT.search(_all(facts)) is not None
    refused = response is not None and response.status in REFUSALS
    # Without either it has to be all that the page is: a site around it means that the page is the site's.
    if not support and not refused and (facts.chars.page > BARE or _links(facts) > FEW_LINKS or not (asks or away)):
        return None
    rule = "turned-away" if away and not asks else "challenge-words"
    return PageVerdict(
        kind="challenge", rule=rule, reason=f"it says {said!r}, and {facts.chars.page} characters of text in all"
    )


def by_script_alone(facts: PageFacts, response: Response | None) -> PageVerdict | None:  # noqa: ARG001 - every rule has this form
    """Nothing to see, and a vendor's script to run: it looks at the browser before it lets the page come."""
    if facts.chars.page > NOTHING or facts.fields or any(True for _ in facts.cells("mcf")):
        return None
    for url in facts.scripts:
        if found := SENSORS.search(url):
            return PageVerdict(
                kind="challenge", rule="challenge-script-alone", reason=f"nothing to see, and the script {found[0]!r}"
            )
    return None


def _turned_away(lead: tuple[str, ...]) -> str:
    for text in lead:
        plain = bare(text)
        if (found := TURNED_AWAY.search(plain)) and leads(found, plain):
            return str(found[0])
    return ""


def _links(facts: PageFacts) -> int:
    return sum(t.role == "a" for t in facts.seen)


def by_widget(facts: PageFacts, response: Response | None) -> PageVerdict | None:  # noqa: ARG001 - every rule has this form
    """A captcha and nothing else."""
    widget = widget_of(facts)
    if not widget or facts.chars.page > ALONE or other_fields(facts) or facts.truncated:
        return None
    return PageVerdict(
        kind="challenge", rule="challenge-widget", reason=f"a captcha ({widget}) and {facts.chars.page} characters of text"
    )


def _lead(facts: PageFacts) -> tuple[str, ...]:
    """Title, headings and the first three texts: where a wall says what it is."""
    return (facts.title, *facts.headings[:3], *(t.text for t in [t for t in facts.seen if not t.furniture][:3]))


def _all(facts: PageFacts) -> str:
    return "\n".join((facts.said, *facts.noscript)).casefold()


RULES = (by_header, by_vendor, by_words, by_widget, by_script_alone)
