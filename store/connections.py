"""How the program is connected to Postgres: which connections are kept, and whether one that was kept still leads anywhere."""

from __future__ import annotations

import select
import sys
import time
from typing import Any

import orjson
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import InvalidatePoolError

CONNECT_S = 10  # a server that takes longer to answer is down, or behind a firewall that drops
# A connection whose other end is gone without a word is given up after half a minute, not after the kernel's hours.
_ALIVE = {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000}
IDLE_S = 5
"""A connection that rested longer is tried with a question before it is used: what was between may have forgotten it."""
_SINCE = "since"


def engine_for(url: URL, connections: int) -> Engine:
    """connections: so many are kept, and as many again are made where they are needed."""
    engine = create_engine(
        url,
        pool_size=connections,
        max_overflow=max(connections, 10),
        pool_use_lifo=True,  # the one used last: what its server process has planned and read is still at hand
        hide_parameters=True,  # they may hold page text and secrets: never in messages
        json_serializer=_dumps,
        json_deserializer=orjson.loads,
        connect_args={
            "connect_timeout": CONNECT_S,
            "application_name": "parallax",
            # Each statement is planned for what it asks: a word may leave ten rows or a million, and the plan that is good for
            # one takes seconds for the other (docs/performance.md). Those that are asked by a key say so: store/questions.py.
            "prepare_threshold": sys.maxsize,
            **_ALIVE,
        },
    )

    def rests(_connection: Any, record: Any) -> None:
        record.info[_SINCE] = time.monotonic()

    def must_lead_somewhere(connection: Any, record: Any, _proxy: Any) -> None:
        rested = time.monotonic() - record.info.get(_SINCE, time.monotonic())
        if rested < IDLE_S and _is_quiet(connection):
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error:
            # A restart has cut the others too: none of them is used again.
            raise InvalidatePoolError from None

    event.listen(engine, "checkin", rests)
    event.listen(engine, "checkout", must_lead_somewhere)
    return engine


def _is_quiet(connection: Any) -> bool:
    """Whether the server has said nothing since: it speaks unasked, or hangs up, when it ends. Costs no trip to it."""
    if connection.closed or not hasattr(select, "poll"):
        return False
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    return not waiting.poll(0)


def _dumps(value: Any) -> str:
    return orjson.dumps(value).decode()
