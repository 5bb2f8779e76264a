"""Which blobs a release has for recipes alone: the terms of their corpora forbid handing them out, or are not known.

Revision ID: 0014
Revises: 0013
Create Date: 2026-11-30
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0014"
down_revision: str | None = "0013"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

FULL = """
with named as (
    select p.release, d.digest
    from release_probes p
    cross join lateral (
        select p.record ->> 'screenshot'
        union all select p.record ->> 'structure'
        union all select c.value ->> 'structure' from jsonb_each(p.record -> 'channels') c
    ) d(digest)
    where p.record ->> 'redistribution' = 'full'
    union
    select release, digest from release_files
)
update release_blobs b set recipe = false from named n where n.release = b.release and n.digest = b.digest
"""


def upgrade() -> None:
    # Withheld, where nothing says that it is not.
    comment = "named by recipes of the release alone: it is not in its folder"
    op.add_column(
        "release_blobs", sa.Column("recipe", sa.Boolean, nullable=False, server_default=sa.text("true"), comment=comment)
    )
    op.execute(FULL)


def downgrade() -> None:
    op.drop_column("release_blobs", "recipe")
