"""Asks the probes of a restricted case over both corpora, and the case's question after others had it answered.

Each conversation meets the system in its first state, once over the whole corpus and once without what the requester
may not read. Every reply over the whole corpus is looked through for leaks, and has to equal the one without.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pytest_grounded.checks.base import Judged
from pytest_grounded.checks.citations import check_citations
from pytest_grounded.checks.leakage import check_leaks
from pytest_grounded.harness.differential import CONFIRMING_RUNS, compared_paths, difference_finding
from pytest_grounded.harness.probes import authorised, probes_for
from pytest_grounded.harness.replays import Replays, has_failed
from pytest_grounded.harness.variants import Variant
from pytest_grounded.model.case import Case
from pytest_grounded.model.finding import Finding
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import Request

__all__ = ["DEFAULT_PROBES", "LeakOptions", "Probed", "direct_findings", "probe"]

DEFAULT_PROBES = 8
"""Probes of a restricted case, for systems that take a corpus."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakOptions:
    """How much is asked beside the case's own question. `probes`: at most so many further questions.

    With `after_others` the first of them is the case's question after others had it answered.
    """

    probes: int = DEFAULT_PROBES
    after_others: bool = True


@dataclass(slots=True, kw_only=True)
class Probed:
    """What came of the probes: how many were compared, and how many could not be, being answered anew each time."""

    asked: int = 0
    unsettled: int = 0
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sent:
    """A request that is judged: its place in a conversation, and what it is in words that may be shown."""

    place: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Conversation:
    """What is sent in order over the whole corpus, the same over the reduced one, and which replies are compared."""

    whole: tuple[Request, ...]
    reduced: tuple[Request, ...]
    judged: tuple[_Sent, ...]


def probe(replays: Replays, options: LeakOptions, *, compares: bool = True) -> Probed:
    """Ask the probes; without `compares`, of a system that differs from itself, the replies are only looked through."""
    looking = _Looking(replays)
    for conversation in _conversations(replays, options) if replays.live_asker is not None else ():
        whole = replays.converse(conversation.whole)
        reduced = replays.converse(conversation.reduced, is_kept=True) if compares else ()
        for sent in conversation.judged:
            looking.look(conversation, sent, whole[sent.place], next(iter(reduced[sent.place : sent.place + 1]), None))
    return looking.probed


def _conversations(replays: Replays, options: LeakOptions) -> Iterator[_Conversation]:
    left = options.probes
    if left > 0 and options.after_others:
        left -= 1
        yield _after_others(replays)
    probes = probes_for(replays.case, left) if left > 0 else ()
    if probes:
        whole, reduced = replays.requests(Variant.LIVE)[-1], replays.requests(Variant.REDUCED)[-1]
        yield _Conversation(
            whole=tuple(replace(whole, question=one.question) for one in probes),
            reduced=tuple(replace(reduced, question=one.question) for one in probes),
            judged=tuple(_Sent(place=place, what=one.what) for place, one in enumerate(probes)),
        )


def _after_others(replays: Replays) -> _Conversation:
    """The case, asked after somebody who may read it, and after the requester while they still could."""
    sides = []
    for variant in (Variant.LIVE, Variant.REDUCED):
        requests = replays.requests(variant)
        before = (replace(requests[-1], requester=one) for one in authorised(replays.case))
        sides.append((*before, *requests))
    what = "the same question after others who may read it, and the requester before that was taken away, asked it"
    return _Conversation(whole=sides[0], reduced=sides[1], judged=(_Sent(place=len(sides[0]) - 1, what=what),))


def direct_findings(replays: Replays, case: Case, outcome: Outcome, reduced: Sequence[Outcome]) -> Iterator[Finding]:
    """The direct leak checks on a reply that is judged for nothing else."""
    judged = Judged(case=case, outcome=outcome, view=case.view)
    for item in (*check_leaks(judged, reduced=reduced, is_apart=replays.is_fresh), *check_citations(judged)):
        if isinstance(item, Finding) and (item.check.startswith("leak.") or item.check == "citation.not_permitted"):
            yield item


class _Looking:
    """Looks at the replies to probes, one after the other."""

    def __init__(self, replays: Replays) -> None:
        self._replays = replays
        self.probed = Probed()

    def look(self, conversation: _Conversation, sent: _Sent, live: Outcome, reduced: Outcome | None) -> None:
        """Look through a reply, and compare it with the one without the hidden chunks where there is one."""
        label = f"probes[{self.probed.asked}]"
        self.probed.asked += 1
        case = replace(self._replays.case, question=conversation.whole[sent.place].question, steps=())
        findings = list(direct_findings(self._replays, case, live, () if reduced is None else (reduced,)))
        differing = None if reduced is None else self._difference(conversation, sent, live, reduced)
        self.probed.findings += (
            replace(one, message=f"{one.message} (asked with {sent.what})", field=f"{label}.{one.field}".rstrip("."))
            for one in (*findings, *((differing,) if differing else ()))
        )

    def _difference(self, conversation: _Conversation, sent: _Sent, live: Outcome, reduced: Outcome) -> Finding | None:
        """A difference that holds still; one that does not is counted as unsettled."""
        if has_failed(live) and has_failed(reduced):
            self.probed.unsettled += 1
            return None
        observed = self._replays.observed(live), self._replays.observed(reduced)
        sides = (live, observed[0]), (reduced, observed[1])
        paths = compared_paths(*sides)
        if not paths:
            return None
        if not self._holds_still(conversation, sent, (observed[0].key, observed[1].key)):
            self.probed.unsettled += 1
            return None
        return difference_finding(self._replays, *sides, paths)

    def _holds_still(self, conversation: _Conversation, sent: _Sent, keys: tuple[str, str]) -> bool:
        """Whether both sides show the same again, as often as a difference has to be seen."""
        sides = zip((conversation.whole, conversation.reduced), keys, strict=True)
        return all(
            self._replays.observed(self._replays.converse(requests[: sent.place + 1])[-1]).key == key
            for requests, key in sides
            for _ in range(CONFIRMING_RUNS - 1)
        )
