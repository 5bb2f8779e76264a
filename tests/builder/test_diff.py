"""builder diff: what was added, removed or changed between two releases, and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from typer.testing import CliRunner

from builder import cli_check
from builder.diff import Difference, diff
from domain.errors import BadInput, NotFound
from tests.builder import small

RUN = CliRunner()
Row = dict[str, Any]


def rows_of(place: Path) -> list[Row]:
    return [json.loads(line) for line in place.read_bytes().splitlines()]


def changed(release: Path, folder: Path, change: Callable[[list[Row]], None]) -> Difference:
    """The difference between the release and a file of its rows with something changed in them."""
    rows = rows_of(release / "probes.jsonl")
    change(rows)
    other = folder / "other.jsonl"
    other.write_bytes(b"".join(rfc8785.dumps(row) + b"\n" for row in sorted(rows, key=lambda row: str(row["id"]))))
    return diff(release, other)


def of(rows: list[Row], family: str) -> Row:
    return next(row for row in rows if row["family"] == family)


def test_a_release_does_not_differ_from_itself(small_release: Path) -> None:
    """Whether its folder is given or its file of rows."""
    found = diff(small_release, small_release / "probes.jsonl")
    assert (found.none, found.same) == (True, 8)
    assert found.families == {"desktop-graphic": {"same": 3}, "web-natural": {"same": 3}, "web-text": {"same": 2}}


def test_the_same_probes_under_another_name_are_the_same(small_release: Path, screenspot: Path, tmp_path: Path) -> None:
    """What release a row is in, and whether that is partial, is no change of the probe."""
    other = small.cut(tmp_path / "v2", small.contents(screenspot), name="v2", quotas={"web-text": 9})
    assert diff(small_release, other).none


def test_added_and_removed_probes_are_listed(small_release: Path, tmp_path: Path) -> None:
    """One goes, another comes, by family."""
    probe, *_ = small.web_text(90)
    gone: list[str] = []

    def change(rows: list[Row]) -> None:
        row = of(rows, "desktop-graphic")
        gone.append(row["id"])
        rows.remove(row)
        rows.append({**of(rows, "web-text"), **probe.model_dump(mode="json")})

    found = changed(small_release, tmp_path, change)
    assert [one.id for one in found.added] == [probe.id]
    assert [one.id for one in found.removed] == gone
    assert (found.changed, found.same) == ((), 7)
    assert found.families["desktop-graphic"] == {"removed": 1, "same": 2}
    assert found.families["web-text"] == {"added": 1, "same": 2}


def test_another_gold_of_the_same_element_is_one_change(small_release: Path, tmp_path: Path) -> None:
    """Its id is another, since ids are of content; the element tells that it is the same question."""
    before, *_ = small.live("aria", "Pay 12", "Pay 10", 1)
    after, *_ = small.live("aria", "Pay 15", "Pay 10", 1)

    def change(rows: list[Row]) -> None:
        next(row for row in rows if row["id"] == before.id).update(after.model_dump(mode="json"))

    found = changed(small_release, tmp_path, change)
    assert (found.added, found.removed, found.same) == ((), (), 7)
    (one,) = found.changed
    assert (one.id, one.now, one.reasons) == (before.id, after.id, ("gold changed",))
    assert one.fields["gold"] == ("Pay 12", "Pay 15")


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        (lambda row: row["provenance"].update(site="other"), ("provenance only",)),
        (lambda row: row.update(structure="0" * 64), ("structure differs",)),
        (lambda row: row.update(screenshot="0" * 64, structure="0" * 64), ("picture differs", "structure differs")),
        (lambda row: row["edit"].update(version=2), ("edit changed",)),
        (lambda row: row["channels"]["swap"].update(structure="0" * 64), ("channels differ",)),
        (lambda row: row.update(redistribution="recipe"), ("terms changed",)),
        (lambda row: row["region"].update(x=11), ("question changed",)),
    ],
)
def test_a_change_has_its_reasons(
    small_release: Path, tmp_path: Path, change: Callable[[Row], None], reasons: tuple[str, ...]
) -> None:
    """Each from the fields that differ; channels that differ because of the structure are no reason of their own."""
    found = changed(small_release, tmp_path, lambda rows: change(of(rows, "web-text")))
    assert [one.reasons for one in found.changed] == [reasons]
    assert (found.added, found.removed) == ((), ())


def test_what_is_no_file_of_rows_is_refused(small_release: Path, tmp_path: Path) -> None:
    """A file that is not there, a line that is no row, rows in another order."""
    with pytest.raises(NotFound, match="there is no such file"):
        diff(small_release, tmp_path / "none")
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"id":"a"}\n')
    with pytest.raises(BadInput, match=r"line 1 is no row: it has no family, gold"):
        diff(small_release, broken)
    lines = (small_release / "probes.jsonl").read_bytes().splitlines(keepends=True)
    broken.write_bytes(lines[1] + lines[0])
    with pytest.raises(BadInput, match=r"line 2: .* is not in the order of ids"):
        diff(small_release, broken)


def test_the_command_ends_with_1_where_there_is_a_difference(small_release: Path, tmp_path: Path) -> None:
    """As the usual diff does; --json has all of it."""
    same = RUN.invoke(cli_check.app, ["diff", str(small_release), str(small_release)])
    assert (same.exit_code, same.stdout.splitlines()[-1]) == (0, "No difference in 8 probes.")
    # A folder with a byte too many differs in no row.
    assert same.stderr == "Compared by probes.jsonl alone. Whether a folder is whole: builder verify FOLDER\n"
    changed(small_release, tmp_path, lambda rows: of(rows, "web-text").update(gold="Sign up"))
    arguments = ["diff", str(small_release), str(tmp_path / "other.jsonl")]
    told = RUN.invoke(cli_check.app, arguments)
    assert told.exit_code == 1
    assert told.stdout.splitlines()[-2:][0].endswith("gold changed")
    assert told.stdout.splitlines()[-1] == "    gold: Sign in -> Sign up"
    document = json.loads(RUN.invoke(cli_check.app, [*arguments, "--json"]).stdout)
    assert document["changed"][0]["fields"] == {"gold": ["Sign in", "Sign up"]}
