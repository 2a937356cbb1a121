"""Facts: by which numbers, dates, identifiers and names a passage can be told, however it is worded.

A fact is a short key: `n41750`, `d2027-03-14` and `ihx41750b` as `notation` reads them, `Nhalcyon` for a name or a code
in capitals, `Chalcyon` for a word whose capital may only be that of a sentence, `wbonus` for a word. `strict_keys` are
what a passage is known by; a `Probe` over-generates, so that the same fact is met in another notation and is *not*
distinctive when readable text has it in any. A long fact counts alone (`is_strong`); a name, a code or a short figure
needs a second word of the same passage beside it (`is_companion`).

Number words, scale words and units are not read: that is left to the differential run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from pytest_grounded.detection.notation import (
    DATE,
    IDENTIFIER,
    LEAST_DIGITS,
    LEAST_SIGNIFICANT,
    MONTHS,
    NUMBER,
    PART,
    is_year,
    spaced_keys,
    token_keys,
)
from pytest_grounded.detection.skeleton import plain
from pytest_grounded.text.scripts import guess_language
from pytest_grounded.text.words import STOP_WORDS, stem

__all__ = [
    "Probe",
    "is_companion",
    "is_strong",
    "is_weak",
    "known_keys",
    "needle",
    "readings",
    "spans_of",
    "strict_keys",
]

NAME, CAPITAL, WORD = "N", "C", "w"

_LEAST_LETTERS = 4
"""Letters of the shortest word that can stand beside a name or a figure."""

# What any refusal or greeting may say: never the second word that makes a name count.
_STOCK = frozenset(
    """able access account admin administrator advice allowed answer any appear appropriate ask assist assistance
    assistant available avoid based call chat check clarify colleague company confidential confirm conflict
    conflicting contact contain content corpus cover current data database date department desk detail different
    disagree document documentation email enough error escalate escalated evidence exist expert expired explain fact
    file find found further general give given guidance happy help here hold human information instead internal know
    knowledge latest learn list look manager matching mention mentioned more name need newer note offer office
    official older other outdated outside page permission permit person phone please policy possible provide provided
    question reach read record refer regarding relate related reliable rephrase report request require required
    response restricted result review right rule say scope search secret section see service share show sorry source
    sources specific state superseded support supported sure system team tell text thank that there ticket today topic
    try unable uncertain understand user valid validity version want website withdrawn word write""".split()  # noqa: SIM905 - words are easier to read and to add as a text
)
_DAYS = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
_UNNAMED = STOP_WORDS | MONTHS.keys() | _DAYS
_UNACCOMPANIED = STOP_WORDS | _DAYS | {"may"}
"""Words that say nothing beside a figure; a month does: "$240 in March"."""
_TOKEN = re.compile(r"[^\W_]++(?:[-_./#:@+,'=~\\?]{1,3}[^\W_]++)*+")
_HAS_DIGIT = re.compile("[0-9]").search


@dataclass(frozen=True, slots=True)
class Probe:
    """What a text may be found by: facts that count alone, facts that need company, words that can be the company.

    >>> probe = Probe.of("The director flies from IEH; it costs 41 750.")
    >>> "n41750" in probe.strong, "Nieh" in probe.weak, "wdirector" in probe.words
    (True, True, True)
    """

    strong: tuple[str, ...]
    weak: tuple[str, ...]
    words: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Probe:
        """Everything a text may be found by, each once."""
        return _probe(text)


def known_keys(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What counts as known to whoever may read a text: numbers, dates and identifiers in any notation; words.

    >>> known_keys("It costs 41 750.")
    (('n41', 'n750', 'n41750', 'i41750'), ('wit', 'wcost'))
    """
    figures, words = _read(_plain(text))
    return tuple(figures), tuple(dict.fromkeys(WORD + _word(token) for token in words))


def readings(word: str) -> tuple[str, str, str]:
    """A word's key, and those it has where it is a name.

    >>> readings("whalcyon")
    ('whalcyon', 'Nhalcyon', 'Chalcyon')
    """
    return word, NAME + word[1:], CAPITAL + word[1:]


