"""What a sentence says that counts off two lists: "Lyon and Nice have 5 and 7 offices, respectively" is two statements.

Each member of the one list is put with the member of the other that has its place. Where the lists cannot be told, or
differ in length, nothing is said of what belongs to what.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from pytest_grounded.text.quantities import Quantity, QuantityKind, find_quantities
from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.scripts import UNSPACED
from pytest_grounded.text.wordlists import listed

__all__ = ["counted_off", "counts_off"]

_MARK = re.compile(
    r"[,，、]?\s*(?:\b(?:respectively|respektive|beziehungsweise|bzw\.?|jeweils|respectivement|respectivamente|"
    r"rispettivamente|respectievelijk|odpowiednio|sırasıyla|соответственно)\b|क्रमशः|على التوالي|على الترتيب|"
    r"それぞれ|分别|分別|각각)[,，、]?",
    re.IGNORECASE,
)
_STANDS_BETWEEN = re.compile("beziehungsweise|bzw|respektive", re.IGNORECASE)
_MARKS = tuple(
    sorted(
        listed(
            """
            respective respektive beziehungsweise bzw jeweils respectivamente rispettivamente respectievelijk
            odpowiednio sırasıyla соответственно क्रमशः التوالي الترتيب それぞれ 分别 分別 각각
            """
        )
    )
)
_ASCII_MARKS = tuple(filter(str.isascii, _MARKS))
_AND = r"(?:\s(?:and|und|et|y|e|ed|og|och|en|i|и|ve|और|و|&)\s|\sو(?=\w)|[和与與及]|と(?=[^\sいう])|와\s|과\s)"
_JOIN = re.compile(rf"\s*,?(?:{_AND}|と)\s*|\s*[,、，;]\s*", re.IGNORECASE)
_LAST_JOIN = re.compile(rf",?{_AND}\s*", re.IGNORECASE)
_LEAD = re.compile(
    r"\A\s*(?:[-*•]\s+)?(?:(?:in|im|for|für|en|pour|para|as of|seit|since|under)\b[^,]{1,40},\s*)?", re.IGNORECASE
)
_UNSPACED_ENDS = re.compile(r"[はがにで有为為是的需]|から|까지")
_UNSPACED_LETTER = re.compile(f"[{UNSPACED}]")
_TAIL = re.compile(r"[^\d]*\Z")
_MOST_MEMBERS = 12
_LONGEST = 600


@lru_cache(maxsize=1_024)
def counted_off(text: str, lang: str | None = None) -> tuple[str, ...]:
    """The statements of a sentence that counts off, one for each place of its lists; none of any other sentence.

    >>> counted_off("Lyon and Nice have 5 and 7 offices, respectively.")
    ('Lyon have 5 offices.', 'Nice have 7 offices.')
    >>> counted_off("Sales were $5 and $7 million in 2020 and 2021, respectively.")[1]
    'Sales were $7 million in 2021.'
    >>> counted_off("Lyon and Nice have 5 offices.")
    ()
    """
    if len(text) > _LONGEST or not counts_off(text):
        return ()
    mark = _MARK.search(text)
    if mark is None:
        return ()
    before, after = text[: mark.start()], text[mark.end() :]
    if _STANDS_BETWEEN.search(mark[0]) and before[-1:].isdigit():
        before, after = before + " und", after.removeprefix(".")  # "5 bzw. 7"
    plain = f"{before}{'' if not before or after[:1] in '.;!?。，,' or before[-1:].isspace() else ' '}{after.lstrip()}"
    if _UNSPACED_LETTER.search(mark[0]):
        plain = before + after
    lists = _two_lists(plain, len(before), lang)
    if lists is None:
        return ()
    first, second = sorted(lists)
    return tuple(_with(plain, first, second, place) for place in range(len(first[2])))


@remembered(4_096)
def counts_off(text: str) -> bool:
    """Whether a text has a word that may count off.

    >>> counts_off("5 and 7, respectively"), counts_off("5 and 7")
    (True, False)
    """
    lower = text.lower()
    return any(mark in lower for mark in (_ASCII_MARKS if lower.isascii() else _MARKS))


_List = tuple[int, int, tuple[str, ...]]
"""Start and end of a list in a text, and its members as they stand alone."""


def _with(text: str, first: _List, second: _List, place: int) -> str:
    return (
        text[: first[0]] + first[2][place] + text[first[1] : second[0]] + second[2][place] + text[second[1] :]
    ).strip()


def _two_lists(text: str, mark: int, lang: str | None) -> tuple[_List, _List] | None:
    """The two lists of one length: two runs of figures, or one and the names it stands behind or before."""
    runs = _runs_of_figures(text, lang)
    for one, other in reversed(list(pairwise(runs))):
        if len(one[2]) == len(other[2]):
            return one, other
    last = runs[-1] if runs else _list_at_end(text, mark)
    if last is None:
        return None
    behind = _list_at_end(text, mark if mark > last[1] else len(text.rstrip(" .!?。"))) if runs else None
    names = behind if behind is not None and behind[0] >= last[1] else _list_at_start(text, last[0])
    if names is None or names[1] > last[0] > names[0] or len(names[2]) != len(last[2]):
        return None
    return names, last


def _runs_of_figures(text: str, lang: str | None) -> list[_List]:
    quantities = [
        one for one in find_quantities(text, lang=lang, incidental=True) if one.kind is not QuantityKind.LABEL
    ]
    runs: list[list[Quantity]] = []
    for quantity in quantities:
        if runs and _JOIN.fullmatch(text, runs[-1][-1].end, quantity.start):
            runs[-1].append(quantity)
        else:
            runs.append([quantity])
    return [(run[0].start, run[-1].end, _figures(run)) for run in runs if 1 < len(run) <= _MOST_MEMBERS]


def _figures(run: Sequence[Quantity]) -> tuple[str, ...]:
    """The figures as written, each with the unit that only the last one has."""
    tail = _TAIL.search(run[-1].raw)
    unit = tail[0] if tail is not None and len(tail[0]) < len(run[-1].raw) else ""
    return tuple(one.raw if not unit or not one.raw[-1:].isdigit() else one.raw + unit for one in run)


def _list_at_end(text: str, end: int) -> _List | None:
    """The list that ends at a place; its members have as many words as the last one."""
    joins = list(_LAST_JOIN.finditer(text, 0, end))
    if not joins:
        return None
    last = text[joins[-1].end() : end].rstrip(" ,.!?。")
    size = len(last.split())
    members = [last]
    start = joins[-1].start()
    parts = re.split(r"[,、，]\s*", text[:start])
    while parts and len(members) < _MOST_MEMBERS:
        words = parts[-1].split()
        if len(words) < size or not size:
            break
        members.insert(0, " ".join(words[-size:]))
        start = text.rfind(members[0], 0, start)
        if len(words) > size:
            break
        parts.pop()
    return (start, joins[-1].end() + len(last), tuple(members)) if len(members) > 1 and start >= 0 else None


def _list_at_start(text: str, limit: int) -> _List | None:
    """The list that a text begins with; its last member has as many words as the one before."""
    lead = _LEAD.match(text)
    start = lead.end() if lead is not None else 0
    join = _LAST_JOIN.search(text, start, limit)
    if join is None:
        return None
    members = [part for part in re.split(r"\s*[,、，]\s*|[和与與及と]", text[start : join.start()]) if part]
    rest = text[join.end() : limit]
    if not members:
        return None
    if len(members) == 1 and len(rest.split()) < len(members[0].split()):
        members = [" ".join(members[0].split()[-len(rest.split()) :])] if rest.strip() else members
        start = text.find(members[0], start)
    last = _last_member(rest, members[-1])
    return (start, join.end() + len(last), (*members, last)) if last else None


def _last_member(rest: str, like: str) -> str:
    if _UNSPACED_LETTER.search(like):
        end = _UNSPACED_ENDS.search(rest)
        return rest[: end.start()].rstrip(" 、,，") if end is not None else rest[: len(like)].strip()
    return next(_words(rest, len(like.split())), "")


def _words(text: str, count: int) -> Iterator[str]:
    match = re.match(rf"(?:\S+\s+){{{count - 1}}}[^\s,]+", text)
    if match is not None:
        yield match[0]
