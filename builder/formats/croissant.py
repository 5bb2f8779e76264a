"""croissant.json: Croissant 1.0 metadata of the Parquet files and the rows, so that tools find and read them.

Source: MLCommons Croissant format specification 1.0. A record set a family, its fields read off the Parquet file's own schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from builder.assembled import LABELS, ROWS, Assembled, file_digest
from builder.telling import banners, citation, licences, version_of
from domain.families import NAMES
from domain.released import ReleasedProbe

CROISSANT = "croissant.json"
JSON_LINES, PARQUET = "application/jsonlines", "application/x-parquet"
ABOUT = (
    "each a question about one region of one screenshot whose structure says something else than its pixels. "
    "A record set is a family of probes. Structures and picture files lie beside these files in blobs/sha256/, "
    "named by their SHA-256."
)
SPDX = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*-[0-9][A-Za-z0-9.+-]*")
CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""As the specification gives it."""


def write(release: Assembled, folder: Path) -> None:
    """Writes croissant.json. The files that it names lie in the folder already: their hashes are in it."""
    manifest = release.manifest
    tables = [*parquet_files(folder)]
    document = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"parallax-{manifest.name}",
        "description": " ".join((*banners(manifest), f"{manifest.title}.", f"{manifest.counts.total} probes, {ABOUT}")),
        "license": [f"https://spdx.org/licenses/{one}" if SPDX.fullmatch(one) else one for one in licences(manifest)],
        "citeAs": citation(manifest),
        "version": version_of(manifest.name),
        "isLiveDataset": False,
        "keywords": ["GUI agents", "benchmark", "screenshots", "DOM", "view hierarchy"],
        "distribution": [
            *(_file_object(folder, name, JSON_LINES) for name in (ROWS, LABELS) if (folder / name).is_file()),
            *(_file_object(folder, path, PARQUET) for _, path in tables),
        ],
        "recordSet": [_record_set(family, path, pq.read_schema(folder / path)) for family, path in tables],
    }
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    (folder / CROISSANT).write_text(text, encoding="utf-8", newline="\n")


def parquet_files(folder: Path) -> Iterator[tuple[str, str]]:
    """(family, path from the folder) of every Parquet file, in the order of the families, parts in order."""
    for family in NAMES:
        for path in sorted((folder / "data" / family).glob("*.parquet")):
            yield family, f"data/{family}/{path.name}"


def _file_object(folder: Path, path: str, media_type: str) -> dict[str, Any]:
    digest = file_digest(folder / path)
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{(folder / path).stat().st_size} B",
        "encodingFormat": media_type,
        "sha256": digest,
    }


def _record_set(family: str, path: str, schema: pa.Schema) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": family,
        "name": family,
        "description": f"Probes of the family {family}, one a record, sorted by id.",
        "key": {"@id": f"{family}/id"},
        "field": [_field(family, path, (one.name,), one.type, ()) for one in schema],
    }


def _field(family: str, file: str, path: tuple[str, ...], kind: pa.DataType, steps: tuple[str, ...]) -> dict[str, Any]:
    """One column, or what lies in it. steps: JSON paths from the column's value to this one, applied in turn."""
    made: dict[str, Any] = {"@type": "cr:Field", "@id": "/".join((family, *path)), "name": path[-1]}
    if len(path) == 1 and (told := _description(path[0])):
        made["description"] = told
    if _is_image(kind):
        return made | {"dataType": "sc:ImageObject", "source": _source(file, path[0], _inside(steps, "bytes"))}
    each = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    if each:
        made["repeated"] = True
        kind = kind.value_type
    if pa.types.is_struct(kind):
        # What lies in the entries of a list is asked of each entry: a step of its own. Else the path just grows.
        inner = [
            _field(family, file, (*path, f.name), f.type, (*steps, f.name) if each else _inside(steps, f.name)) for f in kind
        ]
        return made | {"subField": inner}
    return made | {"dataType": _data_type(kind), "source": _source(file, path[0], steps)}


def _is_image(kind: pa.DataType) -> bool:
    """Hugging Face's way to keep a picture in a table."""
    return bool(pa.types.is_struct(kind)) and {field.name for field in kind} == {"bytes", "path"}


def _inside(steps: tuple[str, ...], name: str) -> tuple[str, ...]:
    return (*steps[:-1], f"{steps[-1]}.{name}") if steps else (name,)


def _source(file: str, column: str, steps: tuple[str, ...]) -> dict[str, Any]:
    source: dict[str, Any] = {"fileObject": {"@id": file}, "extract": {"column": column}}
    if steps:
        source["transform"] = [{"jsonPath": step} for step in steps]
    return source


def _data_type(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "sc:Boolean"
    if pa.types.is_integer(kind):
        return "sc:Integer"
    if pa.types.is_floating(kind):
        return "sc:Float"
    return "sc:DateTime" if pa.types.is_timestamp(kind) else "sc:Text"


def _description(name: str) -> str:
    field = ReleasedProbe.model_fields.get(name)
    return (field.description or "") if field else ""
