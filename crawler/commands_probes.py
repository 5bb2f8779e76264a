"""What the commands on probes do, one function each: read what was asked, call one thing, print."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime

from crawler.asked import some_id
from crawler.opened import kept_archive
from crawler.showing_probes import FAMILY_NAMES, is_probe, list_probes, show_history
from domain.divergences import KINDS
from domain.errors import BadInput, NotFound
from domain.probe import LIVE
from store.captures import find_divergence, known_site
from store.database import Database
from store.history import history
from store.probes import find_probe, probes


def list_stored_probes(
    *,
    site: str | None,
    kind: str | None,
    family: str | None,
    since: datetime | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """crawler probes: last seen first. Raises BadInput on a kind or family that does not exist."""
    for noun, given, known in (("kind", kind, KINDS), ("family", family, FAMILY_NAMES)):
        if given is not None and given not in known:
            raise BadInput(f"No {noun} {given!r}. Known: {', '.join(known)}.")
    since = since.astimezone(UTC) if since else None
    archive = kept_archive()
    try:
        if site is not None:
            known_site(archive.database, site)
        # Closed before the database is, also where the reader of our output has gone.
        asked = probes(archive.database, site=site, kind=kind, family=family, source=LIVE, since=since, limit=limit)
        with closing(asked) as found:
            list_probes(found, as_json=as_json)
    finally:
        archive.close()


def show_element_history(id_or_prefix: str, *, since: datetime | None = None, as_json: bool) -> None:
    """crawler history DIVERGENCE|PROBE: the pair of its element at every visit, oldest first. Raises NotFound."""
    some_id(id_or_prefix, "a divergence or a probe")
    since = since.astimezone(UTC) if since else None
    archive = kept_archive()
    try:
        with closing(history(archive.database, _element(archive.database, id_or_prefix))) as past:
            show_history((one for one in past if since is None or one.when >= since), as_json=as_json)
    finally:
        archive.close()


def _element(database: Database, id_or_prefix: str) -> str:
    if is_probe(id_or_prefix):
        return find_probe(database, id_or_prefix).probe.provenance.element
    try:
        found = find_divergence(database, id_or_prefix)
    except NotFound as error:
        raise NotFound(f"{error} Those of probes: crawler probes") from None
    if found.element is None:
        raise NotFound(f"Divergence {found.id} is from before elements had names. Run: crawler detect")
    return found.element
