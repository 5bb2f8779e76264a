"""remote: the address of someone else's browser or WebDriver server. What it may hold of secrets is never printed."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Self
from urllib.parse import unquote, urlsplit, urlunsplit

from pydantic import SecretStr


@dataclass(frozen=True, slots=True)
class Address:
    """url: without user and password, to be asked with these; path and query may hold a key. As text: scheme, host, port."""

    url: str
    user: str | None
    password: str | None
    shown: str

    @classmethod
    def of(cls, given: SecretStr | None) -> Self:
        """Raises ValueError for what is no URL with a host."""
        parts = urlsplit(given.get_secret_value().strip() if given is not None else "")
        if not parts.hostname:
            raise ValueError("no host is named")
        port = parts.port  # raises ValueError
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        at = f"{host}:{port}" if port is not None else host
        return cls(
            url=urlunsplit((parts.scheme, at, parts.path.rstrip("/"), parts.query, "")),
            user=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password or "") if parts.username else None,
            shown=f"{parts.scheme}://{at}",
        )

    def __str__(self) -> str:
        return self.shown

    def __repr__(self) -> str:
        return f"Address({self.shown})"

    @property
    def headers(self) -> dict[str, str]:
        """How user and password are sent: a browser's own fetch refuses them in a URL."""
        if self.user is None:
            return {}
        return {"Authorization": "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()}

    def clean(self, text: str) -> str:
        """What another program says of this address, without the part that may hold a key."""
        path = self.url.removeprefix(self.shown)
        return text.replace(path, "/...") if len(path) > 1 else text
