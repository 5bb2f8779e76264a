"""Probes can be filtered, ordered, counted and searched without their records being read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TSVECTOR

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

SHOWN = sa.text("hidden is null")
FACETS = ["family", "kind", "platform", "source", "policy", "verdict", "grade", "site"]
SIGNS = (
    r"[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u2bff\u3000-\u303f\ufe00-\ufe0f"
    r"\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\U0001f000-\U0001faff]+"
)
VALUES = "left((record ->> 'gold') || ' ' || (record ->> 'structural'), 20000)"
MADE = {
    "policy": ("left(record #>> '{provenance,policy}', 64)", "of its provenance"),
    "grade": ("left(record #>> '{provenance,grade}', 64)", "of its provenance"),
    "verdict": ("left(record #>> '{provenance,check,verdict}', 64)", "of the check in its provenance; null: not checked"),
}
WORDS = f"strip(to_tsvector('simple'::regconfig, regexp_replace({VALUES}, '{SIGNS}', ' ', 'g')))"
BEFORE = {
    "ix_probes_family_kind": ["family", "kind"],
    "ix_probes_source_last_seen": ["source", "last_seen", "id"],
    "ix_probes_last_seen": ["last_seen", "id"],
    "ix_probes_site": ["site"],
}


def upgrade() -> None:
    for name in BEFORE:
        op.drop_index(name, table_name="probes")
    for name, (expression, comment) in MADE.items():
        op.add_column("probes", sa.Column(name, sa.Text, sa.Computed(expression, persisted=True), comment=comment))
    comment = "of gold and structural; store/words.py cuts questions alike"
    op.add_column("probes", sa.Column("words", TSVECTOR, sa.Computed(WORDS, persisted=True), comment=comment))
    op.create_index("ix_probes_first_seen", "probes", ["first_seen", "id"], postgresql_where=SHOWN)
    op.create_index("ix_probes_last_seen", "probes", ["last_seen", "id"], postgresql_where=SHOWN, postgresql_include=FACETS)
    for name in FACETS:
        op.create_index(f"ix_probes_{name}", "probes", [name, "last_seen", "id"], postgresql_where=SHOWN)
    op.create_index("ix_probes_facets", "probes", FACETS, postgresql_where=SHOWN)
    op.create_index(
        "ix_probes_words",
        "probes",
        ["words"],
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
        postgresql_where=SHOWN,
    )


def downgrade() -> None:
    for name in ("words", "facets", *FACETS, "last_seen", "first_seen"):
        op.drop_index(f"ix_probes_{name}", table_name="probes")
    for name in ("words", *MADE):
        op.drop_column("probes", name)
    for name, columns in BEFORE.items():
        op.create_index(name, "probes", columns)
