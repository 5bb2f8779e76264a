"""What the manifest says of the release as a whole is what its rows add up to, and what its spec asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from builder.assembled import FUNNEL, MANIFEST, ROWS, blob_name, release_digest
from builder.tally import Tally
from builder.verifying.problems import Problem, cut
from domain.release import AUDIT_SPLITS, Counts, Manifest, ReleaseSpec, Short, SourceUse
from domain.released import ReleasedProbe
from domain.selection import Candidate, candidate_of, select

_OF_AUDITS = frozenset(name for names in AUDIT_SPLITS.values() for name in names)


class Whole:
    """Counts rows, and keeps of each what a selection asks: about 1 kB."""

    def __init__(self) -> None:
        self._tally = Tally()
        self._candidates: list[Candidate] = []

    @property
    def families(self) -> Mapping[str, int]:
        """Rows by family."""
        return self._tally.by["families"]

    def add(self, row: ReleasedProbe) -> None:
        """One row more."""
        self._tally.add(row)
        self._candidates.append(candidate_of(row))

    def check(self, manifest: Manifest, folder: Path, full: set[str]) -> Iterator[Problem]:
        """The manifest's numbers. full: digests of the blobs that must be there."""
        counts, uses = self._tally.counts(), self._tally.sources()
        yield from _differ("counts", counts.model_dump(mode="json"), manifest.counts.model_dump(mode="json"))
        yield from _differ("made", self._tally.made.total(), manifest.made)
        yield from _audit(manifest, counts)
        told, found = ({name: _numbers(use) for name, use in some.items()} for some in (manifest.sources, uses))
        yield from _differ("sources", found, told)
        places = [folder / blob_name(digest) for digest in sorted(full)]
        sizes = [place.stat().st_size for place in places if place.is_file()]
        yield from _differ("blobs", {"count": len(full), "bytes": sum(sizes)}, manifest.blobs.model_dump(mode="json"))
        yield from _quotas(manifest, self._candidates)
        yield from _funnel(manifest, folder, counts.families)


def check_digest(manifest: Manifest, folder: Path, hashes: Mapping[str, str], full: set[str]) -> Iterator[Problem]:
    """The release's digest, and the files that it is over. full: digests of the blobs that are shipped."""
    yield from _differ("digest", release_digest(folder / ROWS, full), manifest.digest)
    for one in manifest.files:
        place = folder / one.name
        if not place.is_file():
            continue
        yield from _differ(f"files.{one.name}.size", place.stat().st_size, one.size)
        yield from _differ(f"files.{one.name}.sha256", hashes.get(one.name, ""), one.sha256)
    if ROWS not in {one.name for one in manifest.files}:
        yield Problem(file=MANIFEST, what=f"files does not name {ROWS}")


def _quotas(manifest: Manifest, candidates: Sequence[Candidate]) -> Iterator[Problem]:
    """The rows offered once more to the spec: all must be taken, and what is lacking is what the manifest calls shortages."""
    if manifest.partial != bool(manifest.shortages):
        yield Problem(
            file=MANIFEST,
            what="partial does not fit the shortages",
            expected=str(bool(manifest.shortages)),
            found=str(manifest.partial),
        )
    again = select(manifest.spec, candidates)
    for family, reasons in sorted(again.rejected.items()):
        for reason, count in sorted(reasons.items()):
            yield Problem(
                file=ROWS,
                what=f"{family}: more than the spec allows",
                expected=_allowed(manifest.spec, family),
                found=f"{count} too many ({reason})",
            )
    stated, found = set(map(_key, manifest.shortages)), set(map(_key, again.shortages))
    for key in sorted(found - stated):
        yield Problem(file=ROWS, what=f"{_shortage(key)} are asked for by the spec", expected=str(key[3]), found=str(key[4]))
    for key in sorted(stated - found):
        yield Problem(
            file=MANIFEST, what=f"a shortage of {_shortage(key)} is stated that there is not", found=f"{key[4]} of {key[3]}"
        )


def _audit(manifest: Manifest, counts: Counts) -> Iterator[Problem]:
    """What an audit found is what rows say of it. The rest is for its labels to tell, where they are in the release."""
    if (audit := manifest.audit) is None:
        return
    yield from _differ("audit.clean", {name: n for name, n in counts.splits.items() if name in _OF_AUDITS}, dict(audit.clean))
    yield from _differ("audit.items + audit.unasked", counts.total, audit.items + audit.unasked)
    if audit.annotators is not None:
        others = {name for kind, names in AUDIT_SPLITS.items() if kind != audit.annotators for name in names}
        yield from _differ(f"audit.clean by {audit.annotators}", {}, {n: c for n, c in audit.clean.items() if n in others})
        whole = next((one for one in audit.tables.get(audit.annotators, ()) if one.scope == "all"), None)
        yield from _differ("audit.pairs", whole.pairs if whole else 0, audit.pairs)
    for kind, tables in audit.tables.items():
        if (clean := AUDIT_SPLITS[kind][0]) in audit.clean:
            whole = next((one for one in tables if one.scope == "all"), None)
            yield from _differ(f"audit.tables.{kind}.consensus", audit.clean[clean], whole.consensus.count if whole else 0)


def _numbers(use: SourceUse) -> dict[str, int]:
    return {"probes": use.probes, "items": use.items, "made": use.made}


def _key(short: Short) -> tuple[str, str, str, int, int]:
    return short.family, short.what, short.kind or "", short.wanted, short.there


def _shortage(key: tuple[str, str, str, int, int]) -> str:
    family, what, kind, *_ = key
    return f"{family}: {'probes of kind ' + kind if what == 'kind' else what}"


def _allowed(spec: ReleaseSpec, family: str) -> str:
    quota = spec.families.get(family)
    if quota is None:
        return "none of this family"
    given = quota.model_dump(mode="json", exclude_none=True, exclude={"count"})
    return ", ".join([f"{quota.count} probes", *(f"{name} {value}" for name, value in given.items())])


def _funnel(manifest: Manifest, folder: Path, families: Mapping[str, int]) -> Iterator[Problem]:
    if (folder / FUNNEL).is_file():
        try:
            written = orjson.loads((folder / FUNNEL).read_bytes())
        except orjson.JSONDecodeError as error:
            yield Problem(file=FUNNEL, what="it is not JSON", found=str(error))
        else:
            if written != manifest.funnel.model_dump(mode="json"):
                yield Problem(file=FUNNEL, what=f"it is not the funnel of {MANIFEST}")
    for family, funnel in sorted(manifest.funnel.families.items()):
        yield from _differ(f"funnel.families.{family}.released", families.get(family, 0), funnel.released)


def _differ(name: str, expected: Any, found: Any) -> Iterator[Problem]:
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted(expected.keys() | found.keys()):
            yield from _differ(f"{name}.{key}", expected.get(key, 0), found.get(key, 0))
    elif expected != found:
        yield Problem(file=MANIFEST, what=f"{name} is not what the rows come to", expected=cut(expected), found=cut(found))
