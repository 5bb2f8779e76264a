"""Audits: what annotators are asked, who has which place at it, and what they answered.

Revision ID: 0015
Revises: 0014
Create Date: 2026-11-30
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0015"
down_revision: str | None = "0014"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

ID = sa.Text(collation="C")
WHEN = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "annotators",
        sa.Column("name", ID, nullable=False),
        sa.Column("kind", sa.Text, nullable=False, comment="human or model; never changed"),
        sa.Column("token_sha256", ID, comment="of the token, which is nowhere; null: none counts any more"),
        sa.Column(
            "adjudicates", sa.Boolean, nullable=False, comment="is given what two others disagree on, when nothing else is left"
        ),
        sa.Column("added", WHEN, nullable=False),
        sa.Column("gone", WHEN, comment="null: still there. Answers stay either way"),
        sa.PrimaryKeyConstraint("name", name="pk_annotators"),
    )

    op.create_table(
        "audits",
        sa.Column("name", ID, nullable=False),
        sa.Column("release", ID, sa.ForeignKey("releases.name", name="fk_audits_release"), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False, comment="of everybody's order"),
        sa.Column("adjudicate", sa.Boolean, nullable=False, comment="everybody adjudicates, whoever else does"),
        sa.Column("items", sa.Integer, nullable=False, comment="as it was opened"),
        sa.Column("opened", WHEN, nullable=False),
        sa.Column("closed", WHEN, comment="null: answers are taken"),
        sa.PrimaryKeyConstraint("name", name="pk_audits"),
    )

    op.create_table(
        "audit_items",
        sa.Column("item", ID, nullable=False, comment="random: tells nothing of what it stands for"),
        sa.Column("audit", ID, sa.ForeignKey("audits.name", name="fk_audit_items_audit", ondelete="CASCADE"), nullable=False),
        sa.Column("probe_id", ID, nullable=False, comment="of the release; the desk never reads it"),
        sa.Column(
            "picture", ID, comment="blob of its own, in no other table; null: freed, as what it shows was taken down for good"
        ),
        sa.Column("record", JSONB, nullable=False, comment="AuditItem: all that an annotator is told"),
        sa.Column("hidden", WHEN, comment="since when a take-down hides it; null: it is shown"),
        sa.UniqueConstraint("audit", "probe_id", name="uq_audit_items_audit_probe_id"),
        sa.PrimaryKeyConstraint("item", name="pk_audit_items"),
    )

    op.create_index("ix_audit_items_picture", "audit_items", ["picture"])
    op.create_table(
        "audit_members",
        sa.Column("audit", ID, sa.ForeignKey("audits.name", name="fk_audit_members_audit", ondelete="CASCADE"), nullable=False),
        sa.Column("annotator", ID, sa.ForeignKey("annotators.name", name="fk_audit_members_annotator"), nullable=False),
        sa.Column("joined", WHEN, nullable=False),
        sa.PrimaryKeyConstraint("audit", "annotator", name="pk_audit_members"),
    )

    op.create_table(
        "audit_turns",
        sa.Column(
            "item", ID, sa.ForeignKey("audit_items.item", name="fk_audit_turns_item", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("annotator", ID, nullable=False),
        sa.Column("audit", ID, nullable=False),
        sa.Column("kind", sa.Text, nullable=False, comment="of the annotator"),
        sa.Column("turn", sa.BigInteger, nullable=False, comment="first 60 bits of SHA-256 of seed, annotator and item"),
        sa.Column("stage", sa.SmallInteger, comment="places taken, 0 or 1; 2: disputed, without a third; null: not to be had"),
        sa.Column("skipped", WHEN, comment="when it was; null: it was not"),
        sa.Column("shown", WHEN, comment="when this annotator got it first; null: never"),
        sa.PrimaryKeyConstraint("item", "annotator", name="pk_audit_turns"),
    )

    op.create_index(
        "ix_audit_turns_next",
        "audit_turns",
        ["audit", "annotator", sa.text("skipped nulls first"), "stage", "turn"],
        postgresql_where=sa.text("stage is not null"),
    )
    op.create_table(
        "audit_places",
        sa.Column(
            "item", ID, sa.ForeignKey("audit_items.item", name="fk_audit_places_item", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("kind", sa.Text, nullable=False, comment="of the annotator: humans and models have places of their own"),
        sa.Column("place", sa.SmallInteger, nullable=False, comment="1 and 2: who do not see each other; 3: adjudication"),
        sa.Column("audit", ID, nullable=False),
        sa.Column("annotator", ID, sa.ForeignKey("annotators.name", name="fk_audit_places_annotator"), nullable=False),
        sa.Column("leased", WHEN, nullable=False, comment="when the place was taken"),
        sa.Column("leased_until", WHEN, nullable=False, comment="after that others may have it, unless it is submitted"),
        sa.Column("answer", sa.Text),
        sa.Column("value", sa.Text),
        sa.Column("category", sa.Text, comment="what agreement counts: two places differ where these do"),
        sa.Column("seconds", sa.Double, comment="from the item being shown to the answer"),
        sa.Column("submitted", WHEN, comment="null: only leased"),
        sa.PrimaryKeyConstraint("item", "kind", "place", name="pk_audit_places"),
        sa.UniqueConstraint("item", "annotator", name="uq_audit_places_item_annotator"),
    )
    op.create_index(
        "ix_audit_places_leased_until", "audit_places", ["audit", "leased_until"], postgresql_where=sa.text("submitted is null")
    )
    op.create_index("ix_audit_places_annotator", "audit_places", ["audit", "annotator", "submitted"])


def downgrade() -> None:
    for name in ("audit_places", "audit_turns", "audit_members", "audit_items", "audits", "annotators"):
        op.drop_table(name)
