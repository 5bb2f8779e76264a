"""Checker: pixel checks beside the visits, in one thread of low priority that never holds a browser.

A thread and not a process: the recogniser leaves Python while it computes, so the visits' event loop waits no longer than
beside another process (measured in docs/pixel-check.md), and there is one Python less in memory.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from channels.readers import READERS, Reader, open_reader
from crawler.pixel_check import check
from domain.divergence import Finding
from domain.pixel_check import Check

WAITING = 64
"""Captures that may wait, each with its screenshot of about a megabyte. What comes then is left for `crawler check`."""
NICE = 10
"""Steps below the visits, on Linux: there a thread has a priority of its own."""
CLOSE_S = 30
"""For the capture that is being read when everything is to stop."""

OnChecked = Callable[[str, Sequence[Check | None]], None]
"""Capture id; a check for each of its findings in their order, None for those that are neither flagged nor for review.

Empty where the capture could not be looked at: every capture that is begun is answered.
"""


@dataclass(frozen=True, slots=True)
class _Question:
    capture_id: str
    screenshot: bytes
    scale: float
    findings: Sequence[Finding]


class Checker:
    """Checks what is submitted, one capture after another, and hands each to `on_checked`, in its own thread.

    The reader is loaded there, at the first question. Nothing that goes wrong here undoes a visit: `failed` is why no reader
    could be opened, and then nothing more is taken; `problem` the last fault with a single capture, which stays unchecked.
    """

    def __init__(
        self,
        on_checked: OnChecked,
        *,
        reader: str = READERS[0],
        threads: int = 1,
        waiting: int = WAITING,
        opened: Reader | None = None,
    ) -> None:
        """opened: a reader that is loaded already, and used by nobody else meanwhile."""
        self._on_checked, self._name, self._threads, self._reader = on_checked, reader, threads, opened
        self._questions: queue.Queue[_Question | None] = queue.Queue(waiting)
        self._stopping = threading.Event()
        self.failed: Exception | None = None
        self.problem: Exception | None = None
        self.checked = 0
        """Captures that were looked at and handed to `on_checked`."""
        # A daemon: a program that ends badly is not kept alive by a reading.
        self._thread = threading.Thread(target=self._work, name="pixel check", daemon=True)
        self._thread.start()

    def submit(self, capture_id: str, screenshot: bytes, scale: float, findings: Sequence[Finding]) -> bool:
        """Queued; never waits. False where too many wait already or nothing is taken any more: then nobody looks, for now."""
        if self._stopping.is_set() or self.failed is not None:
            return False
        with contextlib.suppress(queue.Full):
            self._questions.put_nowait(_Question(capture_id, screenshot, scale, findings))
            return True
        return False

    @property
    def waiting(self) -> int:
        """Captures queued and not yet begun, roughly."""
        return self._questions.qsize()

    def drain(self) -> None:
        """Waits until everything that was submitted is checked and handed over. Takes minutes where much waits."""
        self._questions.join()

    def close(self) -> None:
        """Ends the thread after the capture that it is at; what waits is dropped. At most half a minute; may be repeated."""
        self._stopping.set()
        with contextlib.suppress(queue.Empty):
            while True:
                self._questions.get_nowait()
                self._questions.task_done()
        with contextlib.suppress(queue.Full):
            self._questions.put_nowait(None)
        self._thread.join(CLOSE_S)

    def __enter__(self) -> Checker:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Everything is checked where all went well; on an error or Ctrl-C only what was begun."""
        if kind is None:
            self.drain()
        self.close()

    def _work(self) -> None:
        if sys.platform == "linux":
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        while not self._stopping.is_set():
            question = self._questions.get()
            try:
                if question is not None and not self._stopping.is_set():
                    self._answer(question)
            except Exception as problem:  # noqa: BLE001 - whatever it is, the visits go on
                self.problem = problem
            finally:
                self._questions.task_done()

    def _answer(self, question: _Question) -> None:
        checks: Sequence[Check | None] = ()
        try:
            reader = self._opened()
            if reader is not None:
                checks = check(reader, question.screenshot, question.scale, question.findings)
                self.checked += 1
        finally:
            self._on_checked(question.capture_id, checks)

    def _opened(self) -> Reader | None:
        if self._reader is None and self.failed is None:
            try:
                self._reader = open_reader(self._name, threads=self._threads)
            except Exception as problem:  # noqa: BLE001 - a package that is half installed may raise anything
                self.failed = problem
        return self._reader
