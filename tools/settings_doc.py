"""Writes docs/settings.md from the settings classes, which say of each setting its type, default and meaning.

.venv/bin/python tools/settings_doc.py            writes the page
.venv/bin/python tools/settings_doc.py --print    prints it instead
"""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from api.settings import ApiSettings
from builder.settings import BuilderSettings
from crawler.settings import CrawlerSettings
from store.settings import StoreSettings

PAGE = Path(__file__).resolve().parents[1] / "docs" / "settings.md"
# Units that a name does not say; a name in _ms does.
UNITS = {
    "viewport": "CSS px",
    "concurrency": "pages",
    "max_nodes": "elements",
    "max_elements": "elements",
    "max_html_units": "UTF-16 units",
    "max_visit_bytes": "bytes",
    "max_visit_requests": "requests",
    "tries": "tries",
    "backlog": "visits",
    "breaker": "visits",
    "host_breaker": "visits",
    "browser_visits": "visits",
    "browser_memory_mb": "MB",
    "metrics_port": "port",
    "tick_s": "s",
    "workers": "processes",
    "least_free_mb": "MB",
    "port": "port",
    "threads": "threads",
    "max_body": "bytes",
    "head_s": "s",
    "body_s": "s",
    "stall_s": "s",
    "connections": "connections",
    "seed": "any number",
    "vision_timeout_s": "s",
    "vision_retries": "tries",
    "vision_parallel": "items",
}
WORDS: dict[Any, str] = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "`true`, `false`",
    Path: "path",
    SecretStr: "text, secret",
}
HEAD = """\
# Settings

Written by `tools/settings_doc.py` from the settings classes; a test tells when it is old. Nothing has to be set.

Each setting is an environment variable. One that is not in the environment is looked for in `.env` in the current folder.
A value that is wrong is an error of every command of its program, exit code 2. A name that begins like ours and that nothing
reads (`CRAWLER_DELAY`) is named in a warning; of names with `API_`, which others use too, only what looks like one of ours.
Options on the command line (`--delay`, `--driver`, `--viewport`, `--policy`, `--concurrency`) go before both. Where a
[site list](sites.md) gives a site a delay, a viewport or a device, that goes before these; only `--delay` goes before the list.
"""
SECTIONS: tuple[tuple[str, str, type[BaseSettings]], ...] = (
    ("Crawler", "Defined in `crawler/settings.py`.", CrawlerSettings),
    (
        "Store",
        "Defined in `store/settings.py`; more in [store](store.md). A variable set to nothing counts as unset.",
        StoreSettings,
    ),
    (
        "Builder",
        "Defined in `builder/settings.py`; more in [ingest](ingest.md). Options of the commands go before them.",
        BuilderSettings,
    ),
    ("API", "Defined in `api/settings.py`. The options of `api serve` go before them.", ApiSettings),
)


def variable(settings: type[BaseSettings], name: str, field: FieldInfo) -> str:
    """The environment variable of a field."""
    if field.validation_alias is not None:
        return str(field.validation_alias)
    return f"{settings.model_config.get('env_prefix', '')}{name}".upper()


def type_of(annotation: Any) -> str:
    """A type in a person's words."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in inner)
    if origin in {Union, types.UnionType}:
        return " or ".join(type_of(one) for one in inner if one is not type(None))
    return WORDS.get(annotation, str(annotation))


def limits(field: FieldInfo) -> str:
    least = next((rule.ge for rule in field.metadata if isinstance(rule, Ge)), None)
    most = next((rule.le for rule in field.metadata if isinstance(rule, Le)), None)
    if least is None and most is None:
        return ""
    return f", {least} to {most}" if most is not None else f", {least} or more"


def unit(name: str) -> str:
    return "ms" if name.endswith("_ms") else UNITS.get(name, "-")


def default_of(field: FieldInfo) -> str:
    if field.default is None or field.default == "":
        return "unset"
    return f"`{str(field.default).lower() if isinstance(field.default, bool) else field.default}`"


def rows(settings: type[BaseSettings]) -> list[str]:
    """A line of the table for each field."""
    lines = []
    for name, field in settings.model_fields.items():
        what = " ".join((field.description or "").split()).replace("|", "\\|")
        kind = type_of(field.annotation) + limits(field)
        lines.append(f"| `{variable(settings, name, field)}` | {kind} | {default_of(field)} | {unit(name)} | {what} |")
    return lines


def page() -> str:
    """The page as the file holds it."""
    parts = [HEAD]
    for title, about, settings in SECTIONS:
        table = ["| variable | type | default | unit | what |", "| --- | --- | --- | --- | --- |", *rows(settings)]
        parts.append(f"\n## {title}\n\n{about}\n\n" + "\n".join(table) + "\n")
    return "".join(parts)


def main(arguments: list[str]) -> int:
    if arguments == ["--print"]:
        print(page(), end="")
    elif arguments:
        print("settings_doc: asked for something else than --print", file=sys.stderr)
        return 2
    else:
        PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
