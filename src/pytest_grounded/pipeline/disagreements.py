"""Do two passages without fact keys say contrary things about one subject? Found by rule, for what the question asks.

A passage is read as a statement: which words it is about, which figures it gives, whether it denies. Two statements
disagree when they are about the same words, under the same conditions, and differ in one figure or in a denial. Other
words on both sides (standard cities, high-cost cities) make other subjects. It is careful by design: what it misses is
for a model or a person, what it reports stops an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.evidence import Evidence, Span, words_held
from pytest_grounded.pipeline.passages import Passage
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.sameness import denies
from pytest_grounded.pipeline.terms import WordForm, terms, word_set, words_in_order
from pytest_grounded.text.polarity import polarity_profile
from pytest_grounded.text.quantities import Match, Quantity, QuantityKind, find_quantities, match_quantity

__all__ = ["Disagreement", "Statement", "contradiction", "find_disagreements", "read_statement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A passage as a statement: what it is about, its figures in order, whether it denies.

    `words` is what it is about with the words that name its own document or heading left in.
    """

    chunk: Chunk
    span: Span
    text: str
    about: frozenset[str]
    words: frozenset[str]
    figures: tuple[Quantity, ...]
    denies: bool
    excepts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """Statements about one subject with the value each gives; `key` names the subject."""

    key: str
    stated: tuple[tuple[Statement, str], ...]


def read_statement(chunk: Chunk, passage: Passage) -> Statement:
    """Read a passage as a statement.

    Words that name its own document (Annex A pays ...) and words that any rule is written with are not its subject.

    >>> passage = Passage(start=0, end=31, kind="sentence", plain="Annex A pays $0.60 for mileage.")
    >>> sorted(read_statement(Chunk(id="c", text="", title="Annex A"), passage).about)
    ['mileag']
    """
    profile = polarity_profile(passage.plain, lang=chunk.lang)
    source = terms(f"{chunk.title or ''} {chunk.document or ''}", WordForm.ROOT)
    figures = find_quantities(passage.plain, lang=chunk.lang)
    words = terms(_without(passage.plain, figures), WordForm.ROOT) - _RULE_WORDS
    return Statement(
        chunk=chunk,
        span=(passage.start, passage.end),
        text=passage.plain,
        about=words - source,
        words=words,
        figures=figures,
        denies=denies(profile),
        excepts=bool(profile.exceptions),
    )


def _without(text: str, figures: Sequence[Quantity]) -> str:
    """The text without its figures and the words they are written with."""
    kept: list[str] = []
    at = 0
    for figure in figures:
        kept.append(text[at : figure.start])
        at = figure.end
    return " ".join((*kept, text[at:]))


def contradiction(left: Statement, right: Statement) -> tuple[str, str] | None:
    """What two statements say differently of one subject, as the two values; None where they do not contradict.

    >>> def read(text):
    ...     return read_statement(
    ...         Chunk(id="c", text=text), Passage(start=0, end=len(text), kind="sentence", plain=text)
    ...     )
    >>> contradiction(read("Visitor parking costs $12 a day."), read("Visitor parking costs $15 a day."))
    ('$12 a day', '$15 a day')
    >>> contradiction(read("Visitor parking costs $12 a day."), read("Staff parking costs $15 a day.")) is None
    True
    """
    # A heading (Limits) may take a word from one side only: the same words in full are one subject as well.
    if not (_same_subject(left.about, right.about) or _same_subject(left.words, right.words)):
        return None
    if left.excepts != right.excepts:
        return None
    if not _same_scope(left.chunk, right.chunk):
        return None
    if left.denies != right.denies:
        return (left.text, right.text) if _same_figures(left, right) else None
    return _other_figure(left, right)


def find_disagreements(question: Question, evidence: Sequence[Evidence]) -> tuple[Disagreement, ...]:
    """Disagreements among the passages that hold at least half of the words of a part of the question."""
    statements = list(_relevant(question, evidence))
    groups: list[dict[int, tuple[Statement, str]]] = []
    for (one, left), (other, right) in combinations(enumerate(statements), 2):
        if _keyed(left.chunk, right.chunk):
            continue
        found = contradiction(left, right)
        if found is None:
            continue
        group = next((group for group in groups if one in group or other in group), None)
        if group is None:
            group = {}
            groups.append(group)
        group.setdefault(one, (left, found[0]))
        group.setdefault(other, (right, found[1]))
    return tuple(_disagreement(group) for group in groups)


def _disagreement(group: dict[int, tuple[Statement, str]]) -> Disagreement:
    stated = tuple(group[place] for place in sorted(group))
    first = stated[0][0]
    words = [word for word in words_in_order(first.text, WordForm.ROOT) if word in first.about]
    return Disagreement(key=" ".join(dict.fromkeys(words)), stated=stated)


_HALF = 0.5


def _relevant(question: Question, evidence: Sequence[Evidence]) -> Iterator[Statement]:
    for item in evidence:
        for passage, held in zip(item.statements, words_held(item, question.form, titles=True), strict=True):
            if any(part.terms and len(part.terms & held) >= _HALF * len(part.terms) for part in question.parts):
                yield read_statement(item.chunk, passage)


# What rules are written with, whatever they are about.
_RULE_WORDS = word_set(
    """allow appli be charg claim cost cover current currentli employe entitl equal grant mai mean must now obligatori
    paid pai permit pric rat receiv refund reimburs requir set shall should spend stand stat up valu"""
)
_FEW_OTHER_WORDS = 0.2


def _same_subject(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether two sets of words are one subject: equal, or one with little more than the other.

    Words of their own on both sides tell two subjects apart, however many they share.
    """
    shared = left & right
    if not shared:
        return False
    more = (left | right) - shared
    return (left <= right or right <= left) and len(more) <= _FEW_OTHER_WORDS * len(left | right)


def _same_scope(left: Chunk, right: Chunk) -> bool:
    audiences = not left.audience or not right.audience or not set(left.audience).isdisjoint(right.audience)
    return audiences and left.scope == right.scope and not _other_section(left, right)


def _other_section(left: Chunk, right: Chunk) -> bool:
    """Whether two chunks stand in one document under headings with words of their own: those say what each is about."""
    if left.document is None or left.document != right.document:
        return False
    ours, theirs = terms(left.title or "", WordForm.ROOT), terms(right.title or "", WordForm.ROOT)
    return bool(ours - theirs) and bool(theirs - ours)


def _same_figures(left: Statement, right: Statement) -> bool:
    return len(left.figures) == len(right.figures) and all(
        match_quantity(ours, theirs) is Match.EQUAL for ours, theirs in zip(left.figures, right.figures, strict=True)
    )


def _other_figure(left: Statement, right: Statement) -> tuple[str, str] | None:
    """The one figure in which two statements differ, of the same kind and unit; None for none or several."""
    if len(left.figures) != len(right.figures):
        return None
    differing = [
        (ours, theirs)
        for ours, theirs in zip(left.figures, right.figures, strict=True)
        if match_quantity(ours, theirs) is not Match.EQUAL
    ]
    if len(differing) != 1:
        return None
    ours, theirs = differing[0]
    comparable = (ours.kind, ours.unit, ours.per) == (theirs.kind, theirs.unit, theirs.per)
    dated = ours.kind is not QuantityKind.DATE and (ours.calendar_year or theirs.calendar_year)
    return (ours.raw, theirs.raw) if comparable and not dated and not ours.approximate else None


def _keyed(left: Chunk, right: Chunk) -> bool:
    """Whether recorded facts already say how two chunks agree."""
    return not {fact.key for fact in left.facts}.isdisjoint(fact.key for fact in right.facts)
