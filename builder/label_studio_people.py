"""Who annotated in Label Studio: an account has an id, an e-mail and a username, and an export tells some of them or none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from domain.text import normalize


class Who(NamedTuple):
    """What an annotation tells of whoever made it, folded in case and blanks; nothing where it tells nothing.

    own: names that no other account has, as an id and an e-mail; the username where there is neither. names: all of them.
    """

    own: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(slots=True)
class Person:
    """One account: annotations that share an id or an e-mail are one person's. called: the name that is told."""

    called: str
    own: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    def made(self, annotation: Mapping[str, Any]) -> bool:
        """Whether the annotation is this person's."""
        return not self.own.isdisjoint(who(annotation).own)


def who(annotation: Mapping[str, Any]) -> Who:
    """Whoever made it. A blank is no name."""
    by = annotation.get("completed_by")
    given = [by.get(name) for name in ("id", "email", "username")] if isinstance(by, dict) else [by, None, None]
    number, email, username = (_name(one) for one in given)
    own = tuple(one for one in (number, email) if one) or ((username,) if username else ())
    return Who(own, tuple(dict.fromkeys([*own, *([username] if username else [])])))


def people_of(annotations: Iterable[Mapping[str, Any]]) -> list[Person]:
    """Everybody who made one of them. A username alone makes nobody the same: two accounts may have it."""
    people: list[Person] = []
    for own, names in map(who, annotations):
        if not own:
            continue
        first, *others = same = [one for one in people if not one.own.isdisjoint(own)] or [Person(own[0])]
        first.own.update(own, *(one.own for one in others))  # this annotation has names of all of them
        first.names.update(names, *(one.names for one in others))
        people = [*(one for one in people if all(one is not other for other in same)), first]
    return people


def _name(given: Any) -> str:
    return normalize(str(given)) if isinstance(given, str | int) and not isinstance(given, bool) else ""
