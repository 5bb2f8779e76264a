"""asked: what the visiting commands make of their options before anything is visited."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from crawler import printing
from crawler.knobs import Knobs, settings_for
from crawler.manners import anonymous
from crawler.progress import Wish
from crawler.settings import CrawlerSettings
from crawler.sites import Site, default_sites_path, read_sites
from domain.errors import BadInput


def listed(knobs: Knobs, list_file: Path | None, limit: int | None) -> list[Site]:
    """The sites of the list that was named, or of the shipped one. Raises BadInput with every problem of it."""
    return read_sites(list_file or default_sites_path(), limit=limit, allow_private=own_too(knobs))


def own_too(knobs: Knobs) -> bool:
    """Whether some private addresses may be opened: which, is seen at the visit."""
    return knobs.allow_private or bool(settings_for(knobs).allow_private)


def wish_of(knobs: Knobs, settings: CrawlerSettings) -> Wish:
    """How the visits are to be made. A delay of the command line counts for all sites, one of the settings does not."""
    return Wish(settings.policy, knobs.allow_private, settings.delay_ms if knobs.delay is not None else None)


def warn_nameless(settings: CrawlerSettings, sites: Sequence[Site]) -> None:
    """Says so, where public sites are about to be visited by a crawler that does not say whose it is."""
    if (said := anonymous(settings, [site.url for site in sites])) is not None:
        printing.talk(said)


def some_id(given: str, of: str) -> str:
    """An id as it was given. Raises BadInput where it is blank: no row is meant."""
    if not given.strip():
        raise BadInput(f"The id is empty. Give that of {of}; its first digits are enough.")
    return given
