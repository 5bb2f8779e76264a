"""wire: one TCP connection as the guard reads it: heads with strict limits, bodies as the bytes they are."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable

PIECE = 1 << 16
MOST_HEAD = 1 << 18
"""Bytes of a head; a browser gives up at as many."""
MOST_LINE = 1 << 14
BLANK_LINE = re.compile(rb"\r?\n\r?\n")

Count = Callable[[int], None]
"""Called with the bytes that pass; raises Full where that was too much."""


class Full(Exception):
    """The visit has used up what it may move."""


class Broken(Exception):
    """What came is not the HTTP that it claims to be, or ended too early."""


class Wire:
    """A connection with a buffer of its own, so that what came too early is not lost."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self._rest = b""

    async def some(self) -> bytes:
        """The next bytes, whatever they are; none at the end."""
        if self._rest:
            piece, self._rest = self._rest, b""
            return piece
        return await self.reader.read(PIECE)

    async def head(self, starts: bytes = b"") -> tuple[bytes, bool]:
        """(bytes up to and with the first blank line, whether there was one).

        Without one: all that came until the end, until it was too much, or until it plainly did not start as it should.
        """
        held, searched = bytearray(), 0
        while piece := await self.some():
            held += piece
            if found := BLANK_LINE.search(held, searched):
                self._rest = bytes(held[found.end() :])
                return bytes(held[: found.end()]), True
            if len(held) > MOST_HEAD or not held.startswith(starts[: len(held)]):
                break
            searched = max(0, len(held) - 3)
        return bytes(held), False

    async def ended(self) -> bool:
        """Waits until something comes, which is kept, or until the other side hangs up; whether it hung up."""
        if not self._rest:
            self._rest = await self.reader.read(PIECE)
        return not self._rest

    async def line(self) -> bytes:
        """A short line with its end. Raises Broken."""
        held = b""
        while b"\n" not in held:
            piece = await self.some()
            if not piece or len(held) > MOST_LINE:
                raise Broken
            held += piece
        line, _, rest = held.partition(b"\n")
        self._rest = rest
        return line + b"\n"

    async def pass_on(self, other: Wire, count: Count, length: int | None = None) -> None:
        """Passes so many bytes on, or all there are. Raises Broken where they end too early."""
        while length is None or length > 0:
            piece = await self.some()
            if not piece:
                if length:
                    raise Broken
                return
            if length is not None:
                piece, self._rest = piece[:length], piece[length:] + self._rest
                length -= len(piece)
            count(len(piece))
            await other.write(piece)

    async def pass_chunks(self, other: Wire, count: Count) -> None:
        """Passes a chunked body on, its trailer included. Raises Broken."""
        while True:
            line = await self.line()
            size = line.split(b";")[0].strip()
            if not re.fullmatch(rb"[0-9A-Fa-f]{1,12}", size):
                await other.write(line)
                raise Broken
            count(len(line))
            await other.write(line)
            if int(size, 16) == 0:
                break
            await self.pass_on(other, count, int(size, 16) + 2)
        while True:
            line = await self.line()
            count(len(line))
            await other.write(line)
            if not line.strip():
                return

    async def write(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    def close(self) -> None:
        """What was written still leaves."""
        with contextlib.suppress(OSError, RuntimeError):
            self.writer.close()

    async def gone(self, within: float) -> None:
        """Waits, s, until what was written has left and the connection is closed: the other side may be slow to read."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(within):
                await self.writer.wait_closed()

    def cut(self) -> None:
        """At once, and what was written is lost."""
        with contextlib.suppress(OSError, RuntimeError):
            self.writer.transport.abort()
