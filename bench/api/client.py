"""Many questions over a few connections that stay open: little more than sockets, so that the asker is not what is measured."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

READ_BYTES = 1 << 20
OK = b"200"


@dataclass(slots=True)
class Measured:
    """What asking came to. Times in s."""

    seconds: float
    times: list[float] = field(default_factory=list)
    bytes: int = 0
    cpu_s: float = 0.0
    """Of those who answered: server and database."""

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds

    @property
    def median_ms(self) -> float:
        return 1000 * statistics.median(self.times)

    @property
    def p99_ms(self) -> float:
        return 1000 * sorted(self.times)[min(len(self.times) - 1, int(0.99 * len(self.times)))]

    @property
    def cpu_ms(self) -> float:
        """Of a question."""
        return 1000 * self.cpu_s / len(self.times)


def ask(port: int, paths: Sequence[str], *, connections: int, seconds: float, headers: str = "") -> Measured:
    """The paths in turn, over and over, for so long, each connection asking again when it has its answer.

    Raises RuntimeError at an answer that is not 200.
    """
    return asyncio.run(_ask(port, paths, connections, seconds, headers))


async def _ask(port: int, paths: Sequence[str], connections: int, seconds: float, headers: str) -> Measured:
    requests = [f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n".encode() for path in paths]
    turn, found, began = count(), Measured(0), time.perf_counter()

    async def connection() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=4 * READ_BYTES)
        while time.perf_counter() - began < seconds:
            start = time.perf_counter()
            writer.write(requests[next(turn) % len(requests)])
            found.bytes += await _answer(reader)
            found.times.append(time.perf_counter() - start)
        writer.close()

    await asyncio.gather(*(connection() for _ in range(connections)))
    found.seconds = time.perf_counter() - began
    return found


async def _answer(reader: asyncio.StreamReader) -> int:
    """Reads one answer to its end. Bytes of its body."""
    head = await reader.readuntil(b"\r\n\r\n")
    if head[9:12] != OK:
        raise RuntimeError(f"not 200: {head[:300]!r} {await reader.read(500)!r}")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
    if b"content-length" in fields:
        size = left = int(fields[b"content-length"])
        while left > 0:
            left -= len(await reader.read(min(left, READ_BYTES)))
        return size
    size = 0
    while chunk := int((await reader.readuntil(b"\r\n")).strip(), 16):
        left = chunk + 2
        while left > 0:
            left -= len(await reader.read(min(left, READ_BYTES)))
        size += chunk
    await reader.readuntil(b"\r\n")
    return size
