"""A setting that is wrong is an error of every command, one that nothing reads is named; what is of others is left alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from api import cli as api_cli
from api.settings import ApiSettings
from builder import cli as builder_cli
from crawler import cli as crawler_cli
from crawler.settings import CrawlerSettings
from store.surroundings import unread

MAINS = {"crawler": crawler_cli.main, "builder": builder_cli.main, "api": api_cli.main}
DOES_NOT_USE_IT = {"crawler": "sites", "builder": "verify", "api": "health"}


def run(program: str, monkeypatch: pytest.MonkeyPatch, folder: Path, *arguments: str, **given: str) -> int:
    """The command in an empty folder, in this process; its exit code."""
    monkeypatch.chdir(folder)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "argv", [program, *arguments])
    with pytest.raises(SystemExit) as ended:
        MAINS[program]()
    return int(ended.value.code or 0)


@pytest.mark.parametrize(
    "wrong",
    [
        ("crawler", "CRAWLER_DELAY_MS", "abc"),
        ("builder", "BUILDER_SEED", "abc"),
        ("api", "API_PORT", "abc"),
        ("builder", "DATABASE_URL", "mysql://here/it"),
        ("crawler", "DATABASE_URL", "mysql://here/it"),
    ],
    ids=lambda wrong: f"{wrong[0]}-{wrong[1]}",
)
def test_a_wrong_value_is_an_error_of_every_command(
    wrong: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, and the variable's name; also where the command has no use for it. Whoever asks for help gets help."""
    program, name, value = wrong
    command = DOES_NOT_USE_IT[program]
    assert run(program, monkeypatch, tmp_path, command, "x", **{name: value}) == 2
    assert f"{program}: {name}: " in capfd.readouterr().err
    assert run(program, monkeypatch, tmp_path, command, "--help") == 0


def test_a_name_that_nothing_reads_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """From the environment and from .env, with what it looks like; the command goes on. Of other programs nothing is said."""
    (tmp_path / ".env").write_text("BUILDER_SEEDS=3\nPARALLAX_IMAGE=parallax:1\nCRAWLER_NONE=1\nBUILDER_EMPTY=\n")
    assert run("builder", monkeypatch, tmp_path, "verify", "nowhere", BUILDER_ZZ="1", PARALLAX_DIR="x") == 1
    said = capfd.readouterr().err.splitlines()
    assert [line for line in said if "WARNING" in line] == [
        "builder: WARNING: BUILDER_SEEDS is set, and nothing reads it. Is BUILDER_SEED meant? All settings: docs/settings.md",
        "builder: WARNING: BUILDER_ZZ is set, and nothing reads it. All settings: docs/settings.md",
        "builder: WARNING: PARALLAX_DIR is set, and nothing reads it. All settings: docs/settings.md",
    ]
    assert "There is no folder nowhere" in said[-1]


def test_what_looks_like_a_setting_and_what_is_of_others() -> None:
    """A slip of a name of ours, against names that any program may use."""
    assert list(unread(CrawlerSettings, {"CRAWLER_DELAY": "1", "CRAWLER_ROBOTS": "obey"})) == [
        ("CRAWLER_DELAY", "CRAWLER_DELAY_MS")
    ]
    assert list(unread(ApiSettings, {"API_KEY": "1", "API_URL": "1", "API_TOKENS": "1", "API_RATE": "1"})) == [
        ("API_TOKENS", "API_TOKEN")
    ]
