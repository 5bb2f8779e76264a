"""What pages say of probes that are no evidence about the world: whoever looks at one must see it."""

from __future__ import annotations

CORPUS = "rendered for tests, not the publisher's"
OWN = "a page of this machine, not of the web"


def made_how(*, live: bool) -> str:
    """Of a made one, in words for people. live: the crawl's; else a corpus's."""
    return OWN if live else CORPUS
