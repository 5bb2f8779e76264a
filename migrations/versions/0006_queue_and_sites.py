"""The sites that are visited, the workers that visit them, and the queue's own tables in a schema of theirs."""

from __future__ import annotations

from importlib import resources

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

ID = sa.Text(collation="C")
WHEN = sa.DateTime(timezone=True)

# Ours: a job is not fetched while another one of its host comes before it or is under way. The library's index for that
# begins with the job's number, so all of it is read to find a host.
OF_A_HOST = (
    "create index parallax_jobs_lock on procrastinate_jobs (lock, status, priority desc, id) "
    "where status = any (array['todo'::procrastinate_job_status, 'doing'::procrastinate_job_status])"
)


def upgrade() -> None:
    op.create_table(
        "sites",
        sa.Column("name", ID, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("host", sa.Text, nullable=False, comment="of the URL, lower case: one visit at a time"),
        sa.Column("record", JSONB, nullable=False, comment="the site as its list has it"),
        sa.Column("every", sa.Double, nullable=False, comment="seconds from one visit to the next"),
        sa.Column("priority", sa.Integer, nullable=False, comment="higher goes first"),
        sa.Column("origin", sa.Text, nullable=False, comment="'list', or 'added' by crawler add"),
        sa.Column("added", WHEN, nullable=False, comment="the first slot; all others follow from it"),
        sa.Column("listed", sa.Boolean, nullable=False, comment="false: no longer in the list, kept for its history"),
        sa.Column("paused", WHEN),
        sa.Column("paused_why", sa.Text),
        sa.Column("next_due", WHEN, comment="the first slot after last_due; null: to be worked out"),
        sa.Column("last_due", WHEN, comment="the slot of the last turn that was queued"),
        sa.Column("last_begun", WHEN),
        sa.Column("last_finished", WHEN),
        sa.Column("last_outcome", sa.Text),
        sa.Column("last_visit", ID),
        sa.Column("failures", sa.Integer, nullable=False, comment="turns in a row without a capture"),
        sa.Column("tries", JSONB, nullable=False, comment="of the turn of last_due, while it is under way"),
        sa.PrimaryKeyConstraint("name", name="pk_sites"),
    )
    op.create_index("ix_sites_next_due", "sites", ["next_due"])
    op.create_index("ix_sites_first", "sites", [sa.text("priority desc"), "next_due", "name"])
    op.create_index("ix_sites_host", "sites", ["host"])
    op.create_table(
        "workers",
        sa.Column("name", ID, nullable=False, comment="<host name>-<process>"),
        sa.Column("number", sa.BigInteger, nullable=False, comment="its id in the queue's own table, where it beats"),
        sa.Column("begun", WHEN, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_workers"),
    )
    # The driver itself: many statements at once, and per cents that are no parameters.
    driver = op.get_bind().connection.driver_connection
    assert driver is not None  # noqa: S101 - a connection in use has one
    before = op.get_bind().scalar(sa.text("select current_setting('search_path')"))
    op.execute("create schema queue")
    op.execute("set local search_path = queue")
    driver.execute((resources.files("migrations") / "queue-3.10.sql").read_text())
    op.execute(OF_A_HOST)
    op.get_bind().execute(sa.text("select set_config('search_path', :before, true)"), {"before": before})


def downgrade() -> None:
    op.execute("drop schema queue cascade")
    op.drop_table("workers")
    op.drop_table("sites")
