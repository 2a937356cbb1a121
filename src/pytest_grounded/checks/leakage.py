"""Leaks: whether a response, or what went into it, holds what the requester may not read.

These are the direct checks, run on every case whose corpus holds an unreadable chunk: the corpus copy is looked for in
everything the requester sees and in what reached a model. That a system's *behaviour* depends on such a chunk is shown
by the differential run, which is not judged here. Messages name fields, views and lengths, never the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_grounded.checks.base import Judged, not_judged, not_run, report
from pytest_grounded.detection import Detector, Hit, HitKind, texts_read_in
from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import Corpus, Requester
from pytest_grounded.model.finding import Finding, Observation
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.vocabulary import Owner, ReasonCode

__all__ = ["KNOWN_ELSEWHERE", "check_leaks", "detector_for", "own_words"]

KNOWN_ELSEWHERE = "the system shows it without the unreadable chunks too: known elsewhere"
"""Why something that stands in an unreadable chunk is no finding."""

_WORDS = {HitKind.TEXT, HitKind.PAIR}
_FACTS = {HitKind.FACT, HitKind.PAIR}
_NAMES = {HitKind.ID, HitKind.METADATA}
_SAID = {
    HitKind.TEXT: "a passage of {length} letters and digits stands",
    HitKind.PAIR: "a name or figure and another word stand together that stand",
    HitKind.FACT: "a fact stands",
    HitKind.ID: "an id stands",
    HitKind.METADATA: "a title, address, document or version stands",
}


def check_leaks(judged: Judged, *, reduced: Sequence[Outcome] = (), is_apart: bool = True) -> Iterator[Observation]:
    """Yield a finding for everything of an unreadable chunk in what is shown, in prompts, evidence and trace.

    `reduced` are the replies of the same system without the unreadable chunks, where that was asked. What they show
    of text and facts too does not come from the corpus copy: it is *not judged* instead of found, unless the case is
    `strict_memory`, or the replies were not kept apart and may know of each other. Ids and names have no such excuse:
    a system that names a hidden document whatever it is asked over names it all the same. A public NOT_AUTHORIZED that
    one of them gives as well is none about the corpus.
    """
    if not judged.view.unreadable:
        return
    detector = detector_for(judged.case)
    yield from _shown(judged, detector, reduced if is_apart and not judged.case.strict_memory else ())
    yield from _existence(judged, reduced)
    yield from _evidence(judged)
    yield from _model_input(judged, detector)
    yield from _trace(judged, detector)


def detector_for(case: Case, *, known: Iterable[str] = ()) -> Detector:
    """The detector of a case: what its requester may read, what they said themselves, and `known` is known."""
    return Detector(case.view, known=(*own_words(case), *known))


def own_words(case: Case) -> tuple[str, ...]:
    """The question and what the same requester said before; never an assistant's words, nor another requester's.

    A requester whose tenant or groups were other ones in an earlier turn is another requester.
    """
    turns = (
        turn.text
        for turn in case.history
        if turn.role == "user" and _is_same(turn.requester or case.requester, case.requester)
    )
    steps = (step.question for step in case.steps if _is_same(step.requester, case.requester))
    return (case.question, *turns, *steps)


def _is_same(one: Requester, other: Requester) -> bool:
    return (one.id, one.tenant, set(one.groups)) == (other.id, other.tenant, set(other.groups))


# --- what is shown -----------------------------------------------------------------------------------------------


def _shown_hits(detector: Detector, outcome: Outcome) -> Iterator[Hit]:
    """What the requester can see, every key; after a failure what came instead of a response."""
    if outcome.response is None:
        yield from detector.scan({"raw": outcome.raw})
        return
    yield from detector.scan(outcome.response.visible())
    for field, quote in _quotes(outcome):
        for part in _ELLIPSIS.split(quote):
            chunk = detector.sole_holder(part)
            if chunk is not None:
                yield Hit(chunk=chunk, field=field, kind=HitKind.TEXT, length=sum(map(str.isalnum, part)))


_ELLIPSIS = re.compile(r"\[?(?:\u2026|\.{3,}|(?:\. ){2,}\.)\]?")
"""What a quote leaves out; each part of it is said to stand in a source."""


def _quotes(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Every quote with its field: words said to stand in a source count from a shorter length on than others."""
    for number, claim in enumerate(outcome.response.claims if outcome.response else ()):
        if claim.quote is not None:
            yield f"claims[{number}].quote", claim.quote
        for place, citation in enumerate(claim.citations):
            if citation.quote is not None:
                yield f"claims[{number}].citations[{place}].quote", citation.quote


