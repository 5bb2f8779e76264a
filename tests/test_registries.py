"""Every file that people add is listed, tried and described; each test names the path that is missing."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import get_args

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


def families() -> tuple[str, ...]:
    """Module names of the listed probe families."""
    listed: tuple[str, ...] = importlib.import_module("domain.families").FAMILIES
    return listed


def test_every_family_is_listed() -> None:
    """Each module in domain/families/ is in FAMILIES, and each name there has its module, with what a family needs."""
    there, listed = modules_in("domain/families"), set(families())
    assert listed, "domain/families/__init__.py: FAMILIES is empty"
    assert not there - listed, f"domain/families/__init__.py: FAMILIES lacks {sorted(there - listed)}"
    assert not listed - there, "missing: " + ", ".join(f"domain/families/{name}.py" for name in sorted(listed - there))
    for name in families():
        module = importlib.import_module(f"domain.families.{name}")
        lost = [needed for needed in ("NAME", "VARIABLES", "draw") if not hasattr(module, needed)]
        assert not lost, f"domain/families/{name}.py has no {', '.join(lost)}"
        assert name.replace("_", "-") == module.NAME


def test_every_family_is_tried_and_described() -> None:
    """Each family has its tests, and a page that names every variable it asks for."""
    lost = missing(
        [p for n in families() for p in (f"tests/domain/families/test_{n}.py", f"docs/families/{n.replace('_', '-')}.md")]
    )
    assert not lost, f"missing: {', '.join(lost)}"
    for name in families():
        page = f"docs/families/{name.replace('_', '-')}.md"
        told = (ROOT / page).read_text()
        unnamed = [v for v in importlib.import_module(f"domain.families.{name}").VARIABLES if f"| `{v}` |" not in told]
        assert not unnamed, f"{page} has no line for {', '.join(unnamed)}"


def test_every_route_page_and_layer_is_listed() -> None:
    """Each file in api/routes/ and api/pages/ with a router is served by api/app.py; each in api/layers/ stands around it."""
    app, layers = (ROOT / "api" / "app.py").read_text(), (ROOT / "api" / "layers" / "__init__.py").read_text()
    for folder in ("routes", "pages"):
        for name in sorted(modules_in(f"api/{folder}")):
            if "\nrouter = " in (ROOT / "api" / folder / f"{name}.py").read_text():
                named = re.search(rf"from api\.{folder} import {name} as (\w+)", app)
                assert f"    {named[1] if named else name}.router,\n" in app, f"api/app.py lacks api/{folder}/{name}.py"
    for name in sorted(modules_in("api/layers")):
        found = re.search(rf"from api\.layers\.{name} import (.+)", layers)
        assert found, f"api/layers/__init__.py lacks {name}"
        assert any(f"{one}(" in layers for one in found[1].split(", ")), f"api/layers/__init__.py puts no {name} on"


def test_every_question_of_the_audit_is_whole() -> None:
    """Each has choices, words and a guide, and a variable that asks it; each variable of a family has a question."""
    audit, guide = importlib.import_module("domain.audit"), importlib.import_module("domain.audit_guide").GUIDE
    asks = set(get_args(audit.Ask))
    for told in (audit.CHOICES, audit.WORDS, guide, audit.ASKS.values()):
        assert set(told) == asks
    variables = {variable for name in families() for variable in importlib.import_module(f"domain.families.{name}").VARIABLES}
    assert not variables - audit.ASKS.keys(), "domain/audit.py: ASKS has no question for these"
