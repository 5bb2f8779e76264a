"""A made raw dump of Mind2Web: one task whose snapshots are Chromium's own, taken as the DevTools protocol gives them."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import orjson
from playwright.sync_api import sync_playwright

from crawler.browsers.program import FLAGS, find_browser
from crawler.settings import CrawlerSettings

TASK = "0a1b2c3d-made-task"
PAGE = """<!doctype html><title>Made</title><meta charset=utf-8>
<style>body{margin:0;font:20px sans-serif} p{position:absolute;left:40px;margin:0} p::before{content:"> "}</style>
<p id=a style="top:40px">Tickets cost <b>twelve</b> crowns</p><p style="top:1900px" aria-label="hours">Open until nine</p>
<p style="top:90px;visibility:hidden">Nobody sees this</p><script>var x = "<text>"</script>"""


def make_dump(folder: Path) -> Path:
    """task/<id>/processed/ with one whole action and one without a screenshot. Gives the folder back."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(CrawlerSettings()), args=list(FLAGS))
        try:
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.set_content(PAGE)
            dom = page.context.new_cdp_session(page).send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
            picture = page.screenshot(full_page=True)
        finally:
            browser.close()
    shots = [{"action_uid": "act-1", "before": {"screenshot": base64.b64encode(picture).decode()}}]
    write_dump(folder, [{"action_uid": uid, "before": {"dom": dom}} for uid in ("act-1", "act-2")], shots)
    return folder


def write_dump(folder: Path, dom: Any, shots: Any) -> None:
    """The two files of the task."""
    processed = folder / "task" / TASK / "processed"
    (processed / "snapshots").mkdir(parents=True, exist_ok=True)
    (processed / "snapshots" / "act-1_before.mhtml").write_text("From: <Saved by Blink>\n")
    (processed / "dom_content.json").write_bytes(orjson.dumps(dom))
    (processed / "screenshot.json").write_bytes(orjson.dumps(shots))
