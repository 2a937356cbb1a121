"""Which words of a question and of a passage count, and when two of them are the same word.

`plain` is what `text.words` counts: content words with plurals folded. `root` also folds English endings (book,
booking, booked), leaves out the function words of other European languages, and cuts Chinese and Japanese at function
words, so that a question's "how much is" does not count as uncovered. Text without spaces counts by overlapping pairs
of characters; a character that stands alone between two cuts is the same word as any pair that holds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import pairwise

from pytest_grounded.pipeline.kana import hiragana_words
from pytest_grounded.text.words import content_words

__all__ = [
    "Folding",
    "SameWords",
    "WordForm",
    "is_unspaced",
    "pieces",
    "root",
    "singles",
    "terms",
    "within_pairs",
    "word_set",
    "words_in_order",
]


class WordForm(StrEnum):
    """How far words are folded before they are compared."""

    PLAIN = "plain"
    ROOT = "root"

    __hash__ = str.__hash__  # that of enums is a call in Python, and every look-up of words asks for it


@dataclass(frozen=True)
class SameWords:
    """A form, and words that count as one: what people say and what the documents say.

    A group counts as its first word, whatever endings its words have. It knows words alone, no phrases.

    >>> folding = SameWords(WordForm.ROOT, (("bag", "suitcase", "luggage"),))
    >>> terms("How many suitcases?", folding), terms("Luggage", folding)
    (frozenset({'bag'}), frozenset({'bag'}))
    """

    form: WordForm
    groups: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        seen: dict[str, str] = {}
        for word in (word for group in self.groups for word in group):
            found = words_in_order(word, self.form)
            if len(found) != 1:
                raise ValueError(f"needs single words that count, found {word!r}")
            if found[0] in seen:
                raise ValueError(f"needs every word once, found {word!r}, which counts like {seen[found[0]]!r}")
            seen[found[0]] = word

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return f"{self.form}+same"

    @cached_property
    def _hash(self) -> int:
        return hash((self.form, self.groups))

    @cached_property
    def first_of(self) -> dict[str, str]:
        """Each folded word of a group -> the folded first word of it."""
        folded = ([words_in_order(word, self.form)[0] for word in group] for group in self.groups)
        return {word: group[0] for group in folded for word in group}


Folding = WordForm | SameWords
"""What words are compared by."""


@lru_cache(maxsize=8_192)
def words_in_order(text: str, form: Folding) -> tuple[str, ...]:
    """The content words of a text in order, repeats kept, folded as `form` says.

    >>> words_in_order("How often are bookings reimbursed?", WordForm.ROOT)
    ('book', 'reimburs')
    >>> words_in_order("每晚的酒店限额是多少", WordForm.ROOT)
    ('每晚', '酒店', '店限', '限额')
    """
    if isinstance(form, SameWords):
        return tuple(form.first_of.get(word, word) for word in words_in_order(text, form.form))
    if form is WordForm.PLAIN:
        return content_words(text)
    return tuple([found for word in words_in_order(_cut(text), WordForm.PLAIN) if (found := _counting(word))])


@lru_cache(maxsize=65_536)
def _counting(word: str) -> str:
    """The root that a word counts as; nothing where it does not count."""
    return "" if word in FUNCTION_WORDS else root(word)


@lru_cache(maxsize=8_192)
def terms(text: str, form: Folding) -> frozenset[str]:
    """The distinct content words of a text."""
    return frozenset(words_in_order(text, form))


@lru_cache(maxsize=65_536)
def root(word: str) -> str:
    """Fold the ending of an English word; a word of another script or with digits stays.

    The root is a key for comparison, not a word.

    >>> root("reimbursement") == root("reimbursed") == root("reimbursable")
    True
    >>> root("nightly") == root("night"), root("v3.2")
    (True, 'v3.2')
    """
    if not (word.isascii() and word.isalpha()):
        return word
    word = _without_ending(word)
    while word.endswith("e") and len(word) >= _SHORTEST_INFLECTED:
        word = word[:-1]
    if len(word) >= _SHORTEST_DOUBLED and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") else word


def _without_ending(word: str) -> str:
    if word.endswith("ied") and len(word) > _SHORTEST_INFLECTED:
        return word[:-3] + "y"
    for ending, shortest in _ENDINGS:
        if word.endswith(ending) and not word.endswith(_NO_ENDINGS):
            start = word.removesuffix(ending)
            return start if len(start) >= shortest and _VOWEL.search(start) else word
    return word


_NO_ENDINGS = ("eed", "oyer")  # exceed and seed are no past tense, an employer is no employee
_SHORTEST_INFLECTED = 4
_SHORTEST_DOUBLED = 4
_VOWEL = re.compile("[aeiouy]")
# The figure is how many letters have to be left: `number` keeps its `er`, `traveler` does not.
_ENDINGS = (
    ("ization", 4),
    ("isation", 4),
    ("ation", 4),
    ("ement", 4),
    ("ment", 3),
    ("able", 4),
    ("ible", 4),
    ("ion", 5),
    ("ing", 3),
    ("al", 5),
    ("ed", 3),
    ("er", 5),
    ("ly", 4),
)

# Chinese question and function words
_FUNCTION_RUNS = re.compile(
    "从何时起|自何时起|何时起|从什么时候|什么时候|何时|多久|多少|什么|怎么|怎样|如何|为什么|为何|哪些|哪个|哪里|哪|谁|周几|星期几|几(?:个月|[年天个月日次周])?|是否|能否|"
    "请问|可以|需要|应该|必须|仍需|仍须|今年|现在|目前|自己|以及|并且|吗|呢|吧|的|了|是|在|和|与|或|及|有|最多"
)
_UNSPACED = re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def word_set(words: str) -> frozenset[str]:
    """A set of words written in one text, as word lists are easiest to read.

    >>> sorted(word_set("and or"))
    ['and', 'or']
    """
    return frozenset(words.split())


def pieces(run: str, form: Folding) -> list[tuple[int, str, bool]]:
    """A run of letters cut where its words may be named apart: start, piece, and whether its words count.

    Unspaced text is cut at its function words, anything else stays whole.

    >>> pieces("酒店的限额", WordForm.ROOT), pieces("hotel", WordForm.ROOT)
    ([(0, '酒店', True), (2, '的', False), (3, '限额', True)], [(0, 'hotel', True)])
    """
    form = form.form if isinstance(form, SameWords) else form
    if form is WordForm.PLAIN or not is_unspaced(run):
        return [(0, run, True)]
    content = {match.span() for match in _NOT_SPACE.finditer(_cut(run))}
    edges = sorted({0, len(run), *(edge for span in content for edge in span)})
    return [(start, run[start:end], (start, end) in content) for start, end in pairwise(edges)]


_NOT_SPACE = re.compile(r"\S+")


def is_unspaced(text: str) -> bool:
    """Whether a text holds Chinese or Japanese, whose words stand without spaces.

    >>> is_unspaced("酒店 180"), is_unspaced("hotel")
    (True, False)
    """
    return _UNSPACED.search(text) is not None


def singles(words: Iterable[str]) -> frozenset[str]:
    """Characters of text without spaces that stand as words of their own.

    >>> sorted(singles({"药", "酒店", "a"}))
    ['药']
    """
    return frozenset(word for word in words if len(word) == 1 and is_unspaced(word))


def within_pairs(alone: frozenset[str], words: Iterable[str]) -> frozenset[str]:
    """The characters of `alone` that stand in a pair of characters among the words.

    >>> within_pairs(frozenset("药"), {"药箱", "前台"})
    frozenset({'药'})
    """
    return frozenset(character for word in words if len(word) == _PAIR for character in word if character in alone)


_PAIR = 2


def _cut(text: str) -> str:
    if not is_unspaced(text):
        return text
    cut = list(_FUNCTION_RUNS.sub(lambda match: " " * len(match.group()), text))
    kana = tuple(hiragana_words(text))
    if kana:  # these ask in Japanese, and are part of many a word in Chinese
        cut = [" " if character in "何誰" else character for character in cut]
    for start, end, word in kana:
        first, last = word or (end, end)
        cut[start:first], cut[last:end] = " " * (first - start), " " * (end - last)
    left = "".join(cut)
    return left if content_words(left) else text


# English words that a question is asked with and that no passage has to repeat
_ENGLISH = """
according amount anyone anything between come compare compared comparison cost differ difference different does
doesn don else ever everyone get give given go going happen have higher i'd i'm i've isn kind know let like long
lower make many may me much must need needed often please possible really say someone something soon sort still take
tell thing us use used using want way whether without yes you're
"""
# German, French, Spanish, Italian, Portuguese, Dutch: articles, prepositions, question words, auxiliaries
_OTHERS = """
der die das den dem des ein eine einen einem einer eines und oder ist sind wie wer wann wo welche welcher welches
welchen hoch viel viele für mit von zu zum zur im am auf aus bei nach pro ich wir darf kann muss werden wird gibt
le la les un une et ou est sont quel quelle quels quelles combien quand comment qui que quoi où du au aux dans en par
pour avec sur il elle on je nous doit peut
el los las y o es cuál cuáles cuánto cuánta cuántos cuándo cómo quién qué dónde del al por para con se puede
lo gli una uno e ed sono quale quali quanto quanta quanti quando come chi cosa dove di da nel nella per si può
as um uma ou são qual quais quantos como quem onde do no na em pode
het een en of zijn hoeveel wanneer hoe wie waar welke van voor met op bij per mag kan moet
"""
FUNCTION_WORDS = word_set(_ENGLISH + _OTHERS)
