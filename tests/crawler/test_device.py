"""A site's device, language and time zone are what its page finds."""

from __future__ import annotations

import orjson
import pytest

from crawler.visit import Visited
from domain.reading import parse
from tests.crawler.batch import site, visit_all
from tests.pages.server import Site

pytestmark = pytest.mark.browser


def texts(visited: Visited) -> dict[str, str]:
    """Element id -> what is shown."""

    assert visited.visit.outcome == "captured", visited.visit.reason
    shown = parse(orjson.loads(visited.evidence[0].artifacts["before"]))
    return {e.element_id: e.text for e in shown.elements if e.element_id}


def test_a_page_finds_what_the_site_asks_for(driver: str, pages: Site) -> None:
    """A phone in Berlin: 390 px at scale 3, a finger, German numbers, noon in UTC is 13 there in winter."""
    url = f"{pages}/html/device.html"
    wanted = {
        "phone": site("phone", url, device="phone", locale="de-DE", timezone="Europe/Berlin"),
        "plain": site("plain", url, timezone="Asia/Kolkata"),
    }
    done = visit_all(wanted, driver, archive_mhtml=False)
    phone, plain = texts(done["phone"]), texts(done["plain"])
    assert phone == {
        "width": "width 390 at 3", "pointer": "finger", "language": "de-DE", "number": "1.234,5", "zone": "Europe/Berlin",
        "hour": "13",
    }  # fmt: skip
    assert (plain["width"], plain["pointer"], plain["hour"]) == ("width 1280 at 1", "mouse", "17")
    record = done["phone"].visit
    assert (record.locale, record.timezone, record.viewport.mobile) == ("de-DE", "Europe/Berlin", True)
