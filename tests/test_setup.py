"""tools/setup.py looks for things in the promised order and says in a sentence what is missing.

Each test runs a copy of the script in a folder of its own, with a PATH of small programs made for it.
"""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "tools" / "setup.py"
LINUX_ONLY = pytest.mark.skipif(sys.platform == "darwin", reason="a Mac may have a browser in /Applications")


class Machine:
    """A folder with the script in it, and the only programs that it can find."""

    def __init__(self, root: Path) -> None:
        self.root, self.bin = root, root / "bin"
        self.bin.mkdir()
        (root / "tools").mkdir()
        (root / "tools" / "setup.py").write_bytes(SCRIPT.read_bytes())
        (root / "requirements.lock").write_text("")
        (root / "pyproject.toml").write_text("")

    def program(self, path: Path | str, does: str) -> Path:
        """A program, on PATH where only its name is given."""
        full = self.bin / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(f"#!/bin/sh\n{does}\n")
        full.chmod(0o755)
        return full

    def browser(self, path: Path | str, version: str = "100.0.1.2") -> Path:
        return self.program(path, f"echo Chromium {version}")

    def environment(self, does: str) -> None:
        """A .venv whose Python does only this; `$*` holds what it was asked."""
        self.program(self.root / ".venv/bin/python", does)

    def start(self, *steps: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, self.root / "tools" / "setup.py", *steps],
            env={"PATH": str(self.bin), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *steps: str, **variables: str) -> tuple[int, str]:
        with self.start(*steps, **variables) as process:
            said, _ = process.communicate(timeout=60)
        return process.returncode, said


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_chosen_browser_comes_first(machine: Machine) -> None:
    """CRAWLER_BROWSER_PATH wins over whatever is on PATH."""
    machine.browser("google-chrome", "1.1")
    chosen = machine.browser(machine.root / "elsewhere/my browser", "2.2")
    code, said = machine.run("browser", CRAWLER_BROWSER_PATH=str(chosen))
    assert code == 0
    assert f"{chosen}, version 2.2" in said


def test_chosen_browser_that_does_not_start_is_named(machine: Machine) -> None:
    """A wrong CRAWLER_BROWSER_PATH stops set-up, names itself, and is not passed over for another browser."""
    machine.browser("chromium")
    code, said = machine.run("browser", CRAWLER_BROWSER_PATH="/no/such/browser")
    assert code == 1
    assert "CRAWLER_BROWSER_PATH is '/no/such/browser'" in said


def test_browsers_on_path_have_an_order(machine: Machine) -> None:
    """Chrome before Chromium; each is found when those before it are gone."""
    order = ("google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome")
    there = [machine.browser(name) for name in order]
    for path in there:
        code, said = machine.run("browser")
        assert code == 0
        assert f"{path}, version" in said
        path.unlink()


def test_stub_is_passed_over(machine: Machine) -> None:
    """A chromium that only says it must be installed otherwise is no browser; the next one is taken."""
    machine.program("chromium", "echo 'requires the chromium snap to be installed'; exit 1")
    real = machine.browser("chrome")
    code, said = machine.run("browser")
    assert code == 0
    assert f"{real}, version" in said


@LINUX_ONLY
def test_playwrights_own_browser_is_last(machine: Machine) -> None:
    """With none on PATH, the browser that Playwright has already is used and nothing is installed."""
    own = machine.browser(machine.root / "cache/chrome", "3.3")
    machine.environment(f'case "$*" in *executable_path*) echo "{own}" ;; *) touch "{machine.root}/installed" ;; esac')
    code, said = machine.run("browser")
    assert code == 0
    assert f"{own}, version 3.3" in said
    assert not (machine.root / "installed").exists()


@LINUX_ONLY
def test_playwright_installs_a_browser(machine: Machine) -> None:
    """With no browser anywhere, Playwright is asked to install Chromium, and that one is used."""
    own = machine.root / "cache/chrome"
    made = machine.browser("prototype")
    made.rename(machine.root / "prototype")
    own.parent.mkdir()
    machine.environment(
        f'case "$*" in *executable_path*) echo "{own}" ;; '
        f'*"playwright install"*chromium) while read -r line; do echo "$line"; done < "{machine.root}/prototype" > "{own}"; '
        f'/bin/chmod +x "{own}" ;; esac'
    )
    code, said = machine.run("browser")
    assert code == 0
    assert f"{own}, version 100.0.1.2" in said


@LINUX_ONLY
@pytest.mark.skipif(os.geteuid() != 0, reason="apt-get is asked by root only")
def test_debian_helps_where_playwright_cannot(machine: Machine) -> None:
    """As root with apt-get, Debian's browser is installed when Playwright fails, with driver and fonts."""
    machine.environment("echo cannot download; exit 1")
    machine.program(
        "apt-get",
        f'echo "$*" >> "{machine.root}/asked"\n'
        f'case "$*" in *chromium*) echo "#!/bin/sh\necho Chromium 4.4" > "{machine.bin}/chromium"; '
        f'/bin/chmod +x "{machine.bin}/chromium" ;; esac',
    )
    code, said = machine.run("browser")
    assert code == 0
    assert f"{machine.bin}/chromium, version 4.4" in said
    asked = (machine.root / "asked").read_text()
    assert "chromium-driver" in asked
    assert "fonts-noto-cjk" in asked


