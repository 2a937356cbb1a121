"""Which kind of figure a question asks for, and whether a passage states one of that kind.

An amount does not answer how long something takes, nor a period what it costs. Only figures are told apart, and a list
of sorts: what else a question may want (a person, a place, a way) is not. English first; of other languages the
commonest words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache

from pytest_grounded.text.quantities import Quantity, QuantityKind, find_quantities

__all__ = ["AnswerKind", "figures_to_check", "kind_asked", "kind_of_figures", "states_kind"]


class AnswerKind(StrEnum):
    """A kind of figure that only a figure of that kind answers."""

    AMOUNT = "amount"
    """Money: a fee, a price, what something costs, in an amount or in per cent, or that it is free."""
    PERIOD = "period"
    """How long: a duration, or a time or date that ends it."""
    LEAD = "lead"
    """How long before something: a duration that is said to lie before it."""
    MEASURE = "measure"
    """A distance, a weight, a size."""
    SHARE = "share"
    """A percentage or a fraction."""
    COUNT = "count"
    """How many there are: a number that is neither money nor a date."""
    FIGURE = "figure"
    """Any figure: a limit, a rate, how much."""
    SORTS = "sorts"
    """Which sorts of a thing there are: no figure, but a passage that speaks of sorts."""


@lru_cache(maxsize=4_096)
def kind_asked(text: str) -> AnswerKind | None:
    """The kind of figure that a question asks for; None where it asks for no figure.

    >>> [kind_asked(text) for text in ("What is the fee for a visa?", "How long may it take?", "Who may ask?")]
    [<AnswerKind.AMOUNT: 'amount'>, <AnswerKind.PERIOD: 'period'>, None]
    >>> kind_asked("Which level approves a rate that is higher?") is None
    True
    """
    folded = " ".join(text.casefold().split())
    return next((kind for kind, asks in _ASKS if asks.search(folded)), None)


def states_kind(kind: AnswerKind, passage: str, *, lang: str | None = None, asked: str = "") -> bool:
    """Whether a passage states a figure of a kind; one that only repeats the question is none.

    >>> states_kind(AnswerKind.AMOUNT, "Ask 3 days before."), states_kind(AnswerKind.AMOUNT, "A visa is free.")
    (False, True)
    >>> states_kind(AnswerKind.LEAD, "Flights longer than 8 hours."), states_kind(AnswerKind.LEAD, "14 days ahead.")
    (False, True)
    """
    if kind is AnswerKind.AMOUNT and _FREE.search(passage):
        return True
    if kind is AnswerKind.SHARE and _IN_WORDS_SHARE.search(passage):
        return True
    if kind is AnswerKind.SORTS:
        return _NAMES_SORTS.search(passage) is not None
    stated = find_quantities(passage, lang=lang, incidental=True)
    return any(_is_of(kind, figure, passage) for figure in _new(stated, asked))


def figures_to_check(text: str) -> tuple[Quantity, ...]:
    """The figures that a yes-or-no question wants confirmed; none in any other question.

    A year, a date and the number of a section are conditions and not what is to be confirmed.

    >>> [figure.raw for figure in figures_to_check("Is the limit $150 in 2024?")], figures_to_check("Who paid $150?")
    (['$150'], ())
    """
    if not _WHETHER.match(text.strip().casefold()) and not _WHETHER_UNSPACED.search(text):
        return ()
    return tuple(
        figure
        for figure in find_quantities(text)
        if figure.value is not None
        and figure.calendar_year is None
        and (figure.unit is not None or figure.noun is not None)
        and figure.kind not in {QuantityKind.TIME, QuantityKind.ORDINAL}
    )


def kind_of_figures(figures: Iterable[Quantity]) -> AnswerKind | None:
    """The kind of figure that answers whether some figures are right; None where there are none.

    >>> kind_of_figures(figures_to_check("Is the limit $150?"))
    <AnswerKind.AMOUNT: 'amount'>
    """
    return next((_KIND_OF.get(figure.kind, AnswerKind.FIGURE) for figure in figures), None)


_MONEY_WORD = "fee|price|cost|fare|surcharge"
_MONEY_WORDS = "fees?|prices?|costs?|fares?|surcharges?"
_ANY_WORD = "amount|limit|rate|cap|charge|threshold|maximum|minimum|allowance"
_ANY_WORDS = "amounts?|limits?|rates?|caps?|charges?|thresholds?|maximum|minimum|allowances?"
_PLAIN = r"(?:(?!of\b|for\b|in\b|on\b|to\b|that\b|which\b)[\w$-]+ ){0,4}"
_DETERMINED = r"\b(?:what|which) (?:[\w-]+ ){0,2}"
_COPULA = rf"\bwhat(?:'s| is| are| was| were| will be) {_PLAIN}"
_TIME_UNITS = r"(?:working |business |calendar )?(?:seconds|minutes|hours|days|nights|weeks|months|years)"
_LENGTH_UNITS = (
    r"km|kilomet(?:er|re)s|miles|met(?:er|re)s|feet|inches|kg|kilos|kilograms|pounds|tonnes|tons|lit(?:er|re)s"
)
_SORTS = "(?:kinds|types|sorts|categories|classes)"
_BEFOREHAND = r"before|prior|in advance|ahead|beforehand"
_ASKS: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (AnswerKind.LEAD, rf"\bhow (?:long|far|soon|early|many {_TIME_UNITS})\b.{{0,60}}\b(?:{_BEFOREHAND})\b"),
        (AnswerKind.SORTS, rf"\b(?:which|what) (?:(?:are the|different|other|main) )*{_SORTS} of\b"),
        (AnswerKind.MEASURE, rf"\bhow (?:many|much) (?:{_LENGTH_UNITS})\b"),
        (AnswerKind.PERIOD, rf"\bhow (?:long|late|early|many {_TIME_UNITS})\b|多久|几[天个年月]|\bwie lange\b"),
        (
            AnswerKind.SHARE,
            rf"{_DETERMINED}(?:percentage|percent|proportion|share)\b|{_COPULA}(?:percentage|percent|proportion)\b",
        ),
        (
            AnswerKind.AMOUNT,
            (
                rf"{_DETERMINED}(?:{_MONEY_WORD})\b|{_COPULA}(?:{_MONEY_WORDS})\b|"
                r"\b(?:what|how much) (?:do|does|did|will|would|can|may) .{1,80}\bcosts?\b|"
                r"\bhow much (?:money|is paid|is charged|do i pay|is the (?:fee|price|fare))\b|多少[元钱]"
            ),
        ),
        (AnswerKind.COUNT, r"\bhow many\b|\bwie viele\b|\bcuánt[oa]s\b|几[位名次份人]"),
        (
            AnswerKind.FIGURE,
            (
                rf"\bhow (?:much|far|high|big|large|old)\b|{_DETERMINED}(?:{_ANY_WORD})\b|"
                rf"{_COPULA}(?:{_ANY_WORDS})\b|\bwie (?:viel|hoch)\b|\bcombien\b|\bcuánto\b|\bquant[oiae]s?\b|多少"
            ),
        ),
    )
)
_WHETHER = re.compile(
    r"(?:and |but |so )?(?:is|are|was|were|do|does|did|can|could|may|must|should|shall|will|would|has|have|"
    r"ist|sind|darf|kann|muss|est-ce|puis-je)\b(?! (?:what|which|who|how|when|where)\b)"
)
_WHETHER_UNSPACED = re.compile("是否|吗[？?]?$|是不是|能否")
_NAMES_SORTS = re.compile(r"\b(?:kinds?|types?|sorts?|categor(?:y|ies)|class(?:es)?)\b", re.IGNORECASE)
_FREE = re.compile(
    r"\b(?:free(?: of charge)?|no (?:extra |additional )?(?:fee|charge|cost)s?|at no (?:extra |additional )?cost|"
    r"without (?:charge|a fee)|waived|in full|complimentary|kostenlos|gratuit|gratis)\b|免费",
    re.IGNORECASE,
)
_IN_WORDS_SHARE = re.compile(
    r"\b(?:half|halves|third|thirds|quarters?|in full|all of|none of|entirely|wholly)\b|全部|一半", re.IGNORECASE
)
_LEADS = re.compile(
    r"\W*(?:[\w-]+\W+){0,4}?(?:before|prior|in advance|ahead|beforehand|earlier|notice|early)\b|\W*(?:之?前)",
    re.IGNORECASE,
)
_OR_MORE = re.compile(rf"(?:\+| or (?:more|fewer|less|so)) {_TIME_UNITS}\b", re.IGNORECASE)
_QUALIFIED = re.compile(rf"[ -](?:[^\W\d_]+(?:-[^\W\d_]+)?[ ])?{_TIME_UNITS}\b", re.IGNORECASE)
"""A measure of time behind one word that says which: 2 school days, 10 consecutive nights."""
_KIND_OF = {
    QuantityKind.MONEY: AnswerKind.AMOUNT,
    QuantityKind.DURATION: AnswerKind.PERIOD,
    QuantityKind.MEASURE: AnswerKind.MEASURE,
    QuantityKind.PERCENT: AnswerKind.SHARE,
}


def _new(stated: Sequence[Quantity], asked: str) -> tuple[Quantity, ...]:
    """The figures but for the years and dates of the question: one that a passage repeats answers nothing."""
    echoed = {one.calendar_year for one in find_quantities(asked)} - {None} if asked else set()
    return tuple(one for one in stated if one.calendar_year not in echoed)


def _is_of(kind: AnswerKind, figure: Quantity, passage: str) -> bool:
    match kind:
        case AnswerKind.AMOUNT:
            is_rate = figure.kind is QuantityKind.PERCENT
            return is_rate or figure.kind is QuantityKind.MONEY or bool(figure.hints)
        case AnswerKind.PERIOD:
            return _is_period(figure, passage)
        case AnswerKind.LEAD:
            return _is_period(figure, passage) and _LEADS.match(passage, figure.end) is not None
        case AnswerKind.MEASURE:
            return figure.kind is QuantityKind.MEASURE
        case AnswerKind.SHARE:
            return figure.kind is QuantityKind.PERCENT or figure.fraction
        case AnswerKind.COUNT:
            return figure.kind not in {QuantityKind.MONEY, QuantityKind.PERCENT} and not _is_dated(figure)
        case AnswerKind.FIGURE | AnswerKind.SORTS:
            return not _is_dated(figure)


def _is_period(figure: Quantity, passage: str) -> bool:
    return figure.is_period or any(pattern.match(passage, figure.end) for pattern in (_OR_MORE, _QUALIFIED))


def _is_dated(figure: Quantity) -> bool:
    """Whether a figure is a date, a year, a time of day or a code, and so no amount of anything."""
    dated = {QuantityKind.DATE, QuantityKind.TIME, QuantityKind.CODE}
    return figure.kind in dated or figure.calendar_year is not None
