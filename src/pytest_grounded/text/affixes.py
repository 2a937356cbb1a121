"""What belongs to a number beside its digits: sign, currency and hedge before it; scale, unit, rate and noun after it.

Every function looks at one place of a folded text, a bounded number of characters back or ahead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import takewhile
from typing import Final

from pytest_grounded.text.languages import Language, language, on_change
from pytest_grounded.text.numerals import CJK_NUMERALS, LETTER
from pytest_grounded.text.units import CJK_UNITS, currency_sign, unit_symbol, unit_words
from pytest_grounded.text.words import stem

__all__ = [
    "Marks",
    "Prefix",
    "hedged_after",
    "marks_before",
    "noun_at",
    "power_of_ten_at",
    "prefix_before",
    "rates_at",
    "scale_at",
    "unit_at",
]

SPACE: Final = "[ \u00a0]"
_WORD: Final = f"{LETTER}{{1,40}}"


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# --- before ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """Sign and currency before a number; a hyphen that opens a line is a doubtful sign: it may be a bullet."""

    start: int
    unit: str | None = None
    negative: bool = False
    doubtful: bool = False


_LONGEST_CURRENCY: Final = 8
_CURRENCY: Final = re.compile(rf"([A-Za-z]{{0,4}}[$€£¥₹₩₽₺₫₪฿₴₦₱]|[A-Z]{{3}}|(?:Rs|SFr|Fr)\.?){SPACE}?$")
_UNITS_BEFORE: Final = {
    "大さじ": "tbsp",
    "大匙": "tbsp",
    "小さじ": "tsp",
    "小匙": "tsp",
    "%": "%",
    "yüzde ": "%",
}
"""Units other than money that stand before their number: 大さじ2, and the percentages of Turkish."""
_UNIT_BEFORE: Final = re.compile(r"(?:[大小](?:さじ|匙)|(?<![^\s(\[\"'«„“])(?:%|yüzde ))\Z", re.IGNORECASE)
_ENDS_UNIT: Final = frozenset("じ匙%")
_PERCENT_BEFORE: Final = ("yüzde ", "Yüzde ")
_SIGNS: Final = frozenset("-+\u2212\u2013")
_MINUS: Final = "\u2212"
_BEFORE_SIGN: Final = frozenset(" \u00a0\n([\"':;=<>/|~≈*,\u2013")


def prefix_before(text: str, start: int) -> Prefix:
    """Sign and currency that stand directly before a number.

    >>> prefix_before("from -$5", 7)
    Prefix(start=5, unit='$', negative=True, doubtful=False)
    >>> prefix_before("10-5", 3).negative, prefix_before("EUR 180", 4).unit
    (False, 'EUR')
    """
    if not start or text[start - 1].isdigit():
        return Prefix(start=start)
    if text[start - 1] in _ENDS_UNIT or text.endswith(_PERCENT_BEFORE, 0, start):
        found = _UNIT_BEFORE.search(text, max(0, start - _LONGEST_CURRENCY), start)
        if found is not None:
            return Prefix(start=found.start(), unit=_UNITS_BEFORE[found[0].lower()])
    has_sign = text[start - 1] in _SIGNS
    unit, begin = _currency_before(text, start - has_sign)
    if unit is None and text[start - 1] == "(":
        unit, _ = _currency_before(text, start - 1)
        return Prefix(start=start, unit=unit)  # $(500)
    if unit is None:
        return _signed(text, start - 1, start) if has_sign else _apart(text, start)
    if has_sign:
        return Prefix(start=begin, unit=unit, negative=text[start - 1] != "+")
    return (
        _signed(text, begin - 1, begin, unit) if begin and text[begin - 1] in _SIGNS else Prefix(start=begin, unit=unit)
    )


def _currency_before(text: str, end: int) -> tuple[str | None, int]:
    """The currency that ends at a place, and where it starts."""
    low = max(0, end - _LONGEST_CURRENCY)
    match = _CURRENCY.search(text[low:end])
    if match is None:
        return None, end
    word, start = match[1], low + match.start()
    unit = currency_sign(word)
    if unit is None and not word[-1].isalnum():
        unit, start = currency_sign(word[-1]), start + len(word) - 1
    before = text[start - 1 : start]
    if unit is None or before.isdigit() or (before.isalpha() and text[start].isalpha()):
        return None, end
    return unit, start


def _signed(text: str, sign: int, start: int, unit: str | None = None) -> Prefix:
    """The prefix if the character at `sign` is a sign and no dash between two things."""
    follows_number = text[max(0, sign - 2) : sign].rstrip(" \u00a0")[-1:].isdigit()
    is_sign = text[sign] == _MINUS or not follows_number
    if (sign and text[sign - 1] not in _BEFORE_SIGN) or not is_sign:
        return Prefix(start=start, unit=unit)
    opens_line = text[sign] == "-" and text[max(0, sign - 1) : sign] == "\n"
    return Prefix(start=sign, unit=unit, negative=text[sign] != "+", doubtful=opens_line)


def _apart(text: str, start: int) -> Prefix:
    """A true minus may stand apart from its number; a hyphen there is a dash."""
    has_minus = start > 1 and text[start - 1] in " \u00a0" and text[start - 2] == _MINUS
    return _signed(text, start - 2, start) if has_minus else Prefix(start=start)


_HEDGE_SIGNS: Final = ("~", "≈", "±", "∼", "约", "大约", "大約", "約", "およそ", "ほぼ", "약", "近")


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What words before a number say of it: a rounding (about), a decrease (fell by), a minus."""

    hedged: bool = False
    falls: bool = False
    minus: bool = False


