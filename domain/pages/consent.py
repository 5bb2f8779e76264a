"""consent: a request for consent on the screen, and whether the page can be used or seen before it is answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlsplit

import regex

from domain.geometry import Box
from domain.pages.facts import Layer, PageFacts, Text
from domain.pages.phrases import ABOUT, ANSWERS
from domain.pages.verdict import ConsentBanner, PageVerdict
from domain.pages.words import bare, first, folded

# Known consent platforms, by the mark-up they put into pages.
PROVIDERS: Mapping[str, str] = {
    "OneTrust": "#onetrust-banner-sdk, #onetrust-pc-sdk",
    "Cookiebot": "#CybotCookiebotDialog, #cookiebanner.cookiebot",
    "Usercentrics": "#usercentrics-root, #usercentrics-cmp-ui, #uc-banner-modal, [data-testid='uc-default-wall'], "
    "[data-testid='uc-default-banner']",
    "Didomi": "#didomi-popup, #didomi-notice, .didomi-popup-container",
    "Quantcast": "#qc-cmp2-ui, .qc-cmp2-container",
    "TrustArc": "#truste-consent-track, #trustarc-banner-overlay, .truste_box_overlay, #consent_blackbar",
    "Sourcepoint": "[id^='sp_message_container_'], [id^='sp_message_iframe_']",
    "Google Funding Choices": ".fc-consent-root, .fc-dialog-container",
    "Klaro": "#klaro .cookie-modal, #klaro .cookie-notice",
    "Osano": ".osano-cm-dialog, .osano-cm-window",
    "CookieYes": ".cky-consent-container, .cky-modal, #cookie-law-info-bar",
    "Complianz": "#cmplz-cookiebanner-container, .cmplz-cookiebanner",
    "Borlabs": "#BorlabsCookieBox, #BorlabsCookieBoxWrap",
    "iubenda": "#iubenda-cs-banner",
    "Axeptio": "#axeptio_overlay, .axeptio_mount",
    "tarteaucitron": "#tarteaucitronAlertBig, #tarteaucitronRoot",
    "Cookie Consent": ".cc-window.cc-banner, .cc-window.cc-floating, #cc-main .cm, #cc--main #cm",
    "consentmanager": "#cmpbox, #cmpwrapper",
    "Termly": "[class*='termly-styles'], #termly-code-snippet-support",
    "Civic": "#ccc-notify, #ccc[open]",
    "Piwik PRO": "#ppms_cm_popup_overlay, [id^='ppms_cm_consent_popup']",
    "CCM19": ".ccm-root .ccm-modal, .ccm-modal",
    "Shopify": "#shopify-pc__banner",
    "Evidon": "#_evidon_banner, #_evidon-barrier-wrapper",
    "HubSpot": "#hs-eu-cookie-confirmation",
    "Ketch": "#lanyard_root, #ketch-banner",
    "Transcend": "#transcend-consent-manager",
    "Traffective": "#traffective-cmp, .cmp-root-container",
    "Real Cookie Banner": "[id^='rcb-'][consent-skip-blocker], .rcb-banner",
    "Moove": "#moove_gdpr_cookie_info_bar",
    "Cookie Notice": "#cookie-notice[role='dialog'], #cookie-notice.cookie-notice-visible",
    "Yahoo": ".con-wizard, form.consent-form",
}
SELECTORS: Mapping[str, str] = {f"consent: {name}": selector for name, selector in PROVIDERS.items()}
# A consent platform's frame of another site, by its address.
FRAMES = regex.compile(
    r"//(?:cdn\.privacy-mgmt\.com|[^/]*\.privacy-mgmt\.com|consent(?:-pref)?\.trustarc\.com|consent\.cookiebot\.com|cmp\.[^/]+|consent\.[^/]+|"
    r"[^/]*\.consentmanager\.net|[^/]*\.mgr\.consensu\.org|fundingchoicesmessages\.google\.com)/"
)
# A whole page for the question, under an address that says so.
ADDRESS = regex.compile(
    r"^https?://(?:consent|cmp|guce|zustimmung)\.[^/]+/|/(?:consent|zustimmung|cookie-?wall|cookie-consent|privacy-gate|collectconsent)(?:[/?#.]|$)"
)

LONGEST = 4000
"""Characters of the longest request for consent; what says more is a page."""
HALF = 0.5
"""From this share of the viewport on, it is covered."""
DIM = 0.08
"""Opacity from which a sheet darkens the page; a fainter one leaves it as it is to look at."""
BARELY = 20
"""Characters outside the banner: fewer, and the page shows nothing beside it."""


def is_answer(text: str) -> bool:
    """Whether the words on a button answer such a question: all of them do, not one among others."""
    return ANSWERS.fullmatch(bare(text)) is not None


def _texts(facts: PageFacts, layer: int) -> list[Text]:
    inside = facts.within(layer)
    return [text for text in facts.seen if text.layer in inside]


def _asks(facts: PageFacts, index: int) -> bool:
    """Whether a layer is about cookies or privacy and can be answered by one of its own buttons."""
    layer = facts.layers[index]
    texts = _texts(facts, index)
    if layer.main or not texts or sum(len(t.text) for t in texts) > LONGEST:
        return False
    if not first(ABOUT, layer.label, *(t.text for t in texts)):
        return False
    return any((t.role in {"b", "a"} and is_answer(t.text)) or (len(t.text) < 25 and is_answer(t.text)) for t in texts)  # noqa: PLR2004 - a button made of a div


def _known(facts: PageFacts) -> tuple[str, Box] | None:
    """(provider, box) of a consent platform's own mark-up that is seen."""
    for mark, box in facts.marks.items():
        if mark.startswith("consent: ") and box is not None and box.width > 100 and box.height > 20:  # noqa: PLR2004 - more than a button to come back by
            return mark.removeprefix("consent: "), box
    for frame in facts.frames:
        if not frame.read and frame.box is not None and facts.share(frame.box) > 0.04 and FRAMES.search(frame.url):  # noqa: PLR2004
            return urlsplit(frame.url).hostname or "", frame.box
    return None


