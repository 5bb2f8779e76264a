"""One file per probe family. To add one: a module here, its name in FAMILIES, docs/families/<name>.md.

Each has NAME, PLATFORM, VARIABLES, CONDITIONS and SOURCES. Families of corpora have, besides,

- RULES, the recipe and its version as provenance has it ("web-text/1"), and PER_SCREEN, the most that is drawn from one screen;
- `draw(screen: Screen, look: Look, *, seed: int) -> Drawn`: pure; the same screen and seed give the same probes.
  Which nodes are taken is by `domain.screen.rank`, never by their order.

web_natural draws from captures instead.
"""

from __future__ import annotations

import functools
import importlib
from types import ModuleType

FAMILIES = ("web_text", "mobile_widget", "mobile_visible", "mobile_stale", "desktop_graphic", "web_natural")
"""Module names; for people with a hyphen."""

NAMES = tuple(name.replace("_", "-") for name in FAMILIES)
"""As probes have them."""

EDITED = ("agree", "swap")
"""Conditions of a family whose conflict is made: both channels say gold; then the structure says something else."""

NATURAL = ("natural",)
"""The condition of a family whose conflict is found: both channels as they were."""

HEADLINE = ("web-text", "mobile-widget", "desktop-graphic")
"""The edited families whose 230 probes the paper's headline is about. Source: paper, "Composition"."""


def family_named(name: str) -> ModuleType:
    """The module of a family, by either of its names."""
    return importlib.import_module(f"domain.families.{name.replace('-', '_')}")


@functools.cache
def drawing_from(source: str) -> tuple[ModuleType, ...]:
    """The families that draw from this source, in the order of the list."""
    return tuple(module for module in map(family_named, FAMILIES) if source in module.SOURCES)
