"""Whether the parts of a question that the corpus does not cover are named as missing, and left without a value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.states import claim_states, quantities_said, question_quantities, shown_text
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
    wanted, words = _words(name), _words(text)
    found = all(word in words or f"{word}s" in words or word.removesuffix("s") in words for word in wanted)
    return (bool(wanted) and found) or (_is_unspaced(name) and fold(name) in fold(text))


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
    for path, segment in _segments(judged, part):
        for quantity in quantities_said(judged, segment):
            if not any(match_quantity(quantity, other) is Match.EQUAL for other in excluded):
                yield path, quantity.raw


def _segments(judged: Judged, part: MissingPart) -> Iterator[tuple[str, str]]:
    """The stretches of the response that speak of the part, with their paths."""
    for segment in _clauses(shown_text(judged), part):
        yield "text", segment
    for state in claim_states(judged):
        for segment in _clauses(state.text, part):
            yield state.at("text"), segment
    for index, entry in enumerate(judged.response.missing if judged.response else ()):
        if any(_names(entry, name) for name in part.names):
            yield f"missing[{index}]", entry


def _clauses(text: str, part: MissingPart) -> Iterator[str]:
    """The clauses that name the part and do not say that nothing is known.

    A clause that only leads in ("for plan B, ...") goes on in the next one, and so does one before a bracket.
    """
    for sentence in split_sentences(text):
        if not any(_names(sentence, name) for name in part.names):
            continue
        clauses = [sentence[start:end] for start, end in split_clauses(sentence, fine=True)]
        for clause, following in zip(clauses, (*clauses[1:], ""), strict=True):
            if not any(_names(clause, name) for name in part.names):
                continue
            goes_on = not find_quantities(clause) and (_LEADS_IN.match(clause) or following.startswith("("))
            whole = clause + following if goes_on else clause
            if not negations(whole):
                yield whole


_LEADS_IN = re.compile(
    r"\W*(?:and\s+|und\s+|et\s+|y\s+)?(?:for|in|at|on|with|as|regarding|concerning|für|bei|in|mit|pour|chez|avec|à|para|en|con|per|voor)\b",
    re.IGNORECASE,
)
