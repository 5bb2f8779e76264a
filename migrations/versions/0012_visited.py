"""The newest visit of each site; sites in the order of their next turns.

Revision ID: 0012
Revises: 0011
Create Date: 2026-11-30
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0012"
down_revision: str | None = "0011"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

ID = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "visited",
        sa.Column("site", ID, nullable=False, comment="with a visit that is shown, scheduled or not"),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("started", sa.DateTime(timezone=True), nullable=False, comment="of its newest visit that is shown"),
        sa.Column("outcome", sa.Text, nullable=False, comment="of that"),
        sa.Column("visit_id", ID, nullable=False),
        sa.PrimaryKeyConstraint("site", name="pk_visited"),
    )
    op.create_index("ix_visited_started", "visited", ["started", "site"])
    op.execute(
        "insert into visited select distinct on (site) site, host, started, outcome, id from visits where hidden is null "
        "order by site, started desc, id desc"
    )
    # Sites of one list have one next turn: the name says which comes first.
    op.drop_index("ix_sites_next_due", table_name="sites")
    op.create_index("ix_sites_next_due_name", "sites", ["next_due", "name"])


def downgrade() -> None:
    op.drop_index("ix_sites_next_due_name", table_name="sites")
    op.create_index("ix_sites_next_due", "sites", ["next_due"])
    op.drop_table("visited")
