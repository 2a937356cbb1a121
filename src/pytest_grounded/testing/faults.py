"""Planted faults: systems that are right but for one thing, to see whether a suite notices it.

Each `Fault` builds the reference pipeline with one stage broken, or with one thing changed in what it delivers. A suite
that passes with a fault in place would pass with that fault in production. To see which case and which check of your
own suites notice each of them, in the reference pipeline or in what your own system replies:

    python -m pytest_grounded.testing.faults --cases cases
    python -m pytest_grounded.testing.faults --cases cases --system my_app.assistant:answer
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, assert_never

from pytest_grounded.corpus.wording import did_you_mean
from pytest_grounded.errors import GroundedError, SystemContractError
from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import Chunk, Requester
from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Citation, Claim, Response
from pytest_grounded.model.vocabulary import Decision, Owner, ReasonCode, Status
from pytest_grounded.pipeline.gate import GateDecision, gate
from pytest_grounded.pipeline.permit import Readable, permit
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.resolve import Resolution, resolve
from pytest_grounded.pipeline.select import Selection, select
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.redaction import Redactor, neutralise
from pytest_grounded.reporting.ending import ended
from pytest_grounded.systems.calling import answer_function
from pytest_grounded.systems.naming import SystemKind, import_system, parse_system_name
from pytest_grounded.systems.prose import in_prose
from pytest_grounded.testing.deciding import DECISIONS
from pytest_grounded.testing.keeping import KEPT, SEEN_LATER
from pytest_grounded.testing.leaking import LEAKS
from pytest_grounded.testing.planting import Fault, Parts, edits, misreading, planted, rebuilt, staged
from pytest_grounded.testing.replying import REPLIES, of_citations, of_claims
from pytest_grounded.testing.suites import suites_below
from pytest_grounded.testing.trial import Noticed, Trial, run_fault

__all__ = ["FAULTS", "Fault", "Noticed", "Parts", "Trial", "fault", "main", "run_fault", "suites_below"]


def fault(name: str) -> Fault:
    """A fault by its name.

    >>> fault("no_permission_filter").stage
    'permit'
    """
    found = next((item for item in FAULTS if item.name == name), None)
    if found is None:
        raise GroundedError(f"there is no planted fault {name!r}{did_you_mean(name, [one.name for one in FAULTS])}")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant faults and print which case and which check notice each; 1 where one escapes that a run could show."""
    return ended(lambda: _parser().parse_args(arguments), _run_and_print)


def _run_and_print(parsed: argparse.Namespace) -> int:
    system = _system(parsed.system)
    chosen = [fault(name) for name in parsed.names] or [one for one in FAULTS if system is None or one.edit]
    cases, settings_of = suites_below(parsed.cases or [Path("cases")])
    trial = Trial(settings=settings_of, system=system)
    results = _while_it_replies(_results(trial, chosen, cases, whole=parsed.all), trial, parsed.system)
    if parsed.format == "json":
        tried = list(results)
        sys.stdout.write(json.dumps([_as_json(*one) for one in tried], ensure_ascii=False, indent=1) + "\n")
    else:
        tried = list(_say_each(results))
    if trial.failed:
        sys.stderr.write(f"{_said_of_silence(trial, parsed.system)}: no fault can be planted there\n")
    escaped = sum(not noticed and one.later is None for one, noticed in tried)
    if parsed.format == "text":
        sys.stdout.write(f"{len(tried)} faults, {escaped} escaped\n")
        if system is not None and not parsed.names:
            rest = len(FAULTS) - len(tried)
            sys.stdout.write(f"{rest} more break a stage of the reference pipeline and cannot be planted elsewhere\n")
    return int(escaped > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pytest_grounded.testing.faults",
        description="Plant faults in a system and say which case and which check notice each. What a case finds "
        "without the fault does not count. Exit codes: 0 all are noticed, 1 some escape, 2 unusable input, "
        "130 stopped by Ctrl-C.",
    )
    parser.add_argument("names", nargs="*", metavar="FAULT", help="names of faults (default: all that can be planted)")
    parser.add_argument(
        "--cases", action="append", type=Path, metavar="DIR", help="folder of suites, or of one suite (default: cases)"
    )
    parser.add_argument(
        "--system",
        default="reference",
        metavar="NAME",
        help="reference (the default: each suite's pipeline, every fault), or package.module:attribute, with prose: "
        "before it where it answers in prose: only faults that change a reply can be planted in it",
    )
    parser.add_argument("--all", action="store_true", help="go on after the first case that blames the part at fault")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text to read or JSON for a program")
    return parser


