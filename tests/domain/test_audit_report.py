"""The report of an audit: every figure that the paper prints of its own, and small tables worked out by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from domain.audit import ASKS, CHOICES, Judgement, Label
from domain.audit_earlier import as_of
from domain.audit_report import AuditReport, KindReport, Table, report
from tests.domain.audited import judged, paper, written

ABSENT, UNREADABLE, UNSURE = Label(answer="absent"), Label(answer="unreadable"), Label(answer="unsure")
SAVE, SEND = written("Save"), written("Send")


@pytest.fixture(scope="module")
def whole() -> KindReport:
    """What the two annotators of the paper's 735 probes found."""
    [found] = report("v1", paper()).kinds
    return found


def part(found: KindReport, name: str) -> Table:
    return next(table for table in found.tables if table.name == name)


def of(*items: tuple[Label | None, ...]) -> Table:
    """The first table over items whose gold is Save and whose structure says Send."""
    [kind] = report("x", (judged(n, *labels) for n, labels in enumerate(items))).kinds
    return kind.tables[0]


def test_paper_raw_agreement(whole: KindReport) -> None:
    """735 probes, 647 agreements, .880; kappa on the labels' values .870."""
    table = whole.tables[0]
    assert (table.name, table.items, table.pairs, table.agreement.count) == ("all", 735, 735, 647)
    assert round(table.agreement.share or 0, 3) == 0.880
    assert round(table.kappa.value or 0, 3) == 0.870


@pytest.mark.parametrize(
    ("name", "pairs", "consensus"),
    [
        ("headline", 230, 202), ("web-text", 120, 109), ("mobile-widget", 50, 47), ("desktop-graphic", 60, 46),
        ("mobile-visible", 30, 30), ("mobile-stale", 250, 114), ("web-natural", 225, 182),
        ("aria", 55, 55), ("title", 105, 85), ("stale", 65, 42),
    ],
)  # fmt: skip
def test_paper_subsets(whole: KindReport, name: str, pairs: int, consensus: int) -> None:
    """What both annotators confirm: 202 of the headline, 46 of desktop, 114 ghosts, 182 natural, 42 of them stale."""
    table = part(whole, name)
    assert (table.pairs, table.consensus.count, table.consensus.n) == (pairs, consensus, pairs)


@pytest.mark.parametrize(
    ("family", "first", "second"),
    [
        ("web-text", 0.942, 0.942),
        ("mobile-widget", 0.960, 0.960),
        ("desktop-graphic", 0.833, 0.883),
        ("web-natural", 0.962, 0.966),
    ],
)
def test_paper_validity(whole: KindReport, family: str, first: float, second: float) -> None:
    """Each annotator's validity, without what they could not read: 16 and 20 of the natural ones."""
    ada, ben = part(whole, family).validity
    assert (ada.annotator, ben.annotator) == ("ada", "ben")
    assert (round(ada.valid.share or 0, 3), round(ben.valid.share or 0, 3)) == (first, second)
    if family == "web-natural":
        assert (ada.unreadable, ben.unreadable, ada.valid.n, ben.valid.n) == (16, 20, 209, 205)


def test_paper_stale_audit(whole: KindReport) -> None:
    """The human audit of mobile-stale: raw .912, kappa .825, and the same on either coding, as its labels are choices."""
    table = part(whole, "mobile-stale")
    assert (table.agreement.count, round(table.kappa.value or 0, 3)) == (228, 0.825)
    assert table.kappa_coded == table.kappa
    assert table.mcnemar is not None
    assert (table.mcnemar.first_only, table.mcnemar.second_only) == (18, 4)
    assert (table.same_other, table.same_undecided) == (114, 0)


def test_paper_controls_have_no_kappa(whole: KindReport) -> None:
    """30 controls that both call visible: full agreement, and kappa undefined."""
    table = part(whole, "mobile-visible")
    assert (table.agreement.share, table.kappa.value, table.kappa.undefined) == (1, None, "one-category")