_UNMARKED: Final = Marks()
_HEDGED: Final = Marks(hedged=True)
_COPULAS: Final = "为為是有达達"
"""What may stand between a hedge and its number: 大约为85%."""
_ELIDED: Final = re.compile(r"^(?:d|l|qu)'(?=\w)")
_LONGEST_MARK: Final = 40
_MOST_WORDS: Final = 4


def marks_before(text: str, start: int, words: Language) -> Marks:
    """The marks that stand shortly before a number.

    >>> from pytest_grounded.text.languages import language
    >>> marks_before("about 85%", 6, language("en")).hedged, marks_before("exactly 85%", 8, language("en")).hedged
    (True, False)
    >>> marks_before("Revenue fell by 5%", 16, language("en")).falls
    True
    """
    before = text[max(0, start - _LONGEST_MARK) : start].lower().rstrip(" \u00a0\n(")
    if before.rstrip(_COPULAS).endswith(_HEDGE_SIGNS):
        return _HEDGED
    last = [_ELIDED.sub("", word) for word in before.split()[-_MOST_WORDS:]]
    if _marking_words(words.tag).isdisjoint(last):
        return _UNMARKED
    near = [*takewhile(lambda word: not any(map(str.isdigit, word)), reversed(last))]
    hedged = any(" ".join(last[-length:]) in words.hedges for length in range(1, len(last) + 1))
    return Marks(hedged=hedged, falls=not words.falls.isdisjoint(near), minus=last[-1] in words.minus)


@lru_cache(maxsize=64)
def _marking_words(tag: str) -> frozenset[str]:
    words = language(tag)
    return words.falls | words.minus | {hedge.split()[-1] for hedge in words.hedges}


on_change(_marking_words.cache_clear)


_CJK_TRAILING_HEDGES: Final = ("左右", "上下", "前後", "程度", "가량", "정도")


def hedged_after(text: str, end: int, words: Language) -> bool:
    """Whether a number is marked as a rounding by what follows it: 500 or so, 500-odd, 500左右."""
    after = text[end : end + 18].lower().lstrip(" \u00a0")
    if after.startswith(_CJK_TRAILING_HEDGES):
        return True
    return after.startswith(words.trailing_hedges) and _at_boundary(after, words.trailing_hedges)


def _at_boundary(after: str, hedges: tuple[str, ...]) -> bool:
    hedge = max((hedge for hedge in hedges if after.startswith(hedge)), key=len, default="")
    return not after[len(hedge) : len(hedge) + 1].isalpha() or not hedge


# --- scale -------------------------------------------------------------------------------------------------------

_THOUSAND, _MILLION, _BILLION, _TRILLION = (Decimal(10) ** power for power in (3, 6, 9, 12))
_ATTACHED: Final = (
    dict.fromkeys(("k", "K"), _THOUSAND)
    | dict.fromkeys(("M", "MM", "mn", "Mn", "mln", "mil"), _MILLION)
    | dict.fromkeys(("B", "bn", "Bn", "BN"), _BILLION)
    | dict.fromkeys(("tn", "trn"), _TRILLION)
)
_ATTACHED_TO_MONEY: Final = (
    dict.fromkeys(("m", "mm"), _MILLION)
    | dict.fromkeys(("T", "t"), _TRILLION)
    | {"b": _BILLION, "cr": Decimal(10) ** 7}
)
_APART: Final = frozenset(("mn", "mln", "bn", "Bn", "tn"))
_SCALE_WORD: Final = re.compile(rf"(?P<gap>{SPACE}|\n|-)?(?P<word>{_WORD})\.?")
_POWER_OF_TEN: Final = re.compile(r"10(?:\^([-+\u2212]?\d{1,3})|(⁻[⁰¹²³⁴-⁹]{1,3}|[¹²][⁰¹²³⁴-⁹]|[³⁴-⁹]))")
_EXPONENT: Final = re.compile(
    r" ?(?:[x×*·] ?10(?:\^([-+\u2212]?\d{1,3})|([⁺⁻]?[⁰¹²³⁴-⁹]{1,3}))|[eE]([-+]?\d{1,3})(?![\w.]))"
)
_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻\u2212", "0123456789+--")
_LARGEST_EXPONENT: Final = 60


