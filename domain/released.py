"""What a release is made of: a row for each probe, and the manifest over them. Written by builder/export, read by everybody."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Literal

import rfc8785
from pydantic import Field

from domain.geometry import Box
from domain.probe import Digest, Probe, View
from domain.record import Record

Redistribution = Literal["full", "recipe"]
"""full: pictures and structures are in the release. recipe: only ids, boxes and hashes; `builder rebuild` fills in the rest."""


class Channels(Record):
    """Both channels of one condition, by hash. Two conditions differ in exactly those channels whose hashes differ."""

    pixels: Digest = Field(description="of what is shown: picture file, window, frame (domain/released.py, pixels_digest)")
    structure: Digest = Field(description="of the structure's bytes, edited where the condition edits it")


class ReleasedProbe(Probe):
    """One row of a release: the probe, and what the release says of it."""

    release: str = Field(description="name of the release")
    partial: bool = Field(description="true: the release has fewer probes than it is specified to have")
    made: bool = Field(description="true: of screens rendered for tests or pages of this machine; no evidence about the world")
    redistribution: Redistribution
    channels: Mapping[str, Channels] = Field(
        description="by condition: agree and swap where the conflict is made, natural where found"
    )
    splits: tuple[str, ...] = Field(
        description="named parts that it belongs to: headline, natural, control, clean, ...; sorted"
    )


def canonical(record: Record) -> bytes:
    """The record as canonical JSON (RFC 8785): sorted keys, no blanks, shortest numbers, UTF-8. One line, no newline."""
    return rfc8785.dumps(record.model_dump(mode="json"))


def pixels_digest(screenshot: str, view: View | None, region: Box) -> str:
    """Hash of the pixel channel: the picture file and what is shown of it. Without a view it is the file's own.

    Not of a derived picture's bytes: those differ between versions of the program that writes them.
    """
    if view is None:
        return screenshot
    shown = {"screenshot": screenshot, "view": view.model_dump(mode="json"), "region": region.as_list() if view.mark else None}
    return hashlib.sha256(rfc8785.dumps(shown)).hexdigest()
