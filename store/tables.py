"""The tables. Private to the store and to migrations; docs/store.md explains them to people."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Computed,
    DateTime,
    Dialect,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSVECTOR
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


class Name(TypeDecorator[str]):
    """A label that rows are found by: cut as all labels are, in the order of its bytes whatever the database's own."""

    impl = Text(collation="C")
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's signature
        return None if value is None else clean(value)[:LABEL_LENGTH]


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

HIDDEN = "since when a take-down hides it; null: it is shown"

# All digests that a capture's record names, as an array; written as Postgres gives it back.
ARTIFACTS = """jsonb_path_query_array(record, '$."artifacts".*'::jsonpath)"""

# What lists of probes are filtered by, and counted. Expressions are written as Postgres gives them back.
FACETS = ("family", "kind", "platform", "source", "policy", "verdict", "grade", "site")
SHOWN = text("hidden is null")
POLICY = "\"left\"((record #>> '{provenance,policy}'::text[]), 64)"
GRADE = "\"left\"((record #>> '{provenance,grade}'::text[]), 64)"
CHECKED = "\"left\"((record #>> '{provenance,check,verdict}'::text[]), 64)"
# Signs become blanks first: then a word is a run of letters and digits, and no parser makes web addresses or numbers of them.
SIGNS = (
    r"[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u2bff\u3000-\u303f\ufe00-\ufe0f"
    r"\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\U0001f000-\U0001faff]+"
)
_VALUES = "\"left\"((((record ->> 'gold'::text) || ' '::text) || (record ->> 'structural'::text)), 20000)"
WORDS = f"strip(to_tsvector('simple'::regconfig, regexp_replace({_VALUES}, '{SIGNS}'::text, ' '::text, 'g'::text)))"
_PAIR = "\"left\"((COALESCE(structural, ''::text) || ' '::text) || COALESCE(rendered, ''::text), 20000)"
WORDS_OF_PAIR = f"to_tsvector('simple'::regconfig, regexp_replace({_PAIR}, '{SIGNS}'::text, ' '::text, 'g'::text))"
"""Of a divergence, cut as WORDS."""

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
    Column("hidden", DateTime(timezone=True), comment=HIDDEN),
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
    # Who names this blob? Asked before one is removed. fastupdate would keep a list that each such question reads through.
    Index("ix_captures_artifacts", text(ARTIFACTS), postgresql_using="gin", postgresql_with={"fastupdate": "off"}),
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
    Column("hidden", DateTime(timezone=True), comment=HIDDEN),
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
    # What is not asked for by an index takes seconds: each value would be cut into words at each question.
    Index("ix_divergences_words", text(WORDS_OF_PAIR), postgresql_using="gin", postgresql_with={"fastupdate": "off"}),
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
    Column("hidden", DateTime(timezone=True), comment=HIDDEN),
    Column("source", Label, nullable=False, server_default="live", comment="'live', the crawl, or the corpus"),
    Column("item", Id, comment="of a corpus: the id of its screen there"),
    Column("policy", Text, Computed(POLICY), comment="of its provenance"),
    Column("grade", Text, Computed(GRADE), comment="of its provenance"),
    Column("verdict", Text, Computed(CHECKED), comment="of the check in its provenance; null: not checked"),
    Column("words", TSVECTOR, Computed(WORDS), comment="of gold and structural; store/words.py cuts questions alike"),
    UniqueConstraint("identity"),
    Index("ix_probes_element", "element"),
    Index("ix_probes_source_item", "source", "item"),
    # How lists are read, in either direction: docs/store.md. Those that are hidden are in none of them.
    Index("ix_probes_last_seen", "last_seen", "id", postgresql_where=SHOWN),
    Index("ix_probes_first_seen", "first_seen", "id", postgresql_where=SHOWN, postgresql_include=FACETS),
    *(Index(f"ix_probes_{name}", name, "first_seen", "id", postgresql_where=SHOWN) for name in FACETS),
    # Narrow: equal entries are kept once, so that counting a million reads a few megabytes.
    Index("ix_probes_facets", *FACETS, postgresql_where=SHOWN),
    Index("ix_probes_words", "words", postgresql_using="gin", postgresql_with={"fastupdate": "off"}, postgresql_where=SHOWN),
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

