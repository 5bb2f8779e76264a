"""A release of a stocked store, as `builder export` freezes it, and a program that asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from builder.export import choose, export
from domain.release import FamilyQuota, ReleaseSpec
from store.database import Database
from tests.api.stocked import Stocked

NAME = "whole"


@dataclass
class Frozen:
    """A release that was cut with all its documents, and a program that asks for it."""

    stocked: Stocked
    folder: Path
    client: TestClient

    @property
    def database(self) -> Database:
        return self.stocked.database

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(f"/releases/{NAME}{path}", **more)

    def content(self) -> dict[str, bytes]:
        """Path -> bytes, as the builder wrote them."""
        return content_of(self.folder)


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def cut(stocked: Stocked, folder: Path, formats: tuple[str, ...] = ("manifest", "checksums"), name: str = NAME) -> None:
    """Three conflicts of the crawl in full, two targets of a corpus as recipes."""
    families = {"web-natural": FamilyQuota(count=3), "desktop-graphic": FamilyQuota(count=2)}
    spec = ReleaseSpec(name=name, title="All of it", seed=735, families=families)
    export(stocked.database, stocked.blobs, spec, choose(stocked.database, spec), folder, formats=formats)
