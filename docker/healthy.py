"""A container's health check: is what listens at this port well? Prints what its /health says; exit code 0 for 200, else 1.

    python3 -SE healthy.py 8000

Standard library only, and little of it: it runs every half minute, and `api health` or `crawler health` take 1 to 3 s of
processor time to load what they share with the rest, more than a full machine gives within the limit.
"""

import sys
from http.client import HTTPConnection, HTTPException

LIMIT_S = 8


def main(port: str) -> int:
    """The exit code."""
    asked = HTTPConnection("127.0.0.1", int(port), timeout=LIMIT_S)
    try:
        asked.request("GET", "/health")
        answer = asked.getresponse()
        said = answer.read(4096).decode(errors="replace")
    except (OSError, HTTPException) as error:
        print(f"Nothing answers at port {port}: {error}")
        return 1
    print(said)
    return 0 if answer.status == 200 else 1  # noqa: PLR2004


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
