"""What differs between two responses to one question, told from the responses alone and without any snapshot.

Stated here a second time, and simply: which part differs, how much that matters, which stage it comes from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from pytest_grounded.model.response import Response
from tests.suites.careless import INTRODUCTION

__all__ = ["SEVERITY", "STAGES", "difference"]

SEVERITY = (
    "decision",
    "reason",
    "citation",
    "fact_wording",
    "evidence",
    "claim",
    "step",
    "drop_reason",
    "order",
    "wording",
    "score_drift",
)
STAGES = (
    "follow_up",
    "screen",
    "retrieve",
    "select",
    "resolve",
    "gate",
    "generate",
    "verify",
    "repair",
    "mend",
    "thin",
    "fallback",
    "deliver",
)
_Choices = Mapping[str, Mapping[str, Any]]
_TOLERANCE = 0.001 + 1e-9
_DECIMAL = re.compile(r"\d+\.\d+")
_SETTINGS = frozenset({"says", "floor", "needed", "scorer", "generator"})
"""What a step of the reference pipeline says again of the settings, and its sentence."""
_NOT_KEPT = frozenset({"detail"})
"""Words of a failure that may be those of a draft: a trace keeps only what was told as a reason."""


def difference(old: Response, new: Response) -> tuple[str, str] | None:
    """The most severe class and the earliest stage of everything that differs; None where nothing does."""
    found = list(_differences(old, new))
    if not found:
        return None
    return min((kind for kind, _ in found), key=SEVERITY.index), min((stage for _, stage in found), key=STAGES.index)


def _differences(old: Response, new: Response) -> Iterator[tuple[str, str]]:
    yield from _of_the_answer(old, new)
    yield from _of_the_evidence(old, new)
    yield from _of_the_steps(old, new)


def _of_the_answer(old: Response, new: Response) -> Iterator[tuple[str, str]]:
    # Where the model was given something both times, it was not the gate that said no.
    decider = "deliver" if old.internal.evidence and new.internal.evidence else "gate"
    if old.decision != new.decision:
        yield "decision", decider
    if (old.reason_code, old.internal.reason_code, old.next_step) != (
        new.reason_code,
        new.internal.reason_code,
        new.next_step,
    ):
        yield "reason", decider
    if _cited(old) != _cited(new) or _quoted(old) != _quoted(new):
        yield "citation", "generate"
    if (old.sources, old.rendered) != (new.sources, new.rendered):
        yield "citation", "deliver"
    if old.missing != new.missing:
        yield _words("\n".join(old.missing), "\n".join(new.missing)), decider
    if old.conflicts != new.conflicts:
        yield "fact_wording", "resolve"
    if old.text != new.text:
        yield _words(old.text, new.text), "generate"
    if len(old.claims) != len(new.claims) or [claim.status for claim in old.claims] != [c.status for c in new.claims]:
        yield "claim", "generate"
    if old.delivery != new.delivery or len(old.stream) != len(new.stream):
        yield "step", "deliver"


def _cited(response: Response) -> Counter[Hashable]:
    return Counter((one.chunk, one.quote) for claim in response.claims for one in claim.citations)


def _quoted(response: Response) -> Counter[Hashable]:
    return Counter(claim.quote for claim in response.claims)


_FACT = re.compile(r"\d+|\b(?:cannot|except|may|must|never|no|not|only|unless)\b")


_PLURAL = re.compile(r"(?<=\w{3})s\b")


def _words(old: str, new: str) -> str:
    """A text with the same lines, in another order, in other letters or behind an introduction, says the same."""
    same_facts = sorted(_FACT.findall(old.lower())) == sorted(_FACT.findall(new.lower()))
    before, after = (sorted(map(_said, text.lower().splitlines())) for text in (old, new))
    return "wording" if same_facts and before == after else "fact_wording"


def _said(line: str) -> str:
    """A line without an introduction, its plurals as singulars."""
    return _PLURAL.sub("", line.removeprefix(INTRODUCTION.lower()).strip())


def _of_the_evidence(old: Response, new: Response) -> Iterator[tuple[str, str]]:
    before, after = (list(one.internal.evidence or ()) for one in (old, new))
    kept = [{one.chunk for one in found.internal.candidates or () if one.kept} for found in (old, new)]
    for chunk in set(before) ^ set(after):
        after_selection = "resolve" if before and after else "gate"
        yield "evidence", after_selection if chunk in kept[0] & kept[1] else "select"
    if set(before) == set(after) and before != after:
        yield "order", "select"
    was, now = ({one.chunk: one.model_dump() for one in found.internal.candidates or ()} for found in (old, new))
    yield from _of_choices(was, now, came="retrieve", chose="select")


def _of_choices(was: _Choices, now: _Choices, *, came: str, chose: str) -> Iterator[tuple[str, str]]:
    """What differs between two lists of candidates: which there are, which were kept, why others were not."""
    for chunk in was.keys() ^ now.keys():
        yield ("evidence" if (was.get(chunk) or now[chunk])["kept"] else "drop_reason"), came
    common = was.keys() & now.keys()
    if [chunk for chunk in was if chunk in common] != [chunk for chunk in now if chunk in common]:
        yield "order", came
    for chunk in common:
        before, after = was[chunk], now[chunk]
        if before["kept"] != after["kept"]:
            yield "evidence", chose
        if _without_decimals(before["reason"]) != _without_decimals(after["reason"]):
            yield "drop_reason", chose
        if abs((before.get("score") or 0.0) - (after.get("score") or 0.0)) > _TOLERANCE:
            yield "score_drift", came


def _without_decimals(reason: str | None) -> str:
    return _DECIMAL.sub("#", reason or "")


def _of_the_steps(old: Response, new: Response) -> Iterator[tuple[str, str]]:
    before, after = (_by_name(response.internal.steps or ()) for response in (old, new))
    for key in before.keys() | after.keys():
        was, now = before.get(key), after.get(key)
        if was is None or now is None:
            yield "step", key[0]
            continue
        if _floors(was) != _floors(now):
            yield "step", key[0]
        for name in (was.keys() | now.keys()) - _SETTINGS:
            if name != "choices" and (kind := _of_values(_kept(was.get(name)), _kept(now.get(name)))):
                yield kind, key[0]
        if "choices" in was:
            chosen = [{one["chunk"]: one for one in step["choices"]} for step in (was, now)]
            yield from _of_choices(*chosen, came=key[0], chose=key[0])
            for chunk in chosen[0].keys() & chosen[1].keys():
                if {*chosen[0][chunk].get("fused", ())} != {*chosen[1][chunk].get("fused", ())}:
                    yield "step", key[0]
    support = [Counter(repr(sorted(row.items())) for row in response.internal.support or ()) for response in (old, new)]
    if support[0] != support[1]:
        yield "claim", "verify"


def _floors(step: Mapping[str, Any]) -> frozenset[str]:
    """Of which scores a step says that it held them to a floor."""
    floor = step.get("floor")
    return frozenset(floor) if isinstance(floor, Mapping) else frozenset()


def _by_name(steps: Iterable[Mapping[str, Any]]) -> dict[tuple[str, int], Mapping[str, Any]]:
    """Steps by name and by how many of that name stood before."""
    seen: Counter[str] = Counter()
    found = {}
    for step in steps:
        found[step["name"], seen[step["name"]]] = step
        seen[step["name"]] += 1
    return found


def _kept(value: object) -> object:
    """A value as a trace keeps it."""
    if isinstance(value, list | tuple):
        return [_kept(one) for one in value]
    if isinstance(value, Mapping):
        return {key: _kept(one) for key, one in value.items() if key not in _NOT_KEPT}
    return value


def _of_values(was: object, now: object) -> str | None:
    if was == now:
        return None
    if _in_one_order(was) == _in_one_order(now):
        return "order"
    if isinstance(was, float) and isinstance(now, float):
        return "score_drift" if abs(was - now) > _TOLERANCE else None
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        kinds = [kind for key in was.keys() | now.keys() if (kind := _of_values(was.get(key), now.get(key)))]
        return min(kinds, key=SEVERITY.index, default=None)
    return "step"


def _in_one_order(value: object) -> str:
    """A value with every list in it sorted, as text."""
    if isinstance(value, list | tuple):
        return repr(sorted(map(_in_one_order, value)))
    if isinstance(value, Mapping):
        return repr({key: _in_one_order(value[key]) for key in sorted(value)})
    return repr(value)
