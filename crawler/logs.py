"""Where events go: stderr, for stdout is for data. Plain lines on a terminal, JSON elsewhere (CRAWLER_LOG).

Events of structlog and of the standard library's logging (the queue, the schedule) leave by the same door.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

import structlog
from pydantic import ValidationError
from structlog.stdlib import ProcessorFormatter

from crawler.settings import CrawlerSettings
from domain.logged import readable

NOISY = (
    "alembic",
    "procrastinate",
    "apscheduler",
    "httpx2",
    "httpcore2",
    "uvicorn.access",
    "urllib3",
    "selenium",
    "websocket",
    "asyncio",
)
"""What these say below a warning is for who looks for a fault in them: only told at the level debug."""


class _Stderr:
    """Whatever sys.stderr is when something is said: above a line of progress, where one stands."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure(settings: CrawlerSettings | None = None) -> None:
    """Events of every package of this process, from here on. Settings that are wrong are the command's to tell of."""
    how, level = _wanted(settings)
    plain = how == "plain" or (how == "auto" and sys.stderr.isatty())
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        # Never with the values of variables: these may be what a page says.
        structlog.processors.format_exc_info,
        readable,
    ]
    renderer: Any = (
        structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)
        if plain
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", _Stderr())),
    )
    _route(shared, renderer, level)


def _route(shared: list[Any], renderer: Any, level: int) -> None:
    """The standard library's loggers, by the same processors to the same place."""
    handler = logging.StreamHandler(_Stderr())
    handler.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [each for each in root.handlers if not _is_ours(each)] + [handler]
    root.setLevel(level)
    for name in NOISY:
        logging.getLogger(name).setLevel(max(level, logging.WARNING) if level > logging.DEBUG else logging.DEBUG)
    # That a tick was skipped while another one takes long is how it is meant (coalesce), and would be said every few seconds.
    logging.getLogger("apscheduler.scheduler").setLevel(max(level, logging.ERROR) if level > logging.DEBUG else logging.DEBUG)


def _is_ours(handler: logging.Handler) -> bool:
    return isinstance(handler.formatter, ProcessorFormatter)


def _wanted(settings: CrawlerSettings | None) -> tuple[str, int]:
    try:
        settings = settings or CrawlerSettings()
    except ValidationError:
        return "auto", logging.INFO
    return settings.log, logging.getLevelNamesMapping()[settings.log_level.upper()]


@contextmanager
def visiting(visit_id: str, site: str) -> Iterator[None]:
    """Whatever is logged inside, by this task and those it begins, says to which visit it belongs."""
    with structlog.contextvars.bound_contextvars(visit_id=visit_id, site=site):
        yield
