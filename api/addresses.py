"""How addresses are written: of this machine, of where a request came, and of a path in what is answered.

It is loaded by `api health`, which has only so many seconds: nothing of what serves is loaded for it.
"""

from __future__ import annotations

import re
from urllib.parse import quote

PAGES = "/pages"
"""In front of the address of a page for people; behind it stands that of the same for programs."""
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - compared with, not listened at
_OF_PATHS = "/%:@!$&'()*+,;=~"
"""What stands for itself in a path (RFC 3986, 3.3), and what an escape begins with."""
_NO_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")
_HALF_ESCAPE = re.compile("%[0-9A-Fa-f]?$")
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:]{2,45}\](:\d{1,5})?")


def address_of(host: str, port: int) -> str:
    """What to open on this machine: http://127.0.0.1:8000/"""
    name = ANYWHERE.get(host, host)
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def asked_at(scheme: str, host: str, otherwise: str) -> str:
    """Where something was asked, without a slash at the end, for lines to copy.

    host: as in `Host`; one that is no name is not written into them. otherwise: the address that is, then.
    """
    return f"{scheme}://{host}" if _HOST.fullmatch(host) else otherwise


def reference(path: bytes, most: int) -> str:
    """A path as it was asked, as a URI reference (RFC 3986, 4.1): escapes stay, and what may not stand there becomes one.

    most: characters; of what is longer the beginning and three dots.
    """
    written = _NO_ESCAPE.sub("%25", quote(path, safe=_OF_PATHS))
    if written.startswith("//"):
        written = f"/.{written}"  # else what is behind it would be the name of a server (RFC 3986, 3.3)
    return written if len(written) <= most else f"{_HALF_ESCAPE.sub('', written[:most])}..."
