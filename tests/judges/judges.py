"""Judges that say what they are told to."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounded.model.support import JudgeFailedError, SupportVerdict

__all__ = ["FAILS", "Scripted"]

FAILS = "fails"


class Scripted:
    """Says one thing after the other, the last again and again, and keeps what it was asked."""

    def __init__(self, *verdicts: str, name: str = "scripted", version: str = "1") -> None:
        self._verdicts = verdicts or ("support",)
        self.name = name
        self.version = version
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def judge(self, claim: str, evidence: Sequence[str]) -> SupportVerdict:
        verdict = self._verdicts[min(len(self.asked), len(self._verdicts) - 1)]
        self.asked.append((claim, tuple(evidence)))
        if verdict == FAILS:
            raise JudgeFailedError("http_status_500")
        found: SupportVerdict = verdict  # type: ignore[assignment]
        return found
