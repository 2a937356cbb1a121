"""What keeps verdicts: one line each under a key of judge, version, claim and evidence, and no text of any of them.

A judge in another version has other keys, so nothing it said before is taken for what it says now; its old lines go
when the file is next written.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pytest_grounded.errors import JudgeError, Problem
from pytest_grounded.model.support import SupportJudge, SupportVerdict

__all__ = ["CachedJudge", "KeptVerdict", "Verdicts", "read_verdicts", "verdict_key", "verdict_lines"]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class KeptVerdict:
    """One verdict of one judge in one version."""

    judge: str
    version: str
    key: str
    verdict: SupportVerdict


def verdict_key(judge: SupportJudge, claim: str, evidence: Sequence[str]) -> str:
    """`sha256:` over all that a verdict depends on; the same texts in another order are another key.

    >>> from pytest_grounded.judges.rules import OverlapJudge
    >>> keys = {verdict_key(OverlapJudge(share), "a", ["b"]) for share in (0.7, 0.7, 0.8)}
    >>> len(keys)
    2
    """
    parts = json.dumps([judge.name, judge.version, claim, list(evidence)], ensure_ascii=False)
    return "sha256:" + hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()


class Verdicts:
    """Verdicts by key; those learned since are kept apart, so that they can be handed on.

    >>> kept = Verdicts([KeptVerdict(judge="j", version="1", key="k", verdict="support")])
    >>> kept.get("k"), kept.get("other")
    ('support', None)
    """

    def __init__(self, kept: Iterable[KeptVerdict] = ()) -> None:
        self._kept = {one.key: one for one in kept}
        self.learned: dict[str, KeptVerdict] = {}

    def get(self, key: str) -> SupportVerdict | None:
        """The verdict under a key."""
        found = self._kept.get(key)
        return found.verdict if found else None

    def learn(self, verdict: KeptVerdict) -> None:
        """Keep one more."""
        self._kept[verdict.key] = self.learned[verdict.key] = verdict

    def __iter__(self) -> Iterator[KeptVerdict]:
        return iter(sorted(self._kept.values()))

    def __len__(self) -> int:
        return len(self._kept)


class CachedJudge:
    """A judge that is asked once for each claim and evidence; what it could not decide is asked again.

    >>> from pytest_grounded.judges.rules import RulesJudge
    >>> cached = CachedJudge(RulesJudge(), Verdicts())
    >>> cached.judge("The limit is $180.", ["The limit is $180."]), len(cached.verdicts)
    ('support', 1)
    """

    def __init__(self, judge: SupportJudge, verdicts: Verdicts) -> None:
        self._judge = judge
        self.verdicts = verdicts

    @property
    def name(self) -> str:
        """That of the judge."""
        return self._judge.name

    @property
    def version(self) -> str:
        """That of the judge."""
        return self._judge.version

    def judge(self, claim: str, evidence: Sequence[str]) -> SupportVerdict:
        """The kept verdict, else the judge's, kept."""
        key = verdict_key(self._judge, claim, evidence)
        kept = self.verdicts.get(key)
        if kept is not None:
            return kept
        verdict = self._judge.judge(claim, evidence)
        if verdict != "unsure":
            self.verdicts.learn(KeptVerdict(judge=self.name, version=self.version, key=key, verdict=verdict))
        return verdict


def read_verdicts(lines: Iterable[bytes], *, name: str) -> Verdicts:
    """Read what `verdict_lines` wrote; raises JudgeError with every line that is no verdict.

    >>> read_verdicts([b'{"judge": "j"}'], name="kept.jsonl")
    Traceback (most recent call last):
    ...
    pytest_grounded.errors.JudgeError: kept.jsonl:1: is no kept verdict (needs judge, version, key and verdict; ...
    """
    found: list[KeptVerdict] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        verdict = _read(line)
        if verdict is None:
            message = (
                "is no kept verdict (needs judge, version, key and verdict; delete the file to have every verdict "
                "given anew)"
            )
            problems.append(Problem(message=message, file=name, line=number, code="judge.verdicts"))
        else:
            found.append(verdict)
    if problems:
        raise JudgeError(problems[:20])
    return Verdicts(found)


def _read(line: bytes) -> KeptVerdict | None:
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    names = ("judge", "version", "key", "verdict")
    if not isinstance(value, dict) or not all(isinstance(value.get(name), str) for name in names):
        return None
    if value["verdict"] not in get_args(SupportVerdict):
        return None
    return KeptVerdict(**{name: value[name] for name in names})


def verdict_lines(verdicts: Iterable[KeptVerdict], judge: SupportJudge) -> Iterator[str]:
    """The lines of a file, sorted, without those that this judge gave in another version."""
    for one in sorted(verdicts):
        if one.judge != judge.name or one.version == judge.version:
            line = {"judge": one.judge, "version": one.version, "key": one.key, "verdict": one.verdict}
            yield json.dumps(line, ensure_ascii=False) + "\n"
