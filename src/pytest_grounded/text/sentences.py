"""Sentences: where one ends.

By rule and without a model. Joining the sentences gives the text back, whatever the text is: nothing a reader sees can
fall between two sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.wordlists import listed

__all__ = ["split_sentences"]

_CLOSING = r"[\"'\u2019\u201d\u00bb\u203a)\]}\u300d\u300f\uff09*_]"
# A marker that follows the full stop belongs to the sentence before it, unless it is the label of a link.
_MARKERS = r"(?:[ ]?(?:\[[^\[\]\s]{1,80}+(?:[ ][^\[\]\s]{1,80}+){0,8}+\](?!\()|\u3010[^\u3010\u3011\n]{1,80}+\u3011))"
_CANDIDATE = re.compile(
    rf"(?P<wide>[\u3002\uff01\uff1f\uff61\u0964\u0965\u061f\u06d4\u1362\u104a\u104b\u0589]++{_CLOSING}*+{_MARKERS}*+\s*+)"
    rf"|(?<![.!?\u2026])(?P<stop>[.!?\u2026]++){_CLOSING}{{0,8}}+{_MARKERS}*+(?P<space>[^\S\n]++|(?=\n)|\Z)"
    r"|(?P<lines>\n\s*+)"
)
_WORD_BEFORE = re.compile(r"([^\W\d_]+(?:\.[^\W\d_]+)*)\Z")
_LONGEST_WORD_BEFORE = 24
_NUMBER_BEFORE = re.compile(r"(?<![\w.,])(?:\d{1,3}|[ivxIVX]{1,5}|[a-zA-Z])\Z")
_FIRST_CHARACTER = re.compile(
    r"[\s\"'(\[{*_\u2018\u201c\u201e\u00ab\u00bf\u00a1]*([^\s\"'(\[{*_\u2018\u201c\u201e\u00ab\u00bf\u00a1])"
)
_REACH = 200
_FIRST_NUMBER = re.compile(r"[\s(#]{0,4}(?:\d|[IVXLC]+\b|[A-Z]\b)")
_SPELLED_OUT = re.compile(r"[^\W\d_]\.")
_FIRST_WORD = re.compile(r"[\s\"'(\[{*_\u2018\u201c\u201e\u00ab\u00bf\u00a1]{0,20}([^\W\d_]+)")
_ITEM = re.compile(r"[ \t]*(?:[*+\-\u2013\u2014\u2022\u25aa\u25cf\u25e6|#>]|\d{1,3}[.)]|[a-zA-Z][.)])(?:[ \t]|\Z)")

_NUMBERED = listed(
    """
    no nos nr num fig figs vol vols sec secs sect art arts para paras par pt pts ch chap cl pp p app tab eq eqs ref
    refs ver abs lit ziff núm nº pág blz str ст гл рис ap kap seite
    """
)
"""Abbreviations that a number or a letter has to follow; "no" and "art" may well end a sentence."""
_NEVER_LAST = listed(
    """
    dr mr mrs ms prof st rev hon sr gen col capt lt sgt gov sen rep pres mt messrs mme mlle herr fr dipl ing mag hr
    vs cf e.g i.e eg viz approx est ed eds al op cit ibid max min ca resp incl excl z.b d.h u.a o.ä bzw ggf evtl vgl
    sog inkl zzgl bspw p.ex env av apdo tel depto sra dra ud uds ej p.ej sig dott sig.ra d.c bijv o.a np tzn m.in ul
    inż т.е напр см ул bl
    """
)
"""Abbreviations that something has to follow."""
_MAY_BE_LAST = listed(
    """
    etc inc ltd co corp llc plc jr bros dept govt univ assn ave blvd rd jan feb mar apr jun jul aug sep sept oct nov
    dec mon tue tues wed thu thur thurs fri sat sun a.m p.m am pm usw u.s u.k u.n e.u d.c ph.d m.d b.a m.a b.sc m.sc
    a.d b.c hrs hr mins min secs yr yrs gmbh ag s.a s.r.l s.p.a st.-nr т.д т.п др руб тыс г км
    """
)
"""Abbreviations that end a sentence when a usual opener follows."""
_OPENERS = listed(
    """
    the a an this that these those it its he she we they you i there here in on at for from if when while where who
    what how however but and or so as all any each every no not both after before since until under with without our
    your their his her please note see only some most such by to is are do does can may must der die das ein eine es
    er sie wir im in le la les il elle nous vous un une el los las un una
    """
)
_LABELLED = listed(
    """
    plan option type class group appendix schedule annex grade section table figure part vitamin hepatitis category
    level team building block gate zone room unit band tier version exhibit clause item anlage gruppe klasse typ
    stufe
    """
)
"""Words that a single capital letter may follow without being somebody's initial."""
_MONTHS = listed(
    """
    januar jänner februar märz april mai juni juli august september oktober november dezember januari februari maart
    mei augustus october january february march may june july december klasse auflage quartal halbjahr jahrhundert
    """
)
_GOES_ON = listed(
    """
    a an the of for to in on at by with from and or than is are was were be that which as per not no der die das den
    dem des ein eine für und oder mit von zu im am le la les des du de et ou pour à el los las y o para con
    """
)


