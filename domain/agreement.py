"""Two raters over the same items: raw agreement, Cohen's kappa with its interval, McNemar's test. docs/audit-numbers.md.

What cannot be worked out is None, beside the number of items; never 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from pydantic import Field

from domain.record import Record
from domain.share import Z_95, wilson

Undefined = Literal["n=0", "one-category"]
NoInterval = Literal["undefined", "never-differ", "one-rater-one-category", "degenerate"]
"""Why kappa has no interval. undefined: it has no value either. Else its estimated standard error is 0, which is not to say
that nothing is left to know: never-differ, kappa is 1; one-rater-one-category, kappa is 0 whatever the other says: chance alone
gives the agreement that there is; degenerate, the estimate comes to 0 in another way, as in tables of very few items."""
Pairs = Sequence[tuple[Hashable, Hashable]]
"""Of each item, what the first rater said and what the second: any values that can be equal."""


class Rate(Record):
    """How many of how many, and Wilson's 95 % interval. The share is null of nothing."""

    count: int = Field(ge=0)
    n: int = Field(ge=0)
    share: float | None = Field(description="0 to 1")
    low: float | None
    high: float | None


class Kappa(Record):
    """Cohen's kappa, -1 to 1, and its 95 % interval by the large-sample standard error."""

    n: int = Field(ge=0, description="items")
    categories: int = Field(ge=0, description="that either rater used")
    value: float | None
    low: float | None = Field(description="null: `no_interval` says why")
    high: float | None
    error: float | None = Field(description="estimated standard error; null where it comes out as 0, or kappa is undefined")
    undefined: Undefined | None = Field(description="why there is no value; one-category: both used one and the same only")
    no_interval: NoInterval | None = Field(
        default=None,
        exclude_if=lambda why: why is None,
        description="why there is no interval, left out where there is one: kappa is undefined; the raters never differ (kappa "
        "1); one of them used one category only (kappa 0, whatever the other said); or the error cannot be estimated",
    )


class McNemar(Record):
    """McNemar's exact test of two yes-or-no marks: is one rater's yes more frequent than the other's?"""

    n: int | None = Field(
        default=None, ge=0, exclude_if=lambda n: n is None, description="items that both marked; left out before audit/2"
    )
    first_only: int = Field(ge=0)
    second_only: int = Field(ge=0)
    p: float | None = Field(description="two-sided, exact; 1 where no item is discordant; null of no items")
    mid_p: float | None = Field(description="mid-p of the same, less cautious")


def rate(count: int, n: int) -> Rate:
    """The share with its interval; of nothing, nulls."""
    if not n:
        return Rate(count=count, n=n, share=None, low=None, high=None)
    found = wilson(count / n, n)
    return Rate(count=count, n=n, share=found.share, low=found.low, high=found.high)


def agreement(pairs: Pairs) -> Rate:
    """How many pairs are the same."""
    return rate(sum(a == b for a, b in pairs), len(pairs))


def kappa(pairs: Pairs) -> Kappa:
    """Agreement beyond what the raters' own shares of each category give by chance.

    Undefined without items, and where both use one single category: then chance alone gives full agreement. The interval is
    kappa +- 1.96 standard errors, cut at -1 and 1. Sources: J. Cohen, A coefficient of agreement for nominal scales, 1960;
    J. L. Fleiss, J. Cohen, B. S. Everitt, Large sample standard errors of kappa and weighted kappa, 1969, formula 13.
    """
    n, cells = len(pairs), Counter(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    categories = len(first | second)
    if categories <= 1:
        why: Undefined = "one-category" if n else "n=0"
        return Kappa(
            n=n, categories=categories, value=None, low=None, high=None, error=None, undefined=why, no_interval="undefined"
        )
    seen = sum(count for (a, b), count in cells.items() if a == b)
    chance = sum(count * second[a] for a, count in first.items())
    value = float(Fraction(n * seen - chance, n * n - chance))
    error = math.sqrt(_variance(cells, (first, second), seen, chance))
    if not error:
        single = 1 in {len(first), len(second)}
        no: NoInterval = "never-differ" if seen == n else "one-rater-one-category" if single else "degenerate"
        return Kappa(n=n, categories=categories, value=value, low=None, high=None, error=None, undefined=None, no_interval=no)
    low, high = max(-1.0, value - Z_95 * error), min(1.0, value + Z_95 * error)
    return Kappa(n=n, categories=categories, value=value, low=low, high=high, error=error, undefined=None)


def mcnemar(marks: Iterable[tuple[bool, bool]]) -> McNemar:
    """The test over the items that one rater marks and the other does not; of no items, nulls.

    Source: Q. McNemar, 1947; exact binomial.
    """
    counted = Counter(marks)
    items, b, c = counted.total(), counted[True, False], counted[False, True]
    if not items:
        return McNemar(n=0, first_only=0, second_only=0, p=None, mid_p=None)
    n, least = b + c, min(b, c)
    point = Fraction(math.comb(n, least), 2**n)
    tail = Fraction(sum(math.comb(n, i) for i in range(least + 1)), 2**n)
    p, mid_p = min(Fraction(1), 2 * tail), min(Fraction(1), 2 * tail - point)
    return McNemar(n=items, first_only=b, second_only=c, p=float(p), mid_p=float(mid_p))


def _variance(
    cells: Mapping[tuple[Hashable, Hashable], int],
    margins: tuple[Counter[Hashable], Counter[Hashable]],
    seen: int,
    chance: int,
) -> Fraction:
    """Of kappa. In whole numbers up to the end, so that neither the order of the items nor the machine changes a digit.

    seen: pairs that are the same; chance: sum over categories of how often the first used it, times how often the second did.
    """
    first, second = margins
    n = sum(cells.values())
    apart, beyond = n - seen, n * n - chance
    on = sum(count * (beyond - (first[a] + second[a]) * apart) ** 2 for (a, b), count in cells.items() if a == b)
    off = sum(count * (second[a] + first[b]) ** 2 for (a, b), count in cells.items() if a != b)
    mean = seen * chance - 2 * n * chance + n * n * seen  # times n^3
    inner = n * on + n * apart * apart * off - mean * mean  # times n^6
    return Fraction(max(0, inner) * n, beyond**4)
