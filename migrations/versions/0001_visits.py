"""Visits, their captures, the divergences found in them, and the blobs they name: what the crawler writes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.Text(collation="C")
WHEN = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "visits",
        sa.Column("id", ID, nullable=False),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("host", sa.Text, nullable=False, comment="of the URL that was asked for, lower case"),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("started", WHEN, nullable=False),
        sa.Column("finished", WHEN, nullable=False),
        sa.Column("record", JSONB, nullable=False, comment="Visit without its captures: those are rows of their own"),
        sa.PrimaryKeyConstraint("id", name="pk_visits"),
    )
    op.create_index("ix_visits_started", "visits", ["started", "id"])
    op.create_index("ix_visits_site_started", "visits", ["site", "started"])
    op.create_index("ix_visits_host_started", "visits", ["host", "started"])
    op.create_table(
        "captures",
        sa.Column("id", ID, nullable=False),
        sa.Column("visit_id", ID, nullable=False),
        sa.Column("index", sa.Integer, nullable=False),
        sa.Column("served_digest", ID, comment="blob of the readings at S0"),
        sa.Column("screenshot_digest", ID),
        sa.Column("record", JSONB, nullable=False, comment="CaptureRecord"),
        sa.PrimaryKeyConstraint("id", name="pk_captures"),
        sa.ForeignKeyConstraint(["visit_id"], ["visits.id"], name="fk_captures_visit_id", ondelete="CASCADE"),
        sa.UniqueConstraint("visit_id", "index", name="uq_captures_visit_id_index"),
    )
    op.create_index("ix_captures_screenshot_digest", "captures", ["screenshot_digest"])
    op.create_table(
        "blobs",
        sa.Column("digest", ID, nullable=False, comment="SHA-256 of the content before compression"),
        sa.Column("media_type", sa.Text, nullable=False),
        sa.Column("encoding", sa.Text, nullable=False, comment="'gzip', or '' for stored as it is"),
        sa.Column("size", sa.BigInteger, nullable=False, comment="bytes of the content"),
        sa.Column("stored_size", sa.BigInteger, nullable=False, comment="bytes in the bucket"),
        sa.Column("first_seen", WHEN, nullable=False, server_default=sa.func.now()),
        sa.PrimaryKeyConstraint("digest", name="pk_blobs"),
    )
    op.create_table(
        "divergences",
        sa.Column("id", ID, nullable=False, comment="the first 12 digits of key; all 64 where another row has those 12"),
        sa.Column("key", ID, nullable=False, comment="SHA-256 of capture, kind and path: those may be too long for an index"),
        sa.Column("capture_id", ID, nullable=False),
        sa.Column("visit_id", ID, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("verdict", sa.Text, nullable=False, comment="flagged or review; the others are only counted"),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("element_id", sa.Text),
        sa.Column("structural", sa.Text),
        sa.Column("rendered", sa.Text),
        sa.Column("grade", sa.Text),
        sa.Column("box", JSONB, comment="x, y, width, height in CSS px on the viewport"),
        sa.Column("rules", sa.Text, nullable=False, comment="version of the rules that said so last"),
        sa.PrimaryKeyConstraint("id", name="pk_divergences"),
        sa.ForeignKeyConstraint(["capture_id"], ["captures.id"], name="fk_divergences_capture_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["visit_id"], ["visits.id"], name="fk_divergences_visit_id", ondelete="CASCADE"),
        sa.UniqueConstraint("key", name="uq_divergences_key"),
    )
    op.create_index("ix_divergences_capture_id", "divergences", ["capture_id"])
    op.create_index("ix_divergences_visit_id", "divergences", ["visit_id"])
    op.create_index("ix_divergences_kind_verdict", "divergences", ["kind", "verdict"])


def downgrade() -> None:
    for table in ("divergences", "blobs", "captures", "visits"):
        op.drop_table(table)