def scale_at(text: str, end: int, words: Language, *, money: bool) -> tuple[Decimal, int] | None:
    """The factor that words, letters or a power of ten after a number multiply it with, and where they end.

    >>> from pytest_grounded.text.languages import language
    >>> scale_at("4.2 million", 3, language("en"), money=False), scale_at("5m", 1, language("en"), money=True)
    ((Decimal('1000000'), 11), (Decimal('1000000'), 2))
    """
    if (match := _EXPONENT.match(text, end)) is not None:
        power = int(next(group for group in match.groups() if group is not None).translate(_RAISED))
        return (Decimal(10) ** power, match.end()) if abs(power) <= _LARGEST_EXPONENT else None
    found = _one_scale(text, end, words, money=money)
    if found is None:
        return None
    more = _one_scale(text, found[1], words, money=False)
    return found if more is None else (found[0] * more[0], more[1])


def power_of_ten_at(text: str, start: int) -> tuple[Decimal, int] | None:
    """A power of ten that stands for itself, and where it ends.

    >>> power_of_ten_at("10^6 cells", 0)
    (Decimal('1E+6'), 4)
    """
    match = _POWER_OF_TEN.match(text, start)
    if match is None:
        return None
    power = int((match[1] or match[2]).translate(_RAISED))
    return (Decimal((0, (1,), power)), match.end()) if abs(power) <= _LARGEST_EXPONENT else None


def _one_scale(text: str, end: int, words: Language, *, money: bool) -> tuple[Decimal, int] | None:
    match = _SCALE_WORD.match(text, end)
    if match is None:
        return None
    word, gap = match["word"], match["gap"]
    before_sign = currency_sign(text[match.end("word") : match.end("word") + 1]) is not None
    if word in _ATTACHED and (not gap or word in _APART or money or before_sign):
        return _unless_unit(text, match, _ATTACHED[word])
    if word in _ATTACHED_TO_MONEY and money and gap != "-":
        return _ATTACHED_TO_MONEY[word], match.end("word")
    lower = word.lower()
    scale = words.scales.get(lower) or words.hundreds.get(lower)
    if scale is None:
        return None
    is_short = len(lower) <= len("mio") and text[match.end("word") : match.end("word") + 1] == "."
    return Decimal(scale), match.end() if is_short else match.end("word")


def _unless_unit(text: str, match: re.Match[str], scale: Decimal) -> tuple[Decimal, int] | None:
    """A letter that scales unless more follows that makes it another word: 5M, 5k€, 60k/yr, not 5M/s."""
    end = match.end("word")
    return None if text[end : end + 1] == "/" and not _PERIOD.match(text, end + 1) else (scale, end)


_PERIOD: Final = re.compile(
    r"(?:y|yr|year|mo|mth|month|wk|week|d|day|night|h|hr|hour|person|head|jahr|monat|an|mois)\b", re.IGNORECASE
)


# --- unit --------------------------------------------------------------------------------------------------------

_GAP: Final = re.compile(rf"\n *|-(?={LETTER})|{SPACE}{{0,2}}")
_LINK: Final = re.compile(rf"{SPACE}(?:of(?:{SPACE}an?)?|d'une?|de(?:{SPACE}una?)?|di){SPACE}|{SPACE}d'")
_UNIT_WORD: Final = re.compile(rf"[µ]?{_WORD}(?:[²³]|[23](?!\w))?")
_DIVIDED: Final = re.compile(r"/[a-z]{1,2}\b")
_DASH_CENTS: Final = re.compile(r"[.,][-\u2013]{1,2}")
_FOOTNOTES: Final = frozenset("¹²³⁰⁴⁵⁶⁷⁸⁹†‡")
_SIGN_UNITS: Final = {"%": "%", "‰": "‰", "‱": "bp", "€": "EUR", "£": "GBP"}
_POINTS: Final = re.compile(r"[- ]?points?\b|[- ]?Punkte?\b")
_ONLY_ATTACHED: Final = frozenset(("d", "B"))
_ONLY_APART: Final = frozenset(("st", "s"))
_NEVER_ALONE: Final = frozenset(("pt", "pc", "cal", "bar", "V", "W", "J", "mi"))
_CJK_UNIT: Final = re.compile(
    f"{SPACE}?[多余餘]?({'|'.join(sorted(map(re.escape, CJK_UNITS), key=lambda word: (-len(word), word)))})"
)


