"""What lint says about cases that load."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.cases.lint import lint_cases
from pytest_grounded.model.case import ConflictExpectation, ExpectedSide, Forbidden
from pytest_grounded.testing.builders import make_case, make_chunk, make_slot

CHUNKS = [
    make_chunk("c1", "In cities the limit is $180, elsewhere $120. Parking costs $12."),
    make_chunk("c2", "The limit is $180."),
]
SIDES = ConflictExpectation(sides=(ExpectedSide(value="1", chunks=("c1",)), ExpectedSide(value="2", chunks=("c2",))))


def codes(kind: str = "answerable", **fields: Any) -> list[str]:
    return [problem.code for problem in lint_cases([make_case(kind, corpus=CHUNKS, **fields)])]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param(
            {"slots": [make_slot("180", evidence=["c2"])], "forbid": Forbidden(values=("120",))}, [], id="apart"
        ),
        pytest.param(
            {"slots": [make_slot("180", evidence=["c1"])], "forbid": Forbidden(values=("120",))},
            ["lint.forbidden_beside_right"],
            id="in one sentence",
        ),
        pytest.param(
            {"slots": [make_slot("180", evidence=["c1"])], "forbid": Forbidden(values=("12",))},
            [],
            id="in the next sentence",
        ),
        pytest.param(
            {"slots": [make_slot("180", evidence=["c2"])], "forbid": Forbidden(evidence=("c2",))},
            ["lint.required_and_forbidden"],
            id="evidence both asked for and forbidden",
        ),
        pytest.param(
            {"slots": [make_slot("180", evidence=[["c2"], ["c1"]])], "forbid": Forbidden(evidence=("c2",))},
            [],
            id="another group is left",
        ),
        pytest.param(
            {"slots": [make_slot("180", "200")], "forbid": Forbidden(values=("200",))},
            ["lint.required_and_forbidden"],
            id="a value both right and forbidden",
        ),
    ],
)
def test_lint_looks_at_what_is_forbidden(fields: dict[str, Any], expected: list[str]) -> None:
    assert codes(**fields) == expected


def test_lint_says_where_no_side_can_be_judged() -> None:
    assert codes("conflicting") == ["lint.no_sides"]
    assert (
        codes("conflicting", conflict=SIDES)
        == codes("conflicting", conflict=ConflictExpectation(resolved_to="c1"))
        == []
    )


def test_a_warning_stands_where_the_case_begins() -> None:
    (warning,) = lint_cases([make_case("conflicting", id="mileage", corpus=CHUNKS)])
    assert str(warning) == (
        "case.yaml:1:1: mileage.expect.conflict: no sides are given and the facts of the corpus give none: "
        "which sides are shown is not judged"
    )
