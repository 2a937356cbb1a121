"""What does each part of the pipeline do for its answers? The same cases without it, in one table from retrieval up.

The rungs are those of an ablation with fixed candidates: what is found is the same in all of them. Each rung is the
suites' own settings with parts switched off, so that from the first row to the last one part comes after the other:

    python -m pytest_grounded.testing.ablation --cases cases
    python -m pytest_grounded.testing.ablation --cases cases/travel-policy --latency --format json
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from pytest_grounded.calibration.comparison import holm, mcnemar
from pytest_grounded.calibration.confusion import Answerability, Rate, answerability_rates
from pytest_grounded.calibration.inputs import exact, exact_mean
from pytest_grounded.calibration.intervals import wilson
from pytest_grounded.calibration.results import rounded, to_json
from pytest_grounded.calibration.wording import decimal, percent
from pytest_grounded.errors import GroundedError
from pytest_grounded.harness.asking import LiveAsker
from pytest_grounded.harness.examining import examine
from pytest_grounded.harness.probing import LeakOptions
from pytest_grounded.harness.results import CaseResult, evidence_figures, is_answerable, is_correct
from pytest_grounded.model.case import Case
from pytest_grounded.model.request import Request
from pytest_grounded.model.vocabulary import CaseKind
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.evidence import estimate_tokens
from pytest_grounded.pipeline.generate import Generator
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.reporting.ending import ended
from pytest_grounded.systems.calling import Caller
from pytest_grounded.systems.restarting import Restartable, fresh_maker
from pytest_grounded.testing.suites import suites_below

__all__ = ["VARIANTS", "Ablation", "AblationRow", "Variant", "ablate", "ablation_table", "main"]

Changes = Mapping[str, Any]
Clock = Callable[[], float]

_CLAIM = re.compile(r"^(?:steps\[\d+\]\.)?claims\[(\d+)\]")
_OF_CLAIMS = ("claim.", "number.", "quote.", "citation.")
_LATE = 0.95
_LEAST_SHOWN = 1e-4
_ONE_SEARCH: Changes = {"retrieval.gap": False}
_OPEN: Changes = {
    "filters.skip": ("*",),
    "gate.coverage": 0,
    "gate.per_part": False,
    "gate.names": False,
    "gate.bound": False,
    "gate.conditions": False,
    "gate.focus": False,
    "gate.one_passage": 0,
    "gate.figures": False,
    "gate.partial_floor": 0,
    "gate.stale_first": False,
    "gate.score": None,
    "gate.confidence": None,
    "gate.calibrated": None,
    "gate.costs": None,
    "gate.costs_by_risk": {},
    "gate.blocking": (),
    "gate.min_claims": 1,
}
_UNVERIFIED: Changes = {"verification.layers": (), "verification.repairs": 0, "verification.mend": False}
_FORM: Changes = {
    **_UNVERIFIED,
    "verification.layers": ("schema", "citation_id", "quote"),
    "verification.on_failure": "abstain",
}
_BY_RANK: Changes = {
    "selection.pack": "rank",
    "selection.floor": 0,
    "selection.floors": {},
    "selection.share_of_best": 0,
}
_RAW: Changes = {
    **_BY_RANK,
    "selection.rules": (),
    "selection.max_tokens": None,
    "selection.neighbours": False,
    "conflicts.rules": (),
    "conflicts.detect": False,
    "conflicts.unresolved": "answer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One row: what it is called, what it does, and the settings that differ from the suite's own, by their path."""

    name: str
    what: str
    changes: Changes = field(default_factory=dict)


