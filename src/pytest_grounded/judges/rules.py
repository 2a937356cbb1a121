"""Judges without a model: the harness's own rules, and those with a share of common words where no rule decides."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pytest_grounded.checks.base import Judged
from pytest_grounded.checks.claims import check_claims
from pytest_grounded.checks.numbers import check_numbers
from pytest_grounded.checks.passages import roots_of
from pytest_grounded.checks.polarities import check_polarities
from pytest_grounded.model.case import Case, Expectation, Place
from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus
from pytest_grounded.model.finding import Finding, Observation
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Citation, Claim, Response
from pytest_grounded.model.support import SupportVerdict
from pytest_grounded.model.vocabulary import CaseKind, Decision

__all__ = ["OverlapJudge", "RulesJudge"]


class RulesJudge:
    """What the checks of numbers, bounds, negations, names and places say; `unsure` where they decide nothing.

    It cannot see what a paraphrase means: most sound claims in other words are left undecided.

    >>> judge = RulesJudge()
    >>> judge.judge("The limit is $200.", ["The nightly limit is $180."])
    'neutral'
    >>> judge.judge("The nightly limit is $180.", ["The nightly limit is $180."])
    'support'
    >>> judge.judge("The nightly limit is at least $180.", ["The nightly limit is at most $180."])
    'contradict'
    """

    name = "rules"

    @property
    def version(self) -> str:
        """The package's version and a digest of the rules' own source, so that no change of a rule goes unseen."""
        return _rules_version()

    def judge(self, claim: str, evidence: Sequence[str]) -> SupportVerdict:
        """What the rules say of the claim against all of the evidence together."""
        return _ruled(claim, evidence)


class OverlapJudge:
    """The rules, and where they decide nothing the share of the claim's words that the evidence holds.

    A baseline that any model has to beat, not a reading: a true claim of other words is `neutral`, a false one of
    the same words is `support`.

    >>> OverlapJudge().judge("Hotels: the nightly limit is $180.", ["The nightly limit for hotels is $180."])
    'support'
    """

    def __init__(self, threshold: float = 0.8) -> None:
        self.threshold = threshold

    @property
    def name(self) -> str:
        """The name, which says the threshold."""
        return f"overlap-{self.threshold:g}"

    @property
    def version(self) -> str:
        """That of the rules."""
        return _rules_version()

    def judge(self, claim: str, evidence: Sequence[str]) -> SupportVerdict:
        """The rules' verdict, else whether enough of the claim's words stand in the evidence."""
        ruled = _ruled(claim, evidence)
        if ruled != "unsure":
            return ruled
        said, held = _words(claim, evidence)
        return "support" if said and held >= self.threshold * said else "neutral"

    def score(self, claim: str, evidence: Sequence[str]) -> float | None:
        """The share of the claim's words that stand in the evidence; None where a rule decides.

        >>> OverlapJudge().score("Guests like the rooms.", ["Visitors like the rooms."])
        0.6666666666666666
        """
        said, held = _words(claim, evidence)
        return held / said if said and _ruled(claim, evidence) == "unsure" else None


def _words(claim: str, evidence: Sequence[str]) -> tuple[int, int]:
    """How many words count in the claim, and how many of them stand in the evidence."""
    said = roots_of(claim)
    return len(said), len(said & frozenset[str]().union(*map(roots_of, evidence)))


_DAY = date(2000, 1, 1)
"""Any day: no rule that is asked here looks at it but as an echo of the question's day, and nothing is asked."""
_NOTHING_EXPECTED = Expectation(decision=None, reason_code=None)


def _ruled(claim: str, evidence: Sequence[str]) -> SupportVerdict:
    texts = [text for text in evidence if text.strip()]
    if not claim.strip() or not texts:
        return "neutral"
    seen = _seen(claim, texts)
    found = [one for one in seen if isinstance(one, Finding)]
    if any(one.check == "claim.polarity" for one in found):
        return "contradict"
    if found:
        return "neutral"
    return "unsure" if seen else "support"


def _seen(claim: str, texts: Sequence[str]) -> tuple[Observation, ...]:
    judged = _as_judged(claim, texts)
    return tuple(one for check in (check_numbers, check_polarities, check_claims) for one in check(judged))


def _as_judged(claim: str, texts: Sequence[str]) -> Judged:
    """The claim as the whole answer to no question, over a corpus of what it cites."""
    chunks = [Chunk(id=f"e{place}", text=text, readers=("*",)) for place, text in enumerate(texts, start=1)]
    citations = tuple(Citation(chunk=chunk.id) for chunk in chunks)
    response = Response(
        decision=Decision.ANSWER, text=claim, claims=(Claim(text=claim, citations=citations, status="supported"),)
    )
    case = Case(
        id="claim",
        suite="judge",
        kind=CaseKind.ANSWERABLE,
        question="",
        requester=ANONYMOUS,
        as_of=_DAY,
        corpus=Corpus(name="cited", chunks=chunks),
        expect=_NOTHING_EXPECTED,
        place=Place(file="judge", line=1),
    )
    return Judged(case=case, outcome=Outcome(response=response), view=case.view)


@lru_cache(maxsize=1)
def _rules_version() -> str:
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted((*root.glob("text/*.py"), *root.glob("checks/*.py"), Path(__file__))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"{_package_version()}+{digest.hexdigest()[:8]}"


def _package_version() -> str:
    try:
        return version("pytest-grounded")
    except PackageNotFoundError:
        return "0"
