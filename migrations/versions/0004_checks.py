"""What readers of the pixels made of a divergence. They come after the visit is saved, one row a reader."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ID = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "checks",
        sa.Column("divergence_id", ID, nullable=False),
        sa.Column("reader", sa.Text, nullable=False, comment="which reader of the pixels and model, with its version"),
        sa.Column("read", sa.Text, nullable=False),
        sa.Column("confidence", sa.Double, nullable=False),
        sa.Column("verdict", sa.Text, nullable=False, comment="confirmed, contradicted or unreadable"),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.clock_timestamp()),
        sa.PrimaryKeyConstraint("divergence_id", "reader", name="pk_checks"),
        sa.ForeignKeyConstraint(["divergence_id"], ["divergences.id"], name="fk_checks_divergence_id", ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("checks")
