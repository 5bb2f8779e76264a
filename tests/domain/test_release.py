"""What a release is to hold, and which probes it takes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import BadInput
from domain.release import FamilyQuota, ReleaseSpec
from domain.release_file import parse_spec
from domain.screen import rank
from domain.selection import Candidate, Selection, question_of, select

V1 = Path(__file__).parents[2] / "builder" / "releases" / "v1.toml"


def candidate(name: str, family: str = "mobile-stale", screen: str = "s", kind: str | None = None, **more: Any) -> Candidate:
    return Candidate(f"{family}-{name}", name, family, kind, more.pop("source", "clay"), screen, "app", **more)


def spec(family: str = "mobile-stale", *, seed: int = 1, made: Any = "take", **quota: Any) -> ReleaseSpec:
    return ReleaseSpec(name="t", title="T", seed=seed, made=made, families={family: FamilyQuota(**quota)})


def names(selection: Selection) -> set[str]:
    return {one.identity for one in selection.chosen}


def told(selection: Selection) -> list[str]:
    return [str(one) for one in selection.shortages]


def test_v1_is_the_paper_s_composition():
    """735 = 120 + 50 + 60 + 30 + 250 + 225; 250 stale on 99 screens, three each at most; 55 + 105 + 65 natural."""
    v1 = parse_spec(V1.read_text(), "v1.toml")
    assert {name: quota.count for name, quota in v1.families.items()} == {
        "web-text": 120,
        "mobile-widget": 50,
        "desktop-graphic": 60,
        "mobile-visible": 30,
        "mobile-stale": 250,
        "web-natural": 225,
    }
    assert sum(quota.count for quota in v1.families.values()) == 735
    stale, natural = v1.families["mobile-stale"], v1.families["web-natural"]
    assert (stale.per_screen, stale.screens) == (3, 99)
    assert natural.kinds == {"aria": 55, "title": 105, "stale": 65}


def test_everything_that_is_wrong_with_a_spec_is_told_at_once():
    """One line for each problem, each with the place it is at."""
    text = """
