"""What the builder's commands print reaches whoever reads, as long as anybody does."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import pytest

from builder import printing


def a_table() -> None:
    made = printing.table("probe")
    made.add_row("web-text-0001")
    printing.out().print(made)


@pytest.mark.parametrize("told", [lambda: printing.say("a line"), lambda: printing.json_line({"a": 1}), a_table])
def test_a_reader_who_has_had_enough_is_no_failure(told: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """`builder diff A B | head`: the command ends with 0, and what is flushed at its end breaks nothing."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        with pytest.raises(SystemExit) as ended:
            told()
        stdout.write("the rest")
        stdout.flush()
    assert ended.value.code == 0
