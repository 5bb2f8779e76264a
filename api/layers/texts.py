"""Path and question are UTF-8 without NUL: the database keeps no other text, and nothing is guessed."""

from __future__ import annotations

from urllib.parse import unquote_to_bytes

from starlette.types import ASGIApp, Receive, Scope, Send

from api.problems import Declined


class Texts:
    """Raises Declined (400, bad-text)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _must_be_text("path", scope.get("raw_path") or scope["path"].encode("utf-8", "surrogateescape"))
        _must_be_text("query", scope["query_string"])
        await self.app(scope, receive, send)


def _must_be_text(what: str, given: bytes) -> None:
    if given.isascii() and b"%" not in given and b"\0" not in given:
        return
    content = unquote_to_bytes(given)
    if b"\0" in content:
        raise Declined("bad-text", f"The {what} holds NUL (%00), which no text here holds.")
    try:
        content.decode()
    except UnicodeDecodeError as error:
        raise Declined("bad-text", f"The {what} is no UTF-8: byte {content[error.start]:#04x} at {error.start}.") from None
