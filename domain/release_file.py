"""The file of quotas that a release is cut by: all that is wrong with it is told at once, with its place and what to write."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from domain.errors import BadInput
from domain.families import NAMES
from domain.release import LARGEST, FamilyQuota, ReleaseSpec

FORMAT = "docs/release.md"
"""Where all fields are, with an example."""
_NUMBER = f"write a whole number from 1 to {LARGEST} without quotes: count = 20"
_WRITE: Mapping[str, str] = {
    "name": 'write name = "mine-1": lower case letters, digits, ".", "_" and "-", at most 64',
    "title": 'write title = "..." with a few words for people',
    "seed": "write a whole number without quotes: seed = 735",
    "made": 'write "take" or "leave"',
    "families": "write a table for each family, of one at least: [families.web-natural]",
    "kinds": "write a table of whole numbers: kinds = { aria = 10, title = 5 }",
    "sources": 'write a list of names: sources = ["live"]',
    "sites": 'write a list of names: sites = ["shop"]',
}
"""Field -> what to write there; of all others it is a number."""
_FAMILY_DEPTH = 2
"""families.<family>: the place of a quota."""
_SHOWN = 80


def parse_spec(text: str, where: str) -> ReleaseSpec:
    """The spec in a TOML file. where: what to call the file. Raises BadInput with a line for each thing that is wrong."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{where}: this is not TOML: {error}. An example: {FORMAT}") from None
    problems = list(_strangers(given.get("families")))
    spec = None
    try:
        spec = ReleaseSpec.model_validate(given)
    except ValidationError as error:
        problems += [_problem(one["loc"], one["type"], one["msg"], one["input"]) for one in error.errors()]
    if problems or spec is None:
        told = [f"{where}, {problem}" for problem in problems]
        raise BadInput("\n".join([*told, f"All fields, with an example: {FORMAT}"]))
    return spec


def _strangers(families: Any) -> Iterator[str]:
    """Families that there are not, and kinds of those that have none."""
    given = families if isinstance(families, dict) else {}
    for name in given:
        if name not in NAMES:
            yield f"families.{name}: no such family. Known: {', '.join(NAMES)}"
    for name, quota in given.items():
        if name in NAMES and name != "web-natural" and isinstance(quota, dict) and quota.get("kinds") is not None:
            yield f"families.{name}.kinds: only web-natural has kinds"


def _problem(place: tuple[int | str, ...], sort: str, said: str, given: Any) -> str:
    """The breadcrumb, the value where it is short, what is wrong with it, and what to write. sort, said: as pydantic tells."""
    crumb = ".".join(map(str, place)) or "the whole"
    value = f" = {given!r}" if isinstance(given, str | int | float | bool) and len(repr(given)) < _SHOWN else ""
    if sort == "value_error":  # a sentence of ours
        return f"{crumb}{value}: {said.removeprefix('Value error, ')}"
    if sort == "extra_forbidden":
        known = ReleaseSpec.model_fields if len(place) == 1 else FamilyQuota.model_fields
        return f"{crumb}{value}: there is no such field. Known: {', '.join(known)}"
    missing = "it is required; " if sort == "missing" else ""
    return f"{crumb}{'' if missing else value}: {missing}{_remedy(place)}"


def _remedy(place: tuple[int | str, ...]) -> str:
    if len(place) == _FAMILY_DEPTH and place[0] == "families":
        return f"write a table: [families.{place[1]}], and under it count = 20"
    field = str(place[-2] if isinstance(place[-1], int) else place[-1]) if place else "families"
    return _WRITE.get(field, _NUMBER)
