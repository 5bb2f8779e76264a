"""How much there is to do: sites that are due, and visits in the queue by state."""

from __future__ import annotations

from sqlalchemy import text

from store.database import Database
from store.site_turns import NOT_RESTING
from store.sites import ACTIVE, NOT_TAKEN_DOWN

STATES = ("due", "waiting", "later", "doing")
"""due: a site's time has come, its visit is not in the queue yet, and its host neither rests nor has one there. waiting: in
the queue, may begin. later: in the queue, to begin at a later time (a further try, a host that rests). doing: begun."""
LIMIT_MS = 5000
"""A database that does not answer by then is busy with something better."""

_COUNT = text(
    f"""
    select
      (select count(*) from sites where {ACTIVE} and next_due <= now()
        and not exists (select from queue.procrastinate_jobs there where there.lock = sites.host
          and there.status in ('todo', 'doing'))
        and {NOT_RESTING} and {NOT_TAKEN_DOWN}) as due,
      count(*) filter (where status = 'todo' and coalesce(scheduled_at <= now(), true)) as waiting,
      count(*) filter (where status = 'todo' and scheduled_at > now()) as later,
      count(*) filter (where status = 'doing') as doing
    from queue.procrastinate_jobs where status in ('todo', 'doing')
    """  # noqa: S608 - ours
)


def queue_depth(database: Database) -> dict[str, int]:
    """STATES -> how many, now, of all workers. Raises Unavailable where the database cannot say, or not in time."""
    with database.transaction() as connection:
        connection.execute(text(f"set local statement_timeout = {LIMIT_MS}"))
        row = connection.execute(_COUNT).one()
    return {state: int(getattr(row, state)) for state in STATES}
