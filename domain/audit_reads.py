"""What whoever runs an audit must know of gold: hidden at the desk by construction, elsewhere by a setting."""

from __future__ import annotations

from typing import Final

OPEN_READS: Final = (
    "As long as API_READS is open, anybody who reaches the API can look gold up (/probes, /releases, the galleries), and only "
    "their word keeps annotators from it. To shut it: API_READS=token API_TOKEN=$(openssl rand -hex 32) api serve"
)
"""Said by `builder audit open` and by `api serve`, never by the desk."""
