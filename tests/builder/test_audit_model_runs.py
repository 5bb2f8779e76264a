"""Runs of models over an audit: they go on, make nothing up, and are one model under one name."""

from __future__ import annotations

import pytest

from builder.audit_model import ReadText, label_items
from channels.readers import open_reader
from domain.audit import Label
from domain.audit_model import AnsweringModel
from domain.errors import Refused, Unavailable
from store import annotators
from store.annotators import find_annotator
from store.audit_answers import submit
from store.audit_desk import next_item
from store.audit_results import judged, status
from store.audit_sources import models_of
from store.blobs import Blobs
from store.database import Database
from tests.api.audited import NAME, Audited, audited
from tests.builder.model_server import KEY, item, label, said, seer, serving


def models(given: Audited, *names: str) -> None:
    for name in names:
        annotators.add(given.database, name, "model")


def test_a_run_goes_on_where_it_ended_and_makes_up_no_answer(database: Database, blobs: Blobs):
    """What the model does not answer stays open and listed, and is asked again by the next run; people's places stay free."""
    given = audited(database, blobs, 6, "ada")
    models(given, "seer")
    who = find_annotator(database, "seer")
    with serving(lambda n, _: said("hm") if n <= 4 else said(label("value", "Pay 1"))) as (url, _, _):
        first = label_items(database, blobs, NAME, who, seer(url), parallel=1, most=4)
    assert (first.answers, len(first.no_answer), first.left) == ({"value": 2}, 2, 4)
    assert all("Twice no answer" in why for _, why in first.no_answer)
    with serving(lambda *_: said(label("absent"))) as (url, bodies, _):
        second = label_items(database, blobs, NAME, who, seer(url), parallel=3)
        assert (second.answers, second.no_answer, second.left, len(bodies)) == ({"absent": 4}, (), 0, 4)
        assert label_items(database, blobs, NAME, who, seer(url)).answers == {}
        assert len(bodies) == 4
    [kind] = status(database, NAME).kinds
    assert (kind.kind, kind.answers) == ("model", 6)
    with serving(lambda *_: (401, {}, b"")) as (url, bodies, _):
        models(given, "other")
        with pytest.raises(Refused, match="BUILDER_VISION_KEY"):
            label_items(database, blobs, NAME, find_annotator(database, "other"), seer(url, model="elder"), parallel=1)
        assert len(bodies) == 1
    with pytest.raises(Refused, match="never stored under a person's name"):
        label_items(database, blobs, NAME, find_annotator(database, "ada"), seer(url))


def test_a_server_that_is_gone_ends_the_run(database: Database, blobs: Blobs):
    """Five items in a row that cannot be asked: the rest is not tried, and nothing is stored for them."""
    given = audited(database, blobs, 9)
    models(given, "seer")
    with serving(lambda *_: (500, {}, b"")) as (url, bodies, _), pytest.raises(Unavailable, match="HTTP 500"):
        label_items(database, blobs, NAME, find_annotator(database, "seer"), seer(url, retries=0), parallel=1)
    assert len(bodies) == 5
    assert status(database, NAME).kinds[0].answers == 0


def test_the_reader_writes_what_it_reads_and_is_unsure_of_the_rest(database: Database, blobs: Blobs):
    """Texts drawn on pages are read as they stand; of a checkbox a reader of text knows nothing; a flat region is absent."""
    given = audited(database, blobs, 8, checkboxes=True)
    models(given, "reader")
    reading = ReadText(open_reader("rapidocr"))
    done = label_items(database, blobs, NAME, find_annotator(database, "reader"), reading, parallel=2)
    assert done.no_answer == ()
    for one in judged(database, NAME):
        [judgement] = one.judgements
        expected = given.right(one.item) if one.variable == "text" else Label(answer="unsure")
        assert judgement.label == expected
        assert judgement.kind == "model"
    assert reading.label(*item()) == Label(answer="absent")


def test_a_name_is_one_model_from_the_first_answer_on(database: Database, blobs: Blobs):
    """What answered is kept with the first answer, without the key; another model is refused, and nothing of it is asked.

    Before an answer nothing is kept. Of answers that nobody knows the model of, none goes on.
    """
    given = audited(database, blobs, 4)
    models(given, "m1", "m2")
    one, two = (find_annotator(database, name) for name in ("m1", "m2"))
    with serving(lambda *_: said("hm")) as (url, _, _):
        label_items(database, blobs, NAME, one, seer(url), most=1)
    assert models_of(database, NAME) == {}
    with serving(lambda *_: said(label("absent"))) as (url, bodies, _):
        label_items(database, blobs, NAME, one, seer(url, model="elder"), most=1)
        [known] = models_of(database, NAME).values()
        assert (known.way, known.name, known.version, known.endpoint) == ("vision", "elder", None, "127.0.0.1")
        assert known.prompt
        assert str(known) == f"elder (at 127.0.0.1, prompt {known.prompt[:12]})"
        assert KEY not in known.model_dump_json()
        asked = len(bodies)
        with pytest.raises(Refused, match=r"m1 is elder \(.*\) in audit .*, and this is seer"):
            label_items(database, blobs, NAME, one, seer(url))
        with pytest.raises(Refused, match=r"m1 is elder .* and this is rapidocr"):
            label_items(database, blobs, NAME, one, ReadText(open_reader("rapidocr")))
        with pytest.raises(Refused, match=r"elder answers audit .* as m1 already: two labels of one model are one opinion"):
            label_items(database, blobs, NAME, two, seer(url, model="elder"))
        assert len(bodies) == asked
        assert label_items(database, blobs, NAME, one, seer(url, model="elder")).left == 0
        assert label_items(database, blobs, NAME, two, seer(url), most=1).answers == {"absent": 1}
    models(given, "m3")
    three = find_annotator(database, "m3")
    asked_for = next_item(database, NAME, three)
    assert asked_for
    submit(database, NAME, three, asked_for.item, Label(answer="absent"))
    with pytest.raises(Refused, match="nobody noted what gave them"):
        submit(database, NAME, three, asked_for.item, Label(answer="absent"), by=AnsweringModel(way="vision", name="third"))


def test_what_cannot_be_shown_is_not_asked(database: Database, blobs: Blobs):
    """A picture that is lost leaves its item open and listed; the run goes on with the others."""
    given = audited(database, blobs, 3)
    models(given, "seer")
    who = find_annotator(database, "seer")
    first = next_item(database, NAME, who)
    assert first
    blobs.delete([one.picture for one in judged(database, NAME) if one.item == first.item])
    with serving(lambda *_: said(label("absent"))) as (url, _, _):
        done = label_items(database, blobs, NAME, who, seer(url))
    assert (done.answers, [name for name, _ in done.no_answer]) == ({"absent": 2}, [first.item])