def test_paper_disputed(whole: KindReport) -> None:
    """88 items on which the annotators differ, and 119 on which they agree on no gold: 114 ghosts, 5 others."""
    between = [(one.between, one.family) for one in whole.disputed]
    assert sum(what == "annotators" for what, _ in between) == 735 - 647
    assert sum(what == "gold" and family == "mobile-stale" for what, family in between) == 114
    assert sum(what == "gold" and family != "mobile-stale" for what, family in between) == 5
    assert sum(one.undecided for one in whole.disputed) == 2  # of the 5: to nobody readable
    table = whole.tables[0]
    assert (table.same_other, table.same_undecided, part(whole, "web-natural").same_undecided) == (119, 2, 2)


def test_choices_are_those_that_can_be_chosen() -> None:
    """The generated audit answers what the desk would take."""
    for item in paper():
        for one in item.judgements:
            choices = CHOICES[ASKS[item.variable]]
            assert one.label.value is None or not choices or one.label.value in choices


def test_hand_made_table() -> None:
    """Ten items by hand: 2 both gold, 1 gold and structural, 1 both structural, 1 gold and unreadable, 1 both unreadable,
    1 unsure and gold, 1 absent and gold, 1 with one label, 1 with none.
    """
    table = of(
        (SAVE, SAVE), (SAVE, written("save")), (SAVE, SEND), (SEND, SEND), (SAVE, UNREADABLE), (UNREADABLE, UNREADABLE),
        (UNSURE, SAVE), (ABSENT, SAVE), (SAVE, None), (None, None),
    )  # fmt: skip
    assert (table.items, table.pairs) == (10, 8)
    assert (table.agreement.count, table.agreement.n) == (4, 8)
    # Shares of save, send, unreadable, unsure, absent: 4 1 1 1 1 and 4 2 2 0 0; chance (16 + 2 + 2) / 64.
    assert table.kappa.value == pytest.approx((4 / 8 - 20 / 64) / (1 - 20 / 64))
    # Coded: match, other, unreadable, unsure: 4 2 1 1 and 4 2 2 0; chance (16 + 4 + 2) / 64.
    assert table.kappa_coded.value == pytest.approx((4 / 8 - 22 / 64) / (1 - 22 / 64))
    assert (table.consensus.count, table.same_other, table.same_undecided) == (2, 2, 1)
    ada, ben = table.validity
    assert (ada.labels, ada.valid.count, ada.valid.n) == (9, 5, 8)
    assert (ada.structural, ada.absent, ada.unreadable, ada.unsure) == (1, 1, 1, 1)
    assert (ben.labels, ben.valid.count, ben.valid.n) == (8, 4, 6)
    assert table.mcnemar is not None
    assert (table.mcnemar.first_only, table.mcnemar.second_only) == (1, 2)


def test_adjudication_changes_no_number_but_its_own() -> None:
    """A third who decides stands beside the first two: agreement, kappa, consensus and validity are of these alone."""
    before = of((SAVE, SEND), (SAVE, SAVE), (SEND, SEND))
    after = of((SAVE, SEND, SAVE), (SAVE, SAVE), (SEND, SEND, UNSURE))
    assert (after.adjudicated.count, after.adjudicated.n) == (1, 2)
    assert after.model_dump(exclude={"adjudicated"}) == before.model_dump(exclude={"adjudicated"})
    [kind] = report("x", [judged(1, SAVE, SEND, SAVE)]).kinds
    [one] = kind.disputed
    assert one.adjudication is not None
    assert (one.adjudication.annotator, one.adjudication.says, one.labels[1].says) == ("cyn", "gold", "structural")


def test_people_and_models_are_apart() -> None:
    """An item that both judged is in two tables, never in one; humans first."""
    human, model = judged(1, SAVE, SAVE), judged(1, SEND, SEND, who="model", names=("ocr", "vlm"))
    both = human.model_copy(update={"judgements": (*model.judgements, *human.judgements)})
    found = report("x", [both]).kinds
    assert [(one.annotators, one.names, one.tables[0].consensus.count) for one in found] == [
        ("human", ("ada", "ben"), 1),
        ("model", ("ocr", "vlm"), 0),
    ]
    assert (both.confirmed("human"), both.confirmed("model")) == (True, False)


