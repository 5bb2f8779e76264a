"""Modules that are loaded when they are first used: tables and pictures take seconds, help and a typing error need none."""

from __future__ import annotations

import importlib
from typing import Any


class Later:
    """Stands for a module of this name until somebody asks it for something."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(importlib.import_module(self._name), attribute)
