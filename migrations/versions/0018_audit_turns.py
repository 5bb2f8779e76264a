"""Whose turn an item of an audit is stands once for all annotators of a kind: who comes to an audit needs no row of each item.

Revision ID: 0018
Revises: 0016
Create Date: 2026-11-30
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0018"
down_revision: str | None = "0016"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

ID = sa.Text(collation="C")
WHEN = sa.DateTime(timezone=True)
_BLOCK = 250

# As store.audit_turns had it on this day.
_COUNTED = """
cross join lateral (
    select count(*) filter (where place < 3) as taken, count(submitted) filter (where place < 3) as answered,
        count(distinct category) filter (where place < 3) as said, count(*) filter (where place = 3) as thirds,
        min(annotator) filter (where place < 3) as one
    from audit_places p where p.item = i.item and p.kind = k.kind
) n
"""
_STAGE = """
case
    when i.hidden is not null or i.picture is null then null
    when n.taken < 2 then n.taken
    when n.answered = 2 and n.said > 1 and n.thirds = 0 then 2
end
"""
_FILL = f"""
insert into audit_turns (item, kind, audit, block, stage, holder)
select i.item, k.kind, i.audit, b.block, {_STAGE}, case when n.taken = 1 then n.one else '' end
from audit_items i
join (
    select i.item, (row_number() over (partition by i.audit order by i.item) - 1) * a.blocks / greatest(a.items, 1) + 1 as block
    from audit_items i join audits a on a.name = i.audit
) b on b.item = i.item
cross join (values ('human'), ('model')) k (kind)
{_COUNTED}
"""  # noqa: S608 - our own words
_FILL_BACK = f"""
insert into audit_turns (item, annotator, audit, kind, turn, stage, skipped, shown)
select i.item, m.annotator, i.audit, k.kind,
    ('x' || left(encode(sha256(convert_to(
        '["' || a.seed || '", "' || m.annotator || '", "' || i.item || '"]', 'UTF8')), 'hex'), 15))::bit(60)::bigint,
    case when not exists (select from audit_places p where p.item = i.item and p.annotator = m.annotator) then {_STAGE} end,
    s.skipped, s.shown
from audit_members m join audits a on a.name = m.audit join annotators k on k.name = m.annotator
join audit_items i on i.audit = m.audit
left join audit_shown s on s.item = i.item and s.annotator = m.annotator
{_COUNTED}
"""  # noqa: S608 - our own words


def upgrade() -> None:
    op.create_index(
        "ix_audit_items_hidden", "audit_items", ["audit"], postgresql_where=sa.text("hidden is not null or picture is null")
    )
    comment = "into which its items are laid out: 1 to this, see audit_turns"
    op.add_column("audits", sa.Column("blocks", sa.Integer, comment=comment))
    op.execute(f"update audits set blocks = greatest(1, (items + {_BLOCK - 1}) / {_BLOCK})")  # noqa: S608 - our own words
    op.alter_column("audits", "blocks", nullable=False)

    op.create_table(
        "audit_shown",
        sa.Column(
            "item", ID, sa.ForeignKey("audit_items.item", name="fk_audit_shown_item", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("annotator", ID, nullable=False),
        sa.Column("audit", ID, nullable=False),
        sa.Column("shown", WHEN, nullable=False, comment="when this annotator got it first"),
        sa.Column("skipped", WHEN, comment="when it was, last; null: it was not"),
        sa.PrimaryKeyConstraint("item", "annotator", name="pk_audit_shown"),
    )
    op.execute(
        "insert into audit_shown (item, annotator, audit, shown, skipped) "
        "select item, annotator, audit, shown, skipped from audit_turns where shown is not null"
    )
    op.create_index(
        "ix_audit_shown_skipped", "audit_shown", ["audit", "annotator"], postgresql_where=sa.text("skipped is not null")
    )

    op.drop_table("audit_turns")
    op.create_table(
        "audit_turns",
        sa.Column(
            "item", ID, sa.ForeignKey("audit_items.item", name="fk_audit_turns_item", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("kind", sa.Text, nullable=False, comment="of annotators"),
        sa.Column("audit", ID, nullable=False),
        sa.Column(
            "block",
            sa.Integer,
            nullable=False,
            comment="by chance, all of about one size; everybody has an order of them",
        ),
        sa.Column("stage", sa.SmallInteger, comment="places taken, 0 or 1; 2: disputed, without a third; null: not to be had"),
        sa.Column("holder", ID, nullable=False, comment="who has the one place that is taken; else nothing"),
        sa.PrimaryKeyConstraint("item", "kind", name="pk_audit_turns"),
    )
    op.execute(_FILL)
    op.create_index(
        "ix_audit_turns_next",
        "audit_turns",
        ["audit", "kind", "stage", "block", "holder"],
        postgresql_where=sa.text("stage is not null"),
    )


def downgrade() -> None:
    op.drop_table("audit_turns")
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
    op.execute(_FILL_BACK)
    op.create_index(
        "ix_audit_turns_next",
        "audit_turns",
        ["audit", "annotator", sa.text("skipped nulls first"), "stage", "turn"],
        postgresql_where=sa.text("stage is not null"),
    )
    op.drop_table("audit_shown")
    op.drop_column("audits", "blocks")
    op.drop_index("ix_audit_items_hidden", "audit_items")
