"""scratch: what one start of a browser or driver leaves on disk and in the register, and how it goes again."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from crawler.browsers import Register


class Scratch:
    """The temporary folder of one browser or driver, and what of it is written down. Without a register nothing is."""

    def __init__(self, register: Register | None) -> None:
        self._register = register
        self._flags: set[str] = set()
        self._pids: set[int] = set()
        self.folder = register.scratch() if register else Path(tempfile.mkdtemp(prefix="plx-"))

    def started(self, flag: str) -> None:
        """To be called before the start. Raises Unavailable where it cannot be written down."""
        if self._register is not None:
            self._register.started(flag)
        self._flags.add(flag)

    def ended(self, flag: str) -> None:
        if self._register is not None:
            self._register.ended(flag)
        self._flags.discard(flag)

    def process(self, pid: int) -> None:
        """To be called right after the start."""
        if self._register is not None:
            self._register.process(pid)
        self._pids.add(pid)

    @property
    def flags(self) -> tuple[str, ...]:
        """All flags that were started and have not ended."""
        return tuple(self._flags)

    def clear(self) -> None:
        """Everything has ended: nothing is left of it."""
        for flag in self.flags:
            self.ended(flag)
        for pid in self._pids:
            if self._register is not None:
                self._register.process_ended(pid)
        self._pids.clear()
        shutil.rmtree(self.folder, ignore_errors=True)
