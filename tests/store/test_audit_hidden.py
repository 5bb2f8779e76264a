"""store/audit_hidden.py: what is taken down is neither asked nor shown; a picture that nobody may see is freed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from domain.divergence import Finding
from domain.errors import NotFound, Refused
from domain.families.web_natural import draw
from domain.pixel_check import Check
from domain.probe import Probe
from domain.takedown import read_covered
from domain.visit import Response, Visit
from store import audit_desk, audit_results, captures, probes, tables, takedowns
from store.annotators import Annotator
from store.audit_opening import open_audit
from store.blobs import Blobs, StoredBlob
from store.database import Database
from store.prune import sweep_orphans
from tests.store.audit_rows import AUDIT, TEN, TWELVE, kept, new_item, puts, released, someone

SHOP, OTHER = "https://shop.example/cart", "https://other.example/cart"


class Taken:
    """An audit of two probes of the crawl, one of each of two shops."""

    def __init__(
        self, database: Database, blobs: Blobs, visit_of: Callable[..., Visit], finding: Finding, check: Check
    ) -> None:
        self.database, self.blobs = database, blobs
        self._visit_of, self._finding, self._check = visit_of, finding, check
        rows = [self.visit(1, SHOP, "shop"), self.visit(2, OTHER, "other")]
        released(database, *({**row.model_dump(mode="json"), "splits": []} for row in rows))
        self.shop, self.other = rows[0].id, rows[1].id
        self.open(AUDIT)
        self.ann: Annotator = someone(database, "ann")
        self.items = {row.probe: row.item for row in audit_results.judged(database, AUDIT)}

    def visit(self, number: int, url: str, site: str) -> Probe:
        visit = self._visit_of(number, url=url, site=site, response=None)
        names = {"dom": f"{number:064x}", "served": f"{number + 100:064x}", "screenshot": f"{number + 200:064x}"}
        only = visit.captures[0].model_copy(update={"artifacts": names})
        visit = visit.model_copy(update={"captures": (only,)})
        stored = [StoredBlob(digest, "text/html", "", 1, 1) for digest in names.values()]
        captures.save(self.database, visit, {only.id: [self._finding]}, stored)
        drawn = list(draw(visit, only, [(self._finding, self._check)]))
        probes.redraw(self.database, only.id, lambda _: drawn)
        return drawn[0]

    def open(self, name: str) -> None:
        items = [new_item(self.shop), new_item(self.other)]
        open_audit(self.database, name, seed=1, release="v1", items=items, put=puts(self.blobs))

    def takedown(self, what: str, **how: bool) -> None:
        takedowns.add(self.database, read_covered(what), why="a letter", by_whom="me", **how)

    def asked(self, audit: str = AUDIT) -> set[str]:
        """Probes that a newcomer is asked about."""
        with self.database.transaction() as connection:
            number = connection.scalar(select(func.count()).select_from(tables.annotators))
        found = audit_desk.next_items(self.database, audit, someone(self.database, f"new-{number}"), count=9, lease_s=0)
        names = {row.item: row.probe for row in audit_results.judged(self.database, audit)}
        return {names[one.item] for one in found}


@pytest.fixture
def taken(
    database: Database,
    blobs: Blobs,
    visit_of: Callable[..., Visit],
    finding_of: Callable[..., Finding],
    check_of: Callable[..., Check],
) -> Taken:
    return Taken(database, blobs, visit_of, finding_of(), check_of())


def test_taken_down(taken: Taken) -> None:
    """An item of a screen that is taken down is neither asked, shown, counted nor answered; lifted, it is as before."""
    database, ann = taken.database, taken.ann
    both = audit_desk.next_items(database, AUDIT, ann, count=2)
    shop, other = taken.items[taken.shop], taken.items[taken.other]
    assert {item.item for item in both} == {shop, other}
    first = audit_desk.submit(database, AUDIT, ann, shop, TEN)
    bob = someone(database, "bob")
    assert len(audit_desk.next_items(database, AUDIT, bob, count=2, lease_s=0)) == 2
    taken.takedown("shop.example")
    for question in (audit_desk.item_of, audit_desk.picture_of, audit_desk.skip):
        with pytest.raises(NotFound, match="No item"):
            question(database, AUDIT, ann, shop)
    assert audit_desk.submit(database, AUDIT, ann, shop, TEN) == first  # it is stored, and was when the reply was lost
    with pytest.raises(Refused, match=r"has another answer of ann already\.$"):
        audit_desk.submit(database, AUDIT, ann, shop, TWELVE)
    for who, label in ((bob, TEN), (someone(database, "eve"), TEN)):  # given and not answered; never given
        with pytest.raises(NotFound, match="No item"):
            audit_desk.submit(database, AUDIT, who, shop, label)
    assert audit_desk.undo(database, AUDIT, ann) is None
    assert audit_desk.progress(database, AUDIT, ann) == audit_desk.Progress(answered=0, left=1, skipped=0, adjudicates=False)
    assert [row.probe for row in audit_results.judged(database, AUDIT)] == [taken.other]
    assert audit_results.status(database, AUDIT).hidden == 1
    assert taken.asked() == {taken.other}
    takedowns.lift(database, "shop.example")
    assert audit_desk.item_of(database, AUDIT, ann, shop)[1] == TEN
    assert taken.asked() == {taken.shop, taken.other}
    assert audit_results.status(database, AUDIT).hidden == 0


def test_tried_only(taken: Taken) -> None:
    """A take-down that is only tried changes no audit."""
    taken.takedown("shop.example", dry_run=True, purged=True)
    assert taken.asked() == {taken.shop, taken.other}
    assert all(row.picture for row in audit_results.judged(taken.database, AUDIT))


def test_opened_after_a_take_down(taken: Taken) -> None:
    """What was taken down since the release is not asked about, in an audit that comes later either."""
    taken.takedown("shop.example")
    taken.open("later")
    assert taken.asked("later") == {taken.other}
    takedowns.lift(taken.database, "shop.example")
    assert taken.asked("later") == {taken.shop, taken.other}


def test_opened_after_a_deletion(taken: Taken) -> None:
    """Nor about what was deleted, by an address that the visit only passed: not when that is lifted either."""
    with taken.database.transaction() as connection:
        record = captures.find_visit(taken.database, f"{1:032x}").model_copy(
            update={"response": Response(url=SHOP, redirects=("https://led.example/",))}
        )
        values = {"record": record.model_dump(mode="json", exclude={"captures"})}
        connection.execute(tables.visits.update().where(tables.visits.c.id == record.id).values(values))
    taken.takedown("led.example", purged=True)
    taken.open("later")
    assert taken.asked("later") == {taken.other}
    takedowns.lift(taken.database, "led.example")
    assert taken.asked("later") == {taken.other}


def test_seen_elsewhere_too(taken: Taken) -> None:
    """A picture of a page that is taken down is hidden, though its probe is shown by another visit."""
    database = taken.database
    taken.takedown("shop.example/cart")
    taken.visit(3, "https://mirror.example/cart", "shop")
    assert taken.asked() == {taken.other}
    takedowns.lift(database, "shop.example/cart")
    assert taken.asked() == {taken.shop, taken.other}


def test_purged(taken: Taken) -> None:
    """What is deleted for good takes the audit's picture along; answers and all else stay, and lifting brings nothing back."""
    database, ann, blobs = taken.database, taken.ann, taken.blobs
    audit_desk.next_items(database, AUDIT, ann, count=2)
    digest = audit_desk.picture_of(database, AUDIT, ann, taken.items[taken.shop])
    first = audit_desk.submit(database, AUDIT, ann, taken.items[taken.shop], TEN)
    taken.takedown("shop.example", purged=True)
    audit_results.close(database, AUDIT)
    assert audit_desk.submit(database, AUDIT, ann, taken.items[taken.shop], TEN) == first
    audit_results.reopen(database, AUDIT)
    assert taken.asked() == {taken.other}
    sweep_orphans(database, blobs, older_than=datetime.now(UTC) + timedelta(days=1), dry_run=False)
    assert not blobs.exists(digest)
    assert kept(blobs) == {row.picture for row in audit_results.judged(database, AUDIT)}
    takedowns.lift(database, "shop.example")
    assert taken.asked() == {taken.other}
    assert audit_results.status(database, AUDIT).hidden == 1
    with database.transaction() as connection:
        assert connection.scalar(select(func.count(tables.audit_places.c.submitted))) == 1
