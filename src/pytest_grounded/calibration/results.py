"""Results as JSON values, and an undefined value as people read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

__all__ = ["as_text", "to_json"]


def to_json(result: Any) -> Any:
    """A result as plain JSON values: dataclasses become objects, fractions floats, enums their values.

    >>> from pytest_grounded.calibration.intervals import wilson
    >>> to_json(wilson(0, 0))
    {'low': 0.0, 'high': 1.0}
    """
    if is_dataclass(result) and not isinstance(result, type):
        return {field.name: to_json(getattr(result, field.name)) for field in fields(result)}
    if isinstance(result, Enum):
        return result.value
    if isinstance(result, Fraction):
        return float(result)
    if isinstance(result, Mapping):
        return {str(key): to_json(value) for key, value in result.items()}
    if isinstance(result, tuple | list):
        return [to_json(value) for value in result]
    return result


def as_text(result: Any, name: str, form: str = ".3f") -> str:
    """A field of a result for a report: formatted, or `n/a` with the reason.

    >>> from pytest_grounded.calibration.curves import risk_coverage
    >>> curve = risk_coverage([0.9, 0.4], [1, 1])
    >>> as_text(curve, "augrc"), as_text(curve, "auroc")
    ('0.000', 'n/a (no answer is wrong)')
    """
    value = getattr(result, name)
    if value is None:
        return f"n/a ({getattr(result, 'undefined', {}).get(name, 'not defined')})"
    return format(value, form)
