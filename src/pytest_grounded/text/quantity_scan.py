"""Finding quantities: which numbers, amounts, dates and times stand in a text, and what belongs to each.

The text is folded, then read once from left to right. At each digit, number word or month name the longest reading
that makes sense there is taken: a marker or label, a date, a time, else a number with its sign, currency, scale, unit
and rate. A second look (`quantity_join`) lets neighbours share what they have in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Final

from pytest_grounded.text.affixes import (
    falls_before,
    hedged_after,
    hedged_before,
    noun_at,
    prefix_before,
    rates_at,
    scale_at,
    unit_at,
)
from pytest_grounded.text.dates import (
    YEARS,
    Moment,
    date_in_cjk,
    date_in_digits,
    date_with_day,
    date_with_month,
    time_at,
    years_at,
)
from pytest_grounded.text.languages import (
    Language,
    decimal_mark,
    groups_with_spaces,
    is_known,
    language,
    on_change,
)
from pytest_grounded.text.nonfacts import is_list_number, label_before, labels_after, marker_spans
from pytest_grounded.text.numerals import (
    ARITHMETIC,
    CJK_NUMERALS,
    MOST_DIGITS,
    Numeral,
    Separators,
    fold_digits,
    read_cjk,
    read_digits,
    read_glued_word,
    read_words,
)
from pytest_grounded.text.quantity import Quantity, QuantityKind
from pytest_grounded.text.quantity_join import Draft, join_neighbours
from pytest_grounded.text.scripts import guess_language, script_of
from pytest_grounded.text.units import Dimension, currency_sign, dimension

__all__ = ["find_quantities"]


def find_quantities(
    text: str,
    *,
    lang: str | None = None,
    incidental: bool = False,
    labels: bool = False,
    ignore: Iterable[tuple[int, int]] = (),
) -> tuple[Quantity, ...]:
    """The quantities of a text in order, none overlapping another.

    `lang` settles decimal marks, the order of dates and number words; without it the words follow the language the
    text seems to be in and every reading of a number is kept. `incidental=True` adds words that are often no number
    (one, first, half): ask for them in evidence, where they may state a value. `labels=True` adds the numbers of
    tables, sections and grades. What touches an `ignore` span is left out. Any text is read in linear time.

    >>> [(q.raw, str(q.value), q.unit) for q in find_quantities("About $1.5k per night for 3 nights (Table 2) [1].")]
    [('$1.5k per night', '1500.0', '$'), ('3 nights', '3', 'night')]
    """
    found = _all_quantities(text, lang)
    spans = tuple(ignore)
    return tuple(
        quantity
        for quantity in found
        if (incidental or not quantity.incidental)
        and (labels or quantity.kind is not QuantityKind.LABEL)
        and not any(start < quantity.end and quantity.start < end for start, end in spans)
    )


@lru_cache(maxsize=8192)
def _all_quantities(text: str, lang: str | None) -> tuple[Quantity, ...]:
    folded = fold_digits(text)
    scanner = _Scanner(folded.text, lang)
    scanner.scan()
    return tuple(
        draft.finished(text[start:end], start, end)
        for draft in scanner.drafts
        for start, end in [(folded.place(draft.start), folded.place(draft.end))]
    )


on_change(_all_quantities.cache_clear)

_VULGAR: Final = {
    character: ARITHMETIC.divide(Decimal(over), Decimal(under))
    for characters, under in (("½", 2), ("⅓⅔", 3), ("¼", 4), ("⅕⅖⅗⅘", 5), ("⅒", 10))
    for over, character in enumerate(characters, 1)
} | {"¾": Decimal("0.75"), "⅛": Decimal("0.125"), "⅜": Decimal("0.375"), "⅝": Decimal("0.625"), "⅞": Decimal("0.875")}
_NO_LETTERS: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u3007"
_ANCHOR: Final = re.compile(
    rf"(?P<digits>\d+(?:[.,'٫٬_]\d+|[ \u00a0]\d{{3}}(?!\d))*)"
    rf"|(?P<vulgar>[{''.join(_VULGAR)}])"
    rf"|(?P<cjk>[{CJK_NUMERALS}]+)"
    rf"|(?P<word>[^\W\d_{_NO_LETTERS}]+)"
)
_LONG_RUN: Final = re.compile(rf"\d{{{MOST_DIGITS + 1}}}")
_CODE_TAIL: Final = re.compile(r"\w*(?:[-./:#]\w*\d\w*)*")
_DIGIT_CODE: Final = re.compile(
    r"\d+(?:-\d+){2,}|\d{1,3}(?:\.\d{1,3}){3}(?![.\d])|\d+(?::\d+)+|\d+/\d+(?:/\d+)*|\d+(?:\.\d+){2,}"
)
_SLASH: Final = re.compile(r"(?P<over>\d{1,2})/(?P<under>\d{1,3})(?![\d/])")
_MIXED: Final = re.compile(r"[ \u00a0-](?P<over>\d)/(?P<under>\d{1,2})(?![\d/])")
_LETTERS_AFTER: Final = re.compile(r"[A-Za-zÀ-ɏ]+")
_PHONE: Final = re.compile(r"\+\d[\d \u00a0()/.-]{5,24}\d")
_ERA: Final = re.compile(r"[ \u00a0]?(?P<era>BCE?|B\.C\.(?:E\.)?|v\. ?Chr\.|av\. J\.-C\.)")
_ORDINAL_DOT: Final = re.compile(r"\.[ \u00a0](?:Jahrhundert|Quartal|Halbjahr|Etage|Stock)")
_CENTURY: Final = re.compile(r"[ \u00a0\n-](?:century|centuries|siècle|siglo|Jahrhundert|secolo|século|eeuw)\b")
_PERIOD: Final = re.compile(
    r"[ \u00a0\n-](?P<period>quarter|half|halves|day|week|month|year|decade|hour|minute|night)s?\b"
)
_FREE_PREFIXES: Final = frozenset(
    [
        "mid",
        "pre",
        "post",
        "early",
        "late",
        "under",
        "over",
        "sub",
        "top",
        "circa",
        "non",
        "since",
        "until",
        "age",
        "aged",
        "ex",
        "plus",
        "minus",
        "max",
        "min",
    ]
)
_AGE_WORDS: Final = frozenset(["his", "her", "their", "the", "early", "mid", "late"])
_BOUND_WORDS: Final = frozenset(["exactly", "least", "most", "maximum", "minimum", "up"])
_FRACTIONS_SHOWN: Final = frozenset((2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 64, 100))
_LONGEST_NUMBER: Final = 14
_NEXT_WORD: Final = re.compile(rf"[ \u00a0\n]?-?([^\W\d_{_NO_LETTERS}]+)")
_AND_FRACTION: Final = re.compile(r"[ \u00a0\n-]([^\W\d_]+)[ \u00a0\n-](?:([^\W\d_]+)[ \u00a0\n-])?([^\W\d_]+)")
_CJK_REST: Final = re.compile(rf"(?: ?[万萬亿億兆千百만억조천백][{CJK_NUMERALS}만억조천백\d]*)")
_CJK_COUNTER: Final = re.compile(r" ?[个個人名次条條件台辆輛本张張位所家项項种種份倍]")
_OF: Final = re.compile(r"[ \u00a0\n]of\b")
_CLOCK_WORDS: Final = {"noon": 12 * 60, "midday": 12 * 60, "midnight": 0}


class _Scanner:
    """One reading of a folded text from left to right; `done` is how far it has been understood."""

    def __init__(self, text: str, tag: str | None) -> None:
        self.text = text
        self.tag = tag if tag is not None else guess_language(text)
        self.words: Language = language(self.tag)
        self.separators = Separators(decimal=decimal_mark(tag), spaces=groups_with_spaces(tag))
        self.date_tag = tag
        self.hints = frozenset() if is_known(self.tag) or _reads_units(text) else frozenset(("?",))
        self.drafts: list[Draft] = []
        self.done = 0
        self.word = (-1, -1)
        self.list_number: int | None = None
        self.skipped = list(reversed(marker_spans(text)))
        self.starts = _starting_words(self.tag)

    def scan(self) -> None:
        """Read the whole text."""
        readers = {"digits": self._at_digits, "vulgar": self._at_vulgar, "cjk": self._at_cjk}
        for match in _ANCHOR.finditer(self.text):
            start = match.start()
            while self.skipped and self.skipped[-1][1] <= start:
                self.skipped.pop()
            if start < self.done or (self.skipped and self.skipped[-1][0] <= start):
                continue
            kind = match.lastgroup
            if kind == "word":
                self._at_word(match)
                self.word = match.span()
            else:
                self.done = max(match.end(), readers[kind or "digits"](start, match.end()))
        join_neighbours(self.text, self.drafts, self.words, self.tag)
        for draft in self.drafts:
            if self.hints and draft.unit is None:
                draft.hints |= self.hints

    # --- digits --------------------------------------------------------------------------------------------------

    def _at_digits(self, start: int, end: int) -> int:
        """Read what begins with digits; where it ends."""
        text = self.text
        if _LONG_RUN.match(text, start):
            return self._code(start, end)
        glued = self._glued_before(start, end)
        if glued is not None:
            return glued
        label = label_before(text, start, end, self.words)
        if label is not None and not self._counts(start, end):
            return self._label(start, end, label)
        if self._is_item(start, end):
            return end
        return self._date_or_time(start) or self._number_at(start, end)

    def _glued_before(self, start: int, end: int) -> int | None:
        """Digits directly after letters: a currency, a quarter, a fiscal year, else an identifier."""
        begin, stop = self.word
        text = self.text
        if stop == start and text[start - 1].isalpha():
            return self._after_letters(text[begin:stop], begin, start, end)
        if start and text[start - 1] == "_":
            return self._code(max(0, begin), end)
        if start > 1 and text[start - 1] in "-\u2013/" and stop == start - 1:
            prefix = text[begin:stop]
            if text[start - 1] == "/" or prefix.lower() in _FREE_PREFIXES or prefix in _starting_words(self.tag):
                return None
            if begin and (text[begin - 1].isdigit() or text[begin - 1] == "-"):
                return None if prefix.islower() else self._code(begin, end)
            if any(letter.isupper() for letter in prefix) and prefix.lower() not in self.words.months:
                return None if self._is_label(prefix) or currency_sign(prefix) else self._code(begin, end)
        return None

    def _after_letters(self, letters: str, begin: int, start: int, end: int) -> int | None:
        if currency_sign(letters) is not None:
            return None
        if letters in {"FY", "FYE", "CY"} and end - start in {2, 4}:
            digits = int(self.text[start:end]) if self.text[start:end].isdigit() else 0
            self._add_moment(Moment(start=begin, end=end, year=digits if end - start == len("2024") else 2000 + digits))
            return end
        if letters in {"Q", "H"} and self.text[start:end] in {"1", "2", "3", "4"}:
            unit = "quarter" if letters == "Q" else "half"
            self.drafts.append(
                Draft(kind=QuantityKind.ORDINAL, start=begin, end=end, value=Decimal(self.text[start:end]), unit=unit)
            )
            return end
        if letters.lower() in self.words.labels or script_of(letters) not in {"latin", "greek", "cyrillic"}:
            return None
        return self._code(begin, end)

    def _is_label(self, word: str) -> bool:
        return word.lower() in self.words.labels or word.lower() in self.words.capital_labels

    def _counts(self, start: int, end: int) -> bool:
        """Whether a number after a label word has a unit, a scale or a currency and so counts something."""
        text = self.text
        if prefix_before(text, start).unit is not None or date_with_day(text, start, end, self.words) is not None:
            return True
        following = unit_at(text, end, self.tag)
        if following is not None and (
            following[0] in {"%", "‰"} or following[1] - end > len(" m") or text[end] in "€$£%"
        ):
            return True
        return scale_at(text, end, self.words, money=False) is not None

    def _label(self, start: int, end: int, label: str) -> int:
        last = labels_after(self.text, end, label)
        digits = self.text[start:end]
        self.drafts.append(
            Draft(
                kind=QuantityKind.LABEL,
                start=start,
                end=end,
                value=Decimal(digits) if digits.isdigit() else None,
                unit=label,
            )
        )
        return last

    def _is_item(self, start: int, end: int) -> bool:
        text = self.text
        if date_with_day(text, start, end, self.words) or not is_list_number(
            text, start, end, follows=self.list_number
        ):
            return False
        self.list_number = int(text[start:end]) if text[start:end].isdigit() else None
        return True

    def _date_or_time(self, start: int) -> int | None:
        text = self.text
        clock = time_at(text, start, self.words)
        if clock is not None:
            unmarked = clock.half is None and self.words.twelve_hours and clock.minutes < 12 * 60
            value = Decimal(clock.minutes) + Decimal(clock.seconds) / 60
            self.drafts.append(
                Draft(
                    kind=QuantityKind.TIME,
                    start=start,
                    end=clock.end,
                    value=value,
                    alternatives=(value + 12 * 60,) if unmarked else (),
                    unit=clock.half,
                )
            )
            return clock.end
        moment = date_in_digits(text, start, self.date_tag) or date_in_cjk(text, start)
        if moment is not None:
            self._add_moment(moment)
            return moment.end
        years = years_at(text, start)
        for year in years:
            self._add_moment(year)
        return years[-1].end if years else None

    def _add_moment(self, moment: Moment) -> None:
        self.drafts.append(
            Draft(
                kind=QuantityKind.DATE,
                start=moment.start,
                end=moment.end,
                year=moment.year,
                month=moment.month,
                day=moment.day,
                ambiguous=moment.ambiguous,
                unit=moment.unit,
            )
        )

    def _number_at(self, start: int, end: int) -> int:
        """Read a plain number, or several that only look like one."""
        text = self.text
        moment = self._day_of_month(start, end)
        if moment is not None:
            self._add_moment(moment)
            return moment.end
        if start and text[start - 1] == "+" and (match := _PHONE.match(text, start - 1)) and " " in match[0]:
            return self._code(start - 1, match.end())
        if (fraction := _SLASH.match(text, start)) and self._is_fraction(fraction):
            value = ARITHMETIC.divide(Decimal(fraction["over"]), Decimal(fraction["under"]))
            return self._quantity(Numeral(start=start, end=fraction.end(), value=value, fraction=True))
        if (code := _DIGIT_CODE.match(text, start)) and self._is_code(code, end):
            return self._code(start, code.end())
        numerals = read_digits(text[start:end], self.separators)
        last = end
        for numeral in numerals:
            first, stop = start + numeral.start, start + numeral.end
            if first < last != end:
                continue
            last = self._single(first, stop, numeral)
        return last if numerals else self._code(start, end)

    def _day_of_month(self, start: int, end: int) -> Moment | None:
        space = self.text.find(" ", start, end)
        return date_with_day(self.text, start, end if space < 0 else space, self.words)

    @staticmethod
    def _is_fraction(match: re.Match[str]) -> bool:
        over, under = int(match["over"]), int(match["under"])
        return under in _FRACTIONS_SHOWN and 0 < over < under

    @staticmethod
    def _is_code(code: re.Match[str], end: int) -> bool:
        """Whether digits with several marks are an identifier (203.0.113.10, 24/7) and no grouped number."""
        if "." not in code[0] or "-" in code[0]:
            return code.end() > end or "/" in code[0] or ":" in code[0] or "-" in code[0]
        parts = code[0].split(".")
        grouped = len(parts[0]) < len("1000") and all(len(part) == len("000") for part in parts[1:])
        return not grouped or (len(parts) == len("IPv4") and all(int(part) < 256 for part in parts))  # noqa: PLR2004

    def _single(self, start: int, end: int, numeral: Numeral) -> int:
        """One number in digits with whatever is written onto it."""
        text = self.text
        value, step, fraction = numeral.value, numeral.step, False
        if text[end : end + 1] in _VULGAR or (text[end : end + 1] == " " and text[end + 1 : end + 2] in _VULGAR):
            end += 1 + (text[end] == " ")
            value, fraction = value + _VULGAR[text[end - 1]], True
        elif (mixed := _MIXED.match(text, end)) and self._is_fraction(mixed):
            value, fraction = value + ARITHMETIC.divide(Decimal(mixed["over"]), Decimal(mixed["under"])), True
            end = mixed.end()
        elif rest := _CJK_REST.match(text, end):
            read = read_cjk(text[start : rest.end()].replace(" ", "").replace(",", ""))
            if read is not None:
                scale = ARITHMETIC.divide(read[0], value) if value else Decimal(1)
                return self._quantity(Numeral(start=start, end=rest.end(), value=read[0], step=read[1]), scale=scale)
        elif (letters := _LETTERS_AFTER.match(text, end)) and (stop := self._with_letters(start, end, letters, value)):
            return stop
        alternatives = () if fraction else numeral.alternatives
        return self._quantity(Numeral(start=start, end=end, value=value, alternatives=alternatives, step=step))

    def _with_letters(self, start: int, end: int, letters: re.Match[str], value: Decimal) -> int | None:
        """Digits with letters written onto them that are no unit and no scale: 3rd, 401k, 3D."""
        text, suffix = self.text, letters[0]
        if suffix.lower() in self.words.ordinal_suffixes and (self.tag == "en" or not unit_at(text, end, self.tag)):
            return self._ordinal(start, letters.end(), value)
        if suffix.lower() in {"st", "nd", "rd", "th"}:
            return self._ordinal(start, letters.end(), value)
        if suffix == "s" and value % 10 == 0 and self._is_age(start):
            return self._quantity(Numeral(start=start, end=letters.end(), value=value), incidental=True)
        if suffix in {"x", "X"} or text[letters.end() : letters.end() + 1] == "'":
            return None
        known = scale_at(text, end, self.words, money=prefix_before(text, start).unit is not None)
        if known is None:
            known = unit_at(text, end, self.tag)
        if known is None or text[known[1] : known[1] + 1].isalnum():
            return self._code(start, letters.end())
        return None

    def _is_age(self, start: int) -> bool:
        before = self.text[max(0, start - 8) : start].lower().split()
        return bool(before) and before[-1] in _AGE_WORDS

    # --- other anchors -------------------------------------------------------------------------------------------

    def _at_vulgar(self, start: int, end: int) -> int:
        return self._quantity(Numeral(start=start, end=end, value=_VULGAR[self.text[start]], fraction=True))

    def _at_cjk(self, start: int, end: int) -> int:
        """Read a Chinese numeral; one character alone is rarely a number unless something is counted."""
        text = self.text
        moment = date_in_cjk(text, start)
        if moment is not None and (moment.year or moment.day):
            self._add_moment(moment)
            return moment.end
        if text.startswith("分之", end):
            return self._cjk_share(start, end)
        label = label_before(text, start, end, self.words)
        if label is not None:
            return self._label(start, end, label)
        while end > start and (read := read_cjk(text[start:end])) is None:
            end -= 1
        if end == start:
            return start + 1
        read = read_cjk(text[start:end])
        assert read is not None
        numeral = Numeral(start=start, end=end, value=read[0], step=read[1])
        if text[max(0, start - 1) : start] == "第":
            return self._ordinal(start - 1, end, read[0])
        counted = unit_at(text, end, self.tag) or _CJK_COUNTER.match(text, end)
        alone = end - start == 1 and (
            counted is None or (text[start] == "一" and _CJK_COUNTER.match(text, end) is not None)
        )
        return self._quantity(numeral, incidental=alone or text[start:end] in {"十分", "万一", "千万", "百分"})

    def _cjk_share(self, start: int, end: int) -> int:
        """百分之五 is 5 per cent, 三分之一 a third."""
        text = self.text
        match = re.compile(rf"\d+(?:\.\d+)?|[{CJK_NUMERALS}]+").match(text, end + len("分之"))
        under, over = read_cjk(text[start:end]), read_cjk(match[0]) if match else None
        if match is None or under is None or over is None or not under[0]:
            return end
        if under[0] == 100:  # noqa: PLR2004  per cent
            self.drafts.append(
                Draft(kind=QuantityKind.PERCENT, start=start, end=match.end(), value=over[0], step=over[1], unit="%")
            )
            return match.end()
        value = ARITHMETIC.divide(over[0], under[0])
        return self._quantity(Numeral(start=start, end=match.end(), value=value, fraction=True))

    def _at_word(self, match: re.Match[str]) -> None:
        """Read a number word, an ordinal, a fraction or a month name."""
        word = match[0].lower()
        if word not in self.starts and not (self.words.glued and read_glued_word(word, self.words) is not None):
            return
        start, end = match.span()
        if self.text[end : end + 1].isdigit() or (start and self.text[start - 1] in "_."):
            return
        self.done = max(
            self.done,
            self._number_words(start, end) or self._ordinal_word(start, end, word) or self._month(start, end) or 0,
        )

    def _number_words(self, start: int, end: int) -> int | None:
        sequence, ends = self._words_ahead(start, end)
        if (half := self._fraction_words(start, sequence, ends)) is not None:
            return half
        read = read_words(sequence, self.words)
        if read is None:
            return None
        taken, value, step = read
        stop = ends[taken - 1]
        value, step, stop = self._with_point(sequence, ends, taken, value, step, stop)
        alone = taken == 1 and sequence[0] in self.words.incidental
        numeral = Numeral(start=start, end=stop, value=value, step=step)
        return self._quantity(numeral, incidental=alone and not self._is_bound(start))

    def _is_bound(self, start: int) -> bool:
        before = self.text[max(0, start - 12) : start].lower().split()[-2:]
        return not _BOUND_WORDS.isdisjoint(before)

    def _words_ahead(self, start: int, end: int) -> tuple[list[str], list[int]]:
        """The number words from a place on, lower-cased, and where each ends."""
        known = self.starts | self.words.joiners | self.words.points
        sequence, ends = [self.text[start:end].lower()], [end]
        place = end
        while len(sequence) < _LONGEST_NUMBER and (match := _NEXT_WORD.match(self.text, place)):
            word = match[1].lower()
            if word not in known and read_glued_word(word, self.words) is None:
                break
            sequence.append(word)
            place = match.end()
            ends.append(place)
        if self.words.tag == "fr":
            sequence, ends = _with_french_eighty(sequence, ends)
        return sequence, ends

    def _with_point(
        self, sequence: list[str], ends: list[int], taken: int, value: Decimal, step: Decimal, stop: int
    ) -> tuple[Decimal, Decimal, int]:
        """Decimals in words: two point five."""
        if taken >= len(sequence) or sequence[taken] not in self.words.points:
            return value, step, stop
        decimals = ""
        for word in sequence[taken + 1 :]:
            digit = self.words.cardinals.get(word)
            if digit is None or digit > 9:  # noqa: PLR2004  digits
                break
            decimals += str(digit)
        if not decimals:
            return value, step, stop
        step = Decimal((0, (1,), -len(decimals)))
        return value + Decimal(decimals) * step, step, ends[taken + len(decimals)]

    def _fraction_words(self, start: int, sequence: list[str], ends: list[int]) -> int | None:
        """A fraction in words: half, two thirds, three-quarters, a quarter of."""
        fractions, first = self.words.fractions, sequence[0]
        count = self.words.cardinals.get(first, 1 if first in self.words.articles else None)
        if len(sequence) > 1 and count and sequence[1] in fractions and count < 10:  # noqa: PLR2004  digits
            value = ARITHMETIC.multiply(fractions[sequence[1]], Decimal(count))
            is_article = first in self.words.articles
            follows_of = _OF.match(self.text, ends[1]) is not None
            half_or_quarter = sequence[1] in {"half", "quarter"}
            if (
                value >= 1
                or (is_article and not follows_of and not half_or_quarter)
                or (count > 1 and not sequence[1].endswith("s") and self.words.tag == "en")
            ):
                return None
            weak = is_article and not follows_of
            numeral = Numeral(start=start, end=ends[1], value=value, fraction=True)
            return self._quantity(numeral, incidental=weak)
        if first not in fractions or self.words.ordinals.get(first) is not None:
            return None
        return self._half(start, ends[0], fractions[first])

    def _half(self, start: int, end: int, value: Decimal) -> int:
        """Half alone: of something, a unit, a million; else hardly a number."""
        text = self.text
        article = re.compile(r"[ \u00a0\n-](?:an?|einen?|une?|un[ao]?)(?=[ \u00a0\n-])").match(text, end)
        place = article.end() if article else end
        unit = unit_at(text, place, self.tag)
        scale = scale_at(text, place, self.words, money=False)
        if scale is not None or (unit is not None and unit[0] != "quarter"):
            return self._quantity(Numeral(start=start, end=place, value=value, fraction=scale is None and unit is None))
        strong = re.compile(r"[ \u00a0\n](?:of|the|all|der|des|de|del)\b").match(text, end) is not None
        after_ordinal = (
            bool(self.drafts) and self.drafts[-1].kind is QuantityKind.ORDINAL and start - self.drafts[-1].end <= 1
        )
        numeral = Numeral(start=start, end=end, value=value, fraction=True)
        return self._quantity(numeral, incidental=not strong or after_ordinal)

    def _ordinal_word(self, start: int, end: int, word: str) -> int | None:
        ordinal = self.words.ordinals.get(word)
        if ordinal is not None:
            moment = self._first_of_month(start, end, ordinal)
            return moment or self._ordinal(start, end, Decimal(ordinal), incidental=word in self.words.incidental)
        tens = self.words.cardinals.get(word)
        if tens is None or tens < 20 or tens % 10:  # noqa: PLR2004  twenty-first
            return None
        match = _NEXT_WORD.match(self.text, end)
        unit = self.words.ordinals.get(match[1].lower()) if match else None
        if match is None or unit is None or unit > 9:  # noqa: PLR2004  digits
            return None
        return self._ordinal(start, match.end(), Decimal(tens + unit))

    def _first_of_month(self, start: int, end: int, ordinal: int) -> int | None:
        match = re.compile(r"[ \u00a0\n](?:of[ \u00a0\n])?([^\W\d_]+)").match(self.text, end)
        month = self.words.months.get(match[1].lower()) if match and match[1][0].isupper() else None
        if match is None or month is None:
            return None
        whole = date_with_month(self.text, match.start(1), match.end(1), self.words)
        if whole is None or whole.day is not None:
            return None
        self._add_moment(Moment(start=start, end=whole.end, year=whole.year, month=month, day=ordinal))
        return whole.end

    def _ordinal(self, start: int, end: int, value: Decimal, *, incidental: bool = False) -> int:
        text = self.text
        if match := _CENTURY.match(text, end):
            year = (int(value) - 1) * 100 + 1
            if 0 < year < YEARS.stop:
                self._add_moment(Moment(start=start, end=match.end(), year=year, unit="century"))
                return match.end()
        following = _NEXT_WORD.match(text, end)
        if following and following[1] in self.words.labels:
            self.drafts.append(Draft(kind=QuantityKind.LABEL, start=start, end=end, value=value, unit=following[1]))
            return end
        draft = Draft(kind=QuantityKind.ORDINAL, start=start, end=end, value=value, incidental=incidental)
        if match := _PERIOD.match(text, end):
            draft.unit, draft.end, draft.incidental = match["period"], match.end(), False
        self.drafts.append(draft)
        return draft.end

    def _month(self, start: int, end: int) -> int | None:
        text = self.text
        word = text[start:end]
        if word.lower() in _CLOCK_WORDS:
            value = Decimal(_CLOCK_WORDS[word.lower()])
            self.drafts.append(Draft(kind=QuantityKind.TIME, start=start, end=end, value=value, incidental=True))
            return end
        moment = date_with_month(text, start, end, self.words)
        if moment is None:
            return None
        self._add_moment(moment)
        if moment.day is None and moment.year is None:
            before = text[max(0, start - 14) : start].lower().split()
            cued = bool(before) and before[-1].strip("(\"'") in self.words.date_words
            self.drafts[-1].incidental = not cued or len(word) <= len("Jan")
        return moment.end

    # --- one number ----------------------------------------------------------------------------------------------

    def _code(self, start: int, end: int) -> int:
        match = _CODE_TAIL.match(self.text, end)
        end = match.end() if match else end
        self.drafts.append(Draft(kind=QuantityKind.CODE, start=start, end=end))
        return end

    def _quantity(self, numeral: Numeral, *, incidental: bool = False, scale: Decimal = Decimal(1)) -> int:
        """Add a number with what stands around it; where that ends."""
        text, words = self.text, self.words
        prefix = prefix_before(text, numeral.start)
        value, alternatives, step, end = numeral.value, numeral.alternatives, numeral.step, numeral.end
        if not numeral.fraction and (half := self._and_fraction(end)) is not None:
            value, end, alternatives = value + half[0], half[1], ()
        scaled = scale_at(text, end, words, money=prefix.unit is not None)
        if scaled is not None:
            scale, end = scaled
            value, step = ARITHMETIC.multiply(value, scale), ARITHMETIC.multiply(step, scale)
            alternatives = tuple(ARITHMETIC.multiply(other, scale) for other in alternatives)
        found = unit_at(text, end, self.tag, linked=scaled is not None)
        unit = prefix.unit
        if found is not None and (unit is None or dimension(found[0]) is Dimension.MONEY):
            unit, end = (found[0] if unit in {None, "$", "¥"} else unit), found[1]
        if self._becomes_year(value, end, unit, prefix.negative):
            return self._before_christ(prefix.start, end, value)
        per, end = rates_at(text, prefix.start, end, words, self.tag)
        if prefix.negative or self._is_minus(prefix.start):
            value, alternatives = -value, tuple(-other for other in alternatives)
        if prefix.doubtful or (unit != "°C" and falls_before(text, prefix.start, words)):
            alternatives += (-value, *(-other for other in alternatives))
        kind = _kind_of(unit)
        self.drafts.append(
            Draft(
                kind=kind,
                start=prefix.start,
                end=end,
                value=value,
                alternatives=alternatives,
                step=step,
                scale=scale,
                unit=unit,
                per=per,
                approximate=hedged_before(text, prefix.start, words) or hedged_after(text, end, words),
                fraction=numeral.fraction,
                incidental=incidental and unit is None and scaled is None,
                noun=noun_at(text, end) if unit is None else None,
            )
        )
        return end

    def _is_minus(self, start: int) -> bool:
        before = self.text[max(0, start - 12) : start].lower().split()
        return bool(before) and before[-1] in self.words.minus

    def _and_fraction(self, end: int) -> tuple[Decimal, int] | None:
        """A fraction joined to a number: "and a half", "et demi", "y medio"."""
        match = _AND_FRACTION.match(self.text, end)
        if match is None or match[1].lower() not in self.words.joiners:
            return None
        article, last = match[2], match[3].lower()
        fraction = self.words.fractions
        if article is None:
            return (fraction[last], match.end()) if last in fraction and self.words.tag != "en" else None
        if article.lower() in self.words.articles and last in fraction:
            return fraction[last], match.end()
        if article.lower() in fraction and self.words.tag != "en":
            return fraction[article.lower()], match.end(2)
        count = self.words.cardinals.get(article.lower())
        if count and last in fraction and fraction[last] * count < 1 and last.endswith("s"):
            return fraction[last] * count, match.end()
        return None

    def _becomes_year(self, value: Decimal, end: int, unit: str | None, negative: bool) -> bool:  # noqa: FBT001
        return (
            unit is None
            and not negative
            and value == value.to_integral_value()
            and _ERA.match(self.text, end) is not None
        )

    def _before_christ(self, start: int, end: int, value: Decimal) -> int:
        match = _ERA.match(self.text, end)
        assert match is not None
        self._add_moment(Moment(start=start, end=match.end(), year=-int(value)))
        return match.end()


def _kind_of(unit: str | None) -> QuantityKind:
    match dimension(unit) if unit is not None else None:
        case None:
            return QuantityKind.NUMBER
        case Dimension.MONEY:
            return QuantityKind.MONEY
        case Dimension.RATIO | Dimension.POINTS:
            return QuantityKind.PERCENT
        case Dimension.CLOCK | Dimension.CALENDAR | Dimension.WORKDAYS | Dimension.NIGHTS:
            return QuantityKind.DURATION
        case _:
            return QuantityKind.MEASURE


def _reads_units(text: str) -> bool:
    """Whether unit words of the text's script can be read although its language has no table."""
    return script_of(text) in {"han", "kana", "hangul", None}


@lru_cache(maxsize=64)
def _starting_words(tag: str | None) -> frozenset[str]:
    """Words of a language at which a quantity may start."""
    words = language(tag)
    english_months = language(None).months.keys()
    return frozenset(
        words.cardinals.keys()
        | words.hundreds.keys()
        | words.scales.keys()
        | words.ordinals.keys()
        | words.fractions.keys()
        | words.months.keys()
        | english_months
        | words.articles
        | _CLOCK_WORDS.keys()
    )


on_change(_starting_words.cache_clear)


def _with_french_eighty(sequence: list[str], ends: list[int]) -> tuple[list[str], list[int]]:
    """Join "quatre vingt(s)" to the one word it is."""
    for i in range(len(sequence) - 1):
        if sequence[i] == "quatre" and sequence[i + 1] in {"vingt", "vingts"}:
            return (
                [*sequence[:i], "quatre-vingt", *sequence[i + 2 :]],
                [*ends[:i], *ends[i + 1 :]],
            )
    return sequence, ends
