"""Whether the text a person reads says what the claims say: it is the text that is believed.

A sentence of the text that has the words of a claim may not turn it around. Where there is a text, what fills a slot
has to stand in it; an answer without any text is put together by the application from its claims. What is shown beside
text and claims - a step to take, suggested questions, fields of the system's own - may name no amount from nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounded.checks.alignment import plain_roots
from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.statements import invented_beside
from pytest_grounded.checks.states import ClaimState, claim_states, is_answered, shown_text, unsaid_sentences
from pytest_grounded.checks.turning import turned_around
from pytest_grounded.checks.wording import listing, quoted
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.polarity import polarity_profile
from pytest_grounded.text.quantities import Match, find_quantities, match_quantity
from pytest_grounded.text.values import contains_value

__all__ = ["invented_amounts", "turned_texts", "unshown_slots"]

_FEWEST_WORDS = 2


def turned_texts(judged: Judged) -> Iterator[Observation]:
    """Sentences of the text that turn a claim around and that no claim says."""
    others = unsaid_sentences(judged) if is_answered(judged) else ()
    if not others:
        return
    states = [state for state in claim_states(judged) if state.text.strip()]
    by_words: dict[tuple[frozenset[str], str | None], ClaimState] = {}
    for state in states:
        lang = state.sources[0].lang if state.sources else None
        by_words.setdefault((plain_roots(state.text, lang), lang), state)
    langs = dict.fromkeys(lang for _, lang in by_words)
    for sentence in others:
        for lang in langs:
            words = plain_roots(sentence, lang)
            claim = by_words.get((words, lang)) if len(words) >= _FEWEST_WORDS else None
            if claim is None or not _same_figures(sentence, claim.text, lang):
                continue
            problem = turned_around(polarity_profile(sentence, lang=lang), polarity_profile(claim.text, lang=lang))
            if problem:
                message = (
                    f"the text says {quoted(sentence.strip())}, which {problem} {claim.at()}: {quoted(claim.text)}"
                )
                yield report("claim.polarity", message, field="text", chunks=claim.claim.cited)
                break


def unshown_slots(judged: Judged) -> Iterator[Observation]:
    """Slots whose value a claim gives and the text does not."""
    text = shown_text(judged)
    if not is_answered(judged) or not text.strip():
        return
    claimed = " ".join(state.text for state in claim_states(judged))
    for index, slot in enumerate(judged.case.expect.slots):
        given = [value for value in slot.values if contains_value(claimed, value)]
        if given and not any(contains_value(text, value) for value in slot.values):
            value = listing(map(quoted, given), last="or")
            message = f"slot {quoted(slot.name)}: a claim states {value}, and the text that is shown does not"
            yield report("slot.missing", message, field=f"expect.slots[{index}]")


def invented_amounts(judged: Judged) -> Iterator[Observation]:
    """Amounts beside the answer that neither a source nor the question has."""
    for statement in invented_beside(judged) if is_answered(judged) else ():
        message = f"{quoted(statement.value)} stands beside the answer, and neither a source nor the question has it"
        yield report("number.unsupported", message, field=statement.path)


def _same_figures(left: str, right: str, lang: str | None) -> bool:
    """Whether two texts give the same figures: "no longer $150" says nothing of $180."""
    ours, theirs = find_quantities(left, words=lang), find_quantities(right, words=lang)
    return len(ours) == len(theirs) and all(
        match_quantity(one, other) is Match.EQUAL for one, other in zip(ours, theirs, strict=True)
    )
