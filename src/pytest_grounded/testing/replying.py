"""Planted faults in a reply that is right but for one thing: ids, quotes, numbers, small words, markers, what is shown.

Each changes a response of the clean pipeline and leaves one it has no hold on as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pytest_grounded.model.evidence import Chunk, CorpusView
from pytest_grounded.model.request import Request
from pytest_grounded.model.response import (
    Action,
    Candidate,
    Citation,
    Claim,
    ConflictSide,
    Derivation,
    Response,
    StreamPiece,
)
from pytest_grounded.model.vocabulary import Decision, Owner, ReasonCode
from pytest_grounded.pipeline.passages import passages, plain
from pytest_grounded.testing.planting import Edit, edits, planted, replaced
from pytest_grounded.text.instructions import find_instructions

__all__ = ["REPLIES", "of_citations", "of_claims"]

_SEVERAL = 2


def _view(request: Request) -> CorpusView:
    return request.corpus.view(request.requester, request.as_of)


def of_claims(change: Callable[[Claim], Claim]) -> Edit:
    """Change the claims of an answer, and nothing of what is shown beside them."""

    def edit(response: Response, _: Request) -> Response:
        if not response.decision.answers or not response.claims:
            return response
        return replaced(response, claims=tuple(map(change, response.claims)))

    return edit


def of_citations(change: Callable[[Citation], Citation]) -> Edit:
    """Change every citation of an answer."""
    return of_claims(lambda claim: replaced_claim(claim, citations=tuple(map(change, claim.citations))))


def replaced_claim(claim: Claim, **fields: object) -> Claim:
    """The claim with some fields changed."""
    return claim.model_copy(update=fields)


def _of_words(change: Callable[[str], str]) -> Edit:
    """Change what an answer says, in its claims and in its text; its quotes stay."""

    def edit(response: Response, _: Request) -> Response:
        if not response.decision.answers or not response.claims:
            return response
        claims = tuple(replaced_claim(claim, text=change(claim.text)) for claim in response.claims)
        return replaced(response, text=change(response.text), claims=claims, stream=())

    return edit


def _of_claim_words(change: Callable[[str], str]) -> Edit:
    return of_claims(lambda claim: replaced_claim(claim, text=change(claim.text)))


def _of_text(change: Callable[[str, Response, Request], str]) -> Edit:
    """Change the text that is shown, of answers alone."""

    def edit(response: Response, request: Request) -> Response:
        if not response.decision.answers:
            return response
        return replaced(response, text=change(response.text, response, request), stream=())

    return edit


def words(text: str) -> frozenset[str]:
    """The longer words of a text, without case."""
    return frozenset(word for word in re.findall(r"\w+", text.lower()) if len(word) > len("city"))


# --- ids and markers -------------------------------------------------------------------------------------------------


def _cites_beside(response: Response, request: Request) -> Response:
    """Name a further source that was not among the evidence."""
    supplied = set(response.internal.evidence or ())
    other = next((chunk.id for chunk in _view(request).usable_chunks if chunk.id not in supplied), None)
    if other is None or not response.decision.answers or not response.claims:
        return response
    first, *rest = response.claims
    claim = replaced_claim(first, citations=(*first.citations, Citation(chunk=other)))
    return replaced(response, claims=(claim, *rest))


def _first_source_alone(claim: Claim) -> Claim:
    return replaced_claim(claim, citations=claim.citations[:1])


def _other_version(citation: Citation) -> Citation:
    return citation if citation.version is None else citation.model_copy(update={"version": "v0"})


def _opens_another(response: Response, request: Request) -> Response:
    """Let every marker open a chunk that nothing cites."""
    cited = set(response.cited)
    other = next((chunk.id for chunk in _view(request).usable_chunks if chunk.id not in cited), None)
    if other is None:
        return response
    return replaced(response, rendered=tuple(one.model_copy(update={"chunk": other}) for one in response.rendered))


def _unknown_marker(text: str, _: Response, __: Request) -> str:
    return f"{text} [97]"


def _unsafe_link(response: Response, _: Request) -> Response:
    if not response.sources:
        return response
    first, *rest = response.sources
    return replaced(response, sources=(first.model_copy(update={"url": "javascript:open(1)"}), *rest))


# --- quotes ----------------------------------------------------------------------------------------------------------


def _cut_short(citation: Citation) -> Citation:
    return citation if citation.quote is None else citation.model_copy(update={"quote": citation.quote.split()[0]})


def _left_out(citation: Citation) -> Citation:
    """Leave out of a quote the part that denies or excepts, with an ellipsis in its place."""
    quote = citation.quote or ""
    match = re.search(r"\b(?:not paid for, except|not|don't|no longer|won't)\b", quote)
    if match is None:
        return citation
    return citation.model_copy(update={"quote": f"{quote[: match.start()]}...{quote[match.end() :]}"})


# --- numbers and units -----------------------------------------------------------------------------------------------

_UNITS = (
    (re.compile(r"\$(?=\d)"), "€"),
    (re.compile(r"\bdays\b"), "weeks"),
    (re.compile(r"\bhours\b"), "minutes"),
    (re.compile(r"\bkm\b"), "miles"),
    (re.compile(r"(?<=\d)元"), "美元"),
)


def _other_units(text: str) -> str:
    for unit, other in _UNITS:
        text = unit.sub(other, text)
    return text


def _other_scale(text: str) -> str:
    return re.sub(r"(\$\d+(?:\.\d+)?)(?![\d,.]*\d)", r"\1 thousand", text)


def _another_figure(response: Response, _: Request) -> Response:
    if not response.decision.answers or len(response.claims) < _SEVERAL:
        return response
    *others, last = response.claims
    last = replaced_claim(last, text=f"{last.text} This holds for 17 sorts of trips.")
    return replaced(response, claims=(*others, last))


def _figure_left_out(response: Response, _: Request) -> Response:
    """Tell what a partial answer covers without the figure that was asked for; one that was computed stays."""

    def vague(text: str) -> str:
        return re.split(r"\s*(?:of|than|over|to)?\s*[$€]?\d", text, maxsplit=1)[0]

    if response.decision is not Decision.PARTIAL:
        return response
    claims = tuple(
        claim if claim.derivation else replaced_claim(claim, text=vague(claim.text)) for claim in response.claims
    )
    text = "\n".join((*(claim.text for claim in claims), *response.text.splitlines()[len(claims) :]))
    return replaced(response, text=text, claims=claims, rendered=(), sources=(), stream=())


_WRITTEN_DATE = re.compile(r"\bApril 9, (\d{4})")


def _date_in_digits(text: str) -> str:
    return _WRITTEN_DATE.sub(r"09/04/\1", text)


def _wrong_result(text: str) -> str:
    return re.sub(r"= (\D?)(\d)", lambda match: f"= {match[1]}{int(match[2]) % 9 + 1}", text)


def _operands_of_another_kind(claim: Claim) -> Claim:
    """Say that the first of the numbers put together is a length."""
    if claim.derivation is None or not claim.derivation.operands:
        return claim
    first, *rest = claim.derivation.operands
    operands = (first.model_copy(update={"unit": "km"}), *rest)
    return replaced_claim(claim, derivation=Derivation(operation=claim.derivation.operation, operands=operands))


# --- small words and subjects ----------------------------------------------------------------------------------------

_TURNS = (
    (re.compile(r"\bat least\b"), "at most"),
    (re.compile(r"\bup to\b"), "at least"),
    (re.compile(r"\bno later than\b"), "no sooner than"),
    (re.compile(r"\bmore than\b"), "less than"),
    (re.compile(r"\blonger than\b"), "shorter than"),
    (re.compile(r"超过"), "低于"),
)


def _turned_bound(text: str) -> str:
    for bound, other in _TURNS:
        text = bound.sub(other, text)
    return text


def _affirmed(text: str) -> str:
    """Take the denials out of a text."""
    text = re.sub(r"\bdon't\b", "do", text)
    return re.sub(r"\b(?:is no longer|will not|not) ", lambda match: _AFFIRMED.get(match[0], ""), text)


_AFFIRMED = {"is no longer ": "is ", "will not ": "will "}


def _without_exception(text: str) -> str:
    return re.sub(r",? (?:except|unless|only if)\b.*?(?=[.\[]|$)", "", text)


def _other_subject(text: str) -> str:
    """Say the value of one subject of another that the same evidence speaks of."""
    swapped = re.sub(r"\bhigh-cost (?=cit)", "standard ", text)
    return swapped if swapped != text else re.sub(r"\bstandard (?=cit)", "high-cost ", text)


def _with_a_name(text: str) -> str:
    return re.sub(r"(?=[.!?]?$)", " at Contoso Limited", text.rstrip(), count=1)


# --- what is shown beside the claims ---------------------------------------------------------------------------------


def _says_more(text: str, _: Response, __: Request) -> str:
    return f"{text} Some 3,400 colleagues asked this before."


def _claims_lost(response: Response, _: Request) -> Response:
    return replaced(response, claims=()) if response.decision.answers else response


def _former_value(response: Response, request: Request) -> Response:
    """Ask back, and name the value of a version that has ended."""
    view, asked = _view(request), words(request.question)
    ended = [chunk for chunk in view.readable.values() if chunk.facts and not view.in_force(chunk.id)]
    former = max(ended, key=lambda chunk: len(asked & words(chunk.text)), default=None)
    if response.decision is not Decision.CLARIFY or former is None or len(asked & words(former.text)) < _SEVERAL:
        return response
    return replaced(response, text=f"{response.text} One version has {former.facts[0].value} for it.", stream=())


def _answers_something_else(response: Response, request: Request) -> Response:
    """Quote another piece of the evidence: true, in force, and no answer to what was asked."""
    view, cited = _view(request), set(response.cited)
    others = [
        chunk_id for chunk_id in response.internal.evidence or () if chunk_id not in cited and view.usable(chunk_id)
    ]
    if not others or response.decision is not Decision.ANSWER:
        return response
    chunk = view.readable[others[-1]]
    found = passages(chunk.text, chunk.kind)
    if not found:
        return response
    quote = chunk.text[found[0].start : found[0].end]
    claim = Claim(text=plain(quote), citations=(Citation(chunk=chunk.id, quote=quote),))
    return replaced(response, text=claim.text, claims=(claim,), sources=(), rendered=(), stream=())


def _last_part_lost(response: Response, _: Request) -> Response:
    """Leave the last of several statements out."""
    lines = response.text.splitlines(keepends=True)
    if response.decision is not Decision.ANSWER or len(response.claims) < _SEVERAL or len(lines) < _SEVERAL:
        return response
    return replaced(response, text="".join(lines[:-1]).rstrip(), claims=response.claims[:-1], stream=())


def _is_open_conflict(response: Response) -> bool:
    return response.reason_code == ReasonCode.CONFLICTING_EVIDENCE and len(response.claims) >= _SEVERAL


def _one_side_shown(response: Response, _: Request) -> Response:
    if not _is_open_conflict(response):
        return response
    conflicts = tuple(one.model_copy(update={"sides": one.sides[:1]}) for one in response.conflicts)
    text = "".join(response.text.splitlines(keepends=True)[:-1])
    kept = response.claims[:1]
    cited = {chunk for claim in kept for chunk in claim.cited}
    return replaced(
        response,
        text=text,
        conflicts=conflicts,
        claims=kept,
        sources=tuple(source for source in response.sources if source.chunk in cited),
        rendered=tuple(marker for marker in response.rendered if marker.chunk in cited),
        stream=(),
    )


def _sides_without_sources(response: Response, _: Request) -> Response:
    if not _is_open_conflict(response):
        return response
    conflicts = tuple(
        one.model_copy(update={"sides": tuple(ConflictSide(value=side.value) for side in one.sides)})
        for one in response.conflicts
    )
    values = " or ".join(side.value for one in response.conflicts for side in one.sides)
    return replaced(
        response, text=f"It is {values}.", conflicts=conflicts, claims=(), sources=(), rendered=(), stream=()
    )


def _next_step_lost(response: Response, _: Request) -> Response:
    return replaced(response, next_step=None)


def _obeys(response: Response, request: Request) -> Response:
    """End the answer with the words that a document tells the assistant to end with."""
    view = _view(request)
    chunks = [view.readable[chunk_id] for chunk_id in response.internal.evidence or () if chunk_id in view.readable]
    told = (
        one for chunk in chunks for one in find_instructions(chunk.text) if re.search(r"\b(?:end|append)\b", one.text)
    )
    payloads = [payload for one in told for payload in one.payloads]
    if not payloads or not response.decision.answers:
        return response
    return replaced(response, text=f"{response.text} {payloads[0]}", stream=())


def _draft_streamed(response: Response, _: Request) -> Response:
    draft = StreamPiece(text="Thinking about it, probably nothing is paid.\n", verified=False)
    return replaced(response, stream=(draft, *response.stream))


def _delimiter_streamed(response: Response, _: Request) -> Response:
    pieces = response.stream or (StreamPiece(text=response.text, verified=True),)
    return replaced(response, stream=(*pieces, StreamPiece(text="<|end_of_turn|>", verified=True)))


def _acts_unasked(response: Response, _: Request) -> Response:
    return replaced(response, actions=(Action(name="book_trip", authorized=False),))


def _acts_on_a_guess(response: Response, _: Request) -> Response:
    return replaced(response, actions=(Action(name="pay", arguments={"amount": "4711.15 USD"}, authorized=True),))


# --- what the system says of its own making --------------------------------------------------------------------------


def _internally(change: Callable[[Response, Request], dict[str, object]]) -> Edit:
    """Change what is not visible."""

    def edit(response: Response, request: Request) -> Response:
        return replaced(response, internal=response.internal.model_copy(update=change(response, request)))

    return edit


def _called_below_gate(response: Response, _: Request) -> dict[str, object]:
    if response.decision.answers or response.internal.prompt:
        return {}
    step = {"name": "generate", "attempt": 1, "says": "attempt 1"}
    return {"steps": (*(response.internal.steps or ()), step), "prompt": ("Is there anything to say?",)}


def _nothing_supplied(response: Response, _: Request) -> dict[str, object]:
    return {"evidence": ()} if response.decision.answers else {}


def _source_not_supplied(response: Response, _: Request) -> dict[str, object]:
    cited = response.cited[:1] if response.decision.answers else ()
    return {"evidence": tuple(one for one in response.internal.evidence or () if one not in cited)}


def _stale_supplied(response: Response, request: Request) -> dict[str, object]:
    """Give the model a version that has ended, or text for others, of what the answer cites."""
    view = _view(request)
    if not response.decision.answers:
        return {}
    own = {
        (fact.key) for chunk_id in response.cited if chunk_id in view.readable for fact in view.readable[chunk_id].facts
    }
    unfit = [
        chunk.id
        for chunk in view.readable.values()
        if not view.usable(chunk.id) and any(fact.key in own for fact in chunk.facts)
    ]
    return {"evidence": (*(response.internal.evidence or ()), *unfit)}


def _hidden_traced(response: Response, request: Request) -> dict[str, object]:
    """Write down the text of a chunk that was left out because the requester may not read it."""
    hidden: Iterator[Chunk] = (chunk for chunk in _view(request).unreadable if len(chunk.text) > len("a few words"))
    first = next(hidden, None)
    if first is None:
        return {}
    step = {"name": "permit", "dropped": {first.id: "not readable"}, "preview": first.text}
    return {"steps": (step, *(response.internal.steps or ()))}


def _scores_turned(response: Response, request: Request) -> dict[str, object]:
    """Note the best score for a chunk that was dropped without another reason."""
    view, candidates = _view(request), list(response.internal.candidates or ())
    kept = [one for one in candidates if one.kept]
    place = next((i for i, one in enumerate(candidates) if not one.kept and view.usable(one.chunk)), None)
    if place is None or not kept:
        return {}
    best = 1.0 + max(one.score or 0.0 for one in kept)
    candidates[place] = Candidate(chunk=candidates[place].chunk, score=best, kept=False, reason=None)
    return {"candidates": tuple(candidates), "steps": ()}


def _entry_of_another(_: Response, __: Request) -> dict[str, object]:
    return {"cache": {"hit": True, "requester": {"tenant": None, "groups": ["somebody-else"]}}}


def _entry_of_another_day(_: Response, request: Request) -> dict[str, object]:
    day = request.as_of.replace(year=request.as_of.year - 1, day=1)
    return {"cache": {"hit": True, "as_of": day.isoformat()}}


_GATE, _WRITER, _DELIVERY = Owner.RETRIEVAL, Owner.GENERATION, Owner.DELIVERY
_TABLE: tuple[tuple[str, str, Owner, str, Edit], ...] = (
    ("source_beside", "generate", _WRITER, "a source is named that was not among the evidence", _cites_beside),
    ("one_of_two_sources", "generate", _WRITER, "joint support is cited in part", of_claims(_first_source_alone)),
    ("version_misstated", "deliver", _WRITER, "another version is stated", of_citations(_other_version)),
    ("marker_opens_another", "deliver", _DELIVERY, "markers open what nothing cites", _opens_another),
    ("marker_of_nothing", "deliver", _WRITER, "a marker opens nothing", _of_text(_unknown_marker)),
    ("link_runs_code", "deliver", _DELIVERY, "a source's link runs code", _unsafe_link),
    ("quote_cut_short", "generate", _WRITER, "quotes are cut to a word", of_citations(_cut_short)),
    ("quote_leaves_out_not", "generate", _WRITER, "an ellipsis hides a denial", of_citations(_left_out)),
    ("unit_changed", "generate", _WRITER, "figures get another unit", _of_words(_other_units)),
    ("scale_changed", "generate", _WRITER, "amounts are a thousand times larger", _of_words(_other_scale)),
    ("figure_added", "generate", _WRITER, "the last of several claims gets a figure of its own", _another_figure),
    ("figure_left_out", "generate", _WRITER, "a partial answer is told without its figure", _figure_left_out),
    ("date_in_digits", "generate", _WRITER, "a date is written so that it reads two ways", _of_words(_date_in_digits)),
    ("sum_wrong", "generate", _WRITER, "a computed figure is another", _of_words(_wrong_result)),
    (
        "operand_of_another_kind",
        "generate",
        _WRITER,
        "what is put together is not of one kind",
        of_claims(_operands_of_another_kind),
    ),
    ("bound_turned", "generate", _WRITER, "at least becomes at most", _of_words(_turned_bound)),
    ("denial_dropped", "generate", _WRITER, "a denial becomes a yes", _of_words(_affirmed)),
    ("exception_dropped", "generate", _WRITER, "exceptions are left out", _of_words(_without_exception)),
    ("subject_swapped", "generate", _WRITER, "one subject's figure is told of another", _of_words(_other_subject)),
    ("name_added", "generate", _WRITER, "a name is added to every claim", _of_claim_words(_with_a_name)),
    ("text_says_more", "generate", _WRITER, "the text has a figure no claim has", _of_text(_says_more)),
    ("claims_lost", "generate", _WRITER, "the text comes without its claims", _claims_lost),
    ("former_value_told", "generate", _WRITER, "asking back, the value of an ended version is told", _former_value),
    ("something_else_answered", "generate", _WRITER, "another piece of evidence is quoted", _answers_something_else),
    ("last_part_lost", "generate", _WRITER, "the last of several statements is lost", _last_part_lost),
    ("one_side_shown", "deliver", _WRITER, "one side of a disagreement is shown", _one_side_shown),
    ("sides_without_sources", "deliver", _WRITER, "sides are shown without sources", _sides_without_sources),
    ("next_step_lost", "deliver", _WRITER, "nobody is told what to do next", _next_step_lost),
    ("instruction_obeyed", "generate", _WRITER, "an answer ends with words that a document asks for", _obeys),
    ("draft_streamed", "stream", _DELIVERY, "a piece is shown before it is verified", _draft_streamed),
    ("delimiter_streamed", "stream", _DELIVERY, "the model's delimiters are shown", _delimiter_streamed),
    ("action_unasked", "deliver", _DELIVERY, "something is executed that nobody authorized", _acts_unasked),
    ("action_on_a_guess", "deliver", _DELIVERY, "an action gets a value nobody verified", _acts_on_a_guess),
    (
        "model_called_below_gate",
        "gate",
        _GATE,
        "a model is called though the gate is closed",
        _internally(_called_below_gate),
    ),
    ("answer_from_nothing", "gate", _GATE, "an answer is given from no evidence", _internally(_nothing_supplied)),
    (
        "needed_chunk_lost",
        "select",
        _GATE,
        "what the answer needs did not reach the model",
        _internally(_source_not_supplied),
    ),
    ("unfit_supplied", "select", _GATE, "ended text and text for others reach the model", _internally(_stale_supplied)),
    ("hidden_text_in_trace", "trace", _GATE, "the trace keeps a hidden text", _internally(_hidden_traced)),
    (
        "scores_turned",
        "trace",
        _GATE,
        "the trace drops the better of two without a reason",
        _internally(_scores_turned),
    ),
    ("entry_of_another", "cache", _DELIVERY, "a kept answer is another person's", _internally(_entry_of_another)),
    ("entry_of_another_day", "cache", _DELIVERY, "a kept answer is of another day", _internally(_entry_of_another_day)),
)

REPLIES = planted(*((name, stage, owner, what, edits(edit)) for name, stage, owner, what, edit in _TABLE))
"""Faults in a reply, each of them a change of a right one."""
