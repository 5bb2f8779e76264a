"""Kinds of divergence, as the registry has them."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from api import answers
from api.dependencies import Stored
from api.modules import told_by
from domain.divergence import kinds
from domain.record import Record
from store.probe_counts import counts_by

router = APIRouter()


class DivergenceKind(Record):
    """One kind of divergence."""

    name: str
    title: str
    description: str
    version: int = Field(description="of its rule")
    probes: int = Field(ge=0, description="in the store, drawn from divergences of this kind")
    link: str = Field(description="these probes")
    docs: str = Field(description="path in the project's folder: what it concerns, and what is not flagged")


class DivergenceKinds(Record):
    """All kinds."""

    items: tuple[DivergenceKind, ...]


@router.get("/kinds", response_model=DivergenceKinds)
def list_kinds(request: Request, database: Stored) -> Response:
    """All kinds of divergence, and how many probes there are of each."""
    there = counts_by(database, "kind")
    found = []
    for module in kinds():
        title, description = told_by(module.__doc__)
        found.append(
            DivergenceKind(
                name=module.NAME,
                title=title,
                description=description,
                version=module.VERSION,
                probes=there.get(module.NAME, 0),
                link=f"/probes?kind={module.NAME}",
                docs=f"docs/kinds/{module.NAME}.md",
            )
        )
    return answers.record(request, DivergenceKinds(items=tuple(found)))
