"""What the commands on releases do, one function each: read what was asked, call one thing, print."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer
from rich.text import Text

from builder import printing
from builder.assembled import ROWS, folder_of, opened
from builder.diff import Changed, Difference, diff
from builder.formats import form
from builder.formats.card import card
from builder.rebuild import rebuild
from builder.settings import builder_settings
from builder.show import Found, facts_of, in_release, in_store, save
from builder.sources import CORPORA
from builder.verify import verify
from domain.errors import BadInput
from store.settings import store_settings

CUT = 60
"""Characters of a value in a table."""
MOST = 100
"""Problems or probes that are printed for people; --json has them all."""


def verify_release(path: Path, *, as_json: bool) -> None:
    """builder verify."""
    path = _meant(path)
    with printing.counting("files and rows", quiet=as_json) as tick:
        problems = verify(path, workers=builder_settings().processes, tick=tick)
    if as_json:
        printing.json_line({"path": str(path), "problems": problems})
    elif problems:
        for problem in problems[:MOST]:
            printing.say(str(problem))
        _more(len(problems), "problem")
        printing.talk(f"{path}: {len(problems)} problem{'s' * (len(problems) != 1)}.")
    else:
        manifest = opened(path).manifest
        printing.say(f"{path}: release {manifest.name} is whole. {manifest.counts.total} probes, digest {manifest.digest}")
    if problems:
        raise typer.Exit(1)


def diff_releases(first: Path, second: Path, *, as_json: bool) -> None:
    """builder diff."""
    found = diff(_meant(first), _meant(second))
    if as_json:
        printing.json_line(found)
    else:
        _print_difference(found)
        printing.talk(f"Compared by {ROWS} alone. Whether a folder is whole: builder verify FOLDER")
    if not found.none:
        raise typer.Exit(1)


def show_probe(wanted: str, *, release: Path | None, save: Path | None, as_json: bool) -> None:
    """builder show."""
    if not wanted.strip():
        raise BadInput("The id is empty. Give that of a probe; its beginning is enough.")
    if release is not None:
        _show(in_release(_meant(release), wanted), save, as_json=as_json)
        return
    with in_store(wanted) as found:
        _show(found, save, as_json=as_json)


def print_card(path: Path, *, write: bool, as_json: bool) -> None:
    """builder card."""
    path = _meant(path)
    release = opened(path)
    if write:
        for name in ("card", "checksums"):
            form(name).write(release, path)
    if as_json:
        printing.json_line({"path": str(path), "written": write, "card": card(release, path)})
    elif not write:
        printing.out().file.write(card(release, path))
    else:
        printing.talk(f"{path}: the card is written, and its checksum.")


def rebuild_release(path: Path, given: Sequence[str], to: Path | None, *, as_json: bool) -> None:
    """builder rebuild."""
    path = _meant(path)
    copies = dict(map(_copy, given))
    with printing.counting("screens read", quiet=as_json) as tick:
        done = rebuild(path, copies, to or path.with_name(f"{path.resolve().name}-rebuilt"), tick=tick)
    if as_json:
        printing.json_line(done)
    else:
        for mismatch in done.mismatches[:MOST]:
            printing.say(str(mismatch))
        _more(len(done.mismatches), "mismatch")
        for source, count in done.left.items():
            printing.say(f"{source}: {count} probes have no picture and no structure. Your copy: --source {source}=PATH")
        printing.say(f"{done.folder}: {done.filled} of {done.recipes} recipes are filled in.")
    if not done.complete:
        raise typer.Exit(1)


def _meant(given: Path) -> Path:
    """The folder that was given, or the one that `builder export` has put a release of this name into."""
    return folder_of(given, store_settings().releases)


def _copy(given: str) -> tuple[str, Path]:
    name, sep, path = given.partition("=")
    if not sep or not path or name not in CORPORA:
        raise BadInput(f"--source {given!r}: write NAME=PATH, with one of {', '.join(CORPORA)}.")
    return name, Path(path)


def _show(found: Found, folder: Path | None, *, as_json: bool) -> None:
    written = save(found, folder) if folder is not None else []
    if as_json:
        printing.json_line({"probe": found.probe, "where": found.where, "files": [str(path) for path in written]})
        return
    printing.out().print(printing.facts(facts_of(found)))
    for path in written:
        printing.talk(f"written: {path}")


def _print_difference(found: Difference) -> None:
    table = printing.table("family", "added", "removed", "changed", "same", right=("added", "removed", "changed", "same"))
    for family, counts in found.families.items():
        table.add_row(family, *(str(counts.get(name, 0)) for name in ("added", "removed", "changed", "same")))
    printing.out().print(table)
    for sign, rows in (("+", found.added), ("-", found.removed)):
        for row in rows[:MOST]:
            printing.say(f"{sign} {row.id}  {_cut(row.structural)} / {_cut(row.gold)}")
        _more(len(rows), "probe")
    for changed in found.changed[:MOST]:
        _print_changed(changed)
    _more(len(found.changed), "probe")
    if found.none:
        printing.say(f"No difference in {found.same} probes.")


def _print_changed(changed: Changed) -> None:
    now = f" (now {changed.now})" if changed.now != changed.id else ""
    printing.say(f"~ {changed.id}{now}  {', '.join(changed.reasons)}")
    for name, (before, after) in changed.fields.items():
        printing.out().print(Text(f"    {name}: {_cut(before)} -> {_cut(after)}"), soft_wrap=True)


def _more(count: int, noun: str) -> None:
    if count > MOST:
        printing.say(f"... and {count - MOST} more {noun}{'es' if noun.endswith('h') else 's'}; all of them: --json")


def _cut(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= CUT else f"{text[: CUT - 1]}\u2026"
