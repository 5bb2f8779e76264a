"""What probes are asked for by, wherever they are listed, counted or looked at: the same names everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from api.listing import Listing, words_in
from api.moments import When
from domain.divergences import KINDS
from domain.families import FAMILIES, NAMES, family_named
from domain.pixel_check import CheckVerdict
from domain.probe import Platform
from domain.text import Grade, PolicyName
from store.probe_filters import FACETS, Wanted
from store.probe_search import Sort

SOURCES = tuple(dict.fromkeys(source for family in FAMILIES for source in family_named(family).SOURCES))


def one_of(names: Iterable[str]) -> tuple[AfterValidator, WithJsonSchema]:
    """For a text that is one of these. They come from registries, where there may be more tomorrow."""
    known = tuple(names)

    def check(given: str) -> str:
        if given not in known:
            raise ValueError(f"there is {', '.join(known)}")
        return given

    return AfterValidator(check), WithJsonSchema({"type": "string", "enum": list(known)})


class ProbeFilters(BaseModel):
    """Probes that match everything given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    family: Annotated[str, *one_of(NAMES)] | None = Field(default=None, description="see /families")
    kind: Annotated[str, *one_of(KINDS)] | None = Field(default=None, description="of web-natural: see /kinds")
    platform: Annotated[str, *one_of(get_args(Platform))] | None = Field(default=None, description="what the screen is of")
    source: Annotated[str, *one_of(SOURCES)] | None = Field(default=None, description="live, the crawl, or the corpus")
    policy: Annotated[str, *one_of(get_args(PolicyName))] | None = Field(
        default=None, description="by which a probe of the crawl was flagged; others have none"
    )
    verdict: Annotated[str, *one_of(get_args(CheckVerdict))] | None = Field(
        default=None, description="of the reader of the pixels; probes that were not checked have none"
    )
    grade: Annotated[str, *one_of(get_args(Grade))] | None = Field(
        default=None, description="how the two values of a probe of the crawl relate, from near to far; others have none"
    )
    site: str | None = Field(
        default=None,
        min_length=1,
        max_length=255,
        description="name of the site in the list; of a corpus website, app, program",
    )
    release: str | None = Field(
        default=None, min_length=1, max_length=200, description="only what is in this release, as it was frozen: see /releases"
    )
    since: When | None = Field(
        default=None,
        description="last seen then or later, UTC where no zone is named. Of a release: photographed then or later, which only "
        "probes of the crawl tell",
    )
    until: When | None = Field(default=None, description="the same, before then")
    text: str | None = Field(default=None, min_length=1, max_length=200, description=words_in("gold or structural"))

    @property
    def wanted(self) -> Wanted:
        """The same as the store is asked."""
        return Wanted(
            **{name: getattr(self, name) for name in FACETS},
            release=self.release, since=self.since, until=self.until, text=self.text,
        )  # fmt: skip


class ProbesAsked(ProbeFilters, Listing):
    """A list of probes."""

    sort: Sort | None = Field(
        default=None,
        description="- in front: downwards. Default: -first_seen; of a release id, and there is no other but -id. "
        "By last_seen a probe moves when it is seen again: who pages on while a crawl runs may miss it",
    )


class CountsAsked(BaseModel):
    """How counts are to be."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    aside: bool = Field(
        default=False,
        description="true: values of a facet are counted as if it were not filtered by: what choosing another would give",
    )
    top: int = Field(
        default=100,
        ge=1,
        le=10_000,
        description="values of a facet that are told, at most: the most frequent, and the one filtered by",
    )


class StatsAsked(CountsAsked, ProbeFilters):
    """Counts of probes."""
