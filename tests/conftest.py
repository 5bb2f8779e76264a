"""What every test can ask for: a real database, empty, and a place for blobs."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import exists, func, literal, select, text, union_all

from store import tables
from store.blobs import Blobs
from store.database import Database, open_database
from store.settings import StoreSettings

# Read once, when the library is first imported, by whichever test that is.
for _name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
    os.environ[_name] = "1"

# Properties are checked without a stopwatch: a busy machine is no fault of the rules. In CI the same examples every time: a new
# counter-example is for whoever looks for one, not for whoever lands next.
settings.register_profile(
    "parallax", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("parallax")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--corpora",
        metavar="FOLDER",
        help="a folder with real samples of the corpora: rico/, clay/, mind2web/, screenspot_pro/",
    )


LONG = (
    "builder/test_v1.py", "test_faults.py", "crawler/test_cli.py", "crawler/test_cases.py", "crawler/test_bad_input.py",
    "crawler/test_not_evidence.py", "api/test_schema.py", "api/test_hostile.py", "api/test_pages_axe.py", "api/test_pages.py",
    "api/test_serving.py", "crawler/test_frames.py", "builder/test_export.py", "crawler/test_remote_browsers.py",
    "crawler/test_browser_life.py", "hostile/test_hostile.py", "crawler/test_truth.py",
)  # fmt: skip
"""Files that take half a minute and more, the longest first. Begun first, so that no core waits for one of them at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long files first, all others in their order."""
    ranks = {name: place for place, name in enumerate(LONG)}

    def rank(item: pytest.Item) -> int:
        return ranks.get(item.path.relative_to(Path(__file__).parent).as_posix(), len(LONG))

    items.sort(key=rank)


LARGE = 1_000_000
"""Bytes of a table from which it is cut off rather than emptied row by row."""


@pytest.fixture(scope="session")
def corpora(request: pytest.FixtureRequest) -> Path:
    """A folder with real samples of the corpora, as their publishers lay them out; they cannot be shipped."""
    folder = request.config.getoption("--corpora")
    if folder is None:
        pytest.skip("no real samples of the corpora: give --corpora FOLDER")
    return Path(folder)


@pytest.fixture(scope="session")
def data_dir() -> Iterator[Path]:
    """A data folder for the whole session, with a short path.

    Not one of pytest's: another session closes their parent to all but root, under a server that is not root.
    """
    folder = Path(tempfile.mkdtemp(prefix="parallax-test-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def server(data_dir: Path) -> Iterator[Database]:
    """One embedded Postgres for the whole session, at the version of this code; stopped at the end.

    It does not wait for the disk: no test takes the power away.
    """
    with open_database(StoreSettings(data_dir=data_dir, database_url=None)) as database:
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for setting in ("fsync", "full_page_writes"):
                connection.execute(text(f"alter system set {setting} = off"))
            connection.execute(text("select pg_reload_conf()"))
        yield database


@pytest.fixture
def database(server: Database) -> Database:
    """The database of the session, with all tables empty."""
    known = tables.metadata.tables
    used = union_all(
        *(
            select(literal(name), func.pg_relation_size(name)).where(exists(select(literal(1)).select_from(table)))
            for name, table in known.items()
        )
    )
    with server.transaction() as connection:
        # To truncate them all takes a hundred times as long as to find out that most are empty.
        found = connection.execute(used).all()
        connection.execute(text("set local session_replication_role = replica"))  # whoever refers to whom: all go
        for name, size in found:
            connection.execute(text(f"truncate {name} cascade") if size > LARGE else known[name].delete())
    return server


@pytest.fixture
def queue(database: Database) -> Iterator[Database]:
    """The database of the session, with all tables empty, those of the queue too; these are emptied again afterwards."""
    names = ", ".join(f"queue.procrastinate_{name}" for name in ("jobs", "workers", "events", "periodic_defers"))
    for again in (False, True):
        with database.transaction() as connection:
            connection.execute(text(f"truncate {names}"))
        if not again:
            yield database


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    """Blobs in a folder of this test's own."""
    return Blobs(str(tmp_path / "blobs"))
