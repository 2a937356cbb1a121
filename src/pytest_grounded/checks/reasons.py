"""Whether the reason code says why: one of the eleven, and one the case allows."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounded.checks.base import Judged, not_run, report
from pytest_grounded.checks.wording import either
from pytest_grounded.model.finding import Observation
from pytest_grounded.model.outcome import FailureKind
from pytest_grounded.model.vocabulary import ReasonCode

__all__ = ["check_reasons"]

KNOWN = frozenset(code.value for code in ReasonCode)


def check_reasons(judged: Judged) -> Iterator[Observation]:
    """Compare the public reason code, and where the case asks for it the internal one, with what is allowed."""
    outcome, expect = judged.outcome, judged.case.expect
    if outcome.failure is not None and outcome.failure.kind is FailureKind.NOT_RECORDED:
        yield not_run("reason.wrong", "there is no reply to judge")
        return
    if not outcome.decision_stated and outcome.failure is None and outcome.reason_code is None:
        if expect.reason_code is not None and None not in expect.reason_code:
            yield not_run("reason.wrong", "a reply in prose has no field for a reason code", field="reason_code")
    elif outcome.reason_code is not None and outcome.reason_code not in KNOWN:
        yield report("reason.wrong", _unknown(outcome.reason_code), field="reason_code")
    elif expect.reason_code is not None and outcome.reason_code not in expect.reason_code:
        yield report(
            "reason.wrong", _wrong("reason code", expect.reason_code, outcome.reason_code), field="reason_code"
        )
    yield from _internal(judged)


def _internal(judged: Judged) -> Iterator[Observation]:
    expected, actual = judged.case.expect.internal_reason_code, judged.internal.reason_code
    if expected is None:
        return
    if actual is None and None not in expected:
        yield not_run("reason.wrong", "the system reports no internal reason code", field="internal.reason_code")
    elif actual not in expected:
        hint = "" if actual is None or actual in KNOWN else f"; {_MAPPING}"
        message = _wrong("internal reason code", expected, actual) + hint
        yield report("reason.wrong", message, field="internal.reason_code")


_MAPPING = "a project maps its own codes in the ini list grounded_reason_codes (OURS = NO_EVIDENCE, one a line)"


def _unknown(code: str) -> str:
    return f"reason code {code!r} is none of the eleven ({', '.join(sorted(KNOWN))}); {_MAPPING}"


def _wrong(what: str, expected: tuple[str | None, ...], actual: str | None) -> str:
    return f"{what}: expected {either(expected)}, found {actual or 'none'}"
