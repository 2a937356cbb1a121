"""The steps of a trace as checks read them: scores, a bound, what was kept, what was dropped and why.

Every system writes its trace in its own words, so a step is read by what its keys mean, and what is not understood is
left alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounded.checks.base import Judged, once

__all__ = ["Scores", "Step", "steps_of"]

_KEPT = ("kept", "selected", "passed", "accepted", "retained", "used")
_DROPPED = ("dropped", "removed", "rejected", "filtered", "filtered_out", "excluded", "discarded")
_LIMITS = ("top_k", "k", "limit", "max_items", "top_n")
_TABLE = re.compile(r"scor|relevan|similar|distance|normali|scaled|calibrat|confiden|probab")
_DERIVED = re.compile(r"relevan|similar|normali|scaled|calibrat|confiden|probab")
_BOUND = re.compile(r"threshold|cut_?off|floor|^bound$|^min(imum)?(_(score|similarity|relevance))?$|^max_distance$")
_DISTANCES = frozenset({"l1", "l2", "euclidean", "euclid", "manhattan", "hamming"})
_SIMILARITIES = frozenset(
    {"inner_product", "ip", "dot", "dot_product", "cosine", "cosine_similarity", "similarity", "bm25"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """One table of scores of a step: `key` as the step calls it.

    `lower_is_better` for distances, None where the step does not say what its scores are. `derived` for what was
    computed from other scores of the step: relevance, similarity.
    """

    key: str
    values: Mapping[str, float]
    lower_is_better: bool | None = None
    derived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step. `kept` is None where the step does not say; `dropped` maps a chunk to the reason given, if any."""

    index: int
    name: str
    raw: Mapping[str, Any]
    scores: tuple[Scores, ...] = ()
    bound: float | None = None
    limit: int | None = None
    kept: tuple[str, ...] | None = None
    dropped: Mapping[str, str | None] | None = None

    @property
    def path(self) -> str:
        """Where the step stands."""
        return f"internal.steps[{self.index}]"


@once
def steps_of(judged: Judged) -> tuple[Step, ...] | None:
    """The steps of the trace; None where no trace was observed."""
    steps = judged.internal.steps
    return None if steps is None else tuple(_read(index, step) for index, step in enumerate(steps))


def _read(index: int, raw: Mapping[str, Any]) -> Step:
    return Step(
        index=index,
        name=str(raw.get("name") or f"step {index + 1}"),
        raw=raw,
        scores=tuple(_scores(raw)),
        bound=next((float(raw[key]) for key in raw if _BOUND.search(str(key)) and _is_number(raw[key])), None),
        limit=next((int(raw[key]) for key in _LIMITS if _is_number(raw.get(key))), None),
        kept=_kept(raw),
        dropped=_dropped(raw),
    )


def _scores(raw: Mapping[str, Any]) -> Iterator[Scores]:
    metric = str(raw.get("metric", "")).casefold()
    for key, table in raw.items():
        if not isinstance(table, Mapping) or not _TABLE.search(str(key).casefold()):
            continue
        values = {str(chunk): float(score) for chunk, score in table.items() if _is_number(score)}
        if values:
            yield Scores(
                key=str(key),
                values=values,
                lower_is_better=_direction(str(key).casefold(), metric),
                derived=_DERIVED.search(str(key).casefold()) is not None,
            )
    listed = {
        str(one["chunk"]): float(one["score"])
        for one in _records(raw.get("candidates"))
        if _is_number(one.get("score"))
    }
    if listed:
        yield Scores(key="candidates", values=listed, lower_is_better=_direction("scores", metric))


def _direction(key: str, metric: str) -> bool | None:
    """Whether lower is better. What is derived from a distance is called relevance or similarity: higher is better."""
    if "distance" in key:
        return True
    if _DERIVED.search(key) or "rerank" in key:
        return False
    if metric in _DISTANCES or "distance" in metric:
        return True
    return False if metric in _SIMILARITIES else None


def _kept(raw: Mapping[str, Any]) -> tuple[str, ...] | None:
    for key in _KEPT:
        found = _ids(raw.get(key))
        if found is not None:
            return tuple(found)
    judged = [one for one in _records(raw.get("candidates")) if isinstance(one.get("kept"), bool)]
    return tuple(str(one["chunk"]) for one in judged if one["kept"]) if judged else None


def _dropped(raw: Mapping[str, Any]) -> Mapping[str, str | None] | None:
    for key in _DROPPED:
        found = _ids(raw.get(key))
        if found is not None:
            return found
    judged = [one for one in _records(raw.get("candidates")) if one.get("kept") is False]
    return {str(one["chunk"]): _text(one.get("reason")) for one in judged} if judged else None


def _ids(value: object) -> dict[str, str | None] | None:
    """Chunk ids of a list, a list of records or a mapping, each with the reason that stands beside it."""
    if isinstance(value, Mapping):
        return {str(chunk): _text(reason) for chunk, reason in value.items()}
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    found: dict[str, str | None] = {one: None for one in value if isinstance(one, str)}
    found.update({str(one["chunk"]): _text(one.get("reason")) for one in _records(value)})
    return found


def _records(value: object) -> Iterator[Mapping[str, Any]]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return
    for one in value:
        if isinstance(one, Mapping):
            chunk = one.get("chunk", one.get("id"))
            if isinstance(chunk, str):
                yield {**one, "chunk": chunk}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
