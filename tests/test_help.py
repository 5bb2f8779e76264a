"""What --help shows, of every command of every program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

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


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_number_has_a_smallest_and_a_largest(program: str) -> None:
    """What is beyond is refused in a line, before anything is asked that cannot count so far."""
    options = [(c.name, o) for c in commands(get_command(PROGRAMS[program])) for o in c.params if hasattr(o, "type_descriptor")]
    numbers = [(command, o) for command, o in options if o.type_descriptor.annotation in {int, float}]
    assert numbers
    assert [(command, o.name) for command, o in numbers if o.min is None or o.max is None] == []
    # A seed has a column of 64 bits; a LIMIT has 32.
    assert [(command, o.name) for command, o in numbers if o.max > (2**63 - 1 if o.name == "seed" else 2**31 - 1)] == []


@pytest.mark.parametrize("number", ["0", "2147483648", "9223372036854775808", "99999999999999999999"])
@pytest.mark.parametrize("command", ["run --once", "report", "check", "probes", "drift"])
def test_a_limit_beyond_all_counting_is_asked_wrongly(command: str, number: str) -> None:
    """As 0 is: a line, and exit code 2."""
    done = CliRunner().invoke(crawler_cli.app, [*command.split(), "--limit", number])
    assert (done.exit_code, "Invalid value for '--limit'" in done.output) == (2, True)
