"""Screens of four desktop applications that do not exist, as HTML. Every target has an id that begins with its true type."""

from __future__ import annotations

import html
from dataclasses import dataclass, field

ICONS = {
    "save": "M4 4h13l3 3v13H4z M8 4v5h8V4 M7 20v-7h10v7",
    "open folder": "M3 6h6l2 2h10v11H3z M3 11h18",
    "cut": "M6 3l9 13 M18 3L9 16 M6 20a3 3 0 1 0 .1 0 M18 20a3 3 0 1 0 .1 0",
    "copy": "M8 8h12v13H8z M16 8V3H4v13h4",
    "paste": "M6 5h12v16H6z M9 3h6v4H9z M9 12h6 M9 16h6",
    "undo": "M9 6L4 11l5 5 M4 11h10a6 6 0 0 1 0 10",
    "redo": "M15 6l5 5-5 5 M20 11H10a6 6 0 0 0 0 10",
    "zoom in": "M10 3a7 7 0 1 0 .1 0 M15 15l6 6 M10 7v6 M7 10h6",
    "zoom out": "M10 3a7 7 0 1 0 .1 0 M15 15l6 6 M7 10h6",
    "run": "M6 4l14 8-14 8z",
    "stop": "M5 5h14v14H5z",
    "search": "M10 3a7 7 0 1 0 .1 0 M15 15l6 6",
    "settings": "M12 8a4 4 0 1 0 .1 0 M12 2v4 M12 18v4 M2 12h4 M18 12h4 M5 5l3 3 M16 16l3 3 M19 5l-3 3 M8 16l-3 3",
    "delete": "M5 7h14 M9 7V4h6v3 M7 7l1 14h8l1-14",
    "print": "M7 9V3h10v6 M4 9h16v8H4z M7 14h10v7H7z",
    "bell": "M6 17V11a6 6 0 0 1 12 0v6l2 2H4z M10 21h4",
    "line": "M4 20L20 4",
    "circle": "M12 3a9 9 0 1 0 .1 0",
    "arc": "M3 19A16 16 0 0 1 21 8",
    "rectangle": "M3 6h18v12H3z",
    "mirror": "M12 2v20 M9 6L3 18h6z M15 6l6 12h-6z",
    "trim": "M3 12h6 M15 12h6 M12 3v18",
    "layers": "M12 3l9 5-9 5-9-5z M3 13l9 5 9-5",
    "measure": "M3 15L15 3l6 6L9 21z M8 10l3 3 M12 6l3 3",
    "bold": "M7 4h6a4 4 0 0 1 0 8H7z M7 12h7a4 4 0 0 1 0 8H7z",
    "chart": "M4 20V4 M4 20h17 M8 16v-5 M12 16V7 M16 16v-8",
    "sum": "M18 5H6l7 7-7 7h12",
    "filter": "M3 4h18l-7 9v7l-4-2v-5z",
    "up": "M12 20V5 M5 12l7-7 7 7",
    "grid": "M4 4h6v6H4z M14 4h6v6h-6z M4 14h6v6H4z M14 14h6v6h-6z",
    "list": "M8 6h13 M8 12h13 M8 18h13 M3 6h1 M3 12h1 M3 18h1",
    "star": "M12 3l3 6 6 1-4.500 4.500 1 6.500-5.500-3-5.500 3 1-6.500L3 10l6-1z",
}
STYLE = """*{box-sizing:border-box;margin:0} body{font:14px DejaVu Sans,sans-serif;overflow:hidden;background:var(--ground);
color:var(--ink);height:100vh;display:flex;flex-direction:column} .row{display:flex;align-items:center;gap:10px;
padding:6px 10px;background:var(--bar);border-bottom:1px solid var(--edge)} .icon{display:inline-flex;width:28px;height:28px;
padding:4px;border-radius:4px} svg{fill:none;stroke:currentColor;stroke-width:2;width:100%;height:100%} .big{width:52px;
height:52px} .text{padding:4px 8px;white-space:nowrap} .button{border:1px solid var(--edge);border-radius:3px;padding:6px 18px;
background:var(--bar)} .main{display:flex;flex:1;min-height:0} .side{width:280px;background:var(--bar);
border-right:1px solid var(--edge);padding:8px;display:flex;flex-direction:column;align-items:flex-start;gap:4px}
.dialog{position:absolute;background:var(--bar);border:1px solid var(--edge);box-shadow:0 6px 30px #0006;padding:16px;
display:flex;flex-direction:column;align-items:flex-start;gap:10px}
pre{font:15px/22px DejaVu Sans Mono,monospace;padding:12px;flex:1}
table{border-collapse:collapse} td{border:1px solid var(--edge);width:110px;height:24px;padding:0 6px}"""
LIGHT = "--ground:#fff;--bar:#f1f1f1;--ink:#222;--edge:#bbb"
DARK = "--ground:#1e1f22;--bar:#2b2d30;--ink:#dfe1e5;--edge:#4a4d52"


@dataclass
class Targets:
    """Collects the targets of one screen while its HTML is written. what: id -> what it is for."""

    what: dict[str, str] = field(default_factory=dict)

    def text(self, label: str, kind: str = "") -> str:
        """A control that is a text and nothing else."""
        return self._add("text", label, kind, html.escape(label))

    def icon(self, name: str, kind: str = "") -> str:
        """A control that is a drawing and nothing else."""
        return self._add("icon", name, kind, f'<svg viewBox="0 0 24 24"><path d="{ICONS[name]}"/></svg>')

    def _add(self, type_: str, what: str, kind: str, inside: str) -> str:
        name = f"{type_}-{len(self.what)}"
        self.what[name] = what
        return f'<span id="{name}" class="{type_} {kind}">{inside}</span>'

    def texts(self, *labels: str, kind: str = "") -> str:
        return "".join(self.text(label, kind) for label in labels)

    def icons(self, *names: str, kind: str = "") -> str:
        return "".join(self.icon(name, kind) for name in names)


