"""Which browser program to start, with which flags, and how to end what was started."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import uuid
from collections.abc import Iterator
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


def find_browser(settings: CrawlerSettings) -> str | None:
    """The program to start, or None for Playwright's own. Raises Unavailable where the setting points at nothing."""
    if settings.browser_path:
        if not os.access(settings.browser_path, os.X_OK):
            raise Unavailable(
                f"CRAWLER_BROWSER_PATH is {settings.browser_path!r}, and no program is there. "
                "Name a Chrome or Chromium, or unset it."
            )
        return settings.browser_path
    found = next((p for p in map(shutil.which, ON_PATH) if p), None)
    if found is None and platform.system() == "Darwin":
        found = next((p for p in MAC_APPS if Path(p).exists()), None)
    return found


def flags(settings: CrawlerSettings) -> tuple[str, ...]:
    """The flags for one browser. The last one is unique to it: by it its processes can be told from all others."""
    sandbox = settings.sandbox == "on" or (settings.sandbox == "auto" and not (hasattr(os, "geteuid") and os.geteuid() == 0))
    mine = f"--parallax-instance={uuid.uuid4().hex}"
    return (*FLAGS, *(() if sandbox else ("--no-sandbox",)), *shlex.split(settings.browser_flags), mine)


def processes(instance_flag: str) -> Iterator[psutil.Process]:
    """The processes of this user that were started with the given unique flag, and all their children."""
    seen: set[int] = set()
    for process in psutil.process_iter(["cmdline"]):
        if instance_flag not in (process.info["cmdline"] or ()):
            continue
        try:
            family = [process, *process.children(recursive=True)]
        except psutil.NoSuchProcess:
            continue
        for member in family:
            if member.pid not in seen:
                seen.add(member.pid)
                yield member


def end(instance_flag: str) -> int:
    """Kills what was started with this unique flag; the number of processes ended."""
    ended = list(processes(instance_flag))
    for process in ended:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(ended, timeout=5)
    return len(ended)
