"""Probe: what always holds of one, and what makes two of them the same."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from domain.geometry import Box
from domain.probe import Probe, Provenance, probe_of
from domain.visit import Viewport

PROVENANCE = Provenance(
    source="live",
    site="shop",
    url="https://shop.example/",
    visit="v",
    capture="v-0",
    when=datetime(2026, 3, 1, tzinfo=UTC),
    viewport=Viewport(width=800, height=600),
    delay_ms=3000,
    rules="policy=tokens",
    policy="tokens",
    element="0a" * 12,
    path="html",
)


def made(**changes: Any) -> Probe:
    given: dict[str, Any] = {
        "family": "web-natural",
        "kind": "stale",
        "platform": "web",
        "screenshot": "1" * 64,
        "structure": "2" * 64,
        "region": Box(10, 10, 100, 20),
        "variable": "text",
        "gold": "14:03:31",
        "structural": "14:03:27",
        "provenance": PROVENANCE,
    }
    return probe_of(**(given | changes))


def test_a_probe_is_its_question() -> None:
    """The id is of element, kind, variable and pair; where, when and on which screenshot it was seen changes nothing."""
    probe = made()
    other_time = PROVENANCE.model_copy(update={"visit": "w", "capture": "w-0", "when": datetime(2027, 1, 1, tzinfo=UTC)})
    assert made(screenshot="3" * 64, structure="4" * 64, region=Box(0, 0, 5, 5), provenance=other_time).id == probe.id
    others = [
        made(kind="state"),
        made(family="web-other"),
        made(variable="value"),
        made(gold="14:03:32"),
        made(structural="14:03:26"),
        made(gold=probe.structural, structural=probe.gold),
        made(provenance=PROVENANCE.model_copy(update={"element": "0b" * 12})),
    ]
    assert len({probe.id, *(other.id for other in others)}) == len(others) + 1


def test_form_and_case_make_no_other_probe() -> None:
    """Two sightings whose values differ in case, width or blanks alone are of one probe."""
    assert made(gold="Sold  Out", structural="In stock").id == made(gold="SOLD OUT", structural="in\u00a0stock").id


def test_order_of_options_tells_nothing() -> None:
    """Gold comes first in about half of the probes, and its place does not depend on which value it is."""
    probes = [made(gold=f"{n}", structural=f"{n + 1}") for n in range(400)]
    first = sum(probe.options[0] == probe.gold for probe in probes)
    assert 160 <= first <= 240  # 200 expected, standard deviation 10
    assert all(sorted(probe.options) == sorted((probe.gold, probe.structural)) for probe in probes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"gold": "Ja", "structural": "JA"}, "after normalisation"),
        ({"gold": "", "structural": "JA"}, "a blank is no text"),
        ({"gold": "x", "structural": "\u200b "}, "a blank is no text"),
        ({"gold": "", "structural": " ", "variable": "value"}, "after normalisation"),
        ({"region": Box(700, 10, 101, 20)}, "not on a screenshot of 800x600"),
        ({"region": Box(10, -1, 10, 20)}, "not on a screenshot"),
        ({"region": Box(10, 10, 0, 20)}, "not on a screenshot"),
        ({"screenshot": "1" * 63}, "screenshot"),
        ({"structure": "Z" * 64}, "structure"),
        ({"platform": "tv"}, "platform"),
    ],
)
def test_what_is_no_probe(changes: dict[str, Any], said: str) -> None:
    """Values that are one, blanks, regions off the screenshot and digests that are none are refused, each by name."""
    with pytest.raises(ValidationError, match=said):
        made(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "web-natural-000000000000"},
        {"options": ["14:03:27"]},
        {"options": ["14:03:27", "14:03:31", "14:03:32"]},
        {"options": list(reversed(made().options))},
        {"gold": "14:03:33"},
        {"extra": 1},
    ],
    ids=str,
)
def test_a_probe_that_was_changed(changes: dict[str, Any]) -> None:
    """A record whose id, options or values were changed by hand is no longer a probe."""
    record = made().model_dump(mode="json")
    assert Probe.model_validate(record) == made()
    with pytest.raises(ValidationError):
        Probe.model_validate(record | changes)


def test_the_whole_identity_may_be_the_id() -> None:
    """Where another probe has the same twelve digits, all sixty-four are the id."""
    probe = made()
    longer = f"web-natural-{probe.identity}"
    assert Probe.model_validate(probe.model_dump() | {"id": longer}).id == longer
