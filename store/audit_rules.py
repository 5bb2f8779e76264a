"""Which answers are taken: the same rules at the desk, from a sheet, of a model. For the store alone."""

from __future__ import annotations

from domain.audit import Label, refused
from domain.errors import BadInput, NotFound, ParallaxError, Refused
from store.annotators import Annotator
from store.audit_turns import DISPUTED, Own
from store.clean import clean


def as_stored(label: Label) -> Label:
    """The label as the store gives it back."""
    return label if label.value is None else Label(answer=label.answer, value=clean(label.value))


def fault(own: Own, label: Label, annotator: Annotator, *, adjudicates: bool, it: str) -> ParallaxError | None:
    """Why the label cannot be this annotator's answer; None where it can, also where it is already.

    own: as it is now, with what others held too long set free. it: what the item is called.
    """
    if not own.given:
        return NotFound(f"{it} was never given to {annotator.name}.")
    if why := refused(own.item, label):
        return BadInput(f"{it}: {why}.")
    if own.submitted is not None:
        remedy = "" if own.gone else ": take that back first"  # what is gone is not what would be taken back
        same = own.label == label
        return None if same else Refused(f"{it} has another answer of {annotator.name} already{remedy}.")
    if own.place is None and (own.stage is None or (own.stage == DISPUTED and not adjudicates)):
        return Refused(f"{it}: the time {annotator.name} had for it is over, and others have both places by now.")
    return None
