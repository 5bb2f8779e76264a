"""A PNG with its pixels alone. Pictures of audits are stored so; here nothing else can leave, whoever stored what."""

from __future__ import annotations

import struct

from domain.errors import Unavailable

MARK = b"\x89PNG\r\n\x1a\n"
KEPT = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
"""What pixels are made of. All else can say something: text, times, profiles, names of programs."""
_HEAD, _CHECK = 8, 4
"""Bytes of a chunk before and after its content: length and name; its check sum."""


def bare(png: bytes) -> bytes:
    """The picture without any other chunk, and without what stands behind its end.

    Raises Unavailable for what is no whole PNG: nothing of it is sent.
    """
    if not png.startswith(MARK):
        raise Unavailable("The picture of this item is no PNG. Tell whoever runs the audit.")
    kept, at, name = [MARK], len(MARK), b""
    while name != b"IEND":
        length, name = struct.unpack_from(">I4s", png, at) if at + _HEAD <= len(png) else (len(png), b"")
        end = at + _HEAD + length + _CHECK
        if end > len(png):
            raise Unavailable("The picture of this item is not whole. Tell whoever runs the audit.")
        if name in KEPT:
            kept.append(png[at:end])
        at = end
    return b"".join(kept)
