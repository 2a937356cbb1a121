"""Where the words of a question stand in a passage: exactly, in another form, as an abbreviation, or only around it.

An `Alignment` is one passage of the evidence beside the question. All passages are compared by their words alone; the
few that hold most of the question are looked at word by word, by the signals in `signals`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, takewhile
from operator import mul
from typing import Literal

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.evidence import Evidence, Span, statements_of
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.terms import Folding, root, terms, word_set, words_in_order
from pytest_grounded.pipeline.tokens import Token, initials, tokens
from pytest_grounded.text.forms import irregular_forms
from pytest_grounded.text.siblings import same_member

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


@dataclass(frozen=True, kw_only=True)
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

    @cached_property
    def core(self) -> tuple[Asked, ...]:
        """The words a passage has to hold to be about the question."""
        return tuple(word for word in self.asked if word.core)

    @cached_property
    def names(self) -> tuple[Asked, ...]:
        """The names among its words."""
        return tuple(word for word in self.asked if word.name)

    @cached_property
    def said(self) -> frozenset[str]:
        """Its words as written."""
        return frozenset(word.text for word in self.words)

    def share(self, held: Mapping[int, float]) -> float:
        """The weighted share of the question's words that is held."""
        return _share(self.asked, held)


@dataclass(frozen=True, kw_only=True)
class Alignment:
    """A passage beside the question: how well it holds each word, by the word's place, and where.

    `near` is the same for what stands before it and above it; `chunk_share` how many of the words its chunk holds;
    `spots` are the places of each word as written.
    """

    chunk: str
    text: str
    words: tuple[Token, ...]
    held: Mapping[int, float]
    near: Mapping[int, float]
    places: Mapping[int, tuple[int, ...]]
    spots: Mapping[str, tuple[int, ...]]
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
    read = [_read(item.chunk, item.withheld, question.form) for item in evidence]
    passages = tuple(passage for one in read for passage in one.passages)
    kept = _counting(words)
    if not kept or not passages:
        return None
    match = _Match.of(words, kept, read, question.form)
    held = [places for one in read for places in match.held(one)]
    asked = tuple(_asked(question, words, kept, held))
    chunks = [item.id for item, one in zip(evidence, read, strict=True) for _ in one.passages]
    return Comparison(
        question=question,
        words=words,
        asked=asked,
        found=frozenset[int]().union(*held),
        topic=_topic({word.key for word in asked}, read),
        alignments=tuple(_closest(asked, chunks, passages, held, match)),
    )


@dataclass(frozen=True, kw_only=True)
class _Passage:
    """A passage as it is compared: its tokens, and the distinct keys above it; `first` of its chunk or not."""

    text: str
    words: tuple[Token, ...]
    above: frozenset[str]
    first: bool

    @cached_property
    def counting(self) -> tuple[str, ...]:
        """The keys of its tokens, repeats kept."""
        return tuple(word.key for word in self.words if word.key)

    @cached_property
    def where(self) -> Mapping[str, tuple[int, ...]]:
        """The places of each key."""
        return _places_by(word.key for word in self.words)

    @cached_property
    def spots(self) -> Mapping[str, tuple[int, ...]]:
        """The places of each word as written."""
        return _places_by(word.text for word in self.words)

    @cached_property
    def initials(self) -> Mapping[str, tuple[int, ...]]:
        """The abbreviations that it has spelled out."""
        return initials(self.words)


@dataclass(frozen=True, kw_only=True)
class _Chunk:
    """A chunk as it is compared, which is the same for every question: its passages, looked up by their words."""

    passages: tuple[_Passage, ...]

    @cached_property
    def counting(self) -> tuple[str, ...]:
        """The keys of all its passages, repeats kept."""
        return tuple(key for passage in self.passages for key in passage.counting)

    @cached_property
    def holders(self) -> Mapping[str, tuple[int, ...]]:
        """Key -> the passages that hold it, by place."""
        found: dict[str, list[int]] = {}
        for place, passage in enumerate(self.passages):
            for key in passage.where:
                found.setdefault(key, []).append(place)
        return {key: tuple(places) for key, places in found.items()}

    @cached_property
    def by_start(self) -> Mapping[str, tuple[str, ...]]:
        """The keys of its passages and those above them by how they begin."""
        found: dict[str, list[str]] = {}
        for key in sorted(self.holders.keys() | frozenset[str]().union(*(one.above for one in self.passages))):
            found.setdefault(key[:_INDEXED], []).append(key)
        return {start: tuple(keys) for start, keys in found.items()}


