"""detect(): every kind asked of every element."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.capture import Capture, pairs
from domain.divergence import (
    MAX_COVERED,
    MIN_INK,
    Finding,
    Kind,
    Verdict,
    detect,
    kinds,
    rules_version,
    shows_too_little,
    tallies,
)
from domain.divergences import KINDS
from domain.geometry import Box
from domain.text import POLICIES, PolicyName, grade
from tests.domain.made import Raw, capture, changed, control, element, one, told

UNSEEN = [
    "not-rendered", "hidden", "transparent", "zero-size", "same-colour", "off-page", "off-viewport", "clipped", "counter",
]  # fmt: skip
KNOWN = st.sampled_from(
    ["12:59", "13:00", "Add to cart", "Buy now", "Oslo 12", "1,234", "1234", "", "X", "Loading...", "\u2192", "Oslo"]
)
TEXT = st.one_of(KNOWN, KNOWN, KNOWN, st.text(st.characters(exclude_categories=()), max_size=12))
SEEN_MOSTLY = st.sampled_from([*[""] * 40, *UNSEEN])
POLICY = st.sampled_from(sorted(POLICIES))
TAGS = ["button", "a", "span", "td", "p", "nav", "abbr"]
WORDS = {"own": 1, "line": 1}


@dataclass(frozen=True)
class Drawn:
    """One element in its readings; a side that is None is missing."""

    served: Raw | None
    shown: Raw | None
    after: Raw | None


def _raw(drawn: dict[str, object], text: str, unseen: str) -> Raw:
    state = None
    if drawn["tag"] == "input":
        state = control("value", str(drawn["start"]), text)
    flags = {"line": 1} if drawn["tag"] == "input" else WORDS | dict.fromkeys(drawn["flags"], 1)  # type: ignore[call-overload]
    raw = element(text, str(drawn["tag"]), unseen=unseen, covered=float(str(drawn["covered"])), flags=flags, state=state)
    raw["a"] |= {name: value for name in ("aria-label", "title") if (value := drawn[name]) is not None}
    return raw


@st.composite
def elements(draw: st.DrawFn) -> Drawn:
    """Any element: named or not, a field or not, seen or not, changed or not, missing from a reading or not."""
    drawn = draw(
        st.fixed_dictionaries(
            {
                "tag": st.sampled_from([*TAGS, "input"]),
                "aria-label": st.none() | TEXT,
                "title": st.none() | TEXT,
                "start": TEXT,
                "covered": st.sampled_from([*[0] * 9, 0.3, 0.5, 1]),
                "flags": st.sampled_from([*[()] * 9, *[(f,) for f in ("partial", "icons", "unknown", "focusable", "hint")]]),
            }
        )
    )
    now, unseen = draw(TEXT), draw(SEEN_MOSTLY)
    was = draw(st.just(now) | TEXT)
    again = draw(st.sampled_from([*[now] * 9, "moved on"]))
    there = draw(st.sampled_from([*["both"] * 12, "served", "shown"]))
    shown = _raw(drawn, now, unseen)
    return Drawn(
        _raw(drawn, was, draw(st.sampled_from(["", unseen]))) if there != "shown" else None,
        shown if there != "served" else None,
        _raw(drawn, again, unseen) if there != "served" and draw(st.integers(0, 9)) else None,
    )


@st.composite
def captures(draw: st.DrawFn) -> tuple[list[Drawn], Capture]:
    """Any capture: a list of elements, some inside earlier ones."""
    drawn = draw(st.lists(elements(), max_size=6))
    return drawn, assembled(drawn, draw(st.lists(st.integers(-1, 4), min_size=len(drawn), max_size=len(drawn))))


def assembled(drawn: list[Drawn], parents: list[int], hidden: int | None = None) -> Capture:
    """The capture of these elements. hidden: where in document order a hidden one, with a name, a text and a state, is put."""
    readings: dict[str, list[Raw]] = {"served": [], "shown": [], "after": []}
    for i, one_of in enumerate(drawn):
        if hidden == i:
            _hide(readings)
        for name, side in (("served", one_of.served), ("shown", one_of.shown), ("after", one_of.after)):
            if side is not None:
                earlier = [j for j, e in enumerate(readings[name]) if e["k"] <= 6]
                parent = earlier[parents[i]] if 0 <= parents[i] < len(earlier) else -1
                readings[name].append({**side, "k": i + 1, "s": f"html > body > div > i:nth-child({i + 1})", "p": parent})
    if hidden is not None and hidden >= len(drawn):
        _hide(readings)
    return capture(readings["served"], readings["shown"], readings["after"])


def _hide(readings: dict[str, list[Raw]]) -> None:
    state = control("value", "1", "2")
    raw = element("Hidden", "input", key=99, path="hidden", unseen="hidden", state=state, title="Other", aria_label="Another")
    for side in readings.values():
        side.append(raw)


def nothing_is_lost(drawn: tuple[list[Drawn], Capture], policy: PolicyName) -> None:
    """One finding for each element and kind that concerns it, and never two; in the order of the document."""
    made, found = drawn
    findings = detect(found, policy)
    assert max(Counter((f.path, f.kind) for f in findings).values(), default=1) == 1
    counted = Counter(f.kind for f in findings)
    assert counted["aria"] == sum("aria-label" in (e.shown or e.served or {})["a"] for e in made)
    assert counted["title"] == sum("title" in (e.shown or e.served or {})["a"] for e in made)
    assert counted["state"] == sum((e.shown or e.served or {})["t"] == "input" for e in made)
    order = [pair.element.path for pair in pairs(found)]
    assert [f.path for f in findings] == sorted((f.path for f in findings), key=order.index)


def every_finding_is_complete(drawn: tuple[list[Drawn], Capture], policy: PolicyName) -> None:
    """Every verdict has a reason, values come in pairs and with their grade, and what is flagged or for review has both."""
    for f in detect(drawn[1], policy):
        assert f.verdict in get_args(Verdict)
        assert f.reason
        assert (f.structural is None) == (f.rendered is None) == (f.grade is None)
        if f.structural is not None and f.rendered is not None:
            assert f.grade == grade(f.structural, f.rendered)
        if f.verdict in {"flagged", "review", "clean"}:
            assert f.structural is not None


def the_same_again(drawn: tuple[list[Drawn], Capture], policy: PolicyName) -> None:
    """Asked twice of the same capture, the rules say the same."""
    assert detect(drawn[1], policy) == detect(drawn[1], policy)


def flagged_is_seen_whole_and_settled(drawn: tuple[list[Drawn], Capture], policy: PolicyName) -> None:
    """Nothing is flagged that is hidden, off the viewport, covered, cut at the edge, or moved around the picture."""
    by_path = {pair.element.path: pair for pair in pairs(drawn[1])}
    for f in detect(drawn[1], policy):
        if f.verdict == "flagged":
            pair = by_path[f.path]
            assert pair.shown is not None
            assert pair.serialized is not None
            assert pair.settled
            assert (pair.shown.why_unseen, pair.shown.covered) == ("", 0)
            assert not pair.shown.flags.get("partial")


def kinds_exclude_each_other(drawn: tuple[list[Drawn], Capture], policy: PolicyName) -> None:
    """Names are held against texts that held still, stale against those that moved: never both of one element."""
    by_path = {pair.element.path: pair for pair in pairs(drawn[1])}
    flagged: dict[str, set[str]] = {}
    for f in detect(drawn[1], policy):
        if f.verdict in {"flagged", "review"}:
            flagged.setdefault(f.path, set()).add(f.kind)
    for path, of in flagged.items():
        assert not ("stale" in of and of - {"stale"})
        assert by_path[path].moved is (of == {"stale"})


def tallies_count_every_finding(drawn: tuple[list[Drawn], Capture], policy: PolicyName) -> None:
    """The counts add up to the findings."""
    findings = detect(drawn[1], policy)
    assert sum(n for labels in tallies(findings).values() for n in labels.values()) == len(findings)


PROMISES = (
    nothing_is_lost, every_finding_is_complete, the_same_again, flagged_is_seen_whole_and_settled, kinds_exclude_each_other,
    tallies_count_every_finding,
)  # fmt: skip


@given(captures(), POLICY)
def test_what_holds_of_any_page(drawn: tuple[list[Drawn], Capture], policy: PolicyName) -> None:
    """Each promise above holds, of the same pages: to make them up takes far longer than to look at them."""
    for promise in PROMISES:
        promise(drawn, policy)


@given(st.lists(elements(), max_size=6), POLICY)
def test_nothing_fires_where_structure_equals_screen(made: list[Drawn], policy: PolicyName) -> None:
    """A page whose names are its texts, whose controls are as they started, and which stood still has nothing to tell."""
    still: list[Raw] = []
    for i, drawn in enumerate(made):
        side = drawn.shown or drawn.served
        assert side is not None
        text, state = side["x"], side.get("l")
        names = dict.fromkeys(side["a"], text)
        same = {"l": {**state, "served": state["live"]}} if state else {}
        flags = {name: 1 for name in side["g"] if name not in {"icons", "unknown"}}
        still.append({**side, **same, "a": names, "g": flags, "k": i + 1, "s": f"i:nth-child({i + 1})"})
    assert {f.verdict for f in detect(capture(still), policy)} <= {"clean", "skipped"}


@given(st.lists(elements(), max_size=5), st.data(), POLICY)
def test_a_hidden_element_changes_nothing(made: list[Drawn], data: st.DataObject, policy: PolicyName) -> None:
    """One more element that is not seen, wherever it stands and whatever it says, changes no other finding, and is skipped."""
    parents = data.draw(st.lists(st.integers(-1, 3), min_size=len(made), max_size=len(made)))
    without = detect(assembled(made, parents), policy)
    extended = detect(assembled(made, parents, data.draw(st.integers(0, len(made)))), policy)
    assert tuple(f for f in extended if f.path != "hidden") == without
    assert {(f.kind, f.verdict) for f in extended if f.path == "hidden"} == {(kind, "skipped") for kind in KINDS}


# One rule at a time.

NAMED = {"tag": "button", "aria_label": "Buy now"}


@pytest.mark.parametrize("why", UNSEEN)
@pytest.mark.parametrize("kind", ["aria", "stale", "state"])
def test_what_is_not_seen(why: str, kind: str) -> None:
    """An element that cannot be seen is skipped, and the reason is why."""
    state = control("value", "1", "2")
    before = element("12:59", "button", aria_label="Buy now", state=state, key=1)
    now = element("12:59", "button", aria_label="Buy now", state=state, key=1, unseen=why)
    finding = one(capture([now if kind == "state" else before], [now]), kind)
    assert (finding.verdict, finding.reason) == ("skipped", why)


def test_covered() -> None:
    """Under something opaque by half or more it is not seen; by less, a person decides."""
    for share, said in ((MAX_COVERED, "skipped: covered"), (1.0, "skipped: covered"), (0.49, "review: partly-covered")):
        assert told(capture([element("Add to cart", name="x", covered=share, **NAMED)]), "aria") == {"x": said}  # type: ignore[arg-type]
        assert told(changed("12:59", "13:00", name="x", covered=share), "stale") == {"x": said}


def test_partly_visible() -> None:
    """Of a text that is cut at the edge of the viewport, what is seen is not the whole value: a person decides."""
    flags = {"own": 1, "line": 1, "partial": 1}
    assert told(changed("12:59", "13:00", name="x", flags=flags), "stale") == {"x": "review: partly-visible"}
    agreeing = capture([element("Buy", "button", name="x", aria_label="Buy", flags=flags)])
    assert told(agreeing, "aria") == {"x": "clean: agree"}


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.0, "skipped: no-ink"), (MIN_INK / 2, "skipped: no-ink"), (MIN_INK, "flagged: disagree"), (None, "flagged: disagree")],
)
def test_ink(share: float | None, said: str) -> None:
    """Where the screenshot shows nothing in a text's place, nothing is flagged; where it cannot tell, the reading counts."""
    asked: list[Box] = []

    def ink(box: Box) -> float | None:
        asked.append(box)
        return share

    raw = element("Add to cart", "button", name="x", aria_label="Buy now", box=(10, 20, 300, 40)) | {"tb": [15, 25, 80, 20]}
    found = capture([raw], ink=ink)
    assert told(found, "aria") == {"x": said}
    assert asked == [Box(15, 25, 80, 20)]


