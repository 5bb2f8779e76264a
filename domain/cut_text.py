"""Texts that an ellipsis cuts short: whether another text is the whole of what is cut.

The last token before an ellipsis may be the beginning of a word, the first one after it the end of one. What stands around
the cut text (a number, a type of file, quotation marks) counts as it does for texts that are whole: one contains the other.
"""

from __future__ import annotations

import regex

from domain.tokens import normalize, tokens, visible_characters

_ELLIPSIS = regex.compile(r"\s*(?:[\u2026\u22ef\ufe19]|\.{2,}|\.(?:\s\.){2,})\s*")
EVIDENCE = 4
"""Letters that a cut word must have to be known elsewhere than where the full text begins; fewer begin many words."""


def repeats_cut_text(structural: str, rendered: str) -> bool:
    """The rendered text is cut by an ellipsis, at its beginning, middle or end, and the structural one is the full text.

    "PDF Quarterly rep..." and "Report 20..." are cut from "Quarterly report 2024" as well.
    """
    parts = _ELLIPSIS.split(visible_characters(rendered))
    if len(parts) == 1 or not any(parts):
        return False
    match parts:
        case [head, tail] if _as_written(structural, head, tail):
            return True
    cut = [" ".join(tokens(part)) for part in parts]
    full = " ".join(tokens(structural))
    return bool(full) and any(cut) and _follows(full, cut)


def _as_written(structural: str, head: str, tail: str) -> bool:
    full, head, tail = normalize(structural), normalize(head), normalize(tail)
    return full.startswith(head) and full[len(head) :].endswith(tail)


def _follows(full: str, cut: list[str]) -> bool:
    """The pieces stand in the full text one after the other; the last one, where there is one, at its end."""
    head, *middle, tail = cut
    begin = _after_head(full, head)
    if begin is None:
        return False
    for piece in middle:
        found = full.find(piece, begin)
        if found < 0:
            return False
        begin = found + len(piece)
    return full[begin:].endswith(tail)


def _after_head(full: str, head: str) -> int | None:
    """Where in the full text the part before the first ellipsis ends; None where it is not there."""
    if full.startswith(head):
        return len(head)
    if _tells(head) and (found := f" {full}".find(f" {head}")) >= 0:
        return found + len(head)
    words = head.split()
    for rest in (" ".join(words[i:]) for i in range(1, len(words))):
        # One whole word is no sign of a cut: "Search for hotels..." is not cut from "Hotels near you".
        if _tells(rest) and full.startswith(rest) and (" " in rest or full[len(rest) :][:1] != " "):
            return len(rest)
    return None


def _tells(piece: str) -> bool:
    return " " in piece or len(piece) >= EVIDENCE
