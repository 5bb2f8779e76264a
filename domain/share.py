"""A share of independent trials and its 95 % interval."""

from __future__ import annotations

import math

from domain.record import Record

Z_95 = 1.959964
"""Standard normal quantile of a two-sided 95 % interval."""


class Share(Record):
    """A share, 0 to 1, and its 95 % interval."""

    share: float
    low: float
    high: float


def wilson(share: float, n: float) -> Share:
    """The share with its 95 % interval for n independent trials; n need not be whole. All of 0 to 1 where n is 0.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
    """
    if n <= 0:
        return Share(share=share, low=0.0, high=1.0)
    z2 = Z_95 * Z_95
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return Share(share=share, low=max(0.0, min(share, middle - half)), high=min(1.0, max(share, middle + half)))
