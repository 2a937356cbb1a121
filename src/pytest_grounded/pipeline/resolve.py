"""Where chunks disagree about a fact: which rule settles it, and what is left open.

Rules are plain functions that narrow the sides of a disagreement, tried in the order of the settings; that order is a
decision of whoever owns the documents. A value that lost, or that is open, is withheld from what follows, passage by
passage; a chunk that states nothing else about the question is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.binding import holds_code, holds_other_code
from pytest_grounded.pipeline.disagreements import find_disagreements
from pytest_grounded.pipeline.evidence import Evidence, Span
from pytest_grounded.pipeline.permit import Readable
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.settings import ConflictRule, PipelineSettings
from pytest_grounded.pipeline.terms import terms
from pytest_grounded.text.quantities import find_quantities
from pytest_grounded.text.values import find_value, same_value

__all__ = [
    "ConflictReport",
    "Resolution",
    "Side",
    "Stated",
    "resolve",
    "stated_by_facts",
    "stated_by_text",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A chunk states a value for a key; `spans` are the passages that do, the whole text where none is found."""

    key: str
    value: str
    chunk: Chunk
    spans: frozenset[Span]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One value of a disagreement with the chunks that state it, best ranked first."""

    value: str
    stated: tuple[Stated, ...]

    @property
    def chunks(self) -> tuple[str, ...]:
        """Ids of the chunks."""
        return tuple(stated.chunk.id for stated in self.stated)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictReport:
    """A disagreement and what became of it.

    `sides` are all of them; `standing` are the chunks that the rules left, `losers` those with another value that they
    did not. Where it is open, `standing` still disagree and `rule` is None.
    """

    key: str
    outcome: Literal["settled", "open"]
    sides: tuple[Side, ...]
    standing: tuple[str, ...]
    reason: str
    losers: tuple[str, ...] = ()
    rule: ConflictRule | None = None

    @property
    def open_sides(self) -> tuple[Side, ...]:
        """The sides between which no rule decides."""
        return tuple(side for side in self.sides if not set(side.chunks).isdisjoint(self.standing))


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The evidence without values that lost or are open, what was left out (id and reason), and every disagreement.

    `depends` are facts with a value for each value of a scope that neither requester nor question states: the scope's
    name, and what each side says.
    """

    evidence: tuple[Evidence, ...]
    reports: tuple[ConflictReport, ...] = ()
    left_out: tuple[tuple[str, str], ...] = field(default=())
    depends: tuple[tuple[str, ConflictReport], ...] = ()

    @property
    def open(self) -> tuple[ConflictReport, ...]:
        """The disagreements that no rule settles."""
        return tuple(report for report in self.reports if report.outcome == "open")


def resolve(
    question: Question, evidence: Sequence[Evidence], readable: Readable, settings: PipelineSettings
) -> Resolution:
    """Settle disagreements by the rules of the settings."""
    stated = stated_by_facts(evidence)
    if settings.conflicts.detect:
        stated += stated_by_text(question, evidence)
    reports: list[ConflictReport] = []
    withheld: dict[str, set[Span]] = {}
    left_out: dict[str, str] = {}
    depends: list[tuple[str, ConflictReport]] = []
    judge = _Judge(question=question, readable=readable, settings=settings)
    for key, everything in _by_key(stated).items():
        group = _of_named(everything, question)
        sides = _sides(group)
        if len(sides) > 1 and (scope := judge.scope_left_open(group)) is not None:
            depends.append((scope, _depending(key, sides, scope)))
        if len(sides) == 1 or not _compete(sides):
            if settings.conflicts.agreeing == "first" and len(sides) == 1:
                left_out.update((other.chunk.id, f"agrees with {group[0].chunk.id} on {key}") for other in group[1:])
            continue
        report = _settle(key, sides, judge)
        reports.append(report)
        for loser in _withheld_by(report):
            withheld.setdefault(loser.chunk.id, set()).update(loser.spans)
            left_out.setdefault(loser.chunk.id, _why_withheld(report))
    kept = [item.withhold(withheld.get(item.id, ())) for item in evidence]
    gone = {item.id for item in kept if item.id in left_out and not _still_says(item, withheld, question, settings)}
    return Resolution(
        evidence=tuple(item for item in kept if item.id not in gone),
        reports=tuple(reports),
        left_out=tuple((chunk_id, reason) for chunk_id, reason in left_out.items() if chunk_id in gone),
        depends=tuple(depends),
    )


