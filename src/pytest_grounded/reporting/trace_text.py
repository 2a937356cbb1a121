"""A response and its trace as a person reads them: question to outcome, stage by stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Claim, Response

__all__ = ["trace_lines"]

_LONG = 100
_INDENT = "  "


def trace_lines(request: Request, outcome: Outcome) -> Iterator[str]:
    """The lines of `pytest-grounded ask`: the request, every stage with its reasons, what the requester sees."""
    yield f"question   {request.question}"
    yield f"asked as   {_requester(request)}"
    yield f"as of      {request.as_of.isoformat()}"
    yield f"corpus     {request.corpus.name}"
    for number, step in enumerate(outcome.internal.steps or (), start=1):
        yield ""
        yield f"{number}. {step.get('name', 'step')}"
        yield from _fields({key: value for key, value in step.items() if key != "name"}, _INDENT)
    yield ""
    if outcome.failure is not None:
        yield f"SYSTEM_FAILURE ({outcome.failure.kind.value}): {outcome.failure.message}"
    elif outcome.response is not None:
        yield from _response(outcome.response)


def _requester(request: Request) -> str:
    requester = request.requester
    parts = [requester.id or "anonymous"]
    parts += [
        f"{name} {'/'.join(values)}"
        for name, values in (("audience", requester.audience), ("groups", requester.groups))
        if values
    ]
    return ", ".join(parts)


def _response(response: Response) -> Iterator[str]:
    reason = f" ({response.reason_code})" if response.reason_code else ""
    yield f"decision   {response.decision.value}{reason}"
    if response.text:
        yield f"text       {response.text}"
    for claim in response.claims:
        yield from _claim(claim)
    for conflict in response.conflicts:
        yield f"conflict   {conflict.key or ''}"
        for side in conflict.sides:
            yield f"{_INDENT}{side.value} [{', '.join(side.chunks)}]"
    if response.missing:
        yield f"missing    {', '.join(response.missing)}"
    if response.next_step:
        yield f"next step  {response.next_step}"


def _claim(claim: Claim) -> Iterator[str]:
    yield f"claim      {claim.text} [{', '.join(claim.cited)}]"
    for quote, _ in claim.quotes:
        yield f"{_INDENT}quote  {quote!r}"


def _fields(values: Mapping[str, Any], indent: str) -> Iterator[str]:
    width = max((len(str(key)) for key in values), default=0)
    for key, value in values.items():
        if value is None or value in ((), [], {}, ""):
            continue
        if isinstance(value, Mapping) and not _is_short(value):
            yield f"{indent}{key}"
            yield from _fields(value, indent + _INDENT)
        elif isinstance(value, Sequence) and not isinstance(value, str) and not _is_short(value):
            yield f"{indent}{key}"
            yield from (f"{indent}{_INDENT}{_shown(item)}" for item in value)
        else:
            yield f"{indent}{str(key).ljust(width)}  {_shown(value)}"


def _is_short(value: Any) -> bool:
    return len(_shown(value)) <= _LONG and not _holds_mappings(value)


def _holds_mappings(value: Any) -> bool:
    return (
        isinstance(value, Sequence) and not isinstance(value, str) and any(isinstance(item, Mapping) for item in value)
    )


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "  ".join(f"{key}={_shown(item)}" for key, item in value.items() if item is not None)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_shown(item) for item in value)
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
