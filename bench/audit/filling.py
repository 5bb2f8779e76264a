"""An audit of so many items, made by SQL: nothing but the queue of items is measured on it, so its pictures are only named."""

from __future__ import annotations

from sqlalchemy import Connection, text

from store.audit_turns import lay_out
from store.database import Database

_RELEASE = text("""
insert into releases (name, digest, spec, manifest, frozen_at) values ('made', repeat('f', 64), '{}', '{}', clock_timestamp())
on conflict do nothing
""")
_AUDIT = text("""
insert into audits (name, release, seed, adjudicate, items, blocks, opened)
values (:audit, 'made', 735, false, :items, 0, clock_timestamp())
""")
# Ids are random, as those of real items are: 22 letters of base 64.
_ITEMS = text("""
insert into audit_items (item, audit, probe_id, picture, record)
select id.item, :audit, 'web-text-' || n, encode(sha256(convert_to(:audit || n, 'UTF8')), 'hex'), jsonb_build_object(
    'item', id.item, 'ask', 'transcribe', 'question', 'What text stands in the marked region? Write it as it is shown.',
    'choices', '[]'::jsonb, 'width', 1280, 'height', 800,
    'region', jsonb_build_object('x', n % 1000, 'y', n % 700, 'width', 118, 'height', 32)
)
from (
    select n, left(translate(encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'base64'), '+/=', '-_'), 22) as item
    from generate_series(1, :items) n offset 0
) id
""")


def audit_of(database: Database, items: int) -> str:
    """Opens one of so many items. Returns its name."""
    name = f"of-{items}"
    with database.transaction() as connection:
        connection.execute(_RELEASE)
        connection.execute(_AUDIT, {"audit": name, "items": items})
        connection.execute(_ITEMS, {"audit": name, "items": items})
        _lay_out(connection, name, items)
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("vacuum analyze audit_items, audit_turns"))
    return name


def _lay_out(connection: Connection, name: str, items: int) -> None:
    blocks = lay_out(connection, name, items)
    connection.execute(text("update audits set blocks = :blocks where name = :audit"), {"audit": name, "blocks": blocks})
