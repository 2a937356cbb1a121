"""What can be wrong with the *input* of a run, said with file, line, column, case and field.

Every error carries all problems of one file at once, so that a person mends a file in one go. A bad answer of the
system under test is never one of these: that is a `Finding`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["CaseError", "CorpusError", "GroundedError", "JudgeError", "Problem", "SystemContractError"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong in an input file, and where.

    >>> print(Problem(message="needs a question", file="cases/a.yaml", line=3, column=5, case="c", field="question"))
    cases/a.yaml:3:5: c.question: needs a question
    """

    message: str
    code: str = "case_file.type"
    file: str | None = None
    line: int | None = None
    column: int | None = None
    case: str | None = None
    field: str | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        subject = ".".join(part for part in (self.case, self.field) if part)
        return ": ".join(part for part in (place, subject, self.message) if part)


class GroundedError(Exception):
    """Base of every error this package raises on purpose; `problems` holds one `Problem` per thing to mend.

    >>> str(GroundedError("no such suite"))
    'no such suite'
    """

    def __init__(self, problems: str | Problem | Iterable[Problem]) -> None:
        if isinstance(problems, str):
            problems = (Problem(message=problems),)
        elif isinstance(problems, Problem):
            problems = (problems,)
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class CorpusError(GroundedError):
    """A corpus manifest or a chunk file cannot be used as it stands."""


class CaseError(GroundedError):
    """A case file cannot be used as it stands."""


class SystemContractError(GroundedError):
    """The system under test is named or built in a way that cannot be used (it is not a bad answer)."""


class JudgeError(GroundedError):
    """A support judge is named or set up in a way that cannot be used, or its measurement is of something else."""
