"""Files to be kept: what a browser is told that one is called."""

from __future__ import annotations

import re
from unicodedata import category
from urllib.parse import quote

_NO_NAME = frozenset('"/\\:*?<>|')
"""What some system takes for a folder, a drive or a pattern, and what would end the name in its header."""
_BEYOND_HEADER = re.compile(r"[^ -~]|%")
"""What stands in no quoted name of a header, or is read there in several ways (RFC 6266, appendix D)."""


def attachment(name: str) -> str:
    """`Content-Disposition` of a file to be kept under this name, whatever is in it.

    Signs that are in no name of a file everywhere, or are not seen, are _. Where there is more than ASCII the name is told
    twice, for those who read it whole and for those who cannot (RFC 6266, 4.3).
    """
    safe = "".join("_" if one in _NO_NAME or not _is_seen(one) else one for one in name).strip(" .") or "file"
    plain = _BEYOND_HEADER.sub("_", safe)
    whole = "" if plain == safe else f"; filename*=UTF-8''{quote(safe, safe='')}"
    return f'attachment; filename="{plain}"{whole}'


def _is_seen(sign: str) -> bool:
    return sign == " " or category(sign)[0] not in "CZ"
