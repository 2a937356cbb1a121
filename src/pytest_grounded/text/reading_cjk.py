"""Reading what begins with a Chinese numeral: a date, a share, a rank, a label or a number."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from pytest_grounded.text.affixes import unit_at
from pytest_grounded.text.dates import date_in_cjk, date_in_era
from pytest_grounded.text.nonfacts import label_before
from pytest_grounded.text.numerals import ARITHMETIC, CJK_NUMERALS, MOST_DIGITS, Numeral, read_cjk
from pytest_grounded.text.quantity import QuantityKind
from pytest_grounded.text.quantity_join import Draft
from pytest_grounded.text.reading import Reading

__all__ = ["read_at_cjk", "read_at_era", "read_at_half"]

_COUNTER: Final = re.compile(r" ?[个個人名次条條件台辆輛本张張位所家项項种種份倍]")
_SHARE: Final = re.compile(rf"分[之の](\d{{1,12}}(?:\.\d{{1,12}})?|[{CJK_NUMERALS}]{{1,12}})")
_NO_NUMBERS: Final = frozenset(("十分", "万一", "千万", "一一"))
_HUNDRED: Final = Decimal(100)


def read_at_cjk(reading: Reading, start: int, end: int) -> int:
    """Read what begins with the numerals at `start`..`end`; where it ends.

    One character alone is rarely a number unless something is counted: 三天, but 统一 and 十分.
    """
    text = reading.text
    if end - start > MOST_DIGITS:
        return reading.add_code(start, end)
    moment = date_in_cjk(text, start)
    if moment is not None and (moment.year or moment.day):
        return reading.add_moment(moment)
    if share := _SHARE.match(text, end):
        return _read_share(reading, start, end, share)
    label = label_before(text, start, end, reading.words)
    if label is not None:
        return reading.add_label(start, end, label)
    numeral = _with_excess(text, start, end) or _longest_numeral(text, start, end)
    if numeral is None:
        return end
    if half := _AND_HALF.match(text, numeral.end):
        value = ARITHMETIC.add(numeral.value, _HALF)
        return reading.add_number(Numeral(start=start, end=half.end(), value=value, fraction=True))
    if text[max(0, start - 1) : start] == "第":
        return reading.add_ordinal(start - 1, numeral.end, numeral.value)
    return reading.add_number(numeral, incidental=_is_word(reading, numeral))


_HALF: Final = Decimal("0.5")
_AND_HALF: Final = re.compile(r"[个個]半(?=小时|小時|钟头|鐘頭)")


def read_at_half(reading: Reading, start: int, end: int) -> int:
    """Read half of a unit, 半小时; where it ends."""
    return reading.add_number(Numeral(start=start, end=end, value=_HALF, fraction=True))


def read_at_era(reading: Reading, start: int, end: int) -> int:
    """Read a date that begins with the name of an era; where it ends."""
    moment = date_in_era(reading.text, start)
    return end if moment is None else reading.add_moment(moment)


_EXCESS: Final = re.compile(rf"[多余餘几幾来來]([万萬亿億][{CJK_NUMERALS}]{{0,8}})")


def _with_excess(text: str, start: int, end: int) -> Numeral | None:
    """A numeral with "and some" before its scale: 一千多万 is ten million and some."""
    match = _EXCESS.match(text, end)
    read = read_cjk(text[start:end] + match[1]) if match else None
    return None if match is None or read is None else Numeral(start=start, end=match.end(), value=read[0], step=read[1])


def _longest_numeral(text: str, start: int, end: int) -> Numeral | None:
    for stop in range(end, start, -1):
        read = read_cjk(text[start:stop])
        if read is not None:
            return Numeral(start=start, end=stop, value=read[0], step=read[1])
    return None


def _is_word(reading: Reading, numeral: Numeral) -> bool:
    text, start, end = reading.text, numeral.start, numeral.end
    if text[start : start + 2] in _NO_NUMBERS:
        return True
    if end - start > 1 or unit_at(text, end, reading.tag) is not None:
        return False
    return text[start] == "一" or _COUNTER.match(text, end) is None


def _read_share(reading: Reading, start: int, end: int, share: re.Match[str]) -> int:
    """百分之五 is 5 per cent, 三分之一 a third."""
    under, over = read_cjk(reading.text[start:end]), read_cjk(share[1])
    if under is None or over is None or not under[0]:
        return share.end()
    if under[0] == _HUNDRED:
        reading.drafts.append(
            Draft(kind=QuantityKind.PERCENT, start=start, end=share.end(), value=over[0], step=over[1], unit="%")
        )
        return share.end()
    value = ARITHMETIC.divide(over[0], under[0])
    return reading.add_number(Numeral(start=start, end=share.end(), value=value, fraction=True))
