"""Whether a claim denies its source, or affirms what it denies, in a language that does so with more than one word.

Decided where a sentence or clause of the source is the claim but for the negation and what comes and goes with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.passages import PassageTable, passage_table
from pytest_grounded.checks.said import is_said
from pytest_grounded.checks.states import ClaimState, is_answered, pieces_of, speaks_the_same, statements
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.clauses import split_clauses
from pytest_grounded.text.denied import cores

__all__ = ["denying_claims"]


def denying_claims(judged: Judged) -> Iterator[Observation]:
    """Look for the sentence that is a claim's but for the negation."""
    if not is_answered(judged):
        return
    for state in statements(judged):
        if not state.text.strip() or any(is_said(state.text, chunk) for chunk in state.sources):
            continue
        found = [
            one for chunk in state.sources if speaks_the_same(judged, state.text, chunk) for one in _met(state, chunk)
        ]
        if found and all(denies is not None for _, _, denies in found):  # one sentence that says it is enough
            chunk, sentence, denies = found[0]
            problem = "denies what is affirmed in" if denies else "affirms what is denied in"
            message = f"{quoted(state.text)} {problem} {chunk}: {quoted(sentence)}"
            yield report("claim.polarity", message, field=state.at("text"), chunks=[chunk])


def _met(state: ClaimState, chunk: Chunk) -> Iterator[tuple[str, str, bool | None]]:
    """The sentences with the claim's core: of which chunk, and whether the claim denies it; None where both do."""
    said = cores(state.text, lang=chunk.lang)
    known = _by_core(passage_table(chunk), chunk.lang) if said else {}
    for own in said:
        for sentence, is_denied in known.get(own.core, ()):
            yield chunk.id, sentence, None if is_denied == own.is_denied else own.is_denied


@lru_cache(maxsize=1_024)
def _by_core(table: PassageTable, lang: str | None) -> Mapping[tuple[str, ...], list[tuple[str, bool]]]:
    found: dict[tuple[str, ...], list[tuple[str, bool]]] = defaultdict(list)
    for passage in table.sentences:
        clauses = (passage.text[start:end] for start, end in split_clauses(passage.text))
        for part in dict.fromkeys((*pieces_of(passage.text), *clauses)):
            for one in cores(part, lang=lang):
                found[one.core].append((part.strip(), one.is_denied))
    return found
