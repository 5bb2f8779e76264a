"""The audit's desk: one page, the same for everybody. Whatever it shows it asks of /audits, with the annotator's own token.

It leads nowhere else: galleries show what an annotator must not have seen. Its addresses and its pictures tell nothing.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.pages.rendering import PageRoute, render
from domain.audit import LONGEST
from domain.audit_guide import KEYS, MEANS, given

router = APIRouter(include_in_schema=False, route_class=PageRoute)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; font-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""As of every page, and pictures that a script has asked for with the token in a header."""


@router.get("/audit")
async def audit_page(request: Request) -> Response:
    """The desk, signed out. Without scripts it says that it needs them."""
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
    more: dict[str, Any] = {"longest": LONGEST, "given": given(), "keys": KEYS, "means": MEANS}
    return render(request, "audit.html.j2", twin="/audits", headers=headers, **more)