def test_ink_is_asked_of_the_last_few_only() -> None:
    """The screenshot is asked only where everything else speaks for a divergence: most captures need no decoding."""

    def ink(_: Box) -> float | None:
        pytest.fail("asked without need")

    page = [
        element("Buy now", "button", aria_label="Buy now"),
        element("X", "button", aria_label="Close"),
        element("Add to cart", "button", aria_label="Buy", unseen="hidden"),
        element("13:00"),
    ]
    assert "flagged" not in {f.verdict for f in detect(capture(page, ink=ink))}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "symbols-only"),
        ("?", "symbols-only"),
        ("\u2192 \u2192", "symbols-only"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "symbols-only"),
        ("B", "too-short"),
        ("aA", "too-short"),
        ("OK", "too-short"),
        ("7", "too-short"),
        ("\u641c", "too-short"),
        ("Buy", ""),
        ("17", ""),
        ("7a", ""),
        ("$17", ""),
        ("\u641c\u7d22", ""),
        ("\ud655\uc778", ""),
        ("\u0e44\u0e17\u0e22", ""),
    ],
)
def test_how_much_is_enough(text: str, said: str) -> None:
    """Three letters, two digits or two ideographs are a text; less may be a symbol."""
    assert shows_too_little(text) == said


def test_gone_elements_have_no_box() -> None:
    """Of an element that is not on the screen any more no place on the screen is told."""
    price, other = element("101.25", key=1, path="a", name="p"), element("Back", "i", key=2, path="b")
    gone = next(f for f in detect(capture([price, other], [other])) if f.reason == "gone")
    assert (gone.box, gone.element_id) == (None, "p")