def unit_at(text: str, end: int, tag: str | None, *, linked: bool = False) -> tuple[str, int] | None:
    """The unit that follows a number, and where it ends; `linked` allows "5 million of euros" and "d'euros".

    >>> unit_at("12-month", 2, "en"), unit_at("180 US dollars", 3, "en"), unit_at("5 percentage points", 1, "en")
    (('month', 8), ('USD', 14), ('pp', 19))
    """
    while text[end : end + 1] in _FOOTNOTES:
        end += 1
    if text[end : end + 1] in ",." and (match := _DASH_CENTS.match(text, end)):
        end = match.end()
    if linked and (match := _LINK.match(text, end)):
        return _unit_here(text, match.end(), "link", tag)
    match = _GAP.match(text, end)
    return _unit_here(text, match.end() if match else end, match[0] if match else "", tag)


def _unit_here(text: str, place: int, gap: str, tag: str | None) -> tuple[str, int] | None:
    sign = "" if gap.startswith("\n") else text[place : place + 1]
    if sign in _SIGN_UNITS or (sign and not sign.isalnum() and currency_sign(sign)):
        unit = _SIGN_UNITS.get(sign) or currency_sign(sign)
        if sign == "%" and (points := _POINTS.match(text, place + 1)):
            return "pp", points.end()
        return (unit, place + 1) if unit else None
    if sign == "°":
        return _degrees(text, place + 1)
    if match := _CJK_UNIT.match(text, place):
        return CJK_UNITS[match[1]], match.end()
    if sign in _CHINESE_COINS and (coin := _coin_at(text, place)):
        return _CHINESE_COINS[sign], coin
    word = _UNIT_WORD.match(text, place)
    return _unit_of_word(text, word, gap, tag) if word else None


_CHINESE_COINS: Final = {"角": "jiao", "毛": "jiao", "分": "fen"}
_COIN: Final = re.compile(rf"(?:(?<=\d)[角毛](?![\w])|[角毛](?=钱|錢|(?:\d|[{CJK_NUMERALS}])分)|分(?=钱|錢))(?:钱|錢)?")
_BEHIND_MONEY: Final = re.compile(rf"[元块塊圆角毛](?:\d{{1,2}}|[{CJK_NUMERALS}]{{1,2}})(?P<coin>[角毛分](?:钱|錢)?)")
_LONGEST_COINS: Final = 4


def _coin_at(text: str, place: int) -> int | None:
    """Where the name of a Chinese coin at a place ends: 5角6分, 3元5角; None where 角 is a corner and 分 a minute."""
    if coin := _COIN.match(text, place):
        return coin.end()
    behind = (_BEHIND_MONEY.match(text, start) for start in range(max(0, place - _LONGEST_COINS), place - 1))
    return next((found.end() for found in behind if found is not None and found.start("coin") == place), None)


def _degrees(text: str, place: int) -> tuple[str, int]:
    skip = place + (text[place : place + 1] in {" ", "\u00a0"})
    letter = text[skip : skip + 1]
    if letter in {"C", "F"} and not text[skip + 1 : skip + 2].isalpha():
        return f"°{letter}", skip + 1
    return "degree", place


def _unit_of_word(text: str, word: re.Match[str], gap: str, tag: str | None) -> tuple[str, int] | None:
    phrase = _phrase_at(text, word.start(), word[0], tag)
    if phrase is not None:
        return phrase
    if (divided := _DIVIDED.match(text, word.end())) and (unit := unit_symbol(word[0] + divided[0])):
        return unit, divided.end()
    symbol = word[0]
    is_sign = text[word.end() : word.end() + 1] == "$" and currency_sign(f"{symbol}$")
    if is_sign:
        return is_sign, word.end() + 1
    unit = unit_symbol(symbol)
    if unit is None or (gap and symbol in _ONLY_ATTACHED) or (not gap and symbol in _ONLY_APART and symbol != "s"):
        return None
    if symbol in _NEVER_ALONE and gap not in {" ", "\u00a0", ""}:
        return None
    return unit, word.end()


