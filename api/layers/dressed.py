"""What every answer forbids a browser to do with it. A route that has said something of its own is left with that."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

DATA_POLICY = b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""Of what is no page: it loads nothing, whatever a browser takes it for."""
PAGE_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; "
    b"frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
NOT_MODIFIED = 304
HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"),
)


_KEPT = b"cache-control"
_OF_ALL = "/static/"
"""What anybody may have, whoever may read."""


class Dressed:
    """Adds the headers that are not there yet. private: who reads needs the token, so nobody between may keep an answer."""

    def __init__(self, app: ASGIApp, *, private: bool = False) -> None:
        self.app = app
        self.private = private

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        private = self.private and not scope["path"].startswith(_OF_ALL)

        async def dressing(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", ()))
                if private:
                    given = [(name, _private(value) if name.lower() == _KEPT else value) for name, value in given]
                there = {name.lower(): value for name, value in given}
                added = HEADERS
                if message["status"] != NOT_MODIFIED:  # whose headers replace those kept: a page keeps its own policy
                    page = there.get(b"content-type", b"").startswith(b"text/html")
                    added = (*HEADERS, (b"content-security-policy", PAGE_POLICY if page else DATA_POLICY))
                message["headers"] = given + [one for one in added if one[0] not in there]
            await send(message)

        await self.app(scope, receive, dressing)


def _private(control: bytes) -> bytes:
    """Cache-Control, as of what is shown to some: public, immutable -> private, immutable."""
    said = [one.strip() for one in control.split(b",") if one.strip().lower() not in {b"public", b"private"}]
    return control if b"no-store" in said else b", ".join([b"private", *said])
