"""Made: of a screen rendered for tests, or of a page of this machine. No evidence about the world, and it is said so."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from domain.probe import CorpusProvenance, Provenance


def is_made(provenance: Provenance | CorpusProvenance) -> bool:
    """A corpus says so itself; a page of the crawl is made where its address is the crawler's own machine."""
    return provenance.made if isinstance(provenance, CorpusProvenance) else own_machine(provenance.url)


def own_machine(url: str) -> bool:
    """Whether the address is a loopback one: localhost, 127.0.0.1, [::1]."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
