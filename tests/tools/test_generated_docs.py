"""Pages that are written by a tool say what the code says now, and fit what the commands print."""

from __future__ import annotations

import importlib.util
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

from api.settings import ApiSettings
from builder.settings import BuilderSettings
from crawler import printing
from crawler.evidence import Evidence
from crawler.settings import CrawlerSettings
from crawler.visit import Visited
from domain.divergence import Finding
from domain.looked import looked
from domain.pixel_check import Check
from domain.visit import CaptureRecord, Counts, Moment, Readiness, Timeline, Viewport, Visit
from store.settings import StoreSettings

ROOT = Path(__file__).resolve().parents[2]


def tool(name: str) -> ModuleType:
    """A module of tools/, which is no package."""
    spec = importlib.util.spec_from_file_location(f"tools_{name}", ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # pydantic looks annotations up there
    spec.loader.exec_module(module)
    return module


def test_the_schema_is_of_now() -> None:
    """docs/schema/visit.schema.json is what the types give."""
    schema = tool("schema")
    assert schema.FILE.read_text("utf-8") == schema.schema(), "docs/schema is old: .venv/bin/python tools/schema.py"


def test_the_schema_of_a_probe_is_of_now() -> None:
    """docs/schema/probe.schema.json is what the type gives."""
    schema = tool("schema")
    made = schema.schema(schema.Probe)
    assert schema.PROBE_FILE.read_text("utf-8") == made, "docs/schema is old: .venv/bin/python tools/schema.py"


def test_settings_page_is_of_now() -> None:
    """docs/settings.md is what the settings classes give."""
    settings_doc = tool("settings_doc")
    assert settings_doc.PAGE.read_text("utf-8") == settings_doc.page(), (
        "docs/settings.md is old: .venv/bin/python tools/settings_doc.py"
    )


def test_every_setting_is_described() -> None:
    """Every setting has a text, and every number a unit."""
    settings_doc = tool("settings_doc")
    for settings in (CrawlerSettings, StoreSettings, ApiSettings, BuilderSettings):
        for name, field in settings.model_fields.items():
            assert field.description, f"{settings.__name__}.{name} has neither docstring nor description"
            if field.annotation in {int, float}:
                assert settings_doc.unit(name) != "-", f"tools/settings_doc.py: UNITS lacks {name}"


def test_every_variable_in_the_docs_is_a_setting() -> None:
    """No page names a CRAWLER_ variable that does not exist."""
    known = set(re.findall(r"`(CRAWLER_[A-Z_]+)`", tool("settings_doc").page()))
    for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]):
        named = set(re.findall(r"\bCRAWLER_[A-Z_]*[A-Z]\b", page.read_text()))
        assert named <= known, f"{page.relative_to(ROOT)} names {sorted(named - known)}"


def test_what_is_printed_fits_the_schema(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """A line of `crawler visit --json` is a document of the schema's type, with each field that the schema asks for."""
    moment = Moment(wall=datetime(2026, 11, 29, 12, 0, 0, 500, tzinfo=UTC), monotonic_ns=1)
    record = CaptureRecord(
        id="0" * 32 + "-0", loader_served="A", loader_shown="A", readiness=Readiness(load_event=True), timeline=Timeline(),
        counts=Counts(),
    )  # fmt: skip
    visit = Visit(
        id="0" * 32, url="https://example.test/", site="example", outcome="captured", started=moment, finished=moment,
        viewport=Viewport(width=1280, height=720), delay_ms=3000, captures=(record,),
    )  # fmt: skip
    finding = Finding(path="html", kind="aria", verdict="flagged", reason="disagree", structural="a", box=(0, 0, 1.5, 2))
    check = Check(reader="rapidocr", read="b", confidence=0.75, verdict="confirmed", reason="same")
    evidence = Evidence(record, (finding,), {}, seen=1, checks=(check,))
    printing.json_line(printing.document(Visited(visit, (evidence,), browser_hurt=False)))
    printed = capsysbinary.readouterr().out
    assert printed.count(b"\n") == 1
    schema = tool("schema")
    read = schema.Document.model_validate_json(printed)
    assert read.visit == visit
    assert read.elements == (looked(finding, 0, check),)
    assert read.model_dump_json().encode() == printed.strip()
