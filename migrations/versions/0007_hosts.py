"""How each host is to be treated, shared by all workers, and what is taken down."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

ID = sa.Text(collation="C")
WHEN = sa.DateTime(timezone=True)
HIDING = ("visits", "probes", "blobs")
HIDDEN = "since when a take-down hides it; null: it is shown"


def upgrade() -> None:
    op.create_table(
        "hosts",
        sa.Column("host", ID, nullable=False, comment="lower case, ASCII form, no port"),
        sa.Column("holder", sa.Text, comment="the worker that visits it now"),
        sa.Column("held_until", WHEN, comment="after that the claim is void, should its holder be dead"),
        sa.Column("not_before", WHEN, comment="when the next visit may begin; null: whenever"),
        sa.Column("why", sa.Text, nullable=False, server_default="", comment="why not before"),
        sa.Column("failures", sa.Integer, nullable=False, server_default="0", comment="in a row, by its doing"),
        sa.Column("limited", sa.Integer, nullable=False, server_default="0", comment="answers in a row of 429 or 503"),
        sa.Column("delay_s", sa.Double, nullable=False, server_default="0", comment="what its robots.txt asks for"),
        sa.PrimaryKeyConstraint("host", name="pk_hosts"),
    )
    op.create_index("ix_hosts_holder", "hosts", ["holder"], postgresql_where=sa.text("holder is not null"))
    op.create_index("ix_hosts_not_before", "hosts", ["not_before"])
    op.create_table(
        "robots",
        sa.Column("origin", ID, nullable=False, comment="scheme://host:port"),
        sa.Column("state", sa.Text, nullable=False, comment="rules, none, unreadable or unreachable: the last answer"),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("asked", WHEN, nullable=False),
        sa.Column("expires", WHEN, nullable=False, comment="when it is asked for again"),
        sa.Column("failures", sa.Integer, nullable=False, comment="askings in a row that gave nothing to judge by"),
        sa.Column("text", sa.Text, comment="the last good copy; empty: no rules; null: there never was one"),
        sa.Column("good", WHEN, comment="when that was got"),
        sa.PrimaryKeyConstraint("origin", name="pk_robots"),
    )
    op.create_table(
        "takedowns",
        sa.Column("id", ID, nullable=False),
        sa.Column("host", ID, nullable=False, comment="lower case, ASCII form; with its subdomains where there is no path"),
        sa.Column("port", sa.Integer),
        sa.Column("path", sa.Text, nullable=False, comment="what addresses on the host begin with; empty: all of it"),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("by_whom", sa.Text, nullable=False),
        sa.Column("since", WHEN, nullable=False, server_default=sa.func.clock_timestamp()),
        sa.Column("lifted", WHEN, comment="null: in force"),
        sa.PrimaryKeyConstraint("id", name="pk_takedowns"),
    )
    op.create_index("ix_takedowns_host", "takedowns", ["host"])
    for table in HIDING:
        op.add_column(table, sa.Column("hidden", WHEN, comment=HIDDEN))


def downgrade() -> None:
    for table in HIDING:
        op.drop_column(table, "hidden")
    op.drop_table("takedowns")
    op.drop_table("robots")
    op.drop_table("hosts")