VARIANTS = (
    Variant(
        name="top_k",
        what="the candidates as they are ranked, whatever they are",
        changes={**_ONE_SEARCH, **_OPEN, **_UNVERIFIED, **_RAW},
    ),
    Variant(
        name="checked",
        what="in force, applicable, no duplicates, clauses with their context, disagreements settled or shown",
        changes={**_ONE_SEARCH, **_OPEN, **_UNVERIFIED, **_BY_RANK},
    ),
    Variant(
        name="coverage",
        what="chosen by what they cover of the question, under a budget",
        changes={**_ONE_SEARCH, **_OPEN, **_UNVERIFIED},
    ),
    Variant(
        name="reversed",
        what="the same, handed over from the worst to the best",
        changes={**_ONE_SEARCH, **_OPEN, **_UNVERIFIED, "generation.evidence_order": "reversed"},
    ),
    Variant(
        name="by_id",
        what="the same, handed over in the order of their ids",
        changes={**_ONE_SEARCH, **_OPEN, **_UNVERIFIED, "generation.evidence_order": "id"},
    ),
    Variant(
        name="structured",
        what="claims that are held to the form: ids that were given, quotes that stand there",
        changes={**_ONE_SEARCH, **_OPEN, **_FORM},
    ),
    Variant(
        name="verified",
        what="every layer of verification, with repairs",
        changes={**_ONE_SEARCH, **_OPEN},
    ),
    Variant(name="gated", what="filters and the gate before anything is written", changes=_ONE_SEARCH),
    Variant(name="whole", what="a second search for what is not covered: the settings as they are"),
)
"""From bare retrieval to the settings as they are; permission is never switched off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationRow:
    """What one variant came to. Shares are between 0 and 1, None where nothing is in the denominator.

    `support` is the share of claims with no finding of a rule; `recall` and `precision` are of the cited evidence,
    means over answers to cases that name some; `disclosed` is of conflicting cases, those that state every side or are
    settled as the case says. `output_tokens` and `evidence_tokens` are estimates, means over replies and over those
    that a generator was asked for. `latency_95` is in milliseconds, where a clock was given. `p_holm` compares the
    passes with the last row's (McNemar, exact), corrected over the rows.
    """

    name: str
    what: str
    n: int
    passed: int
    leaks: int
    answers: Answerability
    claims: Rate
    support: float | None
    recall: float | None
    precision: float | None
    conflicts: int
    disclosed: float | None
    unreadable: float | None
    output_tokens: float | None
    evidence_tokens: float | None
    latency_95: float | None
    better: int
    worse: int
    p_holm: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """The rows in the order of the variants, and what all of them were run with."""

    rows: tuple[AblationRow, ...]
    n: int
    versions: Mapping[str, str]


def ablate(
    cases: Iterable[Case],
    *,
    variants: Sequence[Variant] = VARIANTS,
    settings: Callable[[Case], PipelineSettings] | None = None,
    generator: Generator | None = None,
    clock: Clock | None = None,
) -> Ablation:
    """Ask every case of the reference pipeline under each variant, and put what comes of it in one table.

    `settings` gives a suite's settings for a case (default: the pipeline's own), which each variant changes.
    `generator` writes in place of the settings' own. Without a `clock` (in seconds, such as `time.perf_counter`) no
    time is taken, and the same cases give the same table. Raises GroundedError where there is nothing to compare.
    """
    asked = tuple(cases)
    if not asked:
        raise GroundedError("there are no cases to run (give those of a suite)")
    if len({variant.name for variant in variants}) < len(variants) or not variants:
        raise GroundedError("needs variants, each with a name of its own")
    base = settings or (lambda _: PipelineSettings())
    runs = [_run(variant, asked, base, generator, clock) for variant in variants]
    last = [one.verdict == "pass" for one in runs[-1].results]
    turned = [_turned([one.verdict == "pass" for one in run.results], last) for run in runs]
    adjusted = holm([mcnemar(better, worse).p_exact for better, worse in turned[:-1]])
    rows = [
        replace(_row(run), better=better, worse=worse, p_holm=p)
        for run, (better, worse), p in zip(runs, turned, (*adjusted, None), strict=True)
    ]
    return Ablation(rows=tuple(rows), n=len(asked), versions=_versions(runs))


def changed(settings: PipelineSettings, changes: Changes) -> PipelineSettings:
    """The settings with other values at some paths.

    >>> changed(PipelineSettings(), {"gate.coverage": 0.5}).gate.coverage
    0.5
    """
    data = settings.model_dump(mode="json")
    for path, value in changes.items():
        section, _, name = path.rpartition(".")
        if section not in data or not hasattr(getattr(settings, section), name):
            raise GroundedError(f"there is no setting {path!r} (docs/reference/settings.md lists them)")
        data[section][name] = value
    return PipelineSettings.model_validate(data)


# Running


@dataclass(slots=True)
class _Asked:
    """A variant's results, in the order of the cases, and how long each reply took."""

    variant: Variant
    results: list[CaseResult] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Timed:
    """A pipeline whose answers are timed."""

    pipeline: Answers
    clock: Clock
    seconds: list[float]

    def answer(self, request: Request) -> Any:
        start = self.clock()
        try:
            return self.pipeline.answer(request)
        finally:
            self.seconds.append(self.clock() - start)


