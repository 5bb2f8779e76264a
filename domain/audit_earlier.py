"""The tables of an audit by the definition before: releases that were cut by it never change, and are still checked."""

from __future__ import annotations

from collections.abc import Iterable

from domain.audit_judged import BOTH
from domain.audit_report import DEFINITION, Table

BEFORE = "audit/2"
KNOWN = frozenset({DEFINITION, BEFORE})
"""Definitions by which tables can be had. Of others we know too little."""


def as_of(definition: str, tables: Iterable[Table]) -> tuple[Table, ...]:
    """Tables as `report` makes them, by this definition, one of KNOWN."""
    return tuple(map(_before, tables)) if definition == BEFORE else tuple(tables)


def _before(one: Table) -> Table:
    """Who agrees on unreadable was not counted apart, and one label of a third person left McNemar's test out."""
    test = one.mcnemar if len(one.validity) == BOTH else None
    return one.model_copy(update={"same_undecided": None, "mcnemar": test})
