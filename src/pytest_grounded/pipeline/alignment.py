"""Where the words of a question stand in a passage: exactly, in another form, as an abbreviation, or only around it.

An `Alignment` is one passage of the evidence beside the question. All passages are compared by their words alone; the
few that hold most of the question are looked at word by word, by the signals in `signals`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.terms import Folding, root, terms, word_set
from pytest_grounded.pipeline.tokens import Token, initials, tokens

__all__ = ["Alignment", "Asked", "Comparison", "compare"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A word of the question that counts: its place among the question's tokens and how telling it is.

    `focus` marks the words that say what kind of thing is asked for (`What city ...`), which a passage need not repeat;
    `plain` those that any question might hold.
    """

    place: int
    key: str
    text: str
    weight: float
    name: bool
    figure: bool
    focus: bool
    plain: bool

    @property
    def core(self) -> bool:
        """Whether a passage has to hold it to be about the question."""
        return not self.focus and not self.plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A question beside the passages that hold most of it; `found` are the places of its words that any passage holds.

    `topic` says how much of what all passages talk about the question's words are.
    """

    question: Question
    words: tuple[Token, ...]
    asked: tuple[Asked, ...]
    found: frozenset[int]
    topic: float
    alignments: tuple[Alignment, ...]

    def share(self, held: Mapping[int, float]) -> float:
        """The weighted share of the question's words that is held."""
        return _share(self.asked, held)


@dataclass(frozen=True, kw_only=True)
class Alignment:
    """A passage beside the question: how well it holds each word, by the word's place, and where.

    `near` is the same for what stands before it and above it; `chunk_share` how many of the words its chunk holds.
    """

    chunk: str
    text: str
    words: tuple[Token, ...]
    held: Mapping[int, float]
    near: Mapping[int, float]
    places: Mapping[int, tuple[int, ...]]
    chunk_share: float

    @cached_property
    def matched(self) -> frozenset[int]:
        """The places of the passage at which a word of the question stands."""
        return frozenset(place for places in self.places.values() for place in places)

    @cached_property
    def around(self) -> Mapping[int, float]:
        """What the passage holds, and less of it where it only stands around."""
        return _joined(self.held, self.near)


