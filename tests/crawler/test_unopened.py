"""crawler/unopened.py: a visit that ended before any browser was asked has a record as true as any other."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crawler.arrive import Ended
from crawler.settings import CrawlerSettings
from crawler.unopened import unopened
from tests.crawler.batch import site


@pytest.mark.parametrize(
    ("own", "asked_ms", "told_ms"),
    [(timedelta(seconds=7), None, 7000), (None, None, 250), (timedelta(seconds=7), 0, 0)],
    ids=["the site's own", "the setting", "asked for by hand"],
)
def test_the_delay_is_the_one_it_would_have_had(own: timedelta | None, asked_ms: int | None, told_ms: int) -> None:
    """By hand before the site's own delay, and that before the setting: as in a visit that was made."""
    listed = site("shop", "https://shop.example/", delay=own)
    settings = CrawlerSettings(_env_file=None, delay_ms=250)
    ended = Ended("refused-robots", "not wanted")
    made = unopened(listed, settings, ended, visit_id="0" * 32, turn=None, worker="w", delay_ms=asked_ms)
    assert (made.visit.delay_ms, made.visit.outcome, made.evidence) == (told_ms, "refused-robots", ())
