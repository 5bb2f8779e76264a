"""The files of a release's folder, so that it can be handed out as it was frozen."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

ID = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "release_files",
        sa.Column("release", ID, nullable=False),
        sa.Column("path", ID, nullable=False, comment="from the folder of the release, '/' between folders"),
        sa.Column("digest", ID, nullable=False, comment="SHA-256 of the content, a blob"),
        sa.Column("size", sa.BigInteger, nullable=False, comment="bytes"),
        sa.Column("media_type", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("release", "path", name="pk_release_files"),
        sa.ForeignKeyConstraint(
            ["release", "digest"],
            ["release_blobs.release", "release_blobs.digest"],
            name="fk_release_files_release",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_release_files_digest", "release_files", ["digest"])


def downgrade() -> None:
    op.drop_table("release_files")
