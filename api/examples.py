"""Examples in /openapi.json: of what a path names, and of what is answered where a path names nothing.

Filters have none: tools fill them in, and whoever tried it out would find nothing.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from store.schema import known_versions

_DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_VISIT = "3f9ac2d41b07e8a6c5d40312f9ab77e0"
_PROBE = "web-natural-3f9ac2d41b07"
ASKED = {
    "probe_id": _PROBE,
    "divergence_id": _VISIT[:12],
    "visit_id": _VISIT,
    "capture_id": f"{_VISIT}-0",
    "element": _DIGEST[:24],
    "element_id": _DIGEST[:24],
    "sha256": _DIGEST,
    "path": "manifest.json",
}
"""By the name within the path."""
NAMES = {"sites": "shop", "releases": "v1"}
"""What `name` is, by the first part of the path."""


FILE = Path(__file__).with_name("examples.json")
"""By "GET /probes": what a small store of everything answered (tools/examples.py)."""


def exemplify(operation: dict[str, Any], path: str, method: str) -> None:
    """Puts the examples that are known here where there are none."""
    for parameter in operation.get("parameters", ()):
        own = "example" in parameter or "examples" in parameter or "examples" in parameter["schema"]
        example = NAMES.get(path.split("/")[1]) if parameter["name"] == "name" else ASKED.get(parameter["name"])
        if parameter["in"] == "path" and example is not None and not own:
            parameter["example"] = example
    example = _answered().get(f"{method.upper()} {path}")
    for status in ("200", "201"):
        answer = operation["responses"].get(status, {}).get("content", {}).get("application/json")
        if answer is not None and example is not None:
            answer.setdefault("example", example)


@cache
def _answered() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    found["GET /health"]["schema_version"] = known_versions()[-1]
    return found
