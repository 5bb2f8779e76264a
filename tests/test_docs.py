"""What the docs promise is there: links, words, targets, a line for every error, outcome and incident."""

from __future__ import annotations

import inspect
import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from domain import errors
from domain.visit import Incident, Outcome

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

ERRORS = [name for name, value in inspect.getmembers(errors, inspect.isclass) if issubclass(value, errors.ParallaxError)]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def rows(page: Path) -> set[str]:
    """What stands in code marks in the first column of the page's tables."""
    return set(re.findall(r"^\| `([^`]+)` \|.*\S.*\|$", page.read_text(), re.MULTILINE))


def anchors(page: Path) -> set[str]:
    """The fragments one can link to: headings as code hosts spell them."""
    headings = re.findall(r"^#+ (.+?)\s*$", CODE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> list[str]:
    return [link for link in LINK.findall(CODE.sub("", page.read_text())) if not re.match(r"[a-z]+:", link)]


@pytest.mark.parametrize("name", ERRORS)
def test_every_error_is_explained(name: str) -> None:
    """Every class in domain/errors.py has a line in docs/errors.md."""
    assert name in rows(ROOT / "docs/errors.md"), f"docs/errors.md has no line for {name}"


@pytest.mark.parametrize("name", [*get_args(Outcome), *get_args(Incident)])
def test_every_outcome_and_incident_is_explained(name: str) -> None:
    """Every way a visit can end, and everything that can happen on the way, has a line in docs/outcomes.md."""
    assert name in rows(ROOT / "docs/outcomes.md"), f"docs/outcomes.md has no line for {name}"


def test_nothing_is_explained_that_is_not_there() -> None:
    """docs/errors.md and docs/outcomes.md have no line for something that is gone."""
    assert rows(ROOT / "docs/errors.md") <= set(ERRORS)
    assert rows(ROOT / "docs/outcomes.md") <= {*get_args(Outcome), *get_args(Incident)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page: Path) -> None:
    """Every relative link leads to a file of the project, and its fragment to a heading there (glossary terms too)."""
    broken = []
    for link in links(page):
        path, _, fragment = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not (target.is_relative_to(ROOT) and target.exists()):
            broken.append(f"{link}: there is no {target}")
        elif fragment and fragment not in anchors(target):
            broken.append(f"{link}: {target.relative_to(ROOT)} has no heading for #{fragment}")
    assert not broken, "\n".join(broken)


def test_pages_named_in_code_exist() -> None:
    """A page of docs/ that a docstring, a message or a help text points at is there; decisions by their number."""
    folders = ("domain", "channels", "store", "crawler", "builder", "api", "migrations", "tools")
    lost = [
        f"{source.relative_to(ROOT)}: {name}"
        for folder in folders
        for source in sorted(ROOT.glob(f"{folder}/**/*.py"))
        for name in re.findall(r"docs/[\w/-]*\w(?:\.md)?", source.read_text())
        if not list(ROOT.glob(name if name.endswith(".md") else name + "*"))
    ]
    assert not lost, "\n".join(lost)


def test_every_page_can_be_found() -> None:
    """From README.md one reaches every page under docs/ by following links."""
    reached, todo = set(), [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            todo += [(page.parent / link.partition("#")[0]).resolve() for link in links(page) if link[0] != "#"]
    lost = set(PAGES) - reached
    assert not lost, f"no link leads to {', '.join(str(page.relative_to(ROOT)) for page in sorted(lost))}"


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/drivers.md", "docs/architecture.md", ".ci/run"])
def test_named_make_targets_exist(page: str) -> None:
    """Every `make TARGET` in the docs is a target of the Makefile, and so a line of its menu."""
    text = (ROOT / page).read_text()
    named = set(re.findall(r"(?:`|^\s+|exec )make ([a-z-]+)", text, re.MULTILINE))
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert named
    assert named <= targets, f"{page} names targets that the Makefile lacks: {sorted(named - targets)}"


def test_commands_are_installed() -> None:
    """Every command in README's table is one that the project installs."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    named = {line.split()[0] for line in rows(ROOT / "README.md")}
    assert named
    assert named <= set(scripts)


def test_domain_is_fenced_from_every_dependency() -> None:
    """A new dependency is out of domain's reach unless it is one of the three that domain may use."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = project["tool"]["importlinter"]["contracts"]
    [contract] = [each for each in contracts if each.get("source_modules") == ["domain"]]
    needed = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["embedded"]]
    names = {re.split(r"[^\w-]", need)[0].replace("-", "_").replace("pillow", "PIL") for need in needed}
    missing = names - {"pydantic", "rapidfuzz", "regex"} - set(contract["forbidden_modules"])
    assert not missing, f"pyproject.toml: add to the contract {contract['name']!r}: {sorted(missing)}"


def test_lock_names_no_address() -> None:
    """requirements.lock has exact versions and no addresses, so it works with any registry."""
    lines = [line for line in (ROOT / "requirements.lock").read_text().splitlines() if not line.startswith("#")]
    strange = [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+(; .+)?", line)]
    assert lines
    assert not strange
