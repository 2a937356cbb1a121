"""Quotes: whether quoted words stand in the source, as one contiguous part or with an honest ellipsis.

Never fuzzy: what differs in more than typography is no quote. Whether the quote supports the claim is for others.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import islice

from pytest_grounded.text.alignment import occurrences
from pytest_grounded.text.boundaries import ends_inside, is_amount, is_wordlike, starts_inside
from pytest_grounded.text.folding import fold, marked, marked_with_origins, resolve
from pytest_grounded.text.polarity import reverses
from pytest_grounded.text.rendering import RENDERING, is_marked_up, rendered
from pytest_grounded.text.scripts import guess_language, is_cjk
from pytest_grounded.text.written import stands_as_written

__all__ = ["QuoteVerdict", "folded_before", "judge_quote", "locate_quote", "too_short"]

_FARTHEST = 120
_ENOUGH = 12
_CJK_WEIGHT = 3
"""Four characters of Chinese, Japanese or Korean are as long as twelve others."""
_MOST_PARTS = 32
_ELLIPSIS = re.compile(r"\s*[\[(<]?\s?\.\.\.\s?[\])>]?\s*")
_OUTER = " -*|\u2013\u2014\ufdd0\ufdd1\ufdd2\ufdd3"
_QUOTE_MARKS = frozenset("'\"")
_MOST_GAPS = 2000
"""How many gaps are looked at; only hostile text has more."""
_OUTER_MARKS = _OUTER + "'\".,;:!?"

Span = tuple[int, int]


class QuoteVerdict(StrEnum):
    """What holds between a quote and its source."""

    VERBATIM = "verbatim"
    ELIDED = "elided"
    BAD_ELISION = "bad_elision"
    NOT_VERBATIM = "not_verbatim"


@dataclass(frozen=True, slots=True)
class _Judgement:
    verdict: QuoteVerdict
    spans: tuple[Span, ...] = ()
    is_rendered: bool = False
    """Whether it was found in what the source shows rather than in what is written there."""


def judge_quote(quote: str, source: str, *, lang: str | None = None) -> QuoteVerdict:
    r"""Whether a quote is a contiguous part of its source, typography aside, or parts of it joined by an ellipsis.

    VERBATIM: the words stand there, whole. ELIDED: the parts on the two sides of each ellipsis stand there in order,
    at most 120 folded characters apart, and what is left out holds no negation, exception or prohibition; an ellipsis
    at the edge leaves out nothing. BAD_ELISION: every part stands there, but not so. NOT_VERBATIM: a part does not
    stand there, or starts or ends inside a word or number. Quote marks around the whole quote are not part of it. A
    quote or source without a word is never verbatim. `lang` is the source's.

    >>> source = "The landlord is not permitted to terminate this lease during the fixed term."
    >>> judge_quote("the landlord is not permitted to ter-\nminate", source)
    <QuoteVerdict.VERBATIM: 'verbatim'>
    >>> judge_quote("The landlord is not permitted … during the fixed term", source)
    <QuoteVerdict.ELIDED: 'elided'>
    >>> judge_quote("the landlord is … permitted to terminate", source)
    <QuoteVerdict.BAD_ELISION: 'bad_elision'>
    >>> judge_quote("the landlord is permitted to terminate", source)
    <QuoteVerdict.NOT_VERBATIM: 'not_verbatim'>
    """
    return QuoteVerdict.VERBATIM if stands_as_written(quote, source) else _judge(quote, source, lang).verdict


def locate_quote(quote: str, source: str, *, lang: str | None = None) -> tuple[Span, ...]:
    r"""Start and end in the source of each part of a verbatim or honestly elided quote; empty when it is neither.

    >>> source = "Ouvert a\u0300 8 h; le parking, derrière, ferme."
    >>> locate_quote("OUVERT À 8 H … ferme", source)
    ((0, 13), (37, 42))
    """
    judgement = _judge(quote, source, lang)
    if not judgement.spans:
        return ()
    origins = marked_with_origins(source, lang=lang, first=RENDERING if judgement.is_rendered else None)
    return tuple(origins.original_span(start, end) for start, end in judgement.spans)


def folded_before(quote: str, source: str, *, lang: str | None = None, reach: int = 80) -> str:
    """What stands right before a verbatim or honestly elided quote, folded, from the start of its line or list item on.

    >>> folded_before("permitted to leave", "Guests are not permitted to leave.")
    'guests are not'
    """
    judgement = _judge(quote, source, lang)
    if not judgement.spans:
        return ""
    start = judgement.spans[0][0]
    before = marked(rendered(source) if judgement.is_rendered else source, lang=lang)[max(0, start - reach) : start]
    return resolve(before[max(map(before.rfind, _LINE_MARKS)) + 1 :])


_LINE_MARKS = "\ufdd0\ufdd1\ufdd2\ufdd3"


def too_short(quote: str, source: str, *, lang: str | None = None) -> bool:
    """Whether a quote is too short to show anything.

    It is when it has fewer than 12 folded characters without spaces and ellipses (4 in Chinese, Japanese, Korean), no
    digit, and is not the whole source.

    >>> too_short("the limit", "The limit is low."), too_short("the limit", "The limit."), too_short("limit 180", "x")
    (True, False, False)
    >>> too_short("加班须", "加班须经主管批准。"), too_short("加班须经", "加班须经主管批准。")
    (True, False)
    """
    if stands_as_written(quote, source):
        return False
    folded = fold(quote, lang=lang)
    counted = "".join(_ELLIPSIS.sub("", folded).split())
    if len(counted) >= _ENOUGH or any(map(str.isdigit, folded)):
        return False
    if sum(_CJK_WEIGHT if is_cjk(character) else 1 for character in counted) >= _ENOUGH:
        return False
    return not folded.strip(_OUTER_MARKS) or folded.strip(_OUTER_MARKS) != fold(source, lang=lang).strip(_OUTER_MARKS)


@lru_cache(maxsize=2_048)
def _judge(quote: str, source: str, lang: str | None) -> _Judgement:
    """The better of two judgements: of what is written, and of what it shows once its mark-up is gone."""
    written = _judge_written(quote, source, lang)
    if written.verdict in _FOUND or not (is_marked_up(quote) or is_marked_up(source)):
        return written
    shown = _judge_written(rendered(quote), rendered(source), lang)
    return replace(shown, is_rendered=True) if _RANK[shown.verdict] < _RANK[written.verdict] else written


_FOUND = frozenset({QuoteVerdict.VERBATIM, QuoteVerdict.ELIDED})


def _judge_written(quote: str, source: str, lang: str | None) -> _Judgement:
    words, whole = _trimmed(marked(quote, lang=lang)), marked(source, lang=lang)
    if not _has_words(words) or not _has_words(whole):
        return _Judgement(QuoteVerdict.NOT_VERBATIM)
    readings = _readings(words)
    for reading in readings:
        span = next(_places(reading, whole), None) or _with_another_stop(reading, whole)
        if span is not None:
            return _Judgement(QuoteVerdict.VERBATIM, (span,))
    elisions = [_judge_elision(reading, whole, lang) for reading in readings if "..." in reading]
    return min(elisions, key=lambda judged: _RANK[judged.verdict], default=_Judgement(QuoteVerdict.NOT_VERBATIM))


_RANK = {verdict: rank for rank, verdict in enumerate(QuoteVerdict)}


def _readings(words: str) -> tuple[str, ...]:
    """The quote as it is and, where quote marks enclose it, what they enclose."""
    unstopped = words.rstrip(".,;")
    readings = [words]
    if words[0] in _QUOTE_MARKS and unstopped[-1] in _QUOTE_MARKS:
        readings.append(_trimmed(unstopped[1:-1]))
    return tuple(reading for reading in readings if _has_words(reading))


def _with_another_stop(words: str, whole: str) -> Span | None:
    """Where words stand that end with a full stop or comma, and the source with another stop or its line."""
    if _ENDS.search(words) is None or not _has_words(words[:-1]):
        return None
    places = islice(_places(words[:-1], whole), _MOST_PLACES)
    return next((place for place in places if (whole[place[1] : place[1] + 1] or ".") in _STOPS), None)


_ENDS = re.compile(r"(?<![.,;])[.,;]\Z")
_STOPS = f".,;:!?)|{_LINE_MARKS}"
_MOST_PLACES = 100


def _places(words: str, whole: str) -> Iterator[Span]:
    """Where words stand in a marked text without cutting one; the first place first, the others in order."""
    plain = whole.find(words)
    if plain >= 0 and not _cuts(whole, plain, plain + len(words)):
        yield plain, plain + len(words)
    signed = words[0] == "-"
    for start, end in occurrences(words, whole):
        place = start - 1 if signed else start
        if place != plain and (not signed or whole[place : place + 1] == "-") and not _cuts(whole, place, end):
            yield place, end


def _cuts(whole: str, start: int, end: int) -> bool:
    return starts_inside(whole, start) or ends_inside(whole, end)


def _has_words(text: str) -> bool:
    return any(map(is_wordlike, text))


def _trimmed(text: str) -> str:
    """A text without the layout around it; a minus sign stays."""
    trimmed = text.strip(_OUTER)
    sign = text.find(trimmed) - 1
    return "-" + trimmed if trimmed and sign >= 0 and text[sign] == "-" and is_amount(trimmed[0]) else trimmed


# --- ellipses ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Link:
    """A place of one part and, through `previous`, of the parts before it."""

    span: Span
    previous: _Link | None


def _judge_elision(words: str, whole: str, lang: str | None) -> _Judgement:
    parts = [part for part in map(_trimmed, _ELLIPSIS.split(words)) if _has_words(part)]
    if not parts:
        return _Judgement(QuoteVerdict.NOT_VERBATIM)
    places = [sorted(_places(part, whole)) for part in parts[:_MOST_PARTS]]
    if not all(places):
        return _Judgement(QuoteVerdict.NOT_VERBATIM)
    chain = _chain(places, whole, lang or guess_language(whole)) if len(parts) <= _MOST_PARTS else None
    return _Judgement(QuoteVerdict.ELIDED, _spans(chain)) if chain else _Judgement(QuoteVerdict.BAD_ELISION)


def _chain(places: list[list[Span]], whole: str, lang: str | None) -> _Link | None:
    """A place for every part, in order and with honest gaps.

    Of the places of the part before, only the nearest is tried: a farther one leaves out all that the nearest does.
    """
    reached = [_Link(span, None) for span in places[0]]
    gaps = _MOST_GAPS
    for spans in places[1:]:
        ends = [link.span[1] for link in reached]
        links: list[_Link] = []
        for span in spans:
            nearest = bisect_right(ends, span[0]) - 1
            if nearest < 0 or gaps <= 0:
                continue
            gaps -= 1
            if _is_honest(whole[ends[nearest] : span[0]], lang):
                links.append(_Link(span, reached[nearest]))
        reached = links
    return reached[0] if reached else None


def _is_honest(gap: str, lang: str | None) -> bool:
    """Whether what an ellipsis leaves out is short and turns nothing."""
    if len(gap) > 2 * _FARTHEST:
        return False
    distance = len(resolve(f"x{gap}x")) - 2
    return distance <= _FARTHEST and not reverses(resolve(gap), lang=lang)


def _spans(chain: _Link) -> tuple[Span, ...]:
    spans: list[Span] = []
    link: _Link | None = chain
    while link is not None:
        spans.append(link.span)
        link = link.previous
    return tuple(reversed(spans))
