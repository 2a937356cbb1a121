"""How likely is it that the evidence answers the question at all? A score from what can be seen without a model.

The words of a question stand in a passage far more often than its answer does: on SQuAD 2.0, where people wrote
unanswerable questions to look answerable, their share tells the two apart hardly better than chance (area 0.56). So
the score looks at one passage at a time, weighs words by how few passages hold them, and looks for what makes a
passage about something else: names and figures it does not have, a denial, an opposite, words that stand far apart or
in another order, an answer of the wrong kind. The features are in the trace. Their weights come from a logistic fit on
14 other articles of that set (`benchmarks/fit_confidence.py`); on any other text the score is a ranking and no
probability, to be calibrated before a cost rule relies on it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.question import Part, Question
from pytest_grounded.pipeline.terms import Folding, root, terms, word_set, words_in_order
from pytest_grounded.text.opposites import reversed_words
from pytest_grounded.text.polarity import negations

__all__ = ["Confidence", "confidence", "features"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """A score between 0 and 1, what it was made from, and the chunk with the passage that fits best."""

    score: float
    features: Mapping[str, float]
    chunk: str | None = None


NOTHING = Confidence(score=0.0, features={})
_DIGITS = 4


def confidence(question: Question, evidence: Sequence[Evidence], *, parts: Sequence[Part] | None = None) -> Confidence:
    """Score the evidence by the passage that fits best: of several parts the weakest counts; 0 where nothing is there.

    `parts` are those to be answered where not all are.

    >>> from pytest_grounded.model.evidence import Chunk
    >>> from pytest_grounded.pipeline.question import read_question
    >>> text = "The Rhine ends in the North Sea. The largest city on the Rhine is Cologne."
    >>> evidence = [Evidence(chunk=Chunk(id="c", text=text), score=1.0)]
    >>> asked = ("What is the largest city on the Rhine?", "What is the smallest city on the Danube?")
    >>> right, wrong = (confidence(read_question(one), evidence).score for one in asked)
    >>> right > 0.5 > wrong
    True
    """
    scores = [_of_part(part, question, evidence) for part in (question.parts if parts is None else parts)]
    return min(scores, key=lambda one: one.score, default=NOTHING)


def features(question: Question, evidence: Sequence[Evidence]) -> Mapping[str, float] | None:
    """What the score of a question with one part is made from, by name; None without words or evidence."""
    look = _look(question, evidence)
    return None if look is None else _features(look)


def _of_part(part: Part, question: Question, evidence: Sequence[Evidence]) -> Confidence:
    look = _look(_alone(part, question), evidence)
    if look is None:
        return NOTHING
    found = _features(look)
    raw = _BIAS + sum(_WEIGHTS[name] * value for name, value in found.items())
    return Confidence(score=round(1 / (1 + math.exp(-raw)), _DIGITS), features=found, chunk=look.best.chunk)


def _alone(part: Part, question: Question) -> Question:
    """A part as a question of its own."""
    text = question.text[part.words[0].start : part.words[-1].end]
    names = tuple(word for word in question.names if word in part.words)
    return replace(question, text=text, words=part.words, parts=(part,), names=names)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passage:
    """A passage: its words in order as they are compared, and those it may lean on, before it and above it."""

    chunk: str
    text: str
    words: tuple[str, ...]
    held: frozenset[str]
    around: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """A question beside the passages of its evidence; `asked` are its words in order, `weights` how telling each is."""

    question: Question
    asked: tuple[str, ...]
    names: frozenset[str]
    plain: frozenset[str]
    weights: Mapping[str, float]
    passages: tuple[_Passage, ...]
    best: _Passage

    def share(self, held: frozenset[str], around: frozenset[str] = frozenset()) -> float:
        """The weighted share of the question's words that stand there; one that only stands around counts less."""
        total = sum(self.weights.values())
        found = (weight * _held(word, held, around) for word, weight in self.weights.items())
        return sum(found) / total if total else 0.0


def _look(question: Question, evidence: Sequence[Evidence]) -> _Look | None:
    asked = tuple(term for word in question.words for term in _ordered(word.text, word.terms, question.form))
    passages = tuple(_passages(evidence, frozenset(asked), question.form))
    if not asked or not passages:
        return None
    names = frozenset(term for word in question.names for term in word.terms)
    plain = (_GENERIC | _kind_words(question)) - names
    weights = _weights(asked, names, plain, passages)
    look = _Look(
        question=question,
        asked=asked,
        names=names,
        plain=plain,
        weights=weights,
        passages=passages,
        best=passages[0],
    )
    shares = [look.share(passage.held, passage.around) for passage in passages]
    return replace(look, best=passages[max(range(len(passages)), key=lambda place: (shares[place], -place))])