# docs/schedule.md. The queue's own tables are in the schema `queue`: those are the library's (migrations/queue-3.10.sql).
sites = Table(
    "sites",
    metadata,
    Column("name", Id, primary_key=True),
    Column("url", PageText, nullable=False),
    Column("host", Label, nullable=False, comment="of the URL, lower case: one visit at a time"),
    Column("above", ARRAY(Id), comment="of the URL: its host and all names above; what take-downs are compared with"),
    Column("port", Integer, comment="of the URL, given or usual"),
    Column("path", PageText, comment="of the URL with its query, as take-downs have it"),
    Column("record", PageJson, nullable=False, comment="the site as its list has it"),
    Column("every", Double, nullable=False, comment="seconds from one visit to the next"),
    Column("priority", Integer, nullable=False, comment="higher goes first"),
    Column("origin", Label, nullable=False, comment="'list', or 'added' by crawler add"),
    Column("added", DateTime(timezone=True), nullable=False, comment="the first slot; all others follow from it"),
    Column("listed", Boolean, nullable=False, comment="false: no longer in the list, kept for its history"),
    Column("paused", DateTime(timezone=True)),
    Column("paused_why", PageText),
    Column("next_due", DateTime(timezone=True), comment="the first slot after last_due; null: to be worked out"),
    Column("last_due", DateTime(timezone=True), comment="the slot of the last turn that was queued"),
    Column("last_begun", DateTime(timezone=True)),
    Column("last_finished", DateTime(timezone=True)),
    Column("last_outcome", Label),
    Column("last_visit", Id),
    Column("failures", Integer, nullable=False, comment="turns in a row without a capture"),
    Column("tries", PageJson, nullable=False, comment="of the turn of last_due, while it is under way"),
    Index("ix_sites_next_due_name", "next_due", "name"),
    Index("ix_sites_first", text("priority desc"), "next_due", "name"),
    Index("ix_sites_host", "host"),
)

# What lists of sites go by: of a million visits nobody looks for the newest of each site, or counts them.
visited = Table(
    "visited",
    metadata,
    Column("site", Name, primary_key=True, comment="with a visit that is shown, scheduled or not"),
    Column("host", Label, nullable=False),
    Column("started", DateTime(timezone=True), nullable=False, comment="of its newest visit that is shown"),
    Column("outcome", Label, nullable=False, comment="of that"),
    Column("visit_id", Id, nullable=False),
    Column("outcomes", JSONB, nullable=False, comment="outcome -> visits, of all that are shown"),
    Column("captures", Integer, nullable=False, comment="of those visits"),
    Column("flagged", Integer, nullable=False, comment="divergences of those visits"),
    Column("review", Integer, nullable=False, comment="divergences of those visits"),
    Index("ix_visited_started", "started", "site"),
)

workers = Table(
    "workers",
    metadata,
    Column("name", Id, primary_key=True, comment="<host name>-<process>"),
    Column("number", BigInteger, nullable=False, comment="its id in the queue's own table, where it beats"),
    Column("begun", DateTime(timezone=True), nullable=False),
)

# docs/conduct.md: how guests behave, for all workers together.
hosts = Table(
    "hosts",
    metadata,
    Column("host", Id, primary_key=True, comment="lower case, ASCII form, no port"),
    Column("holder", PageText, comment="the worker that visits it now"),
    Column("held_until", DateTime(timezone=True), comment="after that the claim is void, should its holder be dead"),
    Column("not_before", DateTime(timezone=True), comment="when the next visit may begin; null: whenever"),
    Column("why", PageText, nullable=False, server_default="", comment="why not before"),
    Column("failures", Integer, nullable=False, server_default="0", comment="in a row, by its doing"),
    Column("limited", Integer, nullable=False, server_default="0", comment="answers in a row of 429 or 503"),
    Column("delay_s", Double, nullable=False, server_default="0", comment="what its robots.txt asks for"),
    Index("ix_hosts_holder", "holder", postgresql_where=text("holder is not null")),
    Index("ix_hosts_not_before", "not_before"),
)

