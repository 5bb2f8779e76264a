"""errors: an error page with an answer that claims success, a framework's report of a crash, a server's own default page."""

from __future__ import annotations

from collections.abc import Mapping

import regex

from domain.pages.facts import PageFacts, Text
from domain.pages.phrases import FAILED, MACHINE, NOT_FOUND, SORRY
from domain.pages.verdict import PageVerdict
from domain.pages.words import Phrases, bare, folded, leads

# Mark-up of what frameworks put in place of, or over, a page that crashed.
OVERLAYS: Mapping[str, str] = {
    "Vite": "vite-error-overlay",
    "webpack": "#webpack-dev-server-client-overlay",
    "Create React App": "body > iframe[style*='2147483647']",
    "Next.js": "[data-nextjs-dialog-overlay], [data-nextjs-dialog]",
    "Nuxt": "#nuxt-error-overlay, nuxt-error-overlay",
    "Astro": "astro-dev-overlay-error, vite-error-overlay",
    "Werkzeug": "body > .debugger, div.debugger .traceback",
    "Django": "body > #summary + #traceback, #summary h1 + pre.exception_value",
    "Laravel": ".Whoops.container, [class*='ignition'] #app .stack, #ignition-app",
    "Rails": "#better_errors_app, header h1 + #container #Application-Trace, .source-to-show",
    "Symfony": ".exception-summary, .exception-hero",
    "Phoenix": ".plug-debugger, [data-plug-debugger]",
    "Blazor": "#blazor-error-ui[style*='block']",
    "Streamlit": "[data-testid='stAppViewBlockContainer'] > [data-testid='stException']:only-child",
}
SELECTORS: Mapping[str, str] = {f"overlay: {name}": selector for name, selector in OVERLAYS.items()}

MACHINE_RULES = tuple((rule, who, regex.compile(expression)) for rule, who, expression in MACHINE)

APOLOGIES = frozenset({"oops", "whoops", "uh oh", "uh-oh"})
LISTED = 700
"""Characters of links in the main part, up to which they are ways out; more are a list that was asked for."""
SHORT = 300
"""Characters of a page that is a heading and a line."""
LONG = 1400
"""Characters of texts that are neither furniture nor links, up to which a page can be an error page."""
PROSE = 420
"""Characters of running text up to which it can be one: an apology, not an article."""
CODES = regex.compile(r"\b(?:404|410|500|502|503|504)\b")


def _own(facts: PageFacts) -> list[Text]:
    """Texts of the page's main part: no furniture, no links."""
    return [t for t in facts.seen if not t.furniture and t.role != "a"]


def _length(texts: list[Text]) -> int:
    return sum(len(t.text) for t in texts)


def by_overlay(facts: PageFacts) -> PageVerdict | None:
    """A framework's report of a crash, by its mark-up, over a good part of the viewport."""
    for mark, box in facts.marks.items():
        if mark.startswith("overlay: ") and (facts.share(box) > 0.2 or mark == "overlay: Vite"):  # noqa: PLR2004 - a badge is no overlay
            return PageVerdict(
                kind="error-page", rule="framework-error", reason=f"{mark.removeprefix('overlay: ')}: its report of an error"
            )
    return None


def by_machine(facts: PageFacts) -> PageVerdict | None:
    """A page as servers and frameworks write it themselves, told by how it begins."""
    own = _own(facts)
    head = [facts.title, *facts.headings[:2], *(t.text for t in own[:2])]
    for rule, who, expression in MACHINE_RULES:
        for text in head:
            found = expression.search(folded(text)[:300])
            if not found:
                continue
            limit = 6000 if rule == "framework-error" else LONG * 3 if rule == "server-default" else LONG
            # An article may have such a title: then there is a site around it, or much to read.
            surrounded = facts.chars.links > 800 or facts.chars.prose > (2500 if rule != "server-error" else PROSE + 400)  # noqa: PLR2004
            if facts.chars.page <= limit and not surrounded and _first_says(expression, own, facts):
                return PageVerdict(kind="error-page", rule=rule, reason=f"{who}: {found[0][:60]!r}")
    return None


def _first_says(expression: Phrases | regex.Pattern[str], own: list[Text], facts: PageFacts) -> bool:
    """Whether it also stands at the head of what is seen, not in a title alone; or nothing else is there."""
    return (
        any(expression.search(folded(t.text)[:300]) for t in own[:3])
        or facts.chars.page < SHORT
        or any(expression.search(folded(h)) for h in facts.headings[:2])
    )


def says_error(text: str) -> tuple[str, str]:
    """(rule, passage) where a short text is an error message and little more; ("", "") where it is not."""
    plain = bare(SORRY.sub("", folded(text)))
    if not plain or len(plain) > 160:  # noqa: PLR2004 - a sentence or two
        return ("something-failed", bare(text)) if text and bare(text) in APOLOGIES else ("", "")
    for rule, phrases in (("not-found", NOT_FOUND), ("something-failed", FAILED)):
        found = phrases.search(plain)
        if found and leads(found, plain) and (not _one_word(found[0]) or found[0] == plain):
            return rule, str(found[0])
    return "", ""


def _one_word(passage: str) -> bool:
    """Whether a passage is a single word of a language that parts words: "maintenance" may be anybody's subject."""
    return passage.isascii() and passage.isalpha()


def by_message(facts: PageFacts) -> PageVerdict | None:
    """The main part is an error message: it stands first and large, and little else is there."""
    own = _own(facts)
    length = _length(own)
    listed = _length([t for t in facts.seen if t.role == "a" and not t.furniture])
    if not own or length > LONG or listed > LISTED or facts.chars.prose > PROSE + 500 or _prose(own) > PROSE or facts.truncated:
        return None
    heading = [t for t in own if t.role == "h"][:2]
    large = sorted(own, key=lambda t: -t.box.height / max(1, len(t.text) ** 0.5))[:2]
    messages = [(t, *says_error(t.text)) for t in dict.fromkeys((*heading, *own[:3], *large))]
    found = [(t, rule, said) for t, rule, said in messages if rule]
    if not found:
        return None
    text, rule, said = found[0]
    title = _without_site(facts.title)
    title_rule = "" if CODES.fullmatch(bare(title)) else says_error(title)[0]
    # The message holds the floor: as the title, as the heading with little else, or as nearly all there is.
    code_only = CODES.fullmatch(bare(text.text)) is not None
    second = any(says_error(t.text)[0] and not CODES.fullmatch(bare(t.text)) for t in own[:8] if t is not text)
    if code_only and not second and not title_rule:
        return None
    alone = len({t.text for t, _, _ in found}) == 1
    weak = bare(text.text) in {"oops", "whoops", "gone", "maintenance", "not found", "lost"} and alone and not title_rule
    if weak:
        return None
    rest = length - len(text.text)
    central = text.role == "h" or text in own[:2] or text in large[:1]
    if (title_rule and central and rest < 900) or (central and rest < (350 if text.role == "h" else 220)):  # noqa: PLR2004
        return PageVerdict(kind="error-page", rule=rule, reason=f"it says {said[:80]!r}, and {rest} characters beside it")
    return None


def _prose(texts: list[Text]) -> int:
    return sum(len(t.text) for t in texts if len(t.text) >= 80)  # noqa: PLR2004 - as facts.js counts


def _without_site(title: str) -> str:
    """The part of a title that is an error message, where one part of it is: "Page not found | Shop"."""
    parts = regex.split(r"\s+[|\u2013\u2014\u00b7:\-]\s+", title)
    return next((part for part in parts if says_error(part)[0]), title)


RULES = (by_overlay, by_machine, by_message)
