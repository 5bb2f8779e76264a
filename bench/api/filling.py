"""A million probes in an embedded Postgres, made by SQL from one that was drawn as the crawler draws: minutes, not days.

Sites as the web has them (few with many probes), all kinds, grades and verdicts, a year of sightings, words that are seldom
and words that are not. Everything follows from a seed. Ids are not of the content: nothing here reads probes back.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import text

from domain.geometry import Box
from domain.pixel_check import Check
from domain.probe import Probe, Provenance, probe_of
from domain.visit import Viewport
from store import tables
from store.blobs import Blobs
from store.database import Database, open_database
from store.settings import StoreSettings

OPEN_FOLDER = 0o755  # as root, the embedded Postgres runs as another user, who must get there
SITES = 2000
BLOB_BYTES = 2_000_000
AT_ONCE = 50_000
WORDS = (  # noqa: SIM905 - to be read
    "account add address all archive basket book buy calendar call cancel cart change chat checkout close compare confirm "
    "contact continue copy cookie create customer date day delete delivery details discount download edit email enter error "
    "export facebook feedback file filter find first follow forward free friday full game gift go help hide home hotel hour "
    "image import information invite item join july language large last later learn like link list loading log login look "
    "manage map march member menu message minute monday month more morning name new news next night not notice number offer "
    "open option order page password pause pay people phone photo play please policy post price print privacy product profile "
    "question quick read recent register remove rent reply report request reset result return review rooms sale save schedule "
    "search see select sell send service settings share shipping shop show sign site size skip sold sort start state stock "
    "stop store submit sunday support table tag team terms thank tickets today tomorrow total track travel try turn update "
    "upgrade upload user value version video view visit watch weather week welcome wish write year your zoom"
).split()

FILL = """
with drawn as (
  select n, encode(sha256(n::text::bytea), 'hex') as identity, random() as f, random() as k, random() as g, random() as v,
    random() as p, floor(:sites * power(random(), 3))::int as s,
    timestamptz '2026-01-01' + random() * interval '365 days' as seen,
    random() * interval '40 days' as before,
    (select string_agg((cast(:words as text[]))[1 + floor(:vocabulary * power(random(), 2))::int], ' ')
      from generate_series(1, 1 + n % 4)) as w1,
    (select string_agg((cast(:words as text[]))[1 + floor(:vocabulary * power(random(), 2))::int], ' ')
      from generate_series(1, 1 + n % 3)) as w2
  from generate_series(cast(:first as int), cast(:last as int)) n
), named as (
  select *, case when f < .85 then 'web-natural' when f < .9 then 'web-text' when f < .93 then 'mobile-widget'
    when f < .96 then 'mobile-visible' when f < .98 then 'mobile-stale' else 'desktop-graphic' end as family,
    case when k < .4 then 'aria' when k < .75 then 'stale' when k < .9 then 'title' else 'state' end as kind,
    case when g < .5 then 'disjoint' when g < .7 then 'overlap' when g < .85 then 'numeric' when g < .95
      then 'ordered-subsequence' else 'same-tokens' end as grade,
    case when v < .9 then 'confirmed' when v < .97 then 'unreadable' else 'contradicted' end as verdict,
    case when p < .9 then 'tokens' when p < .97 then 'paper' else 'label-in-name' end as policy,
    'site' || lpad(s::text, 4, '0') as site,
    initcap(w1) || ' ' || n % 9973 as gold, initcap(w2) || ' ' || n % 8999 as structural
  from drawn
)
insert into probes (id, identity, family, kind, platform, site, url, element, first_seen, last_seen, source, item, record)
select family || '-' || left(identity, 12), identity, family, case when family = 'web-natural' then kind end,
  split_part(family, '-', 1), site, 'https://' || site || '.example/' || n % 50, left(identity, 24), seen - before, seen,
  case family when 'web-natural' then 'live' when 'web-text' then 'mind2web' when 'mobile-widget' then 'clay'
    when 'desktop-graphic' then 'screenspot_pro' else 'rico' end,
  case when family <> 'web-natural' then n::text end,
  cast(:template as jsonb) || jsonb_build_object('id', family || '-' || left(identity, 12), 'family', family, 'platform',
    split_part(family, '-', 1), 'kind', case when family = 'web-natural' then kind end, 'gold', gold, 'structural', structural,
    'options', jsonb_build_array(gold, structural), 'screenshot', encode(sha256(identity::bytea), 'hex'), 'provenance',
    cast(:template as jsonb) -> 'provenance' || jsonb_build_object('site', site,
      'url', 'https://' || site || '.example/' || n % 50,
      'when', seen - before, 'element', left(identity, 24), 'visit', left(identity, 32), 'capture', left(identity, 32) || '-0')
    || case when family = 'web-natural' then jsonb_build_object('policy', policy, 'grade', grade, 'check',
      cast(:template as jsonb) -> 'provenance' -> 'check' || jsonb_build_object('verdict', verdict, 'read', gold))
      else jsonb_build_object('policy', null, 'grade', null, 'check', null) end)
