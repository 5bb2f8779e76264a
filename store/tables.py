"""The tables. Private to the store and to migrations; docs/store.md explains them to people."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Dialect,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    func,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import TypeDecorator

from store.clean import clean, clean_json

# Characters of a label. A btree entry holds 2,704 bytes at most, and a character takes up to four.
LABEL_LENGTH = 255


class PageText(TypeDecorator[str]):
    """Text of any length that may come from a page. Not to be indexed."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's signature
        return None if value is None else clean(value)


class Label(TypeDecorator[str]):
    """Text that is filtered by and so indexed: cut at LABEL_LENGTH, in rows and in questions alike."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's signature
        return None if value is None else clean(value)[:LABEL_LENGTH]


class PageJson(TypeDecorator[Any]):
    """A JSON value that may hold text from a page."""

    impl = JSONB(none_as_null=True)
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002 - SQLAlchemy's signature
        return clean_json(value)


class Id(TypeDecorator[str]):
    """An identifier. Collation "C" whatever the database's own, so that a prefix is found by the index."""

    impl = Text(collation="C")
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's signature
        return None if value is None else clean(value)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

visits = Table(
    "visits",
    metadata,
    Column("id", Id, primary_key=True),
    Column("site", Label, nullable=False),
    Column("url", PageText, nullable=False),
    Column("host", Label, nullable=False, comment="of the URL that was asked for, lower case"),
    Column("outcome", Label, nullable=False),
    Column("reason", PageText, nullable=False),
    Column("started", DateTime(timezone=True), nullable=False),
    Column("finished", DateTime(timezone=True), nullable=False),
    Column("record", PageJson, nullable=False, comment="Visit without its captures: those are rows of their own"),
    Index("ix_visits_started", "started", "id"),
    Index("ix_visits_site_started", "site", "started"),
    Index("ix_visits_host_started", "host", "started"),
)

captures = Table(
    "captures",
    metadata,
    Column("id", Id, primary_key=True),
    Column("visit_id", Id, ForeignKey("visits.id", ondelete="CASCADE"), nullable=False),
    Column("index", Integer, nullable=False),
    Column("served_digest", Id, comment="blob of the readings at S0"),
    Column("screenshot_digest", Id),
    Column("record", PageJson, nullable=False, comment="CaptureRecord"),
    UniqueConstraint("visit_id", "index"),
    Index("ix_captures_screenshot_digest", "screenshot_digest"),
)

blobs = Table(
    "blobs",
    metadata,
    Column("digest", Id, primary_key=True, comment="SHA-256 of the content before compression"),
    Column("media_type", Label, nullable=False),
    Column("encoding", Label, nullable=False, comment="'gzip', or '' for stored as it is"),
    Column("size", BigInteger, nullable=False, comment="bytes of the content"),
    Column("stored_size", BigInteger, nullable=False, comment="bytes in the bucket"),
    Column("first_seen", DateTime(timezone=True), nullable=False, server_default=func.now()),
)

divergences = Table(
    "divergences",
    metadata,
    Column("id", Id, primary_key=True, comment="the first 12 digits of key; all 64 where another row has those 12"),
    Column("key", Id, nullable=False, comment="SHA-256 of capture, kind and path: those may be too long for an index"),
    Column("capture_id", Id, ForeignKey("captures.id", ondelete="CASCADE"), nullable=False),
    Column("visit_id", Id, ForeignKey("visits.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Label, nullable=False),
    Column("verdict", Label, nullable=False, comment="flagged or review; the others are only counted"),
    Column("reason", PageText, nullable=False),
    Column("path", PageText, nullable=False),
    Column("element_id", PageText),
    Column("structural", PageText),
    Column("rendered", PageText),
    Column("grade", PageText),
    Column("box", PageJson, comment="x, y, width, height in CSS px on the viewport"),
    Column("rules", PageText, nullable=False, comment="version of the rules that said so last"),
    Column("lines", PageJson, comment="lines of the rendered text in reading order, boxes as above"),
    Column("sub_kind", PageText),
    Column("role", PageText),
    Column("name", PageText, comment="accessible name, by the browser's own tree"),
    Column("name_source", PageText),
    Column("row", PageText, comment="first words of the table row or list item it is in"),
    Column("element", Id, comment="names the element over time; null in rows older than this column"),
    UniqueConstraint("key"),
    Index("ix_divergences_element", "element"),
    Index("ix_divergences_capture_id", "capture_id"),
    Index("ix_divergences_visit_id", "visit_id"),
    Index("ix_divergences_kind_verdict", "kind", "verdict"),
)

checks = Table(
    "checks",
    metadata,
    Column("divergence_id", Id, ForeignKey("divergences.id", ondelete="CASCADE"), nullable=False),
    Column("reader", Label, nullable=False, comment="which reader of the pixels and model, with its version"),
    Column("read", PageText, nullable=False),
    Column("confidence", Double, nullable=False),
    Column("verdict", Label, nullable=False, comment="confirmed, contradicted or unreadable"),
    Column("reason", PageText, nullable=False),
    Column("checked_at", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp()),
    PrimaryKeyConstraint("divergence_id", "reader"),
)

probes = Table(
    "probes",
    metadata,
    Column("id", Id, primary_key=True, comment="family and 12 digits of identity; all 64 where another row has those 12"),
    Column("identity", Id, nullable=False, comment="SHA-256 of family, element, kind, variable and normalised pair"),
    Column("family", Label, nullable=False),
    Column("kind", Label),
    Column("platform", Label, nullable=False),
    Column("site", Label, nullable=False),
    Column("url", PageText, nullable=False),
    Column("element", Id, nullable=False),
    Column("first_seen", DateTime(timezone=True), nullable=False),
    Column("last_seen", DateTime(timezone=True), nullable=False),
    Column("record", PageJson, nullable=False, comment="Probe, as its first sighting shows it"),
    UniqueConstraint("identity"),
    Index("ix_probes_element", "element"),
    Index("ix_probes_family_kind", "family", "kind"),
    Index("ix_probes_last_seen", "last_seen", "id"),
    Index("ix_probes_site", "site"),
)

sightings = Table(
    "sightings",
    metadata,
    Column("probe_id", Id, ForeignKey("probes.id", ondelete="CASCADE"), nullable=False),
    Column("capture_id", Id, ForeignKey("captures.id", ondelete="CASCADE"), nullable=False),
    Column("divergence_id", Id, ForeignKey("divergences.id", ondelete="CASCADE"), nullable=False),
    Column("seen", DateTime(timezone=True), nullable=False, comment="when the screenshot was asked for"),
    Column("record", PageJson, nullable=False, comment="Probe, as this sighting shows it"),
    PrimaryKeyConstraint("probe_id", "capture_id"),
    Index("ix_sightings_capture_id", "capture_id"),
    Index("ix_sightings_divergence_id", "divergence_id"),
)