def _ordered(text: str, found: frozenset[str], form: Folding) -> tuple[str, ...]:
    """The terms of one word of a question; unspaced words have several, in order."""
    return tuple(found) if len(found) == 1 else words_in_order(text, form) if found else ()


def _passages(evidence: Sequence[Evidence], asked: frozenset[str], form: Folding) -> Iterator[_Passage]:
    starts: dict[str, list[str]] = {}
    for word in sorted(asked):
        if len(word) > _SHORTEST_START:
            starts.setdefault(word[:_SHORTEST_START], []).append(word)
    for item in evidence:
        before: frozenset[str] = frozenset()
        for passage in item.statements:
            words = tuple(_same(word, starts) for word in words_in_order(passage.plain, form))
            above = terms(f"{item.chunk.title or ''}\n{passage.context}", form)
            held = frozenset(words)
            around = before | frozenset(_same(word, starts) for word in above)
            yield _Passage(chunk=item.id, text=passage.plain, words=words, held=held, around=around)
            before = held


_SHORTEST_START = 4
_SAME_START = 0.7


def _same(word: str, asked: Mapping[str, Sequence[str]]) -> str:
    """The asked word that a word is a form of, told by a long common start; else the word itself."""
    others = asked.get(word[:_SHORTEST_START])
    if others is None or word in others:
        return word
    for other in others:
        shared = math.ceil(_SAME_START * max(len(word), len(other)))
        if other[:shared] == word[:shared] and len(other) >= shared <= len(word):
            return other
    return word


def _weights(
    asked: Sequence[str], names: frozenset[str], plain: frozenset[str], passages: Sequence[_Passage]
) -> Mapping[str, float]:
    """How telling each word of a question is: the fewer passages hold it, the more."""
    distinct = frozenset(asked)
    holding = Counter(word for passage in passages for word in passage.held & distinct)
    return {
        word: math.log(1 + len(passages) / (holding[word] + 0.5))
        * (_PLAIN_WEIGHT if word in plain else _NAME_WEIGHT if word in names else 1.0)
        for word in dict.fromkeys(asked)
    }


_PLAIN_WEIGHT, _NAME_WEIGHT, _AROUND_WEIGHT = 0.25, 1.3, 0.7


def _held(word: str, held: frozenset[str], around: frozenset[str]) -> float:
    return 1.0 if word in held else _AROUND_WEIGHT if word in around else 0.0


# Words that a question is put with and that a passage need not repeat.
_GENERIC = frozenset(
    root(word)
    for word in word_set(
        """called known name named type types kind sort example considered described located happen happened referred
        term word another other one thing things something someone people person way reason purpose result part work
        group main made make took gave become became believed think thought said mean meant form related associated
        existed occur occurred shown addition besides currently"""
    )
)
_ASKS_KIND = word_set("what which whose")
_NO_KIND = word_set(
    """is are was were be been do does did has have had can could will would shall should may might must the a an of in
    on at by to for with from as and or that this these those it its their his her"""
)


def _kind_words(question: Question) -> frozenset[str]:
    """The words that say what kind of thing is asked for: `What city ...`; a passage names the city instead."""
    texts = [word.text.casefold() for word in question.words]
    place = next((at for at, text in enumerate(texts) if text in _ASKS_KIND), None)
    if place is None:
        return frozenset()
    following = question.words[place + 1 : place + 3]
    kept = takewhile(lambda word: word.text.casefold() not in _NO_KIND, following)
    return frozenset(term for word in kept for term in word.terms)


_FEW = 3


def _features(look: _Look) -> Mapping[str, float]:
    best, everything = look.best, frozenset[str]().union(*(passage.held for passage in look.passages))
    near = best.held | best.around
    core = [word for word in dict.fromkeys(look.asked) if word not in look.plain]
    asks_denied, says_denied = bool(negations(look.question.text)), bool(negations(best.text))
    found = {
        "passage": look.share(best.held, best.around),
        "sentence": look.share(best.held),
        "evidence": look.share(everything),
        "topic": _topic(look),
        "unsaid": min(_FEW, sum(word not in everything for word in core)) / _FEW,
        "elsewhere": min(_FEW, sum(word in everything and word not in near for word in core)) / _FEW,
        "names": _share_outside(look.names, near),
        "figures": float(any(_has_digit(word) and word not in near for word in look.asked)),
        "denies": float(asks_denied),
        "denied": float(asks_denied and not says_denied),
        "opposite": min(2, len(reversed_words(_written(look.question.text), _written(best.text)))) / 2,
        "superlative": float(any(_SUPERLATIVE.match(word) for word in _unsaid_words(look))),
        "copied": _copied(look),
        "order": _order(look),
        "apart": _apart(look),
        "kind": float(not _kind_stated(look)),
        "length": math.log(len(look.asked)),
    }
    return {name: round(value, _DIGITS) for name, value in found.items()}


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)


