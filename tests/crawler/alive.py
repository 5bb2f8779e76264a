"""Whether a process lives, for tests that end some."""

from __future__ import annotations

import psutil


def lives(process: psutil.Process) -> bool:
    """Not one that has ended, collected by its parent or not; it may be collected between two questions."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def alive(pid: int) -> bool:
    """As lives, of a process that is only known by its number."""
    try:
        return lives(psutil.Process(pid))
    except psutil.Error:
        return False


def called(process: psutil.Process) -> str:
    """Its name; empty where it has been collected since it was listed."""
    try:
        return process.name()
    except psutil.Error:
        return ""
