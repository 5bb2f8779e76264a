"""Screen: the common shape that every corpus yields: one picture, one structure, the nodes of the structure, human labels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from domain.geometry import Box
from domain.identity import digest
from domain.pixel_check import Check
from domain.probe import CorpusProvenance, Edit, FileRef, PictureSize, Platform, Probe, View, probe_of

ELEMENT_DIGITS = 24


_NO_ATTRIBUTES: Mapping[str, str] = {}


class Node(NamedTuple):
    """One node of a structure, as the structure has it. A named tuple, being made four times as fast: a corpus has millions.

    key: names it there (RICO's pointer, a backend_node_id, an annotation's id). box: image px on the picture, cut at nothing;
    None where the source gives none that is usable, and then `box_fault` says why. visible: what the structure asserts, if
    anything. ancestors: superclasses from nearest to farthest (RICO). label: the human label, if any. parent: its key.
    """

    key: str
    box: Box | None
    text: str = ""
    type: str = ""
    label: str | None = None
    visible: bool | None = None
    parent: str | None = None
    ancestors: tuple[str, ...] = ()
    attributes: Mapping[str, str] = _NO_ATTRIBUTES
    box_fault: str = ""


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen of a corpus. width, height: of the picture, image px. screenshot: SHA-256 of the picture's file.

    structure: SHA-256 of `channels.structures.normal` of what the source gives, in the format named: html,
    view_hierarchy or element_list. made: rendered for tests, not the publisher's. nodes: in document order.
    """

    source: str
    item: str
    site: str
    made: bool
    screenshot: str
    structure: str
    format: str
    width: int
    height: int
    nodes: tuple[Node, ...]
    files: tuple[FileRef, ...]
    url: str = ""
    split: str = ""

    @property
    def area(self) -> Box:
        """The whole picture."""
        return Box(0, 0, self.width, self.height)

    def window(self, region: Box, size: tuple[int, int]) -> View:
        """At most this size, image px, with the region in the middle or as near as the picture's edges allow; framed."""
        width, height = min(size[0], self.width), min(size[1], self.height)
        x = math.floor(region.x + region.width / 2 - width / 2)
        y = math.floor(region.y + region.height / 2 - height / 2)
        return View(
            x=max(0, min(x, self.width - width)), y=max(0, min(y, self.height - height)), width=width, height=height, mark=True
        )

    def provenance(self, node: Node, *, rules: str, seed: int, check: Check | None = None) -> CorpusProvenance:
        """Where a probe of this node comes from."""
        return CorpusProvenance.model_validate(
            {
                "source": self.source,
                "made": self.made,
                "item": self.item,
                "site": self.site,
                "url": self.url,
                "split": self.split,
                "files": self.files,
                "picture": PictureSize(width=self.width, height=self.height),
                "element": digest(self.source, self.item, node.key)[:ELEMENT_DIGITS],
                "node": node.key,
                "label": node.label,
                "seed": seed,
                "rules": rules,
                "check": check,
            }
        )


class Look(Protocol):
    """What a family may ask the pixels of one screen. Boxes in image px."""

    def ink(self, box: Box) -> float | None:
        """Share of the pixels that differ from the ground; None where the box is off the picture."""
        ...

    def check(self, box: Box, gold: str, structural: str) -> Check:
        """What a reader makes of the text in the box."""
        ...


@dataclass(frozen=True, slots=True)
class Recipe:
    """What all probes of a family of corpora have in common. rules: the recipe with its version, as provenance has it."""

    family: str
    platform: Platform
    variable: str
    rules: str

    def probe(
        self,
        screen: Screen,
        node: Node,
        region: Box,
        *,
        gold: str,
        structural: str,
        seed: int,
        view: View | None = None,
        edit: Edit | None = None,
        check: Check | None = None,
    ) -> Probe:
        """The probe of a node of the screen. Raises ValueError as Probe does."""
        return probe_of(
            family=self.family,
            kind=None,
            platform=self.platform,
            screenshot=screen.screenshot,
            structure=screen.structure,
            region=region,
            variable=self.variable,
            gold=gold,
            structural=structural,
            view=view,
            edit=edit,
            provenance=screen.provenance(node, rules=self.rules, seed=seed, check=check),
        )


@dataclass(frozen=True, slots=True)
class Drawn:
    """What one family drew from one screen. rejected: nodes by reason code (docs/families)."""

    probes: tuple[Probe, ...]
    rejected: Counter[str] = field(default_factory=Counter)


def rank(seed: int, *parts: str) -> str:
    """Where something comes in an order that depends on seed and content alone: SHA-256, 64 hex digits, ascending."""
    return digest(str(seed), *parts)
