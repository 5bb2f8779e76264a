"""Rows: a probe with what a release says of it, both channels hashed for each condition."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from channels.structures import structure
from domain.errors import BadInput
from domain.families import EDITED, HEADLINE, NATURAL
from domain.made import is_made
from domain.probe import Edit, Probe
from domain.released import Channels, Redistribution, ReleasedProbe, pixels_digest

CONTROL = "mobile-visible"
AGREE, SWAP = EDITED


@dataclass(frozen=True, slots=True)
class Release:
    """What every row of a release says of it. terms: by source, whether its bytes may be in the release.

    audited: splits of a probe by an audit; none without one.
    """

    name: str
    partial: bool
    terms: Mapping[str, Redistribution]
    audited: Callable[[Probe], Collection[str]] = lambda _: ()


@dataclass(frozen=True, slots=True)
class Made:
    """A row, and the structures that it names: by condition, their bytes. form: their format."""

    row: ReleasedProbe
    structures: Mapping[str, bytes]
    form: str


def make_row(release: Release, probe: Probe, content: bytes, form: str) -> Made:
    """The row of one probe. content: its structure, whose format is `form`.

    Raises BadInput where the structure is not the one that the probe is of, where the edit cannot be made, or where not exactly
    one channel differs between the conditions.
    """
    if (found := hashlib.sha256(content).hexdigest()) != probe.structure:
        raise BadInput(f"{probe.id}: its structure is {probe.structure}, and what was read is {found}.")
    structures = dict.fromkeys(NATURAL, content)
    if probe.edit is not None:
        structures = {AGREE: content, SWAP: _edited(probe, probe.edit, content, form)}
    pixels = pixels_digest(probe.screenshot, probe.view, probe.region)
    channels = {
        condition: Channels(pixels=pixels, structure=hashlib.sha256(said).hexdigest()) for condition, said in structures.items()
    }
    if probe.edit is not None and (number := differing(channels[AGREE], channels[SWAP])) != 1:
        raise BadInput(f"{probe.id}: {number} channels differ between {AGREE} and {SWAP}; it must be one.")
    made = is_made(probe.provenance)
    return Made(
        ReleasedProbe(
            **{name: getattr(probe, name) for name in Probe.model_fields},
            release=release.name,
            partial=release.partial,
            made=made,
            redistribution="full" if made else release.terms[probe.provenance.source],
            channels=channels,
            splits=splits_of(probe, release.audited(probe)),
        ),
        structures,
        form,
    )


def differing(one: Channels, other: Channels) -> int:
    """In how many channels two conditions differ."""
    return (one.pixels != other.pixels) + (one.structure != other.structure)


def splits_of(probe: Probe, audited: Collection[str] = ()) -> tuple[str, ...]:
    """Named parts that the probe belongs to, with those by an audit. Source: paper, "Composition"."""
    found = {"headline"} if probe.family in HEADLINE else {"control"} if probe.family == CONTROL else set()
    return tuple(sorted(found | ({"natural"} if probe.edit is None else set()) | set(audited)))


def _edited(probe: Probe, edit: Edit, content: bytes, form: str) -> bytes:
    """The structure with the edit made: it said `before`, and says `after`."""
    try:
        format_ = structure(form)
        swapped = format_.edited(content, edit)  # checks what is said before
        says = format_.says(swapped, edit.node, edit.rule)
    except BadInput as error:
        raise BadInput(f"{probe.id}: {edit.rule} cannot be done: {error}") from error
    if says != edit.after:
        raise BadInput(f"{probe.id}: after {edit.rule} the structure says {says!r} of {edit.node}, not {edit.after!r}.")
    return swapped
