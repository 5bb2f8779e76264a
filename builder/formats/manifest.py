"""manifest.json, funnel.json and severity.json: what the release holds, what was left out, how severe its conflicts are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from builder.assembled import FUNNEL, MANIFEST, SEVERITY, Assembled

_LOOKS = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE


def write(release: Assembled, folder: Path) -> None:
    """Sorted keys, two blanks a level, a newline at the end. No severity.json where there is nothing to compare."""
    manifest: dict[str, Any] = release.manifest.model_dump(mode="json")
    (folder / MANIFEST).write_bytes(orjson.dumps(manifest, option=_LOOKS))
    (folder / FUNNEL).write_bytes(orjson.dumps(manifest["funnel"], option=_LOOKS))
    if release.severity is not None:
        (folder / SEVERITY).write_bytes(orjson.dumps(release.severity, option=_LOOKS))