robots = Table(
    "robots",
    metadata,
    Column("origin", Id, primary_key=True, comment="scheme://host:port"),
    Column("state", Label, nullable=False, comment="rules, none, unreadable or unreachable: the last answer"),
    Column("why", PageText, nullable=False),
    Column("asked", DateTime(timezone=True), nullable=False),
    Column("expires", DateTime(timezone=True), nullable=False, comment="when it is asked for again"),
    Column("failures", Integer, nullable=False, comment="askings in a row that gave nothing to judge by"),
    Column("text", PageText, comment="the last good copy; empty: no rules; null: there never was one"),
    Column("good", DateTime(timezone=True), comment="when that was got"),
)

takedowns = Table(
    "takedowns",
    metadata,
    Column("id", Id, primary_key=True),
    Column("host", Id, nullable=False, comment="lower case, ASCII form; with its subdomains where there is no path"),
    Column("port", Integer),
    Column("path", PageText, nullable=False, comment="what addresses on the host begin with; empty: all of it"),
    Column("why", PageText, nullable=False),
    Column("by_whom", PageText, nullable=False),
    Column("since", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp()),
    Column("lifted", DateTime(timezone=True), comment="null: in force"),
    Index("ix_takedowns_host", "host"),
)

# docs/retention.md
discarded = Table(
    "discarded",
    metadata,
    Column("digest", Id, primary_key=True, comment="a blob that no row names any more and that is to be removed"),
)

# docs/ingest.md
corpora = Table(
    "corpora",
    metadata,
    Column("name", Id, primary_key=True, comment="of the source"),
    Column("path", PageText, nullable=False),
    Column("base", PageText, comment="of the corpus that this one annotates"),
    Column("made", Boolean, nullable=False, comment="rendered for tests, not the publisher's"),
    Column("stamp", PageText, nullable=False, comment="seed, reader and recipes of its families, as of the last ingest"),
    Column("started", DateTime(timezone=True), nullable=False, comment="of the last ingest"),
    Column("finished", DateTime(timezone=True), comment="null: broken off, or under way"),
    Column("notes", PageJson, nullable=False, comment="what finding the corpus told"),
)

corpus_items = Table(
    "corpus_items",
    metadata,
    Column("source", Id, ForeignKey("corpora.name", ondelete="CASCADE"), nullable=False),
    Column("item", Id, nullable=False, comment="the corpus's own id"),
    Column("outcome", Label, nullable=False, comment="'usable', or a reason of its source"),
    Column("detail", PageText, nullable=False),
    Column("files", PageJson, nullable=False, comment="FileRef of each file it was read from: pins"),
    Column("times", PageJson, nullable=False, comment="when each file was last written, ns; to see that nothing changed"),
    Column("stamp", PageText, nullable=False, comment="as in corpora: what its probes were drawn with"),
    Column("nodes", Integer, nullable=False),
    Column("rejected", PageJson, nullable=False, comment="nodes by reason, by family"),
    Column("drawn", PageJson, nullable=False, comment="probes by family"),
    PrimaryKeyConstraint("source", "item"),
    Index("ix_corpus_items_source_outcome", "source", "outcome"),
)

# docs/release.md
releases = Table(
    "releases",
    metadata,
    Column("name", Id, primary_key=True),
    Column("digest", Id, nullable=False, comment="SHA-256 over the rows and the blobs that are in it"),
    Column("spec", PageJson, nullable=False),
    Column("manifest", PageJson, nullable=False),
    Column("frozen_at", DateTime(timezone=True), nullable=False),
)

release_probes = Table(
    "release_probes",
    metadata,
    Column("release", Id, ForeignKey("releases.name", ondelete="CASCADE"), nullable=False),
    Column("probe_id", Id, nullable=False, comment="no foreign key: a probe may be withdrawn, what was released stays"),
    Column("record", PageJson, nullable=False, comment="ReleasedProbe"),
    PrimaryKeyConstraint("release", "probe_id"),
    Index("ix_release_probes_probe_id", "probe_id"),
)

