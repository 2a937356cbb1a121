"""Where in the trace it went wrong: the stage that lost a needed chunk, the step that turned its scores around."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pytest_grounded.checks.base import Judged, not_run, report
from pytest_grounded.checks.traces import Scores, Step, steps_of
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.finding import Observation
from pytest_grounded.model.response import Candidate

__all__ = ["check_stages"]


def check_stages(judged: Judged) -> Iterator[Observation]:
    """Look at the trace, as far as the system reports one."""
    yield from _lost(judged)
    for step in steps_of(judged) or ():
        yield from _reversed(judged, step)
        derived = tuple(scores for scores in step.scores if scores.derived)
        # A bound beside both raw and derived scores is in the scale of the derived ones.
        for scores in derived or step.scores:
            yield from _turned_around(judged, step, scores)
    yield from _worse_kept(judged)


def _lost(judged: Judged) -> Iterator[Observation]:
    """Name the stage that lost a chunk the answer needs and the model was not given."""
    evidence = judged.internal.evidence
    if evidence is None:
        if _needed(judged):
            yield not_run("trace.lost_evidence", "the evidence given to the model was not observed")
        return
    supplied = frozenset(evidence)
    for what, groups in _needed(judged):
        if any(supplied.issuperset(group) for group in groups):
            continue
        nearest = min(groups, key=lambda group: len(set(group) - supplied))
        for chunk_id in nearest:
            if chunk_id not in supplied:
                name = judged.view.name_of(chunk_id)
                message = f"{name}, needed for {what}, did not reach the model: {_stage(judged, chunk_id)}"
                yield report("trace.lost_evidence", message, field="internal.evidence", chunks=[chunk_id])


def _needed(judged: Judged) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    """What needs which chunks: groups of them, one of which is enough."""
    expect = judged.case.expect
    slots = tuple((f"slot {quoted(slot.name)}", slot.evidence) for slot in expect.slots if slot.evidence)
    cite = tuple(("a citation the case demands", ((chunk_id,),)) for chunk_id in expect.cite)
    sides = expect.conflict.sides if expect.conflict else ()
    shown = tuple(
        (f"the side {quoted(side.value)} of the conflict", tuple((chunk,) for chunk in side.chunks))
        for side in sides
        if side.chunks
    )
    return (*slots, *cite, *shown)


def _stage(judged: Judged, chunk_id: str) -> str:
    """Where a chunk was seen last."""
    for step in steps_of(judged) or ():
        if step.dropped is not None and chunk_id in step.dropped:
            reason = step.dropped[chunk_id]
            return f"step {quoted(step.name)} dropped it" + (f" ({reason})" if reason else " without a reason")
    candidates = judged.internal.candidates
    if candidates is None:
        return "candidates were not observed, so retrieval or selection lost it"
    candidate = next((one for one in candidates if one.chunk == chunk_id), None)
    if candidate is None:
        return "retrieval did not find it"
    if candidate.kept is False:
        return "selection dropped it" + (f" ({candidate.reason})" if candidate.reason else " without a reason")
    return "it was kept, and lost between selection and the prompt"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """What a step kept, and what it dropped with the reason it gives; `said` where the step says so itself."""

    kept: frozenset[str]
    dropped: Mapping[str, str | None]
    said: bool


def _reversed(judged: Judged, step: Step) -> Iterator[Observation]:
    """Whether what was computed from the scores puts two chunks the other way round."""
    for raw in step.scores:
        for derived in step.scores:
            if raw.derived or not derived.derived:
                continue
            turned = _turned_pair(raw, derived)
            if turned is not None:
                worse, better = map(judged.view.name_of, turned)
                message = (
                    f"{derived.key} turns {raw.key} around: {better} is better by {raw.key}, {worse} by {derived.key}"
                )
                yield _not_monotonic(step, turned[1], message)


def _turned_pair(raw: Scores, derived: Scores) -> tuple[str, str] | None:
    """Two chunks, the worse by the raw scores first, that the derived scores rank the other way round.

    Where the step does not say whether its scores are distances, only a ranking that is neither kept nor turned as a
    whole is wrong.
    """
    ranked = sorted(raw.values.keys() & derived.values.keys(), key=lambda chunk: (raw.values[chunk], chunk))
    if raw.lower_is_better:
        ranked.reverse()
    pairs = [(left, right) for left, right in pairwise(ranked) if raw.values[left] != raw.values[right]]
    turned = [(left, right) for left, right in pairs if derived.values[left] > derived.values[right]]
    if not turned or (raw.lower_is_better is None and len(turned) == len(pairs)):
        return None
    return turned[0]


def _turned_around(judged: Judged, step: Step, scores: Scores) -> Iterator[Observation]:
    """Hold a step with scores to its own bound."""
    if step.bound is None and step.limit is None:
        return
    sides = _sides(judged, step, scores)
    if sides is None:
        return
    sign = -1.0 if scores.lower_is_better else 1.0
    bound = None if step.bound is None else step.bound * sign
    values = {chunk: score * sign for chunk, score in scores.values.items()}
    for chunk, score in values.items():
        name, shown = judged.view.name_of(chunk), scores.values[chunk]
        if bound is not None and chunk in sides.kept and score < bound:
            yield _not_monotonic(
                step, chunk, f"{name} is kept with {scores.key} {shown:g}, beyond the bound {step.bound:g}"
            )
        elif bound is not None and score > bound and _is_unexplained(judged, step, sides, chunk):
            yield _not_monotonic(
                step, chunk, f"{name} is dropped with {scores.key} {shown:g}, within the bound {step.bound:g}"
            )
    yield from _worse_of_two(judged, step, scores, sides, values)


def _worse_of_two(
    judged: Judged, step: Step, scores: Scores, sides: _Sides, values: Mapping[str, float]
) -> Iterator[Observation]:
    kept = [(score, chunk) for chunk, score in values.items() if chunk in sides.kept]
    dropped = [(s, c) for c, s in values.items() if c not in sides.kept and _is_unexplained(judged, step, sides, c)]
    if not kept or not dropped:
        return
    worst, best = min(kept), max(dropped)
    if worst[0] < best[0]:
        view = judged.view
        message = (
            f"of two it keeps the worse: {view.name_of(worst[1])} ({scores.values[worst[1]]:g}) is kept, "
            f"{view.name_of(best[1])} ({scores.values[best[1]]:g}) is dropped"
        )
        yield _not_monotonic(step, best[1], message)


def _not_monotonic(step: Step, chunk: str, message: str) -> Observation:
    return report("trace.not_monotonic", f"step {quoted(step.name)}: {message}", field=step.path, chunks=[chunk])


def _sides(judged: Judged, step: Step, scores: Scores) -> _Sides | None:
    """What a step kept and dropped; where it says neither, the evidence tells what came through."""
    if step.kept is not None or step.dropped is not None:
        dropped = (
            step.dropped
            if step.dropped is not None
            else {c: None for c in scores.values if c not in set(step.kept or ())}
        )
        evidence = judged.internal.evidence
        through = scores.values if evidence is None else [chunk for chunk in scores.values if chunk in evidence]
        kept = step.kept if step.kept is not None else [chunk for chunk in through if chunk not in dropped]
        return _Sides(kept=frozenset(kept), dropped=dropped, said=True)
    evidence = judged.internal.evidence
    if evidence is None:
        return None
    kept_ids = frozenset(evidence)
    return _Sides(kept=kept_ids, dropped={c: None for c in scores.values if c not in kept_ids}, said=False)


def _is_unexplained(judged: Judged, step: Step, sides: _Sides, chunk: str) -> bool:
    """Whether a chunk was dropped and nothing but its score can be why."""
    if chunk not in sides.dropped:
        return False
    if sides.dropped[chunk] is not None:
        return False
    if not sides.said and (step.limit is not None and step.bound is not None):
        return False
    if not judged.view.usable(chunk):
        return False
    elsewhere = (other for other in steps_of(judged) or () if other.index != step.index and other.dropped is not None)
    if any(chunk in (other.dropped or {}) for other in elsewhere):
        return False
    return not any(one.chunk == chunk and one.reason for one in judged.internal.candidates or ())


def _worse_kept(judged: Judged) -> Iterator[Observation]:
    """Among the candidates as a whole: the better one dropped without any reason, the worse one kept."""
    scored = [one for one in judged.internal.candidates or () if one.score is not None and one.kept is not None]
    kept = [one for one in scored if one.kept]
    dropped = [one for one in scored if not one.kept and not one.reason and judged.view.usable(one.chunk)]
    if not kept or not dropped:
        return
    worst, best = _least(kept), _most(dropped)
    if (worst.score or 0.0) < (best.score or 0.0) and not _ranked_by_distance(judged):
        view = judged.view
        message = (
            f"of two candidates the worse is kept: {view.name_of(worst.chunk)} ({worst.score:g}) is kept, "
            f"{view.name_of(best.chunk)} ({best.score:g}) is dropped without a reason"
        )
        yield report("trace.not_monotonic", message, field="internal.candidates", chunks=[best.chunk])


def _least(candidates: Sequence[Candidate]) -> Candidate:
    return min(candidates, key=lambda one: (one.score or 0.0, one.chunk))


def _most(candidates: Sequence[Candidate]) -> Candidate:
    return max(candidates, key=lambda one: (one.score or 0.0, one.chunk))


def _ranked_by_distance(judged: Judged) -> bool:
    """Whether the scores are distances: the candidates stand in ascending order, or a step says so."""
    scores = [one.score for one in judged.internal.candidates or () if one.score is not None]
    said = any(scores_of.lower_is_better for step in steps_of(judged) or () for scores_of in step.scores)
    return said or (scores == sorted(scores) and scores != sorted(scores, reverse=True))
