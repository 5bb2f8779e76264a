"""What the commands that make and list releases do: read what was asked, call one thing, print."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from rich.live import Live
from rich.text import Text

from builder import printing
from builder.export import Exported, Told, choose, export
from builder.settings import builder_settings
from domain.errors import BadInput, NotFound, Shortage
from domain.families import NAMES, family_named
from domain.release import ReleaseSpec, Short, parse_spec
from domain.selection import REASONS, Selection
from store.blobs import Blobs
from store.database import open_database
from store.releases import releases
from store.settings import store_settings

HELPS = {"live": "crawler run", "clay": "builder ingest clay PATH --base RICO"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be exported, and how."""

    release: str
    to: Path | None = None
    name: str | None = None
    allow_partial: bool = False
    dry_run: bool = False
    workers: int | None = None


def spec_of(release: str, name: str | None = None) -> ReleaseSpec:
    """One of ours by its name, or a file. Raises NotFound with those that there are, BadInput with all that is wrong."""
    ours = {entry.name.removesuffix(".toml"): entry for entry in files("builder").joinpath("releases").iterdir()}
    path = Path(release)
    if path.suffix == ".toml" or "/" in release:
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{path} cannot be read: {error}") from error
    elif release in ours:
        text = ours[release].read_text("utf-8")
    else:
        raise NotFound(f"No release {release!r}. Known: {', '.join(sorted(ours))}. Of your own: --release path/to.toml")
    spec = parse_spec(text, release)
    if name is None:
        return spec
    try:
        return ReleaseSpec.model_validate(spec.model_dump() | {"name": name})
    except ValueError:
        raise BadInput(f"--name {name!r}: write lower case letters, digits, '.', '_' and '-', at most 64") from None


def export_release(asked: Asked, *, as_json: bool) -> None:
    """builder export."""
    spec, settings = spec_of(asked.release, asked.name), store_settings()
    workers = builder_settings(workers=asked.workers).processes
    place = asked.to or settings.data_dir / "releases" / spec.name
    with open_database(settings) as database, _progress(quiet=as_json) as told:
        selection = choose(database, spec)
        lacking = selection.partial and not asked.allow_partial
        done = None
        if not lacking and not asked.dry_run:
            blobs = Blobs(settings.blobs)
            done = export(
                database, blobs, spec, selection, place, allow_partial=asked.allow_partial, workers=workers, told=told
            )
    if as_json:
        printing.json_line(_document(spec, selection, done))
    elif done is None:
        _print_selection(spec, selection)
    else:
        _print_done(done)
    if selection.shortages and not as_json:
        _talk_shortages(selection)
    if lacking:
        raise Shortage(
            f"Release {spec.name} is short of what it is to have: nothing was written. With what there is: --allow-partial"
        )


def list_releases(*, as_json: bool) -> None:
    """builder releases."""
    with open_database() as database:
        found = releases(database)
    if as_json:
        for one in found:
            printing.json_line(one)
        return
    table = printing.table("name", "probes", "partial", "made", "frozen at (UTC)", "digest", right=("probes", "made"))
    for one in found:
        partial = "partial" if one.partial else ""
        when = one.frozen_at.strftime("%Y-%m-%d %H:%M:%S")
        table.add_row(one.name, str(one.probes), partial, str(one.made or ""), when, one.digest)
    if found:
        printing.out().print(table)
    else:
        printing.talk("No release is frozen yet. To cut one: builder export --release v1")


def _document(spec: ReleaseSpec, selection: Selection, done: Exported | None) -> dict[str, object]:
    return {
        "release": spec.name,
        "partial": selection.partial,
        "shortages": selection.shortages,
        "chosen": dict(sorted(Counter(one.family for one in selection.chosen).items())),
        "rejected": selection.rejected,
        "path": str(done.place) if done else None,
        "digest": done.manifest.digest if done else None,
        "written": bool(done and done.written),
        "frozen": bool(done and done.frozen),
    }


def _print_selection(spec: ReleaseSpec, selection: Selection) -> None:
    """A family a line: asked for, there, chosen; and why others were not."""
    table = printing.table("family", "wanted", "offered", "chosen", "not chosen", right=("wanted", "offered", "chosen"))
    chosen = Counter(one.family for one in selection.chosen)
    for family in NAMES:
        if family not in spec.families and not selection.offered[family]:
            continue
        wanted = spec.families[family].count if family in spec.families else 0
        why = ", ".join(f"{count} {reason}" for reason, count in sorted(selection.rejected.get(family, {}).items()))
        table.add_row(family, str(wanted), str(selection.offered[family]), str(chosen[family]), why)
    printing.out().print(table)
    reasons = sorted({reason for counted in selection.rejected.values() for reason in counted})
    for reason in reasons:
        printing.talk(f"{reason}: {REASONS[reason]}")


def _print_done(done: Exported) -> None:
    manifest = done.manifest
    printing.say(str(done.place))
    told = [f"{count} {family}" for family, count in manifest.counts.families.items()]
    printing.talk(f"Release {manifest.name}: {manifest.counts.total} probes ({', '.join(told)}), digest {manifest.digest}.")
    if not done.written:
        printing.talk(f"It was at {done.place} already, with the same content: nothing was written.")
    if not done.frozen:
        printing.talk("It was frozen already, with the same content.")
    if manifest.made:
        printing.talk(f"{manifest.made} of them are of made screens: no evidence about the world.")
    if manifest.partial:
        printing.talk(f"It is PARTIAL, and the name {manifest.name} is taken by it for good.")


def _talk_shortages(selection: Selection) -> None:
    table = printing.table(
        "family", "what", "wanted", "there", "lacking", "what would help", right=("wanted", "there", "lacking")
    )
    for one in selection.shortages:
        what = f"kind {one.kind}" if one.kind else one.what
        table.add_row(one.family, what, str(one.wanted), str(one.there), str(one.wanted - one.there), Text(helps(one)))
    console = printing.err()
    if not console.is_terminal:  # a file or a pipe has no width: give the table the room it needs
        console.width = printing.WIDE
    console.print(table)


def helps(short: Short) -> str:
    """The command that may bring more of what is lacking."""
    family = family_named(short.family)
    return " or ".join(HELPS.get(source, f"builder ingest {source} PATH") for source in family.SOURCES)


@contextlib.contextmanager
def _progress(*, quiet: bool) -> Iterator[Told]:
    """One line on what is being done; on no terminal, nothing."""
    now = ["choosing probes", 0, 0]

    def told(what: str, done: int, total: int) -> None:
        now[:] = [what, done, total]

    console = printing.err()
    if quiet or not console.is_terminal:
        yield told
        return

    def line() -> Text:
        what, done, total = now
        return Text(f"{what} {done}/{total}" if total else f"{what}")

    with Live(get_renderable=line, console=console, refresh_per_second=4, transient=True):
        yield told
