"""Where each site is, as take-downs are compared with it: of a host and its subdomains, of a port, of a path.

Revision ID: 0016
Revises: 0015
Create Date: 2026-11-30
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

from domain.takedown import place_of

revision: str = "0016"
down_revision: str | None = "0015"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

ID = sa.Text(collation="C")
_CHUNK = 10_000


def upgrade() -> None:
    comment = "of the URL: its host and all names above; what take-downs are compared with"
    op.add_column("sites", sa.Column("above", ARRAY(ID), comment=comment))
    op.add_column("sites", sa.Column("port", sa.Integer, comment="of the URL, given or usual"))
    op.add_column("sites", sa.Column("path", sa.Text, comment="of the URL with its query, as take-downs have it"))
    connection = op.get_bind()
    rows = connection.execute(sa.text("select name, url from sites order by name")).all()
    put = sa.text("update sites set above = :above, port = :port, path = :path where name = :name")
    found = [(name, place) for name, url in rows if (place := place_of(url)) is not None]
    for start in range(0, len(found), _CHUNK):
        part = found[start : start + _CHUNK]
        connection.execute(put, [{"name": n, "above": list(p.above), "port": p.port, "path": p.path} for n, p in part])


def downgrade() -> None:
    for column in ("path", "port", "above"):
        op.drop_column("sites", column)
