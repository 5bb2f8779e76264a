"""Everything that can go wrong on purpose."""

from __future__ import annotations

import pytest

from domain import errors
from domain.errors import BadInput, ParallaxError

ALL = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, ParallaxError)]


@pytest.mark.parametrize("kind", ALL)
def test_an_error_explains_itself(kind: type[ParallaxError]) -> None:
    """Raised without a word, an error says its docstring; raised with one, that."""
    assert str(kind()) == kind.__doc__
    assert str(kind("The disk is full.")) == "The disk is full."


@pytest.mark.parametrize("kind", ALL)
def test_exit_codes(kind: type[ParallaxError]) -> None:
    """2 where who asked can mend it, 3 where the crawler stopped itself, 130 where somebody stopped it, else 1, never 0."""
    special = {errors.Tripped: 3, errors.Stopped: 130}
    assert kind.exit_code == (2 if issubclass(kind, BadInput) else special.get(kind, 1))
