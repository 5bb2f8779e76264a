"""What the terms of a corpus forbid to hand out is shown to whoever keeps the store, and to nobody else.

Of some corpora releases hold recipes alone (docs/release.md); their pictures and structures are in the store all the same.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

from fastapi import Request

from api.settings import ApiSettings
from api.tokens import holds_token
from domain.errors import Refused
from store.database import Database
from store.release_recipes import recipes_alone

PRIVATE = "private, max-age=3600"
"""Of what is shown to some: nobody between keeps it."""
SHOWN = "public, max-age=86400, immutable"
"""Of what pages were made of. It never changes, but may be taken down: caches of others ask again after a day, and then a
304 has no bytes and a 404 ends it (docs/decisions/0019-caches.md)."""
PASSED_ON = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Headers of whoever asks for somebody else."""
REMEDY = (
    "It is shown to whoever sends API_TOKEN, and to who asks on the machine of the API itself. "
    "Everybody else has it from the publisher: `builder rebuild` fills in a release from one's own copy."
)


def keeps_store(request: Request) -> bool:
    """Whether the asker sees all that is in the store: who sends the token does, and who asks from this machine itself."""
    return holds_token(request) or _from_here(request)


def withheld(request: Request, database: Database, digests: Iterable[str]) -> frozenset[str]:
    """Those of these blobs that the asker is not shown."""
    return frozenset() if keeps_store(request) else recipes_alone(database, digests)


def is_private(request: Request, database: Database, digest: str) -> bool:
    """Whether this blob is shown to the asker and not to everybody. Raises Refused where the asker is not shown it."""
    private = bool(recipes_alone(database, [digest]))
    if private and not keeps_store(request):
        raise Refused(
            f"{digest} is of a corpus whose terms forbid handing it out, or are not known: it is not handed out. {REMEDY}"
        )
    return private


def _from_here(request: Request) -> bool:
    """Nobody stands between as far as can be told, and no page of elsewhere has its visitor's browser fetch it."""
    settings: ApiSettings = request.app.state.settings
    passed_on = any(name in request.headers for name in PASSED_ON)
    elsewhere = request.headers.get("sec-fetch-site") == "cross-site" and request.headers.get("sec-fetch-mode") != "navigate"
    if settings.proxies or passed_on or elsewhere or request.client is None:
        return False
    try:
        address = ipaddress.ip_address(request.client.host)
    except ValueError:
        return False
    return address.is_loopback or (isinstance(address, ipaddress.IPv6Address) and _is_loopback_4(address))


def _is_loopback_4(address: ipaddress.IPv6Address) -> bool:
    """::ffff:127.0.0.1, as a socket for both versions tells it."""
    return address.ipv4_mapped is not None and address.ipv4_mapped.is_loopback
