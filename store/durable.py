"""What is on a disk for good, a loss of power included."""

from __future__ import annotations

import os
from pathlib import Path


def sync(place: Path) -> None:
    """A file's content, or a folder's names, are on the disk when this returns. Raises OSError."""
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
