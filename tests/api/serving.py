"""A real server on this machine, in a thread: what a program on the other end of a connection sees."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI

from api.serving import Guarded

STOP_S = 20


@contextmanager
def serving(app: FastAPI, **config: Any) -> Iterator[str]:
    """The application at a free port of 127.0.0.1, as `api serve` serves it; its address, without a slash at the end.

    config: for uvicorn.
    """
    http = type("Guarded", (Guarded,), {"settings": app.state.settings})
    given = {"host": "127.0.0.1", "port": 0, "http": http, "ws": "none", "server_header": False, "log_config": None, **config}
    started = threading.Event()

    class Telling(uvicorn.Server):
        async def startup(self, *args: Any, **more: Any) -> None:
            try:
                await super().startup(*args, **more)
            finally:
                started.set()

    server = Telling(uvicorn.Config(app, **given))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    started.wait(STOP_S)
    assert server.started, "the server did not start"
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(STOP_S)
        assert not thread.is_alive(), "the server did not stop"
