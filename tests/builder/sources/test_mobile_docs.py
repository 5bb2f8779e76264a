"""Every reason of the mobile sources and families stands on its page."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[3] / "docs"


@pytest.mark.parametrize(
    ("module", "page"),
    [
        ("builder.sources.rico", "sources/rico.md"),
        ("builder.sources.clay", "sources/clay.md"),
        ("domain.families.mobile_widget", "families/mobile-widget.md"),
        ("domain.families.mobile_visible", "families/mobile-visible.md"),
        ("domain.families.mobile_stale", "families/mobile-stale.md"),
    ],
)
def test_every_reason_is_described(module: str, page: str) -> None:
    """A reason that a funnel prints can be looked up."""
    told = (DOCS / page).read_text()
    assert [reason for reason in importlib.import_module(module).REASONS if f"`{reason}`" not in told] == []


def test_every_fault_of_a_box_is_described() -> None:
    """Why a node has no box can be looked up."""
    told = (DOCS / "sources/rico.md").read_text()
    faults = importlib.import_module("builder.sources._views").FAULTS
    assert [fault for fault in faults if f"`{fault}`" not in told] == []
