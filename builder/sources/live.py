"""live: the crawl. Its captures are in the store already, with the probes that the crawler drew; nothing is read from files.

An item is a visit. Pictures (screenshots of captures) and structures (documents as they were served) are blobs of the store,
by the digests that a probe names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from builder.sources import Terms
from domain.visit import Outcome

NAME = "live"
TITLE = "The crawl: captures of live pages"
FORMAT = "html"
TERMS = Terms(
    licence="unknown",
    note="pages of strangers, who can object: the visitor names a contact and keeps a take-down list",
    redistribution="full",
)
USABLE = "captured"
REASONS: Mapping[str, str] = {
    outcome: f"the visit ended so: docs/outcomes.md, {outcome}" for outcome in get_args(Outcome) if outcome != USABLE
}
