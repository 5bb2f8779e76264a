"""Which browser program to start, with which flags, and how to end what was started."""

from __future__ import annotations

import contextlib
import os
import platform
import shlex
import shutil
import time
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil

from crawler.settings import CrawlerSettings
from domain.errors import Unavailable

# The headless shell is the same engine without the desktop around it: the same pixels at a fraction of the CPU.
ON_PATH = (
    "chrome-headless-shell",
    "chromium-headless-shell",
    "google-chrome",
    "google-chrome-stable",
    "chromium",
    "chromium-browser",
    "chrome",
)
MAC_APPS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# The last such list on a command line is the one that counts, so what drivers turn off for stable pages is named again here.
# A headless Chrome is a whole browser without a screen: each new context opened a window with pages of Chrome's own in it
# (WebUIOmnibox...), at more than a second of CPU a visit. What pages draw is not touched: docs/decisions/0007.
FEATURES_OFF = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "AimEnabled", "LensOverlay", "PreconnectToSearch",
    "Translate", "MediaRouter", "DialMediaRouteProvider", "OptimizationHints", "InterestFeedContentSuggestions",
    "AutofillServerCommunication", "CertificateTransparencyComponentUpdater", "NetworkTimeServiceQuerying",
    "DestroyProfileOnBrowserClose", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable",
)  # fmt: skip
# What a crawler's browser must not do: look up hosts of its own, ask, sync, update, throttle pages that are not in front.
FLAGS = (
    "--headless",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-extensions",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-breakpad",
    "--disable-prompt-on-repost",
    "--disable-hang-monitor",
    "--disable-quic",
    # WebRTC must not send UDP past the proxy: a headless shell knows the first of these, a whole Chrome the second.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-blink-features=WebTransport",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-search-engine-choice-screen",
    "--disable-features=" + ",".join(FEATURES_OFF),
    "--block-new-web-contents",
    "--metrics-recording-only",
    "--mute-audio",
    "--no-pings",
    "--password-store=basic",
    "--use-mock-keychain",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
)

END_S, LOOK_S = 5.0, 0.01


def find_browser(settings: CrawlerSettings) -> str | None:
    """The program to start, or None for Playwright's own. Raises Unavailable where the setting points at nothing."""
    if settings.browser_path:
        if (problem := _no_program(Path(settings.browser_path))) is not None:
            raise Unavailable(
                f"CRAWLER_BROWSER_PATH is {settings.browser_path!r}, and {problem}. Name a Chrome or Chromium, or unset it."
            )
        return settings.browser_path
    found = next((p for p in map(shutil.which, ON_PATH) if p), None)
    if found is None and platform.system() == "Darwin":
        found = next((p for p in MAC_APPS if Path(p).exists()), None)
    return found


def _no_program(path: Path) -> str | None:
    """Why nothing can be started there; None where there is a program."""
    if path.is_dir():
        return "that is a folder"
    if os.access(path, os.X_OK):
        return None
    return "what is there is no program (it may not be executed)" if os.access(path, os.F_OK) else "no program is there"


def remedy(settings: CrawlerSettings, more: str = "") -> str:
    """What whoever has no browser that starts can do. more: what the browser has to be besides."""
    if settings.browser_path:
        return f"CRAWLER_BROWSER_PATH chose {settings.browser_path!r}: name a Chrome or Chromium{more} there, or unset it."
    return f"Run: make setup, or set CRAWLER_BROWSER_PATH to a Chrome or Chromium{more}."


def instance_flag() -> str:
    """A flag that nothing else on earth was started with: by it processes can be told from all others."""
    return f"--parallax-instance={uuid.uuid4().hex}"


def flags(settings: CrawlerSettings, *, here: bool = True) -> tuple[str, ...]:
    """The flags for one browser; the last one is unique to it. here: it starts on this machine, as this user.

    Behind the guard the browser looks up no name itself, not even ahead of time (<link rel=dns-prefetch>): the guard does.
    """
    root = here and hasattr(os, "geteuid") and os.geteuid() == 0
    sandbox = settings.sandbox == "on" or (settings.sandbox == "auto" and not root)
    lookups = (f"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {settings.guard_host}",) if settings.guard == "on" else ()
    more = shlex.split(settings.browser_flags)
    return (*FLAGS, *lookups, *(() if sandbox else ("--no-sandbox",)), *more, instance_flag())


def processes(*instance_flags: str) -> Iterator[psutil.Process]:
    """The processes that were started with one of the given unique flags, and all their children."""
    wanted, seen = set(instance_flags), set[int]()
    for process in psutil.process_iter(["cmdline"]) if wanted else ():
        if wanted.isdisjoint(process.info["cmdline"] or ()):
            continue
        # Renderers come of a zygote and do not have the flag.
        try:
            family = [process, *process.children(recursive=True)]
        except psutil.Error:
            continue
        for member in family:
            if member.pid not in seen:
                seen.add(member.pid)
                yield member


def kill(ours: Iterable[psutil.Process]) -> int:
    """Kills these processes and waits until they have ended, 5 s at most; how many they were.

    One that has ended and that its parent has not collected yet holds nothing any more: the first process of a container or of
    a small machine takes a second and more to collect what was left to it, or never does.
    """
    ended = list(ours)
    for process in ended:
        with contextlib.suppress(psutil.Error):
            process.kill()
    limit = time.monotonic() + END_S
    while any(map(_runs, ended)) and time.monotonic() < limit:
        time.sleep(LOOK_S)
    psutil.wait_procs(ended, timeout=0)  # collects those that are children of this process
    return len(ended)


def _runs(process: psutil.Process) -> bool:
    try:
        # The first thread of a killed process may be gone before the others, and looks like the whole then.
        return process.is_running() and (process.status() != psutil.STATUS_ZOMBIE or process.num_threads() > 1)
    except psutil.Error:
        return False


def end(*instance_flags: str) -> int:
    """Kills what was started with these unique flags; the number of processes ended."""
    return kill(processes(*instance_flags))


def memory(ours: Iterable[psutil.Process]) -> int:
    """Bytes that these processes hold together. Pages that several share count once, as far as the system tells."""
    total = 0
    for process in ours:
        with contextlib.suppress(psutil.Error):
            try:
                told = process.memory_full_info()
                total += getattr(told, "pss", None) or told.uss
            except psutil.AccessDenied:
                # A process in a sandbox of its own shows its size only.
                size = process.memory_info()
                total += size.rss - getattr(size, "shared", 0)
    return total