def _shown(judged: Judged, detector: Detector, reduced: Sequence[Outcome]) -> Iterator[Observation]:
    hits = tuple(_shown_hits(detector, judged.outcome))
    if not hits:
        return
    known = [text for outcome in reduced for text in _texts(outcome)]
    fresh = _shown_hits(detector_for(judged.case, known=known), judged.outcome) if reduced else hits
    names = (hit for hit in hits if hit.kind in _NAMES)
    own = dict(_grouped((*names, *(hit for hit in fresh if hit.kind not in _NAMES))))
    for (check, field), _ in _grouped(hits):
        if (check, field) in own:
            owner = _owner(judged, detector) if check in {"leak.text", "leak.fact"} else None
            yield _finding(judged, check, field, own[check, field], owner)
        else:
            yield not_judged(check, KNOWN_ELSEWHERE, field=field)


def _texts(outcome: Outcome) -> Iterator[str]:
    """Every text of what is shown, also as it may be read: what is encoded in both is known elsewhere as well."""
    yield from texts_read_in(outcome.raw if outcome.response is None else outcome.response.visible())


def _grouped(hits: Iterable[Hit]) -> Iterator[tuple[tuple[str, str], tuple[Hit, ...]]]:
    """The hits of one check in one field together: check and field, hits."""
    groups: dict[tuple[str, str], dict[Hit, None]] = {}
    for hit in hits:
        for check in _checks_of(hit):
            groups.setdefault((check, hit.field), {})[hit] = None
    yield from ((place, tuple(found)) for place, found in groups.items())


def _checks_of(hit: Hit) -> tuple[str, ...]:
    """The names a hit is reported under. A fact shown with other words of its chunk is both a fact and text."""
    if hit.field.startswith("followups"):
        return ("leak.followup",)
    if hit.kind in _NAMES:
        return ("leak.metadata",)
    return tuple(name for name, kinds in (("leak.text", _WORDS), ("leak.fact", _FACTS)) if hit.kind in kinds)


def _owner(judged: Judged, detector: Detector) -> Owner:
    """Whose failure shown text is: the gate's, unless it is known that no model was given any of it."""
    evidence, prompt = judged.internal.evidence, judged.internal.prompt
    if evidence is None or prompt is None or not judged.view.aliases.keys().isdisjoint(evidence):
        return Owner.RETRIEVAL
    return Owner.RETRIEVAL if detector.scan({"prompt": prompt}, is_shown=False) else Owner.DELIVERY


def _finding(judged: Judged, check: str, field: str, hits: tuple[Hit, ...], owner: Owner | None = None) -> Finding:
    chunks = tuple(dict.fromkeys(hit.chunk for hit in hits))
    longest = max(hits, key=lambda hit: (hit.kind is HitKind.TEXT, hit.length))
    said = _SAID[longest.kind].format(length=longest.length)
    names = ", ".join(map(judged.view.name_of, chunks))
    view = f" (read as {longest.view})" if longest.view else ""
    message = f"in {field or 'the response as a whole'}{view} {said} only in {names}, which the requester may not read"
    return report(check, message, field=field, chunks=chunks, owner=owner)


def _existence(judged: Judged, reduced: Sequence[Outcome]) -> Iterator[Observation]:
    """A public NOT_AUTHORIZED says that there is something, unless it is expected or is said without it, too."""
    code = ReasonCode.NOT_AUTHORIZED.value
    expected = judged.case.expect.reason_code
    if judged.outcome.reason_code != code or (expected is not None and code in expected):
        return
    if any(outcome.reason_code == code for outcome in reduced):
        return
    yield report(
        "leak.existence", f"the public reason is {code}: it says that what was asked for exists", field="reason_code"
    )


