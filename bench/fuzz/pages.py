"""Pages: random but realistic compositions of CSS, each word of which stands on its page once."""

from __future__ import annotations

import html
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.ocr.texts import WORDS

COLUMNS, ROWS = 4, 6
CELL = (300, 108)
"""CSS px; with gaps 4 x 6 fill a viewport of 1280 x 720."""
GROUNDS = (
    ("#ffffff", "#111111"), ("#f4f6f8", "#16324f"), ("#fff7e0", "#4a2c00"), ("#13202b", "#f5f7fa"), ("#0b5d4b", "#ffffff"),
    ("oklch(0.96 0.03 200)", "oklch(0.25 0.08 260)"), ("color-mix(in srgb, navy 80%, white)", "#ffffff"),
)  # fmt: skip
"""Ground and text, plain."""


@dataclass(frozen=True, slots=True)
class Made:
    """One element with text. words: every word it holds in some way, seen or not. features: what is around it and in it."""

    name: str
    words: tuple[str, ...]
    features: tuple[str, ...]


@dataclass(slots=True)
class Page:
    seed: int
    html: str
    texts: dict[str, Made]


@dataclass
class Maker:
    """Makes one page. What it draws depends on its random numbers alone."""

    rng: random.Random
    words: list[str] = field(default_factory=list)
    texts: dict[str, Made] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)
    around: list[str] = field(default_factory=list)
    page_wide: list[str] = field(default_factory=list)
    ground: tuple[str, str] = GROUNDS[0]
    count: int = 0

    def word(self) -> str:
        """A word or number that stands nowhere else on the page."""
        if not self.words or self.rng.random() < 0.15:  # noqa: PLR2004
            self.count += 1
            return f"{self.rng.randrange(2, 9)}{self.count:03}{self.rng.randrange(2, 9)}"
        return self.words.pop()

    def pair(self) -> tuple[str, str]:
        return self.word(), self.word()

    def name(self, features: Sequence[str], words: Sequence[str]) -> str:
        """A new id, with what stands under it."""
        made = f"t{len(self.texts)}"
        self.texts[made] = Made(made, tuple(words), (*self.around, *features))
        return made

    def rule(self, css: str) -> None:
        self.rules.append(css)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share


Leaf = Callable[[Maker], str]
Wrap = Callable[[Maker, Callable[[], str]], str]


def attributes(name: str) -> str:
    """A name that disagrees, so that the element is a candidate and its lines are told."""
    return f'id={name} aria-label="quux {name}"'


def styles(name: str) -> tuple[str, ...]:
    """Declarations of one file of this folder, a line each; "-" stands for none."""
    lines = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return tuple("" if line == "-" else line for line in lines)


def escaped(text: str) -> str:
    return html.escape(text, quote=True)


def page(seed: int, leaves: Sequence[tuple[str, Leaf]], wraps: Sequence[tuple[str, Wrap]]) -> Page:
    """A page of 24 cells. The same for the same seed."""
    rng = random.Random(seed)  # noqa: S311 - samples, not secrets
    long = [w for w in WORDS if len(w) >= 5]  # noqa: PLR2004 - a short word is read anywhere
    rng.shuffle(long)
    maker = Maker(rng, long)
    root = ' dir="rtl"' if maker.chance(0.06) else ""
    maker.page_wide = ["direction:rtl"] if root else []
    cells = [_cell(maker, leaves, wraps) for _ in range(COLUMNS * ROWS)]
    style = "\n".join(maker.rules)
    body = "\n".join(cells)
    text = f"""<!doctype html><html lang=en{root}><meta charset=utf-8><title>fuzz {seed}</title><style>
* {{ box-sizing: border-box }} html {{ background: #fff }}
body {{ margin: 8px; font: 18px/1.3 "Open Sans", "DejaVu Sans", sans-serif; color: #111; display: grid;
grid-template-columns: repeat({COLUMNS}, {CELL[0]}px); grid-auto-rows: {CELL[1]}px; gap: 10px 18px }}
.cell {{ padding: 4px }} button, input, select, textarea {{ font: inherit }} p, dl, ul, ol, fieldset {{ margin: 0 }}
{style}
</style><body>
{body}
</body></html>"""
    return Page(seed, text, maker.texts)


def _cell(maker: Maker, leaves: Sequence[tuple[str, Leaf]], wraps: Sequence[tuple[str, Wrap]]) -> str:
    maker.ground = GROUNDS[0]
    if maker.chance(0.4):
        maker.ground = maker.rng.choice(GROUNDS)
    ground, ink = maker.ground
    maker.around = list(maker.page_wide)

    def inside(depth: int) -> str:
        if depth <= 0:
            made = ""
            for _ in range(1 if maker.chance(0.7) else 2):
                name, leaf = maker.rng.choice(leaves)
                maker.around.append(name)
                made += leaf(maker) + " "
                maker.around.pop()
            return made
        name, wrap = maker.rng.choice(wraps)
        maker.around.append(name)
        try:
            return wrap(maker, lambda: inside(depth - 1))
        finally:
            maker.around.pop()

    depth = maker.rng.choice((0, 1, 1, 2, 2, 3))
    return f'<div class=cell style="background:{ground};color:{ink}">{inside(depth)}</div>'
