"""What a model that sees is told: the same rules for every item, the question as people get it, and two pictures."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from channels.audit_pictures import close_up, marked
from domain.audit import WORDS, AuditItem
from domain.audit_guide import told as guide_to

RULES = """\
You are shown a screenshot with one region in a red frame, then that region alone, enlarged. Answer the question from what can \
be seen in the picture, and from nothing else. Reply with one JSON object and nothing around it:
{"answer": "value", "value": "<what stands there>"}   when it can be told
{"answer": "absent"}       nothing of that sort is in the region
{"answer": "unreadable"}   something is there and cannot be made out
{"answer": "unsure"}       it can be seen, and you cannot decide"""
MEND = "That is no answer: {wrong}. Reply with the JSON object alone."


def messages_of(item: AuditItem, picture: bytes) -> list[dict[str, Any]]:
    """The picture with its region in a frame, and the region enlarged; beside them the question and how to judge it."""
    choices = f" One of: {', '.join(item.choices)}." if item.choices else ""
    pictures = (marked(picture, item.region), close_up(picture, item.region))
    parts: list[dict[str, Any]] = [{"type": "text", "text": f"{item.question}{choices}\n{guide_to(item.ask)}"}]
    parts += [{"type": "image_url", "image_url": {"url": _data_uri(png)}} for png in pictures]
    return [{"role": "system", "content": RULES}, {"role": "user", "content": parts}]


def prompt_digest() -> str:
    """SHA-256, 64 hex digits, of all words that are the same for every item of a question."""
    return hashlib.sha256("\0".join([RULES, MEND, *(WORDS[ask] + guide_to(ask) for ask in WORDS)]).encode()).hexdigest()


def _data_uri(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()