# What is registered and what is counted.


def test_registered_kinds() -> None:
    """Each name in the list is a kind of that name with a version."""
    assert tuple(kind.NAME for kind in kinds()) == KINDS
    assert all(kind.VERSION >= 1 for kind in kinds())
    assert all(hasattr(kind, member) for kind in kinds() for member in ("applies", "compare"))


def test_rules_version_names_all_that_decides() -> None:
    """The version that goes with a finding names the policy and every kind with its version."""
    version = rules_version("paper")
    assert version.split() == ["policy=paper", *(f"{kind.NAME}={kind.VERSION}" for kind in kinds())]
    assert len({rules_version(policy) for policy in POLICIES}) == len(POLICIES)


def _with_file(kind: Kind) -> str:
    return str(getattr(kind, "__file__", ""))


def test_each_kind_is_one_file() -> None:
    """A kind lives in the file that has its name."""
    assert all(_with_file(kind).endswith(f"divergences/{kind.NAME}.py") for kind in kinds())


def finding(kind: str, verdict: Verdict, reason: str) -> Finding:
    """A finding of which only the verdict counts."""
    return Finding(path="p", kind=kind, verdict=verdict, reason=reason)


def test_tallies() -> None:
    """Flagged and agreeing findings are counted by verdict, all others by verdict and reason; none is left out."""
    found = [
        finding("stale", "flagged", "disagree"),
        finding("stale", "flagged", "disagree"),
        finding("stale", "clean", "agree"),
        finding("stale", "clean", "format-only"),
        finding("aria", "review", "too-short"),
        finding("aria", "skipped", "hidden"),
        finding("aria", "skipped", "hidden"),
    ]
    assert tallies(found) == {
        "aria": {"review: too-short": 1, "skipped: hidden": 2},
        "stale": {"clean": 1, "clean: format-only": 1, "flagged": 2},
    }
    assert tallies([]) == {}


@given(st.text(max_size=30), st.text(max_size=30))
def test_findings_survive_json(structural: str, rendered: str) -> None:
    """A finding that is written reads back as the same, whatever a page says in it."""
    written = Finding(
        path="p",
        kind="aria",
        verdict="flagged",
        reason="disagree",
        structural=structural,
        rendered=rendered,
        box=(1, 2, 3, 4.5),
    )
    assert Finding.model_validate_json(written.model_dump_json()) == written


def test_an_empty_page() -> None:
    """A page on which nothing was read has no findings."""
    assert detect(capture([])) == ()


def test_a_capture_without_a_screenshot() -> None:
    """Without pixels to ask, the readings decide."""
    found = changed("12:59", "13:00")
    assert detect(replace(found, ink=None)) == detect(replace(found, ink=lambda _: 0.5))