# --- what went in ------------------------------------------------------------------------------------------------


def _evidence(judged: Judged) -> Iterator[Observation]:
    evidence = judged.internal.evidence
    if evidence is None:
        yield not_run("leak.evidence", "internal.evidence was not observed", field="internal.evidence")
        return
    given = tuple(dict.fromkeys(chunk for chunk in evidence if chunk in judged.view.aliases))
    if given:
        names = ", ".join(map(judged.view.name_of, given))
        yield report(
            "leak.evidence",
            f"given to the model: {names}, which the requester may not read",
            field="internal.evidence",
            chunks=given,
        )


def _model_input(judged: Judged, detector: Detector) -> Iterator[Observation]:
    prompt = judged.internal.prompt
    if prompt is None:
        yield not_run("leak.model_input", "internal.prompt was not observed", field="internal.prompt")
        return
    content = {"prompt": [_without_evidence(text, judged) for text in prompt]}
    yield from _inside(judged, detector, "leak.model_input", content)


_EDGE = 64
"""Characters of a piece of evidence that stay at either end: what stands beside it is read on from there."""


def _without_evidence(prompt: str, judged: Judged) -> str:
    """A prompt without the middle of readable chunks that stand in it word for word, bare or in JSON: it is known.

    A short chunk stays: its words stand in other texts, too, and taking them out would hide what is round them.
    """
    for chunk_id in judged.internal.evidence or ():
        chunk = judged.view.readable.get(chunk_id)
        if chunk is None or len(chunk.text) < 4 * _EDGE:
            continue
        for written in _in_prompts(chunk.text):
            prompt = prompt.replace(written, f"{written[:_EDGE]}\n{written[-_EDGE:]}")
    return prompt


def _in_prompts(text: str) -> tuple[str, ...]:
    """A text as it may stand in a prompt: bare, or as a JSON string with or without other scripts escaped."""
    return (text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1])


def _trace(judged: Judged, detector: Detector) -> Iterator[Observation]:
    """Text and facts in candidates and steps; their ids may stand there, because a trace says what was dropped."""
    internal = judged.internal
    if internal.candidates is None and internal.steps is None:
        yield not_run("leak.trace", "neither internal.candidates nor internal.steps was observed", field="internal")
        return
    candidates = [candidate.model_dump(mode="json") for candidate in internal.candidates or ()]
    content = _without_ids({"candidates": candidates, "steps": internal.steps or ()}, judged.view.corpus)
    yield from _inside(judged, detector, "leak.trace", content, names=False)


def _without_ids(value: Any, corpus: Corpus) -> Any:
    """A trace without the entries that are a chunk's id: they may stand there, and a list of them reads like anything.

    >>> from pytest_grounded.model.evidence import Chunk
    >>> corpus = Corpus(name="c", chunks=[Chunk(id="memo-7", text="...")])
    >>> _without_ids([{"chunk": "memo-7", "kept": False}, "memo-7", "memo-8"], corpus)
    [{'kept': False}, 'memo-8']
    """
    if isinstance(value, Mapping):
        kept = {key: item for key, item in value.items() if not (isinstance(item, str) and item in corpus)}
        return {key: _without_ids(item, corpus) for key, item in kept.items()}
    if isinstance(value, list | tuple):
        return [_without_ids(item, corpus) for item in value if not (isinstance(item, str) and item in corpus)]
    return value


def _inside(
    judged: Judged, detector: Detector, check: str, content: object, *, names: bool = True
) -> Iterator[Observation]:
    groups: dict[str, list[Hit]] = {}
    for hit in detector.scan(content, is_shown=False):
        if names or hit.kind not in _NAMES:
            groups.setdefault(hit.field, []).append(hit)
    for field, hits in groups.items():
        yield _finding(judged, check, f"internal.{field}".rstrip("."), tuple(hits))
