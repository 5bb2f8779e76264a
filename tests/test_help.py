"""What --help shows, of every command of every program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.main import get_command

from api import cli as api_cli
from builder import cli as builder_cli
from crawler import cli_app as crawler_cli

PROGRAMS = {"api": api_cli.app, "builder": builder_cli.app, "crawler": crawler_cli.app}


def commands(of: Any) -> Iterator[Any]:
    """Those of a group, and of the groups in it."""
    for one in of.commands.values():
        if hasattr(one, "commands"):
            yield from commands(one)
        else:
            yield one


@pytest.mark.parametrize("program", PROGRAMS)
def test_flags_want_no_value(program: str) -> None:
    """An option that is there or not stands without the type of a value."""
    flags = [o for c in commands(get_command(PROGRAMS[program])) for o in c.params if getattr(o, "is_flag", False)]
    assert [o.name for o in flags if o.metavar != ""] == []


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_command_says_what_it_does(program: str) -> None:
    """In a sentence, and so does each of its options."""
    for command in commands(get_command(PROGRAMS[program])):
        assert command.help, command.name
        assert [o.name for o in command.params if isinstance(o, typer.core.TyperOption) and not o.help] == [], command.name
