"""Does a draft say what its citations say? Layers from cheap to costly; each claim stops at its first failure.

Nothing about a draft is trusted: not its shape, its ids, its quotes or its numbers. The layers and their order are
settings. What they cannot see (a claim whose words and numbers all stand in the source and mean something else) is
for a `SupportJudge`; without one that layer is not run, and the support matrix says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pytest_grounded.checks.arithmetic import derived_values, gives
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.response import Claim
from pytest_grounded.model.support import JudgeFailedError, SupportJudge, SupportVerdict
from pytest_grounded.pipeline.clauses import clauses, gives_reason, may_give_reason
from pytest_grounded.pipeline.derivations import derivation_problem
from pytest_grounded.pipeline.drafts import Unreadable, read_claim, read_draft
from pytest_grounded.pipeline.generate import Failure, GenerationTask
from pytest_grounded.pipeline.sameness import denies
from pytest_grounded.pipeline.settings import Layer
from pytest_grounded.pipeline.terms import terms
from pytest_grounded.text.polarity import polarity_profile
from pytest_grounded.text.quantities import Match, Quantity, best_match, find_quantities
from pytest_grounded.text.quotes import QuoteVerdict, judge_quote, too_short

__all__ = ["Support", "SupportJudge", "Verification", "verify"]

Verdict = Literal["support", "contradict", "neutral", "not_judged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """One cell of the support matrix: a claim against the group of chunks it cites together."""

    claim: int
    evidence: tuple[str, ...]
    verdict: Verdict
    judge: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What became of a draft: claims that passed, every failure, the support matrix over all readable claims.

    `refused` are the readable claims that failed, each with its failure.
    """

    passed: tuple[Claim, ...] = ()
    failures: tuple[Failure, ...] = ()
    refused: tuple[tuple[Claim, Failure], ...] = ()
    support: tuple[Support, ...] = ()
    abstained: bool = False

    @property
    def ok(self) -> bool:
        """Whether there is something to show and all of it passed."""
        return bool(self.passed) and not self.failures


def verify(draft: object, task: GenerationTask, *, judge: SupportJudge | None = None) -> Verification:
    """Read a draft and hold each claim to the layers of the settings; raises JudgeFailedError where the judge is down.

    >>> from pytest_grounded.pipeline.evidence import Evidence
    >>> from pytest_grounded.pipeline.question import read_question
    >>> from pytest_grounded.pipeline.settings import PipelineSettings
    >>> question = read_question("What is the limit?")
    >>> evidence = Evidence(chunk=Chunk(id="c1", text="The limit is $180 per night."), score=1.0)
    >>> task = GenerationTask(
    ...     question=question, parts=question.parts, evidence=(evidence,), settings=PipelineSettings.toy()
    ... )
    >>> claim = {"text": "The limit is $200.", "cites": ["c1"], "quote": "The limit is $180 per night."}
    >>> verify({"claims": [claim]}, task).failures[0].detail
    "numbers not in cited chunks: ['200']"
    """
    read = read_draft(draft)
    if isinstance(read, Unreadable):
        return Verification(failures=(Failure(claim=None, check=Layer.SCHEMA, detail=read.reason),))
    if read.abstained:
        return Verification(abstained=True)
    passed: list[Claim] = []
    failures: list[Failure] = []
    refused: list[tuple[Claim, Failure]] = []
    support: list[Support] = []
    for number, raw in enumerate(read.claims):
        claim = read_claim(raw)
        if isinstance(claim, Unreadable):
            failures.append(Failure(claim=number, check=Layer.SCHEMA, detail=claim.reason))
            continue
        failure, verdict = _look(claim, number, task, judge)
        support.append(verdict)
        if failure is None:
            passed.append(claim)
        else:
            failures.append(failure)
            refused.append((claim, failure))
    return Verification(passed=tuple(passed), failures=tuple(failures), refused=tuple(refused), support=tuple(support))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looked:
    """A claim, the chunks it cites as far as they were supplied, and what else was."""

    claim: Claim
    task: GenerationTask
    judge: SupportJudge | None
    said: list[SupportVerdict | JudgeFailedError] = field(default_factory=list)

    @property
    def supplied(self) -> Mapping[str, str]:
        """Id -> the text that may be quoted, without what is withheld."""
        return {item.id: item.text for item in self.task.evidence}

    @property
    def cited(self) -> tuple[Chunk, ...]:
        wanted = set(self.claim.cited)
        return tuple(item.chunk for item in self.task.evidence if item.id in wanted)

    @property
    def cited_text(self) -> str:
        return " ".join(self.supplied[chunk.id] for chunk in self.cited)


