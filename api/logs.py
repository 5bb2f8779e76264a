"""Events and uvicorn's own words go to stderr: plain lines on a terminal, JSON elsewhere."""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog

from domain.logged import readable


def configure() -> dict[str, Any]:
    """Sets structlog up and gives the logging settings for uvicorn: the same lines for both."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        readable,
    ]
    renderer: Any = structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer()
    structlog.configure(processors=[*shared, renderer], logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": shared,
        "processors": [_bare, structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
    }
    handler = {"class": "logging.StreamHandler", "formatter": "event", "filters": ["true"], "stream": "ext://sys.stderr"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"true": {"()": NotYet}},
        "formatters": {"event": formatter},
        "handlers": {"stderr": handler},
        "loggers": {"uvicorn": {"handlers": ["stderr"], "level": "INFO", "propagate": False}},
    }


class NotYet(logging.Filter):
    """Leaves out that it runs where the port is only bound: nothing answers there before the application has started."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Nor is it told that the port cannot be bound: whoever binds it says so in a sentence (api/running.py)."""
        return record.funcName != "bind_socket"


def _bare(_logger: Any, _method: str, event: Any) -> Any:
    """Without the copy in colour that uvicorn adds to its messages."""
    event["_record"].__dict__.pop("color_message", None)
    event.pop("color_message", None)
    return event
