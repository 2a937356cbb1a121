"""Whether an id of a case is free: in a suite no other file has it, in whatever case it is written."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounded.errors import Problem
from pytest_grounded.model.case import Case, Place

__all__ = ["TakenIds"]


class TakenIds:
    """The ids of the case files that were loaded so far. Two of one file are found when it is loaded."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, str], Place] = {}

    def take(self, cases: Sequence[Case]) -> list[Problem]:
        """Take the ids of a file's cases; those that another file has are told, and stay with that file.

        >>> from pytest_grounded.testing.builders import make_case
        >>> taken = TakenIds()
        >>> [taken.take([make_case(id="parking", place=Place(file=name, line=3))]) for name in ("a.yaml", "a.yaml")]
        [[], []]
        >>> print(*taken.take([make_case(id="Parking", place=Place(file="b.yaml", line=7))]))
        b.yaml:7:1: Parking.id: the id is taken in suite 'root': a.yaml:3; choose another
        """
        problems = []
        for case in cases:
            earlier = self._places.setdefault((case.suite, case.id.lower()), case.place)
            if earlier.file != case.place.file:
                problems.append(_taken(case, earlier))
        return problems


def _taken(case: Case, earlier: Place) -> Problem:
    return Problem(
        message=f"the id is taken in suite {case.suite!r}: {earlier.file}:{earlier.line}; choose another",
        code="case_file.duplicate_id",
        file=case.place.file,
        line=case.place.line,
        column=case.place.column,
        case=case.id,
        field="id",
    )