def test_who_was_first_is_chance() -> None:
    """Kappa's first rater is the same person in every item, whoever came first to it; items in another order, no change."""
    items = list(paper())
    turned = [
        item if n % 2 else item.model_copy(update={"judgements": _turned(item.judgements)}) for n, item in enumerate(items)
    ]
    random.Random(1).shuffle(turned)  # noqa: S311 - an order, no secret
    assert report("v1", turned) == report("v1", items)


def test_three_annotators_have_no_mcnemar() -> None:
    """Of more than two, first and second are no persons; each has a validity."""
    items = [judged(1, SAVE, SAVE), judged(2, SAVE, SEND, names=("ada", "cyn", "ben"))]
    table = report("x", items).kinds[0].tables[0]
    assert table.mcnemar is None
    assert [one.annotator for one in table.validity] == ["ada", "ben", "cyn"]


def test_a_stray_label_of_a_third_leaves_mcnemar_in() -> None:
    """The test is over pairs: a label that is in none of them changes nothing of it, in no table."""
    items = [judged(1, SAVE, SAVE), judged(2, SAVE, SEND), judged(3, SEND, SAVE), judged(4, SAVE, SEND)]
    stray = judged(5, SAVE, None, names=("cyn", "ben"))
    with_it, without = (report("x", some).kinds[0].tables for some in ([*items, stray], items))
    for one, other in zip(with_it, without, strict=True):
        assert one.mcnemar == other.mcnemar
        assert one.mcnemar is not None
        assert (one.mcnemar.n, one.mcnemar.first_only, one.mcnemar.second_only) == (4, 2, 1)
        assert [who.annotator for who in one.validity] == ["ada", "ben", "cyn"]
    alone = [judged(1, SAVE, None), judged(2, None, SAVE)]  # two persons, and no pair of them yet
    found = report("x", alone).kinds[0].tables[0].mcnemar
    assert found is not None
    assert (found.n, found.p) == (0, None)


def test_numbers_by_the_definition_before(whole: KindReport) -> None:
    """audit/2: a stray label of a third left McNemar's test out, and who agrees on unreadable was not counted apart."""
    stray = report("x", [judged(1, SAVE, SAVE), judged(2, SAVE, None, names=("cyn", "ben"))]).kinds[0].tables
    assert as_of("audit/3", stray) == stray
    for one, before in zip((*whole.tables, *stray), as_of("audit/2", (*whole.tables, *stray)), strict=True):
        was = {key: value for key, value in one.model_dump().items() if key != "same_undecided"}
        if one in stray:
            was["mcnemar"] = None
        assert before.model_dump() == was


def test_of_nothing() -> None:
    """No items, or none that anyone has answered: no tables, and nothing is 0 that is not known."""
    assert report("x", []) == AuditReport(audit="x", items=0, kinds=())
    assert report("x", [judged(1, None, None)]).kinds == ()
    alone = of((SAVE, None))
    assert (alone.pairs, alone.agreement.share, alone.kappa.undefined, alone.consensus.share) == (0, None, "n=0", None)
    unread = of((UNREADABLE, UNREADABLE))
    assert [one.valid.share for one in unread.validity] == [None, None]
    assert unread.mcnemar is not None  # two persons, and no item that both could read
    assert (unread.mcnemar.n, unread.mcnemar.p, unread.mcnemar.mid_p) == (0, None, None)


def test_a_confirmed_item_has_two() -> None:
    """One label that matches gold is no consensus, and neither is one with its adjudication."""
    assert not judged(1, SAVE, None).confirmed("human")
    assert not judged(1, SAVE, SEND, SAVE).confirmed("human")
    assert judged(1, SAVE, SAVE).confirmed("human")


def _turned(judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    return tuple(one.model_copy(update={"place": 3 - one.place}) for one in reversed(judgements))
