"""Boards of the demo site: dense tables of the made-up company, with many labels that lie and prices that move.

The three pages of the demo are to be looked at; these are for whoever needs many divergences: a release, a load test. Every
text follows from the lists below and the number of the board, so a board is the same on every machine.
"""

from __future__ import annotations

from html import escape
from string import Template

BOARDS = tuple(f"/board-{number}.html" for number in range(1, 9))
"""Paths of the boards."""

ROWS = 15
MOVING = 10
"""Prices that move, of the rows; the others stand still."""
MISNAMED = 9
"""Buttons whose label names another thing; the others' labels begin with their text."""

_NAMES = (
    "Tidal stream", "Offshore wind", "Rooftop sun", "Run of river", "Geothermal field", "Wave channel", "Biogas works",
    "Pumped storage", "Solar tower", "Harbour turbine", "Peat reserve", "Salt cavern", "Upland wind", "Canal weir",
    "Desert array", "Fjord barrage", "Forest pellets", "Ocean thermal", "Straw boiler", "Glacier melt", "Delta sluice",
    "Mountain dam", "Prairie wind", "Island cable",
)  # fmt: skip
_OWNERS = (
    "Norsund Partners", "Kelpie and Sons", "Ridgeway Holdings", "Brackwater Trust", "Ember Collective",
    "Stonebridge Mutual", "Lindqvist Group", "Oakhurst Fund", "Halyard Brothers", "Quayside Union", "Merrow Estates",
    "Vantage Nine", "Copperleaf", "Old Mill Society", "Greyfriars Bank", "Tern Island Club", "Sable Ventures",
    "Pinewood Council", "Larkspur Capital", "Dunmore Heirs",
)  # fmt: skip
_ACTIONS = (
    "Buy now", "Set alert", "Compare", "Request quote", "View history", "Sell all", "Pin to top", "Share chart",
    "Open ledger", "Add note", "Print sheet", "Close deal",
)  # fmt: skip
_OTHER_ACTIONS = (
    "Subscribe to newsletter", "Download brochure", "Mute this channel", "Archive message", "Leave feedback",
    "Rotate picture", "Empty the basket", "Switch language", "Play video", "Report a problem", "Find a branch",
    "Change password", "Invite a friend",
)  # fmt: skip

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Board $number: Tidemark</title>
<link rel="icon" href="data:,">
<style>
  body { font: 16px/1.3 sans-serif; margin: 12px 24px; color: #10231f; background: #fff }
  h1 { font-size: 22px; margin: 0 0 6px }
  table { border-collapse: collapse; width: 1180px }
  td, th { height: 38px; padding: 0 12px; text-align: left; border-bottom: 1px solid #d7e4e0 }
  td.num { font-variant-numeric: tabular-nums }
  button { font: inherit; padding: 4px 14px; border: 1px solid #0b6e5f; border-radius: 6px; background: #fff; color: #0b6e5f }
</style>
</head>
<body>
<h1>Board $number</h1>
<table>
<tr><th>Contract</th><th>Name</th><th>Last price</th><th></th></tr>
$rows
</table>
<script>
  // Each price goes up by its own step on one beat: what a snapshot has is old a second later.
  for (const cell of document.querySelectorAll("[data-step]"))
    setInterval(() => { cell.textContent = (Number(cell.textContent) + Number(cell.dataset.step)).toFixed(2); }, 900);
</script>
</body>
</html>
""")


def board(number: int) -> str:
    """The page of this board, from 1 up."""
    rows = "\n".join(_row(number, row) for row in range(ROWS))
    return _PAGE.substitute(number=number, rows=rows)


def _row(number: int, row: int) -> str:
    at = number * 7 + row
    name, owner = _NAMES[at % len(_NAMES)], _OWNERS[(at * 3 + number) % len(_OWNERS)]
    action = _ACTIONS[at % len(_ACTIONS)]
    label = _OTHER_ACTIONS[(at * 5 + number) % len(_OTHER_ACTIONS)] if row < MISNAMED else f"{action}, {name}"
    price = f"{20 + (number * 137 + row * 53) % 900}.{(number * 31 + row * 17) % 100:02}"
    step = f' data-step="{1 + row}.{(37 * (row + number)) % 100:02}"' if row < MOVING else ""
    cells = (
        f"<td>{chr(65 + number)}{chr(65 + row)}-{100 + row * 7 + number}</td>",
        f'<td><span title="{escape(owner)}">{escape(name)}</span></td>',
        f'<td class="num" id="last-{chr(97 + row)}"{step}>{price}</td>',
        f'<td><button aria-label="{escape(label)}">{escape(action)}</button></td>',
    )
    return f"<tr>{''.join(cells)}</tr>"
