"""Reading numerals: the value of digits in any script and convention, of number words and of Chinese numerals.

Text is first folded character by character (`fold_digits`): digits of every script become ASCII digits, full-width
forms and every kind of space their plain forms, invisible characters go. Which of comma and point is the decimal mark
follows the language; where nothing says so both readings are kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache
from typing import Final

from pytest_grounded.text.languages import Language
from pytest_grounded.text.scripts import VOWEL_SIGNS

__all__ = [
    "ARITHMETIC",
    "CJK_NUMERALS",
    "LETTER",
    "MOST_DIGITS",
    "VULGAR_FRACTIONS",
    "FoldedText",
    "Numeral",
    "Separators",
    "fold_digits",
    "read_cjk",
    "read_digits",
    "read_glued_word",
    "read_words",
]

LETTER: Final = (
    r"[^\W\d_\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209f\u2150-\u218b\u2460-\u24ff"
    r"\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
)
"""A letter of a script that writes words apart: no digit in any form, no Chinese or Japanese character."""
MOST_DIGITS: Final = 40
"""A longer run of digits is a key or a fingerprint, not a number."""
ARITHMETIC: Final = Context(prec=100, Emax=999_999, Emin=-999_999)
"""All sums are done in this context, so that no caller's decimal settings change a verdict."""


# --- folding -----------------------------------------------------------------------------------------------------

_NO_BREAK = "\u00a0"


def _folds() -> dict[str, str]:
    table = {chr(0xFF01 + i): chr(0x21 + i) for i in range(94)}
    table |= dict.fromkeys("\u2007\u2008\u2009\u202f\u2006\u2005\u2004", _NO_BREAK)
    table |= dict.fromkeys("\u2000\u2001\u2002\u2003\u205f\u3000\t", " ")
    table |= dict.fromkeys("\u2010\u2011\ufe63", "-") | dict.fromkeys("\u2012\u2014\u2015", "\u2013")
    table |= dict.fromkeys("\u2018\u2019\u02bc\u2032\uff07", "'") | dict.fromkeys("\u201c\u201d\u2033", '"')
    table |= {"\u066a": "%", "\ufe6a": "%", "\u060c": ",", "\u301c": "~", "\u223c": "~", "\u02dc": "~", "\u2044": "/"}
    table |= VOWEL_SIGNS
    table |= {"\uffe0": "¢", "\uffe1": "£", "\uffe5": "¥", "\uffe6": "₩", "\u2215": "/", "\u03bc": "µ"}
    return table


