"""What the commands that make and list releases do: read what was asked, call one thing, print."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from rich.text import Text

from builder import printing
from builder.audit_splits import PEOPLE, audited
from builder.export import Exported, choose, export
from builder.settings import builder_settings
from builder.sources import SOURCES
from domain.audit import AnnotatorKind
from domain.errors import BadInput, NotFound, Shortage
from domain.families import NAMES, family_named
from domain.release import ReleaseSpec, Short
from domain.release_file import FORMAT, parse_spec
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
    audit: str | None = None
    annotators: AnnotatorKind | None = None


def spec_of(release: str, name: str | None = None) -> ReleaseSpec:
    """One of ours by its name, or a file. Raises NotFound with those that there are, BadInput with all that is wrong."""
    ours = {entry.name.removesuffix(".toml"): entry for entry in files("builder").joinpath("releases").iterdir()}
    path = Path(release)
    if path.suffix == ".toml" or "/" in release:
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{path} cannot be read: {error}. What such a file holds: {FORMAT}") from error
    elif release in ours:
        text = ours[release].read_text("utf-8")
    else:
        raise NotFound(
            f"No release {release!r} comes with Parallax: {', '.join(sorted(ours))} does. To cut one of your own, write what "
            f"it is to hold into a .toml file, as {FORMAT} shows: --release path/to.toml"
        )
    spec = parse_spec(text, release)
    named = [(family, source) for family, quota in spec.families.items() for source in quota.sources or ()]
    if strangers := [(family, source) for family, source in named if source not in SOURCES]:
        known = ", ".join(SOURCES)
        lines = [f"{release}, families.{family}.sources: there is no {one}. Known: {known}" for family, one in strangers]
        raise BadInput("\n".join(lines))
    if name is None:
        return spec
    try:
        return ReleaseSpec.model_validate(spec.model_dump() | {"name": name})
    except ValueError:
        raise BadInput(f"--name {name!r}: write lower case letters, digits, '.', '_' and '-', at most 64") from None


def export_release(asked: Asked, *, as_json: bool) -> None:
    """builder export."""
    if asked.annotators is not None and asked.audit is None:
        raise BadInput(f"--annotators {asked.annotators} says whose labels of an audit count: say which audit with --audit.")
    spec, settings = spec_of(asked.release, asked.name), store_settings()
    workers = builder_settings(workers=asked.workers).processes
    place = asked.to or settings.releases / spec.name
    with open_database(settings) as database, printing.progress(quiet=as_json) as told:
        audit = audited(database, asked.audit, asked.annotators) if asked.audit is not None else None
        for warning in audit.warnings() if audit else ():
            printing.talk(f"WARNING: {warning}")
        selection = choose(database, spec)
        lacking = selection.partial and not asked.allow_partial
        done = None
        if not lacking and not asked.dry_run:
            blobs = Blobs(settings.blobs)
            partial = asked.allow_partial
            done = export(
                database, blobs, spec, selection, place, allow_partial=partial, workers=workers, told=told, audit=audit
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
        "filled": bool(done and done.filled),
        "audit": done.manifest.audit if done else None,
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
    if done.filled:
        printing.talk("It was frozen before files were kept: they are in the store from now on.")
    if manifest.made:
        printing.talk(f"{manifest.made} of them are of made screens: no evidence about the world.")
    if (audit := manifest.audit) is not None:
        clean = ", ".join(f"{count} {split}" for split, count in audit.clean.items()) or "none is clean"
        whose = PEOPLE[audit.annotators] if audit.annotators else "annotators"
        printing.talk(
            f"Audit {audit.name} asked about {audit.items} of them, {audit.pairs} with two labels of {whose}: {clean}. "
            f"{audit.unasked} were not asked about."
        )
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
