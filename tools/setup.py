"""Gets this folder ready: an environment, the locked packages, a browser, a database. Quick when nothing is left to do.

python3 tools/setup.py [STEP ...]    no step: all of them, in order

Standard library only, and in a grammar that old Pythons read, so that one of them can say what it lacks.
A step leaves its mark only after it is done, so an interrupted run is simply run again.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
MARKS = VENV / "marks"

OLDEST = (3, 11)
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")
BROWSERS = (
    "chrome-headless-shell",
    "chromium-headless-shell",
    "google-chrome",
    "google-chrome-stable",
    "chromium",
    "chromium-browser",
    "chrome",
)
MAC_BROWSERS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# The headless shell takes half of a whole Chromium's processor time for the same visits; the driver brings the whole one too.
DEBIAN_BROWSERS = ("chromium-headless-shell", "chromium")
DEBIAN_REST = ("chromium-driver", "fonts-noto-cjk", "fonts-noto-color-emoji", "fonts-dejavu", "libatomic1")
ASK_PLAYWRIGHT = (
    "from playwright.sync_api import sync_playwright\n"
    "with sync_playwright() as playwright: print(playwright.chromium.executable_path)"
)
PIP = (str(PYTHON), "-m", "pip", "--disable-pip-version-check")
INSTALL = ("--no-input", "--no-compile", "--root-user-action=ignore")
LONGEST_S = 1800  # a slow line and a full browser download


class Stop(Exception):
    """Set-up cannot go on; the message says what is missing and what to do."""


def run(*command: str | Path, **more: str) -> tuple[bool, str]:
    """Whether the command ended well, and all that it printed. `more` is added to its environment."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=str(ROOT),
            env={**os.environ, **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LONGEST_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return False, str(problem)
    return done.returncode == 0, done.stdout.decode(errors="replace").strip()


def tail(text: str, lines: int = 15) -> str:
    return "\n".join("    " + line for line in text.splitlines()[-lines:])


def apt_install(*packages: str) -> bool:
    """Installs Debian packages where that needs nobody's leave: as root, with apt-get at hand."""
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return False
    run(apt, "update", "-q")
    return run(apt, "install", "-qy", "--no-install-recommends", *packages, DEBIAN_FRONTEND="noninteractive")[0]


def marked(name: str, key: str) -> bool:
    mark = MARKS / name
    return mark.is_file() and mark.read_text() == key


def leave_mark(name: str, key: str) -> None:
    MARKS.mkdir(exist_ok=True)
    unfinished = MARKS / (name + ".part")
    unfinished.write_text(key)
    unfinished.replace(MARKS / name)


def too_old(version: tuple[int, ...]) -> str | None:
    """What to say to a Python of this version; None when it will do."""
    if version[:2] >= OLDEST:
        return None
    newer = next((name for name in NEWER if shutil.which(name)), None)
    remedy = (
        "use the one you have: make setup PYTHON=" + newer
        if newer
        else "install one (Debian 12: apt-get install python3 python3-venv; Mac: brew install python@3.13), "
        "then: make setup PYTHON=<its path>"
    )
    return f"Python {version[0]}.{version[1]} is too old; Parallax needs 3.11 or newer: {remedy}"


def environment() -> str:
    version = "{}.{}".format(*sys.version_info[:2])
    if run(PYTHON, "-c", f"import pip, sys; sys.exit('%d.%d' % sys.version_info[:2] != '{version}')")[0]:
        return f"Python {version}, already there"
    package = f"python{version}-venv"
    if importlib.util.find_spec("ensurepip") is None and not apt_install(package):
        raise Stop(
            f"This Python ({sys.executable}) cannot make virtual environments; on Debian and Ubuntu: "
            f"sudo apt-get install {package}"
        )
    made, said = run(sys.executable, "-m", "venv", "--clear", VENV)
    if not made:
        raise Stop(f"No virtual environment could be made in {VENV}:\n{tail(said)}")
    return f"Python {version}, made"


def all_at_once(commands: list[list[str]]) -> bool:
    """Whether all of them ended well. What they print is dropped; none outlives this."""
    running = []
    try:
        for command in commands:
            quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            running.append(subprocess.Popen(command, cwd=str(ROOT), **quiet))  # type: ignore[call-overload]
        codes = [process.wait(LONGEST_S) for process in running]
        return not any(codes)
    except (OSError, subprocess.TimeoutExpired):
        return False
    finally:
        for process in running:
            process.kill()
            process.wait()


def packages() -> str:
    lock, project = ROOT / "requirements.lock", ROOT / "pyproject.toml"
    key = hashlib.sha256(lock.read_bytes() + b"\0" + project.read_bytes() + sys.version.encode()).hexdigest()
    if marked("packages", key):
        return "already there"
    # Two at a time, each with half of the lock: pip uses one core. What the lock names is whole, so pip need not ask what its
    # packages need; where a newer Python needs more, `check` tells, and pip sees to it.
    halves = [MARKS / (lock.name + end) for end in (".0", ".1")]
    lines = [line for line in lock.read_text().splitlines() if line and not line.startswith("#")]
    MARKS.mkdir(exist_ok=True)
    for number, half in enumerate(halves):
        half.write_text("".join(line + "\n" for line in lines[number::2]))
    commands = [[*PIP, "install", *INSTALL, "--no-deps", "-r", str(half)] for half in halves]
    whole = all_at_once(commands) and run(*PIP, "check")[0]
    todo = [] if whole else [("-r", lock)]
    for what in [*todo, ("--no-deps", "--no-build-isolation", "-e", ROOT)]:
        installed, said = run(*PIP, "install", *INSTALL, *what)
        if not installed:
            raise Stop(f"pip could not install the packages; if it speaks of the network, run this again:\n{tail(said)}")
    leave_mark("packages", key)
    return "installed; the commands are in .venv/bin"


def version_of(program: str) -> str | None:
    """The version it gives; None if it does not start, such as the stub that Ubuntu has for chromium-browser."""
    works, said = run(program, "--version")
    number = re.search(r"\d+(\.\d+)+", said) if works else None
    return number.group(0) if number else None


def find_browser() -> tuple[str, str] | None:
    """Path and version of the browser that is set, or one on PATH, or in /Applications, or Playwright's own."""
    chosen = os.environ.get("CRAWLER_BROWSER_PATH")
    if chosen:
        version = version_of(chosen)
        if version is None:
            raise Stop(f"CRAWLER_BROWSER_PATH is {chosen!r}, and no browser starts from there: correct it or unset it.")
        return chosen, version
    candidates = [path for path in map(shutil.which, BROWSERS) if path]
    candidates += [path for path in MAC_BROWSERS if sys.platform == "darwin" and Path(path).exists()]
    for path in candidates:
        version = version_of(path)
        if version:
            return path, version
    answered, said = run(PYTHON, "-c", ASK_PLAYWRIGHT)
    path = said.splitlines()[-1] if answered and said else ""
    version = version_of(path) if path and Path(path).exists() else None
    return (path, version) if version else None


def browser() -> str:
    found = find_browser()
    said = ""
    # With the system's libraries where that needs nobody's leave; that way knows Debian and Ubuntu only.
    for options in [["--with-deps"], []] if os.geteuid() == 0 and sys.platform == "linux" else [[]]:
        if found is None:
            said = run(PYTHON, "-m", "playwright", "install", *options, "chromium")[1]
            found = find_browser()
    for package in DEBIAN_BROWSERS:
        if found is None and apt_install(package, *DEBIAN_REST):
            found = find_browser()
    if found is None:
        raise Stop(
            "There is no browser and none could be installed: install Chrome or Chromium (Debian: sudo apt-get install "
            "chromium-headless-shell chromium-driver; Mac: brew install --cask google-chrome) or set CRAWLER_BROWSER_PATH, "
            f"then run this again. Playwright said:\n{tail(said, 5)}"
        )
    return "{}, version {}".format(*found)


def chromedriver() -> str:
    path = os.environ.get("CRAWLER_CHROMEDRIVER_PATH") or shutil.which("chromedriver")
    if path is None and not marked("chromedriver", "looked for"):
        apt_install("chromium-driver")
        path = shutil.which("chromedriver")
        if path is None and MARKS.is_dir():
            leave_mark("chromedriver", "looked for")
    if path is None:
        return "none: the Selenium driver's tests are skipped (Debian: sudo apt-get install chromium-driver)"
    version = version_of(path)
    return f"{path}, version {version}" if version else f"{path}, which does not start"


def database() -> str:
    if not (ROOT / "store" / "database.py").is_file():
        return "skipped: store/database.py is not there yet"
    ready, said = run(PYTHON, "-m", "store.database", "upgrade")
    if not ready:
        raise Stop(f"The database could not be brought up to date:\n{tail(said)}")
    return "DATABASE_URL, up to date" if os.environ.get("DATABASE_URL") else "the project's own, in .data, up to date"


STEPS = {
    "environment": ("virtual environment in .venv", environment),
    "packages": ("packages of requirements.lock (some minutes the first time)", packages),
    "browser": ("browser", browser),
    "chromedriver": ("chromedriver, for the Selenium driver", chromedriver),
    "database": ("database and its migrations", database),
}


def main(names: list[str]) -> int:
    """0 ready, 1 could not, 2 asked wrongly, 130 interrupted."""
    complaint = too_old(sys.version_info[:2])
    if complaint:
        print("setup: " + complaint, file=sys.stderr)
        return 1
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        print(f"setup: no step {', '.join(unknown)}; the steps are {', '.join(STEPS)}", file=sys.stderr)
        return 2
    began = time.monotonic()
    for name in names or STEPS:
        title, step = STEPS[name]
        print(f"setup: {title} ...", end=" ", flush=True)
        try:
            print(step(), flush=True)
        except Stop as stop:
            print(f"no.\nsetup: {stop}", file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            print("interrupted; run it again to go on.", file=sys.stderr)
            return 130
    print(f"setup: ready, {time.monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
