"""Knobs: what the visiting commands have in common, and the settings that come of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from pydantic import ValidationError

from crawler.durations import parse_duration
from crawler.settings import CrawlerSettings
from domain.errors import BadInput
from domain.text import PolicyName

LONGEST_DELAY_MS = 120_000


@dataclass(frozen=True, slots=True)
class Knobs:
    """What the visiting commands have in common. None leaves a thing to the settings."""

    policy: PolicyName | None
    delay: str | None
    driver: str | None
    viewport: str | None
    allow_private: bool
    as_json: bool
    dry_run: bool
    concurrency: int | None


def settings_for(knobs: Knobs) -> CrawlerSettings:
    """The settings, with what was asked for on the command line on top."""
    asked: dict[str, Any] = {
        k: v for k in ("driver", "viewport", "concurrency", "policy") if (v := getattr(knobs, k)) is not None
    }
    if knobs.delay is not None:
        asked["delay_ms"] = delay_ms(knobs.delay)
    return settings_of(asked)


def settings_of(asked: dict[str, Any]) -> CrawlerSettings:
    """The settings with these on top. Raises BadInput with every one that is wrong, by the name it was given under."""
    try:
        return CrawlerSettings(**asked)
    except ValidationError as error:
        problems = [
            f"{_knob(e['loc'], asked)}: {e['msg'].removeprefix('Value error, ')}" for e in error.errors(include_url=False)
        ]
        raise BadInput("\n".join(problems)) from error


def _knob(location: tuple[int | str, ...], asked: dict[str, Any]) -> str:
    name = str(location[0]) if location else "settings"
    return f"--{name.removesuffix('_ms')}" if name in asked else f"CRAWLER_{name.removeprefix('CRAWLER_').upper()}"


def delay_ms(text: str) -> int:
    """ "3s" and "500ms" in ms; a bare number is seconds, as one says it. Raises BadInput."""
    try:
        seconds = text.replace(".", "", 1).isdigit()
        delay = timedelta(seconds=float(text)) if seconds else parse_duration(text)
    except ValueError as error:
        raise BadInput(f'--delay {text!r} {error}. Write "3s" or "500ms".') from error
    milliseconds = int(delay / timedelta(milliseconds=1))
    if milliseconds > LONGEST_DELAY_MS:
        raise BadInput(f"--delay {text!r} is longer than two minutes.")
    return milliseconds
