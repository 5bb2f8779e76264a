"""plots/*.png: what the release is made of, and how far apart the values of its probes are."""

from __future__ import annotations

from pathlib import Path

from builder.assembled import Assembled


def write(release: Assembled, folder: Path) -> None:
    """Nothing yet."""
