"""Whether a claim has its source's words and says something else with them: in another order, or with one other "from".

Who approves whose trips, what is moved from where to where, which of two is cheaper, what holds until a day and what
from it on. Decided only where claim and source have the same words, one small word aside; the order of anything else is
for a support judge.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, permutations

from pytest_grounded.checks.alignment import ordered_roots
from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.passages import Passage, PassageTable, once_per_table, passage_table, root
from pytest_grounded.checks.states import ClaimState, is_answered, speaks_the_same
from pytest_grounded.checks.unsaid import unsaid_claims, unsaid_inside
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.polarity import modals
from pytest_grounded.text.word_order import Order, Word, compare_order, order_words, windows
from pytest_grounded.text.wordlists import listed
from pytest_grounded.text.words import STOP_WORDS, stem

__all__ = ["keeps_order", "reordered_claims", "says_in_order", "says_the_converse"]

_LONGEST = 4_000
"""A passage longer than this has no sentences to compare."""
_MOST_WORDS = 60
_MOST_PASSAGES = 40
"""A chunk that says nearly the same more often than this is compared with no further."""


def reordered_claims(judged: Judged) -> Iterator[Observation]:
    """Look for what changed places, and for the small word that is another one."""
    if not is_answered(judged):
        return
    for state in (*unsaid_claims(judged), *unsaid_inside(judged)):
        if not state.text.strip():
            continue
        found = [one for chunk in state.sources for one in _compared(judged, state, chunk)]
        if found and all(problem for _, _, problem in found):  # one passage that says it is enough
            chunk, passage, problem = found[0]
            message = f"{quoted(state.text)} {problem} {chunk.id}: {quoted(passage.text)}"
            yield report("claim.polarity", message, field=state.at("text"), chunks=[chunk.id])


def keeps_order(claim: str, source: str, lang: str | None) -> bool:
    """Whether a claim has the words of a part of its source in an order that says the same, and as many "to", "from".

    >>> keeps_order("In June the office opens.", "the office opens in June", None)
    True
    >>> keeps_order("Trains run from Lyon to Paris.", "trains run from Paris to Lyon", None)
    False
    """
    ours, theirs = order_words(claim), order_words(source)
    orders = _orders(ours, theirs)
    if _FINE & orders:
        return True
    if _is_same_in_passive(claim, source, lang):
        return True
    if orders or _directions(ours) != _directions(theirs):
        return False
    left, right = (tuple(dict.fromkeys(ordered_roots(text, lang))) for text in (claim, source))
    return compare_order([Word(key) for key in left], [Word(key) for key in right]).order in _FINE


def says_in_order(claim: str, source: str) -> bool:
    """Whether a stretch of a source has all words of a claim, the small ones too, in an order that says the same.

    >>> says_in_order("Give notice to refuse it.", "To refuse it, give notice.")
    True
    """
    return bool(_FINE & _orders(order_words(claim), order_words(source)))


def _orders(claim: Sequence[Word], source: Sequence[Word]) -> set[Order]:
    return {compare_order(claim, window).order for window in windows(claim, source)}


_FINE = {Order.SAME, Order.MOVED}
_DIRECTIONS = listed("from to into onto off by against until since through via or")


def _directions(words: tuple[Word, ...]) -> Counter[str]:
    return Counter(word.key for word in words if word.key in _DIRECTIONS)


def _compared(judged: Judged, state: ClaimState, chunk: Chunk) -> Iterator[tuple[Chunk, Passage, str]]:
    """Each passage that has the claim's words, with what the claim does to it; nothing where it says it."""
    words = order_words(state.text)
    if not 1 < len(words) <= _MOST_WORDS or not speaks_the_same(judged, state.text, chunk):
        return
    said, may_differ = _roots(words), _odd_words()
    alike = (passage for passage, keys in _with_words(passage_table(chunk)) if said - keys <= may_differ)
    for passage in islice(alike, _MOST_PASSAGES):
        yield from ((chunk, passage, problem) for problem in _problems(state.text, passage.text, chunk.lang))


@once_per_table
def _with_words(table: PassageTable) -> tuple[tuple[Passage, frozenset[str]], ...]:
    """The passages of a chunk that can be compared, each with its words."""
    short = (passage for passage in table.sentences if len(passage.text) <= _LONGEST)
    return tuple((passage, _roots(order_words(passage.text))) for passage in short)


def _roots(words: Sequence[Word]) -> frozenset[str]:
    return frozenset(root(word.key) for word in words)


def _problems(claim: str, source: str, lang: str | None) -> Iterator[str]:
    ours, theirs = order_words(claim), order_words(source)
    for window in windows(ours, theirs):
        found = compare_order(ours, window)
        if found.order is Order.EXCHANGED:
            yield f"exchanges {quoted(' '.join(found.first))} and {quoted(' '.join(found.second))} of"
        elif found.order in _FINE:
            only_moved = {(word,) for word in _ONLY} & {found.first, found.second}
            yield _moved_only(ours, window) if only_moved else ""
    for window in windows(ours, theirs, differing=1):
        yield from _other_word(ours, window)
    if _adds_only(ours, theirs):
        yield "limits what is not limited in"
    if _is_turned_in_passive(claim, source, lang):
        yield "exchanges who does it and to whom it is done in"


def says_the_converse(claim: str, source: str) -> bool:
    """Whether a claim has one other word than its source and what it relates exchanged, so that both may be right.

    >>> says_the_converse("Plan A is cheaper than plan B.", "Plan B is more expensive than plan A.")
    True
    >>> says_the_converse("Plan B is cheaper than plan A.", "Plan B is more expensive than plan A.")
    False
    """
    ours, theirs = (
        tuple(word for word in order_words(text) if word.key not in {"more", "less"}) for text in (claim, source)
    )
    return any(_is_converse(ours, window) for window in windows(ours, theirs, differing=1))


