"""What a requester can observe of a reply, in a form in which two replies are equal exactly when they look the same.

Everything outside `internal` counts, keys nobody has heard of included, so that a new field cannot silently escape.
Left out is only what differs by itself from reply to reply (times, request ids, the digest of the corpus) and what the
case names; each with the reason, which the results say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounded.cases.fields import read_ignored
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Json

__all__ = ["Ignored", "Observed", "Scope", "differences", "is_only_reordered", "observe", "top_level"]

_TIME = "differs by itself: time"
_COUNTS = "token counts are compared with observe: [usage]"
_IDS = "differs by itself: the id of a request"
_VOLATILE: Mapping[str, str] = {
    **dict.fromkeys(
        ("latency", "latency_ms", "duration", "duration_ms", "elapsed", "elapsed_ms", "took_ms", "timing", "timings",
         "total_ms", "response_time", "response_time_ms"), _TIME),
    **dict.fromkeys(("timestamp", "created", "created_at", "generated_at", "answered_at"), _TIME),
    **dict.fromkeys(
        ("usage", "token_usage", "tokens", "total_tokens", "prompt_tokens", "completion_tokens", "input_tokens",
         "output_tokens"), _COUNTS),
    **dict.fromkeys(
        ("request_id", "x_request_id", "trace_id", "span_id", "correlation_id", "x_correlation_id", "traceparent",
         "message_id", "response_id"), _IDS),
}  # fmt: skip
"""Names of fields that are no part of what is said; compared all the same where their value is more than that."""

_IN_HEADERS: Mapping[str, str] = {"date": _TIME, "age": _TIME, "server_timing": _TIME, "expires": _TIME}
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_PLAIN = re.compile(r"[\w.:@/+=,-]{1,128}|\d[\w.:+, -]{1,40}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT")


@dataclass(frozen=True, slots=True, order=True)
class Ignored:
    """A field that is not compared, and why."""

    field: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What of a reply is compared: the default, less what a case leaves out, with what it adds."""

    ignored: tuple[Ignored, ...] = ()
    usage: bool = False
    timing: bool = False

    @classmethod
    def of(cls, observe: Iterable[str]) -> Scope:
        """What `observe:` of a case says.

        >>> Scope.of(["timing", "-source_count (the size of the corpus is public)"]).ignored
        (Ignored(field='source_count', reason='the size of the corpus is public'),)
        """
        said = tuple(observe)
        ignored = (Ignored(*read_ignored(one)) for one in said if one.startswith("-"))
        return cls(ignored=tuple(ignored), usage="usage" in said, timing="timing" in said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What can be observed of one reply; equal replies have an equal `key`."""

    value: Json
    key: str
    ignored: tuple[Ignored, ...] = ()

    def __repr__(self) -> str:
        return f"Observed({len(self.key)} characters)"


def observe(outcome: Outcome, scope: Scope | None = None, *, digests: Iterable[str] = ()) -> Observed:
    """Reduce what came of asking to what can be seen of it; `digests` are those of the corpora it was asked over.

    Pieces of a stream are joined: where they were cut is no part of it. After a failure it is the kind of the failure
    and what came instead of a response.

    >>> from pytest_grounded.model.response import Response
    >>> one = Response(decision="abstain", stream=["It ", "is"], latency_ms=3)
    >>> other = Response(decision="abstain", stream=["It is"], latency_ms=400)
    >>> observe(Outcome(response=one)).key == observe(Outcome(response=other)).key
    True
    """
    scope = scope or Scope()
    kept = _Keeping(scope, frozenset(digests))
    if outcome.response is None:
        kind = outcome.failure.kind.value if outcome.failure else "nothing"
        value: Any = {"failure": kind, "raw": kept.value(_plain(outcome.raw), ())}
    else:
        visible = dict(outcome.response.visible())
        visible["stream"] = _joined(visible.get("stream") or ())
        value = kept.value(visible, ())
    if scope.usage:
        value["internal.usage"] = outcome.internal.usage
    key = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return Observed(value=value, key=key, ignored=tuple(sorted(kept.left_out)))


def _plain(raw: Any) -> Any:
    """What came instead of a response, as far as it is something to look at."""
    if isinstance(raw, bytes | bytearray):
        return raw.decode(errors="replace")
    return raw if isinstance(raw, str | int | float | Mapping | list | tuple) else None


def _joined(pieces: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Neighbouring pieces with the same marks as one."""
    joined: list[dict[str, Any]] = []
    for piece in pieces:
        marks = {key: value for key, value in piece.items() if key != "text"}
        if joined and {key: value for key, value in joined[-1].items() if key != "text"} == marks:
            joined[-1]["text"] += piece.get("text", "")
        else:
            joined.append({**marks, "text": piece.get("text", "")})
    return joined


class _Keeping:
    """Copies a JSON value without what is not compared, and notes what that was."""

    def __init__(self, scope: Scope, digests: frozenset[str]) -> None:
        self._named = {tuple(one.field.split(".")): one for one in scope.ignored}
        self._usage = scope.usage
        self._digests = digests
        self.left_out: set[Ignored] = set()

    def value(self, value: Any, path: tuple[str, ...]) -> Any:
        if isinstance(value, Mapping):
            return {
                str(key): self.value(item, (*path, str(key)))
                for key, item in value.items()
                if not self._is_left_out((*path, str(key)), item)
            }
        if isinstance(value, list | tuple):
            return [self.value(item, path) for item in value]
        if isinstance(value, str) and _DIGEST.fullmatch(value) and value in self._digests:
            return "(the digest of the corpus)"
        return value

    def _is_left_out(self, path: tuple[str, ...], value: Any) -> bool:
        named = self._named.get(path)
        if named is not None:
            self.left_out.add(named)
            return True
        name = re.sub(r"[^a-z0-9]+", "_", path[-1].casefold())
        reason = _VOLATILE.get(name) or (_IN_HEADERS.get(name) if path[:1] == ("headers",) else None)
        if reason is None or (self._usage and reason == _COUNTS) or not _is_plain(value):
            return False
        self.left_out.add(Ignored(".".join(path), reason))
        return True


def _is_plain(value: Any) -> bool:
    """Whether a value is a time, a number or an id, and nothing that could tell anything else."""
    if isinstance(value, Mapping):
        return all(_is_plain(item) for item in value.values())
    if isinstance(value, str):
        return _PLAIN.fullmatch(value) is not None
    return value is None or isinstance(value, int | float)


# --- comparing ---------------------------------------------------------------------------------------------------


def differences(one: Json, other: Json) -> tuple[str, ...]:
    """Paths at which two observations differ, in the order of the first, the others' own last.

    >>> differences({"text": "a", "claims": [{"text": "b"}]}, {"text": "a", "claims": [{"text": "c"}], "n": 1})
    ('claims[0].text', 'n')
    """
    return tuple(dict.fromkeys(_differing(one, other, "")))


def _differing(one: Any, other: Any, path: str) -> Iterator[str]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys((*one, *other)):
            inner = f"{path}.{key}".lstrip(".")
            if (key in one) != (key in other):
                yield inner
            else:
                yield from _differing(one[key], other[key], inner)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, pair in enumerate(zip(one, other, strict=True)):
            yield from _differing(*pair, f"{path}[{place}]")
    elif one != other or type(one) is not type(other):
        yield path


def top_level(paths: Iterable[str]) -> tuple[str, ...]:
    """The fields that paths begin with, each once.

    >>> top_level(["claims[0].text", "claims[1].text", "error.kind"])
    ('claims', 'error')
    """
    return tuple(dict.fromkeys(re.split(r"[.\[]", path, maxsplit=1)[0] for path in paths))


def is_only_reordered(one: Any, other: Any) -> bool:
    """Whether two lists hold the same things in another order; numbering is taken for part of the order.

    >>> is_only_reordered([{"id": "a", "n": 1}, {"id": "b", "n": 2}], [{"id": "b", "n": 1}, {"id": "a", "n": 2}])
    True
    """
    if not (isinstance(one, list) and isinstance(other, list)) or one == other:
        return False
    return sorted(map(_unnumbered, one)) == sorted(map(_unnumbered, other))


_NUMBERING = {"n", "marker", "number", "rank", "position"}


def _unnumbered(item: Any) -> str:
    if isinstance(item, Mapping):
        item = {key: value for key, value in item.items() if key not in _NUMBERING}
    return json.dumps(item, sort_keys=True, ensure_ascii=False, default=str)
