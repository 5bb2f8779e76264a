"""screenspot_pro: targets in screenshots of desktop applications, each labelled icon or text. One item is one annotation.

    annotations/<application>_<platform>.json    lists of annotations
    images/<folder>/<name>.png                   named by each annotation's img_filename, relative to images/

What is in the files, and every defect that was met: docs/sources/screenspot_pro.md.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from builder.sources import MADE_MARK, Found, Rejected, Terms, Usable
from builder.sources._annotations import REASONS as REASONS_OF_ROWS
from builder.sources._annotations import Annotation, annotations_in, files_of, squeezed
from channels.structures import element_list
from channels.views import checked_size
from domain.errors import BadInput
from domain.geometry import Box
from domain.probe import FileRef
from domain.screen import Node, Screen

NAME = "screenspot_pro"
TITLE = "ScreenSpot-Pro: targets in professional desktop applications"
TERMS = Terms(
    licence="unknown",
    note="not established: early copies of the dataset's card name none, a third party's mirror says MIT",
    redistribution="recipe",
    homepage="https://huggingface.co/datasets/likaixin/ScreenSpot-Pro",
    citation="Li et al. ScreenSpot-Pro: GUI Grounding for Professional High-Resolution Computer Use. 2025.",
)
EXPECTS = "a folder with annotations/<application>_<platform>.json and images/<folder>/<name>.png"
PICTURES = (".png", ".jpg", ".jpeg")
NAMES_TOLD = 5

FORMAT = "element_list"
BASE: str | None = None
REASONS: Mapping[str, str] = {
    **REASONS_OF_ROWS,
    "missing-picture": "the picture that the annotation names is not there",
    "bad-picture": "the picture is no whole PNG or JPEG",
    "wrong-size": "the picture has another size than img_size says, and boxes are px of a picture of that size",
    "contradicted": "another annotation has the same box on a picture of the same content, and another ui_type",
    "same-region": "an annotation before this one has the same box on a picture of the same content",
}


def find(path: Path, *, base: Path | None) -> Found:
    """Looks at the annotations, which are small, and at the names of the pictures. Raises BadInput."""
    if base is not None:
        raise BadInput(f"{NAME} annotates no other corpus: leave out the base.")
    images = path / "images"
    if not files_of(path / "annotations") or not images.is_dir():
        raise BadInput(f"{path}: expected {EXPECTS}; {_there(path)}.")
    rows = annotations_in(path / "annotations")
    rejected = [row for row in rows if isinstance(row, Rejected)]
    if len(rejected) == len(rows) and {row.reason for row in rejected} & {"xywh", "normalised"}:
        told = next(row for row in rejected if row.reason in {"xywh", "normalised"})
        raise BadInput(f"{path}: another corpus of this kind, not ScreenSpot-Pro: no box is as it should be. {told.detail}.")
    named = {row.picture for row in rows if isinstance(row, Annotation)}
    unused = sorted(name for name in _pictures(images) if name not in named)
    notes = (f"{len(unused)} pictures that no annotation names: {_few(unused)}",) if unused else ()
    return Found(path=path, made=(path / MADE_MARK).is_file(), items=len(rows), notes=notes)


def read(found: Found, *, skip: Collection[str] = (), only: Collection[str] | None = None) -> Iterator[Usable | Rejected]:
    """Every annotation once: first those that are wrong by themselves, then picture after picture, so that each is read once.

    Of a skipped one the picture is opened only where another annotation has the very same box.
    """
    rows = annotations_in(found.path / "annotations")
    skipped, wanted = frozenset(skip), None if only is None else frozenset(only)
    asked = [row for row in rows if row.item not in skipped and (wanted is None or row.item in wanted)]
    yield from (row for row in asked if isinstance(row, Rejected))
    alike: defaultdict[tuple[object, ...], list[Annotation]] = defaultdict(list)
    for row in _in_order(rows):
        alike[row.box, row.size].append(row)
    shelf = Shelf(found.path)
    for row in _in_order(asked):
        yield _read(row, alike[row.box, row.size], shelf, made=found.made)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a picture cannot be used. files: the picture, where it is there."""

    reason: str
    detail: str
    files: tuple[FileRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole picture. width, height: image px."""

    file: FileRef
    width: int
    height: int


class Shelf:
    """The pictures of a corpus: of the last one the bytes, of every one that was read its hash and its size."""

    def __init__(self, corpus: Path) -> None:
        self._corpus = corpus
        self._last: tuple[str, bytes] | None = None
        self._known: dict[str, Picture | Fault] = {}

    def content(self, name: str) -> bytes:
        """The file's bytes. Raises OSError."""
        if self._last is None or self._last[0] != name:
            self._last = None  # never two at a time
            self._last = name, (self._corpus / "images" / name).read_bytes()
        return self._last[1]

    def look(self, name: str) -> Picture | Fault:
        """What the file is. It is read and hashed at the first question only."""
        if name not in self._known:
            self._known[name] = self._look(name)
        return self._known[name]

    def _look(self, name: str) -> Picture | Fault:
        told = f"images/{ascii(name)[1:-1]}"
        try:
            content = self.content(name)
        except FileNotFoundError:
            return Fault("missing-picture", f"{told} is not there{self._twin(name)}")
        except OSError as error:
            return Fault("missing-picture", f"{told} cannot be read: {error.strerror}")
        file = FileRef(name=f"images/{name}", size=len(content), sha256=hashlib.sha256(content).hexdigest())
        try:
            return Picture(file, *checked_size(content))
        except BadInput as error:
            return Fault("bad-picture", f"{told}: {error}", (file,))

    def _twin(self, name: str) -> str:
        """Whether a file is there whose name only looks the same. It is not taken: it may be another picture."""
        place = self._corpus / "images" / name
        names = sorted(one.name for one in place.parent.iterdir()) if place.parent.is_dir() else []
        twin = next((one for one in names if squeezed(one) == squeezed(place.name)), None)
        return f", but {ascii(twin)[1:-1]} is, which is another name" if twin else ""


def _read(row: Annotation, alike: Sequence[Annotation], shelf: Shelf, *, made: bool) -> Usable | Rejected:
    """alike: all annotations with the same box and size, this one among them, in order."""
    others = [(other, shelf.look(other.picture)) for other in alike if other.item != row.item]
    picture = shelf.look(row.picture)
    if isinstance(picture, Fault):
        return Rejected(row.item, picture.reason, picture.detail, (row.file, *picture.files))
    files = (row.file, picture.file)
    if (picture.width, picture.height) != row.size:
        told = f"img_size says {row.size[0]}x{row.size[1]}, {picture.file.name} is {picture.width}x{picture.height}"
        return Rejected(row.item, "wrong-size", told, files)
    same = [other for other, seen in others if isinstance(seen, Picture) and seen.file.sha256 == picture.file.sha256]
    if contrary := next((other for other in same if other.type != row.type), None):
        return Rejected(row.item, "contradicted", f"{row.type} here, {contrary.type} in {contrary.item}", files)
    if same and _order(same[0]) < _order(row):
        return Rejected(row.item, "same-region", f"{same[0].item} has the box {[*row.box]} as well", files)
    structure = element_list.normal(orjson.dumps([{"id": row.item, "bbox": row.box, "type": row.type}]))
    screen = Screen(
        source=NAME,
        item=row.item,
        site=row.application,
        made=made,
        screenshot=picture.file.sha256,
        structure=hashlib.sha256(structure).hexdigest(),
        format=FORMAT,
        width=picture.width,
        height=picture.height,
        nodes=(_node(row),),
        files=files,
    )
    return Usable(screen, shelf.content(row.picture), structure)


def _node(row: Annotation) -> Node:
    left, top, right, bottom = row.box
    box = Box(left, top, right - left, bottom - top)
    return Node(key=row.item, box=box, type=row.type, label=row.type, attributes=row.attributes)


def _in_order(rows: Sequence[Annotation | Rejected]) -> list[Annotation]:
    """Picture by picture."""
    return sorted((row for row in rows if isinstance(row, Annotation)), key=_order)


def _order(row: Annotation) -> tuple[str, str, int]:
    return row.picture, row.file.name, row.at


def _pictures(images: Path) -> Iterator[str]:
    found = (one for one in images.rglob("*") if one.suffix.lower() in PICTURES and not one.name.startswith("."))
    return (one.relative_to(images).as_posix() for one in found)


def _there(path: Path) -> str:
    if not path.is_dir():
        return "there is no such folder"
    names = sorted(one.name + "/" * one.is_dir() for one in path.iterdir())
    return f"found {_few(names)}" if names else "found nothing in it"


def _few(names: Sequence[str]) -> str:
    told = ", ".join(ascii(name)[1:-1] for name in names[:NAMES_TOLD])
    return told + (f" and {len(names) - NAMES_TOLD} more" if len(names) > NAMES_TOLD else "")