_FOLDS: Final = _folds()
_FOLDABLE: Final = re.compile("[" + "".join(re.escape(character) for character in _FOLDS) + r"]|[^\D0-9]")
_INVISIBLE: Final = re.compile("[\u00ad\u034f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_COMPOSITE: Final = re.compile(
    "[\u0300-\u036f\u2100-\u214f\u3300-\u33ff\u00ad\u034f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldedText:
    """A text with plain digits and, where characters went or were added, the place each came from."""

    text: str
    origins: tuple[tuple[int, int], ...] | None = None

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Start and end in the original text of a part, which is not empty, of the folded one."""
        if self.origins is None:
            return start, end
        return self.origins[start][0], self.origins[end - 1][1]


_CIRCLED = "\u2460-\u2468\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792"
_CIRCLED_NUMBER: Final = re.compile(
    rf"(?<=[$€£¥₹₩])[{_CIRCLED}]++(?:[.,][{_CIRCLED}]++)*+"
    rf"|(?<![{_CIRCLED}])(?<![{_CIRCLED}][.,])(?:[{_CIRCLED}]++(?:[.,][{_CIRCLED}]++)*+(?=[ \u00a0]?[%€$£¥])"
    rf"|[{_CIRCLED}]*[\u24ea\u24ff][{_CIRCLED}]*(?<=[{_CIRCLED}]{{2}}))"
)
"""Digits in circles that are a number: an amount, or with a nought among them; ①② alone count notes or steps."""
_ONE_CIRCLED: Final = re.compile(f"[{_CIRCLED}]")


def _out_of_circles(match: re.Match[str]) -> str:
    return _ONE_CIRCLED.sub(lambda circled: str(unicodedata.digit(circled[0])), match[0])


def fold_digits(text: str) -> FoldedText:
    r"""A text with digits, signs and spaces in their plain forms; almost always as long as the original.

    >>> fold_digits("１８０\u202f€").text, fold_digits("١٢").text
    ('180\xa0€', '12')
    """
    if text.isascii():
        return FoldedText(text=text)
    if _ONE_CIRCLED.search(text) is not None:
        text = _CIRCLED_NUMBER.sub(_out_of_circles, text)  # one character for one
    if _COMPOSITE.search(text) is None:
        return FoldedText(text=_FOLDABLE.sub(_fold_one, text))
    return _fold_composites(text)


def _fold_one(match: re.Match[str]) -> str:
    return _FOLDS.get(match[0]) or str(unicodedata.decimal(match[0]))


def _fold_composites(text: str) -> FoldedText:
    """Compose letters with their marks, spell out unit signs such as ㎞ and drop what cannot be seen."""
    pieces: list[str] = []
    origins: list[tuple[int, int]] = []
    for match in re.finditer("[^\u0300-\u036f][\u0300-\u036f]{0,4}", text, re.DOTALL):
        piece = match[0]
        if _INVISIBLE.match(piece):
            continue
        if _COMPOSITE.search(piece):
            piece = unicodedata.normalize("NFKC", piece)
        piece = _FOLDABLE.sub(_fold_one, piece)
        pieces.append(piece)
        origins += [match.span()] * len(piece)
    return FoldedText(text="".join(pieces), origins=tuple(origins))


# --- digits ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Separators:
    """How a language writes numbers: `decimal` is None where comma and point may both be it."""

    decimal: str | None = None
    spaces: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeral:
    """A value read at `start`..`end`, with other values it may have, and what its last digit is worth."""

    start: int
    end: int
    value: Decimal
    alternatives: tuple[Decimal, ...] = ()
    step: Decimal = Decimal(1)
    fraction: bool = False

    def moved(self, by: int) -> Numeral:
        """The same numeral as part of a longer text."""
        return Numeral(
            start=self.start + by,
            end=self.end + by,
            value=self.value,
            alternatives=self.alternatives,
            step=self.step,
            fraction=self.fraction,
        )


_GROUPED: Final = {
    mark: re.compile(
        rf"\d{{1,3}}(?:{re.escape(mark)}\d{{3}})+|\d{{1,2}}(?:{re.escape(mark)}\d\d)+{re.escape(mark)}\d{{3}}"
    )
    for mark in ",.'_٬ \u00a0"
}
_WHOLE_MARKS: Final = "'_٬ \u00a0"
_PIECE: Final = re.compile(r"\d+")


def read_digits(token: str, separators: Separators) -> tuple[Numeral, ...]:
    """The numbers in a run of digits, marks and spaces: one where it can be one, else one per part.

    >>> [str(n.value) for n in read_digits("1.234,56", Separators())]
    ['1234.56']
    >>> read_digits("1.500", Separators())[0].value, read_digits("1.500", Separators())[0].alternatives
    (Decimal('1.500'), (Decimal('1500'),))
    >>> [str(n.value) for n in read_digits("1.500", Separators(decimal=","))]
    ['1500']
    >>> [str(n.value) for n in read_digits("1,2,3", Separators())]
    ['1', '2', '3']
    """
    return _read_short(token, separators) if len(token) <= MOST_DIGITS else _read(token, separators)


def _read(token: str, separators: Separators) -> tuple[Numeral, ...]:
    whole = _read_whole(token, separators, 0)
    if whole is not None:
        return (whole,)
    for spaces in (" ", " \u00a0"):
        parts = _split(token, spaces)
        if len(parts) > 1:
            read = [_read_whole(part, separators, start) for start, part in parts]
            if all(numeral is not None for numeral in read):
                return tuple(numeral for numeral in read if numeral is not None)
    return tuple(
        Numeral(start=piece.start(), end=piece.end(), value=Decimal(piece[0]))
        for piece in _PIECE.finditer(token)
        if len(piece[0]) <= MOST_DIGITS
    )


_read_short = lru_cache(maxsize=16_384)(_read)


def _split(token: str, marks: str) -> list[tuple[int, str]]:
    return [(match.start(), match[0]) for match in re.finditer(f"[^{marks}]+", token)]


def _read_whole(token: str, separators: Separators, start: int) -> Numeral | None:
    """The token as one number; None where no convention reads it so."""
    readings = [value for value in (_with_decimal(token, mark, separators) for mark in (".", ",", "٫")) if value]
    if not readings:
        return None
    if len(readings) > 1 and separators.decimal is not None:
        preferred = _with_decimal(token, separators.decimal, separators)
        readings = [preferred] if preferred else readings
    (value, step), *others = readings
    alternatives = tuple(dict.fromkeys(other for other, _ in others if other != value))
    return Numeral(start=start, end=start + len(token), value=value, step=step, alternatives=alternatives)


def _with_decimal(token: str, mark: str, separators: Separators) -> tuple[Decimal, Decimal] | None:
    """Value and worth of the last digit if `mark` is the decimal mark."""
    whole, found, decimals = token.partition(mark)
    if found and not decimals.isdigit():
        return None
    digits = _ungrouped(whole, {",": ".", ".": ",", "٫": ""}[mark], separators)
    if digits is None or len(digits) + len(decimals) > MOST_DIGITS:
        return None
    return Decimal(f"{digits}.{decimals or 0}") if found else Decimal(digits), Decimal((0, (1,), -len(decimals)))


def _ungrouped(whole: str, grouping: str, separators: Separators) -> str | None:
    """The digits of the part before the decimal mark; None where they are grouped in no known way."""
    if whole.isdigit():
        return whole
    marks = {character for character in whole if not character.isdigit()}
    if len(marks) != 1:
        return None
    mark = marks.pop()
    if mark != grouping and mark not in _WHOLE_MARKS:
        return None
    if _GROUPED[mark].fullmatch(whole) is None or (whole.startswith("0") and mark == grouping):
        return None
    if mark == " " and not separators.spaces and not _plausible_spaced(whole):
        return None
    return whole.replace(mark, "")


def _plausible_spaced(whole: str) -> bool:
    """Whether digits with plain spaces are one number although the language does not write so.

    "10 000" is; "180 260 300" is rather three columns of a table.
    """
    first, *rest = whole.split(" ")
    return len(first) < len("180") or set("".join(rest)) == {"0"}


# --- number words ------------------------------------------------------------------------------------------------

_HUNDRED: Final = 100
_THOUSAND: Final = 1000
_TEENS: Final = range(10, 20)
_VIGESIMAL: Final = (60, 80)
_CENTURIES: Final = range(11, 22)


def read_words(words: Sequence[str], language: Language) -> tuple[int, Decimal, Decimal] | None:
    """How many words of a sequence one number takes, its value and what its last digit is worth; None for no number.

    >>> from pytest_grounded.text.languages import language
    >>> read_words("one hundred and eighty euros".split(), language("en"))
    (4, Decimal('180'), Decimal('1'))
    >>> read_words(["soixante", "dix"], language("fr"))[1], read_words(["twenty", "twenty", "four"], language("en"))[1]
    (Decimal('70'), Decimal('2024'))
    """
    number = _Number(language)
    taken = position = 0
    if words and words[0] in language.articles and len(words) > 1 and _multiplies(words[1], language):
        number.group, position = Decimal(1), 1
    while position < len(words):
        word = words[position]
        if word in language.joiners:
            if not taken or not _continues(words[position + 1 : position + 2], number.group, language):
                break
            position += 1
            continue
        if not number.take(word):
            break
        if number.total.adjusted() > MOST_DIGITS:
            return None
        position += 1
        taken = position
    return (taken, number.total + (number.group or 0), number.step) if taken else None


@dataclass(slots=True)
class _Number:
    """A number while its words are read: the sum of the groups that a scale has ended, and the group being read."""

    language: Language
    total: Decimal = Decimal(0)
    step: Decimal = Decimal(1)
    group: Decimal | None = None
    lowest_scale: Decimal | None = None

    def take(self, word: str) -> bool:
        """Take a word; False, and nothing changed, where the number ends before it."""
        language = self.language
        small = language.cardinals.get(word)
        if small is None and language.glued:
            small = read_glued_word(word, language)
        if small is not None:
            return self._take_small(small)
        if word in language.hundreds:
            return self._take_hundred(language.hundreds[word])
        return word in language.scales and self._take_scale(Decimal(language.scales[word]))

    def _take_small(self, small: int) -> bool:
        joined = _joined(self.group, small)
        begins_another = self.group is None and self.total and not self._is_below(small)
        if joined is None or begins_another:
            return False
        self.group, self.step = joined, Decimal(1)
        return True

    def _take_hundred(self, hundred: int) -> bool:
        if self.group is None and not self.language.bare_multipliers:
            return False
        if self.group is not None and not 0 < self.group < _HUNDRED:
            return False
        self.group, self.step = (self.group or Decimal(1)) * hundred, Decimal(1)
        return True

    def _take_scale(self, scale: Decimal) -> bool:
        if self.group is None and self.lowest_scale is not None:  # a thousand million
            self.total, self.step = ARITHMETIC.multiply(self.total, scale), ARITHMETIC.multiply(self.step, scale)
        elif (self.group is None and not self.language.bare_multipliers) or not self._is_below(scale):
            return False
        else:
            self.total += (self.group or Decimal(1)) * scale
            self.step = scale if scale >= _THOUSAND else Decimal(1)  # a dozen shows all its digits
        self.group, self.lowest_scale = None, min(scale, self.lowest_scale or scale)
        return True

    def _is_below(self, number: Decimal | int) -> bool:
        """Whether a number is below every scale so far, as the parts of one number are."""
        return self.lowest_scale is None or number < self.lowest_scale


def _multiplies(word: str, language: Language) -> bool:
    return word in language.hundreds or word in language.scales


def _continues(following: Sequence[str], group: Decimal | None, language: Language) -> bool:
    """Whether what follows "and" still belongs to the number: "hundred and eighty", "treinta y cinco"."""
    small = language.cardinals.get(following[0]) if following else None
    if small is None or small == 0:
        return False
    if group is None:
        return small < _HUNDRED
    if group % _HUNDRED == 0:
        return small < _HUNDRED
    if group in _VIGESIMAL and small in _TEENS:  # soixante et onze
        return True
    return group % 10 == 0 and small < 10 and language.tag not in {"en", "nl"}  # noqa: PLR2004  tens and units


def _joined(group: Decimal | None, small: int) -> Decimal | None:
    """A group with one more small number; None where the two are separate numbers."""
    if group is None:
        return Decimal(small)
    last = int(group % _HUNDRED)
    if small == 0:
        return None
    if group >= _HUNDRED and last == 0 and small < _HUNDRED and group < _HUNDRED * 10:
        return group + small
    if last >= 20 and last % 10 == 0 and small < 10:  # noqa: PLR2004  twenty five
        return group + small
    if last in {10, 60, 80} and small in (range(7, 10) if last == 10 else _TEENS):  # noqa: PLR2004  dix-sept, soixante-dix
        return group + small
    if group in _CENTURIES and small > 9 and small < _HUNDRED:  # noqa: PLR2004  nineteen eighty
        return group * _HUNDRED + small
    if group == 20 and (small in _TEENS or (small % 10 == 0 and small >= 20)) and small < _HUNDRED:  # noqa: PLR2004
        return group * _HUNDRED + small
    return None


_LONGEST_GLUED: Final = 60


@lru_cache(maxsize=4096)
def _glued(
    word: str, tag: str, multipliers: tuple[tuple[str, int], ...], cardinals: tuple[tuple[str, int], ...]
) -> int | None:
    del tag
    known = dict(cardinals)
    if word in known:
        return known[word]
    for mark, worth in multipliers:
        head, found, tail = word.partition(mark)
        if not found or (worth == 1 and not (head and tail)):
            continue
        before = _glued(head, "", multipliers, cardinals) if head else 1
        after = _glued(tail.removeprefix("und"), "", multipliers, cardinals) if tail else 0
        if before is None or after is None:
            continue
        if worth == 1:
            return before + after if before < 10 and after % 10 == 0 else None  # noqa: PLR2004  einundzwanzig
        if after < worth:
            return before * worth + after
    return None


def read_glued_word(word: str, language: Language) -> int | None:
    """The value of a number written as one word, as German and Dutch do.

    >>> from pytest_grounded.text.languages import language
    >>> read_glued_word("zweitausendfünfhundert", language("de")), read_glued_word("hundertachtzig", language("de"))
    (2500, 180)
    """
    if not language.glued or len(word) > _LONGEST_GLUED:
        return None
    if not any(mark in word for mark in language.glued):
        return None
    return _glued(word, language.tag, tuple(language.glued.items()), tuple(language.cardinals.items()))


_WRITTEN_OUT: Final = "½=1/2 ⅓=1/3 ⅔=2/3 ¼=1/4 ¾=3/4 ⅕=1/5 ⅖=2/5 ⅗=3/5 ⅘=4/5 ⅙=1/6 ⅚=5/6 ⅛=1/8 ⅜=3/8 ⅝=5/8 ⅞=7/8 ⅒=1/10"
VULGAR_FRACTIONS: Final = {
    entry[0]: ARITHMETIC.divide(*map(Decimal, entry[2:].split("/"))) for entry in _WRITTEN_OUT.split()
}
"""Fractions that are one character, and their values."""

# --- Chinese, Japanese and Korean numerals -----------------------------------------------------------------------

_CJK_DIGITS: Final = {
    character: value
    for value, characters in enumerate(
        ("〇零", "一壹壱", "二贰貳弐两兩", "三叁參参", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
    )
    for character in characters
}
_CJK_TENS: Final = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000, "천": 1000, "백": 100}
_CJK_SCALES: Final = {
    "万": 10**4, "萬": 10**4, "만": 10**4, "亿": 10**8, "億": 10**8, "억": 10**8, "兆": 10**12, "조": 10**12,
}  # fmt: skip
CJK_NUMERALS: Final = "".join((*_CJK_DIGITS, *"十拾百佰千仟万萬亿億兆"))
"""Characters a Chinese or Japanese numeral may start with."""
_CJK_RUN: Final = re.compile(rf"(?:\d+(?:\.\d+)?|[{CJK_NUMERALS}만억조천백])+")
_CJK_PART: Final = re.compile(r"\d+(?:\.\d+)?|\D")


@lru_cache(maxsize=4096)
def read_cjk(run: str) -> tuple[Decimal, Decimal] | None:
    """Value and worth of the last digit of a Chinese numeral, digits and numerals mixed; None for no number.

    >>> [int(read_cjk(run)[0]) for run in ("一百八十", "3.5亿", "二〇二六", "3万5千", "一亿二千万")]
    [180, 350000000, 2026, 35000, 120000000]
    """
    if len(run) > MOST_DIGITS or _CJK_RUN.fullmatch(run) is None:
        return None
    if all(character in _CJK_DIGITS for character in run):
        return Decimal("".join(str(_CJK_DIGITS[character]) for character in run)), Decimal(1)
    total, section, step = Decimal(0), Decimal(0), Decimal(1)
    digit: Decimal | None = None
    for part in _CJK_PART.findall(run):
        if part[0].isdigit():
            if digit is not None:
                return None
            digit, step = Decimal(part), Decimal((0, (1,), -len(part.partition(".")[2])))
        elif part in _CJK_DIGITS:
            if digit:
                return None
            digit, step = Decimal(_CJK_DIGITS[part]), Decimal(1)
        elif part in _CJK_TENS:
            worth = _CJK_TENS[part]
            section += (Decimal(1) if digit is None else digit) * worth
            step = step * worth if digit is not None else Decimal(1)
            digit = None
        else:
            worth = _CJK_SCALES[part]
            step = ARITHMETIC.multiply(step, Decimal(worth)) if digit is not None else Decimal(worth)
            section += digit or 0
            if total and section:
                total += section * worth
            else:
                total = ARITHMETIC.multiply(total or section or Decimal(1), Decimal(worth))
            section, digit = Decimal(0), None
    return total + section + (digit or 0), step
