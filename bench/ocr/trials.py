"""Trials: the pixel check asked of known texts, truly and falsely, and what it answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.ocr.sheets import Sample, Sheet
from bench.ocr.texts import LATIN, NUMERIC, UNKNOWN_SCRIPTS
from channels.readers import Reader
from crawler.pixel_check import check
from domain.divergence import Finding
from domain.pixel_check import Check

WAYS = ("true, near", "true, far", "false, near", "false, far")
"""true: the rendered value is what is shown. false: it is the near miss. near: the structural value is the other of the two;
far: it is like neither."""


@dataclass(frozen=True, slots=True)
class Trial:
    sample: Sample
    scale: float
    answers: tuple[Check, ...]
    """One for each of WAYS."""


def findings_of(sample: Sample) -> list[Finding]:
    text = sample.text
    pairs = ((text.shown, text.near), (text.shown, text.far), (text.near, text.shown), (text.near, text.far))
    return [
        Finding(
            path="span", kind="stale", verdict="flagged", reason="disagree",
            rendered=rendered, structural=structural, lines=sample.lines,
        )
        for rendered, structural in pairs
    ]  # fmt: skip


def tried(reader: Reader, sheets: Iterable[Sheet]) -> list[Trial]:
    """Every sample asked in all four ways."""
    made = []
    for sheet in sheets:
        checks = check(reader, sheet.png, sheet.scale, [finding for s in sheet.samples for finding in findings_of(s)])
        answers = [answer for answer in checks if answer is not None]
        for i, sample in enumerate(sheet.samples):
            made.append(Trial(sample, sheet.scale, tuple(answers[4 * i : 4 * i + 4])))
    return made


@dataclass(frozen=True, slots=True)
class Row:
    """Of the texts in one group. Counts, of true questions and of false ones."""

    name: str
    true: int
    confirmed: int
    contradicted: int
    unreadable: int
    false: int
    false_confirmed: int


def row(name: str, trials: Sequence[Trial]) -> Row:
    true = [a.verdict for t in trials for a in t.answers[:2]]
    false = [a.verdict for t in trials for a in t.answers[2:]]
    return Row(
        name,
        len(true),
        true.count("confirmed"),
        true.count("contradicted"),
        true.count("unreadable"),
        len(false),
        false.count("confirmed"),
    )


def rows(trials: Sequence[Trial]) -> list[Row]:
    """All, then by script, size, contrast and so on. Scripts that the reader does not know are in the rows of their own."""
    known = [t for t in trials if t.sample.text.kind not in UNKNOWN_SCRIPTS]
    latin = [t for t in known if t.sample.text.kind in LATIN or t.sample.text.kind == "accents"]
    plain = [t for t in latin if not t.sample.textured]
    groups = {
        "all scripts it reads": known,
        "latin, plain ground": plain,
        "latin, plain ground, 12 px and more": [t for t in plain if t.sample.size >= 12],  # noqa: PLR2004
        "numbers, prices, clocks, dates": [t for t in known if t.sample.text.kind in NUMERIC],
        "accents": [t for t in known if t.sample.text.kind == "accents"],
        "upper case": [t for t in known if t.sample.text.kind == "upper"],
        "sentences of several lines": [t for t in known if len(t.sample.lines) > 1],
        "chinese": [t for t in known if t.sample.text.kind == "chinese"],
        "japanese": [t for t in known if t.sample.text.kind == "japanese"],
        **{f"{size} px": [t for t in known if t.sample.size == size] for size in sorted({t.sample.size for t in known})},
        **{f"scale {scale:g}": [t for t in known if t.scale == scale] for scale in sorted({t.scale for t in known})},
        "contrast below 3": [t for t in known if t.sample.contrast < 3],  # noqa: PLR2004
        "contrast 3 to 4.5": [t for t in known if 3 <= t.sample.contrast < 4.5],  # noqa: PLR2004
        "contrast 4.5 and more": [t for t in known if t.sample.contrast >= 4.5],  # noqa: PLR2004
        "light on dark": [t for t in known if t.sample.light_on_dark],
        "dark on light": [t for t in known if not t.sample.light_on_dark],
        "stripes or a gradient under it": [t for t in known if t.sample.textured],
        **{kind: [t for t in trials if t.sample.text.kind == kind] for kind in sorted(UNKNOWN_SCRIPTS)},
    }
    return [row(name, group) for name, group in groups.items() if group]


def wrong(trials: Sequence[Trial]) -> list[str]:
    """A line for each answer that is an error: a false confirmation, or a true value contradicted."""
    found = []
    for t in trials:
        for way, asked, answer in zip(WAYS, findings_of(t.sample), t.answers, strict=True):
            if answer.verdict == ("contradicted" if way.startswith("true") else "confirmed"):
                found.append(
                    f"{way}: shows {t.sample.text.shown!r} ({t.sample.family} {t.sample.size} px, scale {t.scale:g}, "
                    f"contrast {t.sample.contrast:.1f}), asked {asked.rendered!r} against {asked.structural!r}, "
                    f"read {answer.read!r}: {answer.verdict}, {answer.reason}"
                )
    return found