def _topic(look: _Look) -> float:
    """How much of what the best passage's chunk talks about the question's words are: a cosine of word counts."""
    counts = Counter(word for one in look.passages if one.chunk == look.best.chunk for word in one.words)
    asked = frozenset(look.asked)
    norm = math.sqrt(sum(count * count for count in counts.values()) * len(asked))
    return sum(counts[word] for word in asked) / norm if norm else 0.0


def _share_outside(words: frozenset[str], held: frozenset[str]) -> float:
    return len(words - held) / len(words) if words else 0.0


_WRITTEN = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_SUPERLATIVE = re.compile(r"(?:most|least|only|ever|never|always|[^\W\d_]{2,}est)$")


def _written(text: str) -> list[str]:
    return _WRITTEN.findall(text.casefold())


def _unsaid_words(look: _Look) -> frozenset[str]:
    return frozenset(_written(look.question.text)) - frozenset(_written(look.best.text))


def _copied(look: _Look) -> float:
    """The longest run of the question that stands word for word in the best passage, as a share of the question."""
    asked, said = _written(look.question.text), _written(look.best.text)
    longest = 0
    runs = [0] * (len(said) + 1)
    for word in asked:
        for place in range(len(said), 0, -1):
            runs[place] = runs[place - 1] + 1 if said[place - 1] == word else 0
        longest = max(longest, *runs)
    return longest / len(asked) if asked else 0.0


_CLOSE = 4


def _order(look: _Look) -> float:
    """The share of neighbours in the question that follow each other closely, in that order, in the best passage."""
    pairs = list(pairwise(look.asked))
    places = _places(look)
    close = (
        any(0 < there - here <= _CLOSE for here in places.get(left, ()) for there in places.get(right, ()))
        for left, right in pairs
    )
    return sum(close) / len(pairs) if pairs else 0.0


def _apart(look: _Look) -> float:
    """How many other words stand between the first and the last word of the question in the best passage, as a log."""
    places = [place for found in _places(look).values() for place in found]
    return math.log(1 + max(places) - min(places) + 1 - len(places)) if places else _NOWHERE


_NOWHERE = 2.0


def _places(look: _Look) -> Mapping[str, list[int]]:
    """Where each word of the question stands in the best passage; only the first few of many."""
    found: dict[str, list[int]] = {word: [] for word in look.asked}
    for place, word in enumerate(look.best.words):
        if word in found and len(found[word]) < _MOST_PLACES:
            found[word].append(place)
    return found


_MOST_PLACES = 8
_ASKS_WHEN = re.compile(r"\bwhen\b|\b(?:what|which) (?:year|century|date|day|month|decade|era|period)\b", re.IGNORECASE)
_ASKS_WHO = re.compile(r"\b(?:who|whom|whose|where)\b", re.IGNORECASE)
_ASKS_MANY = re.compile(r"\bhow (?:much|many|long|far|high|big|large|old|tall|wide|deep|often)\b", re.IGNORECASE)
_TIME = re.compile(
    r"\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|century|centuries|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|before|after|during|until|when|while|within|always|once)\b",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion|"
    r"half|quarter|third|several|many|few|twice|majority|most|all|no|none)\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"(?<=[^\s.!?] )[\"\u201c(]?[^\W\d_a-z]\w+|\b(?:i|you|we|they|he|she|your|our)\b")


def _kind_stated(look: _Look) -> bool:
    """Whether the best passage holds something of the kind asked for, besides what the question itself holds."""
    question = look.question.text
    wanted = next((kind for asks, kind in _KINDS if asks.search(question)), None)
    if wanted is None:
        return True
    said = frozenset(_written(question))
    return any(not any(part in said for part in _written(found.group())) for found in wanted.finditer(look.best.text))


_KINDS = ((_ASKS_WHEN, _TIME), (_ASKS_MANY, _MANY), (_ASKS_WHO, _CAPITAL))


# Fitted; the sign says which way a feature speaks.
_BIAS = -1.245
_WEIGHTS: Mapping[str, float] = {
    "passage": 2.563,
    "sentence": 1.281,
    "evidence": -2.385,
    "topic": 1.437,
    "unsaid": 0.355,
    "elsewhere": -0.099,
    "names": -0.656,
    "figures": -1.665,
    "denies": -0.734,
    "denied": -2.894,
    "opposite": -4.060,
    "superlative": -0.826,
    "copied": -1.235,
    "order": 0.188,
    "apart": -0.061,
    "kind": -0.708,
    "length": 0.392,
}
