"""What `crawler check` does: read what was asked, check what is stored, print."""

from __future__ import annotations

import os

from channels.readers import READERS, open_reader
from crawler import printing
from crawler.opened import kept_archive
from crawler.stored_checks import Checks, check_stored
from domain.divergence import Verdict
from domain.divergences import KINDS
from domain.errors import BadInput, Stopped
from domain.pixel_check import Check
from store.captures import StoredDivergence, known_site


def check(
    *,
    site: str | None,
    kind: str | None,
    verdict: Verdict | None = "flagged",
    reader: str | None = None,
    again: bool,
    limit: int | None,
    threads: int | None = None,
    as_json: bool,
) -> None:
    """crawler check. Raises BadInput on a kind or reader that does not exist, Unavailable where the reader is not here.

    reader: the first of READERS where none is named; one that is named looks at what it has not looked at itself.
    threads: cores; all where not said, since no browser needs them.
    Raises Stopped on Ctrl-C, after saying what was done.
    """
    if kind is not None and kind not in KINDS:
        raise BadInput(f"No kind {kind!r}. Known: {', '.join(KINDS)}.")
    archive = kept_archive()
    try:
        opened = open_reader(reader or READERS[0], threads=threads or os.cpu_count() or 1)
        if site is not None:
            known_site(archive.database, site)
        with printing.counting("divergences checked", quiet=as_json) as tick:

            def told(divergence: StoredDivergence, made: Check) -> None:
                tick()
                if as_json:
                    printing.json_line({"divergence": divergence.id, "site": divergence.site, "check": made})

            came_to = check_stored(
                archive, opened, site=site, kind=kind, verdict=verdict, again=again, another=reader is not None,
                limit=limit, on_check=told,
            )  # fmt: skip
    finally:
        archive.close()
    if as_json:
        printing.json_line(came_to)
    else:
        _say(came_to)
    if came_to.stopped:
        raise Stopped("Stopped. What was checked is kept; the same command goes on with the rest.")


def _say(came_to: Checks) -> None:
    if not came_to.checked and not came_to.unreadable_captures:
        printing.say("Nothing to check: no divergence asked for is left that nobody has looked at. To look once more: --again")
        return
    printing.say(f"{printing.plural(came_to.checked, 'divergence')} checked with {came_to.reader}.")
    for reason, n in came_to.reasons.items():
        printing.say(f"  {n:6}  {reason}")
    if came_to.unreadable_captures:
        printing.say(
            f"Without a screenshot that can be read (pruned or damaged), left as before: "
            f"{printing.plural(came_to.unreadable_captures, 'capture')}."
        )
