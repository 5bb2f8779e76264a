"""Probes, and every capture each was seen in: one divergence seen on ten visits is one probe with ten sightings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ID = sa.Text(collation="C")
WHEN = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "probes",
        sa.Column("id", ID, nullable=False, comment="family and 12 digits of identity; all 64 where another row has those 12"),
        sa.Column("identity", ID, nullable=False, comment="SHA-256 of family, element, kind, variable and normalised pair"),
        sa.Column("family", sa.Text, nullable=False),
        sa.Column("kind", sa.Text),
        sa.Column("platform", sa.Text, nullable=False),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("element", ID, nullable=False),
        sa.Column("first_seen", WHEN, nullable=False),
        sa.Column("last_seen", WHEN, nullable=False),
        sa.Column("record", JSONB, nullable=False, comment="Probe, as its first sighting shows it"),
        sa.PrimaryKeyConstraint("id", name="pk_probes"),
        sa.UniqueConstraint("identity", name="uq_probes_identity"),
    )
    op.create_index("ix_probes_element", "probes", ["element"])
    op.create_index("ix_probes_family_kind", "probes", ["family", "kind"])
    op.create_index("ix_probes_last_seen", "probes", ["last_seen", "id"])
    op.create_index("ix_probes_site", "probes", ["site"])
    op.create_table(
        "sightings",
        sa.Column("probe_id", ID, nullable=False),
        sa.Column("capture_id", ID, nullable=False),
        sa.Column("divergence_id", ID, nullable=False),
        sa.Column("seen", WHEN, nullable=False, comment="when the screenshot was asked for"),
        sa.Column("record", JSONB, nullable=False, comment="Probe, as this sighting shows it"),
        sa.PrimaryKeyConstraint("probe_id", "capture_id", name="pk_sightings"),
        sa.ForeignKeyConstraint(["probe_id"], ["probes.id"], name="fk_sightings_probe_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["capture_id"], ["captures.id"], name="fk_sightings_capture_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["divergence_id"], ["divergences.id"], name="fk_sightings_divergence_id", ondelete="CASCADE"),
    )
    op.create_index("ix_sightings_capture_id", "sightings", ["capture_id"])
    op.create_index("ix_sightings_divergence_id", "sightings", ["divergence_id"])


def downgrade() -> None:
    op.drop_table("sightings")
    op.drop_table("probes")