# Who names this blob? Asked before one is removed. Digests inside of the records would be asked for row by row.
release_blobs = Table(
    "release_blobs",
    metadata,
    Column("release", Id, ForeignKey("releases.name", ondelete="CASCADE"), nullable=False),
    Column("digest", Id, nullable=False, comment="screenshot, structure, edited structure or reading of one of its probes"),
    Column(
        "recipe",
        Boolean,
        nullable=False,
        server_default=text("true"),
        comment="named by recipes of the release alone: it is not in its folder",
    ),
    PrimaryKeyConstraint("release", "digest"),
    Index("ix_release_blobs_digest", "digest"),
)

# The folder of a release, as it was when it was frozen. Of recipes, pictures and structures are in release_blobs alone.
release_files = Table(
    "release_files",
    metadata,
    Column("release", Id, nullable=False),
    Column("path", Id, nullable=False, comment="from the folder of the release, '/' between folders"),
    Column("digest", Id, nullable=False, comment="SHA-256 of the content, a blob"),
    Column("size", BigInteger, nullable=False, comment="bytes"),
    Column("media_type", Text, nullable=False),
    PrimaryKeyConstraint("release", "path"),
    # So none of them is pruned: whoever is in release_blobs is left.
    ForeignKeyConstraint(["release", "digest"], ["release_blobs.release", "release_blobs.digest"], ondelete="CASCADE"),
    Index("ix_release_files_digest", "digest"),
)

# docs/store.md, Audits: who answers, what is asked, and who has which place at it.
annotators = Table(
    "annotators",
    metadata,
    Column("name", Id, primary_key=True),
    Column("kind", Label, nullable=False, comment="human or model; never changed"),
    Column("token_sha256", Id, comment="of the token, which is nowhere; null: none counts any more"),
    Column("adjudicates", Boolean, nullable=False, comment="is given what two others disagree on, when nothing else is left"),
    Column("added", DateTime(timezone=True), nullable=False),
    Column("gone", DateTime(timezone=True), comment="null: still there. Answers stay either way"),
)

audits = Table(
    "audits",
    metadata,
    Column("name", Id, primary_key=True),
    Column("release", Id, ForeignKey("releases.name"), nullable=False),
    Column("seed", BigInteger, nullable=False, comment="of everybody's order"),
    Column("adjudicate", Boolean, nullable=False, comment="everybody adjudicates, whoever else does"),
    Column("items", Integer, nullable=False, comment="as it was opened"),
    Column("blocks", Integer, nullable=False, comment="into which its items are laid out: 1 to this, see audit_turns"),
    Column("opened", DateTime(timezone=True), nullable=False),
    Column("closed", DateTime(timezone=True), comment="null: answers are taken"),
)

audit_items = Table(
    "audit_items",
    metadata,
    Column("item", Id, primary_key=True, comment="random: tells nothing of what it stands for"),
    Column("audit", Id, ForeignKey("audits.name", ondelete="CASCADE"), nullable=False),
    Column("probe_id", Id, nullable=False, comment="of the release; the desk never reads it"),
    Column("picture", Id, comment="blob of its own, in no other table; null: freed, as what it shows was taken down for good"),
    Column("record", PageJson, nullable=False, comment="AuditItem: all that an annotator is told"),
    Column("hidden", DateTime(timezone=True), comment=HIDDEN),
    UniqueConstraint("audit", "probe_id"),
    Index("ix_audit_items_picture", "picture"),
    Index("ix_audit_items_hidden", "audit", postgresql_where=text("hidden is not null or picture is null")),
)

audit_members = Table(
    "audit_members",
    metadata,
    Column("audit", Id, ForeignKey("audits.name", ondelete="CASCADE"), nullable=False),
    Column("annotator", Id, ForeignKey("annotators.name"), nullable=False),
    Column("joined", DateTime(timezone=True), nullable=False),
    Column("key", Label, nullable=False, comment="secret: what items are called on a sheet is made with it"),
    PrimaryKeyConstraint("audit", "annotator"),
)

