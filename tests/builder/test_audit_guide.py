"""What is asked is asked alike: docs, sheet, Label Studio and models have one wording, and one table of keys."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from builder import printing
from builder.audit_sheet import page_of, sheet_of
from builder.commands_audit_report import tell
from builder.label_studio import task_of
from domain.audit import ASKS, WORDS, Label, Region, item_of
from domain.audit_guide import GUIDE, KEYS, MEANS, told
from domain.audit_report import report
from tests.domain.audited import judged
from tests.store.probe_rows import NOON

ROOT = Path(__file__).resolve().parents[2]
DOCS = (ROOT / "docs" / "audit.md").read_text("utf-8")


def test_docs_say_what_annotators_are_told():
    """Every question, every answer and every key has the row that it is made of."""
    for ask, guide in GUIDE.items():
        assert f"| {WORDS[ask]} | {' | '.join(guide)} |" in DOCS
    for name, meaning in MEANS.items():
        assert f"| {name} | `{KEYS[name].key}` | {meaning} |" in DOCS
    for key in KEYS.values():
        assert f"| `{key.key}` | {key.does} | {'yes' if key.desk else ''} | {'yes' if key.sheet else ''} |" in DOCS
    letters = ", ".join(KEYS[name].key.upper() for name in MEANS)
    assert f"Alt with {letters}\n" in (ROOT / "docs" / "audit-offline.md").read_text("utf-8")


def test_a_key_does_one_thing():
    """No two of them are the same, at the desk or on a sheet."""
    assert len({key.key for key in KEYS.values()}) == len(KEYS)


@pytest.mark.parametrize("variable", list(ASKS))
def test_a_sheet_and_a_task_say_the_same(variable: str):
    """The words of the guide, whole."""
    item = item_of("A" * 22, variable, (300, 200), Region(x=1, y=2, width=30, height=40))
    page = page_of(sheet_of("v1", "ada", NOON, [item]))
    [given] = re.findall(r'id="given">(.*?)</script>', page)
    assert json.loads(given)["guide"][item.ask] == GUIDE[item.ask]._asdict()
    assert task_of("v1", item, "x.png")["data"]["guide"] == told(item.ask)
    for said in GUIDE[item.ask]:
        assert said in told(item.ask)


def test_nothing_told_at_a_terminal_has_a_control(capfd: pytest.CaptureFixture[str]):
    """Whatever a value, a name or an error holds: a terminal would obey it."""
    evil = "Pay\x1b]0;x\x07\x9b31m"
    printing.say(evil)
    printing.talk(evil)
    printing.out().print(printing.facts([("value", evil)]))
    given = [Label(answer="value", value=evil), Label(answer="unsure")]
    tell(report("v1", [judged(1, *given, values=(evil, "Send"))]), disputed=True)
    out, err = capfd.readouterr()
    assert out.count("Pay\ufffd]0;x\ufffd\ufffd31m") == 4, "a line, a fact, gold, a label"
    assert err.startswith("Pay\ufffd]0;x\ufffd\ufffd31m\n"), "what is told besides stands after it"
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", out + err)
