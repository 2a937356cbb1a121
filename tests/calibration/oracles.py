"""The libraries people trust, imported without what they warn of while they load; all are in the extra `test`."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

__all__ = ["imported"]


def imported(name: str) -> Any:
    """The module; what it warns of while it loads is not ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module(name)
