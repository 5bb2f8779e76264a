"""So many requests from one address in so long, then 429. Each process counts for itself."""

from __future__ import annotations

import ipaddress
import math
import time
from functools import lru_cache

from limits import parse
from limits.storage import MemoryStorage
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import Declined

UNCOUNTED = ("/health", "/metrics")
STATIC = "/static/"


class Rated:
    """rate: as the library limits writes it, 6000/minute. What watches over the service, and files of pages, do not count."""

    def __init__(self, app: ASGIApp, rate: str) -> None:
        self.app = app
        self.rate = parse(rate)
        self.window_s = self.rate.get_expiry()
        self.policy = f'"default";q={self.rate.amount};w={self.window_s}'.encode()
        self.counts = MemoryStorage()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in UNCOUNTED or scope["path"].startswith(STATIC):
            await self.app(scope, receive, send)
            return
        who = whose(scope["client"][0] if scope.get("client") else "")
        count = self.counts.incr(who, self.window_s)  # a fixed window, from the first request on
        left = max(0, self.rate.amount - count)
        seconds = max(1, math.ceil(self.counts.get_expiry(who) - time.time()))
        told = [(b"ratelimit-policy", self.policy), (b"ratelimit", f'"default";r={left};t={seconds}'.encode())]
        if count > self.rate.amount:
            raise Declined(
                "too-many-requests",
                f"More than {self.rate} from one address. Ask again in {seconds} s, or for more at once (format=ndjson).",
                {"Retry-After": str(seconds)} | {name.decode(): value.decode() for name, value in told},
            )

        async def telling(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *told]
            await send(message)

        await self.app(scope, receive, telling)


@lru_cache(maxsize=1000)
def whose(address: str) -> str:
    """Whom an address is counted for: of IPv6 the /64, which is what one customer has."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((parsed, 64), strict=False)) if parsed.version == 6 else address  # noqa: PLR2004