def _phrase_at(text: str, place: int, first: str, tag: str | None) -> tuple[str, int] | None:
    """The longest unit phrase that begins at a place; a hyphen or line end in it is as good as a space."""
    for phrase, unit in unit_words(tag).get(first.lower(), ()):
        end = place + len(phrase)
        if text[end : end + 1].isalpha():
            continue
        found = text[place:end].lower()
        if found == phrase or (len(found) > len(first) and _plain(found) == _plain(phrase)):
            return unit, end
    return None


def _plain(phrase: str) -> str:
    return phrase.replace("-", " ").replace("\n", " ").replace("\u00a0", " ")


# --- rate and noun -----------------------------------------------------------------------------------------------

_SLASHED: Final = re.compile(rf"{SPACE}?/{SPACE}?(?P<word>{_WORD}|[人天日月年晚周])")
_PER: Final = re.compile(rf"(?:[ \u00a0\n]times)?[ \u00a0\n-](?P<per>{_WORD})[ \u00a0\n-](?P<word>{_WORD})")
_ADVERB: Final = re.compile(rf"[ \u00a0\n](?P<word>{_WORD}(?:\.{LETTER})?)")
_CJK_EACH: Final = re.compile(r"每(?:个|個)?(人|天|日|月|年|晚|周|小时|次)?(?:每(?:个|個)?(天|日|月|年|晚|周))?$")
_CJK_PER: Final = {
    "人": "person",
    "天": "day",
    "日": "day",
    "月": "month",
    "年": "year",
    "晚": "night",
    "周": "week",
    "小时": "h",
}
_PER_NAMES: Final = {
    "diem": "day",
    "annum": "year",
    "capita": "person",
    "head": "person",
    "pax": "person",
    "people": "person",
}
_OPEN_PER: Final = frozenset(("per", "pro", "je", "par", "por"))
_ARTICLE_PER: Final = _names("person head piece unit employee user seat night stay visit trip child car room")
_MOST_RATES: Final = 2


def rates_at(text: str, start: int, end: int, words: Language, tag: str | None) -> tuple[frozenset[str], int]:
    """The units of a rate beside an amount and where they end: per night, a month, /day, each year; 每月.

    >>> from pytest_grounded.text.languages import language
    >>> rates_at("10 euros a month", 0, 8, language("en"), "en")
    (frozenset({'month'}), 16)
    """
    found: list[str] = []
    before = _CJK_EACH.search(text[max(0, start - 8) : start])
    if before is not None:
        found += [_CJK_PER.get(each, each) for each in before.groups() if each]
    while len(found) < _MOST_RATES:
        rate = _rate_at(text, end, words, tag)
        if rate is None:
            break
        found.append(rate[0])
        end = rate[1]
    return frozenset(found), end


def _rate_at(text: str, end: int, words: Language, tag: str | None) -> tuple[str, int] | None:
    if match := _SLASHED.match(text, end):
        return _rate_unit(match["word"], tag) or stem(match["word"].lower()), match.end()
    match = _PER.match(text, end)
    if (
        match
        and (per := match["per"].lower()) in words.per
        and match["word"].lower() not in {"cent", "cento", "ciento"}
    ):
        unit, noun = _rate_unit(match["word"], tag), stem(match["word"].lower())
        if unit or per in _OPEN_PER or noun in _ARTICLE_PER:
            return unit or noun, match.end()
    match = _ADVERB.match(text, end)
    if match and (adverb := words.rates.get(match["word"].lower())):
        return adverb, match.end()
    return None


def _rate_unit(word: str, tag: str | None) -> str | None:
    """The unit a rate's word names; None for any other noun."""
    lower = word.lower()
    named = _CJK_PER.get(word) or _PER_NAMES.get(lower)
    return named or dict(unit_words(tag).get(lower, ())).get(lower) or unit_symbol(word)


_NOUN: Final = re.compile(r"[ \u00a0\n-](?P<noun>[a-z]{3,}s)(?![\w'])")
_NO_NOUNS: Final = _names(
    """was has this plus times minus versus less across towards besides always perhaps thus yes its his ours hers does
    goes says means others unless whereas counts costs applies starts ends remains"""
)


def noun_at(text: str, end: int) -> str | None:
    """The plural noun that a number without unit counts, its plural folded.

    >>> noun_at("50 crates", 2), noun_at("50 is the limit", 2)
    ('crate', None)
    """
    match = _NOUN.match(text, end)
    return None if match is None or match["noun"] in _NO_NOUNS or match["noun"].endswith("ss") else stem(match["noun"])
