"""Lists of probes go by when a probe was first seen, which does not change when it is seen again; the filters' indexes too."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

SHOWN = sa.text("hidden is null")
FACETS = ["family", "kind", "platform", "source", "policy", "verdict", "grade", "site"]


def upgrade() -> None:
    _turn("first_seen", "last_seen")


def downgrade() -> None:
    _turn("last_seen", "first_seen")


def _turn(usual: str, other: str) -> None:
    """The indexes, for lists that go by `usual`."""
    for name in ("first_seen", "last_seen", *FACETS):
        op.drop_index(f"ix_probes_{name}", table_name="probes")
    op.create_index(f"ix_probes_{other}", "probes", [other, "id"], postgresql_where=SHOWN)
    op.create_index(f"ix_probes_{usual}", "probes", [usual, "id"], postgresql_where=SHOWN, postgresql_include=FACETS)
    for name in FACETS:
        op.create_index(f"ix_probes_{name}", "probes", [name, usual, "id"], postgresql_where=SHOWN)
