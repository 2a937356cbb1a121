"""Whether the parts of a question that the corpus does not cover are named as missing, and left without a value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.states import claim_states, question_quantities, shown_text
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.case import MissingPart
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.clauses import split_clauses
from pytest_grounded.text.folding import fold
from pytest_grounded.text.polarity import negations
from pytest_grounded.text.quantities import Match, find_quantities, match_quantity
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.values import contains_value
from pytest_grounded.text.words import content_words

__all__ = ["check_missing"]


def check_missing(judged: Judged) -> Iterator[Observation]:
    """Look for each missing part of the case in `missing`, the text and the claims."""
    if judged.response is None or _is_over_refusal(judged):
        return
    for index, part in enumerate(judged.case.expect.missing):
        filled = next(_values(judged, part), None)
        if filled is not None:
            path, value = filled
            message = f"{quoted(part.name)} is not in the documents, and was given {quoted(value)}"
            yield report("slot.filled_though_missing", message, field=path)
        elif not _is_named(judged, part):
            message = f"{quoted(part.name)} is not in the documents, and neither `missing` nor the text says so"
            yield report("slot.unnamed", message, field=f"expect.missing[{index}]")


def _is_over_refusal(judged: Judged) -> bool:
    """Whether nothing was answered though something should have been: that is one finding, not one for every part."""
    expected, response = judged.case.expect.decision, judged.response
    if expected is None or response is None or response.decision in expected:
        return False
    return not response.decision.answers


def _is_named(judged: Judged, part: MissingPart) -> bool:
    response = judged.response
    if response is None:
        return False
    texts = (*response.missing, *split_sentences(shown_text(judged)))
    return any(_names(text, name) for text in texts for name in part.names)


def _names(text: str, name: str) -> bool:
    """Whether a text has the words of a name, in any order, as whole words; in scripts without spaces as they stand."""
    if contains_value(text, name):
        return True
    wanted = _words(name)
    return (bool(wanted) and wanted <= _words(text)) or (_is_unspaced(name) and fold(name) in fold(text))


_WORD = re.compile(r"[^\W_]+")


def _words(text: str) -> frozenset[str]:
    # Single letters count: plan B is not plan A.
    return frozenset((*content_words(text), *(word for word in _WORD.findall(fold(text)) if len(word) == 1)))


def _is_unspaced(name: str) -> bool:
    return any(ord(character) >= _UNSPACED_SCRIPTS for character in name)


_UNSPACED_SCRIPTS = 0x0E00


def _values(judged: Judged, part: MissingPart) -> Iterator[tuple[str, str]]:
    """Values that the response gives a missing part, in one clause with its name."""
    own = [quantity for name in part.names for quantity in find_quantities(name, incidental=True, labels=True)]
    excluded = (*own, *question_quantities(judged))
    for path, text in _texts(judged):
        for segment in _segments(text, part):
            for quantity in find_quantities(segment):
                if not any(match_quantity(quantity, other) is Match.EQUAL for other in excluded):
                    yield path, quantity.raw


def _texts(judged: Judged) -> Iterator[tuple[str, str]]:
    yield "text", shown_text(judged)
    for state in claim_states(judged):
        yield state.at("text"), state.text
    for index, entry in enumerate(judged.response.missing if judged.response else ()):
        yield f"missing[{index}]", entry


def _segments(text: str, part: MissingPart) -> Iterator[str]:
    """The clauses that speak of the part and do not say that nothing is known.

    A clause that only names it ("for plan B, ...") speaks of it together with the next one.
    """
    for sentence in split_sentences(text):
        if not any(_names(sentence, name) for name in part.names):
            continue
        clauses = [sentence[start:end] for start, end in split_clauses(sentence, fine=True)]
        for place, clause in enumerate(clauses):
            if not any(contains_value(clause, name) or _names(clause, name) for name in part.names):
                continue
            if not find_quantities(clause) and _LEADS_IN.match(clause) and place + 1 < len(clauses):
                clause += clauses[place + 1]  # noqa: PLW2901 - the two are one clause
            if not negations(clause):
                yield clause


_LEADS_IN = re.compile(
    r"\W*(?:and\s+|und\s+|et\s+|y\s+)?(?:for|in|at|on|with|as|regarding|concerning|für|bei|in|mit|pour|chez|avec|à|para|en|con|per|voor)\b",
    re.IGNORECASE,
)
