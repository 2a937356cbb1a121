"""Results as JSON values, and an undefined value as people read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

__all__ = ["as_text", "rounded", "to_json"]

_DIGITS = 6


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


def rounded(value: Any, *, as_given: frozenset[str] = frozenset()) -> Any:
    """JSON values with figures of six decimals; what stands under a name of `as_given` is left as it is.

    >>> rounded({"share": 1 / 3, "threshold": 1 / 3}, as_given=frozenset({"threshold"}))
    {'share': 0.333333, 'threshold': 0.3333333333333333}
    """
    if isinstance(value, dict):
        return {key: item if key in as_given else rounded(item, as_given=as_given) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item, as_given=as_given) for item in value]
    return round(value, _DIGITS) + 0.0 if isinstance(value, float) else value


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