@remembered(4_096)
def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, each with the white space behind it; joining them gives the text back.

    A sentence ends at a full stop of any script, with the quote marks, brackets and citation markers behind it, and at
    a line's end, unless the next line goes on with it. It does not end at an abbreviation, an initial, a decimal point,
    a list number, an ordinal before a month, or where a small letter follows.

    >>> split_sentences("Dr. Ho paid $1.50, e.g. in the U.S. in May. It is due. [c1] See sec. 3.2!")
    ('Dr. Ho paid $1.50, e.g. in the U.S. in May. ', 'It is due. [c1] ', 'See sec. 3.2!')
    >>> split_sentences("请假需提前三天申请。加班须经主管批准。")
    ('请假需提前三天申请。', '加班须经主管批准。')
    >>> split_sentences("")
    ()
    """
    sentences: list[str] = []
    start = 0
    for end in _ends(text):
        sentences.append(text[start:end])
        start = end
    if start < len(text):
        sentences.append(text[start:])
    return tuple(sentences)


def _ends(text: str) -> Iterator[int]:
    previous = 0
    for candidate in _CANDIDATE.finditer(text):
        if candidate.end() == len(text):
            return
        if not text[previous : candidate.start()].strip() and candidate["lines"]:
            continue  # an empty line belongs to what follows it
        if _is_end(text, candidate):
            previous = candidate.end()
            yield previous


def _is_end(text: str, candidate: re.Match[str]) -> bool:
    if candidate["wide"]:
        return True
    if candidate["lines"] is not None:
        return _line_ends_sentence(text, candidate)
    if not candidate["space"]:
        return False  # the line's end comes next and decides
    return _stop_ends_sentence(text, candidate)


def _stop_ends_sentence(text: str, candidate: re.Match[str]) -> bool:
    first = _FIRST_CHARACTER.match(text, candidate.end(), candidate.end() + _REACH)
    if first is not None and first[1].islower():
        return False
    if candidate["stop"] != "." or candidate.start() == 0:
        return True
    start = candidate.start()
    begin = max(0, start - _LONGEST_WORD_BEFORE)
    if _NUMBER_BEFORE.search(text, begin, start) is not None and _opens_line(text, start):
        return False
    following = _word_after(text, candidate.end())
    if text[start - 1].isdigit():
        return following not in _MONTHS
    word = _WORD_BEFORE.search(text, begin, start)
    return word is None or not _is_abbreviation(text, word, candidate.end(), following)


def _is_abbreviation(text: str, word: re.Match[str], end: int, following: str) -> bool:
    plain = word[1].casefold()
    if plain in _NUMBERED:
        return _FIRST_NUMBER.match(text, end) is not None
    if plain in _NEVER_LAST:
        return True
    if plain in _MAY_BE_LAST or "." in plain:
        return following not in _OPENERS
    if len(plain) > 1 or word[1] == "I":
        return False
    if _SPELLED_OUT.match(text, end) is not None:
        return True  # z. B., J. R. R.
    if word[1].islower():
        return False
    before = _WORD_BEFORE.search(text[max(0, word.start() - _LONGEST_WORD_BEFORE) : word.start()].rstrip())
    return following not in _OPENERS and (before is None or before[1].casefold() not in _LABELLED)


def _line_ends_sentence(text: str, candidate: re.Match[str]) -> bool:
    if candidate["lines"].count("\n") > 1 or _ITEM.match(text, text.rfind("\n", 0, candidate.end()) + 1):
        return True
    first = _FIRST_CHARACTER.match(text, candidate.end(), candidate.end() + _REACH)
    if first is not None and first[1].islower():
        return False
    before = text[max(0, candidate.start() - _LONGEST_WORD_BEFORE) : candidate.start()]
    if before.endswith((",", "-", "\u2010", "(", "\u3001", "\uff0c")):
        return False
    last_word = _WORD_BEFORE.search(before)
    return last_word is None or last_word[1] not in _GOES_ON


def _opens_line(text: str, end: int) -> bool:
    """Whether nothing but a list number stands on the line up to here."""
    begin = max(0, end - _LONGEST_WORD_BEFORE)
    line = text[max(begin, text.rfind("\n", begin, end) + 1) : end]
    return (begin == 0 or "\n" in text[begin:end]) and len(line.split()) == 1


def _word_after(text: str, start: int) -> str:
    word = _FIRST_WORD.match(text, start, start + _REACH)
    return word[1].casefold() if word else ""
