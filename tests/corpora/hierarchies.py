"""Small view hierarchies and pictures for single tests, written by hand: one fault each."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from PIL import Image


def view(pointer: str, bounds: Any = (0, 0, 1440, 2560), *children: Any, **more: Any) -> dict[str, Any]:
    """One view with what each has; `more` with _ for - in the names."""
    node: dict[str, Any] = {
        "pointer": pointer,
        "bounds": list(bounds) if isinstance(bounds, tuple) else bounds,
        "class": "android.widget.TextView",
        "ancestors": ["android.view.View", "java.lang.Object"],
        "visibility": "visible",
        "visible-to-user": True,
        "content-desc": [None],
    }
    if children:
        node["children"] = list(children)
    return node | {name.replace("_", "-"): value for name, value in more.items()}


def hierarchy(root: Any, activity: str = "com.example.shop/com.example.shop.Main") -> bytes:
    return json.dumps({"activity_name": activity, "activity": {"root": root}, "request_id": "520"}).encode()


def picture(width: int = 540, height: int = 960, colour: str | None = None) -> bytes:
    """A JPEG with stripes, or of one colour."""
    image = Image.new("RGB", (width, height), colour or "white")
    if colour is None:
        tile = Image.effect_noise((90, 90), 90).convert("RGB")
        for at in range(0, width * height // 90, 180):
            image.paste(tile, (at % width, at // width * 90))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80)
    return out.getvalue()


def write(folder: Path, item: str, content: bytes | None, shown: bytes | None) -> None:
    """combined/<item>.json and .jpg; None: that file is not there."""
    combined = folder / "combined"
    combined.mkdir(parents=True, exist_ok=True)
    for kind, bytes_ in (("json", content), ("jpg", shown)):
        if bytes_ is not None:
            (combined / f"{item}.{kind}").write_bytes(bytes_)
