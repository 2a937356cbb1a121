"""Rules that reach over several keys of a case and need no corpus: what excludes, needs or outgrows what."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounded.cases.schema import CaseWritten, WaiverWritten
from pytest_grounded.checks.catalogue import CATALOGUE
from pytest_grounded.corpus.faults import Fault
from pytest_grounded.corpus.wording import did_you_mean, shown
from pytest_grounded.model.vocabulary import CaseKind

__all__ = ["rule_faults"]


def rule_faults(written: CaseWritten) -> Iterator[Fault]:
    """What is wrong with a case by itself; paths begin in the case.

    >>> case = CaseWritten.model_validate({"id": "a", "kind": "answerable", "question": "?", "about": ["memo-7"]})
    >>> [fault.message for fault in rule_faults(case)]
    ["only kind: restricted has 'about', found kind: answerable (change the kind or take it out)"]
    """
    yield from _question(written)
    yield from _restricted(written)
    yield from _revisions(written)
    if written.require is not None and written.require > written.runs:
        message = f"{written.require} runs have to pass of {written.runs} (raise runs or lower require)"
        yield Fault(kind="type", message=message, path=("require",))
    for index, waiver in enumerate(written.waive):
        if refused := _refused_waiver(waiver):
            yield Fault(kind="type", message=refused, path=("waive", index, "check"))


def _question(written: CaseWritten) -> Iterator[Fault]:
    if written.question is None and not written.steps:
        message = "key 'question' is missing (or steps, where several requests are sent)"
        yield Fault(kind="missing_key", message=message, path=("question",))
    elif written.question is not None and written.steps:
        message = "'question' and 'steps' exclude each other, found both (the last step asks the question)"
        yield Fault(kind="type", message=message, path=("question",), at_key=True)
    if written.expect is not None and written.steps and written.steps[-1].expect is not None:
        message = "the last step is the judged one, found 'expect' there and in the case (keep one)"
        yield Fault(kind="type", message=message, path=("steps", len(written.steps) - 1, "expect"), at_key=True)


def _restricted(written: CaseWritten) -> Iterator[Fault]:
    kinds = [revision.kind or written.kind for revision in written.on.values()] or [written.kind]
    if CaseKind.RESTRICTED in kinds:
        if not written.about:
            message = "kind: restricted needs the ids of the chunks that the requester may not read, found none"
            yield Fault(kind="missing_key", message=message, path=("about",))
        return
    for key in ("about", "control", "absent_question"):
        if key in written.model_fields_set:
            message = f"only kind: restricted has {key!r}, found kind: {written.kind} (change the kind or take it out)"
            yield Fault(kind="type", message=message, path=(key,), at_key=True)


def _revisions(written: CaseWritten) -> Iterator[Fault]:
    for key in ("corpus", "steps"):
        if written.on and getattr(written, key):
            message = f"'on' and {key!r} exclude each other, found both ('on' names the corpora)"
            yield Fault(kind="type", message=message, path=("on",), at_key=True)


_OF_FILES = ("case_file.", "corpus.", "snapshot.", "waive.")


def _refused_waiver(waiver: WaiverWritten) -> str | None:
    info = CATALOGUE.get(waiver.check)
    of_files = waiver.check.startswith(_OF_FILES)
    if waiver.check.startswith("leak") or (info is not None and info.never_waived and not of_files):
        return f"{shown(waiver.check)} is a leak, permission or stale finding and cannot be waived (mend it)"
    if of_files:
        return f"{shown(waiver.check)} is found in a file, not in an answer, and cannot be waived (mend the file)"
    return None if info else f"{shown(waiver.check)} is no check{did_you_mean(waiver.check, list(CATALOGUE))}"
