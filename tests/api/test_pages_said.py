"""What pages say in words: read as a program reads them, without a browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from lxml import html
from sqlalchemy import text

from api.pages.rendering import every
from domain.probe import Probe
from store.corpora import Item, StoredCorpus, begin, finish, save_items
from store.database import Database
from tests.api.conftest import NOON
from tests.builder.small import web_text
from tests.store.probe_rows import put, row

Keep = Callable[..., Probe]


def said(client: TestClient, address: str, selector: str = "main") -> list[str]:
    """The texts of all that match, blanks put together."""
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    return [" ".join(found.text_content().split()) for found in html.fromstring(answer.text).cssselect(selector)]


def test_a_made_one_is_said_to_be_made(client: TestClient, database: Database, keep: Keep) -> None:
    """Of a corpus made for tests and of a page of this machine, on the card and on the own page; of others nothing is said."""
    theirs, ours, crawled = web_text(40)[0], web_text(41)[0], keep(1)
    begin(database, StoredCorpus(name="mind2web", path="/", base=None, made=False, stamp="", started=NOON, finished=None))
    items = [Item(f"item-{number}", "usable", probes=(probe,)) for number, probe in enumerate((theirs, ours))]
    save_items(database, "mind2web", "", items)
    finish(database, "mind2web")
    for probe in (theirs, crawled):
        for page in (f"/pages/probes/{probe.id}", f"/pages/probes?text={probe.gold.split()[-1]}"):
            assert "Made:" not in said(client, page)[0], page
    with database.transaction() as connection:
        connection.execute(
            text("update probes set record = jsonb_set(record, '{provenance,made}', 'true') where id = :id"), {"id": ours.id}
        )
        own = "jsonb_set(record, '{provenance,url}', '\"http://127.0.0.1:8000/\"')"
        connection.execute(text(f"update probes set record = {own} where kind = 'aria'"))  # noqa: S608
    how = {ours.id: "rendered for tests, not the publisher's", crawled.id: "a page of this machine, not of the web"}
    for made, words in how.items():
        [card] = said(client, "/pages/probes", f"#{made}")
        assert f"Made: {words}" in card
        assert "picture is the publisher's" not in card
        assert f"Made: {words}" in said(client, f"/pages/probes/{made}")[0]


def test_nothing_found_is_not_nothing_there(client: TestClient, keep: Keep) -> None:
    """Filters that leave none are said to, and can be cleared; how to begin is told where there is nothing at all."""
    assert "crawler demo" in said(client, "/pages/divergences", ".empty")[0]
    keep(1)
    for verdict, chips in (("review", ["Take away Verdict: review"]), ("flagged&site=none", ["Take away Site: none"])):
        address = f"/pages/divergences?verdict={verdict}"
        assert said(client, address, ".chips li") == [f"{chip} \N{MULTIPLICATION SIGN}" for chip in chips]
        assert said(client, address, ".empty h2") == ["None matches this filter"]
        assert said(client, address, ".empty a") == ["clear them all"]
        assert "crawler demo" not in said(client, address)[0]


def test_dates_are_written_as_people_write_them(client: TestClient, keep: Keep) -> None:
    """A chip tells the day, and the time where one was given; the last day of a span is not in it, and the field says so."""
    keep(1)
    chips = said(client, "/pages/probes?since=2026-03-01&until=2026-03-02T10:30:00Z", ".chips b")
    assert chips == ["1 Mar 2026", "2 Mar 2026, 10:30"]
    assert said(client, "/pages/probes", "label:has(input[name=until])") == ["before"]


def test_a_text_without_words_is_told_beside_the_field(client: TestClient, keep: Keep) -> None:
    """The gallery stays, without that filter, and the status is that of the twin."""
    probe = keep(1)
    for page in ("probes", "divergences"):
        answer = client.get(f"/pages/{page}?verdict={'confirmed' if page == 'probes' else 'flagged'}&text=%E2%82%AC")
        assert answer.status_code == client.get(f"/{page}?text=%E2%82%AC").status_code == 422
        shown = html.fromstring(answer.text)
        [field], [complaint] = shown.cssselect("#find"), shown.cssselect("[role=alert]")
        assert field.get("value") == "€"
        assert field.get("aria-describedby") == complaint.get("id")
        assert "neither letter nor digit in '€'" in complaint.text_content()
        assert str(probe.gold) in shown.cssselect(".card")[0].text_content()


def test_a_site_filtered_by_has_its_count(client: TestClient, keep: Keep) -> None:
    """However many sites have more probes than it."""
    keep(1, site="rare")
    assert said(client, "/pages/probes?site=rare", "#f-site + ul [aria-current]") == ["rare 1"]


def test_an_accent_is_found_however_it_is_typed(client: TestClient, database: Database) -> None:
    """U and U+0308 find U+00DC, as the page writes it; without the accent it is another word."""
    put(database, row(1, gold="\u00dcbersicht"), row(2, gold="Ubersicht"))
    for asked, count in (("U%CC%88bersicht", 1), ("%C3%9Cbersicht", 1), ("u%CC%88ber", 1), ("Ubersicht", 1), ("sicht", 0)):
        assert client.get(f"/stats?text={asked}").json()["total"] == count, asked


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(60, "every minute"), (72, "every 72 s"), (0.5, "every 0.5 s"), (300, "every 5 minutes"), (3600, "every hour"),
     (5400, "every 1 h 30 min"), (7200, "every 2 hours"), (86400, "every day"), (172800, "every 2 days")],
)  # fmt: skip
def test_how_often(seconds: float, said: str) -> None:
    """As people say it."""
    assert every(seconds) == said


def test_cards_show_the_time_that_they_are_ordered_by(client: TestClient, database: Database, keep: Keep) -> None:
    """What was photographed first and seen again last stands first under "last seen", with that time; the same of "found"."""
    early, late = keep(1), keep(2)
    times = {early.id: ("10:05", "15:23"), late.id: ("11:07", "12:09")}
    with database.transaction() as connection:
        for probe_id, (first, last) in times.items():
            given = {"id": probe_id, "first": f"2026-03-02T{first}Z", "last": f"2026-03-02T{last}Z"}
            connection.execute(text("update probes set first_seen = :first, last_seen = :last where id = :id"), given)
    told = {
        "-last_seen": ["last seen 2 Mar 2026, 15:23", "last seen 2 Mar 2026, 12:09"],
        "-first_seen": ["found 2 Mar 2026, 11:07", "found 2 Mar 2026, 10:05"],
        "first_seen": ["found 2 Mar 2026, 10:05", "found 2 Mar 2026, 11:07"],
    }
    for sort, times_said in told.items():
        assert said(client, f"/pages/probes?sort={sort}", ".card .when") == times_said
    assert said(client, "/pages/probes", ".card .when") == told["-first_seen"]
    photographed = {early.id: "1 Mar 2026, 12:01", late.id: "1 Mar 2026, 12:02"}
    assert said(client, "/pages/probes?sort=id", ".card .when") == [photographed[one] for one in sorted(photographed)]
