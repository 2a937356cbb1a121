"""Polarity: the small words that decide what a rule means, beside its numbers.

A negation, an exception, a modal, a bound, a quantifier, a hedge: exchanging one turns "at least 30 days" into "at most
30 days" with every content word in place. They are reduced to canonical names, so that "can't", "cannot" and "are not
allowed to" are one and "may" and "must" are two. Words are found by lexicon, not understood: a difference in profile is
a reason to look, an equal profile no proof of equal meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import lru_cache

from pytest_grounded.text.folding import fold
from pytest_grounded.text.polarity_words import NUMBER_WORDS, Lexicon, Sense, languages_with_lexicon, lexicon
from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.scripts import (
    HAN,
    HANGUL,
    KANA,
    guess_language,
    primary_subtag,
    script_of,
    spelled_out,
    unmarked,
)
from pytest_grounded.text.wordlists import listed

__all__ = [
    "PolarityProfile",
    "exceptions",
    "modals",
    "negations",
    "polarity_profile",
    "reverses",
    "unspaced_core",
    "without_answer",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolarityProfile:
    """Canonical names by kind, sorted, repeats kept; two texts with equal profiles do not differ in these words."""

    negations: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()
    modals: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    quantifiers: tuple[str, ...] = ()
    hedges: tuple[str, ...] = ()

    def differences(self, other: PolarityProfile) -> tuple[str, ...]:
        """The names of the kinds in which two profiles differ.

        >>> polarity_profile("The limit is 30.").differences(polarity_profile("The limit is at least 30."))
        ('bounds',)
        """
        return tuple(kind.name for kind in fields(self) if getattr(self, kind.name) != getattr(other, kind.name))


@remembered(4_096)
def polarity_profile(text: str, *, lang: str | None = None) -> PolarityProfile:
    """The profile of a text; `lang` is its language tag, without one the language is guessed, else English.

    A modal and the negation beside it are one: "may not", "cannot", "is not allowed" and "must not" are a prohibition,
    "need not" and "not required" an exemption.

    >>> polarity_profile("Contractors can't book.") == polarity_profile("Contractors are not permitted to book.")
    True
    >>> profile = polarity_profile("At least one manager must sign, unless the amount is under 500 euros.")
    >>> profile.exceptions, profile.modals, profile.bounds
    (('unless',), ('obligation',), ('at_least', 'less_than'))
    """
    names: dict[str, list[str]] = {}
    for event in _fused(_events(text, lang)):
        names.setdefault(event.kind, []).append(event.name)
    return PolarityProfile(
        negations=tuple(sorted(names.get("negation", ()))),
        exceptions=tuple(sorted(names.get("exception", ()))),
        modals=tuple(sorted(names.get("modal", ()))),
        bounds=tuple(sorted(names.get("bound", ()))),
        quantifiers=tuple(sorted(names.get("quantifier", ()))),
        hedges=tuple(sorted(names.get("hedge", ()))),
    )


def negations(text: str, *, lang: str | None = None) -> tuple[str, ...]:
    """Canonical negations in order ("not", "never", "without", "seldom"), one beside a modal included.

    >>> negations("They can't; nobody may, and never without a badge.")
    ('not', 'not', 'never', 'without')
    >>> negations("员工不可以携带宠物。"), negations("Das gilt nicht.", lang="de")
    (('not',), ('not',))
    """
    return tuple(
        "not" if event.kind == "modal" else event.name
        for event in _events(text, lang)
        if event.kind == "negation" or event.denies
    )


def exceptions(text: str, *, lang: str | None = None) -> tuple[str, ...]:
    """Canonical exception words in order: "except", "unless", "only", "provided".

    >>> exceptions("Only staff may enter, except on Sundays."), exceptions("除非主管批准", lang="zh")
    (('only', 'except'), ('unless',))
    """
    return tuple(event.name for event in _events(text, lang) if event.kind == "exception")


def modals(text: str, *, lang: str | None = None) -> tuple[str, ...]:
    """Classes of modals in text order, a negation beside one taken in.

    "obligation", "permission", "possibility", "recommendation", "recommendation_against", "prohibition", "exemption".

    >>> modals("You must sign; guests may not. Booking is not required in May 2024.")
    ('obligation', 'prohibition', 'exemption')
    """
    return tuple(event.name for event in _fused(_events(text, lang)) if event.kind == "modal")


def reverses(text: str, *, lang: str | None = None) -> bool:
    """Whether leaving this text out may turn the meaning of what stands around it.

    It does with a negation, an exception or a prohibition in it.

    >>> reverses("which is set out in Schedule B,"), reverses("not"), reverses("other than on Sundays")
    (False, True, True)
    """
    if _language(text, lang) is None and not _CLEAR_DENIALS.isdisjoint(_TOKEN.findall(fold(text))):
        return True
    return any(
        event.kind in {"negation", "exception"} or (event.kind, event.name) == ("modal", "prohibition")
        for event in _events(text, lang)
    )


def without_answer(text: str) -> str:
    """A text without the "no" that answers a question and denies nothing of what follows.

    >>> without_answer("No, visitors cannot enter.").strip()
    'visitors cannot enter.'
    """
    return _ANSWERS_NO.sub(" ", text)


@lru_cache(maxsize=4096)
def unspaced_core(text: str, *, lang: str | None = None) -> str:
    """What a text without spaces says, letters only, without the small words that a profile holds; else empty.

    >>> unspaced_core("员工不得携带宠物。") == unspaced_core("员工可以携带宠物"), unspaced_core("No pets.")
    (True, '')
    """
    folded = fold(text, lang=lang)
    languages = () if folded.isascii() else tuple(_unspaced_languages(folded, _language(text, lang)))
    for language in languages:
        folded = _unspaced_phrases(language)[0].sub("", folded)
    return "".join(filter(str.isalpha, folded)) if languages else ""


_CLEAR_DENIALS = listed(
    """
    nicht kein keine keinen keiner keinem nie niemals ohne außer nur pas jamais aucun aucune sans sauf nunca ningún
    ninguna sin excepto salvo non mai senza tranne eccetto não sem exceto apenas niet geen nooit zonder behalve inte
    aldrig utan utom ikke uden uten nie nigdy bez değil yok hariç sadece
    """
)
"""Words that deny or except in some language and mean nothing else in English, for a text in an unknown one."""


@dataclass(frozen=True, slots=True)
class _Event:
    """A sense found in a text, from one token or, without spaces, character to another.

    `denies` marks a modal that holds a "not" of its own.
    """

    kind: str
    name: str
    start: int
    end: int
    denies: bool = False


_UNSPACED_LANGUAGES = frozenset({"zh", "ja", "ko", "th"})
_HAN, _KANA, _HANGUL, _THAI = (re.compile(f"[{body}]") for body in (HAN, KANA, HANGUL, "\u0e00-\u0e7f"))


_COMMONEST_OF_SCRIPT = {"cyrillic": "ru", "arabic": "ar", "devanagari": "hi"}


def _language(text: str, lang: str | None) -> str | None:
    return primary_subtag(lang) or guess_language(text) or _COMMONEST_OF_SCRIPT.get(script_of(text) or "")


@remembered(4_096)
def _events(text: str, lang: str | None) -> tuple[_Event, ...]:
    language = _language(text, lang)
    plain = without_answer(_without_the_month_of_may(text))
    folded = _OR_MORE.sub(r"≥ \1", fold(plain, lang=lang))
    spaced = language if language in languages_with_lexicon() - _UNSPACED_LANGUAGES else "en"
    events = list(_in_words(_words(folded, spaced), lexicon(spaced), spaced))
    if not folded.isascii():
        for unspaced in _unspaced_languages(folded, language):
            events += _in_characters(folded, unspaced)
    return tuple(events)


def _unspaced_languages(text: str, language: str | None) -> Iterator[str]:
    if _HANGUL.search(text):
        yield "ko"
    if _THAI.search(text):
        yield "th"
    if _KANA.search(text) or (language == "ja" and _HAN.search(text)):
        yield "ja"
    elif _HAN.search(text):
        yield "zh"


# --- words -------------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[<>]=?|[≤≥≈~±⩽⩾]")
_OR_MORE = re.compile(r"(?<![\w.,+])(\d[\d.,]{0,20})\+(?![\w+])")
"""A figure with a plus behind it, and more: 18+."""
_MONTH_OF_MAY = re.compile(
    r"\b(?:[Ii]n|[Oo]f|[Ss]ince|[Uu]ntil|[Tt]ill|[Bb]y|[Ff]rom|[Tt]o|[Bb]efore|[Aa]fter|[Dd]uring|[Ee]arly|[Ll]ate|[Mm]id-?|[Ee]very|[Ee]ach|[Ll]ast|[Nn]ext|[Tt]his|\d{1,2}(?:st|nd|rd|th)?\.?|and|&|-)"
    r"[ -]?May\b|\bMay(?=[ ]\d)"
)
_CONTRACTIONS = (
    (re.compile(r"\bcan'?t\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bshan't\b"), "shall not"),
    (re.compile(r"\bain't\b"), "is not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\bno\.?(?= ?\d+\b(?![.,%]?\d*[ ]?[%€$]))(?<=\.)|\b(?:a|the|trash|tin)[ ]can\b"), " "),
)
_ELISIONS = re.compile(r"\b(?:(n)|[ldjmtsc]|qu|lorsqu|puisqu|(?:de|a|da|ne|su|que|be)ll)'(?=\w)")
_ELIDING = frozenset({"fr", "it"})
_TAKEN_AS_NEIGHBOUR = listed(
    """
    the a an of eur usd us gbp chf value amount age total sum der die das einem einer einen le la les un une el los
    las il lo o os de het een
    """
)
_REACH = 3


_ANSWERS_NO = re.compile(
    r"(?:^|(?<=[.!?;:\n])\s*)[ \t]*(?:no|nope|nein|non|nee|nej|nei|não|нет|ні|いいえ|아니요|不)[ ]?[,;!–—，、！]\s*",
    re.IGNORECASE,
)
"""A "no" that answers a question, and denies nothing of what follows: "No, visitors cannot enter"."""


def _without_the_month_of_may(text: str) -> str:
    return _MONTH_OF_MAY.sub(" ", text) if "May" in text else text


def _words(folded: str, language: str) -> list[str]:
    if language == "en":
        for pattern, plain in _CONTRACTIONS:
            folded = pattern.sub(plain, folded)
    elif language in _ELIDING:
        folded = _ELISIONS.sub(lambda elision: "ne " if elision[1] else "", folded)
    return [unmarked(word) for word in _TOKEN.findall(spelled_out(folded))]


def _in_words(words: list[str], known: Lexicon, language: str) -> Iterator[_Event]:
    """Senses of the phrases of a spaced language, the longest phrase at each place."""
    stems = tuple(stem for stem, _ in known.stems)
    pending_neither = "neither" in words
    i = 0
    while i < len(words):
        if not (words[i] in known.phrases or words[i] in _ALWAYS_LOOKED_AT or (stems and words[i].startswith(stems))):
            i += 1
            continue
        size, sense = _phrase_at(words, i, known, stems)
        if sense is None and language == "fr" and words[i] == "ne":
            sense = _french_ne(words[i + 1 : i + 7])
        if words[i] == "neither" and pending_neither and "nor" in words[i + 1 :][:40]:
            sense = None  # neither A nor B denies once for each `nor`, and once more is no negation of its own
        if sense is not None and sense[0] != "neutral":
            yield _Event(*sense, i, i + size)
        i += size


_ALWAYS_LOOKED_AT = frozenset({"ne", "neither"})


def _phrase_at(words: list[str], i: int, known: Lexicon, stems: tuple[str, ...]) -> tuple[int, Sense | None]:
    word = words[i]
    for phrase, needs_number, sense in known.phrases.get(word, ()):
        end = i + len(phrase)
        if _matches(words[i:end], phrase) and (not needs_number or _number_follows(words, end)):
            return len(phrase), sense
    if stems and word.startswith(stems):
        return 1, next(sense for stem, sense in known.stems if word.startswith(stem))
    return 1, None


def _matches(words: list[str], phrase: tuple[str, ...]) -> bool:
    if len(words) != len(phrase):
        return False
    last = phrase[-1]
    if last.endswith("*"):
        return words[:-1] == list(phrase[:-1]) and words[-1].startswith(last[:-1])
    return words == list(phrase)


def _number_follows(words: list[str], i: int) -> bool:
    for word in words[i : i + _REACH]:
        if word[0].isdigit() or word in NUMBER_WORDS:
            return True
        if word not in _TAKEN_AS_NEIGHBOUR:
            return False
    return False


_FRENCH_DENIALS = frozenset(
    {"pas", "plus", "jamais", "aucun", "aucune", "rien", "personne", "point", "guère", "ni", "nul", "nulle"}
)


def _french_ne(following: list[str]) -> Sense | None:
    """A French "ne" with its second half is counted there; with "que" it means only; alone it denies."""
    for word in following:
        if word in _FRENCH_DENIALS:
            return ("negation", "not") if word in {"plus", "point", "personne", "guère"} else None
        if word in {"que", "qu"}:
            return ("exception", "only")
    return ("negation", "not")


# --- characters --------------------------------------------------------------------------------------------------


_DENIAL_IN_MODAL = re.compile("[不无無勿毋]|ない|なり?ません|てはいけ|できません|없|안 ")


@lru_cache(maxsize=8)
def _unspaced_phrases(language: str) -> tuple[re.Pattern[str], dict[str, Sense]]:
    senses = {" ".join(words): sense for found in lexicon(language).phrases.values() for words, _, sense in found}
    ordered = sorted(senses, key=lambda phrase: (-len(phrase), phrase))
    return re.compile("|".join(map(re.escape, ordered))), senses


def _in_characters(text: str, language: str) -> Iterator[_Event]:
    """Senses of the phrases of a language without spaces, the longest phrase at each place."""
    pattern, senses = _unspaced_phrases(language)
    for match in pattern.finditer(text):
        sense = senses[match[0]]
        if sense[0] != "neutral":
            denies = sense[0] == "modal" and _DENIAL_IN_MODAL.search(match[0]) is not None
            yield _Event(*sense, match.start(), match.end(), denies)


# --- modals and negations ----------------------------------------------------------------------------------------

_BEHIND = {"obligation": "prohibition", "permission": "prohibition", "recommendation": "recommendation_against"}
_IN_FRONT = {"obligation": "exemption", "permission": "prohibition", "recommendation": "recommendation_against"}
_BETWEEN = 1


def _fused(events: tuple[_Event, ...]) -> Iterator[_Event]:
    """The events, each modal and the negation beside it made one."""
    held: _Event | None = None
    for event in events:
        if held is None:
            held = event
            continue
        fused = _fuse(held, event)
        if fused is None:
            yield held
            held = event
        else:
            held = fused
    if held is not None:
        yield held


def _fuse(first: _Event, second: _Event) -> _Event | None:
    if second.start < first.end or second.start - first.end > _BETWEEN:
        return None
    name = None
    if first.kind == "modal" and (second.kind, second.name) == ("negation", "not") and second.start == first.end:
        name = _BEHIND.get(first.name)
    elif (first.kind, first.name) == ("negation", "not") and second.kind == "modal":
        name = _IN_FRONT.get(second.name)
    return _Event("modal", name, first.start, second.end) if name else None
