"""Looks at a bad reply without any expectation: which findings it has whatever the label is, and what that tells."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from pytest_grounded.checks.said import is_said
from pytest_grounded.harness.judging import JudgingOptions, judged_alone
from pytest_grounded.model.case import Case, Expectation, Place
from pytest_grounded.model.evidence import Chunk, Corpus, CorpusView, Requester
from pytest_grounded.model.finding import Finding
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import Turn
from pytest_grounded.model.response import Claim
from pytest_grounded.model.vocabulary import CaseKind
from pytest_grounded.text.quotes import QuoteVerdict, judge_quote
from pytest_grounded.text.words import terms

__all__ = ["Seen", "look"]

_RELEVANT = 0.5
"""Share of the question's words that a chunk has to have to count as speaking of it."""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A question, a reply, the corpus as the requester saw it, and the findings that hold under any label.

    `reduced` is what came of the same question over a corpus without what the requester may not read, where known.
    """

    question: str
    history: tuple[Turn, ...]
    outcome: Outcome
    view: CorpusView
    findings: tuple[Finding, ...]
    reduced: Outcome | None = None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims of the reply; none where there is no reply."""
        return self.outcome.response.claims if self.outcome.response else ()

    @property
    def answers(self) -> bool:
        """Whether something was answered."""
        return self.outcome.decision is not None and self.outcome.decision.answers

    @cached_property
    def leaked(self) -> tuple[str, ...]:
        """Ids of chunks the requester may not read and that show in the reply, or went into it."""
        hidden = self.view.aliases.keys()
        shown = [chunk for finding in self.findings if _is_leak(finding) for chunk in finding.chunks]
        given = self.outcome.internal.evidence or ()
        return tuple(dict.fromkeys(chunk for chunk in (*shown, *given) if chunk in hidden))

    @property
    def differs(self) -> bool:
        """Whether something else is shown where the requester's hidden chunks are not there at all."""
        ours, theirs = self.outcome.response, self.reduced.response if self.reduced is not None else None
        return (
            bool(self.view.unreadable)
            and ours is not None
            and theirs is not None
            and ours.visible() != theirs.visible()
        )

    @cached_property
    def sound_claims(self) -> tuple[int, ...]:
        """Claims that cite chunks the requester may rely on, with no finding of their own."""
        return tuple(
            index
            for index, claim in enumerate(self.claims)
            if not self.is_wrong(index) and claim.cited and all(map(self.view.usable, claim.cited))
        )

    def is_wrong(self, index: int) -> bool:
        """Whether a claim has findings of its own."""
        return any(finding.field.startswith(f"claims[{index}]") for finding in self.findings)

    def support(self, index: int) -> tuple[Chunk, ...]:
        """The chunks that answer what a claim is about: where its words stand, what replaced what it cites, or that."""
        claim = self.claims[index]
        stated = [chunk for chunk in self.view.usable_chunks if _states(claim, chunk)]
        if stated:
            return tuple(stated)
        cited = [self.view.present[chunk_id] for chunk_id in claim.cited if chunk_id in self.view.readable]
        newer = [one for chunk in cited if not self.view.in_force(chunk.id) for one in self.view.successors(chunk)]
        usable_newer = {one.id: one for one in newer if self.view.usable(one.id)}
        if usable_newer:
            return tuple(usable_newer.values())
        words = terms(claim.text)
        return tuple(
            chunk
            for chunk in cited
            if self.view.usable(chunk.id) and words and 2 * len(words & terms(chunk.text)) >= len(words)
        )

    @cached_property
    def relevant(self) -> tuple[Chunk, ...]:
        """The usable chunks that speak of most of the question, the most first."""
        asked = terms(" ".join((*(turn.text for turn in self.history[-2:]), self.question)))
        own = terms(self.question)
        ranked = sorted(
            (
                (len(own & terms(chunk.text)), len(asked & terms(chunk.text)), chunk)
                for chunk in self.view.usable_chunks
            ),
            key=lambda one: (-one[0], -one[1]),
        )
        return tuple(chunk for shared, _, chunk in ranked if own and shared >= _RELEVANT * len(own) and shared)

    @cached_property
    def stale(self) -> tuple[str, ...]:
        """Readable chunks the reply relies on that are not in force on the day."""
        cited = self.outcome.response.cited if self.outcome.response else ()
        return tuple(one for one in cited if one in self.view.readable and not self.view.in_force(one))


def look(
    *,
    question: str,
    history: tuple[Turn, ...],
    requester: Requester,
    as_of: date,
    corpus: Corpus,
    outcome: Outcome,
    options: JudgingOptions,
    reduced: Outcome | None = None,
) -> Seen:
    """Judge a reply as if nothing in particular were expected."""
    case = Case(
        id="incident",
        suite="incidents",
        kind=CaseKind.ANSWERABLE,
        question=question,
        requester=requester,
        as_of=as_of,
        corpus=corpus,
        expect=Expectation(decision=None, reason_code=None),
        place=Place(file="incident", line=1),
        history=history,
    )
    result = judged_alone(case, outcome, options=options)
    return Seen(
        question=question,
        history=history,
        outcome=result.outcome,
        view=case.view,
        findings=result.findings,
        reduced=reduced,
    )


def _is_leak(finding: Finding) -> bool:
    return finding.check.startswith("leak.") or finding.check == "citation.not_permitted"


def _states(claim: Claim, chunk: Chunk) -> bool:
    """Whether the words of a claim stand in a chunk, or those it quotes do and speak of the same."""
    if claim.text and is_said(claim.text, chunk):
        return True
    quoted = any(_stands(quote, chunk) for quote, _ in claim.quotes)
    return quoted and (not claim.text or not terms(claim.text).isdisjoint(terms(chunk.text)))


def _stands(quote: str, chunk: Chunk) -> bool:
    return bool(quote.strip()) and judge_quote(quote, chunk.text, lang=chunk.lang) in _VERBATIM


_VERBATIM = (QuoteVerdict.VERBATIM, QuoteVerdict.ELIDED)
