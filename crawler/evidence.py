"""evidence: what a raw capture brought, judged and made ready for the store."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from channels.pixels import ink_of, png_size
from crawler.capture import RawCapture
from crawler.during import drift_of
from crawler.frames_stored import judged, pack, recorded
from crawler.names import pack as pack_names
from crawler.names import unpack as names_in
from domain.capture import Capture, pairs
from domain.divergence import Finding, detect, rules_version, tallies
from domain.errors import ParallaxError
from domain.pixel_check import Check
from domain.reading import parse
from domain.text import PolicyName
from domain.visit import CaptureRecord, Counts, Viewport

MEDIA_TYPES = {
    "dom": "text/html; charset=utf-8",
    "served": "application/json",
    "before": "application/json",
    "after": "application/json",
    "screenshot": "image/png",
    "names": "application/json",
    "drift": "application/json",
    "page": "application/json",
    "frames": "application/json",
    "mhtml": "multipart/related",
}


class WrongViewport(ParallaxError):
    """The page was drawn in another viewport than the one that was set."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A capture's record and findings, and the content of its artifacts by name, still without digests."""

    record: CaptureRecord
    findings: tuple[Finding, ...]
    artifacts: Mapping[str, bytes]
    seen: int
    """Elements with anything to see."""
    checks: tuple[Check | None, ...] = ()
    """What the pixel check said of each finding; empty before it was asked."""
    said: str = ""
    """Digest of all texts that are seen: two captures with the same picture and another digest cannot both be true."""


def capture_of(artifact: Callable[[str], bytes | None]) -> Capture:
    """The rules' view of stored artifacts, each asked for by its name. Raises BadInput on those of an unknown version."""
    served, before, after = (parse(orjson.loads(artifact(name) or b"{}")) for name in ("served", "before", "after"))
    names = artifact("names")
    ink = ink_of(artifact("screenshot") or b"", before.scale)
    return Capture(served, before, after, ink, names_in(names) if names else {})


def weigh(raw: RawCapture, capture_id: str, index: int, policy: PolicyName, viewport: Viewport) -> Evidence:
    """Every kind asked of every element. Raises WrongViewport where page or picture are of another size than was set."""
    _check_viewport(raw, viewport)
    shown = raw.before.snapshot
    capture = Capture(raw.served.snapshot, shown, raw.after.snapshot, ink_of(raw.screenshot, shown.scale), raw.names)
    paired = pairs(capture)
    frames = pack(raw.frames)
    inner, found_inside = judged(frames, shown, capture.ink, policy)
    findings = (*detect(capture, policy, paired), *found_inside)
    paired = (*paired, *(pair for c in inner for pair in pairs(c)))
    on_screen = [pair for pair in paired if pair.shown is not None and not pair.shown.why_unseen]
    settled = sum(pair.settled for pair in on_screen)
    texts = [e.text for c in (capture, *inner) for e in c.before.elements if not e.why_unseen]
    said = hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
    artifacts = {
        "dom": raw.dom.encode("utf-8", "surrogatepass"),
        "served": raw.served.raw,
        "before": raw.before.raw,
        "after": raw.after.raw,
        "screenshot": raw.screenshot,
        **({"page": raw.facts} if raw.facts else {}),
        **({"drift": drift_of(raw.served.report["now"], raw.readings)} if raw.readings else {}),
        **({"names": pack_names(raw.names)} if raw.names else {}),
        **({"frames": frames} if frames else {}),
        **({"mhtml": raw.mhtml} if raw.mhtml is not None else {}),
    }
    record = CaptureRecord(
        id=capture_id,
        index=index,
        scroll_y=raw.scroll_y or shown.scroll_y,
        loader_served=raw.loader_served,
        loader_shown=raw.loader_shown,
        readiness=raw.readiness,
        timeline=raw.timeline,
        counts=Counts(elements=len(on_screen), settled=settled, unsettled=len(on_screen) - settled),
        frames=recorded(shown.frames, raw.frames, raw.timeline),
        tallies=tallies(findings),
        rules=rules_version(policy),
    )
    return Evidence(record, findings, artifacts, len(texts), said=said)


def _check_viewport(raw: RawCapture, viewport: Viewport) -> None:
    view: Mapping[str, Any] = raw.before.report["view"]
    wanted = (round(viewport.width * viewport.scale), round(viewport.height * viewport.scale))
    if png_size(raw.screenshot) != wanted or abs(view["scale"] - viewport.scale) > 0.01:  # noqa: PLR2004 - float noise
        raise WrongViewport(
            f"set {viewport.width}x{viewport.height} at {viewport.scale}, page says {view['width']}x{view['height']} "
            f"at {view['scale']}, picture is {png_size(raw.screenshot)}"
        )
    # A page wider than a phone's viewport widens its layout there; the picture's size is what was set all the same.
    if not viewport.mobile and (view["width"], view["height"]) != (viewport.width, viewport.height):
        raise WrongViewport(f"set {viewport.width}x{viewport.height}, the page says {view['width']}x{view['height']}")
