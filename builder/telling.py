"""What a release says of itself in words, wherever it does: its card, its Croissant description, the commands."""

from __future__ import annotations

import re
from collections.abc import Mapping

from domain.release import Manifest

PAPER = "Do GUI Agents Believe Their Eyes? Diagnosing State-Belief Reliance on Pixels versus Structure"
GOLD: Mapping[str, str] = {
    "web-text": "the text of a node whose box was verified against the pixels by a reader; the structure says another string "
    "of the same broad type from the same page",
    "mobile-widget": "the type that people gave the node in CLAY (icon, image, switch, checkbox); the structure says text",
    "mobile-visible": "visible: CLAY labels the node as something that is drawn; the structure says that it is not",
    "mobile-stale": "not visible: CLAY labels the node as background, nothing of its own is drawn; the structure lists it as "
    "visible, and is not edited",
    "desktop-graphic": "the annotators' type of the target (icon or text), framed in a crop; the structure says the opposite",
    "web-natural": "what the page showed while it stood still, read from the frozen page and confirmed by a reader of the "
    "pixels; the structure is the document as it was served before the delay, and is not edited",
}
"""family -> where its gold comes from, and what the structure says instead."""
CONDITIONS: Mapping[str, str] = {
    "agree": "both channels say gold: the structure as its source gives it",
    "swap": "the same pixels; the structure is edited and says the other value",
    "natural": "both channels as they were found; nothing is edited",
}
VERSION_NAME = re.compile(r"v(\d+)(?:\.(\d+))?(?:\.(\d+))?")


def banners(manifest: Manifest) -> tuple[str, ...]:
    """What a reader must know before anything else: that the release is partial, that screens in it are made."""
    told = []
    if manifest.partial:
        lacks = "; ".join(map(str, manifest.shortages))
        told.append(f"PARTIAL RELEASE: it has fewer probes than it is specified to have ({lacks}).")
    if manifest.made:
        total = manifest.counts.total
        share = "All" if manifest.made == total else f"{manifest.made} of {total}"
        told.append(
            f"MADE DATA: {share} probes are of screens that were rendered for tests or of pages of the crawler's own machine. "
            "They are no evidence about the world."
        )
    return tuple(told)


def version_of(name: str) -> str:
    """The release's name as MAJOR.MINOR.PATCH: v1 is 1.0.0. Any other name is 1.0.0: a name has one version for good."""
    found = VERSION_NAME.fullmatch(name)
    return ".".join(str(int(part or 0)) for part in found.groups()) if found else "1.0.0"


def citation(manifest: Manifest) -> str:
    """BibTeX of the release. The digest is what pins it."""
    key = re.sub(r"[^a-z0-9]", "", manifest.name)
    return (
        f"@misc{{parallax_{key},\n"
        f"  title = {{{manifest.title} ({manifest.name})}},\n"
        f"  note = {{Release digest sha256:{manifest.digest}}}\n"
        "}"
    )


def licences(manifest: Manifest) -> tuple[str, ...]:
    """The licences of the sources in the release, each once, sorted."""
    return tuple(sorted({use.licence for use in manifest.sources.values()}))