name = "V1 final"
seed = "735"
colour = 3
[families.web-txt]
count = 1
[families.web-text]
count = 0
[families.mobile-stale]
count = 250
per_screen = 2
screens = 99
[families.web-natural]
count = 225
kinds = { aria = 55, title = 105, stale = 66 }
[families.desktop-graphic]
count = 2
kinds = { aria = 2 }
"""
    with pytest.raises(BadInput) as error:
        parse_spec(text, "my.toml")
    *lines, where = str(error.value).splitlines()
    assert where == "All fields, with an example: docs/release.md"
    assert all(line.startswith("my.toml, ") for line in lines)
    wanted = [
        "families.web-txt: no such family. Known: web-text",
        "families.desktop-graphic.kinds: only web-natural has kinds",
        "name = 'V1 final': write name = \"mine-1\": lower case",
        "title: it is required; write title = ",
        "seed = '735': write a whole number without quotes: seed = 735",
        "families.web-text.count = 0: write a whole number from 1 to ",
        "families.mobile-stale: 99 screens with at most 2 each hold 198 probes, not 250",
        "families.web-natural: kinds add up to 226, and count is 225",
        "colour = 3: there is no such field",
    ]
    assert len(lines) == len(wanted)
    assert all(any(part in line for line in lines) for part in wanted), lines


BEGIN = 'name = "a"\ntitle = "A"\nseed = 1\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "not TOML: .*docs/release.md"),
        (f"{BEGIN}families = 3", r"families = 3: write a table for each family, .*: \[families.web-natural\]"),
        (f"{BEGIN}[families]", "families: write a table for each"),
        (f"{BEGIN}families.web-text = 3", r"= 3: write a table: \[families.web-text\], and under it count = "),
        (f"{BEGIN}[families.web-natural]\ncount = 1\nkinds = 3", "kinds = 3: write a table of whole numbers: kinds = { aria"),
        (f"{BEGIN}[families.web-natural]\ncount = 1\nkinds = {{ aria = '1' }}", "kinds.aria = '1': write a whole number"),
        (f"{BEGIN}[families.web-natural]\ncount = 1\nsites = 'a'", "sites = 'a': write a list of names"),
        (f"{BEGIN}[families.web-natural]\ncount = 1\nsites = [1]", r"sites.0 = 1: write a list of names"),
        (f"{BEGIN}[families.web-natural]\ncount = 1\nsite = 'a'", "there is no such field. Known: count, kinds, per_screen"),
        (f"{BEGIN}made = 1\n[families.web-text]\ncount = 1", 'made = 1: write "take" or "leave"'),
        (
            'name = "a"\ntitle = "A"\nseed = 1\n[families.mobile-stale]\ncount = 2\nscreens = 3',
            "3 screens cannot share 2 probes",
        ),
        ('name = "a"\ntitle = "A"\nseed = 1\n[families.web-natural]\ncount = 1\nkinds = { blink = 1 }', "there is no blink"),
        ('name = "a"\ntitle = "A"\nseed = 1\n[families.web-natural]\ncount = 1\nscreens = 1\nkinds = { aria = 1 }', "both"),
    ],
)
def test_a_spec_that_cannot_be_met_says_why(text: str, said: str):
    """Before anything is chosen."""
    with pytest.raises(BadInput, match=said):
        parse_spec(text, "my.toml")


def test_only_the_sites_that_are_asked_for_are_taken():
    """The others are counted with their reason; what no site is asked of is written as it was before sites could be."""
    some = [replace(candidate(f"{n}", screen=f"s{n}"), site=("shop", "bank", "shop2")[n % 3]) for n in range(6)]
    chosen = select(spec(count=2, sites=("shop",)), some)
    assert names(chosen) == {"0", "3"}
    assert chosen.rejected == {"mobile-stale": {"site": 4}}
    assert told(select(spec(count=2, sites=("sho",)), some)) == ["mobile-stale: 2 probes wanted, 0 there"]
    assert "sites" not in FamilyQuota(count=1).model_dump()
    assert FamilyQuota(count=1, sites=("shop",)).model_dump(mode="json")["sites"] == ["shop"]


def test_the_first_by_the_hash_of_seed_and_identity_are_taken():
    """Not the first in the database: SHA-256 decides, and another seed decides otherwise."""
    some = [candidate(f"{n}", screen=f"s{n}") for n in range(20)]
    for seed in (1, 2):
        best = sorted((one.identity for one in some), key=lambda identity: rank(seed, identity))[:5]
        assert names(select(spec(seed=seed, count=5), some)) == set(best)
    assert names(select(spec(seed=1, count=5), some)) != names(select(spec(seed=2, count=5), some))


def test_all_shortages_are_told_at_once_and_what_there_is_is_taken():
    """Two stale of three wanted, no title at all, one of the two screens: five lines, three probes."""
    natural = [candidate(f"n{n}", "web-natural", f"p{n}", "stale", source="live") for n in range(2)]
    wanted = ReleaseSpec(
        name="t",
        title="T",
        seed=1,
        families={
            "web-natural": FamilyQuota(count=4, kinds={"stale": 3, "title": 1}),
            "mobile-stale": FamilyQuota(count=2, per_screen=1, screens=2),
        },
    )
    chosen = select(wanted, [*natural, candidate("m")])
    assert chosen.partial
    assert told(chosen) == [
        "mobile-stale: 2 probes wanted, 1 there",
        "mobile-stale: 2 screens wanted, 1 there",
        "web-natural: 4 probes wanted, 2 there",
        "web-natural: 3 probes of kind stale wanted, 2 there",
        "web-natural: 1 probes of kind title wanted, 0 there",
    ]
    assert names(chosen) == {"n0", "n1", "m"}


def test_every_candidate_that_is_not_chosen_has_a_reason():
    """Chosen and rejected add up to what was offered, for each family."""
    given = [
        *(candidate(f"a{n}", screen="one") for n in range(5)),
        *(candidate(f"b{n}", screen=f"more{n}") for n in range(4)),
        candidate("a0", screen="one"),  # the same again
        candidate("c", screen="x", source="rico"),
        candidate("d", screen="x", made=True),
        candidate("w", "web-text", "y"),
    ]
    chosen = select(spec(made="leave", count=4, per_screen=1, sources=("clay",)), given)
    assert len(chosen.chosen) == 4
    assert chosen.rejected["web-text"] == {"family": 1}
    reasons = chosen.rejected["mobile-stale"]
    assert (reasons["source"], reasons["made"], reasons["same"]) == (1, 1, 1)
    assert set(reasons) <= {"source", "made", "same", "cap", "quota-full"}
    assert 4 + reasons.total() == chosen.offered["mobile-stale"] == 12


def test_a_cap_is_kept_even_where_it_leaves_the_release_short():
    """Five probes of one screen, two allowed: two, and a shortage of one."""
    chosen = select(spec(count=3, per_screen=2), [candidate(f"{n}") for n in range(5)])
    assert len(chosen.chosen) == 2
    assert told(chosen) == ["mobile-stale: 3 probes wanted, 2 there"]
    assert chosen.rejected["mobile-stale"] == {"cap": 3}


def test_a_probe_is_passed_over_where_it_would_take_the_place_of_a_kind_that_has_no_other():
    """Page A has the only title; one a page is allowed. Whatever the seed, A gives its title, and B its aria."""
    given = [
        candidate("aria-of-a", "web-natural", "A", "aria", source="live"),
        candidate("title-of-a", "web-natural", "A", "title", source="live"),
        candidate("aria-of-b", "web-natural", "B", "aria", source="live"),
    ]
    for seed in range(20):
        wanted = spec("web-natural", seed=seed, count=2, per_screen=1, kinds={"aria": 1, "title": 1})
        assert names(select(wanted, given)) == {"title-of-a", "aria-of-b"}


def screens_of(*sizes: int) -> list[Candidate]:
    return [candidate(f"{s}.{n}", screen=f"s{s}") for s, size in enumerate(sizes) for n in range(size)]


@pytest.mark.parametrize(
    ("sizes", "quota", "used", "shortages"),
    [
        # 7 probes of exactly 3 screens, three each at most: 3 + 3 + 1 is the only way, so both large ones are in.
        ((1, 1, 1, 5, 3), {"count": 7, "per_screen": 3, "screens": 3}, [1, 3, 3], []),
        # 3 of exactly 3: one each, though two screens would do.
        ((3, 3, 3), {"count": 3, "per_screen": 3, "screens": 3}, [1, 1, 1], []),
        # 250 of 99 in small: 5 of exactly 2 out of many, 3 + 2.
        ((3, 3, 3, 3, 3), {"count": 5, "per_screen": 3, "screens": 2}, [2, 3], []),
        # Fewer screens than asked for: all of them, as many as they give.
        (
            (4, 2),
            {"count": 6, "per_screen": 3, "screens": 3},
            [2, 3],
            ["6 probes wanted, 5 there", "3 screens wanted, 2 there"],
        ),
        # Screens enough, but the best three of them give 4 only.
        ((1, 1, 2, 1), {"count": 6, "per_screen": 2, "screens": 3}, [1, 1, 2], ["6 probes wanted, 4 there"]),
        # No cap: one screen may give all but one.
        ((9, 1), {"count": 10, "screens": 2}, [1, 9], []),
        ((), {"count": 2, "screens": 2}, [], ["2 probes wanted, 0 there", "2 screens wanted, 0 there"]),
    ],
)
def test_exactly_so_many_screens_share_the_probes(sizes: Sequence[int], quota: Any, used: list[int], shortages: list[str]):
    """Whatever the seed: the number of screens and of probes is what can be had, worked out by hand."""
    for seed in range(10):
        chosen = select(spec(seed=seed, **quota), screens_of(*sizes))
        assert sorted(Counter(one.screen for one in chosen.chosen).values()) == used
        assert told(chosen) == [f"mobile-stale: {one}" for one in shortages]


Offer = list[tuple[int, str]]
offers = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(("aria", "title", "stale"))), max_size=8)


def offered(offer: Offer) -> list[Candidate]:
    return [candidate(f"{n}", "web-natural", f"s{s}", k, source="live") for n, (s, k) in enumerate(offer)]


@given(offers, st.integers(0, 3), st.randoms(use_true_random=False))
def test_as_many_are_taken_as_can_be_had_in_any_order_given(offer: Offer, seed: int, shuffler: random.Random):
    """Against trying all subsets: none that keeps kinds and caps is larger; and the order given changes nothing."""
    quota = FamilyQuota(count=4, kinds={"aria": 2, "title": 1, "stale": 1}, per_screen=1)
    wanted = ReleaseSpec(name="t", title="T", seed=seed, families={"web-natural": quota})
    given_ = offered(offer)

    def keeps(some: tuple[Candidate, ...]) -> bool:
        kinds, screens = Counter(one.kind for one in some), Counter(one.screen for one in some)
        return max(screens.values(), default=0) <= 1 and all(n <= quota.kinds[k] for k, n in kinds.items())

    largest = max(size for size in range(len(given_) + 1) if any(keeps(some) for some in combinations(given_, size)))
    chosen = select(wanted, given_)
    assert keeps(chosen.chosen)
    assert len(chosen.chosen) == largest
    shuffler.shuffle(given_)
    assert select(wanted, given_) == chosen


@given(st.lists(st.integers(1, 4), max_size=6), st.integers(1, 9), st.integers(1, 4), st.integers(1, 3), st.integers(0, 3))
def test_screens_are_exact_where_that_can_be(sizes: list[int], count: int, screens: int, cap: int, seed: int):
    """Against the plain sum: of the largest so many screens, each cut at the cap, at most count."""
    if not screens <= count <= screens * cap:
        return
    chosen = select(spec(seed=seed, count=count, screens=screens, per_screen=cap), screens_of(*sizes)).chosen
    best = sorted((min(size, cap) for size in sizes), reverse=True)[:screens]
    used = Counter(one.screen for one in chosen)
    assert len(used) == len(best)
    assert len(chosen) == min(count, sum(best))
    assert max(used.values(), default=0) <= cap


def test_no_question_is_asked_twice() -> None:
    """Of one element at ten visits the first in order is taken, and the rest are counted."""
    visits = [candidate(f"v{n}", "web-natural", f"s{n}", "stale", source="live", question="clock") for n in range(10)]
    other = candidate("w", "web-natural", "s0", "stale", source="live", question="price")
    selection = select(spec("web-natural", count=2), [*visits, other])
    first = min((f"v{n}" for n in range(10)), key=lambda name: rank(1, name))
    assert names(selection) == {first, "w"}
    assert selection.rejected == {"web-natural": {"question": 9}}


def test_what_a_question_is() -> None:
    """Texts of a corpus by site and what is read, whatever the case; everything else by its element."""
    text = question_of(source="mind2web", variable="text", site="thumbtack", element="e1", gold="Sign in")
    assert question_of(source="mind2web", variable="text", site="thumbtack", element="e2", gold="SIGN IN") == text
    assert question_of(source="mind2web", variable="text", site="resy", element="e1", gold="Sign in") != text
    assert question_of(source="mind2web", variable="type", site="thumbtack", element="e1", gold="icon") == "e1"
    assert question_of(source="live", variable="text", site="news", element="clock", gold="12:59") == "clock"