# What answers under a model's name: one thing from the first answer to the last, and no other annotator's of the audit.
audit_models = Table(
    "audit_models",
    metadata,
    Column("audit", Id, nullable=False),
    Column("annotator", Id, nullable=False),
    Column("way", Label, nullable=False, comment="reader or vision"),
    Column("name", Label, nullable=False, comment="of the reader or model"),
    Column("record", JSONB, nullable=False, comment="AnsweringModel"),
    PrimaryKeyConstraint("audit", "annotator"),
    UniqueConstraint("audit", "way", "name"),
    ForeignKeyConstraint(["audit", "annotator"], ["audit_members.audit", "audit_members.annotator"], ondelete="CASCADE"),
)

# Who completed what came from Label Studio: one account, one annotator of the audit.
audit_accounts = Table(
    "audit_accounts",
    metadata,
    Column("audit", Id, nullable=False),
    Column("account", Label, nullable=False, comment="Label Studio's id of whoever annotated"),
    Column("annotator", Id, nullable=False, comment="for whom it came first"),
    PrimaryKeyConstraint("audit", "account"),
    ForeignKeyConstraint(["audit", "annotator"], ["audit_members.audit", "audit_members.annotator"], ondelete="CASCADE"),
)

# Whose turn an item is, for all annotators of a kind: one of them more or less changes no row. store/audit_next.py reads it.
audit_turns = Table(
    "audit_turns",
    metadata,
    Column("item", Id, ForeignKey("audit_items.item", ondelete="CASCADE"), nullable=False),
    Column("kind", Label, nullable=False, comment="of annotators"),
    Column("audit", Id, nullable=False),
    Column("block", Integer, nullable=False, comment="by chance, all of about one size; everybody has an order of them"),
    Column("stage", SmallInteger, comment="places taken, 0 or 1; 2: disputed, without a third; null: not to be had"),
    Column("holder", Id, nullable=False, comment="who has the one place that is taken; else nothing"),
    PrimaryKeyConstraint("item", "kind"),
    Index(
        "ix_audit_turns_next", "audit", "kind", "stage", "block", "holder", postgresql_where=text("stage is not null")
    ),
)  # fmt: skip

audit_shown = Table(
    "audit_shown",
    metadata,
    Column("item", Id, ForeignKey("audit_items.item", ondelete="CASCADE"), nullable=False),
    Column("annotator", Id, nullable=False),
    Column("audit", Id, nullable=False),
    Column("shown", DateTime(timezone=True), nullable=False, comment="when this annotator got it first"),
    Column("skipped", DateTime(timezone=True), comment="when it was, last; null: it was not"),
    PrimaryKeyConstraint("item", "annotator"),
    Index("ix_audit_shown_skipped", "audit", "annotator", postgresql_where=text("skipped is not null")),
)

audit_places = Table(
    "audit_places",
    metadata,
    Column("item", Id, ForeignKey("audit_items.item", ondelete="CASCADE"), nullable=False),
    Column("kind", Label, nullable=False, comment="of the annotator: humans and models have places of their own"),
    Column("place", SmallInteger, nullable=False, comment="1 and 2: who do not see each other; 3: adjudication"),
    Column("audit", Id, nullable=False),
    Column("annotator", Id, ForeignKey("annotators.name"), nullable=False),
    Column("leased", DateTime(timezone=True), nullable=False, comment="when the place was taken"),
    Column(
        "leased_until", DateTime(timezone=True), nullable=False, comment="after that others may have it, unless it is submitted"
    ),
    Column("answer", Label),
    Column("value", PageText),
    Column("category", PageText, comment="what agreement counts: two places differ where these do"),
    Column("seconds", Double, comment="from the item being shown to the answer"),
    Column("submitted", DateTime(timezone=True), comment="null: only leased"),
    PrimaryKeyConstraint("item", "kind", "place"),
    UniqueConstraint("item", "annotator"),
    Index("ix_audit_places_leased_until", "audit", "leased_until", postgresql_where=text("submitted is null")),
    Index("ix_audit_places_annotator", "audit", "annotator", "submitted"),
)
