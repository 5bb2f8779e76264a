"""A release can be looked at and downloaded exactly as `builder export` froze it, whatever happens to the store afterwards."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from api.app import create_app
from api.lists import question_of
from api.paging import cursor_of
from api.released import ReleasesAsked
from api.settings import ApiSettings
from builder.formats import FORMATS
from builder.verify import verify
from domain.takedown import read_covered
from store import takedowns
from store.prune import sweep_orphans
from tests.api.frozen import NAME, Frozen, cut
from tests.api.stocked import NOON, Stocked


@pytest.fixture(scope="module")
def frozen(made: Stocked, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Frozen]:
    folder = tmp_path_factory.mktemp("whole") / NAME
    cut(made, folder, FORMATS)
    with TestClient(create_app(made.database, made.blobs), raise_server_exceptions=False) as client:
        yield Frozen(made, folder, client)


def test_every_file_is_to_be_had_as_it_was_written(frozen: Frozen) -> None:
    """The list names every file of the folder with its size and hash; what its link gives is that file, byte for byte."""
    written = frozen.content()
    listed = frozen.get("/files", params={"limit": 500}).json()
    assert [one["path"] for one in listed["items"]] == sorted(written)
    assert listed["next"] is None
    for one in listed["items"]:
        content = written[one["path"]]
        assert (one["size"], one["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
        assert (one["hidden"], one["link"]) == (False, f"/releases/{NAME}/files/{one['path']}")
        answer = frozen.client.get(one["link"])
        assert answer.content == content, one["path"]
        assert answer.headers["content-disposition"] == f'attachment; filename="{one["path"].rsplit("/", 1)[-1]}"'
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "public, max-age=86400, immutable"
    media = {one["path"].rpartition(".")[2]: one["media_type"] for one in listed["items"] if "blobs/" not in one["path"]}
    assert media == {
        "md": "text/markdown; charset=utf-8",
        "txt": "text/plain; charset=utf-8",
        "json": media["json"],
        "jsonl": "application/x-ndjson",
        "parquet": "application/vnd.apache.parquet",
        "png": "image/png",
    }


def test_a_part_of_a_file_is_to_be_had(frozen: Frozen) -> None:
    """By Range, of the bytes as they were written, as from /archives."""
    rows = (frozen.folder / "probes.jsonl").read_bytes()
    answer = frozen.get("/files/probes.jsonl", headers={"Range": "bytes=10-19"})
    assert (answer.status_code, answer.content) == (206, rows[10:20])
    assert answer.headers["content-range"] == f"bytes 10-19/{len(rows)}"
    assert frozen.get("/files/probes.jsonl", headers={"Range": f"bytes={len(rows)}-"}).status_code == 416
    whole = frozen.get("/files/probes.jsonl")
    assert frozen.get("/files/probes.jsonl", headers={"If-None-Match": whole.headers["etag"]}).status_code == 304
    head = frozen.client.head(f"/releases/{NAME}/files/probes.jsonl", headers={"Accept-Encoding": "identity"})
    assert (head.headers["content-length"], head.content) == (str(len(rows)), b"")


def test_pages_of_files_join_to_the_whole(frozen: Frozen) -> None:
    """Page by page, and as a stream, it is the same list; a cursor of one release is none of another's."""
    whole = [one["path"] for one in frozen.get("/files", params={"limit": 500}).json()["items"]]
    found, address = [], f"/releases/{NAME}/files?limit=4"
    while address:
        page = frozen.client.get(address).json()
        found += [one["path"] for one in page["items"]]
        address = page["next"]
    assert found == whole
    lines = frozen.get("/files", params={"format": "ndjson", "fields": "path"}).text.splitlines()
    assert [json.loads(line) for line in lines] == [{"path": path} for path in whole]
    cursor = frozen.get("/files", params={"limit": 4}).json()["after"]
    assert frozen.client.get("/releases/tiny/files", params={"limit": 4, "after": cursor}).status_code == 400
    question, places = question_of("/releases", ReleasesAsked()), ((), ("yesterday", NAME), ("1", "2", "3"), (1, 2))
    forged = [cursor_of(place, question) for place in places]  # type: ignore[arg-type]
    assert [frozen.client.get("/releases", params={"after": one}).status_code for one in forged] == [400] * 4


