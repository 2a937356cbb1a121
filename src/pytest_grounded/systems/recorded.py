"""Recorded replies: JSON Lines that stand in for a live system.

A line is `{"suite", "case", "step", "run", "variant", "response", "internal"}`; only `case` and `response` are
required. `response` is an object, a raw text as the model gave it, or null where nothing came back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_grounded.errors import Problem, SystemContractError
from pytest_grounded.model.evidence import Corpus
from pytest_grounded.model.outcome import Failure, FailureKind, Outcome
from pytest_grounded.systems.prose import read_prose
from pytest_grounded.systems.reading import read_reply

__all__ = ["LIVE", "RecordedReply", "Recording"]

LIVE = "live"
_KEYS = frozenset({"suite", "case", "step", "run", "variant", "response", "internal"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedReply:
    """One line of a recording. `step` is None for the judged step."""

    case: str
    suite: str | None = None
    step: int | None = None
    run: int = 0
    variant: str = LIVE
    response: Any = field(default=None, repr=False)
    internal: Mapping[str, Any] | None = field(default=None, repr=False)
    line: int = 0


class Recording:
    """All replies of one file, found by case, step, run and variant.

    >>> recording = Recording("r.jsonl", [RecordedReply(case="c", response={"decision": "abstain"})])
    >>> recording.reply(suite="s", case="c").decision.value
    'abstain'
    """

    def __init__(self, name: str, replies: list[RecordedReply]) -> None:
        self.name = name
        self._replies = {(r.suite, r.case, r.step, r.run, r.variant): r for r in replies}

    def __repr__(self) -> str:
        return f"Recording({self.name!r}, {len(self._replies)} replies)"

    @classmethod
    def load(cls, path: Path, *, name: str | None = None) -> Recording:
        """Read a file; every line that cannot be used is reported at once, with its number."""
        shown = name or str(path)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            message = f"the recording cannot be read: {reason}"
            raise SystemContractError(Problem(file=shown, message=message, code="recording")) from None
        replies: list[RecordedReply] = []
        problems: list[Problem] = []
        seen: dict[tuple[object, ...], int] = {}
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip():
                continue
            reply = _read_line(line, number)
            if isinstance(reply, str):
                problems.append(Problem(file=shown, line=number, message=reply, code="recording"))
                continue
            key = (reply.suite, reply.case, reply.step, reply.run, reply.variant)
            if key in seen:
                which = f"case {reply.case!r} ({reply.variant}, run {reply.run})"
                message = f"the reply to {which} stands in line {seen[key]} already"
                problems.append(Problem(file=shown, line=number, message=message, code="recording"))
            seen[key] = number
            replies.append(reply)
        if problems:
            raise SystemContractError(problems)
        return cls(shown, replies)

    def find(
        self, *, suite: str, case: str, step: int | None = None, run: int = 0, variant: str = LIVE
    ) -> RecordedReply | None:
        """The recorded reply, or None. A line without a suite serves every suite."""
        own = self._replies.get((suite, case, step, run, variant))
        return own if own is not None else self._replies.get((None, case, step, run, variant))

    def reply(
        self,
        *,
        suite: str,
        case: str,
        step: int | None = None,
        run: int = 0,
        variant: str = LIVE,
        prose_of: Corpus | None = None,
    ) -> Outcome:
        """What the system said; a reply that was not recorded is a failure that says so.

        With `prose_of` the replies are prose whose markers speak of that corpus.
        """
        found = self.find(suite=suite, case=case, step=step, run=run, variant=variant)
        if found is None:
            which = "" if variant == LIVE and run == 0 else f" ({variant}, run {run})"
            message = f"no reply to case {case!r} of suite {suite!r}{which} is recorded in {self.name}"
            return Outcome(failure=Failure(kind=FailureKind.NOT_RECORDED, message=message))
        if prose_of is not None:
            return read_prose(found.response, prose_of, observed=found.internal)
        return read_reply(found.response, observed=found.internal)

    def runs(self, *, suite: str, case: str, variant: str = LIVE) -> int:
        """How many runs of a case are recorded for a variant."""
        return len(
            {
                run
                for (s, c, step, run, v) in self._replies
                if c == case and v == variant and step is None and s in (None, suite)
            }
        )

    def __iter__(self) -> Iterator[RecordedReply]:
        return iter(self._replies.values())


def _read_line(line: str, number: int) -> RecordedReply | str:
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        return f"is not JSON: {error.msg}"
    except RecursionError:
        return "is not JSON: nested too deeply"
    except ValueError:
        return "holds a whole number of more digits than can be read (write it as text)"
    if not isinstance(data, dict):
        return "needs an object with `case` and `response`"
    unknown = sorted(set(data) - _KEYS)
    if unknown:
        return f"unknown key {unknown[0]!r} (known: {', '.join(sorted(_KEYS))})"
    if "response" not in data:
        return "needs `response`: an object, a raw text, or null where nothing came back"
    kinds: dict[str, tuple[type, ...]] = {
        "case": (str,),
        "suite": (str, type(None)),
        "step": (int, type(None)),
        "run": (int,),
        "variant": (str,),
        "internal": (dict, type(None)),
    }
    for key, allowed in kinds.items():
        if (key in data and not isinstance(data[key], allowed)) or (key == "case" and not data.get("case")):
            return f"{key}: needs {' or '.join(_type_name(kind) for kind in allowed)}, found {data.get(key)!r}"
    return RecordedReply(
        case=data["case"],
        suite=data.get("suite"),
        step=data.get("step"),
        run=data.get("run", 0),
        variant=data.get("variant", LIVE),
        response=data["response"],
        internal=data.get("internal"),
        line=number,
    )


def _type_name(kind: type) -> str:
    return {str: "a text", int: "a whole number", dict: "an object"}.get(kind, "null")
