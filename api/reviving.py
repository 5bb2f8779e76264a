"""The embedded Postgres is started again when it is gone, by whoever finds that out; questions meanwhile are told 503."""

from __future__ import annotations

import threading
import time

import structlog

from domain.errors import ParallaxError
from store.database import Database

PAUSE_S = 5.0
"""From one try's end to the next one's beginning, in each process: a server that cannot start is not asked to all the time."""
STOP_S = 10.0
log = structlog.get_logger()


class Reviving:
    """Tries beside the questions, one at a time. With DATABASE_URL the server is somebody else's, and a try does nothing."""

    def __init__(self, database: Database, pause_s: float = PAUSE_S) -> None:
        self._database, self._pause_s = database, pause_s
        self._lock = threading.Lock()
        self._not_before = float("-inf")
        self._trying: threading.Thread | None = None
        self._over = False

    def begin(self) -> bool:
        """Begins a try, and does not wait for it. False: one is under way, or was a moment ago."""
        with self._lock:
            if self._over or self._trying is not None or time.monotonic() < self._not_before:
                return False
            self._trying = threading.Thread(target=self._try, name="reviving", daemon=True)
            self._trying.start()
            return True

    def end(self) -> None:
        """No more tries. One that is under way is waited for, so that nothing is started behind whoever stops the server."""
        with self._lock:
            self._over, trying = True, self._trying
        if trying is not None:
            trying.join(STOP_S)

    def _try(self) -> None:
        try:
            self._database.revive()
        except ParallaxError as error:
            log.warning("database.not_revived", reason=str(error))
        except Exception:
            log.exception("database.not_revived")
        finally:
            with self._lock:
                self._trying, self._not_before = None, time.monotonic() + self._pause_s
