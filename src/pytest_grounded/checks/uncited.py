"""Whether the shown text states something that no claim has: a number, date, amount, code or name without a source."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.counting import listed_counts
from pytest_grounded.checks.denials import is_denied, quotation_at
from pytest_grounded.checks.lookup import QuantityIndex
from pytest_grounded.checks.naming import knows_name, names_in
from pytest_grounded.checks.number_states import number_table
from pytest_grounded.checks.passages import word_roots
from pytest_grounded.checks.quote_states import QuoteFate, is_verbatim, quote_states
from pytest_grounded.checks.service import is_of_the_service
from pytest_grounded.checks.statements import in_question, is_count, value_index
from pytest_grounded.checks.states import (
    cited_chunks,
    claim_states,
    evidence_chunks,
    is_answered,
    is_echo,
    known_markers,
    quantities_said,
    question_text,
    shown_text,
    unclaimed_text,
)
from pytest_grounded.checks.wording import listing, quoted
from pytest_grounded.model.finding import Observation
from pytest_grounded.model.vocabulary import Decision
from pytest_grounded.text.quantities import Match, Quantity, QuantityKind, best_match
from pytest_grounded.text.scripts import same_language
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.values import contains_value

__all__ = ["check_uncited"]

_AMOUNTS = frozenset({QuantityKind.MONEY, QuantityKind.PERCENT, QuantityKind.MEASURE})
_MOST_ALIKE = 2_000
_MOST_SCANNED = 200
_MOST_SHOWN = 5


def check_uncited(judged: Judged) -> Iterator[Observation]:
    """Report each sentence of the text that states what no claim, no good quote and no shown side has."""
    response = judged.response
    if response is None or not shown_text(judged).strip():
        return
    if response.decision in (Decision.ABSTAIN, Decision.ESCALATE):
        return  # what an abstention states is a contradiction
    if is_answered(judged) and not any(state.text.strip() for state in claim_states(judged)) and not response.conflicts:
        return  # an answer without a claim is one finding, not one per sentence
    text = unclaimed_text(judged)
    if not any(map(str.isalnum, text)):
        return
    cited = _Cited(judged)
    quantities = list(quantities_said(judged, text))
    known: set[str] = set()
    at = 0
    place = 0
    for sentence in split_sentences(text):
        end = at + len(sentence)
        uncited: list[str] = []
        while place < len(quantities) and quantities[place].start < end:
            quantity = quantities[place]
            # Said once without a source, said always: the same figure is not looked up a thousand times.
            if quantity.raw in known or not (cited.has(text, quantity) or _is_set_aside(judged, text, quantity)):
                known.add(quantity.raw)
                uncited.append(quantity.raw)
            place += 1
        uncited += cited.unknown_names(sentence)
        if uncited:
            message = f"no claim states {_some(uncited)}: {quoted(sentence)}"
            yield report("claim.uncited_text", message, field="text")
        at = end


def _some(stated: list[str]) -> str:
    """The first of what is stated, and how many more there are."""
    distinct = list(dict.fromkeys(stated))
    left_out = len(distinct) - _MOST_SHOWN
    shown = [quoted(one) for one in distinct[:_MOST_SHOWN]]
    return listing((*shown, f"{left_out} more") if left_out > 0 else shown)


def _is_set_aside(judged: Judged, text: str, quantity: Quantity) -> bool:
    """Whether a value of a document, or a forbidden one, is only denied ("$180, not $150") or quoted."""
    forbidden = any(contains_value(quantity.raw, value) for value in judged.case.forbid.values)
    if not forbidden and not value_index(judged.view).holders(quantity):
        return False
    return is_denied(text, quantity.start, quantity.end) or _is_quotation(judged, text, quantity)


def _is_quotation(judged: Judged, text: str, quantity: Quantity) -> bool:
    """Whether it stands in a quotation that a document of the evidence has word for word."""
    span = quotation_at(text, quantity.start, quantity.end)
    return span is not None and any(is_verbatim(text[slice(*span)], chunk) for chunk in evidence_chunks(judged))


class _Cited:
    """What the response states with a source."""

    def __init__(self, judged: Judged) -> None:
        self._judged = judged
        self._answered = is_answered(judged)
        self._texts = tuple(_cited_texts(judged))
        stated = (quantity for text in self._texts for quantity in quantities_said(judged, text, incidental=True))
        self._quantities = (*stated, *_labels(judged))
        self._index = QuantityIndex((quantity, None) for quantity in self._quantities)
        self._counts = _counts(judged)
        self._ids = known_markers(judged).ids
        self._scans = _MOST_SCANNED

    def has(self, text: str, quantity: Quantity) -> bool:
        """Whether a quantity of the text needs no further source."""
        if not self._answered and quantity.kind not in _AMOUNTS:
            return True  # how many documents were searched, when to ask again: a counter-question may say so
        if is_of_the_service(text, quantity) or (quantity.kind is QuantityKind.CODE and quantity.raw in self._ids):
            return True
        if quantity in self._index or self._is_rounded(quantity):
            return True
        if in_question(self._judged, quantity) or is_echo(self._judged, quantity):
            return True
        return is_count(quantity) and quantity.value is not None and int(quantity.value) in self._counts

    def _is_rounded(self, quantity: Quantity) -> bool:
        """Whether it rounds something that is cited; looked for no more often than an honest text needs."""
        self._scans -= 1
        return self._scans >= 0 and best_match(quantity, self._quantities[:_MOST_ALIKE])[0] is Match.EQUAL

    def unknown_names(self, sentence: str) -> tuple[str, ...]:
        """Names of a sentence that nothing cited, asked or known of the sources has."""
        words, known = self._known
        if not self._answered or words.issuperset(word_roots(sentence)):
            return ()
        unknown = tuple(name for name in names_in(sentence) if not knows_name(name, known))
        return unknown if unknown and same_language(sentence, " ".join(self._texts)) is not False else ()

    @cached_property
    def _known(self) -> tuple[frozenset[str], str]:
        """The words of everything a name may come from, and all of it as one text."""
        known = _known_texts(self._judged, self._texts)
        return frozenset(root for text in known for root in word_roots(text)), "\n".join(known)


def _known_texts(judged: Judged, cited: tuple[str, ...]) -> tuple[str, ...]:
    """Where a name may come from besides claims and quotes: the sources, who asks, and the question."""
    about: list[str] = []
    for chunk_id in cited_chunks(judged):
        chunk = judged.view.readable.get(chunk_id)
        if chunk is not None:
            parts = (chunk.id, chunk.title, chunk.document, chunk.version, chunk.locator)
            about += [part.replace("-", " ").replace("_", " ") for part in parts if part]
    requester = judged.case.requester
    return (*cited, *about, requester.id, requester.tenant or "", *requester.audience, question_text(judged))


def _cited_texts(judged: Judged) -> Iterator[str]:
    for state in claim_states(judged):
        yield state.text
    for quote in quote_states(judged):
        if quote.fate in (QuoteFate.GOOD, QuoteFate.TOO_SHORT):
            yield quote.quote
    for conflict in judged.response.conflicts if judged.response else ():
        for side in conflict.sides:
            yield side.value


def _counts(judged: Judged) -> frozenset[int]:
    """How many things the answer lists: claims, sources, sides, lines."""
    sides = [len(conflict.sides) for conflict in judged.response.conflicts] if judged.response else []
    listed = listed_counts(shown_text(judged))
    return frozenset({len(claim_states(judged)), len(cited_chunks(judged)), *sides, *listed} - {0, 1})


def _labels(judged: Judged) -> Iterator[Quantity]:
    """What the cited chunks are labelled with: their version, their days."""
    for chunk_id in cited_chunks(judged):
        chunk = judged.view.readable.get(chunk_id)
        if chunk is not None:
            yield from number_table(chunk).about
