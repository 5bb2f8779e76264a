"""web-text: what is drawn of a page, in which order, and why everything else is not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

import pytest

from domain.families import web_text
from domain.families.web_text import PER_SCREEN, READINGS, REASONS, WINDOW, draw
from domain.geometry import Box
from domain.pixel_check import Check, CheckVerdict
from domain.probe import FileRef, View
from domain.screen import Node, Screen

FILE = FileRef(name="data/test_task-00000-of-00001.parquet", size=10, sha256="f" * 64)


class Eye:
    """Looks at pixels that are told: verdicts by text, "same" where nothing is told; flat boxes by their corner."""

    def __init__(
        self, said: Mapping[str, tuple[CheckVerdict, str]] | None = None, flat: frozenset[float] = frozenset()
    ) -> None:
        self.said, self.flat = said or {}, flat
        self.asked: list[str] = []

    def ink(self, box: Box) -> float | None:
        return 0.0 if box.x in self.flat else 0.1

    def check(self, box: Box, gold: str, structural: str) -> Check:
        assert box.area > 0
        assert gold != structural
        self.asked.append(gold)
        verdict, reason = self.said.get(gold, ("confirmed", "same"))
        return Check(reader="eye", read=gold, confidence=0.98, verdict=verdict, reason=reason)


def _screen(*nodes: Node, height: int = 3000) -> Screen:
    root = Node("1", Box(0, 0, 1280, height), type="html")
    return Screen(
        source="mind2web",
        item="uid-1",
        site="shop",
        made=True,
        screenshot="a" * 64,
        structure="b" * 64,
        format="html",
        width=1280,
        height=height,
        nodes=(root, *nodes),
        files=(FILE,),
        split="test_task",
    )


def _text(key: int, text: str, box: Box | None = None, *, fault: str = "") -> tuple[Node, Node]:
    """A span with a box and its text, which has the same."""
    place = None if fault else box or Box(40.25, 100.5 + 30 * (key % 60), 120.5, 20)
    span = Node(str(key), place, type="span", parent="1", box_fault=fault)
    return span, Node(f"{key}t", place, text, "text", parent=str(key), box_fault=fault)


LABELS = ("Kettle", "Blanket", "Lantern", "Mirror", "Hammer", "Basket", "Candle", "Teapot", "Carpet", "Pillow", "Ladder",
          "Shovel", "Bucket", "Garden", "Sponge", "Button")  # fmt: skip
SHELF = tuple(node for i, label in enumerate(LABELS) for node in _text(10 + i, label))


def test_a_probe_is_a_seen_text_and_another_of_the_page() -> None:
    """Two prices on a page of words. Region: whole px outwards. What the reader said is kept."""
    screen = _screen(*_text(5, "$12.50"), *_text(6, "$31.90"), *_text(7, "Kettle"))
    drawn = draw(screen, Eye({"$31.90": ("contradicted", "other-text")}), seed=7)
    (probe,) = drawn.probes
    assert (probe.family, probe.platform, probe.variable, probe.kind) == ("web-text", "web", "text", None)
    assert (probe.gold, probe.structural, set(probe.options)) == ("$12.50", "$31.90", {"$12.50", "$31.90"})
    assert probe.region == Box(40, 250, 121, 21)  # 40.25 to 160.75, 250.5 to 270.5
    assert probe.edit is not None
    assert probe.edit.model_dump() == {
        "rule": "swap-text", "version": 1, "node": "5t", "before": "$12.50", "after": "$31.90",
    }  # fmt: skip
    assert probe.view == View(x=0, y=0, width=1280, height=1000, mark=True)
    where = probe.provenance
    assert where.source == "mind2web"
    assert (where.site, where.item, where.node, where.split, where.rules, where.seed) == (
        "shop", "uid-1", "5t", "test_task", "web-text/1", 7,
    )  # fmt: skip
    assert where.check is not None
    assert (where.check.reader, where.check.confidence, where.files) == ("eye", 0.98, (FILE,))
    assert drawn.rejected == Counter({"contradicted": 1, "no-distractor": 1})


def _shared() -> tuple[Node, ...]:
    """A card that has a box, with two texts that have none."""
    box = Box(40, 100, 300, 80)
    texts = (Node("8t", box, "Copper", "text", parent="8"), Node("9t", box, "Silver", "text", parent="8"))
    return (Node("8", box, type="a", parent="1"), *texts)


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        (_text(5, ""), "no-text"),
        (_text(5, "Kettles", fault="hidden"), "no-box"),
        (_text(5, "Kettles", Box(1200, 100, 120, 20)), "off-picture"),
        (_text(5, "Kettles", Box(-3, 100, 120, 20)), "off-picture"),
        (_text(5, "Kettles", Box(40, 2995, 120, 20)), "off-picture"),
        (_text(5, "Kettles", Box(40, 100, 120, 5)), "too-small"),
        (_text(5, "Kettles", Box(40, 100, 300, 100)), "too-large"),  # 30,000 px for 7 characters
        (_text(5, "K"), "too-short"),
        (_text(5, "\u2192\u2192"), "no-type"),
        (_text(5, "14:05"), "no-distractor"),
    ],
)
def test_texts_that_nobody_could_be_asked_about_cost_no_reading(nodes: tuple[Node, ...], reason: str) -> None:
    """Each beside the shelf, with which it would have distractors."""
    screen = _screen(*nodes, *(node for i in (1, 2) for node in _text(20 + i, LABELS[i])))
    eye = Eye()
    drawn = draw(screen, eye, seed=1)
    assert drawn.rejected[reason] == 1
    assert set(eye.asked) == {LABELS[1], LABELS[2]}


def test_texts_in_one_box_are_not_asked_about_and_an_inner_box_counts_for_the_outer() -> None:
    """Two texts in a card; and a paragraph with a text of its own beside a link that has a box."""
    drawn = draw(_screen(*_shared(), *SHELF[:4]), Eye(), seed=1)
    assert drawn.rejected == Counter({"shares-its-box": 2})
    outer, inner = Box(40, 400, 200, 20), Box(90, 400, 60, 20)
    paragraph = (
        Node("p", outer, type="p", parent="1"), Node("p1", outer, "Terms apply", "text", parent="p"),
        Node("a", inner, type="a", parent="p"), Node("a1", inner, "Read more", "text", parent="a"),
    )  # fmt: skip
    drawn = draw(_screen(*paragraph), Eye(), seed=1)
    assert [probe.gold for probe in drawn.probes] == ["Read more"]
    assert drawn.rejected == Counter({"shares-its-box": 1})


@pytest.mark.parametrize(
    ("verdict", "why", "reason"),
    [
        ("confirmed", "part", "cut-on-screen"),
        ("contradicted", "structural", "contradicted"),
        ("contradicted", "other-text", "contradicted"),
        ("unreadable", "unsure", "unreadable"),
        ("unreadable", "script", "unreadable"),
        ("unreadable", "no-ink", "no-ink"),
    ],
)
def test_only_what_a_reader_sees_whole_is_drawn(verdict: CheckVerdict, why: str, reason: str) -> None:
    """One of two texts is not."""
    drawn = draw(_screen(*SHELF[:4]), Eye({LABELS[0]: (verdict, why)}), seed=1)
    assert [probe.gold for probe in drawn.probes] == [LABELS[1]]
    assert drawn.rejected == Counter({reason: 1})


def test_flat_boxes_cost_no_reading_and_a_text_that_reads_the_same_is_taken_once() -> None:
    """The second Kettle in capitals; the box at 900 px has no ink."""
    nodes = (*_text(5, "Kettle"), *_text(6, "KETTLE"), *_text(7, "Blanket", Box(900, 10, 90, 20)))
    eye = Eye(flat=frozenset({900.0}))
    drawn = draw(_screen(*nodes), eye, seed=1)
    assert len(drawn.probes) == len(eye.asked) == 1
    assert drawn.rejected == Counter({"same-text": 1, "no-ink": 1})


def test_a_page_gives_few_probes_and_costs_few_readings() -> None:
    """Of 16 texts: PER_SCREEN are drawn; where nothing is confirmed, READINGS are tried."""
    drawn = draw(_screen(*SHELF), Eye(), seed=1)
    assert (len(drawn.probes), drawn.rejected) == (PER_SCREEN, Counter({"enough": 16 - PER_SCREEN}))
    eye = Eye(dict.fromkeys(LABELS, ("unreadable", "unsure")))
    drawn = draw(_screen(*SHELF), eye, seed=1)
    assert (len(eye.asked), drawn.rejected) == (READINGS, Counter({"unreadable": READINGS, "readings-spent": 16 - READINGS}))


def test_the_order_of_nodes_does_not_count_and_the_seed_does() -> None:
    """Which texts are taken is by rank."""
    first = draw(_screen(*SHELF), Eye(), seed=1).probes
    for n in range(5):
        nodes = list(SHELF)
        random.Random(n).shuffle(nodes)  # noqa: S311 - no secret
        assert draw(_screen(*nodes), Eye(), seed=1).probes == first
    assert len({tuple(p.gold for p in draw(_screen(*SHELF), Eye(), seed=n).probes) for n in range(5)}) > 1
    assert draw(_screen(*SHELF), Eye(), seed=1).rejected.total() + len(first) == len(LABELS)


@pytest.mark.parametrize(
    ("region", "height", "view"),
    [
        (Box(100, 10, 50, 20), 3000, (0, 0, 1280, 1000)),
        (Box(100, 2000, 50, 20), 3000, (0, 1510, 1280, 1000)),  # 2010 is its middle
        (Box(100, 2970, 50, 20), 3000, (0, 2000, 1280, 1000)),
        (Box(100, 300, 50, 20), 600, (0, 0, 1280, 600)),
    ],
)
def test_a_window_around_the_region_is_shown(region: Box, height: int, view: tuple[int, ...]) -> None:
    """At most 1280 x 1000 px, on the picture, with a frame."""
    x, y, width, high = view
    assert _screen(height=height).window(region, WINDOW) == View(x=x, y=y, width=width, height=high, mark=True)


def test_every_reason_is_known() -> None:
    """What the docs list is what is given."""
    assert set(REASONS) >= {"no-text", "no-box", "shares-its-box", "enough", "readings-spent", "cut-on-screen"}
    assert web_text.SOURCES == ("mind2web",)