def _look(
    claim: Claim, number: int, task: GenerationTask, judge: SupportJudge | None
) -> tuple[Failure | None, Support]:
    looked = _Looked(claim=claim, task=task, judge=judge)
    for layer in task.settings.verification.layers:
        check = _LAYERS.get(layer)
        detail = check(looked) if check else None
        if detail is not None:
            return Failure(claim=number, check=layer, detail=detail), _cell(looked, number, failed=layer)
    return None, _cell(looked, number, failed=None)


def _cell(looked: _Looked, number: int, *, failed: Layer | None) -> Support:
    """What is known of a claim's support: a verbatim claim supports itself, the rest takes a judge."""
    name, version = "rules", "1"
    verdict: Verdict = "not_judged"
    if failed is not None:
        verdict = "neutral"
    elif any(judge_quote(looked.claim.text, text) is QuoteVerdict.VERBATIM for text in looked.supplied.values()):
        name, verdict = "verbatim", "support"
    if looked.judge is not None and failed in {None, Layer.SUPPORT} and verdict != "support":
        said = _judged(looked, looked.judge)
        verdict = "not_judged" if said == "unsure" or isinstance(said, JudgeFailedError) else said
        name, version = looked.judge.name, looked.judge.version
    return Support(claim=number, evidence=looked.claim.cited, verdict=verdict, judge=name, version=version)


def _judged(looked: _Looked, judge: SupportJudge) -> SupportVerdict | JudgeFailedError:
    """What the judge says of the claim and the chunks it cites, read together; it is asked once.

    One that is down says nothing of the claim: that is no failure of a draft, and goes on to whoever verifies.
    """
    if not looked.said:
        try:
            looked.said.append(judge.judge(looked.claim.text, [looked.supplied[chunk.id] for chunk in looked.cited]))
        except JudgeFailedError as error:
            if error.is_down:
                raise
            looked.said.append(error)
    return looked.said[0]


def _unknown_ids(looked: _Looked) -> str | None:
    unknown = [chunk for chunk in looked.claim.cited if chunk not in looked.supplied]
    return f"cited ids not supplied: {unknown}" if unknown else None


def _altered_quotes(looked: _Looked) -> str | None:
    """Each quote stands, whole and in order, in a chunk it may stand in, and is long enough to show anything."""
    langs = {chunk.id: chunk.lang for chunk in looked.cited}
    for quote, chunks in looked.claim.quotes:
        texts = [(looked.supplied.get(chunk, ""), langs.get(chunk)) for chunk in chunks]
        holding = [(text, lang) for text, lang in texts if judge_quote(quote, text, lang=lang) in _FAITHFUL]
        if not holding:
            return "quote is not a substring of the cited chunks"
        if all(too_short(quote, text, lang=lang) for text, lang in holding):
            return "quote is too short to show anything"
    return None


_FAITHFUL = frozenset({QuoteVerdict.VERBATIM, QuoteVerdict.ELIDED})


def _wrong_derivation(looked: _Looked) -> str | None:
    chunks = {chunk.id: chunk for chunk in looked.cited}
    return derivation_problem(looked.claim, looked.supplied, chunks, asked=looked.task.question.text)


def _foreign_numbers(looked: _Looked) -> str | None:
    """Numbers, amounts and dates of the claim stand in the cited chunks.

    A period of the question is only repeated, and what a stated derivation gives has been recomputed.
    """
    sources = [
        quantity
        for chunk in looked.cited
        for quantity in find_quantities(looked.supplied[chunk.id], lang=chunk.lang, incidental=True, labels=True)
    ]
    sources += [quantity for quantity in find_quantities(looked.task.question.text) if quantity.is_period]
    lang = looked.cited[0].lang if looked.cited else None
    derived = derived_values(looked.claim)
    extra = {
        _figure(stated)
        for stated in find_quantities(looked.claim.text, lang=lang)
        if best_match(stated, sources)[0] is not Match.EQUAL and not any(gives(stated, value) for value in derived)
    }
    return f"numbers not in cited chunks: {sorted(extra)}" if extra else None