@LINUX_ONLY
def test_no_browser_at_all_is_one_clear_sentence(machine: Machine) -> None:
    """Where none can be had, set-up fails, tells the remedies, and passes on what Playwright said."""
    machine.environment("echo the download failed; exit 1")
    code, said = machine.run("browser")
    assert code == 1
    assert "There is no browser and none could be installed" in said
    assert "CRAWLER_BROWSER_PATH" in said
    assert "the download failed" in said
    assert "Traceback" not in said


def test_no_chromedriver_is_no_failure(machine: Machine) -> None:
    """Without a chromedriver set-up goes on and says that the Selenium driver's tests are skipped."""
    code, said = machine.run("chromedriver")
    assert code == 0
    assert "the Selenium driver's tests are skipped" in said


def test_packages_are_installed_once(machine: Machine) -> None:
    """pip runs the first time and again only when the lock file or pyproject.toml has changed."""
    machine.environment(f'echo "$*" >> "{machine.root}/asked"')

    def asked() -> list[str]:
        return sorted((machine.root / "asked").read_text().splitlines())  # two at a time: in any order

    assert "installed" in machine.run("packages")[1]
    first = asked()
    assert sum("requirements.lock" in line for line in first) == 2
    assert "already there" in machine.run("packages")[1]
    assert asked() == first
    (machine.root / "requirements.lock").write_text("new==1\n")
    assert "installed" in machine.run("packages")[1]
    assert asked() == sorted(first * 2)


def test_every_package_of_the_lock_is_installed(machine: Machine) -> None:
    """Each line of the lock is asked for, once, with its marker; comments are not."""
    lock = ["a==1", "b==2 ; python_version < '3.12'", "c==3"]
    (machine.root / "requirements.lock").write_text("# said\n" + "".join(f"{line}\n" for line in lock))
    machine.environment(
        f'for last; do :; done; case "$*" in *--no-deps\\ -r*) /bin/cat "$last" >> "{machine.root}/asked" ;; esac'
    )
    assert "installed" in machine.run("packages")[1]
    assert sorted((machine.root / "asked").read_text().splitlines()) == lock


def test_what_the_lock_lacks_is_installed_too(machine: Machine) -> None:
    """Where pip finds that packages lack others, as with a newer Python, it is asked for the lock with all that it needs."""
    machine.environment(f'echo "$*" >> "{machine.root}/asked"; case "$*" in *check) exit 1 ;; esac')
    assert "installed" in machine.run("packages")[1]
    lines = (machine.root / "asked").read_text().splitlines()
    assert any(line.endswith(f"-r {machine.root}/requirements.lock") and "--no-deps" not in line for line in lines)


def test_failed_packages_leave_no_mark(machine: Machine) -> None:
    """When pip fails, set-up fails with pip's own last words, and the next run tries again."""
    machine.environment("echo no matching distribution; exit 1")
    for _ in range(2):
        code, said = machine.run("packages")
        assert code == 1
        assert "no matching distribution" in said
        assert "already there" not in said


def test_interrupted_packages_leave_no_mark(machine: Machine) -> None:
    """Ctrl-C in the middle of pip ends with 130 and a word on how to go on; the next run starts that step anew."""
    begun = machine.root / "begun"
    machine.environment(f'echo > "{begun}"; exec {sys.executable} -c "import signal; signal.pause()"')
    with machine.start("packages") as process:
        while not begun.exists():
            assert process.poll() is None
            time.sleep(0.01)  # polls another process; nothing here waits for time to pass
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "run it again" in said
    assert "Traceback" not in said
    machine.environment("exit 0")
    assert "installed" in machine.run("packages")[1]


def test_half_made_environment_is_made_anew(machine: Machine) -> None:
    """A .venv whose Python has no pip, as an interruption leaves it, is not taken for a finished one."""
    machine.environment("exit 1")
    quick = machine.root / "library/venv.py"  # stands in for Python's own, which takes seconds
    quick.parent.mkdir()
    quick.write_text("import sys, pathlib\npathlib.Path(sys.argv[-1], 'bin/python').write_text('#!/bin/sh\\nexit 0\\n')\n")
    code, said = machine.run("environment", PYTHONPATH=str(quick.parent))
    assert code == 0
    assert ", made" in said
    assert "already there" in machine.run("environment", PYTHONPATH=str(quick.parent))[1]


def test_unknown_step_is_asked_wrongly(machine: Machine) -> None:
    """A step that does not exist is answered with the list of those that do, exit 2."""
    code, said = machine.run("brwoser")
    assert code == 2
    assert "brwoser" in said
    assert "environment, packages, browser" in said


@pytest.mark.parametrize(("version", "fine"), [((3, 9), False), ((3, 10), False), ((3, 11), True), ((4, 0), True)])
def test_old_python_is_told(tmp_path: Path, version: tuple[int, int], fine: bool) -> None:
    """Below 3.11 the sentence names the version and the remedy, and points at a newer Python on PATH."""
    (tmp_path / "python3.12").write_text("#!/bin/sh\n")
    (tmp_path / "python3.12").chmod(0o755)
    ask = f"import sys; sys.path.insert(0, {str(SCRIPT.parent)!r}); import setup; print(setup.too_old({version}))"
    said = subprocess.run(
        [sys.executable, "-B", "-c", ask], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True
    ).stdout
    if fine:
        assert said == "None\n"
    else:
        assert f"Python {version[0]}.{version[1]} is too old" in said
        assert "make setup PYTHON=python3.12" in said


def test_old_python_can_read_the_script() -> None:
    """The grammar is that of Python 3.7, so an old Python says what it lacks instead of a syntax error."""
    ast.parse(SCRIPT.read_text(), feature_version=(3, 7))
