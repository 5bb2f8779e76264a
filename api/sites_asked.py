"""What lists about sites can be asked: of sites, and of the visits and live elements of one."""

from __future__ import annotations

from pydantic import Field

from api.listing import Listing
from api.moments import When
from domain.visit import Outcome
from store.site_search import Asked, Sort, State


class SitesAsked(Listing):
    """Filters of /sites. Everything given must match."""

    host: str | None = Field(default=None, max_length=253, description="lower case, ASCII form, no port")
    outcome: Outcome | None = Field(default=None, description="of the newest visit")
    state: State | None = Field(
        default=None,
        description="listed: visited in its turn. paused. gone: no longer in the list. visited: by hand or once, in no list",
    )
    text: str | None = Field(default=None, min_length=1, max_length=200, description="in the name or the URL, case aside")
    sort: Sort = Field(
        default="name", description="-last_visit: newest visit first. next_due: next turn first; sites without one behind"
    )

    @property
    def asked(self) -> Asked:
        """The filters as the store takes them."""
        return Asked(host=self.host, outcome=self.outcome, state=self.state, text=self.text)


class VisitsAsked(Listing):
    """Filters of /sites/{name}/visits."""

    outcome: Outcome | None = Field(default=None, description="how the visit ended")
    since: When | None = Field(default=None, description="begun then or later; UTC where it names no zone")
    until: When | None = Field(default=None, description="begun before then")


class ElementsAsked(Listing):
    """/sites/{name}/elements has no filters."""
