"""What a measurement was made on. A number without it means nothing."""

from __future__ import annotations

import functools
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib import metadata

import psutil

# Outside names resolve to nothing at once: a page's calls to other hosts cost no time and reach nobody.
NO_OUTSIDE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"

BROWSER_NAMES = ("google-chrome", "google-chrome-stable", "chromium", "chromium-browser")
MAC_BROWSER = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
VERSION_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Machine:
    cores: int
    memory_gb: float
    system: str
    python: str
    browser: str
    packages: dict[str, str]
    load_at_start: tuple[float, float, float]

    def sentence(self) -> str:
        packages = ", ".join(f"{name} {version}" for name, version in self.packages.items())
        load = " ".join(f"{x:.2f}" for x in self.load_at_start)
        return (
            f"{self.cores} cores, {self.memory_gb} GB, {self.system}, Python {self.python}; {self.browser}; "
            f"{packages}; load average at start {load}"
        )

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def find_browser() -> str | None:
    """CRAWLER_BROWSER_PATH, else a Chrome or Chromium on PATH, else None: Playwright's own."""
    if path := os.environ.get("CRAWLER_BROWSER_PATH"):
        return path
    found = next((path for name in BROWSER_NAMES if (path := shutil.which(name))), None)
    return found or shutil.which(MAC_BROWSER)


def browser_flags(*, outside: bool) -> list[str]:
    """Flags every contestant gets. Chromium's sandbox does not start as root."""
    flags = [] if outside else [NO_OUTSIDE]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")
    return flags


@functools.cache
def browser_version(path: str | None) -> str:
    if path is None:
        return "Playwright's own Chromium"
    try:
        done = subprocess.run(  # noqa: S603 - the browser that is about to be measured
            [path, "--version"], capture_output=True, text=True, timeout=VERSION_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return f"unknown browser at {path}"
    return done.stdout.strip()


def describe(browser: str | None) -> Machine:
    packages = {}
    for name in ("playwright", "selenium", "crawlee"):
        try:
            packages[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return Machine(
        cores=len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 0,
        memory_gb=round(psutil.virtual_memory().total / 1e9, 1),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        python=platform.python_version(),
        browser=browser_version(browser),
        packages=packages,
        load_at_start=psutil.getloadavg(),
    )
