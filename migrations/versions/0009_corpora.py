"""Corpora with what was read of each item, probes of corpora beside the crawl's, and releases."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ID = sa.Text(collation="C")
WHEN = sa.DateTime(timezone=True)
SAME = "as in corpora: what its probes were drawn with"


def upgrade() -> None:
    op.create_table(
        "corpora",
        sa.Column("name", ID, nullable=False, comment="of the source"),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("base", sa.Text, comment="of the corpus that this one annotates"),
        sa.Column("made", sa.Boolean, nullable=False, comment="rendered for tests, not the publisher's"),
        sa.Column("stamp", sa.Text, nullable=False, comment="seed, reader and recipes of its families, as of the last ingest"),
        sa.Column("started", WHEN, nullable=False, comment="of the last ingest"),
        sa.Column("finished", WHEN, comment="null: broken off, or under way"),
        sa.Column("notes", JSONB, nullable=False, comment="what finding the corpus told"),
        sa.PrimaryKeyConstraint("name", name="pk_corpora"),
    )
    op.create_table(
        "corpus_items",
        sa.Column("source", ID, nullable=False),
        sa.Column("item", ID, nullable=False, comment="the corpus's own id"),
        sa.Column("outcome", sa.Text, nullable=False, comment="'usable', or a reason of its source"),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("files", JSONB, nullable=False, comment="FileRef of each file it was read from: pins"),
        sa.Column("times", JSONB, nullable=False, comment="when each file was last written, ns; to see that nothing changed"),
        sa.Column("stamp", sa.Text, nullable=False, comment=SAME),
        sa.Column("nodes", sa.Integer, nullable=False),
        sa.Column("rejected", JSONB, nullable=False, comment="nodes by reason, by family"),
        sa.Column("drawn", JSONB, nullable=False, comment="probes by family"),
        sa.PrimaryKeyConstraint("source", "item", name="pk_corpus_items"),
        sa.ForeignKeyConstraint(["source"], ["corpora.name"], name="fk_corpus_items_source", ondelete="CASCADE"),
    )
    op.create_index("ix_corpus_items_source_outcome", "corpus_items", ["source", "outcome"])
    source = sa.Column("source", sa.Text, nullable=False, server_default="live", comment="'live', the crawl, or the corpus")
    op.add_column("probes", source)
    op.add_column("probes", sa.Column("item", ID, comment="of a corpus: the id of its screen there"))
    op.create_index("ix_probes_source_item", "probes", ["source", "item"])
    op.create_index("ix_probes_source_last_seen", "probes", ["source", "last_seen", "id"])
    op.create_table(
        "releases",
        sa.Column("name", ID, nullable=False),
        sa.Column("digest", ID, nullable=False, comment="SHA-256 over the rows and the blobs that are in it"),
        sa.Column("spec", JSONB, nullable=False),
        sa.Column("manifest", JSONB, nullable=False),
        sa.Column("frozen_at", WHEN, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_releases"),
    )
    op.create_table(
        "release_probes",
        sa.Column("release", ID, nullable=False),
        sa.Column(
            "probe_id",
            ID,
            nullable=False,
            comment="no foreign key: a probe may be withdrawn, what was released stays",
        ),
        sa.Column("record", JSONB, nullable=False, comment="ReleasedProbe"),
        sa.PrimaryKeyConstraint("release", "probe_id", name="pk_release_probes"),
        sa.ForeignKeyConstraint(["release"], ["releases.name"], name="fk_release_probes_release", ondelete="CASCADE"),
    )
    op.create_index("ix_release_probes_probe_id", "release_probes", ["probe_id"])
    op.create_table(
        "release_blobs",
        sa.Column("release", ID, nullable=False),
        sa.Column(
            "digest",
            ID,
            nullable=False,
            comment="screenshot, structure, edited structure or reading of one of its probes",
        ),
        sa.PrimaryKeyConstraint("release", "digest", name="pk_release_blobs"),
        sa.ForeignKeyConstraint(["release"], ["releases.name"], name="fk_release_blobs_release", ondelete="CASCADE"),
    )
    op.create_index("ix_release_blobs_digest", "release_blobs", ["digest"])


def downgrade() -> None:
    op.drop_table("release_blobs")
    op.drop_table("release_probes")
    op.drop_table("releases")
    op.execute("delete from probes where source <> 'live'")  # without the column they would pass for the crawl's
    op.drop_index("ix_probes_source_last_seen", table_name="probes")
    op.drop_index("ix_probes_source_item", table_name="probes")
    op.drop_column("probes", "item")
    op.drop_column("probes", "source")
    op.drop_table("corpus_items")
    op.drop_table("corpora")
