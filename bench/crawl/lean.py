"""The bare limit again, with a browser that does less beside the page: the honest limit for a crawler that starts one so.

Headless Chrome and Chromium are whole browsers without a screen: every new context opens a window, and newer versions load
pages of their own into it (the pop-up of the address bar). This turns that off. What a page shows is not touched.
"""

from __future__ import annotations

import sys

from bench.crawl import bare

# The last --disable-features on a command line is the one that counts, so what Playwright turns off is named again.
OFF_BY_PLAYWRIGHT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)
OFF_BESIDE = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup")


def main() -> None:
    sys.argv.append("--flag=--disable-features=" + ",".join((*OFF_BY_PLAYWRIGHT, *OFF_BESIDE)))
    bare.main()


if __name__ == "__main__":
    main()
