"""What the docs promise is there: links, words, targets, a line for every error, outcome and incident."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.main import get_command

from crawler import cli_app as cli
from crawler.page import script
from domain import errors
from domain.divergence import Verdict
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


def outcomes_of(node: ast.expr | None) -> set[str]:
    """The words that an expression can come to."""
    match node:
        case ast.Constant(value=str(word)):
            return {word}
        case ast.IfExp():
            return outcomes_of(node.body) | outcomes_of(node.orelse)
        case ast.BoolOp():
            return set().union(*map(outcomes_of, node.values))
        case _:
            return set()


def reasons_in(source: Path) -> set[str]:
    """What a module of the rules gives as a reason: to Skipped, as a doubt, to _finding, or by a function that names one."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text())):
        match node:
            case (
                ast.Call(func=ast.Name(id="Skipped"), args=[reason])
                | ast.Call(func=ast.Name(id="_finding"), args=[_, _, _, reason, *_])
            ):
                found |= outcomes_of(reason)
            case ast.keyword(arg="doubt", value=reason) | ast.Assign(targets=[ast.Name(id="doubt")], value=reason):
                found |= outcomes_of(reason)
            case ast.FunctionDef(name="_filtered" | "_doubt" | "shows_too_little"):
                found |= set().union(*(outcomes_of(n.value) for n in ast.walk(node) if isinstance(n, ast.Return)))
            case ast.Return(value=ast.Tuple(elts=[ast.Constant(value=verdict), reason])) if verdict in get_args(Verdict):
                found |= outcomes_of(reason)
    return found - {""}


def unseen_in(script: str) -> set[str]:
    """Why the page script calls an element unseen. "icon" does not leave it: it is only counted."""
    [rule] = re.findall(r"const unseen = .*?^  };", script, re.MULTILINE | re.DOTALL)
    said = re.findall(r'return "([a-z-]+)"', rule)
    for statement in re.findall(r"\b(?:why|e\.v|const w) ?(?:=|:)[^=][^;]*?(?=;|, (?:cut|box|text):)", script):
        said += re.findall(r'(?:[?:|]|[^=!]=) "([a-z-]+)"', statement)
    return {*said} - {"icon"}


def reasons() -> set[str]:
    rules = [ROOT / "domain/divergence.py", ROOT / "domain/naming.py", *ROOT.glob("domain/divergences/*.py")]
    return set().union(*map(reasons_in, rules)) | unseen_in(script("read"))


def test_every_reason_is_explained() -> None:
    """Every verdict and every reason that a rule or the page script gives has a line in docs/verdicts.md, and nothing else."""
    named = {*get_args(Verdict), *reasons()}
    known = {"disagree", "too-short", "not-innermost", "off-page", "same-colour", "counter", "not-rendered"}
    assert known <= named, f"the scan overlooks {sorted(known - named)}"
    told = rows(ROOT / "docs/verdicts.md")
    assert not named - told, f"docs/verdicts.md has no line for {sorted(named - told)}"
    assert not told - named, f"docs/verdicts.md has lines for what no rule says: {sorted(told - named)}"


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
        for name in re.findall(r"(?<!/)docs/[\w/-]*\w(?:\.md)?", source.read_text())  # /docs is an address of the API
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


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "docs/drivers.md", "docs/architecture.md", "docs/tutorial.md", ".ci/run"]
)
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


def test_nobody_is_sent_to_the_shipped_list_unawares() -> None:
    """Whoever follows a `crawler run` that README, the tutorial or a page advises knows which sites it will visit."""
    pages = [ROOT / "README.md", ROOT / "docs/tutorial.md", *ROOT.glob("*/templates/*.j2")]
    lines = [line for page in pages for line in page.read_text().splitlines() if "crawler run" in line]
    assert len(lines) > 4
    assert not [line for line in lines if "--list" not in line and "shipped" not in line]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_crawler_commands_exist(page: Path) -> None:
    """Every `crawler COMMAND --option` in the docs is a command that the crawler has, with options that it takes."""
    app = get_command(cli.app)
    wrong = []
    for line in re.findall(r"(?:`|^ {4}.*?|= *)crawler ([^`\n]+)", page.read_text(), re.MULTILINE):
        command: Any = app
        words = re.split(r"\s+[#|]\s", line)[0].split()
        for word in words:
            command = getattr(command, "commands", {}).get(word, command)
        known = {option for parameter in command.params for option in parameter.opts}
        unknown = {word for word in words if word.startswith("--")} - known - {"--help"}
        if unknown or (command is app and words[0].islower()):
            wrong.append(f"crawler {line.strip()}: {sorted(unknown) or 'no such command'}")
    assert not wrong, "\n".join(wrong)


def test_domain_is_fenced_from_every_dependency() -> None:
    """A new dependency is out of domain's reach unless it is one of the six that domain may use."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = project["tool"]["importlinter"]["contracts"]
    [contract] = [each for each in contracts if each.get("source_modules") == ["domain"]]
    needed = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["embedded"]]
    imported = {"pillow": "PIL", "websocket_client": "websocket", "pyyaml": "yaml"}
    named = {re.split(r"[^\w-]", need)[0].replace("-", "_") for need in needed}
    names = {imported.get(name, name) for name in named}
    missing = names - {"icu4py", "idna", "pydantic", "rapidfuzz", "regex", "rfc8785"} - set(contract["forbidden_modules"])
    assert not missing, f"pyproject.toml: add to the contract {contract['name']!r}: {sorted(missing)}"


def test_lock_names_no_address() -> None:
    """requirements.lock has exact versions and no addresses, so it works with any registry."""
    lines = [line for line in (ROOT / "requirements.lock").read_text().splitlines() if not line.startswith("#")]
    strange = [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+(; .+)?", line)]
    assert lines
    assert not strange
