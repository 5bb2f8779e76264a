"""What `api serve` does: binds the port, has a database with tables, says where to look, answers until it is stopped."""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn
from uvicorn.supervisors import Multiprocess

from api import logs
from api.addresses import address_of
from api.audit_gold import told_of
from api.settings import ApiSettings
from domain.errors import ParallaxError, Unavailable
from store import audit_desk
from store.database import Database, open_database
from store.settings import StoreSettings, store_settings

KEEP_ALIVE_S = 20
STOP_S = 10
"""Answers under way are finished for so long."""
START_S = 60
"""A process that does not answer its parent for so long is put away for another: on a busy machine it takes 15 s to begin."""
LOOK_S = 0.05


def serve(settings: ApiSettings) -> None:
    """Answers until Ctrl-C or SIGTERM, at settings.host and port, in so many processes.

    With DATABASE_URL its tables are left as they are, and it need not be there yet. Without it, the embedded server is started,
    and its tables are made or brought to this version first. Raises Unavailable in a sentence.
    """
    if settings.workers > 1:  # before the processes start: they read it once
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="parallax-api-")
    os.environ["API_HOST"] = settings.host  # by it the application knows which names it may be asked for by
    config = uvicorn.Config(
        "api.app:served",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        http="api.serving:Guarded",
        ws="none",
        log_config=logs.configure(),
        access_log=False,  # /metrics counts them
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=STOP_S,
        timeout_worker_healthcheck=START_S,
    )
    bound = _bound(config)
    told = f"Open {address_of(settings.host, bound.getsockname()[1])} in a browser. Ctrl-C stops.\n"
    with bound, _tables(settings), _once_listening(bound, told):
        _run(config, bound)


def _bound(config: uvicorn.Config) -> socket.socket:
    try:
        return config.bind_socket()
    except SystemExit as ended:  # of it only the sentence is told, and not what uvicorn logs (api/logs.py)
        why = _why(ended.__context__, config)
        raise Unavailable(f"Nothing can be served at {config.host}:{config.port}. {why}") from ended


def _why(error: BaseException | None, config: uvicorn.Config) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, socket.gaierror) or number in {errno.EADDRNOTAVAIL, errno.EINVAL}:
        return f"{config.host} is no address of this machine: give --host, or API_HOST."
    if number == errno.EACCES:
        return f"Port {config.port} is not for this user: give --port above 1023, or API_PORT."
    if number == errno.EADDRINUSE:
        return "Another program has that port, maybe another `api serve`: give --port, or API_PORT."
    return f"{os.strerror(number) if number else error}: give --host and --port, or API_HOST and API_PORT."


@contextmanager
def _once_listening(bound: socket.socket, told: str) -> Iterator[None]:
    """Says it when the first process listens, which it does once its application has started; never where none does."""
    over = threading.Event()

    def waiting() -> None:
        while not over.wait(LOOK_S):
            if bound.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):  # the socket is the same in every process
                sys.stderr.write(told)
                sys.stderr.flush()
                return

    watch = threading.Thread(target=waiting, name="listening", daemon=True)
    watch.start()
    try:
        yield
    finally:
        over.set()
        watch.join()


@contextmanager
def _tables(settings: ApiSettings) -> Iterator[None]:
    """The embedded server runs for all processes, with tables of this version. Of another one it is said if it is away."""
    stored = store_settings()
    if stored.database_url is not None:
        threading.Thread(target=_look_for, args=(settings, stored), name="database", daemon=True).start()
        yield
        return
    with open_database(stored) as database:
        _tell_of_gold(settings, database)
        yield


def _tell_of_gold(settings: ApiSettings, database: Database) -> None:
    """That gold is within annotators' reach, where an audit is open and reads are."""
    if said := told_of(settings, [one.name for one in audit_desk.audits(database)]):
        sys.stderr.write(f"api: {said}\n")


def _look_for(settings: ApiSettings, stored: StoreSettings) -> None:
    """Beside the start: a server that does not answer at all is waited for long."""
    try:
        with open_database(stored, schema=False) as database:
            with database.transaction():
                pass
            with suppress(Exception):  # tables of another version: /health says so
                _tell_of_gold(settings, database)
    except ParallaxError as error:
        sys.stderr.write(f"api: {error}\napi: Questions are answered 503 until it is there. DATABASE_URL says where it is.\n")


def _run(config: uvicorn.Config, bound: socket.socket) -> None:
    # The server ends by the signal that it got, once it has shut down; what is around it must be closed all the same.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    server = uvicorn.Server(config)
    try:
        if config.workers > 1:
            Multiprocess(config, sockets=[bound]).run()
            return
        server.run(sockets=[bound])
    except KeyboardInterrupt:
        return
    except SystemExit as ended:
        raise Unavailable("The API could not start; the lines above say why.") from ended