def _provider_of(facts: PageFacts, layer: Layer) -> str:
    known = _known(facts)
    if known and layer.box and known[1].overlap(layer.box).area > 0:
        return known[0]
    # Its mark-up may be an empty wrapper around what is seen.
    return next(
        (m.removeprefix("consent: ") for m, box in facts.marks.items() if m.startswith("consent: ") and box is None), ""
    )


def consent(facts: PageFacts) -> ConsentBanner | None:
    """The request for consent that is on the screen, or None."""
    asking = [i for i in range(len(facts.layers)) if _asks(facts, i)]
    if asking:
        # Of nested layers the innermost that holds both question and answer; of others the largest.
        innermost = [i for i in asking if not any(i != j and j in facts.within(i) for j in asking)]
        index = max(innermost, key=lambda i: (facts.layers[i].position != "static", facts.share(facts.layers[i].box)))
        layer = facts.layers[index]
        texts = _texts(facts, index)
        box = layer.box or _around(texts)
        if layer.position != "static" and layer.alpha < HALF and facts.share(box) > HALF:
            # A container over everything that shows through: the banner is what has texts in it.
            box = _around(texts)
        return _banner(facts, index, box, texts, _provider_of(facts, layer))
    known = _known(facts)
    if known is None:
        return None
    provider, box = known
    texts = [t for t in facts.seen if t.box.share_inside(box) > HALF]
    # A frame of the platform's says nothing that can be read; mark-up in the page has to ask.
    if texts and not first(ABOUT, *(t.text for t in texts)):
        return None
    if not texts and not any(f.box == box for f in facts.frames if not f.read):
        return None
    over = [i for i, layer in enumerate(facts.layers) if layer.box and layer.box.overlap(box).area > HALF * box.area]
    return _banner(facts, over[0] if over else -1, box, texts, provider)


def _banner(facts: PageFacts, index: int, box: Box, texts: list[Text], provider: str) -> ConsentBanner:
    blocked = _blocked(facts, index, box)
    inside = facts.within(index) if index >= 0 else set()
    outside = sum(len(t.text) for t in facts.seen if t.layer not in inside and t.box.share_inside(box) < HALF)
    in_page = _in_page(facts, index)
    # Text that cannot be read is no reason to say that nothing is shown: pictures and frames show something too.
    shows = outside >= BARELY or sum(1 for _ in facts.cells("mf")) > 0.2 * facts.points
    return ConsentBanner(
        provider=provider[:100],
        position=_position(facts, box, in_page=in_page),
        box=box,
        share=round(facts.share(box), 3),
        blocked=round(blocked, 3),
        covers_content=blocked >= HALF or facts.share(box) >= HALF or (not shows and not in_page),
        text=" ".join(t.text for t in texts)[:300],
        buttons=tuple(dict.fromkeys(t.text[:60] for t in texts if t.role == "b" or is_answer(t.text)))[:10],
    )