def compare(question: Question, evidence: Sequence[Evidence]) -> Comparison | None:
    """Compare a question with the passages of its evidence; None without words or passages.

    >>> from pytest_grounded.model.evidence import Chunk
    >>> from pytest_grounded.pipeline.question import read_question
    >>> text = "The gorge is deep. The bridge at Basel opened in 1226."
    >>> evidence = [Evidence(chunk=Chunk(id="c", text=text), score=1.0)]
    >>> found = compare(read_question("When was the bridge at Basel opened?"), evidence)
    >>> bridge = found.alignments[-1]
    >>> [(word.text, bridge.places[word.place]) for word in found.asked]
    [('bridge', (1,)), ('basel', (3,)), ('opened', (4,))]
    """
    words = tokens(question.text, question.form)
    passages = tuple(_passages(evidence, question.form))
    kept = _counting(words)
    if not kept or not passages:
        return None
    match = _Match.of(words, kept, passages)
    held = [match.held(passage) for passage in passages]
    asked = tuple(_asked(question, words, kept, held))
    return Comparison(
        question=question,
        words=words,
        asked=asked,
        found=frozenset(place for one in held for place in one),
        topic=_topic({word.key for word in asked}, passages),
        alignments=tuple(_closest(asked, passages, held, match)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passage:
    """A passage as it is compared: its tokens, their distinct keys, the keys above it, the number of the one before."""

    chunk: str
    text: str
    words: tuple[Token, ...]
    keys: frozenset[str]
    above: frozenset[str]
    before: int | None


def _passages(evidence: Sequence[Evidence], form: Folding) -> Iterator[_Passage]:
    number = 0
    for item in evidence:
        before: int | None = None
        for statement in item.statements:
            words = tokens(statement.plain, form)
            yield _Passage(
                chunk=item.id,
                text=statement.plain,
                words=words,
                keys=frozenset(word.key for word in words if word.key),
                above=terms(f"{item.chunk.title or ''}\n{statement.context}", form),
                before=before,
            )
            before = number
            number += 1


def _counting(words: Sequence[Token]) -> list[int]:
    """The places of the question's words that count; the word it is asked with does not."""
    opening = next((place for place, word in enumerate(words) if word.text in _ASKING), None)
    return [place for place, word in enumerate(words) if word.key and place != opening][:_MOST_ASKED]


_MOST_ASKED = 60
_ASKING = word_set("what which who whom whose when where why how")


def _share(asked: Sequence[Asked], held: Mapping[int, float]) -> float:
    total = sum(word.weight for word in asked)
    return sum(word.weight * held.get(word.place, 0.0) for word in asked) / total if total else 0.0


def _joined(held: Mapping[int, float], near: Mapping[int, float]) -> Mapping[int, float]:
    return {place: max(held.get(place, 0.0), _AROUND * near.get(place, 0.0)) for place in {*held, *near}}


_AROUND = 0.7

# --- which words are forms of one another ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Match:
    """What stands for a word of the question: by its place the keys that are forms of it, and how alike they are.

    `short` are the abbreviations the question holds, with the place of each; `long` those that its capitalised words
    may have.
    """

    alike: Mapping[int, Mapping[str, float]]
    short: Mapping[str, int]
    long: Mapping[str, tuple[int, ...]]

    @classmethod
    def of(cls, words: Sequence[Token], kept: Sequence[int], passages: Sequence[_Passage]) -> _Match:
        by_start: dict[str, list[str]] = {}
        for key in frozenset[str]().union(*(passage.keys | passage.above for passage in passages)):
            by_start.setdefault(key[:_INDEXED], []).append(key)
        capital = {words[place].text: place for place in kept if words[place].capital}
        return cls(
            alike={place: _alike(words[place].key, by_start) for place in kept},
            short={text: place for text, place in capital.items() if len(text) <= _LONGEST_SHORT},
            long={text: places for text, places in initials(words).items() if set(places) <= set(kept)},
        )

    def held(self, passage: _Passage) -> Mapping[int, float]:
        """How well a passage holds each word of the question."""
        found: dict[int, float] = dict.fromkeys(self.abbreviated(passage), 1.0)
        for place in self.alike:
            value = self.likeness(place, passage.keys)
            if value > found.get(place, 0.0):
                found[place] = value
        return found

    def likeness(self, place: int, keys: frozenset[str]) -> float:
        """How like the word at a place the likest of some keys is."""
        return max((value for key, value in self.alike[place].items() if key in keys), default=0.0)

    def abbreviated(self, passage: _Passage) -> Mapping[int, tuple[int, ...]]:
        """The places of the question whose words a passage has abbreviated or spelled out, and where it has them."""
        found: dict[int, tuple[int, ...]] = {}
        if self.short:
            spelled = initials(passage.words)
            found |= {place: spelled[text] for text, place in self.short.items() if text in spelled}
        for at, word in enumerate(passage.words) if self.long else ():
            for place in self.long.get(word.text, ()) if word.capital else ():
                found.setdefault(place, (at,))
        return found


_INDEXED = 3
_LONGEST_SHORT = 5


def _alike(key: str, by_start: Mapping[str, Sequence[str]]) -> Mapping[str, float]:
    values = {other: _likeness(key, other) for other in sorted(by_start.get(key[:_INDEXED], ()))}
    return {other: value for other, value in values.items() if value}


def _likeness(left: str, right: str) -> float:
    """Forms are told by a long common start, as the folding of endings leaves `coloni` and `colon` apart.

    So is a slip of the pen, and a spelling of the other shore: `favour`.
    """
    if left == right:
        return 1.0
    if min(len(left), len(right)) < _SHORTEST_FORM or not (left.isalpha() and right.isalpha()):
        return 0.0
    pairs = enumerate(zip(left, right, strict=False))
    shared = next((at for at, (one, other) in pairs if one != other), min(len(left), len(right)))
    longest = max(len(left), len(right))
    if shared >= _NEARLY_ALL * longest:
        return _NEARLY_SAME
    if shared > _SHORTEST_FORM and shared >= _MOST * longest:
        return _PERHAPS_SAME
    return _PERHAPS_SAME if longest >= _LONG_ENOUGH and _one_slip(left[shared:], right[shared:]) else 0.0


_SHORTEST_FORM, _LONG_ENOUGH = 4, 6
_NEARLY_ALL, _NEARLY_SAME = 0.7, 0.9
_MOST, _PERHAPS_SAME = 0.6, 0.7


def _one_slip(left: str, right: str) -> bool:
    """Whether two endings that begin differently differ in one letter, or in the order of two.

    >>> _one_slip("r", "ur"), _one_slip("nret", "rnet"), _one_slip("apted", "opted"), _one_slip("nr", "st")
    (True, True, True, False)
    """
    swapped = left[:2] == right[1::-1] and left[2:] == right[2:]
    return swapped or left[1:] == right or left == right[1:] or left[1:] == right[1:]


# --- how telling a word is ---------------------------------------------------------------------------------------


def _asked(
    question: Question, words: Sequence[Token], kept: Sequence[int], held: Sequence[Mapping[int, float]]
) -> Iterator[Asked]:
    """The fewer passages hold a word, the more telling it is; names and figures more, words of any question less."""
    named = {word.start for word in question.names}
    focus = _focus(words)
    for place in kept:
        word = words[place]
        name = word.start in named
        plain = word.key in _PLAIN and not name
        holding = sum(one.get(place, 0.0) >= _NEARLY_SAME for one in held)
        weight = math.log(1 + len(held) / (holding + 0.5))
        if name or word.figure:
            weight *= _NAME_WEIGHT
        elif plain or place in focus:
            weight *= _PLAIN_WEIGHT
        yield Asked(
            place=place,
            key=word.key,
            text=word.text,
            weight=weight,
            name=name,
            figure=word.figure,
            focus=place in focus,
            plain=plain,
        )


_NAME_WEIGHT, _PLAIN_WEIGHT = 1.3, 0.25
# Words that a question is put with and that a passage need not repeat.
_PLAIN = frozenset(
    root(word)
    for word in word_set(
        """called known name named type types kind kinds sort example considered described located happen happened
        referred refer term word words another other one thing things something someone people person way reason purpose
        result part parts work group main made make took gave became become believed think thought said say mean meant
        form related associated existed exist occur occurred shown addition besides currently current use used using
        include included including according"""
    )
)
_ASKS_KIND = word_set("what which whose")
_NO_KIND = word_set(
    """is are was were be been being do does did has have had can could will would shall should may might must the a an
    this that these those its their his her our your my and or in on at by to for with from as"""
)
_LONGEST_KIND = 2


def _focus(words: Sequence[Token]) -> frozenset[int]:
    """The words that say what kind of thing is asked for: `What city ...`, `How many cities ...`."""
    place = next((at for at, word in enumerate(words) if word.text in _ASKING), None)
    if place is None:
        return frozenset()
    counted = words[place].text == "how" and place + 1 < len(words) and words[place + 1].text in {"many", "much"}
    if not counted and words[place].text not in _ASKS_KIND:
        return frozenset()
    said = takewhile(lambda at: words[at].text not in _NO_KIND, range(place + 1 + counted, len(words)))
    return frozenset([at for at in said if words[at].key][:_LONGEST_KIND])


def _topic(asked: Iterable[str], passages: Sequence[_Passage]) -> float:
    """A cosine of word counts."""
    counts = Counter(word.key for passage in passages for word in passage.words if word.key)
    keys = sorted(set(asked))
    norm = math.sqrt(sum(count * count for count in counts.values()) * len(keys))
    return sum(counts[key] for key in keys) / norm if norm else 0.0


# --- the passages that hold most of the question -----------------------------------------------------------------


def _closest(
    asked: Sequence[Asked], passages: Sequence[_Passage], held: Sequence[Mapping[int, float]], match: _Match
) -> Iterator[Alignment]:
    """The few closest passages, in the order of the evidence; of equal ones the first."""

    def before(number: int) -> Mapping[int, float]:
        place = passages[number].before
        return {} if place is None else held[place]

    shares = [_share(asked, _joined(held[number], before(number))) for number in range(len(passages))]
    closest = sorted(range(len(passages)), key=lambda number: (-shares[number], number))[:_CLOSER_LOOK]
    for number in sorted(closest):
        passage = passages[number]
        together = {
            place for other, one in zip(passages, held, strict=True) if other.chunk == passage.chunk for place in one
        }
        yield Alignment(
            chunk=passage.chunk,
            text=passage.text,
            words=passage.words,
            held=held[number],
            near=_near(asked, passage, before(number), match),
            places=_places(asked, passage, match),
            chunk_share=len(together) / len(asked),
        )


_CLOSER_LOOK = 6


def _near(asked: Sequence[Asked], passage: _Passage, before: Mapping[int, float], match: _Match) -> Mapping[int, float]:
    """How well the passage before, the headings and the title hold each word."""
    found = {word.place: max(before.get(word.place, 0.0), match.likeness(word.place, passage.above)) for word in asked}
    return {place: value for place, value in found.items() if value}


def _places(asked: Sequence[Asked], passage: _Passage, match: _Match) -> Mapping[int, tuple[int, ...]]:
    """Where each word stands in the passage; only the first few of many places."""
    where: dict[str, list[int]] = {}
    for at, token in enumerate(passage.words):
        if token.key:
            where.setdefault(token.key, []).append(at)
    other = match.abbreviated(passage)
    found: dict[int, tuple[int, ...]] = {}
    for word in asked:
        places = [at for key in match.alike[word.place] for at in where.get(key, ())]
        places = sorted(places or other.get(word.place, ()))
        if places:
            found[word.place] = tuple(places[:_MOST_PLACES])
    return found


_MOST_PLACES = 8
