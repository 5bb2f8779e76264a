"""login: a form to log in where another page was asked for. A login page that was asked for is content like any other."""

from __future__ import annotations

from urllib.parse import urlsplit

import regex

from domain.pages.facts import PageFacts
from domain.pages.verdict import PageVerdict

PATHS = regex.compile(
    r"(?:log|sign)[-_]?(?:in|on)\b|\bauth(?:enticate|orize)?\b|\bsso\b|\bsession/new\b|\baccounts?/login|\banmelden\b|\bconnexion\b|\bidentificacion\b"
)
LITTLE = 1200
"""Characters on the whole page: a form with its small print has fewer."""


def by_address(facts: PageFacts, asked: str) -> PageVerdict | None:
    """Another address was asked for, and a login form with little else was given."""
    if not asked or facts.chars.page > LITTLE or facts.truncated or not any(f.type == "password" for f in facts.fields):
        return None
    wanted, given = urlsplit(asked), urlsplit(facts.url)
    if (wanted.hostname, wanted.path.rstrip("/")) == (given.hostname, given.path.rstrip("/")):
        return None
    if PATHS.search(f"{wanted.hostname}{wanted.path}".lower()) or not PATHS.search(f"{given.hostname}{given.path}".lower()):
        return None
    return PageVerdict(
        kind="login-wall",
        rule="login-instead",
        reason=f"{wanted.path or '/'} was asked for and {given.path} given, with a password to type",
    )


def by_layer(facts: PageFacts, asked: str) -> PageVerdict | None:  # noqa: ARG001 - every rule has this form
    """A dialog with a password field over content that cannot be used before it is answered."""
    for index, layer in enumerate(facts.layers):
        if (
            layer.box is None
            or layer.main
            or layer.position == "static"
            or not facts.points
            or layer.points < 0.5 * facts.points
        ):
            continue
        inside = facts.within(index)
        below = sum(len(t.text) for t in facts.texts if t.layer not in inside)
        own = sum(len(t.text) for t in facts.texts if t.layer in inside)
        typed = [f for f in facts.fields if f.type == "password" and f.box.share_inside(layer.box) > 0.9]  # noqa: PLR2004
        if typed and below > 200 and own < LITTLE:  # noqa: PLR2004 - there is a page beneath
            return PageVerdict(
                kind="login-wall",
                rule="login-over-content",
                reason=f"a password to type, over {layer.points / facts.points:.0%} of the viewport",
            )
    return None


RULES = (by_address, by_layer)
