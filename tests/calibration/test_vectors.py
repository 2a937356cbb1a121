"""Every reference vector, and every number of the sources that can be recomputed.

`GROUNDED_VECTORS` names another file of vectors of the same kinds.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.calibration.adapter import KINDS, computed
from tests.calibration.fresh_vectors import fresh_vectors
from tests.calibration.source_numbers import NUMBERS

DATA = Path(__file__).parents[1] / "data" / "calibration"
VECTORS = json.loads(Path(os.environ.get("GROUNDED_VECTORS") or DATA / "metric_vectors.json").read_text("utf-8"))
CHECKS = json.loads((DATA / "source_numbers.json").read_text("utf-8"))["checks"]


def differences(expected: Any, found: Any, tolerance: float, path: str = "") -> Iterator[str]:
    """Where a result differs from what is expected; keys that are not expected may be there too."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            yield from differences(value, found.get(key, "nothing"), tolerance, f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from differences(one, other, tolerance, f"{path}[{place}]")
    elif not _same(expected, found, tolerance):
        yield f"{path}: expected {expected!r}, found {found!r}"


def _same(expected: Any, found: Any, tolerance: float) -> bool:
    plain = (int, float)
    if isinstance(expected, plain) and isinstance(found, plain) and not isinstance(expected, bool):
        return not isinstance(found, bool) and math.isclose(expected, found, rel_tol=0, abs_tol=tolerance)
    return type(expected) is type(found) and bool(expected == found)


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=[vector["id"] for vector in VECTORS["vectors"]])
def test_the_reference_vector_is_reproduced(vector: dict[str, Any]) -> None:
    found = computed(vector["kind"], vector["input"])
    assert not list(differences(vector["expected"], found, vector["tolerance"]))


@pytest.mark.parametrize("vector", fresh_vectors(), ids=[vector["id"] for vector in fresh_vectors()])
def test_a_fresh_vector_is_reproduced(vector: dict[str, Any]) -> None:
    found = computed(vector["kind"], vector["input"])
    assert not list(differences(vector["expected"], found, vector["tolerance"]))


def test_every_kind_of_vector_has_a_function() -> None:
    assert set(VECTORS["fields"]) <= set(KINDS)


def test_a_differing_value_is_seen() -> None:
    assert list(differences({"a": [1.0, None]}, {"a": [1.1, 0]}, 1e-9)) == [
        ".a[0]: expected 1.0, found 1.1",
        ".a[1]: expected None, found 0",
    ]


COMPUTABLE = [check for check in CHECKS if check["recomputed"] is not None and check["id"] in NUMBERS]
LEFT_OUT = {
    "000-code-gaps": "a defect of a listing",
    "003-reference": "a bibliographic mistake, no number",
}


@pytest.mark.parametrize("check", COMPUTABLE, ids=[check["id"] for check in COMPUTABLE])
def test_the_number_of_a_source_is_reproduced(check: dict[str, Any]) -> None:
    found = NUMBERS[check["id"]]()
    tolerance = max(1e-9, check["tolerance"] if check["status"] == "added" else 0)
    assert not list(differences(_plain(check["recomputed"]), _plain(found), tolerance))
    if check["status"].startswith("reproduces") and check["expected"] is not None:
        assert not list(differences(check["expected"], _plain(found), check["tolerance"] + 1e-12))


def test_every_number_that_can_be_recomputed_is() -> None:
    missing = [check["id"] for check in CHECKS if check["recomputed"] is not None and check["id"] not in NUMBERS]
    assert missing == [identifier for identifier in missing if identifier in LEFT_OUT]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value