def _system(named: str) -> object | None:
    """The system of one's own; None for the reference."""
    name = parse_system_name(named)
    match name.kind:
        case SystemKind.REFERENCE:
            return None
        case SystemKind.RECORDED:
            raise GroundedError("faults cannot be planted in a recording: name a live system, or the reference")
        case SystemKind.PYTHON:
            found = import_system(name.target, rootdir=Path.cwd())
            _hold_to_contract(found, named)
            return in_prose(found) if name.prose else found
        case _:
            assert_never(name.kind)


def _hold_to_contract(found: object, named: str) -> None:
    try:
        answer_function(found)
    except SystemContractError as error:
        raise SystemContractError(f"--system {named!r}: {error}") from None


_Tried = tuple[Fault, Sequence[Noticed]]


def _while_it_replies(results: Iterable[_Tried], trial: Trial, named: str) -> Iterator[_Tried]:
    """The results; raises GroundedError where the system by itself replies to nothing, so that nothing was tried."""
    for result in results:
        if trial.asked and len(trial.failed) == len(trial.asked):
            raise GroundedError(f"{_said_of_silence(trial, named)}; it has to reply before faults can be planted in it")
        yield result


def _said_of_silence(trial: Trial, named: str) -> str:
    """In how many cases the system itself fails, and how in the first of them."""
    case, failure = next(iter(trial.failed.values()))
    said = neutralise(Redactor(case.view).text(failure.message))
    where = f"{len(trial.failed)} of {len(trial.asked)} cases, first in {case.suite}/{case.id}"
    return f"the system {named!r} itself fails in {where}: {said}"


def _results(trial: Trial, faults: Iterable[Fault], cases: Sequence[Case], *, whole: bool) -> Iterator[_Tried]:
    for one in faults:
        noticed = trial.noticed(one, cases)
        yield one, list(noticed) if whole else _first_right(noticed, one.owner)


def _first_right(noticed: Iterable[Noticed], owner: Owner) -> Sequence[Noticed]:
    """The first case that blames whose failure it is; where none does, the first that finds anything."""
    first: list[Noticed] = []
    for one in noticed:
        if owner in one.owners:
            return [one]
        first = first or [one]
    return first


def _say_each(results: Iterable[_Tried]) -> Iterator[_Tried]:
    """Print each result as soon as it is known."""
    for one, noticed in results:
        sys.stdout.writelines(_told(one, noticed))
        yield one, noticed


def _as_json(planted: Fault, noticed: Sequence[Noticed]) -> Mapping[str, object]:
    return {
        "fault": planted.name,
        "stage": planted.stage,
        "owner": planted.owner.value,
        "what": planted.what,
        "channel": planted.channel,
        "later": planted.later,
        "noticed": [
            {
                "suite": each.suite,
                "case": each.case,
                "found": [
                    {"check": check, "owner": owner}
                    for check, owner in dict.fromkeys((one.check, one.owner.value) for one in each.findings)
                ],
            }
            for each in noticed
        ],
    }


def _told(planted: Fault, noticed: Sequence[Noticed]) -> Iterator[str]:
    """What became of a fault, a line for each case that noticed it."""
    yield f"{planted.name} ({planted.stage}): {planted.what}\n"
    for one in noticed:
        found = dict.fromkeys(f"{finding.check} [{finding.owner.value}]" for finding in one.findings)
        yield f"  {one.suite}/{one.case}: {', '.join(found)}\n"
    if noticed and not any(planted.owner in one.owners for one in noticed):
        yield f"  no case blames {planted.owner.value}\n"
    if not noticed:
        yield f"  seen by {planted.later} alone\n" if planted.later else "  ESCAPED\n"


