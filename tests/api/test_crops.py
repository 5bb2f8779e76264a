"""Crops and evidence: what is to be seen of a probe or a divergence, and why nothing is where nothing is."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from PIL import Image
from sqlalchemy import text

from api import crops
from api.app import create_app
from api.evidence import of_divergence, of_probe
from api.kept import Kept
from channels.pictures import Picture
from channels.pixels import EDGE
from channels.places import Place
from store.divergences import find_divergence
from store.probes import find_probe
from tests.api.stocked import Stocked


@pytest.fixture(scope="module")
def asking(made: Stocked) -> Iterator[TestClient]:
    """From this machine: whoever asks from elsewhere sees nothing of recipes (test_terms.py)."""
    app = create_app(made.database, made.blobs)
    with TestClient(app, raise_server_exceptions=False, client=("127.0.0.1", 50000)) as client:
        yield client


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGB")


def test_bare_and_around(asking: TestClient, made: Stocked) -> None:
    """around=0: the very pixels of the region, 60 x 30 CSS px at scale 2 from 5.5, 10; around=4: 8 image px more on each side.

    The frame of 2 CSS px stands a px off the region: columns 3 to 6.
    """
    probe = made.probes["shop"][0]
    shot = opened(made.blobs.get(probe.screenshot))
    bare = asking.get(f"/probes/{probe.id}/crop?around=0")
    assert bare.headers["content-type"] == "image/png"
    region = (11, 20, 131, 80)
    assert opened(bare.content).tobytes() == shot.crop(region).tobytes()
    wide = opened(asking.get(f"/probes/{probe.id}/crop?around=4").content)
    assert wide.size == (136, 76)
    assert wide.crop((8, 8, 128, 68)).tobytes() == shot.crop(region).tobytes()
    assert [wide.getpixel((x, 30)) == EDGE for x in range(2, 8)] == [False, True, True, True, True, False]


def test_a_divergence_looks_like_its_probe(asking: TestClient, made: Stocked) -> None:
    """The same place of the same screenshot is the same picture, under the same ETag, which costs no bytes again."""
    probe, divergence = made.probes["shop"][0], made.divergences["shop"][0]
    one, other = asking.get(f"/probes/{probe.id}/crop"), asking.get(f"/divergences/{divergence}/crop")
    assert (one.status_code, one.content, one.headers["etag"]) == (200, other.content, other.headers["etag"])
    again = asking.get(f"/probes/{probe.id}/crop", headers={"If-None-Match": one.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_window_of_a_corpus_probe(asking: TestClient, made: Stocked) -> None:
    """Nothing outside of the window that the probe shows is in a crop, however much is asked for."""
    probe = next(one for one in made.probes["screenspot_pro"] if one.view is not None)
    assert probe.view is not None
    seen = opened(asking.get(f"/probes/{probe.id}/crop?around=2000").content)
    assert seen.size == (probe.view.width, probe.view.height)


def test_nothing_to_be_seen(asking: TestClient, made: Stocked) -> None:
    """A picture that is not kept here, none such, hidden, a box that is none: 404, and the reason with what to do."""
    probe = made.probes["mind2web"][0]
    told = asking.get(f"/probes/{probe.id}/crop")
    assert told.status_code == 404
    assert "is not in this store. Pictures of mind2web are read from one's own copy" in told.json()["detail"]
    assert asking.get("/probes/web-natural-000000000000/crop").status_code == 404
    for hidden in (f"/probes/{made.probes['gone'][0].id}/crop", f"/divergences/{made.divergences['gone'][0]}/crop"):
        assert asking.get(hidden).status_code == 404
    review = asking.get("/divergences?verdict=review&limit=1").json()["items"][0]["id"]
    assert "has no box" in asking.get(f"/divergences/{review}/crop").json()["detail"]
    for wrong in ("around=-1", "around=nan", "around=2001", "around=x", "size=3"):
        assert asking.get(f"/probes/{made.probes['shop'][0].id}/crop?{wrong}").status_code == 422


def test_a_damaged_screenshot(asking: TestClient, made: Stocked, monkeypatch: pytest.MonkeyPatch) -> None:
    """A screenshot that is broken in the bucket is a problem that says so; the pages' record says it beside what there is."""
    probe = made.probes["bank"][0]
    folder = made.blobs.folder
    assert folder is not None
    path = folder / "sha256" / probe.screenshot[:2] / probe.screenshot[2:]
    # Another test may have had the same screenshot decoded in this process.
    monkeypatch.setattr(crops, "_decoded", Kept[Place](crops.DECODED_BYTES, lambda place: place.weight))
    monkeypatch.setattr(crops, "_crops", Kept[Picture](crops.CROPS_BYTES, lambda picture: len(picture.content)))
    whole = path.read_bytes()
    path.write_bytes(whole[:-9] + b"\0" * 9)
    told, known = (asking.get(f"/probes/{probe.id}/crop", headers=sent) for sent in ({}, {"If-None-Match": "*"}))
    path.write_bytes(whole)
    assert told.status_code == known.status_code == 404  # nobody can have it already
    assert told.json()["detail"].startswith(f"The screenshot {probe.screenshot} is damaged in the store")