def _places_by(labels: Iterable[str]) -> Mapping[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for place, label in enumerate(labels):
        if label:
            found.setdefault(label, []).append(place)
    return {label: tuple(places) for label, places in found.items()}


def _read(chunk: Chunk, withheld: frozenset[Span], form: Folding) -> _Chunk:
    return _read_text(chunk.text, chunk.kind, chunk.title or "", withheld, form)


@lru_cache(maxsize=4_096)
def _read_text(
    text: str, kind: Literal["text", "table"], title: str, withheld: frozenset[Span], form: Folding
) -> _Chunk:
    return _Chunk(
        passages=tuple(
            _Passage(
                text=statement.plain,
                words=tokens(statement.plain, form),
                above=terms(f"{title}\n{statement.context}", form),
                first=place == 0,
            )
            for place, statement in enumerate(statements_of(text, kind, withheld))
        )
    )


def _counting(words: Sequence[Token]) -> list[int]:
    """The places of the question's words that count; the word it is asked with does not."""
    opening = next((place for place, word in enumerate(words) if word.text in _ASKING), None)
    return [place for place, word in enumerate(words) if word.key and place != opening][:_MOST_ASKED]


_MOST_ASKED = 60
_ASKING = word_set("what which who whom whose when where why how")


def _share(asked: Sequence[Asked], held: Mapping[int, float]) -> float:
    if not held:
        return 0.0
    total = sum(word.weight for word in asked)
    return sum(word.weight * held.get(word.place, 0.0) for word in asked) / total if total else 0.0


def _joined(held: Mapping[int, float], near: Mapping[int, float]) -> Mapping[int, float]:
    if not near:
        return held
    return {place: max(held.get(place, 0.0), _AROUND * near.get(place, 0.0)) for place in {*held, *near}}


_AROUND = 0.7

# --- which words are forms of one another ------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Match:
    """What stands for a word of the question: by its place the keys that are forms of it, and how alike they are.

    `short` are the abbreviations the question holds, with the place of each; `long` those that its capitalised words
    may have.
    """

    alike: Mapping[int, Mapping[str, float]]
    short: Mapping[str, int]
    long: Mapping[str, tuple[int, ...]]

    @classmethod
    def of(cls, words: Sequence[Token], kept: Sequence[int], chunks: Sequence[_Chunk], form: Folding) -> _Match:
        capital = {words[place].text: place for place in kept if words[place].capital}
        return cls(
            alike={place: _alike(words[place], chunks, form) for place in kept},
            short={text: place for text, place in capital.items() if len(text) <= _LONGEST_SHORT},
            long={text: places for text, places in initials(words).items() if set(places) <= set(kept)},
        )

    @cached_property
    def by_key(self) -> Mapping[str, tuple[tuple[int, float], ...]]:
        """The same by key: which words of the question it is a form of, and how alike."""
        found: dict[str, list[tuple[int, float]]] = {}
        for place, forms in self.alike.items():
            for key, value in forms.items():
                found.setdefault(key, []).append((place, value))
        return {key: tuple(values) for key, values in found.items()}

    def held(self, chunk: _Chunk) -> Sequence[Mapping[int, float]]:
        """How well each passage of a chunk holds each word of the question; by what it has abbreviated, wholly."""
        found: list[dict[int, float]] = [{} for _ in chunk.passages]
        for key, alike in self.by_key.items():
            for place in chunk.holders.get(key, ()):
                _take_likest(found[place], alike)
        if self.short or self.long:
            for passage, held in zip(chunk.passages, found, strict=True):
                held.update(dict.fromkeys(self.abbreviated(passage), 1.0))
        return found

    def likeness(self, keys: frozenset[str]) -> Mapping[int, float]:
        """How like each word of the question the likest of some keys is."""
        found: dict[int, float] = {}
        for key, alike in self.by_key.items() if keys else ():
            if key in keys:
                _take_likest(found, alike)
        return found

    def abbreviated(self, passage: _Passage) -> Mapping[int, tuple[int, ...]]:
        """The places of the question whose words a passage has abbreviated or spelled out, and where it has them."""
        found: dict[int, tuple[int, ...]] = {}
        if self.short:
            found |= {place: passage.initials[text] for text, place in self.short.items() if text in passage.initials}
        written = [(at, text) for text in self.long for at in passage.spots.get(text, ()) if passage.words[at].capital]
        for at, text in sorted(written):
            for place in self.long[text]:
                found.setdefault(place, (at,))
        return found


_INDEXED = 3
_LONGEST_SHORT = 5


def _take_likest(found: dict[int, float], alike: Iterable[tuple[int, float]]) -> None:
    for place, value in alike:
        if value > found.get(place, 0.0):
            found[place] = value


def _alike(word: Token, chunks: Sequence[_Chunk], form: Folding) -> Mapping[str, float]:
    """The keys of the chunks that are forms of a word, by what they have in common or because they are listed."""
    start = word.key[:_INDEXED]
    others = frozenset(key for chunk in chunks for key in chunk.by_start.get(start, ()))
    values = {other: likeness for other in others if (likeness := _likeness(word.key, other))}
    for key in _listed_forms(word.text, form):
        values[key] = max(values.get(key, 0.0), _NEARLY_SAME)
    return {other: values[other] for other in sorted(values)}


@lru_cache(maxsize=4_096)
def _listed_forms(word: str, form: Folding) -> tuple[str, ...]:
    """The keys of forms that no ending tells, the word's own not among them."""
    bare = word.removesuffix("'s")
    keys = {key for other in irregular_forms(bare) | same_member(bare) for key in words_in_order(other, form)}
    return tuple(sorted(keys))


@lru_cache(maxsize=65_536)
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
    holders = Counter(place for one in held for place, value in one.items() if value >= _NEARLY_SAME)
    for place in kept:
        word = words[place]
        name = word.start in named
        plain = word.key in _PLAIN and not name
        weight = math.log(1 + len(held) / (holders[place] + 0.5))
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


def _topic(asked: Iterable[str], chunks: Sequence[_Chunk]) -> float:
    """A cosine of word counts."""
    counts = Counter(chain.from_iterable(chunk.counting for chunk in chunks))
    keys = sorted(set(asked))
    norm = math.sqrt(sum(map(mul, counts.values(), counts.values())) * len(keys))
    return sum(counts[key] for key in keys) / norm if norm else 0.0


# --- the passages that hold most of the question -----------------------------------------------------------------


def _closest(
    asked: Sequence[Asked],
    chunks: Sequence[str],
    passages: Sequence[_Passage],
    held: Sequence[Mapping[int, float]],
    match: _Match,
) -> Iterator[Alignment]:
    """The few closest passages, in the order of the evidence; of equal ones the first."""
    before = [{} if passage.first else held[number - 1] for number, passage in enumerate(passages)]
    shares = [_share(asked, _joined(*pair)) for pair in zip(held, before, strict=True)]
    closest = sorted(range(len(passages)), key=shares.__getitem__, reverse=True)[:_CLOSER_LOOK]
    together: dict[str, set[int]] = {chunks[number]: set() for number in closest}
    for chunk, places in zip(chunks, held, strict=True):
        if chunk in together:
            together[chunk].update(places)
    for number in sorted(closest):
        passage = passages[number]
        yield Alignment(
            chunk=chunks[number],
            text=passage.text,
            words=passage.words,
            held=held[number],
            near=_near(before[number], match.likeness(passage.above)),
            places=_places(asked, passage, match),
            spots=passage.spots,
            chunk_share=len(together[chunks[number]]) / len(asked),
        )


_CLOSER_LOOK = 6


def _near(before: Mapping[int, float], above: Mapping[int, float]) -> Mapping[int, float]:
    """How well the passage before, the headings and the title hold each word."""
    return {place: max(before.get(place, 0.0), above.get(place, 0.0)) for place in {*before, *above}}


def _places(asked: Sequence[Asked], passage: _Passage, match: _Match) -> Mapping[int, tuple[int, ...]]:
    """Where each word stands in the passage; only the first few of many places."""
    other = match.abbreviated(passage)
    found: dict[int, tuple[int, ...]] = {}
    for word in asked:
        places = [at for key in match.alike[word.place] for at in passage.where.get(key, ())]
        places = sorted(places or other.get(word.place, ()))
        if places:
            found[word.place] = tuple(places[:_MOST_PLACES])
    return found


_MOST_PLACES = 8