def _run(
    variant: Variant,
    cases: Sequence[Case],
    base: Callable[[Case], PipelineSettings],
    generator: Generator | None,
    clock: Clock | None,
) -> _Asked:
    asked = _Asked(variant)
    askers: dict[str, LiveAsker] = {}

    def build(settings: PipelineSettings) -> Any:
        pipeline = assemble(settings, generator=generator)
        return pipeline if clock is None else _Timed(pipeline, clock, asked.seconds)

    with Caller() as caller:
        for case in cases:
            settings = changed(base(case), variant.changes)
            if settings.digest not in askers:
                system = Restartable(partial(build, settings))
                askers[settings.digest] = LiveAsker(system, caller, fresh=fresh_maker(system))
            asked.results.append(examine(case, askers[settings.digest], leaks=LeakOptions(probes=0)))
    return asked


def _turned(passes: Sequence[bool], last: Sequence[bool]) -> tuple[int, int]:
    """How many pass here and not under the last variant, and the other way round."""
    pairs = list(zip(passes, last, strict=True))
    return sum(here and not there for here, there in pairs), sum(there and not here for here, there in pairs)


def _versions(runs: Sequence[_Asked]) -> dict[str, str]:
    """What is the same in all: the settings are what differs."""
    found: dict[str, set[str]] = {}
    for run in runs:
        for result in run.results:
            for name, version in (result.outcome.internal.versions or {}).items():
                if isinstance(version, str):
                    found.setdefault(name, set()).add(version)
    return {name: next(iter(values)) for name, values in sorted(found.items()) if len(values) == 1}


# What it came to


def _row(run: _Asked) -> AblationRow:
    results = run.results
    claims = [len(result.outcome.response.claims) if result.outcome.response else 0 for result in results]
    faulty = [len(_faulty(result)) for result in results]
    figures = [evidence_figures(result.case, result.outcome)["cited"] for result in results if _answers(result)]
    conflicting = [result for result in results if result.case.kind is CaseKind.CONFLICTING]
    unread = sum(any(one.check.startswith("output.") for one in result.findings) for result in results)
    shown = [estimate_tokens(result.outcome.response.text) for result in results if result.outcome.response]
    supplied = [tokens for result in results if (tokens := _evidence_tokens(result)) is not None]
    held = sum(claims) - sum(faulty)
    return AblationRow(
        name=run.variant.name,
        what=run.variant.what,
        n=len(results),
        passed=sum(result.verdict == "pass" for result in results),
        leaks=sum(any(one.check.startswith("leak.") for one in result.findings) for result in results),
        answers=answerability_rates(
            [is_answerable(result.case) for result in results],
            [_answers(result) for result in results],
            [is_correct(result) or 0 for result in results],
        ),
        claims=_rate(held, sum(claims)),
        support=held / sum(claims) if sum(claims) else None,
        recall=exact_mean([exact(one["recall"]) for one in figures if one and one["recall"] is not None]),
        precision=exact_mean([exact(one["precision"]) for one in figures if one and one["precision"] is not None]),
        conflicts=len(conflicting),
        disclosed=sum(map(_is_disclosed, conflicting)) / len(conflicting) if conflicting else None,
        unreadable=unread / len(results),
        output_tokens=exact_mean([exact(tokens) for tokens in shown]),
        evidence_tokens=exact_mean([exact(tokens) for tokens in supplied]),
        latency_95=_late(run.seconds),
        better=0,
        worse=0,
        p_holm=None,
    )


def _rate(k: int, n: int) -> Rate:
    return Rate(k=k, n=n, rate=k / n if n else None, interval=wilson(k, n))


def _answers(result: CaseResult) -> bool:
    return result.outcome.decision is not None and result.outcome.decision.answers


def _faulty(result: CaseResult) -> set[str]:
    """The claims against which a rule found something."""
    fields = (one.field or "" for one in result.findings if one.check.startswith(_OF_CLAIMS))
    return {match.group() for name in fields if (match := _CLAIM.match(name))}


def _is_disclosed(result: CaseResult) -> bool:
    """Whether every side is stated, or the conflict settled as the case says it is."""
    response = result.outcome.response
    if response is None or any(one.check.startswith("conflict.") for one in result.findings):
        return False
    return bool(response.conflicts) or result.verdict == "pass"


