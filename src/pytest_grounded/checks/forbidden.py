"""Whether something is shown, asserted, cited or supplied that the case forbids.

A forbidden text is literal and may not even be denied; a forbidden value may not be asserted, and may be named to deny
it or inside a verbatim quotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from pytest_grounded.checks.base import Judged, not_run, report
from pytest_grounded.checks.denials import is_denied, quotation_at
from pytest_grounded.checks.quote_states import is_verbatim
from pytest_grounded.checks.states import Shown, cited_chunks, evidence_chunks, prose
from pytest_grounded.checks.wording import listing, quoted
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.folding import fold
from pytest_grounded.text.values import find_value

__all__ = ["check_forbidden"]

_ASKED = ("followups",)
"""Where values are asked about, not asserted."""


def check_forbidden(judged: Judged) -> Iterator[Observation]:
    """Look for the case's forbidden texts, values and chunks."""
    if judged.response is None:
        return
    for text in judged.case.forbid.text:
        yield from _text(judged, text)
    for value in judged.case.forbid.values:
        yield from _value(judged, value)
    yield from _evidence(judged)


def _text(judged: Judged, text: str) -> Iterator[Observation]:
    pattern = _literal(text)
    found = [shown.path for shown in prose(judged) if pattern is not None and pattern.search(fold(shown.text))]
    if found:
        yield report("forbid.text", f"{quoted(text)} is shown in {listing(found)}", field=found[0])


@lru_cache(maxsize=1_024)
def _literal(text: str) -> re.Pattern[str] | None:
    """The text as it stands, but no part of a longer word or number: 150 is not in 1500, nor in 0.150."""
    folded = fold(text)
    if not folded:
        return None
    before = r"(?<![\w])(?<!\d[.,])" if _is_plain(folded[0]) else ""
    after = r"(?!\w)(?![.,]\d)" if _is_plain(folded[-1]) else ""
    return re.compile(before + re.escape(folded) + after)


def _is_plain(character: str) -> bool:
    """Whether a script with spaces between words goes on with such a character inside a word."""
    return character.isalnum() and ord(character) < _UNSPACED_SCRIPTS


_UNSPACED_SCRIPTS = 0x0E00


def _value(judged: Judged, value: str) -> Iterator[Observation]:
    for shown in prose(judged):
        if shown.quoted or shown.path.startswith(_ASKED):
            continue
        if any(_is_asserted(judged, shown, start, end) for start, end in find_value(shown.text, value)):
            yield report("forbid.values", f"{quoted(value)} is asserted: {quoted(shown.text)}", field=shown.path)


def _is_asserted(judged: Judged, shown: Shown, start: int, end: int) -> bool:
    if is_denied(shown.text, start, end):
        return False
    quotation = quotation_at(shown.text, start, end)
    if quotation is None:
        return True
    words = shown.text[quotation[0] : quotation[1]]
    return not any(is_verbatim(words, chunk) for chunk in evidence_chunks(judged))


def _evidence(judged: Judged) -> Iterator[Observation]:
    forbidden = judged.case.forbid.evidence
    if not forbidden:
        return
    cited, supplied = frozenset(cited_chunks(judged)), judged.internal.evidence
    for chunk_id in forbidden:
        name = judged.view.name_of(chunk_id)
        if chunk_id in cited:
            yield report("forbid.evidence", f"{name} is forbidden and cited", field="claims", chunks=[chunk_id])
        if supplied is not None and chunk_id in supplied:
            message = f"{name} is forbidden and was given to the model"
            yield report("forbid.evidence", message, field="internal.evidence", chunks=[chunk_id])
    if supplied is None:
        yield not_run("forbid.evidence", "the evidence given to the model was not observed")
