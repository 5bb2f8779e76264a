"""The documents around the rows: the schema, Croissant's hashes, the configurations that the card names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
import yaml

from builder.formats.card import CARD
from builder.formats.croissant import CROISSANT
from builder.formats.schema import PLACE
from builder.verifying.problems import Problem, cut
from domain.release import SCHEMA_VERSION, Manifest
from domain.released import ReleasedProbe


def check_croissant(folder: Path, hashes: Mapping[str, str], families: Mapping[str, int]) -> Iterator[Problem]:
    """Its files are there with the hashes that it names, and each family that has probes has a record set."""
    if not (folder / CROISSANT).is_file():
        return
    try:
        document = orjson.loads((folder / CROISSANT).read_bytes())
        files = {one["contentUrl"]: one["sha256"] for one in document["distribution"]}
        sets = [one["@id"] for one in document["recordSet"]]
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        yield Problem(file=CROISSANT, what="it cannot be read", found=repr(error))
        return
    for path, stated in sorted(files.items()):
        if path not in hashes:
            yield Problem(file=CROISSANT, what=f"it names a file that is not there: {path}")
        elif hashes[path] != stated:
            yield Problem(file=CROISSANT, what=f"the hash of {path} is another", expected=hashes[path], found=stated)
    if sorted(sets) != sorted(families):
        yield Problem(
            file=CROISSANT,
            what="its record sets are not the families of the release",
            expected=", ".join(sorted(families)),
            found=", ".join(sorted(map(str, sets))),
        )


def check_schema(folder: Path, manifest: Manifest) -> Iterator[Problem]:
    """It is the schema of the type that every row was read as; a release of another version has another."""
    if not (folder / PLACE).is_file() or manifest.schema_version != SCHEMA_VERSION:
        return
    try:
        found = orjson.loads((folder / PLACE).read_bytes())
    except orjson.JSONDecodeError as error:
        yield Problem(file=PLACE, what="it is not JSON", found=str(error))
        return
    expected = ReleasedProbe.model_json_schema(mode="serialization")
    if {name: value for name, value in found.items() if name != "$schema"} != expected:
        yield Problem(file=PLACE, what="it is not the schema of the rows")


def check_card(folder: Path, manifest: Manifest, paths: Mapping[str, str]) -> Iterator[Problem]:
    """The card's metadata name each family and its files, and its text says partial and made. paths: family -> Parquet file."""
    if not (folder / CARD).is_file():
        return
    text = (folder / CARD).read_text("utf-8", errors="replace")
    head, sep, body = text.removeprefix("---\n").partition("\n---\n")
    try:
        metadata: Any = yaml.safe_load(head) if sep and text.startswith("---\n") else None
        configs = {one["config_name"]: one["data_files"] for one in metadata["configs"]}
    except (yaml.YAMLError, KeyError, TypeError) as error:
        yield Problem(file=CARD, what="its metadata cannot be read", found=cut(repr(error)))
        return
    expected = {family: [{"split": "test", "path": path}] for family, path in paths.items()}
    for family in sorted(expected.keys() | configs.keys()):
        if expected.get(family) != configs.get(family):
            yield Problem(
                file=CARD,
                what=f"the configuration {family} is not the family's files",
                expected=cut(expected.get(family)),
                found=cut(configs.get(family)),
            )
    for word, needed in (("PARTIAL", manifest.partial), ("MADE", bool(manifest.made))):
        if needed and word not in body:
            yield Problem(file=CARD, what=f"it does not say {word}, and the release is")
    if manifest.digest not in body:
        yield Problem(file=CARD, what="it does not name the release's digest", expected=manifest.digest)
