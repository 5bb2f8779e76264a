"""Gold within an annotator's reach is told to whoever runs the API, once in each process. Never to annotators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import structlog

from api.settings import ApiSettings
from domain.audit_reads import OPEN_READS

log = structlog.get_logger()


def told_of(settings: ApiSettings, audits: Sequence[str]) -> str:
    """What to say of these open audits; nothing where there are none, or where reads need the token."""
    if settings.reads != "open" or not audits:
        return ""
    are = "Open audits" if len(audits) > 1 else "An open audit"
    return f"{are}: {', '.join(audits)}. {OPEN_READS}"


def warn_once(state: Any, audits: Sequence[str]) -> None:
    """Into the log, when annotators first ask which audits are open. state: of the application, with its settings."""
    if getattr(state, "gold_told", False):
        return
    state.gold_told = True
    if said := told_of(state.settings, audits):
        log.warning("audit.gold-open", audits=list(audits), detail=said)