def _depending(key: str, sides: tuple[Side, ...], scope: str) -> ConflictReport:
    """Values that all hold, each for one value of a scope."""
    standing = tuple(dict.fromkeys(chunk for side in sides for chunk in side.chunks))
    reason = f"each holds for another {scope}, and none is stated"
    return ConflictReport(key=key, outcome="open", sides=sides, standing=standing, reason=reason)


def stated_by_facts(evidence: Iterable[Evidence]) -> tuple[Stated, ...]:
    """What chunks state by the facts recorded for them."""
    return tuple(
        Stated(key=fact.key, value=fact.value, chunk=item.chunk, spans=_spans_of(item, fact.value))
        for item in evidence
        for fact in item.chunk.facts
    )


def stated_by_text(question: Question, evidence: Sequence[Evidence]) -> tuple[Stated, ...]:
    """What chunks without a common fact key state, as far as their passages contradict each other on what is asked."""
    return tuple(
        Stated(key=found.key, value=value, chunk=statement.chunk, spans=frozenset({statement.span}))
        for found in find_disagreements(question, evidence)
        for statement, value in found.stated
    )


def _spans_of(item: Evidence, value: str) -> frozenset[Span]:
    text, lang = item.chunk.text, item.chunk.lang
    found = frozenset(
        (passage.start, passage.end)
        for passage in item.statements
        if find_value(text[passage.start : passage.end], value, lang=lang)
    )
    return found or frozenset({(0, len(text))})


def _by_key(stated: Iterable[Stated]) -> Mapping[str, list[Stated]]:
    groups: dict[str, list[Stated]] = {}
    for one in stated:
        groups.setdefault(one.key, []).append(one)
    return groups


def _of_named(group: list[Stated], question: Question) -> list[Stated]:
    """What chunks state that have the code which a question names, where some have it and others another one.

    What Annex E caps is no dispute about the cap of Annex D.
    """
    for word in question.words:
        if word.label:
            named = [one for one in group if holds_code(word.label, word.text, _told(one))]
            others = [one for one in group if holds_other_code(word.label, word.text, _told(one))]
            if named and others:
                group = [one for one in group if one not in others]
    return group


def _told(one: Stated) -> str:
    return f"{one.chunk.title or ''}\n{one.chunk.text}"


def _sides(group: Sequence[Stated]) -> tuple[Side, ...]:
    found: list[list[Stated]] = []
    for one in group:
        same = next((side for side in found if same_value(side[0].value, one.value, lang=one.chunk.lang)), None)
        if same is None:
            found.append([one])
        else:
            same.append(one)
    return tuple(Side(value=side[0].value, stated=tuple(side)) for side in found)


def _compete(sides: Sequence[Side]) -> bool:
    """Whether any two sides can speak about the same thing."""
    return any(
        _same_scope(one.chunk, other.chunk) and _same_years(one.chunk, other.chunk)
        for place, side in enumerate(sides)
        for rival in sides[place + 1 :]
        for one in side.stated
        for other in rival.stated
    )


def _same_scope(left: Chunk, right: Chunk) -> bool:
    """The limit for EMEA does not contradict the one for APAC."""
    return all(right.scope.get(key, value) == value for key, value in left.scope.items())


def _same_years(left: Chunk, right: Chunk) -> bool:
    """The budget of 2023 does not contradict the one of 2024."""
    ours, theirs = _years(left), _years(right)
    return not ours or not theirs or not ours.isdisjoint(theirs)


