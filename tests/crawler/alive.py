"""Whether a process lives, for tests that end some."""

from __future__ import annotations

import psutil


def lives(process: psutil.Process) -> bool:
    """Not one that has ended, collected by its parent or not; it may be collected between two questions."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
