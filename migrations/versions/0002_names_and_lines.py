"""What a divergence is called and where its lines are: for the pixel check, and to tell where a name came from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NAMES = ("lines", "sub_kind", "role", "name", "name_source", "row")


def upgrade() -> None:
    # Nullable and without a default: no row is rewritten. An older row has no lines, and is read so.
    for column in (
        sa.Column("lines", JSONB, comment="lines of the rendered text in reading order, boxes as above"),
        sa.Column("sub_kind", sa.Text),
        sa.Column("role", sa.Text),
        sa.Column("name", sa.Text, comment="accessible name, by the browser's own tree"),
        sa.Column("name_source", sa.Text),
        sa.Column("row", sa.Text, comment="first words of the table row or list item it is in"),
    ):
        op.add_column("divergences", column)


def downgrade() -> None:
    for name in reversed(NAMES):
        op.drop_column("divergences", name)
