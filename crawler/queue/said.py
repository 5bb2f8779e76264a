"""What the libraries below have to say goes where our own events go, and only from warnings on."""

from __future__ import annotations

import logging

import structlog

log = structlog.get_logger()

LIBRARIES = ("procrastinate", "apscheduler", "psycopg.pool")
# What goes away by itself, and is said by ourselves in other words (queue.lost).
_QUIET = ("error connecting in", "discarding closed connection", "discarding broken connection")


class Routed(logging.Handler):
    """Standard records as events."""

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message.startswith(_QUIET) or "Side task" in message:
            return
        say = log.error if record.levelno >= logging.ERROR else log.warning
        trace = record.exc_info if record.exc_info and record.exc_info[0] is not None else None
        say("library.said", library=record.name.split(".")[0], message=message, exc_info=trace)


def route() -> None:
    """From here on. Doing so twice is doing so once."""
    for name in LIBRARIES:
        logger = logging.getLogger(name)
        logger.setLevel(logging.WARNING)
        logger.propagate = False
        if not any(isinstance(handler, Routed) for handler in logger.handlers):
            logger.addHandler(Routed())
