"""Writes docs/schema/: the JSON Schemas of what `crawler visit --json` prints (docs/visit-json.md), and of a probe.

.venv/bin/python tools/schema.py            writes the files
.venv/bin/python tools/schema.py --print    prints the first instead
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import Field
from pydantic.json_schema import GenerateJsonSchema

from domain.looked import Looked
from domain.probe import Probe
from domain.record import Record
from domain.visit import Visit

FILE = Path(__file__).resolve().parents[1] / "docs" / "schema" / "visit.schema.json"
PROBE_FILE = FILE.with_name("probe.schema.json")
DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Document(Record):
    """One line of `crawler visit --json`: one visit, and what each kind says of each element that it concerns."""

    visit: Visit
    elements: tuple[Looked, ...] = Field(
        description="one entry per element and kind considered, in document order; empty where nothing was captured"
    )


class AsWritten(GenerateJsonSchema):
    """Every field is there in what is printed, the ones with a default too."""

    def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: ARG002 - pydantic's own signature
        return True


def schema(of: type[Record] = Document) -> str:
    """The schema as its file holds it."""
    made = {"$schema": DIALECT, **of.model_json_schema(schema_generator=AsWritten, mode="serialization")}
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    if arguments == ["--print"]:
        print(schema(), end="")
    elif arguments:
        print("schema: asked for something else than --print", file=sys.stderr)
        return 2
    else:
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(schema(), encoding="utf-8")
        PROBE_FILE.write_text(schema(Probe), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