# --- what is broken in a stage ---------------------------------------------------------------------------------------


def _open_to_all(chunk: Chunk) -> Chunk:
    return chunk.model_copy(update={"readers": ("*",), "tenant": None})


def _status_ignored(chunk: Chunk) -> Chunk:
    return chunk.model_copy(update={"status": Status.CURRENT, "supersedes": ()})


def _dates_ignored(chunk: Chunk) -> Chunk:
    return chunk.model_copy(update={"effective_from": None, "effective_to": None})


def _permit_today(request: Request) -> Readable:
    """Ask on the day the newest document came into force, whatever day the request is about."""
    days = [chunk.effective_from for chunk in request.corpus if chunk.effective_from is not None]
    return permit(replace(request, as_of=max([*days, request.as_of])))


def _as_nobody(request: Request) -> Readable:
    """Forget whom the answer is for: audience and scope apply to everyone."""
    readable = permit(request)
    nobody = Requester(id=request.requester.id, tenant=request.requester.tenant, groups=request.requester.groups)
    return Readable(corpus=readable.corpus, requester=nobody, as_of=readable.as_of)


def _resolve_nothing(
    question: Question,  # noqa: ARG001 - the stage's signature
    evidence: Sequence[Any],
    readable: Readable,  # noqa: ARG001
    settings: PipelineSettings,  # noqa: ARG001
) -> Resolution:
    return Resolution(evidence=tuple(evidence))


def _resolve_by_score(
    question: Question, evidence: Sequence[Any], readable: Readable, settings: PipelineSettings
) -> Resolution:
    """Let the better ranked side of every disagreement win."""
    found = resolve(question, evidence, readable, settings)
    losers: set[str] = set()
    for report in found.reports:
        rank = {item.id: place for place, item in enumerate(evidence)}
        sides = sorted(report.sides, key=lambda side: min(rank.get(chunk, len(rank)) for chunk in side.chunks))
        losers.update(chunk for side in sides[1:] for chunk in side.chunks)
    return Resolution(evidence=tuple(item for item in evidence if item.id not in losers))


def _resolve_reversed(
    question: Question, evidence: Sequence[Any], readable: Readable, settings: PipelineSettings
) -> Resolution:
    """Let the lower authority and the older document win."""

    def turned(chunk: Chunk) -> Chunk:
        return chunk.model_copy(update={"authority": -chunk.authority})

    corpus = rebuilt(readable.corpus, map(turned, readable.corpus))
    items = [replace(item, chunk=turned(item.chunk)) for item in evidence]
    found = resolve(question, items, replace(readable, corpus=corpus), settings)
    kept = {item.id for item in found.evidence}
    return replace(found, evidence=tuple(item for item in evidence if item.id in kept))


def _gate_open(
    question: Question, selection: Selection, resolution: Resolution, settings: PipelineSettings
) -> GateDecision:
    """Answer whatever there is."""
    decided = gate(question, selection, resolution, settings)
    if not resolution.evidence:
        return decided
    return replace(
        decided,
        decision=Decision.ANSWER,
        reason_code=None,
        message=None,
        parts=question.parts,
        missing=(),
        conflicts=(),
    )


def _gate_closed(
    question: Question, selection: Selection, resolution: Resolution, settings: PipelineSettings
) -> GateDecision:
    """Never answer."""
    decided = gate(question, selection, resolution, settings)
    return replace(
        decided,
        decision=Decision.ABSTAIN,
        reason_code=ReasonCode.NO_EVIDENCE,
        message="no_evidence",
        parts=(),
        conflicts=(),
    )


def _select_only_best(
    question: Question, candidates: Sequence[Any], readable: Readable, settings: PipelineSettings
) -> Selection:
    """Keep one chunk and drop the rest."""
    return select(question, candidates[:1], readable, settings)


# --- what is broken in a reply ---------------------------------------------------------------------------------------


def _fabricated(citation: Citation) -> Citation:
    return citation.model_copy(update={"chunk": f"{citation.chunk}-9"})


def _altered_quote(citation: Citation) -> Citation:
    if citation.quote is None:
        return citation
    words = citation.quote.split(" ")
    place = max(range(len(words)), key=lambda i: (words[i].isalpha(), len(words[i])))
    words[place] = "assuredly"
    return citation.model_copy(update={"quote": " ".join(words)})


def _wrong_chunk(response: Response, request: Request) -> Response:
    usable = request.corpus.view(request.requester, request.as_of).usable_chunks

    def beside(citation: Citation) -> Citation:
        other = next((chunk.id for chunk in usable if chunk.id != citation.chunk), citation.chunk)
        return citation.model_copy(update={"chunk": other})

    return of_citations(beside)(response, request)


def _uncited(claim: Claim) -> Claim:
    return claim.model_copy(update={"citations": ()})


_FIGURE = re.compile(r"(?<![\w.,\[])\d+(?:[.,]\d+)*(?![\w\]])")


def _other_figure(text: str) -> str:
    """Every figure one higher in its first digit."""
    return _FIGURE.sub(lambda match: f"{(int(match[0][0]) % 9) + 1}{match[0][1:]}", text)


def _changed_numbers(response: Response, _: Request) -> Response:
    if not response.decision.answers:
        return response
    claims = tuple(claim.model_copy(update={"text": _other_figure(claim.text)}) for claim in response.claims)
    return response.model_copy(update={"text": _other_figure(response.text), "claims": claims})


def _missing_unnamed(response: Response, _: Request) -> Response:
    if response.decision is not Decision.PARTIAL:
        return response
    shown = "\n".join(claim.text for claim in response.claims)
    return response.model_copy(update={"missing": (), "text": shown})


def _missing_valued(response: Response, _: Request) -> Response:
    """Give a missing part the figure of some chunk."""
    if response.decision is not Decision.PARTIAL or not response.missing:
        return response
    cited = response.claims[0].citations[0] if response.claims and response.claims[0].citations else None
    figure = _FIGURE.search(response.claims[0].text) if response.claims else None
    value = figure[0] if figure else "42"
    text = f"{response.missing[0]}: {value}."
    claim = Claim(text=text, citations=(cited,) if cited else ())
    return response.model_copy(update={"text": f"{response.text}\n{text}", "claims": (*response.claims, claim)})


def _answers_too(response: Response, request: Request) -> Response:
    """Abstain, and state what the nearest readable chunk says all the same."""
    if response.decision is not Decision.ABSTAIN or response.reason_code == ReasonCode.CONFLICTING_EVIDENCE:
        return response
    view = request.corpus.view(request.requester, request.as_of)
    asked = set(request.question.lower().split())
    stating = [chunk for chunk in view.usable_chunks if _FIGURE.search(chunk.text)]
    if not stating:
        return response
    best = max(stating, key=lambda chunk: len(asked & set(chunk.text.lower().split())))
    claim = Claim(text=best.text, citations=(Citation(chunk=best.id, quote=best.text),))
    return response.model_copy(update={"text": f"{response.text} {best.text}", "claims": (claim,)})


def _wrong_reason(response: Response, _: Request) -> Response:
    if response.reason_code is None:
        return response
    other = ReasonCode.LOW_CONFIDENCE if response.reason_code != ReasonCode.LOW_CONFIDENCE else ReasonCode.NO_EVIDENCE
    return response.model_copy(update={"reason_code": other.value})


def _is_about_hidden(request: Request) -> bool:
    """Whether the question shares two longer words with a chunk that its requester may not read."""
    view = request.corpus.view(request.requester, request.as_of)
    asked = {word for word in re.findall(r"\w+", request.question.lower()) if len(word) > len("long")}
    return any(len(asked & set(re.findall(r"\w+", chunk.text.lower()))) > 1 for chunk in view.unreadable)


def _says_not_authorized(response: Response, request: Request) -> Response:
    if response.decision is not Decision.ABSTAIN or not _is_about_hidden(request):
        return response
    return response.model_copy(update={"reason_code": ReasonCode.NOT_AUTHORIZED.value})


def _words_it_differently(response: Response, request: Request) -> Response:
    if response.decision is not Decision.ABSTAIN or not _is_about_hidden(request):
        return response
    return response.model_copy(update={"text": "I am not able to share that document with you."})


_RETRIEVAL, _GENERATION, _DELIVERY = Owner.RETRIEVAL, Owner.GENERATION, Owner.DELIVERY

_FIRST = planted(
    (
        "no_permission_filter",
        "permit",
        _RETRIEVAL,
        "everybody reads everything",
        staged(permit=misreading(_open_to_all)),
    ),
    (
        "status_ignored",
        "select",
        _RETRIEVAL,
        "superseded and withdrawn text counts as current",
        staged(permit=misreading(_status_ignored)),
    ),
    (
        "dates_ignored",
        "select",
        _RETRIEVAL,
        "text counts as in force whatever its dates",
        staged(permit=misreading(_dates_ignored)),
    ),
    ("as_of_ignored", "select", _RETRIEVAL, "the newest text is used for any day", staged(permit=_permit_today)),
    ("audience_ignored", "select", _RETRIEVAL, "audience and scope are not looked at", staged(permit=_as_nobody)),
    ("conflict_rules_reversed", "resolve", _RETRIEVAL, "lower authority wins", staged(resolve=_resolve_reversed)),
    ("conflict_by_score", "resolve", _RETRIEVAL, "the better ranked side wins", staged(resolve=_resolve_by_score)),
    ("conflicts_not_detected", "resolve", _RETRIEVAL, "no conflict is looked for", staged(resolve=_resolve_nothing)),
    ("gate_always_open", "gate", _RETRIEVAL, "whatever there is gets answered", staged(gate=_gate_open)),
    ("gate_always_closed", "gate", _RETRIEVAL, "nothing gets answered", staged(gate=_gate_closed)),
    ("only_best_chunk", "select", _RETRIEVAL, "one chunk is kept", staged(select=_select_only_best)),
    (
        "fabricated_id",
        "generate",
        _GENERATION,
        "citations name chunks that do not exist",
        edits(of_citations(_fabricated)),
    ),
    (
        "quote_altered",
        "generate",
        _GENERATION,
        "one word of every quote is another",
        edits(of_citations(_altered_quote)),
    ),
    ("number_changed", "generate", _GENERATION, "every figure is another", edits(_changed_numbers)),
    ("quote_under_wrong_chunk", "generate", _GENERATION, "right quotes under another chunk", edits(_wrong_chunk)),
    ("claim_without_citation", "generate", _GENERATION, "claims cite nothing", edits(of_claims(_uncited))),
    ("missing_part_unnamed", "generate", _GENERATION, "what is missing is not said", edits(_missing_unnamed)),
    ("missing_part_valued", "generate", _GENERATION, "a missing part gets a figure", edits(_missing_valued)),
    ("abstention_that_answers", "generate", _GENERATION, "it abstains and answers", edits(_answers_too)),
    ("wrong_reason_code", "gate", _RETRIEVAL, "another reason is given", edits(_wrong_reason)),
    (
        "says_not_authorized",
        "deliver",
        _DELIVERY,
        "NOT_AUTHORIZED is shown for what is hidden",
        edits(_says_not_authorized),
    ),
    (
        "forbidden_worded_differently",
        "deliver",
        _DELIVERY,
        "hidden and absent things are refused in other words",
        edits(_words_it_differently),
    ),
)

_ORDER = (
    "permit",
    "screen",
    "retrieve",
    "select",
    "resolve",
    "gate",
    "generate",
    "verify",
    "deliver",
    "stream",
    "cache",
    "memory",
    "ticket",
    "trace",
)

FAULTS: tuple[Fault, ...] = (
    *sorted((*_FIRST, *DECISIONS, *REPLIES, *KEPT), key=lambda one: _ORDER.index(one.stage)),
    *LEAKS,
    *SEEN_LATER,
)
"""Every fault in the order of the stages, then those that leak by channel, then those a single run cannot show."""


if __name__ == "__main__":
    sys.exit(main())