def _figure(quantity: Quantity) -> str:
    return quantity.raw if quantity.value is None else f"{quantity.value:f}"


def _other_bounds(looked: _Looked) -> str | None:
    """The small words agree: `at least`, `not`, `unless` stand in the claim as they stand in what it quotes."""
    lang = looked.cited[0].lang if looked.cited else None
    said = polarity_profile(looked.claim.text, lang=lang)
    quoted = polarity_profile(" ".join(quote for quote, _ in looked.claim.quotes), lang=lang)
    for kind in ("bounds", "negations", "exceptions"):
        ours, theirs = frozenset(getattr(said, kind)), frozenset(getattr(quoted, kind))
        if ours not in {theirs, theirs - _said_by_operation(looked.claim)}:
            return f"{kind} differ from the quote: {sorted(ours ^ theirs)}"
    if said.modals and quoted.modals and frozenset(said.modals).isdisjoint(quoted.modals):
        return f"modals differ from the quote: {sorted({*said.modals, *quoted.modals})}"
    return None if denies(said) == denies(quoted) else "the claim denies what it quotes, or the reverse"


def _said_by_operation(claim: Claim) -> frozenset[str]:
    """Of a derived claim: "$300 more than the national one" is said by adding it up."""
    return frozenset({"more_than", "less_than"}) if claim.derivation is not None else frozenset()


def _mixed_sources(looked: _Looked) -> str | None:
    """Words that only chunks it does not cite hold: the claim joins two sources and cites one."""
    form = looked.task.settings.retrieval.folding
    cited = {chunk.id for chunk in looked.cited}
    ours = terms(looked.claim.text, form) - terms(_with_titles(looked, cited), form)
    others = terms(_with_titles(looked, looked.supplied.keys() - cited), form)
    return f"words of evidence that is not cited: {sorted(ours & others)}" if ours & others else None


def _with_titles(looked: _Looked, ids: set[str]) -> str:
    return "\n".join(f"{item.chunk.title or ''}\n{item.text}" for item in looked.task.evidence if item.id in ids)


def _little_overlap(looked: _Looked) -> str | None:
    form = looked.task.settings.retrieval.folding
    said = terms(looked.claim.text, form)
    if not said:
        return "the claim states nothing"
    needed = looked.task.settings.verification.overlap
    cited = terms(looked.cited_text, form)
    overlap = len(said & cited) / len(said)
    if overlap < needed:
        return f"only {overlap:.2f} of claim terms appear in cited chunks"
    return _added_clause(looked, cited) if needed else None


def _added_clause(looked: _Looked, cited: frozenset[str]) -> str | None:
    """A clause of which no word is in the cited chunks, a reason that is not theirs or that they do not give."""
    text, form = looked.claim.text, looked.task.settings.retrieval.folding
    said = [(clause, terms(clause, form)) for clause in clauses(text)]
    foreign = [clause for clause, words in said if words and words.isdisjoint(cited)]
    if foreign:
        return f"nothing of {foreign[0]!r} appears in cited chunks"
    if not gives_reason(text) or may_give_reason(looked.cited_text):
        return None
    return "the cited chunks give no reason, the claim does"


def _not_supported(looked: _Looked) -> str | None:
    """Anything but support fails the claim, also a judge that is unsure or gives no verdict."""
    if looked.judge is None:
        return None
    verdict = _judged(looked, looked.judge)
    if verdict == "support":
        return None
    why = f"no verdict ({verdict.kind})" if isinstance(verdict, JudgeFailedError) else verdict
    return f"judge {looked.judge.name}/{looked.judge.version}: {why}"


_LAYERS: Mapping[Layer, Callable[[_Looked], str | None]] = {
    Layer.CITATION_ID: _unknown_ids,
    Layer.QUOTE: _altered_quotes,
    Layer.DERIVATION: _wrong_derivation,
    Layer.NUMBERS: _foreign_numbers,
    Layer.BOUNDS: _other_bounds,
    Layer.MIXED_SOURCES: _mixed_sources,
    Layer.TERM_OVERLAP: _little_overlap,
    Layer.SUPPORT: _not_supported,
}
