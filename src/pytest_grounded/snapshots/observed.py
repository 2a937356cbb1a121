"""What a trace keeps of what was observed beside the response: outcomes, never drafts, prompts or chunk texts.

Keys of steps are a system's own, so it is the values that are allowed: numbers, codes, ids, a reason under a key that
says it is one, and words the requester saw anyway. Any other text is left out: it may be a draft, and a sentence about
the step repeats numbers that are compared on their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pytest_grounded.model.evidence import CorpusView
from pytest_grounded.model.response import Candidate, Internal, Response
from pytest_grounded.snapshots.shown import Raw, filled

__all__ = ["observed"]

_NEVER = frozenset(
    """completion completions draft drafts messages output prompt prompts raw raw_output
    raw_response""".split()  # noqa: SIM905 - a list of words, not of literals
)
_TOLD = frozenset(
    """action alias check checks code condition conditions decision entities entity error failed failure failures gap
    kind label layer missing outcome part parts queries query reason reasons relation rule rules status term terms
    uncovered verdict why""".split()  # noqa: SIM905 - a list of words, not of literals
)
_LONGEST_TOLD = 300
_LONGEST_VALUE = 60
_CODE = re.compile(r"[!-~]{1,120}\Z")


def observed(internal: Internal, response: Response | None, view: CorpusView) -> Raw:
    """The observed part of an outcome. What was not observed is left out; a list that is known to be empty stays."""
    allowed = _Allowed(response, view)
    parts: Raw = {"internal_reason_code": internal.reason_code}
    if internal.evidence is not None:
        parts["evidence"] = [view.name_of(chunk) for chunk in internal.evidence]
    if internal.candidates is not None:
        parts["candidates"] = [_candidate(candidate, view) for candidate in internal.candidates]
    if internal.support is not None:
        rows = (_support(row, allowed) for row in internal.support)
        parts["support"] = sorted(rows, key=lambda row: (str(row.get("claim")), str(row.get("evidence"))))
    if internal.steps is not None:
        parts["steps"] = [allowed.value(step) for step in internal.steps]
    return filled(**parts)


def _candidate(candidate: Candidate, view: CorpusView) -> Raw:
    return filled(
        chunk=view.name_of(candidate.chunk), kept=candidate.kept, score=candidate.score, reason=candidate.reason
    )


def _support(row: Mapping[str, Any], allowed: _Allowed) -> Raw:
    """One cell of the claim x evidence matrix; systems name the evidence and the verdict in several ways."""
    evidence = next((row[key] for key in ("evidence", "chunks", "group", "chunk") if key in row), None)
    verdict = next((row[key] for key in ("verdict", "label", "relation", "support") if key in row), None)
    return filled(
        claim=allowed.claim(row.get("claim")),
        evidence=allowed.value(evidence),
        verdict=allowed.value(verdict),
        score=row.get("score"),
        judge=allowed.value(row.get("judge")),
        version=allowed.value(row.get("version")),
    )


def _is_short_value(name: str, item: object) -> bool:
    """Whether a record that names a chunk gives what it states: a side of a conflict, shown to nobody where it lost."""
    return name == "value" and isinstance(item, str) and len(item) <= _LONGEST_VALUE


_NOT_SHOWN = "[not shown]"


class _Allowed:
    """Which texts may be kept, for one response and one view of the corpus."""

    def __init__(self, response: Response | None, view: CorpusView) -> None:
        claims = response.claims if response else ()
        quotes = (quote for claim in claims for quote, _ in claim.quotes)
        self._view = view
        self._claims = {claim.text: number for number, claim in enumerate(claims, start=1)}
        self._seen = "\n".join((response.text if response else "", *self._claims, *quotes))

    def value(self, value: object, key: str = "") -> object:
        """The value without texts that may not be kept, chunks named as they may be; a list keeps its length."""
        if isinstance(value, str):
            return self._text(value, key)
        if isinstance(value, Mapping):
            named = ((str(name), item) for name, item in value.items())
            is_side = "chunks" in value or "chunk" in value
            kept = {
                self._text(name, ""): item if is_side and _is_short_value(name, item) else self.value(item, name)
                for name, item in named
                if name not in _NEVER
            }
            return {name: item for name, item in kept.items() if _NOT_SHOWN not in (name, item)}
        if isinstance(value, list | tuple):
            return [self.value(item, key) for item in value]
        if isinstance(value, set | frozenset):
            return {self._text(str(item), key) for item in value}
        return value

    def claim(self, claim: object) -> object:
        """The number of a claim that is given by its text; the text of one that was not shown is not kept."""
        return self._claims.get(claim, self._text(claim, "")) if isinstance(claim, str) else claim

    def _text(self, text: str, key: str) -> str:
        if text in self._view.corpus:
            return self._view.name_of(text)
        told = key in _TOLD and len(text) <= _LONGEST_TOLD
        return text if told or _CODE.match(text) or text in self._seen else _NOT_SHOWN
