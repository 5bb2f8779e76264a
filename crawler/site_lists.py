"""The three ways to write a site list (TOML, one URL a line, rank and domain), told apart by what is in the file."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from crawler.site_rows import Listing, Problem, Row, show
from crawler.site_toml import read_toml
from crawler.site_urls import name_of, with_scheme
from domain.errors import BadInput

# What a list without keys says of each of its sites.
PLAIN_EVERY = "1d"
PLAIN_TOPIC = "unsorted"

LARGEST_BYTES = 256 * 1024 * 1024  # the longest public lists of domains have about 80 MB
ARCHIVES = {b"PK\x03\x04": "a zip archive", b"\x1f\x8b": "a gzip archive"}
WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")  # byte order marks of UTF-16 and UTF-32

DOMAIN_COLUMNS = ("domain", "url", "host", "hostname", "origin", "site", "rootdomain", "root domain")
RANK_COLUMNS = ("rank", "globalrank", "popularity", "position")


def read_listing(path: Path, limit: int | None = None) -> Listing:
    """The first `limit` sites of a list, as written. Raises BadInput where there is no text to read at all."""
    text = _read_text(path)
    first = next(_written(text.split("\n")), (1, ""))[1]
    if _is_toml(first, path):
        # tomllib minds a lone carriage return, and so should the reader of its message; CRLF it takes.
        listing = read_toml(text.replace("\r\n", "\n"))
    else:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        first = next(_written(lines), (1, ""))[1]
        columns = _columns(first)
        listing = _read_ranks(lines, columns, path, limit) if columns else _read_lines(lines, path, limit)
    if limit is not None:
        listing = replace(listing, rows=listing.rows[:limit])
    if not listing.rows and not listing.problems:
        remedy = "Write [[site]] tables, one URL a line, or rank,domain lines. See docs/sites.md."
        listing.problems.append(Problem(line=1, message="there is no site in this list", remedy=remedy))
    return listing


def _read_text(path: Path) -> str:
    content = _read_bytes(path)
    for magic, what in ARCHIVES.items():
        if content.startswith(magic):
            raise BadInput(f"{path} is {what}. Unpack it and give the list that is in it.")
    if content.startswith(WIDE_MARKS):
        raise BadInput(f"{path} is UTF-16 or UTF-32 text. Save it as UTF-8.")
    if b"\0" in content:
        raise BadInput(f"{path} is a binary file. Give a site list in TOML, text or CSV.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{path}, line {line}: this is not UTF-8. Save the list as UTF-8.") from error


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise BadInput(f"{path} is a folder. Give the site list itself, such as {path / 'sites.toml'}.")
        if not path.exists():
            raise BadInput(f"No site list at {path}. Check the path, or leave it out for the list that is shipped.")
        if not path.is_file():
            raise BadInput(f"{path} is not a regular file. Give a site list in TOML, text or CSV.")
        if path.stat().st_size > LARGEST_BYTES:
            raise BadInput(f"{path} is larger than {LARGEST_BYTES // 1024**2} MB. Cut it to the sites you want.")
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise BadInput(f"{path} cannot be read ({error}). Check its permissions and the disk.") from error


def _is_toml(first: str, path: Path) -> bool:
    # ':' keeps a bare [::1] out; where the first line says nothing, the file's name may.
    if re.match(r"\[[^:#]*(#.*)?$|[\w\"'.-]+\s*=", first):
        return True
    return path.suffix.lower() == ".toml" and "://" not in first and _columns(first) is None


def _written(lines: list[str]) -> Iterator[tuple[int, str]]:
    """(line number, text without comment) of each line that says something. A comment's # follows a space or nothing,
    since inside of a URL it begins the fragment."""
    for number, line in enumerate(lines, start=1):
        text = re.sub(r"(^|\s)#.*", "", line, flags=re.DOTALL).strip()
        if text:
            yield number, text


def _read_lines(lines: list[str], path: Path, limit: int | None) -> Listing:
    rows: list[Row] = []
    taken: set[str] = set()
    for number, text in _written(lines):
        if len(rows) == limit:
            break
        rows.append(_plain_row(len(rows) + 1, number, text, f"line {number} of {path.name}", taken))
    return Listing(rows)


def _columns(first: str) -> tuple[int | None, int, bool] | None:
    """(column of the rank, column of the domain, whether this line is a header); None for what is no such list."""
    fields = [cell.strip().lower() for cell in _cells(first) or ()]
    domain = next((fields.index(name) for name in DOMAIN_COLUMNS if name in fields), None)
    rank = next((fields.index(name) for name in RANK_COLUMNS if name in fields), None)
    if domain is not None:
        return rank, domain, True
    return (0, 1, False) if re.match(r'\s*"?[0-9]+"?\s*,', first) else None


def _cells(text: str) -> list[str] | None:
    """The fields of one line; None for a quote that is not closed. No field of such lists goes over several lines."""
    try:
        return next(csv.reader([text], strict=True, skipinitialspace=True), [])
    except csv.Error:
        return None


def _read_ranks(lines: list[str], columns: tuple[int | None, int, bool], path: Path, limit: int | None) -> Listing:
    rank, domain, header = columns
    rows: list[Row] = []
    problems: list[Problem] = []
    taken: set[str] = set()
    for count, (number, text) in enumerate(_written(lines)):
        if len(rows) == limit:
            break
        if header and count == 0:
            continue
        cells = [cell.strip() for cell in _cells(text) or ()]
        place = cells[rank] if rank is not None and rank < len(cells) else None
        if len(cells) <= domain or not cells[domain] or (place is not None and not re.fullmatch("[0-9]+", place)):
            message = f"{show(text)} is not a rank and a domain"
            problems.append(Problem(line=number, message=message, remedy='Write "1,example.test".'))
            continue
        why = f"rank {place} in {path.name}" if place else f"line {number} of {path.name}"
        rows.append(_plain_row(len(rows) + 1, number, cells[domain], why, taken))
    return Listing(rows, problems)


def _plain_row(index: int, line: int, url: str, why: str, taken: set[str]) -> Row:
    url = with_scheme(url)
    name = name_of(url, taken)
    taken.add(name)
    values = {"url": url, "name": name, "why": why, "topic": PLAIN_TOPIC, "every": PLAIN_EVERY}
    return Row(index, line, values, keyed=False)
