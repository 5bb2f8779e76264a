"""docs/api-use.md: every block of it is run, in its order, against a live server, and says what the store holds.

And of docs/api.md: what has no ETag.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx2 as httpx
import pytest
from PIL import Image
from pydantic import SecretStr

from api.app import create_app
from api.settings import ApiSettings
from builder.formats import FORMATS
from store.blobs import Blobs
from store.database import Database
from tests.api.serving import serving
from tests.api.stocked import RELEASE, stock
from tests.api.walking import TOKEN, Operation, operations

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api-use.md"
ADDRESS = "http://127.0.0.1:8000"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NEEDED = ("curl", "jq", "tar", "sha256sum")
# The store (tests/api/stocked.py): four probes of the crawl (two of the shop, seen three times; two of the bank, one of the
# hostile page; that of the site which is taken down is not shown), and three of each corpus.
SAYS = {
    "stats?family=web-natural": r'"total":5',
    "-o probes.ndjson": r"\b11 probes\.ndjson\n *12 probes\.csv",
    "> parts.ndjson": r"^11$",
    "releases, crop": r'"gold": ".+"crop": "/probes/[^"/]+/crop"',
    "ls crop-": r"^(crop-web-natural-\w+\.(png|jpeg)\n){5}$",
    "sha256sum": r"screenshot\.png: OK",
    "group_by(.id)": r"\b11 new\.ndjson\n *11 all\.ndjson",
    "tar -x": rf"{RELEASE}",
    "@tsv": r'"?web-text"?:3.*\nweb-natural-\w+\t14:03:27\t14:03:31\n$',
    "while where": r"^(\S+ \S+ \S+\n){3}\S+ \S+\n$",
    "web-taxt": r"^422 bad-parameter family: .*web-text",
    "groupby": r"'desktop-graphic': 3, 'web-natural': 5, 'web-text': 3",
    "read_json(urlopen": r"web-natural +│ +5 ",
    "read_csv('probes": r"\(11,\)",
    '"json", data_files': r"^11 \['id', .*'structural'",
    "get_dataset_config_names": r"^(desktop-graphic|web-natural) \1-\w+ \[",
}
"""What a block that holds this text prints."""


@dataclass(frozen=True)
class Place:
    address: str
    folder: Path
    operations: list[Operation]


def test_what_has_no_etag(place: Place) -> None:
    """Whatever is read has an ETag, and is 304 where it is known, but for what docs/api.md names."""
    [said] = re.findall(
        r"^- There is no `ETag` on .*?(?=^- )", (PAGE.parent / "api.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    named = {one for one in re.findall(r"`(/[^`]*)`", said) if one != "/audits"}
    found, without = set(), set()
    with httpx.Client(base_url=place.address, headers={"Authorization": f"Bearer {TOKEN}"}) as asking:
        read = {one.target(): one for one in place.operations if one.method == "GET" and not one.path.startswith("/audits")}
        for target in [*read, "/", "/docs", *named]:
            answer = asking.get(target, follow_redirects=True)
            if answer.status_code == 200:
                found.add(target)
                if "etag" not in answer.headers:
                    without.add(target)
                else:  # by any tag: the dashboard is another one each time
                    assert asking.get(answer.url, headers={"If-None-Match": "*"}).status_code == 304, target
        streams = [one for one in read.values() if "format" in one.texts and not one.is_page]
        for one in streams:
            answer = asking.get(one.target({"format": "ndjson"}))
            assert (answer.status_code, "etag" in answer.headers) == (200, False), one
    assert (len(found) > 30, len(streams) > 5) == (True, True)
    assert without == named


@pytest.fixture(scope="module")
def place(server: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A server, and one folder in which the blocks are run one after another, as a reader would."""
    folder = tmp_path_factory.mktemp("stocked")
    blobs = Blobs(str(folder / "blobs"))
    made = stock(server, blobs, folder, documents=tuple(name for name in FORMATS if name != "plots"))
    app = create_app(server, blobs, ApiSettings(rate="0", token=SecretStr(TOKEN)))
    with serving(app) as address:
        yield Place(address, tmp_path_factory.mktemp("reader"), operations(app, made))


def blocks() -> list[tuple[str, str]]:
    """(language, text) of every block."""
    return BLOCK.findall(PAGE.read_text("utf-8"))


def test_each_block_is_known() -> None:
    """Every block is of a language that is run here; what is looked for in its output is in one block."""
    assert {language for language, _ in blocks()} == {"sh", "python"}
    for sign in SAYS:
        assert len([text for _, text in blocks() if sign in text]) == 1, sign


def test_every_block_runs(place: Place) -> None:
    """It ends well, and prints what the store holds."""
    if missing := [name for name in NEEDED if shutil.which(name) is None]:
        pytest.skip(f"not installed here: {', '.join(missing)}")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    more = {"PATH": path, "HF_HOME": str(place.folder / ".hf"), "HF_HUB_OFFLINE": "1", "NO_PROXY": "127.0.0.1"}
    for language, text in blocks():
        assert ADDRESS in text or language == "python", f"it asks no server: {text}"
        printed = run(place, language, text, more)
        for sign, said in SAYS.items():
            if sign in text:
                assert re.search(said, printed, re.MULTILINE | re.DOTALL), f"{text}\nprinted:\n{printed[-3000:]}"
        if "group_by(.id)" in text:  # once more: what was seen months ago is not fetched again, and nothing is there twice
            assert re.search(r"\b6 new\.ndjson\n *11 all\.ndjson", run(place, language, text, more))
    for picture in place.folder.glob("crop-*"):
        with Image.open(picture) as opened:
            assert f".{(opened.format or '').lower()}" == picture.suffix


def run(place: Place, language: str, text: str, more: Mapping[str, str]) -> str:
    """What the block prints. It must end well."""
    program = ["bash", "-euo", "pipefail", "-c"] if language == "sh" else [sys.executable, "-c"]
    done = subprocess.run(
        [*program, text.replace(ADDRESS, place.address)],
        cwd=place.folder, env={**os.environ, **more}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{text}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout
