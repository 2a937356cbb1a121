"""Small systems to be examined, and the case they are asked: a hidden memo beside two readable pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count, cycle
from typing import Any

from pytest_grounded.harness.asking import LiveAsker, RecordedAsker
from pytest_grounded.harness.examining import examine
from pytest_grounded.harness.probing import LeakOptions
from pytest_grounded.harness.results import CaseResult
from pytest_grounded.model.case import Case
from pytest_grounded.model.request import Request
from pytest_grounded.systems.calling import Caller
from pytest_grounded.systems.recorded import RecordedReply, Recording
from pytest_grounded.systems.restarting import Restartable
from pytest_grounded.testing.builders import make_case, make_chunk, make_corpus, make_requester

MEMO = make_chunk(
    "memo", "The retention bonus for the Halcyon team is 41,750 dollars.", readers=["board"], title="Board memo 7"
)
PAGE = make_chunk("page", "The nightly hotel limit for every team is 180 dollars.")
CORPUS = make_corpus(PAGE, make_chunk("rule", "Receipts are required above 25 dollars."), MEMO)
STAFF, BOARD = make_requester("staff"), make_requester("board")
QUESTION = "What is the retention bonus for the Halcyon team?"
QUIET: Mapping[str, Any] = {"evidence": [], "prompt": [], "candidates": [], "steps": []}
NOTHING: Mapping[str, Any] = {
    "decision": "abstain",
    "reason_code": "NO_EVIDENCE",
    "text": "I found nothing.",
    "internal": QUIET,
}
SILENT = LeakOptions(probes=0)

Answer = Callable[[Request], Any]


def restricted(**fields: Any) -> Case:
    """The case, changed."""
    base = {"corpus": CORPUS, "requester": STAFF, "question": QUESTION, "about": ("memo",), "id": "bonus"}
    return make_case("restricted", **{**base, **fields})


def asked(answer: Answer, *, leaks: LeakOptions = SILENT, **fields: Any) -> CaseResult:
    """What comes of the case with a function, asked for each run as it is."""
    return asked_fresh(lambda: answer, leaks=leaks, **fields)


def asked_fresh(make: Callable[[], Answer], *, leaks: LeakOptions = SILENT, **fields: Any) -> CaseResult:
    """What comes of the case with a system that is made anew for each run."""
    system = Restartable(make)
    with Caller(timeout=5) as caller:
        return examine(restricted(**fields), LiveAsker(system, caller, fresh=system.fresh), leaks=leaks)


def recorded(lines: Sequence[Mapping[str, Any]], **fields: Any) -> CaseResult:
    """What comes of the case with a recording of these lines."""
    replies = [RecordedReply(case="bonus", **line) for line in lines]
    return examine(restricted(**fields), RecordedAsker(Recording("r.jsonl", replies)))


def sides(live: Sequence[Mapping[str, Any]], reduced: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The lines of a recording with these runs of both sides."""
    pairs = (("live", live), ("reduced", reduced))
    return [
        {"variant": variant, "run": run, "response": one} for variant, runs in pairs for run, one in enumerate(runs)
    ]


def saying(**fields: Any) -> dict[str, Any]:
    """A refusal, changed."""
    return {**NOTHING, **fields}


def sees_memo(request: Request) -> bool:
    """Whether the hidden memo is in what the system was handed."""
    return "memo" in request.corpus


def in_turn(*texts: str) -> Callable[[], Answer]:
    """Makes systems that word their refusals in turn, going on over all of them."""
    words = cycle(texts)
    return lambda: lambda _: saying(text=next(words), internal={**QUIET, "prompt": None})


def counting(answer: Answer) -> tuple[Answer, Callable[[], int]]:
    """The function, and how often it was called."""
    calls = count()

    def counted(request: Request) -> Any:
        next(calls)
        return answer(request)

    return counted, lambda: int(repr(calls)[len("count(") : -1])


def checks(result: CaseResult) -> set[str]:
    """The names of the checks that found something."""
    return {finding.check for finding in result.findings}
