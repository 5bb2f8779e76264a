"""A site list in TOML, read with the line of every table and key, which tomllib does not give.

The values are tomllib's own. The lines come from cutting the text into statements at the line breaks that are outside
of strings and brackets; keys and table names are handed to tomllib again, so quoted and dotted ones work.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any

from crawler.site_rows import Listing, Problem, Row, suggest

TOKEN = re.compile(
    r'''
    """ (?: \\. | [^\\] )*? "{3,5}      # up to two quotes may stand right before the closing three
    | \'\'\' .*? '{3,5}
    | " (?: \\. | [^"\\\n] )* "
    | ' [^'\n]* '
    | \# [^\n]*
    | [^"'\#\[\]{}=\n]+
    | .
    ''',
    re.DOTALL | re.VERBOSE,
)
CHUNK = re.compile(r"^[ \t]*(?=\[\[?[ \t]*(?:site|defaults)[ \t]*\])", re.MULTILINE)
POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")

Path = tuple[str | int, ...]


@dataclass(slots=True)
class _Piece:
    """A part of the text that parses by itself: its tables, and the line of everything in it.

    lines: ("site", 3) -> line of the third [[site]]; ("site", 3, "viewport", "width") and ("defaults", "every") alike.
    """

    document: dict[str, Any]
    lines: dict[Path, int]


def read_toml(text: str) -> Listing:
    """Rows and defaults of the list. A syntax error costs the table it is in; the others are still read."""
    try:
        return _listing([_piece(text, 0, 0)], [])
    except tomllib.TOMLDecodeError as error:
        whole = _syntax_problem(error, text, 0)
    pieces, problems, sites = [], [], 0
    starts = sorted({0, *(found.start() for found in CHUNK.finditer(text)), len(text)})
    for start, end in pairwise(starts):
        chunk, above = text[start:end], text.count("\n", 0, start)
        try:
            pieces.append(_piece(chunk, above, sites))
        except tomllib.TOMLDecodeError as error:
            problems.append(_syntax_problem(error, chunk, above))
        sites += chunk.lstrip(" \t").startswith("[[")
    # Where every part is good by itself, the fault is between them: a table that is there twice.
    return _listing(pieces, problems or [whole])


def _piece(text: str, lines_above: int, sites_above: int) -> _Piece:
    document = tomllib.loads(text)
    lines: dict[Path, int] = {}
    table: Path = ()
    site = sites_above
    for line, tokens in _statements(text, lines_above + 1):
        if tokens[0] == "[":
            path = _key_path("".join(tokens).strip().strip("[]"))
            site += path == ("site",) and tokens[1] == "["
            table = _numbered(path, site)
            lines.setdefault(table, line)
        else:
            path = (*table, *_key_path("".join(takewhile("=".__ne__, tokens))))
            for depth in range(len(table) + 1, len(path) + 1):
                lines.setdefault(path[:depth], line)
    return _Piece(document, lines)


def _statements(text: str, line: int) -> Iterator[tuple[int, list[str]]]:
    """(line of its first token, tokens without comments) of each table header and each key = value."""
    tokens: list[str] = []
    begun, depth = line, 0
    for piece in TOKEN.findall(text):
        if piece == "\n" and depth == 0:
            if tokens:
                yield begun, tokens
            tokens = []
        elif piece.strip() and not piece.startswith("#"):
            begun = begun if tokens else line
            tokens.append(piece)
            depth += (piece in ("[", "{")) - (piece in ("]", "}"))
        line += piece.count("\n")
    if tokens:
        yield begun, tokens


def _key_path(key: str) -> Path:
    path: Path = ()
    value: Any = tomllib.loads(f"{key} = 0")
    while isinstance(value, dict):
        ((step, value),) = value.items()
        path += (step,)
    return path


def _numbered(path: Path, site: int) -> Path:
    return ("site", site, *path[1:]) if path[0] == "site" else path


def _listing(pieces: list[_Piece], problems: list[Problem]) -> Listing:
    rows: list[Row] = []
    defaults: Row | None = None
    for piece in pieces:
        line_of, keys_of = piece.lines, _by_table(piece.lines)
        for key, value in piece.document.items():
            line = line_of.get((key,), 1)
            if key == "defaults" and isinstance(value, dict):
                defaults = Row(0, line, value, keys_of.get(("defaults",), {}), label="defaults")
            elif key == "site" and isinstance(value, list) and all(isinstance(entry, dict) for entry in value):
                numbers = sorted(path[1] for path in line_of if len(path) == 2 and isinstance(path[1], int))  # noqa: PLR2004
                for number, entry in zip(numbers or range(1, len(value) + 1), value, strict=False):
                    at = ("site", number)
                    rows.append(Row(int(number), line_of.get(at, line), entry, keys_of.get(at, {})))
            else:
                problems.append(_top_level_problem(key, line_of.get((key, 0), line)))
    return Listing(rows, problems, defaults)


def _by_table(lines: dict[Path, int]) -> dict[Path, dict[str, int]]:
    """Table -> viewport.width -> line. A table is ("defaults",) or ("site", its number)."""
    tables: dict[Path, dict[str, int]] = {}
    for path, line in lines.items():
        depth = 2 if path[0] == "site" else 1
        if len(path) > depth:
            tables.setdefault(path[:depth], {})[".".join(map(str, path[depth:]))] = line
    return tables


def _top_level_problem(key: str, line: int) -> Problem:
    wanted = {"site": "[[site]]", "defaults": "[defaults]"}.get(key)
    if wanted:
        return Problem(line=line, message=f"{key} is not written as {wanted}", remedy=f"Write {wanted}, then its keys.")
    return Problem(
        line=line,
        message=f'"{key}" stands outside of any [[site]] or [defaults]',
        remedy=suggest(key, ("site", "defaults")) + " Sites are [[site]] tables.",
    )


def _syntax_problem(error: tomllib.TOMLDecodeError, text: str, lines_above: int) -> Problem:
    found = POSITION.search(str(error))
    line = int(found[1]) if found and found[1] else text.rstrip("\n").count("\n") + 1
    column = f" (column {found[2]})" if found and found[2] else ""
    return Problem(
        line=lines_above + line,
        message=f"this is not TOML: {POSITION.sub('', str(error))}{column}",
        remedy='Write one key = "value" a line, text in quotes, each key once, and each site under [[site]].',
    )