def test_the_tar_is_a_release_that_verify_accepts(frozen: Frozen, tmp_path: Path) -> None:
    """Unpacked it is the folder, byte for byte; as long as was said beforehand; the same bytes the next time."""
    answer = frozen.get("/download")
    assert answer.status_code == 200
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert frozen.client.head(f"/releases/{NAME}/download").headers["content-length"] == str(len(answer.content))
    assert frozen.get("/download").content == answer.content
    assert frozen.get("/download", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
    assert answer.headers["cache-control"] == "public, max-age=86400, immutable"
    with tarfile.open(fileobj=io.BytesIO(answer.content)) as tar:
        tar.extractall(tmp_path, filter="data")
    assert [path.name for path in tmp_path.iterdir()] == [NAME]
    unpacked = tmp_path / NAME
    assert {
        str(p.relative_to(unpacked)): p.read_bytes() for p in sorted(unpacked.rglob("*")) if p.is_file()
    } == frozen.content()
    assert verify(unpacked) == []


def test_a_download_that_broke_off_goes_on_where_it_did(frozen: Frozen) -> None:
    """By Range of the same ETag; of another it begins again."""
    whole = frozen.get("/download")
    half, size = len(whole.content) // 2, len(whole.content)
    rest = frozen.get("/download", headers={"Range": f"bytes={half}-", "If-Range": whole.headers["etag"]})
    assert (rest.status_code, whole.content[:half] + rest.content == whole.content) == (206, True)
    assert rest.headers["content-range"] == f"bytes {half}-{size - 1}/{size}"
    assert frozen.get("/download", headers={"Range": "bytes=5-9", "If-Range": '"another"'}).status_code == 200
    assert frozen.get("/download", headers={"Range": f"bytes={size}-"}).headers["content-range"] == f"bytes */{size}"


def test_only_the_file_itself_is_kept_for_good(frozen: Frozen) -> None:
    """What is worked out in its place is asked for again: so caches find out when the file has come. Both have ETags."""
    with frozen.database.transaction() as connection:  # as of one that was frozen before files were kept
        connection.execute(
            text("delete from release_files where release = 'tiny' and path in ('manifest.json', 'severity.json')")
        )
    for name, control in (("tiny", "no-cache"), (NAME, "public, max-age=31536000, immutable")):
        for part in ("manifest", "severity"):
            answer = frozen.client.get(f"/releases/{name}/{part}")
            assert (answer.status_code, answer.headers["cache-control"]) == (200, control)
            known = {"If-None-Match": answer.headers["etag"]}
            assert frozen.client.get(f"/releases/{name}/{part}", headers=known).status_code == 304
        page = frozen.client.get(f"/pages/releases/{name}").text
        assert ("is worked out here from the rows" in page) is (name == "tiny")
        assert ("severity.json</a>, as it was frozen" in page) is (name == NAME)


def test_documents_are_the_bytes_that_were_frozen(frozen: Frozen) -> None:
    """The manifest and the severity are the files of the folder, and the record has what the manifest says."""
    assert frozen.get("/manifest").content == (frozen.folder / "manifest.json").read_bytes()
    assert frozen.get("/severity").content == (frozen.folder / "severity.json").read_bytes()
    record = frozen.get("").json()
    assert record["manifest"] == json.loads((frozen.folder / "manifest.json").read_bytes())
    assert (record["name"], record["probes"], record["hidden"], record["files"]) == (NAME, 5, 0, len(frozen.content()))
    assert record["bytes"] == sum(map(len, frozen.content().values()))
    for name in ("manifest", "files", "severity"):
        assert frozen.client.get(record["links"][name]).status_code == 200
    assert frozen.client.get("/releases/tiny/severity").status_code == 200  # it came without the file: from its rows
    tiny = frozen.client.get("/releases/tiny/severity").json()
    whole = frozen.get("/severity").json()
    medians = [
        {name: (one["natural_median"], one["synthetic_median"]) for name, one in report["comparisons"][0]["measures"].items()}
        for report in (tiny, whole)
    ]
    assert medians[0] == medians[1]


def test_releases_are_listed_the_newest_first(frozen: Frozen) -> None:
    """And page by page."""
    assert [one["name"] for one in frozen.client.get("/releases").json()["items"]] == [NAME, "tiny"]
    first = frozen.client.get("/releases", params={"limit": 1, "fields": "name"}).json()
    assert first["items"] == [{"name": NAME}]
    assert [one["name"] for one in frozen.client.get(first["next"]).json()["items"]] == ["tiny"]
    lines = frozen.client.get("/releases", params={"format": "ndjson"}).text.splitlines()
    assert [json.loads(line)["name"] for line in lines] == [NAME, "tiny"]


@pytest.mark.parametrize("path", ["", "/manifest", "/severity", "/files", "/download", "/files/README.md"])
def test_there_is_no_such_release(frozen: Frozen, path: str) -> None:
    """404, with those that there are."""
    answer = frozen.client.get(f"/releases/v9{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    assert "tiny, whole" in answer.json()["detail"]


@pytest.mark.parametrize(
    "path", ["nothing", "../manifest.json", "%2e%2e/manifest.json", "blobs", "README.md/", "%2fetc/passwd"]
)
def test_there_is_no_such_file(frozen: Frozen, path: str) -> None:
    """A path is looked up, and never followed."""
    assert frozen.get(f"/files/{path}").status_code == 404


def test_the_page_says_what_the_record_says(frozen: Frozen) -> None:
    """Counts link to the probes that they count, files to the files; the tables have the numbers of the pictures."""
    page = frozen.client.get(f"/pages/releases/{NAME}").text
    assert f'<link rel="alternate" type="application/json" href="/releases/{NAME}">' in page
    assert f"<code>{frozen.get('').json()['digest']}</code>" in page
    assert f'<a href="/pages/probes?release={NAME}&amp;family=web-natural">web-natural</a>' in page
    for path in ("README.md", "data/web-natural/test-00000-of-00001.parquet"):
        assert f'<a href="/releases/{NAME}/files/{path}" download>{path}</a>' in page
    report = frozen.get("/severity").json()["comparisons"][0]
    assert [f"{one['natural_median']:.3f}" in page for one in report["measures"].values()] == [True] * 5
    assert page.count('<path class="found"') == 5
    assert page.count('<path class="line"') == 1  # the legend's: there are no edited ones
    assert f'href="/pages/releases/{NAME}"' in frozen.client.get("/pages/releases").text
    anywhere = create_app(frozen.database, frozen.stocked.blobs, ApiSettings(hosts="*"))
    with TestClient(anywhere) as client:
        assert "reboot" not in client.get(f"/pages/releases/{NAME}", headers={"Host": "x$(reboot)"}).text


def test_what_is_taken_down_is_not_handed_out(frozen: Frozen) -> None:
    """Its blobs and every file that shows its rows are gone, the whole is refused with how many; lifted, all is back."""
    whole = frozen.get("/download").content
    takedowns.add(frozen.database, read_covered("shop.example"), why="a letter", by_whom="me")
    hidden = frozen.get("").json()["hidden_by_family"]
    assert sum(hidden.values()) == frozen.get("").json()["hidden"] > 0
    refused = frozen.get("/download")
    assert (refused.status_code, refused.json()["code"]) == (403, "refused")
    assert f"{sum(hidden.values())} of the 5 probes" in refused.json()["detail"]
    listed = {one["path"]: one for one in frozen.get("/files", params={"limit": 500}).json()["items"]}
    withheld = {path for path, one in listed.items() if one["hidden"]}
    assert {path for path in withheld if not path.startswith("blobs/")} == {
        "probes.jsonl",
        "data/web-natural/test-00000-of-00001.parquet",
    }
    told = b"https://shop.example/"
    for path, one in listed.items():
        answer = frozen.get(f"/files/{path}")
        assert answer.status_code == (404 if one["hidden"] else 200), path
        assert (one["link"] is None) == one["hidden"]
        assert told not in answer.content, path
        if one["hidden"] or not path.startswith("blobs/"):
            assert frozen.client.get(f"/archives/{one['sha256']}").status_code == 404, path
    assert frozen.client.get("/releases").json()["items"][0]["hidden"] == sum(hidden.values())
    rows = frozen.client.get("/probes", params={"release": NAME})
    assert (len(rows.json()["items"]), told in rows.content) == (5 - sum(hidden.values()), False)
    page = frozen.client.get(f"/pages/releases/{NAME}").text
    assert f"{sum(hidden.values())} of its probes were taken down since" in page
    assert f"{NAME}/download" not in page
    assert f"{NAME}/files/probes.jsonl" not in page  # nor does anything say how to load it
    takedowns.lift(frozen.database, "shop.example")
    assert frozen.get("/download").content == whole


def test_a_tar_has_no_file_that_is_not_handed_out_alone(frozen: Frozen) -> None:
    """Whatever it is hidden for: the whole is refused as long as one of its files is, and the page does not offer it."""
    path, digest = next(
        (one["path"], one["sha256"])
        for one in frozen.get("/files", params={"limit": 500}).json()["items"]
        if one["path"].startswith("blobs/")
    )
    for moment, status, files in (("now()", 404, 403), ("null", 200, 200)):
        with frozen.database.transaction() as connection:
            connection.execute(text(f"update blobs set hidden = {moment} where digest = :digest"), {"digest": digest})  # noqa: S608
        whole = frozen.get("/download")
        assert (frozen.get(f"/files/{path}").status_code, whole.status_code) == (status, files)
        assert (f"{NAME}/download" in frozen.client.get(f"/pages/releases/{NAME}").text) is (files == 200)
        if files != 200:
            assert "1 of the files of release whole were taken down" in whole.json()["detail"]


def test_what_is_frozen_does_not_change(frozen: Frozen, tmp_path: Path) -> None:
    """Nor when the same is exported again, probes are withdrawn, and blobs that nobody names are removed."""
    paths = ["/manifest", "/severity", "/files?limit=500", "/download"]
    before = [frozen.get(path).content for path in paths]
    record = frozen.get("").json()
    cut(frozen.stocked, tmp_path / "again", formats=())
    with frozen.database.transaction() as connection:
        connection.execute(text("delete from sightings"))
        connection.execute(text("delete from probes"))
    frozen.stocked.blobs.put(b"nobody's", "text/plain")
    assert sweep_orphans(frozen.database, frozen.stocked.blobs, older_than=NOON.replace(year=2999), dry_run=False).blobs == 1
    assert [frozen.get(path).content for path in paths] == before
    assert frozen.get("").json() == record


def test_what_is_deleted_is_not_handed_out(frozen: Frozen) -> None:
    """Of no visit that a take-down deleted, by whatever address it was covered: none of its rows, pictures or files, anywhere.

    Nor does anything of it come back when the take-down is lifted.
    """
    of_shop = "https://shop.example/"
    with frozen.database.transaction() as connection:  # as if these visits had passed an address of another host
        passed = "update visits set record = jsonb_set(record, '{response,redirects}', :passed) where url = :url"
        connection.execute(text(passed), {"passed": '["https://led.example/board"]', "url": of_shop})
    rows = frozen.client.get("/probes", params={"release": NAME}).json()["items"]
    gone = [row for row in rows if row["provenance"]["url"] == of_shop]
    digests = {row[name] for row in gone for name in ("screenshot", "structure")}
    assert gone
    takedowns.add(frozen.database, read_covered("led.example"), why="a letter", by_whom="me", purged=True)
    for lifted in (False, True):
        if lifted:
            takedowns.lift(frozen.database, "led.example")
        left = 5 - len(gone)
        told = frozen.client.get("/probes", params={"release": NAME}).json()["items"]
        assert [row["id"] for row in told] == [row["id"] for row in rows if row not in gone]
        assert frozen.client.get("/stats", params={"release": NAME}).json()["total"] == left
        assert frozen.client.get("/probes", params={"release": NAME, "site": "shop"}).json()["items"] == []
        gallery = frozen.client.get("/pages/probes", params={"release": NAME}).text
        assert not any(row["id"] in gallery for row in gone)
        assert "removed to save space" not in gallery
        assert frozen.get("").json()["hidden_by_family"] == {"web-natural": len(gone)}
        assert (frozen.get("/download").status_code, frozen.get("/files/probes.jsonl").status_code) == (403, 404)
        assert frozen.get("/files/data/web-natural/test-00000-of-00001.parquet").status_code == 404
        files = {one["sha256"]: one for one in frozen.get("/files", params={"limit": 500}).json()["items"]}
        for digest in digests:
            assert frozen.client.get(f"/archives/{digest}").status_code == 404
            assert files[digest]["hidden"]
        page = frozen.client.get(f"/pages/releases/{NAME}").text
        assert f"{len(gone)} of its probes were taken down since" in page
        assert f"/releases/{NAME}/download" not in page
        assert f"/releases/{NAME}/files/probes.jsonl" not in page