from named
"""


def template() -> Probe:
    """A probe as the crawl draws them, about 2 kB of JSON."""
    path = " > ".join(f"div#section-{n} > ul:nth-of-type({n})" for n in range(3))
    provenance = Provenance(
        site="shop", url="https://shop.example/", visit="0" * 32, capture="0" * 32 + "-0",
        when=datetime(2026, 3, 1, 12, tzinfo=UTC), browser="Chromium 156.0.7204.0", driver="playwright",
        viewport=Viewport(width=1280, height=720), scroll_y=1440, delay_ms=3000,
        rules="policy=tokens aria=3 title=2 stale=3 state=2", policy="tokens",
        check=Check(
            reader="rapidocr-3.10.0/PP-OCRv6_rec_small", read="Total 12", confidence=0.97, verdict="confirmed", reason="same"
        ),
        reading="b" * 64, element="e" * 24, path=f"html > body > main > {path} > button", element_id="pay-now-button",
        sub_kind="aria-label", grade="disjoint",
    )  # fmt: skip
    return probe_of(
        family="web-natural", kind="aria", platform="web", screenshot="c" * 64, structure="d" * 64,
        region=Box(100.25, 220.5, 180.75, 40), variable="text", gold="Total 12", structural="Pay 10", provenance=provenance,
    )  # fmt: skip


def filled(folder: Path, count: int, say: Any) -> tuple[Database, str]:
    """The database in the folder with so many probes, made where it has others; and the digest of a blob of 2 MB.

    As the crawler leaves it: indexes there, statistics known, what is visible to all marked so.
    """
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(OPEN_FOLDER)
    database = open_database(StoreSettings(data_dir=folder, database_url=None), keep=True)
    with database.transaction() as connection:
        there = connection.scalar(text("select count(*) from probes"))
    if there != count:
        _fill(database, count, say)
    return database, _blob(database, folder)


def _fill(database: Database, count: int, say: Any) -> None:
    began = time.monotonic()
    later = [index for index in tables.probes.indexes if not index.unique]
    given = {"template": template().model_dump_json(), "words": WORDS, "vocabulary": len(WORDS), "sites": SITES}
    with database.transaction() as connection:
        connection.execute(text("truncate probes cascade"))
        connection.execute(text("select setseed(0.735)"))
        for index in later:
            index.drop(connection, checkfirst=True)
        for first in range(1, count + 1, AT_ONCE):
            connection.execute(text(FILL), {**given, "first": first, "last": min(first + AT_ONCE - 1, count)})
            say(f"{min(first + AT_ONCE - 1, count):,} probes, {time.monotonic() - began:.0f} s")
        for index in later:
            index.create(connection)
    with database.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text("vacuum analyze probes"))
        connection.execute(text("checkpoint"))
    say(f"filled in {time.monotonic() - began:.0f} s")


def _blob(database: Database, folder: Path) -> str:
    """Bytes that do not pack, as a picture's do not."""
    blob = Blobs(str(folder / "blobs")).put(Random(735).randbytes(BLOB_BYTES), "image/png")  # noqa: S311
    names = ("digest", "media_type", "encoding", "size", "stored_size")
    with database.transaction() as connection:
        values = {name: getattr(blob, name) for name in names}
        connection.execute(text(
            "insert into blobs (digest, media_type, encoding, size, stored_size) values "
            "(:digest, :media_type, :encoding, :size, :stored_size) on conflict do nothing"), values)  # fmt: skip
    return blob.digest
