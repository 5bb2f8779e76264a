"""Sheets: pages full of known texts, drawn by a real Chromium, with where each line of each text is."""

from __future__ import annotations

import html
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from playwright.sync_api import sync_playwright

from bench.machine import browser_flags, find_browser
from bench.ocr.texts import Text

FAMILIES = (
    "DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "Liberation Sans", "Liberation Serif", "Liberation Mono",
    "Liberation Sans Narrow", "Open Sans", "Noto Sans CJK SC", "sans-serif", "serif", "monospace",
)  # fmt: skip
SIZES = (9, 10, 11, 12, 13, 14, 16, 18, 22, 28, 40)
"""CSS px."""
SCALES = (1, 2, 3)
COLOURS = (
    ("#000000", "#ffffff"), ("#222222", "#fafafa"), ("#333333", "#ffffff"), ("#555555", "#eeeeee"), ("#767676", "#ffffff"),
    ("#8c8c8c", "#ffffff"), ("#a8a8a8", "#ffffff"), ("#bbbbbb", "#f4f4f4"), ("#ffffff", "#000000"), ("#e8e8e8", "#1b1f24"),
    ("#9aa4ad", "#0d1117"), ("#6b7680", "#20262c"), ("#ffffff", "#0a66c2"), ("#ffffff", "#c8102e"), ("#ffffff", "#2e9e4f"),
    ("#c8102e", "#ffffff"), ("#0a66c2", "#ffffff"), ("#0b8a3d", "#ffffff"), ("#ffcc00", "#111111"), ("#111111", "#ffcc00"),
    ("#d35400", "#fff4e6"), ("#5b2a86", "#f3e9ff"),
)  # fmt: skip
"""Text and ground, the latter plain; a sample in eight has a gradient or stripes under it instead."""

LINES = """() => [...document.querySelectorAll('span.t')].map(span => {
  const lines = [];
  const range = document.createRange();
  range.selectNodeContents(span);
  for (const r of range.getClientRects()) {
    const last = lines[lines.length - 1];
    if (last && Math.min(last.b, r.bottom) - Math.max(last.t, r.top) > r.height / 2) {
      last.l = Math.min(last.l, r.left); last.r = Math.max(last.r, r.right);
      last.t = Math.min(last.t, r.top); last.b = Math.max(last.b, r.bottom);
    } else lines.push({l: r.left, t: r.top, r: r.right, b: r.bottom});
  }
  return lines.map(q => [q.l, q.t, q.r - q.l, q.b - q.t]);
})"""


@dataclass(frozen=True, slots=True)
class Sample:
    """One text as it was drawn. lines: x, y, width, height in CSS px on its sheet."""

    text: Text
    family: str
    size: int
    contrast: float
    """1 to 21, by WCAG; of the text's colour to its ground's."""
    light_on_dark: bool
    lines: tuple[tuple[float, float, float, float], ...]
    textured: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    png: bytes
    scale: float
    samples: tuple[Sample, ...]


def sheets(known: Sequence[Text], seed: int, *, a_sheet: int = 60) -> Iterator[Sheet]:
    """Draws the texts, sixty a sheet, the scales in turn."""
    rng = random.Random(seed)  # noqa: S311
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=browser_flags(outside=False))
        for number, start in enumerate(range(0, len(known), a_sheet)):
            scale = SCALES[number % len(SCALES)]
            context = browser.new_context(viewport={"width": 1000, "height": 800}, device_scale_factor=scale)
            page = context.new_page()
            rows, looks = [], []
            for text in known[start : start + a_sheet]:
                row, look = _row(text, rng)
                rows.append(row)
                looks.append(look)
            page.set_content(f"<!doctype html><meta charset=utf-8><body style='margin:8px'>{''.join(rows)}")
            # No larger than what is on it: half of the picture would be blank, and is decoded all the same.
            page.set_viewport_size({"width": 1000, "height": page.evaluate("document.documentElement.scrollHeight")})
            boxes = page.evaluate(LINES)
            png = page.screenshot()
            context.close()
            yield Sheet(
                png,
                scale,
                tuple(
                    Sample(text, family, size, contrast, dark, tuple((x, y, w, h) for x, y, w, h in lines), textured)
                    for (text, family, size, contrast, dark, textured), lines in zip(looks, boxes, strict=True)
                ),
            )
        browser.close()


def _row(text: Text, rng: random.Random) -> tuple[str, tuple[Text, str, int, float, bool, bool]]:
    family, size = rng.choice(FAMILIES), rng.choice(SIZES)
    colour, ground = rng.choice(COLOURS)
    textured = rng.random() < 1 / 8
    paint = ground
    if textured:
        gradient = f"linear-gradient(90deg, {ground}, #9fb6c8)"
        paint = rng.choice((gradient, f"repeating-linear-gradient(0deg, {ground} 0 3px, #e6e6e6 3px 4px)"))
    # What does not break must not leave its ground.
    width = f"{rng.choice((300, 480, 900))}px" if text.kind == "sentence" else "max-content"
    before, after = ("Total: ", " incl.") if rng.random() < 0.3 else ("", "")  # noqa: PLR2004 - other ink beside it
    style = (
        (
            f"margin:2px 0;padding:{rng.choice((0, 1, 3, 6))}px 8px;background:{paint};color:{colour};width:{width};"
            f"font:{rng.choice((400, 400, 400, 600, 700))} {size}px/{rng.choice((1.1, 1.2, 1.4, 1.6))} '{family}';"
            f"letter-spacing:{rng.choice((0, 0, 0, 0, 0.5, 1))}px;{rng.choice(('', '', '', 'font-style:italic;'))}"
        )
        .replace("'sans-serif'", "sans-serif")
        .replace("'serif'", "serif")
        .replace("'monospace'", "monospace")
    )
    row = f'<div style="{style}">{before}<span class=t>{html.escape(text.shown)}</span>{after}</div>'
    return row, (text, family, size, contrast_of(colour, ground), luminance(colour) > luminance(ground), textured)


def luminance(colour: str) -> float:
    """0 to 1, of "#rrggbb". Source: WCAG 2.2."""
    levels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in levels]  # noqa: PLR2004
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast_of(one: str, other: str) -> float:
    """1 to 21. Source: WCAG 2.2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
