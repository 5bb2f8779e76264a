"""mind2web: pages with a whole screenshot, a cleaned structure and boxes. One item is one action: the page before it.

    data/<split>-NNNNN-of-MMMMM-<hash>.parquet    Multimodal-Mind2Web; a file, the folder, or the folder above
    task/<annotation_id>/processed/*.json         the raw dump (`_mind2web_dump`)

What is in the files, and every defect that was met: docs/sources/mind2web.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from builder.sources import MADE_MARK, Found, Rejected, Terms, Usable
from builder.sources import _mind2web_dump as dump
from builder.sources._mind2web_files import Shard, file_ref, proof_of_corners, root_of, row_groups, shards
from builder.sources._mind2web_rows import Action, Unreadable, candidates, nodes, page_fault
from channels.structures import html
from channels.views import checked_size
from domain.errors import BadInput
from domain.identity import writable
from domain.probe import FileRef
from domain.screen import Screen

NAME = "mind2web"
TITLE = "Multimodal-Mind2Web: pages of real websites with whole screenshots"
TERMS = Terms(
    licence="CC-BY-4.0",
    note="Mind2Web's data is CC BY 4.0, Multimodal-Mind2Web's OpenRAIL; the stricter holds. Benchmark data: never for training",
    redistribution="full",
    homepage="https://huggingface.co/datasets/osunlp/Multimodal-Mind2Web",
    citation="Deng et al., Mind2Web: Towards a Generalist Agent for the Web, 2023; Zheng et al., GPT-4V(ision) is a Generalist "
    "Web Agent, if Grounded, 2024",
)
EXPECTS = "data/<split>-NNNNN-of-MMMMM-<hash>.parquet (Multimodal-Mind2Web), or task/<annotation_id>/processed/ of the raw dump"
FORMAT = "html"
TRAIN = "train"
DUMP_NOTE = "train and test are together in it, and which is which is not told; MHTML, traces and videos are not read"

BASE: str | None = None
REASONS: Mapping[str, str] = {
    "train-split": "of the split train, whose screenshots nobody checked: only the test splits are read",
    "boxes-xyxy": "the file's boxes are proven to be x1,y1,x2,y2 where x,y,width,height is what the publisher writes",
    "broken-file": "a part of the file cannot be decoded",
    "no-uid": "the row has no action_uid",
    "duplicate": "a row before this one has the same action_uid",
    "no-screenshot": "the screenshot is null",
    "bad-screenshot": "the screenshot is no whole PNG or JPEG",
    "wrong-size": "the screenshot does not hold the page that the boxes are on, or is of another scale",
    "no-html": "cleaned_html is null or empty",
    "bad-html": "the structure is not well-formed, or no snapshot of a document",
    "broken-json": "one of the JSON texts inside each other is broken",
    "no-boxes": "no candidate has a box that can be used",
    "too-large": "a file of the raw dump is too large to be read at once",
}


def find(path: Path, *, base: Path | None) -> Found:
    """Looks at names and, of Parquet files, columns. Raises BadInput: nothing of the kind there, or a column is missing."""
    if base is not None:
        raise BadInput(f"{NAME} annotates no other corpus: leave out the base.")
    made = (root_of(path) / MADE_MARK).is_file()
    found, notes = shards(path)
    if found:
        return Found(path, made, sum(shard.rows for shard in found), notes=tuple(notes))
    if folders := dump.tasks(path):
        return Found(path, made, notes=(f"{len(folders)} tasks of the raw dump: {DUMP_NOTE}",))
    there = sorted(one.name + "/" * one.is_dir() for one in path.iterdir()) if path.is_dir() else None
    if there and any(name.endswith(".json") or name in {"train/", "test_task/"} for name in there):
        raise BadInput(f"{path}: this looks like the original Mind2Web, which has no pictures; expected {EXPECTS}.")
    listing = "there is no such folder" if there is None else f"found {', '.join(there[:5]) or 'an empty folder'}"
    raise BadInput(f"{path}: expected {EXPECTS}; {listing}.")


def read(found: Found, *, skip: Collection[str] = (), only: Collection[str] | None = None) -> Iterator[Usable | Rejected]:
    """Every action once, file after file by name. Skipped ones are not decoded; raw_html, the largest column, is never read."""
    wanted = None if only is None else frozenset(only)

    def asked(item: str) -> bool:
        return item not in skip and (wanted is None or item in wanted)

    parquet, _ = shards(found.path)
    seen: set[str] = set()
    for shard in parquet:
        yield from _of_shard(shard, found.made, asked, seen)
    if not parquet:
        for folder in dump.tasks(found.path):
            yield from _of_task(found, folder, asked, seen)


def _of_shard(shard: Shard, made: bool, asked: Any, seen: set[str]) -> Iterator[Usable | Rejected]:
    """The rows of one file. The file is hashed once, when the first row is asked for."""
    files: tuple[FileRef, ...] = ()
    proof = ""
    for group, wanted in row_groups(shard, asked, seen):
        for refused in wanted.refused:
            yield Rejected(*refused, files=files)
        if not wanted.rows:
            continue
        if not files:
            files, proof = (file_ref(shard.path, shard.name),), proof_of_corners(shard)
        if shard.split == TRAIN or proof:
            reason = ("boxes-xyxy", proof) if proof else (TRAIN + "-split", f"{shard.name} is of the split {TRAIN}.")
            yield from (Rejected(item, *reason, files=files) for item in wanted.rows.values())
            continue
        try:
            for item, row in group(wanted.rows):
                yield _one(item, row, shard.split, made, files)
        except (pa.ArrowException, OSError) as error:
            told = str(error).splitlines()[0]
            yield Rejected(f"{shard.name}#{wanted.number}", "broken-file", f"Row group {wanted.number}: {told}", files)


def _one(item: str, row: Mapping[str, Any], split: str, made: bool, files: tuple[FileRef, ...]) -> Usable | Rejected:
    try:
        shot = row["screenshot"]
        picture = shot.get("bytes") if isinstance(shot, dict) else shot
        if not picture:
            raise Unreadable("no-screenshot", "screenshot is null." if shot is None else "screenshot.bytes is null.")  # noqa: TRY301
        if not row["cleaned_html"]:
            raise Unreadable("no-html", "cleaned_html is empty.")  # noqa: TRY301
        found = [*candidates("pos_candidates", row["pos_candidates"]), *candidates("neg_candidates", row["neg_candidates"])]
        site = writable(str(row["website"] or ""))
        return _usable(Action(item, site, "", split, picture, row["cleaned_html"].encode(), found), made, files)
    except Unreadable as fault:
        return Rejected(item, fault.reason, writable(fault.detail), files)


def _of_task(found: Found, folder: Path, asked: Any, seen: set[str]) -> Iterator[Usable | Rejected]:
    names = {name: (folder / name).relative_to(found.path).as_posix() for name in (dump.DOM, dump.SHOTS)}
    files: tuple[FileRef, ...] = ()
    try:
        for uid, action in dump.actions(folder):
            item = writable(uid) or f"{names[dump.DOM]}#no-uid"
            twice = item in seen
            seen.add(item)
            if not asked(item):
                continue
            files = files or tuple(file_ref(folder / name, told) for name, told in names.items())
            if twice:
                yield Rejected(item, "duplicate", f"{names[dump.DOM]} or a file before it has this action_uid already.", files)
                continue
            try:
                if isinstance(action, Unreadable):
                    raise action
                yield _usable(action, found.made, files)
            except Unreadable as fault:
                yield Rejected(item, fault.reason, writable(fault.detail), files)
    except Unreadable as fault:
        yield Rejected(names[dump.DOM], fault.reason, fault.detail, files)


def _usable(action: Action, made: bool, files: tuple[FileRef, ...]) -> Usable:
    try:
        width, height = checked_size(action.picture)
    except BadInput as error:
        raise Unreadable("bad-screenshot", str(error)) from error
    try:
        structure = html.normal(action.content)
    except BadInput as error:
        raise Unreadable("bad-html", str(error)) from error
    if fault := page_fault(action.candidates, width, height):
        raise Unreadable("wrong-size", fault)
    screen = Screen(
        source=NAME,
        item=writable(action.item),
        site=writable(action.site),
        made=made,
        screenshot=hashlib.sha256(action.picture).hexdigest(),
        structure=hashlib.sha256(structure).hexdigest(),
        format=FORMAT,
        width=width,
        height=height,
        nodes=nodes(structure, action.candidates),
        files=files,
        url=writable(action.url),
        split=action.split,
    )
    return Usable(screen, action.picture, structure)
