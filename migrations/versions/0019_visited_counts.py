"""What came of the visits to each site is counted as they are filed: a list of sites counts nothing.

Revision ID: 0019
Revises: 0018
Create Date: 2026-11-30
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0019"
down_revision: str | None = "0018"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

COLUMNS = {
    "outcomes": (JSONB, "outcome -> visits, of all that are shown"),
    "captures": (sa.Integer, "of those visits"),
    "flagged": (sa.Integer, "divergences of those visits"),
    "review": (sa.Integer, "divergences of those visits"),
}


def upgrade() -> None:
    for name, (kind, comment) in COLUMNS.items():
        op.add_column("visited", sa.Column(name, kind, comment=comment))
    op.execute(
        """
        update visited set outcomes = counted.outcomes, captures = counted.captures, flagged = counted.flagged,
        review = counted.review from (
            select site collate "C" as site, jsonb_object_agg(outcome, visits) as outcomes, sum(captures) as captures,
            sum(flagged) as flagged, sum(review) as review from (
                select site, outcome, count(*) as visits, coalesce(sum(c.captures), 0) as captures,
                coalesce(sum(d.flagged), 0) as flagged, coalesce(sum(d.review), 0) as review from visits
                left join (select visit_id, count(*) as captures from captures group by visit_id) as c on c.visit_id = visits.id
                left join (select visit_id, count(*) filter (where verdict = 'flagged') as flagged,
                    count(*) filter (where verdict = 'review') as review from divergences group by visit_id) as d
                    on d.visit_id = visits.id
                where hidden is null group by site, outcome
            ) as ended group by site
        ) as counted where counted.site = visited.site
        """
    )
    for name in COLUMNS:
        op.alter_column("visited", name, nullable=False)


def downgrade() -> None:
    for name in COLUMNS:
        op.drop_column("visited", name)