def turned(words: tuple[str, ...], by: int, n: int) -> tuple[str, ...]:
    """n of the words, from another place in each variant."""
    return tuple(words[(by * 5 + i) % len(words)] for i in range(n))


def dialog(targets: Targets, title: str, lines: tuple[str, ...], x: int, y: int) -> str:
    """A window over the others, with a line of text each and two buttons."""
    body = "".join(f"<div>{targets.text(line)}</div>" for line in lines)
    buttons = f"<div class=row style='border:0'>{targets.texts('Apply', 'Cancel', kind='button')}</div>"
    return f'<div class=dialog style="left:{x}px;top:{y}px"><b>{html.escape(title)}</b>{body}{buttons}</div>'


def page(body: str, *, dark: bool) -> str:
    return f"<!doctype html><meta charset=utf-8><style>:root{{{DARK if dark else LIGHT}}}{STYLE}</style><body>{body}"


def editor(targets: Targets, variant: int) -> str:
    """A text editor for programs: menus, a tree of files, code, a bar of tools."""
    menus = targets.texts("File", "Edit", "Selection", "View", "Go", "Terminal", "Help")
    tools = targets.icons(*turned(("run", "stop", "save", "undo", "redo", "search", "settings", "bell", "layers"), variant, 6))
    files = turned(
        ("main.py", "README.md", "setup.cfg", "views.py", "models.py", "urls.py", "tests.py", "forms.py"), variant, 5
    )
    code = "\n".join(f"{n:3}  def step_{variant}_{n}(value):\n         return value * {n + variant}" for n in range(1, 26))
    side = f"<div class=side>{targets.texts(*files)}</div>"
    body = f"<div class=row>{menus}</div><div class=row>{tools}</div><div class=main>{side}<pre>{code}</pre></div>"
    return page(body + dialog(targets, "Find in files", ("Match case", "Whole word"), 1300, 300), dark=variant % 2 == 0)


def drawing(targets: Targets, variant: int) -> str:
    """A program for technical drawings: a ribbon of large tools, a plan, a palette of layers."""
    tabs = targets.texts("Home", "Insert", "Annotate", "Parametric", "Manage", "Output")
    tools = ("line", "circle", "arc", "rectangle", "mirror", "trim", "layers", "measure", "copy", "cut", "zoom in", "zoom out")
    ribbon = targets.icons(*turned(tools, variant, 9), kind="big")
    lines = "".join(
        f'<rect x="{80 + 130 * n}" y="{60 + 31 * ((n * 7 + variant) % 9)}" width="110" height="{120 + 9 * n}"/>'
        for n in range(9)
    )
    plan = f'<svg viewBox="0 0 1500 900" style="flex:1;stroke-width:1">{lines}</svg>'
    layers = targets.texts(*turned(("Walls", "Doors", "Dimensions", "Furniture", "Electrical", "Hatching"), variant, 4))
    body = f"<div class=row>{tabs}</div><div class=row>{ribbon}</div><div class=main>{plan}<div class=side>{layers}</div></div>"
    return page(body + f"<div class=row>{targets.texts('MODEL', 'SNAP', 'ORTHO')}</div>", dark=True)


def spreadsheet(targets: Targets, variant: int) -> str:
    """A table of numbers with a formula bar and a dialog."""
    menus = targets.texts("File", "Home", "Page Layout", "Formulas", "Data", "Review")
    tools = targets.icons(*turned(("bold", "sum", "chart", "filter", "paste", "print", "undo", "redo", "copy"), variant, 7))
    rows = "".join(
        "<tr>" + "".join(f"<td>{(r * 37 + c * 113 + variant * 59) % 997 / 10:.1f}</td>" for c in range(16)) + "</tr>"
        for r in range(30)
    )
    sheets = targets.texts(*(f"Quarter {1 + (variant + n) % 4}" for n in range(3)), "Totals")
    body = f"<div class=row>{menus}</div><div class=row>{tools}</div><div class=main><table>{rows}</table></div>"
    box = dialog(targets, "Sort", ("Ascending", "Descending", "My data has headers"), 900, 500)
    return page(body + f"<div class=row>{sheets}</div>" + box, dark=False)


def files(targets: Targets, variant: int) -> str:
    """A file manager: places, a list of files, a bar of tools."""
    tools = targets.icons(*turned(("up", "open folder", "grid", "list", "search", "delete", "star", "copy"), variant, 7))
    places = targets.texts("Desktop", "Documents", "Downloads", "Music", "Pictures", "Trash")
    names = turned(("budget", "letter", "photo", "minutes", "draft", "invoice", "plan", "notes"), variant, 6)
    listed = "".join(f"<div>{targets.text(f'{name} {2019 + variant % 7}.odt')}</div>" for name in names)
    main = f"<div class=main><div class=side>{places}</div><div style='padding:12px'>{listed}</div></div>"
    box = dialog(targets, "Delete for ever?", (f"{len(names)} files", "Ask me next time"), 700, 420)
    return page(f"<div class=row>{tools}</div>{main}{box}", dark=variant % 3 == 0)


APPLICATIONS = (
    ("codepad", "linux", "codepad_linux", editor, (2560, 1440), "Dev"),
    ("draftline", "windows", "draftline_win", drawing, (3840, 1080), "CAD"),
    ("gridsheet", "macos", "gridsheet_mac", spreadsheet, (2560, 1440), "Office"),
    ("filedesk", "windows", "filedesk_windows", files, (1920, 1080), "OS"),
)
"""Name, platform, folder of its pictures (another word than the annotations have, as the publisher), screen, size, group."""
