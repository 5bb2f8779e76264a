"""Every file that people add is listed, tried and described; each test names the path that is missing."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]


def modules_in(folder: str) -> set[str]:
    """The modules of a folder that people add to; names with an underscore in front are its own affairs."""
    return {path.stem for path in (ROOT / folder).glob("*.py") if not path.stem.startswith("_")}


def kinds() -> dict[str, str]:
    """Name of each listed kind, with its module's file name."""
    listed = importlib.import_module("domain.divergences").KINDS
    names = {}
    for kind in listed:
        module = kind if isinstance(kind, ModuleType) else inspect.getmodule(kind)
        stem = kind if isinstance(kind, str) else module.__name__.rpartition(".")[2] if module else str(kind)
        names[stem if isinstance(kind, str) else getattr(kind, "NAME", stem)] = stem.replace("-", "_")
    return names


def missing(paths: list[str]) -> list[str]:
    return [path for path in paths if not list(ROOT.glob(path))]


def test_every_kind_is_listed() -> None:
    """Each module in domain/divergences/ is in KINDS, and each name in KINDS has its module."""
    there, listed = modules_in("domain/divergences"), set(kinds().values())
    assert listed, "domain/divergences/__init__.py: KINDS is empty"
    assert not there - listed, f"domain/divergences/__init__.py: KINDS lacks {sorted(there - listed)}"
    assert not listed - there, "missing: " + ", ".join(f"domain/divergences/{name}.py" for name in sorted(listed - there))


def test_every_kind_has_cases() -> None:
    """Each kind is tried on at least one page in tests/cases/<kind>/."""
    lost = missing([f"tests/cases/{kind}/*.html" for kind in kinds()])
    assert not lost, f"missing: {', '.join(lost)}"


def test_every_kind_has_a_page() -> None:
    """Each kind is described in docs/kinds/<kind>.md."""
    lost = missing([f"docs/kinds/{kind}.md" for kind in kinds()])
    assert not lost, f"missing: {', '.join(lost)}"


def test_every_driver_is_there() -> None:
    """Each name in DRIVERS has its module in crawler/browsers/ with a `launch`."""
    drivers = importlib.import_module("crawler.browsers").DRIVERS
    assert drivers, "crawler/browsers/__init__.py: DRIVERS is empty"
    lost = missing([f"crawler/browsers/{name}.py" for name in drivers])
    assert not lost, f"missing: {', '.join(lost)}"
    for name in drivers:
        module = importlib.import_module(f"crawler.browsers.{name}")
        assert hasattr(module, "launch"), f"crawler/browsers/{name}.py has no launch()"


def test_every_driver_is_listed() -> None:
    """Each module in crawler/browsers/ that launches a browser is in DRIVERS."""
    drivers = set(importlib.import_module("crawler.browsers").DRIVERS)
    launching = {
        name
        for name in modules_in("crawler/browsers")
        if hasattr(importlib.import_module(f"crawler.browsers.{name}"), "launch")
    }
    assert not launching - drivers, f"crawler/browsers/__init__.py: DRIVERS lacks {sorted(launching - drivers)}"


def test_every_driver_is_described() -> None:
    """Each driver has a line in docs/drivers.md."""
    page = (ROOT / "docs/drivers.md").read_text()
    lost = [name for name in importlib.import_module("crawler.browsers").DRIVERS if f"| `{name}` |" not in page]
    assert not lost, f"docs/drivers.md has no line for {', '.join(lost)}"
