"""The settings that a program finds when it starts: what is wrong with them is told at once, what nothing reads is named."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches

from pydantic_settings import BaseSettings, DotEnvSettingsSource

from store.settings import StoreSettings, store_settings

OF_COMPOSE = frozenset({"PARALLAX_IMAGE"})
"""Read by docker-compose.yml alone, from the same `.env`."""
OTHERS = frozenset({"API_"})
"""Prefixes that other programs use too (API_KEY): only what looks like a setting of ours is named."""
NEAR = 0.7
"""How alike two names are, of 1, for one to be taken for a slip of the other."""


def look_around(program: str, read: Callable[[], BaseSettings], arguments: list[str]) -> None:
    """Warns of settings that nothing reads, on stderr. Raises BadInput where one is wrong, whichever the command.

    read: reads the program's settings, and raises BadInput. arguments: of the command line; who asks for help is told nothing.
    """
    if not arguments or "--help" in arguments:
        return
    for name, near in unread(type(read()), environment()):
        meant = f"Is {near} meant? " if near else ""
        sys.stderr.write(f"{program}: WARNING: {name} is set, and nothing reads it. {meant}All settings: docs/settings.md\n")
    store_settings()


def environment() -> dict[str, str]:
    """What is set, to more than nothing, in the environment and in `.env` of the current folder, as settings are read."""
    given = {**DotEnvSettingsSource(StoreSettings).env_vars, **os.environ}
    return {name.upper(): value for name, value in given.items() if value}


def unread(settings: type[BaseSettings], given: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    """Variables with the prefix of these settings or of the store's that are none of them, each with the one it looks like."""
    prefix = str(settings.model_config.get("env_prefix", ""))
    own = {f"{prefix}{name}".upper() for name in settings.model_fields}
    stored = {str(field.validation_alias) for field in StoreSettings.model_fields.values()}
    for begin, known in ((prefix, own), ("PARALLAX_", stored)):
        for name in sorted(name for name in given if name.startswith(begin) and name not in known | OF_COMPOSE):
            ends = {one.removeprefix(begin): one for one in known}
            found = get_close_matches(name.removeprefix(begin), ends, 1, NEAR)
            if found or begin not in OTHERS:
                yield name, ends[found[0]] if found else None