def test_evidence(made: Stocked) -> None:
    """Times are ms since S0, archives are links, the box is in CSS px of a screenshot of 320 x 200 at scale 2."""
    probe = made.probes["shop"][0]
    seen = of_probe(made.database, made.blobs, find_probe(made.database, probe.id))
    assert [(m.name, m.ms) for m in seen.moments] == [
        ("served", 0),
        ("before", 3000),
        ("screenshot_sent", 3100),
        ("after", 3300),
    ]
    assert seen.screenshot is not None
    assert (seen.screenshot.width, seen.screenshot.height, seen.screenshot.scale) == (320, 200, 2)
    assert seen.screenshot.link == f"/archives/{probe.screenshot}"
    assert seen.box is not None
    assert seen.box.as_list() == [5.5, 10, 60, 30]
    assert [link.name for link in seen.archives] == ["screenshot", "dom", "served", "before", "after", "drift"]
    assert (seen.structural, seen.rendered, seen.sightings_total) == ("Pay 10", "Total 12", 3)
    assert [one.capture_id[:32] for one in seen.sightings] == [f"{n:032x}" for n in (2, 1, 0)]
    assert next(piece.text for piece in seen.excerpt.pieces if piece.marked) == "Pay 10"
    other = of_divergence(made.database, made.blobs, find_divergence(made.database, made.divergences["shop"][0]))
    assert (other.probe, other.archives, other.excerpt) == (seen.probe, seen.archives, seen.excerpt)
    corpus = of_probe(made.database, made.blobs, find_probe(made.database, made.probes["mind2web"][0].id))
    assert corpus.screenshot is not None
    assert (corpus.moments, corpus.screenshot.link) == ((), None)


def test_pruned(made: Stocked) -> None:
    """Of what was removed to save space it is said that it was; everything else is there."""
    probe = made.probes["evil"][0]
    capture = probe.live.capture
    moved = (
        "record || jsonb_build_object('artifacts', (record->'artifacts') - 'screenshot' - 'dom', 'pruned', record->'artifacts')"
    )
    with made.database.transaction() as connection:
        before = connection.scalar(text("select record from captures where id = :id"), {"id": capture})
        connection.execute(text(f"update captures set record = {moved} where id = :id"), {"id": capture})  # noqa: S608 - ours
    seen = of_divergence(made.database, made.blobs, find_divergence(made.database, made.divergences["evil"][0]))
    assert seen.screenshot is None or seen.screenshot.link is None
    assert seen.excerpt.problem == "The document was not stored, or was removed to save space."
    with TestClient(create_app(made.database, made.blobs), raise_server_exceptions=False) as client:
        told = client.get(f"/divergences/{made.divergences['evil'][0]}/crop")
    assert (told.status_code, "removed to save space" in told.json()["detail"]) == (404, True)
    assert before is not None


def test_kept() -> None:
    """What was asked for longest ago goes first; what is heavier than all that may be kept is made each time."""
    kept: Kept[str] = Kept(10, len)
    made = []

    def get(key: str) -> str:
        return kept.get(key, lambda: made.append(key) or key)

    for key in ("aaaa", "bbbb", "aaaa", "cccc", "aaaa", "bbbb", "d" * 11, "d" * 11):
        assert get(key) == key
    assert made == ["aaaa", "bbbb", "cccc", "bbbb", "d" * 11, "d" * 11]
