"""Writes docs/schema/openapi.json: what the API can be asked, for client generators and for whoever reads a change of it.

.venv/bin/python tools/openapi.py            writes the file
.venv/bin/python tools/openapi.py --print    prints it instead
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from api.app import create_app

FILE = Path(__file__).resolve().parents[1] / "docs" / "schema" / "openapi.json"


def document() -> str:
    """The document as its file holds it; the running API tells the same at /openapi.json."""
    return json.dumps(create_app().openapi(), indent=1, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    if arguments == ["--print"]:
        print(document(), end="")
    elif arguments:
        print("openapi: asked for something else than --print", file=sys.stderr)
        return 2
    else:
        FILE.write_text(document(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
