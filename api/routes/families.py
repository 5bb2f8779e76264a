"""Families of probes, as the registry has them."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from api import answers
from api.dependencies import Stored
from api.modules import told_by
from domain.families import FAMILIES, family_named
from domain.probe import Platform
from domain.record import Record
from store.probe_counts import counts_by

router = APIRouter()


class Family(Record):
    """One family of probes."""

    name: str
    title: str
    description: str
    platform: Platform
    variables: tuple[str, ...] = Field(description="what its probes ask for")
    conditions: tuple[str, ...] = Field(description="agree and swap where the conflict is made, natural where found")
    sources: tuple[str, ...] = Field(description="what it draws from: live, the crawl, or corpora")
    probes: int = Field(ge=0, description="in the store")
    link: str = Field(description="these probes")
    docs: str = Field(description="path in the project's folder: how it is drawn, and what never becomes a probe")


class Families(Record):
    """All families."""

    items: tuple[Family, ...]


@router.get("/families", response_model=Families)
def list_families(request: Request, database: Stored) -> Response:
    """All families of probes, and how many of each there are."""
    there = counts_by(database, "family")
    found = []
    for module in map(family_named, FAMILIES):
        title, description = told_by(module.__doc__)
        found.append(
            Family(
                name=module.NAME,
                title=title,
                description=description,
                platform=module.PLATFORM,
                variables=module.VARIABLES,
                conditions=module.CONDITIONS,
                sources=module.SOURCES,
                probes=there.get(module.NAME, 0),
                link=f"/probes?family={module.NAME}",
                docs=f"docs/families/{module.NAME}.md",
            )
        )
    return answers.record(request, Families(items=tuple(found)))