def _years(chunk: Chunk) -> frozenset[int]:
    found = (quantity.calendar_year for quantity in find_quantities(chunk.text, lang=chunk.lang))
    return frozenset(year for year in found if year is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judge:
    """What the rules may look at besides the sides."""

    question: Question
    readable: Readable
    settings: PipelineSettings

    def specificity(self, chunk: Chunk) -> tuple[bool, int]:
        """How well a scope fits: nothing in it that neither requester nor question states, then how much it states."""
        asked = self.question.terms
        stated = [
            key
            for key, value in chunk.scope.items()
            if self.readable.requester.scope.get(key) == value or terms(value, self.question.form) <= asked
        ]
        return len(stated) == len(chunk.scope), len(stated)

    def scope_left_open(self, group: Sequence[Stated]) -> str | None:
        """The name of a scope that every chunk of a group states, not all alike, and neither requester nor question."""
        asked, given = self.question.terms, self.readable.requester.scope
        for name in sorted(frozenset.intersection(*(frozenset(one.chunk.scope) for one in group)) - set(given)):
            values = {one.chunk.scope[name] for one in group}
            if len(values) > 1 and not any(terms(value, self.question.form) <= asked for value in values):
                return name
        return None


_Narrowed = tuple[Sequence[Stated], str]
"""What a rule leaves, and what it says when that settles the matter (`{losers}` is filled in)."""


def _settle(key: str, sides: tuple[Side, ...], judge: _Judge) -> ConflictReport:
    left: Sequence[Stated] = [one for side in sides for one in side.stated]
    for rule in judge.settings.conflicts.rules:
        left, reason = _RULES[rule](left, judge)
        remaining = _sides(left)
        if len(remaining) == 1:
            losers = tuple(chunk for side in sides if side.value != remaining[0].value for chunk in side.chunks)
            return ConflictReport(
                key=key,
                outcome="settled",
                sides=sides,
                standing=tuple(one.chunk.id for one in left),
                losers=losers,
                reason=reason.replace("{losers}", ", ".join(losers)),
                rule=rule,
            )
    standing = tuple(dict.fromkeys(one.chunk.id for one in left))
    losers = tuple(chunk for side in sides for chunk in side.chunks if chunk not in standing)
    reason = _why_open(judge.settings)
    return ConflictReport(key=key, outcome="open", sides=sides, standing=standing, losers=losers, reason=reason)


def _why_open(settings: PipelineSettings) -> str:
    names = [_SAME[rule] for rule in settings.conflicts.rules if rule in _SAME]
    same = " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)
    return f"same {same}, different values" if same else "different values and no rule"


_SAME = {ConflictRule.SCOPE: "scope", ConflictRule.AUTHORITY: "authority", ConflictRule.EFFECTIVE_DATE: "date"}


def _by_supersession(left: Sequence[Stated], judge: _Judge) -> _Narrowed:
    """Drop what another side replaces, by name or as a later version of its document."""
    ids = {one.chunk.id for one in left}
    replaced = {
        one.chunk.id
        for one in left
        if any(later.id in ids and later.id != one.chunk.id for later in judge.readable.view.successors(one.chunk))
    }
    standing = [one for one in left if one.chunk.id not in replaced] or left
    return standing, f"{standing[0].chunk.id} supersedes {{losers}}"


def _by_scope(left: Sequence[Stated], judge: _Judge) -> _Narrowed:
    best = max(judge.specificity(one.chunk) for one in left)
    standing = [one for one in left if judge.specificity(one.chunk) == best]
    return standing, f"{standing[0].chunk.id} fits the requester's scope more closely than {{losers}}"


def _by_authority(left: Sequence[Stated], _: _Judge) -> _Narrowed:
    top = max(one.chunk.authority for one in left)
    return [one for one in left if one.chunk.authority == top], f"authority {top} outranks {{losers}}"


def _by_effective_date(left: Sequence[Stated], _: _Judge) -> _Narrowed:
    latest = max(one.chunk.effective_from or date.min for one in left)
    standing = [one for one in left if (one.chunk.effective_from or date.min) == latest]
    return standing, f"newest effective date {latest}"


_RULES: Mapping[ConflictRule, Callable[[Sequence[Stated], _Judge], _Narrowed]] = {
    ConflictRule.SUPERSESSION: _by_supersession,
    ConflictRule.SCOPE: _by_scope,
    ConflictRule.AUTHORITY: _by_authority,
    ConflictRule.EFFECTIVE_DATE: _by_effective_date,
}


def _withheld_by(report: ConflictReport) -> Iterable[Stated]:
    return (
        one for side in report.sides for one in side.stated if report.outcome == "open" or one.chunk.id in report.losers
    )


def _why_withheld(report: ConflictReport) -> str:
    return f"conflict on {report.key}: {report.reason}"


def _still_says(
    item: Evidence, withheld: Mapping[str, set[Span]], question: Question, settings: PipelineSettings
) -> bool:
    """Whether what is left of a chunk still shares a word with the question."""
    if item.id not in withheld:
        return False
    form = settings.retrieval.folding
    return any(not terms(passage.plain, form).isdisjoint(question.terms) for passage in item.statements)
