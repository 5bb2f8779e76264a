"""The short form of bench/faults: a worker, a browser and Postgres are killed while visits go on, and the books are checked."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

import pytest

from bench.faults.round import Plan, run


@pytest.mark.browser
@pytest.mark.skipif(sys.platform != "linux", reason="the many loopback hosts of this run are Linux's")
def test_nothing_is_lost_or_doubled() -> None:
    """Every due visit has one record, no row names a missing blob, no host was visited by two, no process is left."""
    # Not under pytest's own folder: as root, the embedded Postgres runs as another user, who must get there.
    with tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        plan = Plan(
            visits=12,
            hosts=6,
            workers=2,
            seed=4,
            between_kills_s=2.5,
            limit_s=480,  # a visit that was hit twice is tried again minutes later
            kills=("browser", "postgres", "worker", "browser"),
        )
        books = run(plan, Path(folder))
        logs = {path.name: path.read_text()[-4000:] for path in Path(folder).glob("*.log")}
    assert books.good, (books, logs)
    # The second browser is killed where a visit still had one when its moment came: on a quick machine none does.
    assert books.killed in (Counter(browser=2, postgres=1, worker=1), Counter(browser=1, postgres=1, worker=1)), logs
    assert books.outcomes == {"captured": 12}
