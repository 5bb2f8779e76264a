"""opened: the store that a command works with. Which one it is may depend on the folder, so it is said where that matters."""

from __future__ import annotations

from crawler import printing
from crawler.filing import Archive, open_archive
from domain.errors import NotFound, Unavailable
from store.database import Database, open_database
from store.settings import StoreSettings, store_settings


def made_archive() -> Archive:
    """The store that the settings name, made where there is none, which is said. Raises Unavailable."""
    _announced(settings := store_settings())
    return open_archive(settings)


def kept_archive() -> Archive:
    """The store that the settings name. Raises NotFound where there is none: who reads makes none. Raises Unavailable."""
    _there(settings := store_settings())
    return open_archive(settings)


def made_database() -> Database:
    """As made_archive, where no blobs are needed."""
    _announced(settings := store_settings())
    return open_database(settings)


def kept_database() -> Database:
    """As kept_archive, where no blobs are needed."""
    _there(settings := store_settings())
    return open_database(settings)


def _announced(settings: StoreSettings) -> None:
    if _missing(settings):
        printing.talk(f"Making a new, empty store in {settings.data_dir.absolute()} (PARALLAX_DATA names another place).")


def _there(settings: StoreSettings) -> None:
    if _missing(settings):
        raise NotFound(
            f"There is no store in {settings.data_dir.absolute()}. PARALLAX_DATA says where one is; without it, it is .data in "
            "the current folder. To begin one: crawler visit URL, or crawler demo"
        )


def _missing(settings: StoreSettings) -> bool:
    """Whether the embedded database is to be used and has never been made. Raises Unavailable where that cannot be told."""
    if settings.database_url is not None:
        return False
    folder = settings.data_dir.absolute()
    try:
        (folder / "postgres" / "PG_VERSION").stat()
    except FileNotFoundError:
        return True
    except NotADirectoryError as error:
        raise Unavailable(f"There can be no store in {folder}: it is no folder. PARALLAX_DATA names one.") from error
    except OSError as error:
        raise Unavailable(
            f"The data folder {folder} cannot be read: {error.strerror or error}. PARALLAX_DATA names another one."
        ) from error
    return False
