"""chromedriver: one of our own, on a port of this machine, with a limit on its start and on its end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess

import psutil
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service

from crawler.browsers import program
from crawler.browsers.scratch import Scratch
from crawler.settings import CrawlerSettings
from domain.errors import Unavailable

START_S, STOP_S = 30, 3


class Chromedriver:
    """A running chromedriver; its browsers are its children."""

    def __init__(self, service: Service, flag: str) -> None:
        self._service, self._flag = service, flag
        self.url = service.service_url

    @property
    def running(self) -> bool:
        return self._service.process is not None and self._service.process.poll() is None

    def family(self) -> list[psutil.Process]:
        """It and all that it has started."""
        return list(program.processes(self._flag))

    async def stop(self) -> None:
        """Ends it by force; never raises, never hangs."""
        await asyncio.to_thread(_end, self._service)


def _end(service: Service) -> None:
    process: subprocess.Popen[bytes] | None = getattr(service, "process", None)
    if process is None:
        return
    with contextlib.suppress(OSError):
        # Its browsers have been ended by their flags and its files are ours to remove: there is nothing to wait for.
        process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_S)


async def start(settings: CrawlerSettings, scratch: Scratch) -> Chromedriver:
    """Raises Unavailable with a remedy where it does not start."""
    path = settings.chromedriver_path or shutil.which("chromedriver")
    if path is None:
        raise Unavailable("No chromedriver on PATH. Install it (Debian: chromium-driver) or set CRAWLER_CHROMEDRIVER_PATH.")
    flag = program.instance_flag()
    scratch.started(flag)
    # It passes over flags that it does not know; its browsers inherit where temporary files go.
    # A terminal's Ctrl-C is ours to answer: visits under way are finished, for which it is needed.
    service = Service(
        path, service_args=[flag], env={**os.environ, "TMPDIR": str(scratch.folder)}, popen_kw={"start_new_session": True}
    )
    try:
        async with asyncio.timeout(START_S):
            await asyncio.to_thread(service.start)
    except (WebDriverException, OSError, TimeoutError) as error:
        await asyncio.to_thread(_end, service)
        said = (getattr(error, "msg", None) or type(error).__name__).splitlines()[0]
        raise Unavailable(f"chromedriver does not start ({said}). Check CRAWLER_CHROMEDRIVER_PATH.") from error
    scratch.process(service.process.pid)
    return Chromedriver(service, flag)
