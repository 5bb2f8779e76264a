"""Makes corpora in the publishers' layouts, to try the builder with: rendered here, no evidence about the world.

.venv/bin/python -m tests.corpora FOLDER            all four, about 25 seconds
.venv/bin/python -m tests.corpora FOLDER clay rico  only these
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

NAMES = ("rico", "clay", "mind2web", "screenspot_pro")


def main(folder: str, *names: str) -> None:
    """Each in a folder of its own name. An existing folder is left alone."""
    for name in names or NAMES:
        place = Path(folder) / name
        if place.exists():
            sys.stdout.write(f"{place} is there already\n")
            continue
        importlib.import_module(f"tests.corpora.{name}").make(place)
        sys.stdout.write(f"{place}\n")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit(__doc__)
    main(*sys.argv[1:])
