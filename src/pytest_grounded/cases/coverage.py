"""How much of what can go wrong a suite asks about: kinds, reason codes, checks and chunks that no case exercises.

A check counts as exercised when some case meets what it needs to find anything: a slot, a chunk out of force, an
instruction in a document. Whether it *would* find a fault is shown by planting one (`pytest_grounded.testing.faults`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from pytest_grounded.cases.supported import needs_unsupported
from pytest_grounded.checks.catalogue import CATALOGUE
from pytest_grounded.corpus.conflicts import standing_conflicts
from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.vocabulary import CaseKind, ReasonCode
from pytest_grounded.text.instructions import find_instructions

__all__ = ["SuiteCoverage", "coverage_of", "exercised_checks", "named_chunks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteCoverage:
    """What the cases of one suite ask about. What is counted is in `kinds` and `chunks`, what is missing in the rest.

    `chunks` is how many chunks the suite's corpora hold, `unnamed` those that no case names, in corpus order.
    """

    suite: str
    cases: int
    kinds: Mapping[CaseKind, int]
    kinds_missing: tuple[CaseKind, ...]
    reasons_missing: tuple[ReasonCode, ...]
    checks_missing: tuple[str, ...]
    chunks: int
    unnamed: tuple[str, ...]


def coverage_of(cases: Iterable[Case]) -> tuple[SuiteCoverage, ...]:
    """What each suite among the cases exercises, suites by name.

    >>> coverage_of([])
    ()
    """
    by_suite: dict[str, list[Case]] = {}
    for case in cases:
        by_suite.setdefault(case.suite, []).append(case)
    return tuple(_coverage(suite, by_suite[suite]) for suite in sorted(by_suite))


def exercised_checks(case: Case) -> frozenset[str]:
    """The checks that could find something in a response to this case.

    >>> from datetime import date
    >>> from pytest_grounded.model.case import Expectation, Place
    >>> from pytest_grounded.model.evidence import ANONYMOUS, Corpus
    >>> from pytest_grounded.model.vocabulary import Decision
    >>> answered = Expectation(decision=(Decision.ANSWER,), reason_code=(None,))
    >>> case = Case(
    ...     id="a",
    ...     suite="s",
    ...     kind=CaseKind.ANSWERABLE,
    ...     question="How much?",
    ...     requester=ANONYMOUS,
    ...     as_of=date(2024, 1, 1),
    ...     corpus=Corpus(name="c", chunks=()),
    ...     expect=answered,
    ...     place=Place(file="a.yaml", line=1),
    ... )
    >>> "slot.missing" in exercised_checks(case), "citation.missing" in exercised_checks(case)
    (False, True)
    """
    return frozenset(name for name in _ABOUT_RESPONSES if _is_exercised(name, case))


def _coverage(suite: str, cases: list[Case]) -> SuiteCoverage:
    kinds = Counter(case.kind for case in cases)
    reasons = {code for case in cases for code in _reasons(case)}
    checks = frozenset[str]().union(*map(exercised_checks, cases))
    chunks = {chunk.id: chunk for corpus in _corpora(cases) for chunk in corpus}
    named = {chunk_id for case in cases for chunk_id in named_chunks(case)}
    return SuiteCoverage(
        suite=suite,
        cases=len(cases),
        kinds={kind: kinds[kind] for kind in CaseKind if kind in kinds},
        kinds_missing=tuple(kind for kind in CaseKind if kind not in kinds),
        reasons_missing=tuple(code for code in ReasonCode if code.value not in reasons),
        checks_missing=tuple(name for name in _ABOUT_RESPONSES if name not in checks and not needs_unsupported(name)),
        chunks=len(chunks),
        unnamed=tuple(chunk_id for chunk_id in chunks if chunk_id not in named),
    )


def _corpora(cases: Iterable[Case]) -> Iterable[Iterable[Chunk]]:
    corpora = [corpus for case in cases for corpus in (case.corpus, *(step.corpus for step in case.steps))]
    return {id(corpus): corpus for corpus in corpora}.values()


def _reasons(case: Case) -> tuple[str | None, ...]:
    """The codes a case asks for, publicly or in the audit log; a code that is one of several allowed counts too."""
    return (*(case.expect.reason_code or ()), *(case.expect.internal_reason_code or ()))


def named_chunks(case: Case) -> Iterable[str]:
    """Every chunk that a case speaks of, for or against."""
    for expect, forbid in ((case.expect, case.forbid), *((step.expect, step.forbid) for step in case.steps)):
        yield from forbid.evidence
        if expect is None:
            continue
        yield from expect.cite
        yield from (chunk_id for slot in expect.slots for group in slot.evidence for chunk_id in group)
        if expect.conflict is not None:
            yield from (chunk_id for side in expect.conflict.sides for chunk_id in side.chunks)
            yield from (expect.conflict.resolved_to,) if expect.conflict.resolved_to else ()
    yield from case.about


_FAMILIES_OF_FILES = ("case_file.", "corpus.", "snapshot.")
_ABOUT_RESPONSES: tuple[str, ...] = tuple(name for name in CATALOGUE if not name.startswith(_FAMILIES_OF_FILES))


def _is_exercised(name: str, case: Case) -> bool:
    """Whether a case has what a check needs; a check that needs nothing but a response is exercised by every case."""
    if name.startswith("relation."):
        return name.removeprefix("relation.") in case.relations
    needs = _NEEDS.get(name) or _NEEDS.get(f"{name.partition('.')[0]}.")
    return needs is None or needs(case)


def _answers(case: Case) -> bool:
    return case.expect.decision is None or any(decision.answers for decision in case.expect.decision)


def _refuses(case: Case) -> bool:
    return case.expect.decision is None or not all(decision.answers for decision in case.expect.decision)


def _has_hidden(case: Case) -> bool:
    return bool(case.view.unreadable)


def _has_stale(case: Case) -> bool:
    return any(not case.view.in_force(chunk_id) for chunk_id in case.view.readable)


def _has_others(case: Case) -> bool:
    view = case.view
    return any(view.in_force(chunk_id) and not view.applies(chunk_id) for chunk_id in view.readable)


def _has_instruction(case: Case) -> bool:
    return any(find_instructions(chunk.text) for chunk in case.view.usable_chunks)


def _has_sides(case: Case) -> bool:
    conflict = case.expect.conflict
    return bool(standing_conflicts(case.view)) or (conflict is not None and bool(conflict.sides))


def _needs_several(case: Case) -> bool:
    groups = (group for slot in case.expect.slots for group in slot.evidence)
    return case.kind is CaseKind.MULTI_EVIDENCE or any(len(group) > 1 for group in groups)


_NEEDS: Mapping[str, Callable[[Case], bool]] = {
    "decision.answered_without_evidence": lambda case: case.kind is CaseKind.UNANSWERABLE,
    "decision.over_refusal": lambda case: case.expect.decision is not None and _answers(case),
    "decision.contradictory": _refuses,
    "decision.model_called": lambda case: case.expect.model_called is not None or _refuses(case),
    "next_step.": lambda case: case.expect.next_step is not None,
    "citation.": _answers,
    "citation.not_permitted": _has_hidden,
    "citation.not_current": _has_stale,
    "citation.not_applicable": _has_others,
    "citation.insufficient": _needs_several,
    "quote.": _answers,
    "number.": _answers,
    "number.derivation": lambda case: any(slot.derived for slot in case.expect.slots),
    "claim.": _answers,
    "claim.stale_value": lambda case: _has_stale(case) or _has_others(case),
    "slot.": lambda case: bool(case.expect.slots),
    "slot.wrong_evidence": lambda case: any(slot.evidence for slot in case.expect.slots),
    "slot.wrong_value": lambda case: any(slot.values for slot in case.expect.slots),
    "slot.unnamed": lambda case: bool(case.expect.missing),
    "slot.filled_though_missing": lambda case: bool(case.expect.missing),
    "slot.blocking": lambda case: any(slot.blocking for slot in case.expect.slots),
    "conflict.": _has_sides,
    "conflict.wrong_resolution": lambda case: (
        case.expect.conflict is not None and case.expect.conflict.resolved_to is not None
    ),
    "forbid.text": lambda case: bool(case.forbid.text),
    "forbid.values": lambda case: bool(case.forbid.values),
    "forbid.evidence": lambda case: bool(case.forbid.evidence),
    "leak.": _has_hidden,
    "leak.existence": lambda case: case.absent_question is not None,
    "leak.differential": lambda case: case.kind is CaseKind.RESTRICTED,
    "leak.timing": lambda case: "timing" in case.observe,
    "cache.": lambda case: bool(case.steps),
    "injection.": _has_instruction,
    "budget.latency": lambda case: any(name == "latency_ms" for name, _ in case.budget),
    "budget.tokens": lambda case: any(name == "tokens" for name, _ in case.budget),
}
"""What a check needs of a case, by its name or, for the rest of a family, by the family's."""
