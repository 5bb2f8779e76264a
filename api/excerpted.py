"""The excerpt of a stored structure, asked of the blobs."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from channels import excerpts
from channels.corpus_excerpts import excerpt_of_node
from channels.excerpts import Artifacts, excerpt
from domain.errors import NotFound
from domain.probe import CorpusProvenance, Probe
from domain.record import Record
from store.blob_contents import whole
from store.blobs import Blobs, StoredBlob

_NEEDED = ("dom", "frames", "served", "before")


class Piece(Record):
    """A run of the excerpt's text."""

    text: str = Field(description="strangers' text: to be escaped")
    marked: bool = Field(default=False, description="it is the structural value")


class Excerpt(Record):
    """The structure around the element as text, cut to a size that can be read."""

    pieces: tuple[Piece, ...] = Field(description="in order; joined they are the text")
    problem: str = Field(default="", description="why there is none, or none with a mark; empty where all is well")


def excerpt_of(blobs: Blobs, known: Mapping[str, StoredBlob], path: str, value: str, kind: str) -> Excerpt:
    """Around the element at this path, with the value marked. known: the capture's artifacts that are to be had, by name."""
    if "dom" not in known:
        return Excerpt(pieces=(), problem="The document was not stored, or was removed to save space.")
    try:
        stored = Artifacts(**{name: whole(blobs, known[name]) for name in _NEEDED if name in known})
        return _sent(excerpt(stored, path, value, kind))
    except NotFound:
        return Excerpt(pieces=(), problem="The stored document, or a reading of it, is missing or damaged in the store.")
    except (ValueError, KeyError, TypeError, AttributeError):  # of a version, or a shape, that is not known here
        return Excerpt(pieces=(), problem="A reading of the document is not as it is known here: look into the archive.")


def excerpt_of_corpus(blobs: Blobs, probe: Probe, known: StoredBlob | None) -> Excerpt:
    """Of a corpus's structure: the node with the probe's edit made. known: the structure, where it is to be had."""
    where = probe.provenance
    if known is None or not isinstance(where, CorpusProvenance):
        return Excerpt(pieces=(), problem="The structure is not kept in this store.")
    try:
        content = whole(blobs, known)
    except NotFound:
        return Excerpt(pieces=(), problem="The structure is missing or damaged in the store.")
    return _sent(excerpt_of_node(content, where.node, probe.edit))


def _sent(cut: excerpts.Excerpt) -> Excerpt:
    return Excerpt(pieces=tuple(Piece(text=text, marked=marked) for text, marked in cut.pieces), problem=cut.problem)
