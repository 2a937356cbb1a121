"""The embedded reference system: every stage in order, each a function that can be replaced, every decision traced.

It is a `GroundedSystem` like any other; the harness judges it without favours. A stage is swapped by giving another
function in `Stages`, which is how a fault is planted in exactly one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Internal, Json, Response
from pytest_grounded.model.support import SupportJudge
from pytest_grounded.pipeline import outcomes, trace
from pytest_grounded.pipeline.deliver import Outcome
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.extractive import ExtractiveGenerator
from pytest_grounded.pipeline.gathering import Gathered, Search
from pytest_grounded.pipeline.generate import GenerationTask, Generator
from pytest_grounded.pipeline.permit import Readable
from pytest_grounded.pipeline.question import Part
from pytest_grounded.pipeline.retrieve import Scorer
from pytest_grounded.pipeline.scorers import make_scorer
from pytest_grounded.pipeline.select import Selection
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.stages import Stages
from pytest_grounded.pipeline.writing import Writer, Written

__all__ = ["ReferencePipeline", "Stages"]

VERSION = "1"


class ReferencePipeline:
    """Answers from evidence the requester may read, says why it does not, and shows how it came to either.

    Without settings it is set for real text; without a generator it quotes. One pipeline may serve many requests, also
    from several threads; what it keeps between them is the full-text index of each readable set.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus
    >>> limit = Chunk(id="c1", text="The nightly hotel limit is $180.", readers=("*",))
    >>> corpus = Corpus(name="travel", chunks=[limit])
    >>> ask = Request(
    ...     question="What is the nightly hotel limit?", requester=ANONYMOUS, as_of=date(2024, 10, 1), corpus=corpus
    ... )
    >>> ReferencePipeline().answer(ask).text
    'The nightly hotel limit is $180 [1].'
    """

    def __init__(
        self,
        *,
        settings: PipelineSettings | None = None,
        generator: Generator | None = None,
        scorer: Scorer | None = None,
        judge: SupportJudge | None = None,
        stages: Stages | None = None,
    ) -> None:
        self.settings = settings or PipelineSettings()
        self.generator = generator or ExtractiveGenerator()
        self.scorer = scorer or make_scorer(self.settings.retrieval)
        self.judge = judge
        self.stages = stages or Stages()

    def answer(self, request: Request) -> Response:
        """Answer one request; `internal` of the response holds the whole trace."""
        settings, stages = self.settings, self.stages
        readable = stages.permit(request)
        question = stages.read(request.question, settings.retrieval.folding)
        run = _Run()
        screening = stages.screen(question, settings.filters)
        run.steps.append(trace.screen_step(screening))
        if screening.decision is not None:
            return self._delivered(outcomes.screened(screening), readable, run)
        search = Search(question=question, readable=readable, settings=settings, stages=stages, scorer=self.scorer)
        run.take(search.first())
        outcome = self._outcome(search, run)
        return self._delivered(replace(outcome, confidence=run.confidence), readable, run)

    def _delivered(self, outcome: Outcome, readable: Readable, run: _Run) -> Response:
        response = self.stages.deliver(outcome, readable, self.settings)
        run.steps.append(trace.deliver_step(outcome, response))
        return response.model_copy(update={"internal": self._internal(response, run)})

    def _outcome(self, search: Search, run: _Run) -> Outcome:
        decision = run.gathered.decision
        if not decision.opens:
            return outcomes.not_attempted(decision, self.settings)
        task = GenerationTask(
            question=search.question,
            parts=decision.parts,
            evidence=run.evidence,
            settings=self.settings,
            missing=decision.missing,
        )

        def find_more(gap: Sequence[Part]) -> Gathered | None:
            return search.again(run.gathered, gap)

        writer = Writer(self.stages, generator=self.generator, judge=self.judge, find_more=find_more)
        run.written = writer.write(task)
        run.steps.extend(run.written.steps)
        run.found = run.written.more or run.found
        if run.gathered.decision.conflicts:
            return outcomes.not_attempted(run.gathered.decision, self.settings)
        thin = self.stages.too_thin(decision, len(run.written.claims), self.settings)
        if thin is not None and run.written.claims:
            run.steps.append(trace.thin_step(thin))
            return outcomes.too_thin(self.settings)
        return outcomes.attempted(decision, run.gathered.resolution, run.written, self.settings)

    def _internal(self, response: Response, run: _Run) -> Internal:
        written = run.written
        return Internal(
            reason_code=response.reason_code,
            evidence=tuple(item.id for item in written.evidence) if written else response.cited,
            candidates=trace.candidates(run.selection),
            prompt=written.prompts if written else (),
            support=trace.support_matrix(written.verification) if written else (),
            steps=tuple(run.steps),
            raw=_last_text(written.drafts) if written else None,
            usage=_summed(written.usage) if written else None,
            cache={"hit": False},
            versions=self.versions,
        )

    @property
    def verifier(self) -> str:
        """What a verdict depends on: the rules' own version, the layers and thresholds, the judge with its version."""
        judge = f"{self.judge.name}/{self.judge.version}" if self.judge else "none"
        return f"{VERSION}/{self.settings.verification.digest}/judge {judge}"

    @property
    def versions(self) -> Json:
        """What a run depends on: the pipeline's own version, its parts by name, the settings and their digest."""
        return {
            "pipeline": VERSION,
            "scorer": self.scorer.name,
            "generator": self.generator.name,
            "judge": f"{self.judge.name}/{self.judge.version}" if self.judge else None,
            "verifier": self.verifier,
            "settings": self.settings.summary,
            "settings_digest": self.settings.digest,
        }


@dataclass(slots=True)
class _Run:
    """What one request collects on its way."""

    steps: list[Json] = field(default_factory=list)
    found: Gathered | None = None
    written: Written | None = None

    def take(self, gathered: Gathered) -> None:
        """Go on from another search."""
        self.found = gathered
        self.steps.extend(gathered.steps)

    @property
    def gathered(self) -> Gathered:
        """The last search."""
        if self.found is None:
            raise LookupError("nothing was searched")
        return self.found

    @property
    def confidence(self) -> float | None:
        """How likely the gate thought an answer; None where it did not ask."""
        score = self.gathered.decision.confidence
        return score.score if score else None

    @property
    def selection(self) -> Selection:
        return self.found.selection if self.found else Selection(evidence=(), choices=())

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return self.found.resolution.evidence if self.found else ()


def _last_text(drafts: Sequence[object]) -> str | None:
    """The last draft that came as text: what a model really said."""
    return next((draft for draft in reversed(drafts) if isinstance(draft, str)), None)


def _summed(usages: Sequence[Json]) -> Json | None:
    """Counts of all calls added up."""
    if not usages:
        return None
    keys = dict.fromkeys(key for usage in usages for key in usage)
    return {"calls": len(usages), **{key: sum(usage.get(key, 0) for usage in usages) for key in keys}}
