"""What is odd about cases that load: demands that contradict each other, and parts that nothing can judge.

A warning is no error: the case runs as it stands. Messages name chunks by the ids the case itself uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pytest_grounded.corpus.wording import listed, shown
from pytest_grounded.errors import Problem
from pytest_grounded.model.case import Case, Slot
from pytest_grounded.model.vocabulary import CaseKind
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.values import contains_value, same_value

__all__ = ["lint_cases"]

Warned = tuple[str, str, str]
"""The field a warning is about, the end of its code, and what is odd."""


def lint_cases(cases: Iterable[Case]) -> list[Problem]:
    """Every warning about some cases, in their order, at the line where the case begins."""
    return [
        Problem(
            message=message,
            code=f"lint.{code}",
            file=case.place.file,
            line=case.place.line,
            column=case.place.column,
            case=case.id,
            field=field,
        )
        for case in cases
        for field, code, message in _warnings(case)
    ]


def _warnings(case: Case) -> Iterator[Warned]:
    yield from _without_sides(case)
    for slot in case.expect.slots:
        yield from _required_and_forbidden(case, slot)
        yield from _side_by_side(case, slot)


def _without_sides(case: Case) -> Iterator[Warned]:
    conflict = case.expect.conflict
    if case.kind is CaseKind.CONFLICTING and (conflict is None or not (conflict.sides or conflict.resolved_to)):
        message = "no sides are given and the facts of the corpus give none: which sides are shown is not judged"
        yield "expect.conflict", "no_sides", message


def _required_and_forbidden(case: Case, slot: Slot) -> Iterator[Warned]:
    if slot.evidence and all(not set(group).isdisjoint(case.forbid.evidence) for group in slot.evidence):
        both = sorted({chunk_id for group in slot.evidence for chunk_id in group} & set(case.forbid.evidence))
        message = f"slot {shown(slot.name)} can only rest on {listed(map(shown, both))}, which no answer may cite"
        yield "forbid.evidence", "required_and_forbidden", message
    for value in case.forbid.values:
        if any(same_value(value, right) for right in slot.values):
            message = f"{shown(value)} fills slot {shown(slot.name)} and must not be asserted"
            yield "forbid.values", "required_and_forbidden", message


def _side_by_side(case: Case, slot: Slot) -> Iterator[Warned]:
    """A forbidden value in the sentence that holds the right one: quoting that sentence shows both."""
    ids = dict.fromkeys(chunk_id for group in slot.evidence for chunk_id in group)
    for chunk_id in ids if slot.values and case.forbid.values else ():
        chunk = case.corpus[chunk_id]
        for sentence in split_sentences(chunk.text):
            if not any(contains_value(sentence, right, lang=chunk.lang) for right in slot.values):
                continue
            for value in case.forbid.values:
                if contains_value(sentence, value, lang=chunk.lang):
                    message = (
                        f"{shown(value)} stands in the sentence of {shown(chunk_id)} that fills slot {shown(slot.name)}"
                    )
                    yield "forbid.values", "forbidden_beside_right", message