def _in_page(facts: PageFacts, index: int) -> bool:
    """Whether neither it nor anything around it is lifted off the page."""
    while index >= 0:
        if facts.layers[index].position != "static":
            return False
        index = facts.layers[index].inside
    return True


def _blocked(facts: PageFacts, index: int, box: Box) -> float:
    """The share of the viewport where it, what is around it, or an empty sheet of its own size takes the clicks."""
    if index < 0 or not facts.points or (facts.layers[index].position == "static" and facts.layers[index].inside < 0):
        return facts.share(box) if index >= 0 or facts.share(box) >= HALF else 0.0
    layers = facts.layers
    backdrop = layers[index].backdrop
    if backdrop is not None and backdrop < DIM:
        # The page beside it is as bright as ever.
        return facts.share(box)
    taken = layers[index].points
    around = layers[index].inside
    inside = facts.within(index)
    while around >= 0:
        # The sheet that a dialog stands on: nothing else is in it.
        others = [t for t in facts.texts if t.layer in facts.within(around) - inside]
        sheet = layers[around]
        if sheet.main or others:
            break
        if sheet.alpha >= DIM or (sheet.backdrop or 0) >= DIM:
            taken, inside = sheet.points, facts.within(around)
        around = sheet.inside
    for i, layer in enumerate(layers):
        if i not in inside and _is_sheet(facts, i) and layer.alpha >= DIM:
            taken += layer.points
    return min(1.0, taken / facts.points)


def _is_sheet(facts: PageFacts, index: int) -> bool:
    """Whether a layer lies over the whole viewport and has nothing on it."""
    layer = facts.layers[index]
    lifted = layer.position in {"fixed", "absolute"} and not layer.main
    return lifted and facts.share(layer.box) > 0.85 and not _texts(facts, index)  # noqa: PLR2004 - all but a bar


def _around(texts: list[Text]) -> Box:
    x, y = min(t.box.x for t in texts), min(t.box.y for t in texts)
    return Box(x, y, max(t.box.x + t.box.width for t in texts) - x, max(t.box.y + t.box.height for t in texts) - y)


def _position(facts: PageFacts, box: Box, *, in_page: bool) -> Literal["top", "bottom", "centre", "corner", "full", "in-page"]:
    width, height = facts.view.width, facts.view.height
    if box.width > 0.9 * width and box.height > 0.9 * height:
        return "full"
    if in_page:
        return "in-page"
    if box.width > 0.7 * width and box.y > HALF * height:
        return "bottom"
    if box.width > 0.7 * width and box.y + box.height < HALF * height:
        return "top"
    if abs(box.x + box.width / 2 - width / 2) < 0.12 * width and abs(box.y + box.height / 2 - height / 2) < 0.2 * height:
        return "centre"
    return "bottom" if abs(box.x + box.width / 2 - width / 2) < 0.12 * width and box.y > HALF * height else "corner"


def by_banner(facts: PageFacts, banner: ConsentBanner | None) -> PageVerdict | None:  # noqa: ARG001 - every rule has this form
    """A request for consent over the content: nothing else can be used, or seen, before it is answered."""
    if banner is None or not banner.covers_content:
        return None
    how = f"it takes {banner.share:.0%} of the viewport and the clicks on {banner.blocked:.0%}"
    return PageVerdict(
        kind="consent-wall", rule="consent-over-content", reason=f"{banner.provider or 'a request for consent'}: {how}"
    )


def by_page(facts: PageFacts, banner: ConsentBanner | None) -> PageVerdict | None:  # noqa: ARG001 - every rule has this form
    """The whole page is the request: an address for it, the question, and a button that answers."""
    if not ADDRESS.search(facts.url.lower()) or facts.chars.page > LONGEST or facts.truncated:
        return None
    answers = [t.text for t in facts.seen if t.role == "b" and is_answer(t.text)]
    if not answers or not first(ABOUT, facts.title, facts.said):
        return None
    return PageVerdict(
        kind="consent-wall", rule="consent-page", reason=f"a page for the question, with the answer {folded(answers[0])!r}"
    )


RULES = (by_banner, by_page)
