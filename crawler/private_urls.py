"""private_urls: what is said of addresses that were typed by hand, where they are private or leave out the scheme."""

from __future__ import annotations

from urllib.parse import urlsplit

from crawler.addresses import private_reason
from crawler.site_rows import Complaint
from crawler.site_urls import scheme_of, with_scheme


def private_complaint(url: str) -> Complaint | None:
    """Why this URL cannot be a public page's, by its text alone."""
    reason = private_reason(urlsplit(url).hostname or "")
    return (reason and Complaint(f"is not public: {reason}", "For pages of your own, --allow-private lets it pass.")) or None


def scheme_taken(given: str) -> str | None:
    """That https is taken, where an address without a scheme may well have meant http: one with a port, or of this machine."""
    if scheme_of(given):
        return None
    parts = urlsplit(with_scheme(given))
    if parts.port is None and private_reason(parts.hostname or "") is None:
        return None
    return f"{given} has no scheme: https is taken. Where it speaks http: http://{given.removeprefix('//')}"
