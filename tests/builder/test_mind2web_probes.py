"""From Mind2Web's files to probes, with a reader's eyes: what is drawn can be seen, and one channel alone is edited."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from builder.look import open_look
from builder.sources import Usable, mind2web
from channels.readers import Reader, open_reader
from channels.structures import html
from domain.families import web_text
from domain.probe import Probe
from tests.corpora.mind2web import make

HIDDEN = {"Your profile", "Order history", "Sign out now", "Help and contact"}


@pytest.fixture(scope="module")
def reader() -> Reader:
    """The reader that is used by default."""
    return open_reader(threads=2)


def _drawn(path: Path, reader: Reader) -> tuple[list[tuple[Usable, Probe]], Counter[str]]:
    probes, rejected = [], Counter[str]()
    for one in mind2web.read(mind2web.find(path, base=None)):
        if isinstance(one, Usable):
            drawn = web_text.draw(one.screen, open_look(one.picture, reader), seed=735)
            probes += [(one, probe) for probe in drawn.probes]
            rejected += drawn.rejected
    return probes, rejected


def _holds(usable: Usable, probe: Probe) -> None:
    """The structure says gold, the edited one the other value, and nothing else of it is changed."""
    assert probe.edit is not None
    edited = html.edited(usable.structure, probe.edit)
    assert html.says(usable.structure, probe.edit.node, probe.edit.rule) == probe.gold
    assert html.says(edited, probe.edit.node, probe.edit.rule) == probe.structural
    before, after = (
        [one for one in html.elements(content) if one.key != probe.edit.node] for content in (usable.structure, edited)
    )
    assert before == after
    assert probe.screenshot == usable.screen.screenshot


def test_what_is_drawn_of_made_pages_is_on_their_pixels(tmp_path: Path, reader: Reader) -> None:
    """Three kinds of pages; the hidden menu has plausible boxes over empty pixels and never gives a probe."""
    probes, rejected = _drawn(make(tmp_path, 3), reader)
    assert len(probes) == 3 * web_text.PER_SCREEN
    for usable, probe in probes:
        _holds(usable, probe)
        assert probe.gold not in HIDDEN
        assert isinstance(usable, Usable)
        check = probe.provenance.check
        assert check is not None
        assert (check.verdict, check.reader) == ("confirmed", reader.version)
    assert set(rejected) <= set(web_text.REASONS)


def test_the_real_page_gives_probes_that_a_person_finds_on_it(corpora: Path, reader: Reader) -> None:
    """Looked at: the four texts are where the boxes say. Its closed menus, belts and turning headline are rejected."""
    probes, rejected = _drawn(corpora / "mind2web", reader)
    assert len(probes) == web_text.PER_SCREEN
    for usable, probe in probes:
        _holds(usable, probe)
        assert probe.region.y + probe.region.height <= usable.screen.height
    assert (rejected["shares-its-box"], rejected["off-picture"]) == (191, 37)
