"""frames_stored: frames of other sites in the archive, from which they can be judged again, and in the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from crawler.browsers import Json
from crawler.frames import OFF_SCREEN, OTHER, Framed, When
from crawler.names import pack as pack_names
from crawler.names import unpack as unpack_names
from domain.capture import Capture, Ink
from domain.divergence import Finding
from domain.errors import BadInput
from domain.frames import FrameCapture, Window, capture_in, findings_in
from domain.geometry import Box
from domain.reading import Snapshot, parse
from domain.text import PolicyName
from domain.visit import Frame, Moment, Timeline

VERSION = 1
TIMES: tuple[When, ...] = ("served", "before", "after")


def pack(frames: Sequence[Framed]) -> bytes:
    """The artifact `frames`, of those that were read, outer ones first (docs/reading.md); empty for none."""
    whole = [f for f in frames if not f.reason]
    if not whole:
        return b""
    places = {id(f): i for i, f in enumerate(whole)}
    packed = [
        {
            "key": f.key,
            "path": f.path,
            "url": f.url,
            "outer": places.get(id(f.outer)),
            "dom": f.dom,
            "covered": {str(key): share for key, share in f.covered.items()},
            "names": orjson.Fragment(pack_names(f.names)),
            **{when: {"window": _listed(f.window(when)), "reading": orjson.Fragment(f.readings[when].raw)} for when in TIMES},
        }
        for f in whole
    ]
    return orjson.dumps({"version": VERSION, "frames": packed})


def _listed(window: Window | None) -> list[float] | None:
    """[x, y, scale, and x, y, width, height of the clip], CSS px on the main viewport."""
    if window is None:
        return None
    clip = window.clip
    return [window.x, window.y, window.scale, clip.x, clip.y, clip.width, clip.height]


def unpack(content: bytes) -> list[FrameCapture]:
    """What `pack` packed. Raises BadInput on another version."""
    if not content:
        return []
    held = orjson.loads(content)
    if held.get("version") != VERSION:
        raise BadInput(f"These frames are of version {held.get('version')!r}; known: {VERSION}.")

    def reading(look: Mapping[str, Any]) -> tuple[Snapshot, Window | None]:
        if look["window"] is None:
            return parse(look["reading"]), None
        x, y, scale, *clip = look["window"]
        return parse(look["reading"]), Window(x, y, scale, Box(*clip))

    return [
        FrameCapture(
            path=f["path"],
            url=f["url"],
            served=reading(f["served"]),
            before=reading(f["before"]),
            after=reading(f["after"]),
            names=unpack_names(orjson.dumps(f["names"])),
            covered={int(key): share for key, share in f["covered"].items()},
        )
        for f in held["frames"]
    ]


def judged(content: bytes, shown: Snapshot, ink: Ink | None, policy: PolicyName) -> tuple[list[Capture], tuple[Finding, ...]]:
    """Each stored frame as a capture of its own, and the findings of all. shown: the main reading before the pixels."""
    view = Box(0, 0, shown.width, shown.height)
    frames = unpack(content)
    captures = [capture_in(frame, view, ink) for frame in frames]
    found = [findings_in(frame, capture, policy) for frame, capture in zip(frames, captures, strict=True)]
    return captures, tuple(finding for each in found for finding in each)


def recorded(entries: Sequence[Mapping[str, Any]], frames: Sequence[Framed], times: Timeline) -> tuple[Frame, ...]:
    """The record's lines on frames. entries: of the main reading before the pixels; times: of the main document."""
    by_key = {f.key: f for f in frames if f.outer is None}
    told: list[Frame] = []
    for entry in entries:
        if entry["reason"] != OTHER:
            told.append(Frame(url=str(entry["url"])[:2000], read=bool(entry["read"]), reason=entry["reason"], **_same(entry)))
        elif (framed := by_key.get(entry.get("k", -1))) is not None:
            told.append(_other(framed, times))
        else:
            reason = "not read when the structure was" if entry.get("clip") else OFF_SCREEN
            told.append(Frame(url=str(entry["url"])[:2000], read=False, reason=reason))
    told += [_other(f, times) for f in frames if f.outer is not None]
    return tuple(told)


def _same(entry: Mapping[str, Any]) -> Json:
    return {"skew_ms": 0.0, "process": "same"} if entry["read"] else {}


def _other(f: Framed, times: Timeline) -> Frame:
    moments: dict[When, Moment] = {when: f.readings[when].moment for when in TIMES if when in f.readings}
    main: dict[When, Moment | None] = {"served": times.served, "before": times.before, "after": times.after}
    apart = [abs(m.monotonic_ns - page.monotonic_ns) / 1e6 for when, m in moments.items() if (page := main[when]) is not None]
    return Frame(
        url=f.url[:2000],
        read=not f.reason,
        process=f.process,
        reason=f.reason,
        skew_ms=round(max(apart), 1) if apart and not f.reason else None,
        **{str(when): moment for when, moment in moments.items()},
    )
