"""What the modules of a registry say of themselves, for lists of them."""

from __future__ import annotations

import inspect


def told_by(docstring: str | None) -> tuple[str, str]:
    """(title, description) by a module's docstring: `name: title.`, then paragraphs, each on a line of its own."""
    first, *others = inspect.cleandoc(docstring or "").split("\n\n")
    title = " ".join(first.split()).split(": ", 1)[-1]
    return title, "\n\n".join(" ".join(one.split()) for one in others)
