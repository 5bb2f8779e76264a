"""schema/probe.schema.json: what a row is, as JSON Schema (2020-12), so that readers in any language can check it."""

from __future__ import annotations

from pathlib import Path

import orjson

from builder.assembled import Assembled
from domain.released import ReleasedProbe

PLACE = "schema/probe.schema.json"


def write(release: Assembled, folder: Path) -> None:  # noqa: ARG001 - as every format
    """The schema of a row of probes.jsonl."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **ReleasedProbe.model_json_schema(mode="serialization"),
    }
    place = folder / PLACE
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(orjson.dumps(schema, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE))
