"""What a support judge is asked and what it says: whether the texts a claim cites, read together, support it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

__all__ = ["JudgeFailedError", "Ruling", "ScoringJudge", "Support", "SupportJudge", "SupportVerdict"]

SupportVerdict = Literal["support", "contradict", "neutral", "unsure"]


class JudgeFailedError(Exception):
    """A judge gave no usable verdict: `kind` in a word, with nothing of what was judged.

    `is_down`: it could not be reached or did not reply, with the `status` of the protocol if any; whatever it is asked
    next would fail the same. Without it, it replied, and the reply is no verdict.

    >>> print(JudgeFailedError("http_status", status=429, is_down=True))
    http_status_429
    """

    def __init__(self, kind: str, *, status: int | None = None, is_down: bool = False) -> None:
        super().__init__(kind if status is None else f"{kind}_{status}")
        self.kind = kind
        self.status = status
        self.is_down = is_down


@runtime_checkable
class SupportJudge(Protocol):
    """Says whether evidence entails a claim. A measuring instrument with an error rate, so it has a version."""

    @property
    def name(self) -> str:
        """Name for the trace."""
        ...

    @property
    def version(self) -> str:
        """Version for the trace; a verdict and a measurement hold for one version."""
        ...

    def judge(self, claim: str, evidence: Sequence[str]) -> SupportVerdict:
        """The verdict on a claim, given the texts it cites, read together; raises JudgeFailedError without one."""
        ...


@runtime_checkable
class ScoringJudge(SupportJudge, Protocol):
    """A judge that cuts a score: how sure it is of support, which can be held to how often it is right."""

    @property
    def threshold(self) -> float:
        """From this score on it says support."""
        ...

    def score(self, claim: str, evidence: Sequence[str]) -> float | None:
        """Between 0 and 1, or None where no score decides; raises JudgeFailedError as `judge` does."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What became of asking a judge: its verdict, or None with the reason why there is none to go by.

    `key` is the one under which a verdict is kept, `cached` whether it was kept before this run; `error` is the
    judge's measured error in words.
    """

    verdict: Literal["support", "contradict", "neutral"] | None
    judge: str
    version: str
    reason: str = ""
    calls: int = 0
    cached: bool = False
    key: str = ""
    error: str = ""

    @property
    def by(self) -> str:
        """The judge with its version.

        >>> Ruling(verdict="support", judge="rules", version="1").by
        'rules/1'
        """
        return f"{self.judge}/{self.version}"


Support = Callable[[str, Sequence[str]], Ruling]
"""Asks for a ruling on a claim, given the texts it cites."""
