"""The element of a divergence has one name over time: its pair can be followed. `crawler detect` fills it in older rows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

ID = sa.Text(collation="C")


def upgrade() -> None:
    op.add_column(
        "divergences", sa.Column("element", ID, comment="names the element over time; null in rows older than this column")
    )
    op.create_index("ix_divergences_element", "divergences", ["element"])


def downgrade() -> None:
    op.drop_index("ix_divergences_element", "divergences")
    op.drop_column("divergences", "element")
