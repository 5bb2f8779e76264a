"""Pair: one element as the structure had it and as the screen shows it."""

from __future__ import annotations

from dataclasses import dataclass, field

from domain.reading import Element
from domain.text import visible_characters


@dataclass(frozen=True, slots=True)
class AccessibleName:
    """What the browser's own accessibility tree calls an element, and where it took that from.

    source: aria-label, aria-labelledby, alt, title, contents, placeholder, label, caption, value or "" for no name.
    """

    role: str
    name: str
    source: str
    ignored: bool = False


@dataclass(slots=True)
class Pair:
    """One element in both channels. Either side may be missing: it appeared, or it is gone."""

    serialized: Element | None
    shown: Element | None
    settled: bool = True
    replaced: bool = False
    changed_inside: bool = False
    shifted: bool = False
    other_record: bool = False
    row: str = ""
    accessible: AccessibleName | None = None
    inner: list[Pair] = field(default_factory=list, repr=False)

    @property
    def element(self) -> Element:
        """The side to point at: what is on the screen, else what the structure had."""
        found = self.shown or self.serialized
        assert found is not None, "a pair has at least one side"  # noqa: S101 - an invariant of pairing, not input
        return found

    @property
    def moved(self) -> bool:
        """The text on the screen is another than when the structure was read; form and case count, blanks do not."""
        return (
            self.serialized is not None
            and self.shown is not None
            # Most have not: told without looking at single characters.
            and self.serialized.text != self.shown.text
            and visible_characters(self.serialized.text) != visible_characters(self.shown.text)
        )
