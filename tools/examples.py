"""Writes api/examples.json: an answer of every operation that answers JSON, as a small store of everything gives it.

.venv/bin/python tools/examples.py

Lists are cut to their first item. Run it after the shape of an answer has changed; tests/api/test_examples.py says when.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from pydantic import SecretStr

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
FILE = ROOT / "api" / "examples.json"


def main() -> None:
    from store.blobs import Blobs  # noqa: PLC0415 - after the path above
    from store.database import open_database  # noqa: PLC0415
    from store.settings import StoreSettings  # noqa: PLC0415
    from tests.api.stocked import stock  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="examples-") as named:
        folder = Path(named)
        with open_database(StoreSettings(data_dir=folder / "data", database_url=None)) as database:
            found = answers(stock(database, Blobs(str(folder / "blobs")), folder))
    FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def answers(made: Any) -> dict[str, Any]:
    """By "GET /probes". The desk has its own in api/routes/audits.py."""
    from api.app import create_app  # noqa: PLC0415
    from api.settings import ApiSettings  # noqa: PLC0415
    from tests.api.walking import TOKEN, operations  # noqa: PLC0415

    app = create_app(made.database, made.blobs, ApiSettings(rate="0", token=SecretStr(TOKEN), hosts="testserver"))
    found = {}
    with TestClient(app, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        asked = [one for one in operations(app, made) if not one.path.startswith(("/pages", "/audits"))]
        for one in sorted(asked, key=lambda one: ("GET", "POST", "DELETE").index(one.method)):
            body = {"what": "shop.example", "why": "letter of the owner, 2 March"} if one.method == "POST" else None
            query = {"limit": "1"} if "limit" in one.numbers else {}
            if one.path != "/sites" and one.texts.get("site") == "query":
                query["site"] = "shop"  # others show what is hostile
            answer = client.request(one.method, one.target(query), json=body)
            if "{path}" not in one.path and answer.headers.get("content-type") == "application/json":
                answer.raise_for_status()
                found[f"{one.method} {one.path}"] = cut(answer.json())
    return found


def cut(value: Any) -> Any:
    """With the first of each list alone, and nothing hostile."""
    from tests.api.stocked import EVIL  # noqa: PLC0415

    if isinstance(value, dict):
        return {name: cut(one) for name, one in value.items()}
    if isinstance(value, str):
        return value.replace(EVIL, "the connection was refused")
    numbers = isinstance(value, list) and all(isinstance(one, int | float) for one in value)
    return [cut(one) for one in value[:1]] if isinstance(value, list) and not numbers else value


if __name__ == "__main__":
    main()