def _evidence_tokens(result: CaseResult) -> int | None:
    """How much evidence was handed over; None where no generator was asked."""
    internal, corpus = result.outcome.internal, result.case.view.corpus
    if not internal.prompt or internal.evidence is None:
        return None
    given = frozenset(internal.evidence)
    return sum(estimate_tokens(chunk.text) for chunk in corpus if chunk.id in given)


def _late(seconds: Sequence[float]) -> float | None:
    """The 95th percentile, in milliseconds."""
    ordered = sorted(seconds)
    return None if not ordered else 1000 * ordered[min(len(ordered) - 1, int(_LATE * len(ordered)))]


# How it is said


def ablation_table(found: Ablation) -> str:
    """The table, in Markdown, and what each row is."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Ablation) -> Iterator[str]:
    timed = any(row.latency_95 is not None for row in found.rows)
    heads = [
        "variant",
        "cases passed",
        "better, worse than the last (p)",
        "answerable: right, refused",
        "not answerable: refused, answered",
        "claims held",
        "evidence cited: recall, precision",
        "conflicts disclosed",
        "leaks",
        "unreadable",
        "tokens: evidence, output",
        *(["95 % within, ms"] if timed else []),
    ]
    yield f"| {' | '.join(heads)} |"
    yield "| --- |" + " ---: |" * (len(heads) - 1)
    for row in found.rows:
        yield f"| {' | '.join(_cells(row, timed=timed))} |"
    yield ""
    for row in found.rows:
        yield f"- `{row.name}`: {row.what}"
    yield ""
    yield f"{found.n} cases; the same in all rows: " + ", ".join(f"{name} {v}" for name, v in found.versions.items())


def _cells(row: AblationRow, *, timed: bool) -> Iterator[str]:
    answers = row.answers
    yield f"`{row.name}`"
    yield f"{row.passed} of {row.n}"
    yield "" if row.p_holm is None else f"{row.better}, {row.worse} ({_p_value(row.p_holm)})"
    yield f"{_share(answers.answer_accuracy.rate)}, {_share(answers.wrong_refusal.rate)}"
    yield f"{_share(answers.right_refusal.rate)}, {_share(answers.wrong_answer.rate)}"
    yield f"{_share(row.support)} of {row.claims.n}"
    yield f"{_figure(row.recall)}, {_figure(row.precision)}"
    yield f"{_share(row.disclosed)} of {row.conflicts}"
    yield str(row.leaks)
    yield _share(row.unreadable)
    yield f"{_tokens(row.evidence_tokens)}, {_tokens(row.output_tokens)}"
    if timed:
        yield "n/a" if row.latency_95 is None else decimal(row.latency_95, 1)


def _p_value(p: float) -> str:
    return "< 0.0001" if p < _LEAST_SHOWN else decimal(p, 4)


def _share(value: float | None) -> str:
    return "n/a" if value is None else percent(value)


def _figure(value: float | None) -> str:
    return "n/a" if value is None else decimal(value, 2)


def _tokens(value: float | None) -> str:
    return "n/a" if value is None else decimal(value, 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the variants over suites and print the table; 2 where the input cannot be used, 130 where it is stopped."""
    return ended(lambda: _parser().parse_args(arguments), _run_and_print)


def _run_and_print(parsed: argparse.Namespace) -> int:
    cases, settings_of = suites_below(parsed.cases or [Path("cases")])
    found = ablate(
        cases,
        variants=_chosen(parsed.variant),
        settings=settings_of,
        clock=time.perf_counter if parsed.latency else None,
    )
    written = json.dumps(rounded(to_json(found)), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    sys.stdout.write(written if parsed.format == "json" else ablation_table(found))
    return 0


def _chosen(names: Sequence[str] | None) -> tuple[Variant, ...]:
    if not names:
        return VARIANTS
    known = {variant.name: variant for variant in VARIANTS}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise GroundedError(f"there is no variant {unknown[0]!r} (there are {', '.join(known)})")
    return tuple(known[name] for name in dict.fromkeys(names))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pytest_grounded.testing.ablation",
        description="Run cases through the reference pipeline with parts of it switched off, and print one table. Exit "
        "codes: 0 done, 2 unusable input, 130 stopped by Ctrl-C.",
    )
    parser.add_argument(
        "--cases", action="append", type=Path, metavar="DIR", help="folder of suites, or of one suite (default: cases)"
    )
    parser.add_argument(
        "--variant", action="append", metavar="NAME", help="only these rows, in this order (default: all)"
    )
    parser.add_argument(
        "--latency", action="store_true", help="time the answers too; these figures differ from run to run"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="a table to read or JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
