"""What a question asks for: its parts, their words as written and as compared, what is in focus, which names it has.

English is read by its prepositions and conjunctions; other languages fall back to the whole question as one part, and
text without spaces is cut at function words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate

from pytest_grounded.pipeline.answer_kinds import AnswerKind, figures_to_check, kind_asked, kind_of_figures
from pytest_grounded.pipeline.terms import (
    FUNCTION_WORDS,
    Folding,
    WordForm,
    is_unspaced,
    pieces,
    singles,
    within_pairs,
    word_set,
    words_in_order,
)
from pytest_grounded.text.scripts import guess_language
from pytest_grounded.text.sentences import split_sentences

__all__ = ["PREPOSITIONS", "Part", "Question", "Word", "name_missing", "read_question"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word as it stands in the question, with what it is compared by; `terms` is empty for a function word.

    A code has the word before it for a `label`: `D` of zone D names nothing alone. A verb that a part ends with has
    its `particle`: to check in is not to check.
    """

    text: str
    start: int
    end: int
    terms: frozenset[str]
    label: str = ""
    particle: str = ""


@dataclass(frozen=True, kw_only=True)
class Part:
    """One thing that is asked: words of the question that stand or fall together.

    `checked` is the kind of the figure that a yes-or-no question wants confirmed: no evidence has to repeat it.
    """

    words: tuple[Word, ...]
    checked: AnswerKind | None = None

    @cached_property
    def text(self) -> str:
        """The words as written, without what stands between them."""
        return " ".join(word.text for word in self.words)

    @cached_property
    def terms(self) -> frozenset[str]:
        """What the words are compared by."""
        return _union(self.words)

    @cached_property
    def content(self) -> tuple[Word, ...]:
        """The words that are not function words."""
        return tuple(word for word in self.words if word.terms)

    @cached_property
    def focus(self) -> tuple[Word, ...]:
        """What is asked for, without its circumstances: the content words before the first preposition after one."""
        found: list[Word] = []
        for word in self.words:
            if found and word.text.casefold() in PREPOSITIONS:
                break
            if word.terms:
                found.append(word)
        return tuple(found)

    @cached_property
    def conditions(self) -> tuple[Word, ...]:
        """What it is asked under: the words behind a preposition (in a standard city) and a clause (if it is late).

        A preposition reaches to the next function word: of `for how long has it been going on in Rome` that is Rome.
        What `this` points back to is named elsewhere, and no condition.

        >>> [[word.text for word in read_question(text).parts[0].conditions] for text in (
        ...     "How much is paid for a taxi in Rome?", "What is paid in Rome if the plane is late?",
        ...     "How long has the lift in the tower been waiting?",
        ... )]
        [['taxi', 'Rome'], ['Rome', 'plane', 'late'], ['tower']]
        """
        focus = frozenset(self.focus)
        last = max((word.start for word in focus), default=len(self.text))
        found: list[Word] = []
        in_phrase = in_clause = False
        for word in self.words:
            text = word.text.casefold()
            in_clause = in_clause or (text in _OPENS_CLAUSE and word.start > last)
            in_phrase = text in PREPOSITIONS or (in_phrase and (bool(word.terms) or text in _OF_NOUNS))
            if (in_clause or in_phrase) and word.terms and word not in focus:
                found.append(word)
        return tuple(found)

    @cached_property
    def figure_asked(self) -> AnswerKind | None:
        """The kind of figure that alone answers: how many, up to what amount; None where no figure is asked for."""
        return self.checked or kind_asked(self.text)

    def focus_before(self, piece: Part) -> tuple[Word, ...]:
        """The words in focus that stand before a piece of the part: what the piece leaves unsaid."""
        return tuple(word for word in self.focus if word.start < piece.words[0].start)

    @cached_property
    def pieces(self) -> tuple[Part, ...]:
        """The part cut at its conjunctions; a piece without content words belongs to the one before it."""
        return _cut_at(self.words, _CONJUNCTIONS)


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question read once, for every later stage."""

    text: str
    form: Folding
    words: tuple[Word, ...]
    parts: tuple[Part, ...]
    names: tuple[Word, ...]

    @cached_property
    def terms(self) -> frozenset[str]:
        """What all its words are compared by."""
        return _union(self.words)

    def with_bridges(self, held: frozenset[str]) -> frozenset[str]:
        """What is held, what any text in force holds (current), and of text without spaces what is held by way of it.

        Pairs of characters that only lie across the border of two held words, with a modal verb between them or not,
        and a character that stands alone in the question and in a held pair.

        >>> question = read_question("上海正式员工的额度是多少？")
        >>> sorted(question.with_bridges(frozenset({"上海", "正式", "式员", "员工"})) & question.terms)
        ['上海', '员工', '式员', '正式', '海正']
        """
        if self._of_now and not held.isdisjoint(self.terms - self._of_now):
            held |= self._of_now
        if not self._unspaced:
            return held
        bridges = (_bridges(pairs, held) for pairs in self._unspaced)
        return held.union(within_pairs(self._alone, held), *bridges)

    def says_required(self, text: str) -> frozenset[str]:
        """The words of the question that ask whether something has to be, where a text says that it has to.

        >>> asked = read_question("Are receipts required?")
        >>> [sorted(asked.says_required(text)) for text in ("No receipt is needed.", "Keep the receipt.")]
        [['requir'], []]
        """
        said = self._required and _SAYS_REQUIRED.search(text) is not None
        return self._required if said else frozenset()

    @cached_property
    def _required(self) -> frozenset[str]:
        """What the words are compared by that ask whether something has to be."""
        return _union(word for word in self.words if word.text.casefold() in _REQUIRED)

    @cached_property
    def _of_now(self) -> frozenset[str]:
        """What the words are compared by that only ask for what holds now, as text in force does: the current rate.

        The current of a river is no such word.
        """
        before = {word.start - 1 for word in self.words if word.terms}
        return _union(
            word
            for word in self.words
            if word.text.casefold() in _NOW or (word.text.casefold() == "current" and word.end in before)
        )

    @cached_property
    def _alone(self) -> frozenset[str]:
        return singles(self.terms)

    @cached_property
    def _unspaced(self) -> tuple[tuple[str, ...], ...]:
        """The words of unspaced text as overlapping pairs of characters, in order."""
        words = (word.text for word in self.words if word.terms and is_unspaced(word.text))
        return tuple(words_in_order(word, self.form) for word in words)


def _bridges(pairs: tuple[str, ...], held: frozenset[str]) -> Iterator[str]:
    """Pairs between two held ones: one, or the two that hold a character which only says may, can or must."""
    for place in range(1, len(pairs) - 1):
        if pairs[place - 1] not in held:
            continue
        if pairs[place + 1] in held:
            yield pairs[place]
        elif pairs[place][1] in _MODAL and place + 2 < len(pairs) and pairs[place + 2] in held:
            yield from pairs[place : place + 2]


_MODAL = frozenset("要能会可应须需得")


@lru_cache(maxsize=1_024)
def read_question(text: str, form: Folding = WordForm.ROOT) -> Question:
    """Read a question.

    >>> question = read_question("What is the nightly hotel limit in Paris, and when are receipts required?")
    >>> [[word.text for word in part.content] for part in question.parts]
    [['nightly', 'hotel', 'limit', 'Paris'], ['receipts', 'required']]
    >>> [word.text for word in question.parts[0].focus], [word.text for word in question.names]
    (['nightly', 'hotel', 'limit'], ['Paris'])
    """
    read = tuple(_words(text, form))
    parts = tuple(_with_particle(_checking(text, part)) for part in _parts(text, read))
    put = {word.start: word for part in parts for word in part.words}
    words = tuple(put.get(word.start, word) for word in read)
    return Question(text=text, form=form, words=words, parts=parts, names=tuple(_names(text, words)))


def name_missing(words: Iterable[Word], covered: frozenset[str]) -> tuple[str, ...]:
    """The uncovered words as the question writes them; neighbours are named together, each once, in order.

    >>> name_missing(read_question("What is the meal allowance in Paris?").words, frozenset({"paris"}))
    ('meal allowance',)
    """
    runs: list[str] = []
    last_end = -1
    for word in words:
        if not word.terms - covered:
            continue
        shown = f"{word.text} {word.particle}".rstrip()
        if runs and word.start - last_end <= 1:
            runs[-1] += (" " if word.start > last_end else "") + shown
        else:
            runs.append(f"{word.label} {shown}".lstrip())
        last_end = word.end
    return tuple(dict.fromkeys(runs))


def _union(words: Iterable[Word]) -> frozenset[str]:
    return frozenset().union(*(word.terms for word in words))


_WORD = re.compile(r"[^\W_]+(?:[.,:'\u2019-][^\W_]+)*")


def _words(text: str, form: Folding) -> Iterator[Word]:
    before = ""
    for match in _WORD.finditer(text):
        label = before if _is_code(match[0], before) else ""
        before = match[0] if text[match.end() : match.end() + 1] == " " else ""
        for start, piece, counts in pieces(match.group(), form):
            at = match.start() + start
            words = frozenset(words_in_order(piece, form)) if counts else frozenset[str]()
            yield Word(text=piece, start=at, end=at + len(piece), terms=words, label=label if piece == match[0] else "")


def _is_code(text: str, before: str) -> bool:
    """Whether a word is a letter or number that only says which one of what stands before it: zone D, PEP 3."""
    if not before or before.casefold() in FUNCTION_WORDS | PREPOSITIONS | _CONJUNCTIONS | _NOT_LABELS:
        return False
    if len(text) == 1 and text.isascii() and text.isupper():
        return text not in "AI" or before.casefold() in _LABELS
    is_number = text.replace(".", "").isdigit() and len(text) <= _LONGEST_CODE
    if before.casefold() in _LABELS:
        return is_number
    return is_number and before[0].isupper() and before.casefold() not in _DATE_WORDS and not _YEAR.fullmatch(text)


_LONGEST_CODE = 6
_YEAR = re.compile(r"[12]\d{3}")
_LABELS = word_set(
    """annex appendix article band category chapter class clause grade level paragraph part phase rule schedule section
    step table tier type version zone"""
)
_NOT_LABELS = word_set("the a an is are was were what which how when who where do does did can may must about")
_CONJUNCTIONS = word_set("and or plus versus vs und oder et ou y")
PREPOSITIONS = word_set(
    """about above across after against along as at before behind below between beyond by despite during except for from
    if in inside into near of off on onto outside over per since than through throughout to toward towards under until
    upon via when where while who with within without für in bei für von nach vor en pour dans de para por con"""
)
_OPENS_CLAUSE = word_set(
    """if when where while who that which whose whom because unless until after before since once although though as
    than whether"""
)
_OF_NOUNS = word_set("the a an my your our his her their its")
_QUESTION_WORDS = word_set(
    """what how when where who whom whose which why is are was were do does did can could may must should will would
    wie was wann wer wo welche comment quand qui combien quel quelle cuánto cuándo cómo qué"""
)
_ASKING_ANYWHERE = word_set(
    """what how when where who whom whose which why wie was wann wer wo welche welchen comment quand qui combien quel
    quelle cuánto cuándo cómo qué"""
)
_BIDDING = word_set("tell give list show name explain describe say state please find let i we")
_GOES_ON = word_set("also still now then not often usually only both been being to")
_ASKING_WORDS = word_set("what how which whom whose wie welche welchen quel quelle combien qué cuánto")


_REQUIRED = word_set("required require requires necessary mandatory compulsory obligatory")
_SAYS_REQUIRED = re.compile(
    r"\b(?:need(?:s|ed)?|requir(?:es?|ed)|necessary|mandatory|compulsory|obligatory|must|ha(?:ve|s) to)\b",
    re.IGNORECASE,
)
_NOW = word_set("currently presently nowadays")


def _with_particle(part: Part) -> Part:
    """A part whose last verb is read with the particle that follows it."""
    *before, last = part.words
    particle = last.text.casefold()
    if not before or particle not in _PARTICLES or last.terms or not before[-1].terms:
        return part
    return replace(part, words=(*before[:-1], replace(before[-1], particle=particle), last))


_PARTICLES = word_set("in out up off")
_COMPARED = word_set(
    """above below over under more less than exceed exceeds exceeding higher lower least most up to within beyond only
    at"""
)


def _checking(text: str, part: Part) -> Part:
    """A part that wants a figure confirmed, with that figure and the words that compare it set aside.

    `Is the limit $150?` is answered by whatever limit the evidence states.
    """
    start = part.words[0].start
    figures = figures_to_check(text[start : part.words[-1].end])
    if not figures:
        return part
    aside: set[int] = set()
    for figure in figures:
        inside = [n for n, word in enumerate(part.words) if figure.start <= word.start - start < figure.end]
        aside.update(inside)
        before = inside[0] - 1 if inside else -1
        while before >= 0 and part.words[before].text.casefold() in _COMPARED:
            aside.add(before)
            before -= 1
    words = tuple(replace(word, terms=frozenset()) if n in aside else word for n, word in enumerate(part.words))
    if not any(word.terms for word in words):
        return part
    return Part(words=words, checked=kind_of_figures(figures))


_SENTENCE_END = re.compile(r"[.!?。！？;；](?=\s|$)|[。！？；]|\n")
_QUESTION_MARKS = "?？"


def _parts(text: str, words: tuple[Word, ...]) -> Iterator[Part]:
    """Questions of the text; a sentence that asks nothing is context and no part where another one asks."""
    sentences = _sentences(text, words)
    asking = [sentence for sentence, asks in sentences if asks] or [sentence for sentence, _ in sentences]
    for sentence in asking:
        found: list[Part] = []
        for again in _cut_where_asked_again(sentence):
            for part in _cut_at_commas(text, again):
                if part.content:
                    found.append(part)
                elif found and kind_asked(part.text):  # `..., and how much is it?` asks that of what was asked before
                    found.append(Part(words=(*found.pop().words, *part.words)))
        yield from found


def _sentences(text: str, words: tuple[Word, ...]) -> list[tuple[tuple[Word, ...], bool]]:
    found: list[tuple[tuple[Word, ...], bool]] = []
    rest = list(words)
    for match in _sentence_ends(text):
        inside = [word for word in rest if word.start < match.start()]
        rest = rest[len(inside) :]
        if inside:
            found.append((tuple(inside), match.group() in _QUESTION_MARKS))
    if rest:
        found.append((tuple(rest), False))
    return found


def _sentence_ends(text: str) -> Iterator[re.Match[str]]:
    """Where a sentence ends; the full stop of `St. Gallen` or `U.S.` ends none."""
    stops = frozenset(accumulate(map(len, split_sentences(text))))
    for match in _SENTENCE_END.finditer(text):
        if match.group() != "." or _after_space(text, match.end()) in stops:
            yield match


def _after_space(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _cut_where_asked_again(words: tuple[Word, ...]) -> Iterator[Part]:
    """Cut before a conjunction that a question word follows: `... and when are receipts required`.

    What comes before has to ask as well: `The Rhine forms the border between Austria and what other country` is one.
    """
    start = 0
    asked = False
    for at in range(len(words) - 1):
        asked = asked or _demands(words, at, at_start=at == start)
        if not asked or at == start or words[at].text.casefold() not in _CONJUNCTIONS:
            continue
        if _asks(words[at + 1 : at + 3]):
            yield Part(words=words[start:at])
            start, asked = at + 1, True
    yield Part(words=words[start:])


def _demands(words: tuple[Word, ...], at: int, *, at_start: bool) -> bool:
    """Whether a word asks where it stands: one to ask with, or at the start a verb to ask or to bid with."""
    word = words[at].text.casefold()
    return word in _ASKING_ANYWHERE or (at_start and (word in _QUESTION_WORDS or word in _BIDDING))


def _cut_at_commas(text: str, part: Part) -> Iterator[Part]:
    """Unspaced text is cut at a comma where both sides ask: `额度是多少，何时提交`."""
    start = 0
    for at in range(1, len(part.words)):
        if not _COMMA.search(text[part.words[at - 1].end : part.words[at].start]):
            continue
        if any(map(_asks_unspaced, part.words[start:at])) and any(map(_asks_unspaced, part.words[at:])):
            yield Part(words=part.words[start:at])
            start = at
    yield Part(words=part.words[start:])


_COMMA = re.compile("[,，;；]")
_ASKS_UNSPACED = re.compile("多少|何|什么|怎|哪|谁|几|是否|能否|吗")


def _asks_unspaced(word: Word) -> bool:
    return not word.terms and _ASKS_UNSPACED.search(word.text) is not None


def _asks(words: tuple[Word, ...]) -> bool:
    """Whether words begin to ask: `when`, or `for how many`; `and is also considered` goes on with what was asked."""
    first, *rest = (word.text.casefold() for word in words)
    if first in PREPOSITIONS and rest and rest[0] in _ASKING_WORDS:
        return True
    if first in _QUESTION_WORDS - _ASKING_ANYWHERE:
        return bool(rest) and rest[0] not in _GOES_ON and not rest[0].endswith(("ed", "ly"))
    return first in _QUESTION_WORDS


def _cut_at(words: tuple[Word, ...], separators: frozenset[str]) -> tuple[Part, ...]:
    found: list[list[Word]] = [[]]
    for word in words:
        if word.text.casefold() in separators and any(previous.terms for previous in found[-1]):
            found.append([])
        else:
            found[-1].append(word)
    if len(found) > 1 and not any(word.terms for word in found[-1]):
        found[-2].extend(found.pop())
    return tuple(Part(words=tuple(piece)) for piece in found)


_DATE_WORDS = word_set(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december"""
)
_MOSTLY = 0.5
_FEW = 3


def _names(text: str, words: tuple[Word, ...]) -> Iterator[Word]:
    """Words written with a capital inside a sentence, where capitals tell a name from another word."""
    starts = {0, *(match.end() for match in _sentence_ends(text))}
    inner = [word for word in words if not _opens_sentence(text, word, starts)]
    capitalised = [word for word in inner if word.text[0].isupper()]
    if len(capitalised) > len(inner) * _MOSTLY or _capitalises_nouns(text, inner):
        return
    for word in capitalised:
        if word.terms and word.text.casefold() not in _DATE_WORDS:
            yield word


def _capitalises_nouns(text: str, inner: list[Word]) -> bool:
    """Whether a question is German, or writes every word that counts with a capital."""
    content = [word for word in inner if word.terms]
    return guess_language(text) == "de" or (len(content) >= _FEW and all(word.text[0].isupper() for word in content))


def _opens_sentence(text: str, word: Word, starts: set[int]) -> bool:
    before = text[: word.start].rstrip(" \t\"'\u201c\u2018([")
    return not before or len(before) in starts