@lru_cache(maxsize=2048)
def _probe(text: str) -> Probe:
    text = _plain(text)
    figures, words = _read(text)
    names = (NAME + _word(token) for token in words if _may_be_name(token))
    capitals = (CAPITAL + _word(token) for token, is_inside in _capitalised(text) if is_inside and _may_be_name(token))
    return Probe(
        strong=tuple(filter(is_strong, figures)),
        weak=tuple(dict.fromkeys((*filter(is_weak, figures), *names, *capitals))),
        words=tuple(dict.fromkeys(WORD + _word(token) for token in words)),
    )


_REFERENCE = re.compile(r"&#(?:\d{1,7}|[xX][0-9A-Fa-f]{1,6});")


def _plain(text: str) -> str:
    """The plain form without character references of HTML: their numbers are no figures, and a view decodes them."""
    return plain(_REFERENCE.sub(" ", text) if "&#" in text else text)


def _read(text: str) -> tuple[dict[str, None], dict[str, None]]:
    """The figures and the words of a plain text, each once and in order."""
    figures: dict[str, None] = {}
    words: dict[str, None] = {}
    for token in dict.fromkeys(_TOKEN.findall(text)):
        if token.isalpha():
            words[token] = None
        else:
            figures.update(dict.fromkeys(token_keys(token)))
            words.update(dict.fromkeys(part for part in PART.findall(token) if part.isalpha()))
    if _HAS_DIGIT(text):
        for _, _, found in spaced_keys(text):
            figures.update(dict.fromkeys(found))
    return figures, words


@lru_cache(maxsize=4096)
def strict_keys(text: str) -> frozenset[str]:
    """The facts a passage is known by, its words among them.

    >>> sorted(key for key in strict_keys("Refer to case HX-41750-B by 14 March 2027.") if is_strong(key))
    ['d2027-03-14', 'i41750b', 'ihx41750', 'ihx41750b', 'n41750']
    >>> sorted(key for key in strict_keys("Ask Dana about IEH") if key[0] == "N")
    ['Ndana', 'Nieh']
    """
    text = _plain(text)
    keys: set[str] = set()
    for token in set(_TOKEN.findall(text)):
        if token.isalpha():
            keys.add(WORD + _word(token))
        else:
            keys.update(token_keys(token, strict=True))
            keys.update(WORD + _word(part) for part in PART.findall(token) if part.isalpha())
    if _HAS_DIGIT(text):
        for _, _, found in spaced_keys(text, strict=True):
            keys.update(found)
    keys.update(_name_keys(text))
    return frozenset(keys)


def is_strong(key: str) -> bool:
    """Whether a fact counts without a second one: a date, an identifier, or a number of four digits that is no year.

    A number of one digit and noughts, such as 10,000, needs company.

    >>> [is_strong(key) for key in ("n41750", "n95", "n2027", "n10000", "ihx41", "Nhalcyon")]
    [True, False, False, False, True, False]
    """
    if key[0] != NUMBER:
        return key[0] in (DATE, IDENTIFIER)
    digits = key[1:].replace(".", "").lstrip("0")
    return len(digits) >= LEAST_DIGITS and len(digits.rstrip("0")) > 1 and not is_year(key[1:])


def is_weak(key: str) -> bool:
    """Whether a fact counts with a second one beside it: a name, a code, or a figure of two digits that is no year.

    >>> [is_weak(key) for key in ("n95", "n7", "n2027", "Nhalcyon", "wbonus")]
    [True, False, False, True, False]
    """
    if key[0] == NUMBER:
        return not is_strong(key) and len(key) > 2 and not is_year(key[1:])  # noqa: PLR2004 - two digits
    return key[0] in (NAME, CAPITAL)


def is_companion(key: str) -> bool:
    """Whether a key can stand beside a name or a figure: no short, stock or foreign word, no single digit.

    >>> [is_companion(key) for key in ("wdirector", "wpie", "wdocument", "n14", "n7")]
    [True, False, False, True, False]
    """
    if key[0] == WORD:
        word = key[1:]
        return len(word) >= _LEAST_LETTERS and word.isascii() and word not in _STOCK and word not in _UNACCOMPANIED
    return key[0] in (NUMBER, DATE, IDENTIFIER) and len(key) > 2  # noqa: PLR2004 - two digits


