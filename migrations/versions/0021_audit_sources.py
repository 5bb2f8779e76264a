"""Whose an answer is: a key for each annotator's sheets, what answers as a model, which account completed a project.

Revision ID: 0021
Revises: 0020
Create Date: 2026-11-30
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0021"
down_revision: str | None = "0020"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

ID = sa.Text(collation="C")


def upgrade() -> None:
    comment = "secret: what items are called on a sheet is made with it"
    op.add_column("audit_members", sa.Column("key", sa.Text, comment=comment))
    # 244 random bits; whoever joins later gets 256 from the program.
    op.execute("update audit_members set key = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')")
    op.alter_column("audit_members", "key", nullable=False)

    op.create_table(
        "audit_models",
        sa.Column("audit", ID, nullable=False),
        sa.Column("annotator", ID, nullable=False),
        sa.Column("way", sa.Text, nullable=False, comment="reader or vision"),
        sa.Column("name", sa.Text, nullable=False, comment="of the reader or model"),
        sa.Column("record", JSONB, nullable=False, comment="AnsweringModel"),
        sa.PrimaryKeyConstraint("audit", "annotator", name="pk_audit_models"),
        sa.UniqueConstraint("audit", "way", "name", name="uq_audit_models_audit_way_name"),
        _of_member("audit_models"),
    )
    op.create_table(
        "audit_accounts",
        sa.Column("audit", ID, nullable=False),
        sa.Column("account", sa.Text, nullable=False, comment="Label Studio's id of whoever annotated"),
        sa.Column("annotator", ID, nullable=False, comment="for whom it came first"),
        sa.PrimaryKeyConstraint("audit", "account", name="pk_audit_accounts"),
        _of_member("audit_accounts"),
    )


def downgrade() -> None:
    op.drop_table("audit_accounts")
    op.drop_table("audit_models")
    op.drop_column("audit_members", "key")


def _of_member(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["audit", "annotator"],
        ["audit_members.audit", "audit_members.annotator"],
        name=f"fk_{table}_audit",
        ondelete="CASCADE",
    )