def _is_converse(claim: Sequence[Word], source: Sequence[Word]) -> bool:
    counts = Counter(word.key for word in claim)
    counts.subtract(word.key for word in source)
    ours = next(key for key, count in counts.items() if count > 0)
    theirs = next(key for key, count in counts.items() if count < 0)
    same = [word._replace(key=theirs) if word.key == ours else word for word in claim]
    return compare_order(same, source).order is Order.EXCHANGED


# --- one small word ------------------------------------------------------------------------------------------------

_EXCLUSIVE = (
    "january february march april may june july august september october november december",
    "jan feb mar apr jun jul aug sep sept oct nov dec",
    "monday tuesday wednesday thursday friday saturday sunday",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "from until",
    "from to",
    "from into",
    "since until",
    "once until",
    "after until",
    "before after",
    "if unless",
    "if until",
    "with without",
    "above below",
    "over under",
    "inside outside",
    "in outside",
    "into out",
    "for against",
    "both either",
    "up down",
    "on off",
    "towards from",
    "ab bis",
    "vor nach",
    "von nach",
    "mit ohne",
    "für gegen",
    "avant après",
    "avec sans",
    "antes después",
    "con sin",
    "desde hasta",
    "前 后",
    "前 後",
    "内 外",
)
"""Words of which one says another thing than the others wherever both can stand."""


@lru_cache(maxsize=1)
def _excluded() -> frozenset[tuple[str, str]]:
    return frozenset(pair for line in _EXCLUSIVE for pair in permutations(map(stem, line.split()), 2))


@lru_cache(maxsize=1)
def _odd_words() -> frozenset[str]:
    """The words that a claim may have and its source not: those of which it has the other one, and those that limit.

    A passive has small words of its own as well.
    """
    return frozenset(map(root, {word for pair in _excluded() for word in pair} | _ONLY | STOP_WORDS))


def _other_word(claim: Sequence[Word], source: Sequence[Word]) -> Iterator[str]:
    """The one place in which a claim has another small word than its source, where the two exclude one another."""
    differing = [(ours.key, theirs.key) for ours, theirs in zip(claim, source, strict=True) if ours.key != theirs.key]
    if len(differing) != 1:
        return
    ours, theirs = differing[0]
    if (ours, theirs) in _excluded() or ({ours, theirs} == {"and", "or"} and _requires(source)):
        yield f"says {quoted(ours)} where {quoted(theirs)} stands in"


def _requires(words: Sequence[Word]) -> bool:
    """Whether something has to be: there one of two is not both of them."""
    return "obligation" in modals(" ".join(word.key for word in words))


_ONLY = listed("only just solely merely nur ausschließlich seulement uniquement sólo solo solamente soltanto")


def _moved_only(claim: Sequence[Word], source: Sequence[Word]) -> str:
    """Whether a word that limits what follows it stands before all or was taken away from there.

    "Only staff may book" is no "staff may only book"; whether it stands before a verb or behind it is style.
    """
    ours, theirs = _limited_first(claim), _limited_first(source)
    return "moves what is limited in" if ours != theirs else ""


def _adds_only(claim: Sequence[Word], source: Sequence[Word]) -> bool:
    """Whether a claim is its source with one word that limits put in; before a number ("only 5 days") it judges."""
    places = [place for place, word in enumerate(claim) if word.key in _ONLY]
    if len(places) != 1 or any(word.key in _ONLY for word in source):
        return False
    place = places[0]
    if place + 1 < len(claim) and claim[place + 1].key[0].isdigit():
        return False
    rest = (*claim[:place], *claim[place + 1 :])
    return any(compare_order(rest, window).order is Order.SAME for window in windows(rest, source))


def _limited_first(words: Sequence[Word]) -> bool:
    """Whether the first word that says something is one that limits."""
    return next((word.key in _ONLY for word in words if word.key in _ONLY or word.key not in STOP_WORDS), False)


# --- passive -------------------------------------------------------------------------------------------------------

_PASSIVE = re.compile(
    r"^(?P<left>.{2,120}?)\s(?:is|are|was|were|be|been|being)\s(?:(?:\w+ly|also|always|then|not)\s)?(?P<verb>[^\W\d_]{3,})\s"
    r"by\s(?!\w+ing\b|\d)(?P<agent>.{2,80}?)(?P<rest>\s(?:in|on|at|for|to|from|with|within|before|after|if|when|unless|and)\s.*)?$",
    re.IGNORECASE | re.DOTALL,
)


def _is_same_in_passive(claim: str, source: str, lang: str | None) -> bool:
    """Whether one text is the passive of the other: "B is approved by A", "A approves B"."""
    return any(_in_active(one, lang) == ordered_roots(other, lang) for one, other in ((claim, source), (source, claim)))


def _is_turned_in_passive(claim: str, source: str, lang: str | None) -> bool:
    """Whether one text is a passive and the other, which is none, has who does it and to whom exchanged."""
    for one, other in ((claim, source), (source, claim)):
        active = [Word(key) for key in _in_active(one, lang)]
        plain = [Word(key) for key in ordered_roots(other, lang)]
        if len(active) == len(plain) and " by " not in other and Counter(active) == Counter(plain):
            return bool(active) and compare_order(plain, active).order is Order.EXCHANGED
    return False


def _in_active(text: str, lang: str | None) -> tuple[str, ...]:
    """The roots of a passive sentence with who does it first; empty where it is none."""
    found = _PASSIVE.match(text.strip(" ."))
    if found is None:
        return ()
    parts = (found["agent"], found["verb"], found["left"], found["rest"] or "")
    return tuple(root for part in parts for root in ordered_roots(part, lang))