def needle(key: str) -> str:
    """A text whose skeleton stands in the skeleton of every passage that has the fact.

    >>> needle("n41750"), needle("n10000"), needle("d2027-03-14"), needle("wcity")
    ('4175', '10000', '2027', 'cit')
    """
    value = key[1:]
    if key[0] == DATE:
        return value.partition("-")[0]
    if key[0] == NUMBER:
        # A whole part of nought may be left out in print, and closing noughts of a fraction are not in the key; those
        # of a whole number are not in print where it is scaled, which only a number of some figures is read as.
        digits = value.replace(".", "").lstrip("0")
        significant = digits.rstrip("0")
        return significant if len(significant) >= LEAST_SIGNIFICANT else digits
    # A stem ends in another letter than the word where it was folded: city, cities.
    return value[:-1] if value.endswith("y") and key[0] != IDENTIFIER else value


def spans_of(text: str, keys: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Where facts stand in the *plain* form of a text: start, end and key, in no particular order.

    >>> list(spans_of("It costs 41,750 dollars", {"n41750"}))
    [(9, 15, 'n41750')]
    """
    wanted = frozenset(keys)
    for match in _TOKEN.finditer(text):
        token = match.group()
        whole = () if token.isalpha() else wanted.intersection(token_keys(token))
        if whole:
            yield from ((*match.span(), key) for key in whole)
            continue
        for part in PART.finditer(text, *match.span()):
            word = _word(part.group())
            yield from ((*part.span(), kind + word) for kind in (WORD, NAME, CAPITAL) if kind + word in wanted)
    if _HAS_DIGIT(text):
        for start, end, found in spaced_keys(text):
            yield from ((start, end, key) for key in wanted.intersection(found))


@lru_cache(maxsize=65_536)
def _word(token: str) -> str:
    return stem(token.casefold())


# --- names -------------------------------------------------------------------------------------------------------

_CAPITALISED = re.compile("(?<![^\\W_])[A-Z\u0391-\u03a9\u0410-\u042f][^\\W\\d_]{2,}+(?![^\\W_])")
_CODE = re.compile(r"(?<![^\W_])[A-Z]{3,8}(?![^\W_])")
_SMALL_WORD = re.compile(r"(?<![^\W_])[^\W\d_A-Z][^\W\d_]")
_INSIDE_AFTER = re.compile(r"[\w,;)'] ['(\"]?\Z")
_MANY_CAPITALS, _MOST_CAPITALS = 0.2, 0.5
_LEAST_WORDS = 6


def _may_be_name(token: str) -> bool:
    """Whether a word of an answer may be a name: not what any refusal says; written small, not what everybody says."""
    if _word(token) in _STOCK:
        return False
    return not token.islower() or (len(token) >= _LEAST_LETTERS and token not in _UNACCOMPANIED)


def _capitalised(text: str) -> Iterator[tuple[str, bool]]:
    """Every word with a capital, and whether it stands inside a sentence."""
    for match in _CAPITALISED.finditer(text):
        start = match.start()
        yield match.group(), _INSIDE_AFTER.search(text[max(0, start - 3) : start]) is not None


def _capitalises_nouns(text: str, capitals: int) -> bool:
    """Whether a text writes words with capitals that are no names."""
    words = text.count(" ") + 1
    if words < _LEAST_WORDS or capitals <= _MANY_CAPITALS * words:
        return False
    return capitals > _MOST_CAPITALS * words or guess_language(text) == "de"


def _name_keys(text: str) -> Iterator[str]:
    """Names (capitals inside a sentence), codes in capitals, and words that a sentence starts with.

    In German, and where every second word has a capital, as in headings, capitals make no name.
    """
    if _SMALL_WORD.search(text):
        yield from (NAME + _word(code) for code in _CODE.findall(text) if code.casefold() not in _UNNAMED)
    found = [(token, inside) for token, inside in _capitalised(text) if token.casefold() not in _UNNAMED]
    inside = [token for token, is_inside in found if is_inside]
    if inside and not _capitalises_nouns(text, len(inside)):
        yield from (NAME + _word(token) for token in inside)
    yield from (CAPITAL + _word(token) for token, is_inside in found if not is_inside)
