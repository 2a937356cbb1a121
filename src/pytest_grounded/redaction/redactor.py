"""The redactor: takes out of everything that is written what the requester of a case may not read.

Ids of unreadable chunks become `restricted-<n>`; their text, facts, titles, locators and addresses become
`[redacted N characters]`: no hash, no key, the same bytes on every machine. What is still found afterwards, disguised
or spread over fields, costs the whole field. The requester's own question is no excuse here: who reads a report is not
who asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_grounded.detection import Detector, HitKind, Span
from pytest_grounded.detection.fields import is_of_the_contract
from pytest_grounded.model.evidence import CorpusView
from pytest_grounded.model.finding import Finding
from pytest_grounded.redaction.secrets import mask_secrets

__all__ = ["Redactor", "redacted"]

_STEP = re.compile(r"([.\[\]])")
_MOST_KEPT = 4096
_MOST_ROUNDS = 3
"""How often fields are taken out, each time those that still show something, before everything is."""
_CLOSED_FIELDS = frozenset({"decision", "reason_code", "status", "delivery", "kind", "check", "owner", "verdict"})
"""Fields whose values are words of the contract, not of a source."""


def redacted(length: int) -> str:
    """What stands for characters that were taken out.

    >>> redacted(12)
    '[redacted 12 characters]'
    """
    return f"[redacted {length} characters]"


class Redactor:
    """Cleans what is written for one requester's view of a corpus.

    `extra`: further texts to take out wherever they stand as words; `known`: texts that whoever reads it has anyway.
    Cleaning twice changes nothing more.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus
    >>> memo = Chunk(id="memo-7", text="The closing bonus is 41,750 dollars per person.", readers=("board",))
    >>> redactor = Redactor(Corpus(name="c", chunks=[memo]).view(ANONYMOUS, date(2027, 1, 1)))
    >>> redactor.text("claims[0] cites memo-7: 'The closing bonus is 41,750 dollars'")
    "claims[0] cites restricted-1: '[redacted 35 characters]'"
    >>> redactor.value({"text": "41 750", "sources": [{"chunk": "memo-7"}]})
    {'text': '[redacted 6 characters]', 'sources': [{'chunk': 'restricted-1'}]}
    """

    def __init__(self, view: CorpusView, *, extra: Iterable[str] = (), known: Iterable[str] = ()) -> None:
        self._view = view
        self._detector = Detector(view, known=known)
        self._extra = _any_of(extra)
        self._kept: dict[str, str] = {}

    def text(self, text: str, /) -> str:
        """The text without what the requester may not read, and without key-shaped values."""
        cleaned = self._kept.get(text)
        if cleaned is None:
            cleaned = self._cleaned(text)
            if len(self._kept) < _MOST_KEPT:
                self._kept[text] = cleaned
        return cleaned

    def lines(self, text: str, /) -> str:
        """The same for an output of many lines: where it can only be taken out whole, line by line if that does."""
        cleaned = self.text(text)
        if cleaned != redacted(len(text)) or "\n" not in text:
            return cleaned
        by_line = "\n".join(map(self.text, text.split("\n")))
        return by_line if self.text(by_line) == by_line else cleaned

    def value(self, value: Any, /) -> Any:
        """The JSON value with every text in it cleaned, and every key that is not the contract's."""
        value = mask_secrets(value)
        if self._extra is None and not self._detector.suspects(value):
            return value
        cleaned = _mapped(value, self._field)
        for _ in range(_MOST_ROUNDS):
            places = {hit.field for hit in self._detector.scan(cleaned)}
            if not places:
                return cleaned
            cleaned = _blanked(cleaned, places)
        return _blanked(cleaned, {""}) if self._detector.scan(cleaned) else cleaned

    def finding(self, finding: Finding, /) -> Finding:
        """The finding with its message cleaned and its chunks named as they may be."""
        field = self._path(finding.field)
        message = finding.message
        if finding.field and field != finding.field:
            message = message.replace(finding.field, field)
        return replace(
            finding, message=self.text(message), field=field, chunks=tuple(map(self._view.name_of, finding.chunks))
        )

    def _path(self, path: str) -> str:
        """The path of a field with each of its keys cleaned by itself, and then the whole of it."""
        return self.text("".join(map(self.text, _STEP.split(path))))

    def _cleaned(self, text: str) -> str:
        cleaned: str = mask_secrets(text)
        if self._extra is not None:
            cleaned = self._extra.sub(lambda match: redacted(len(match.group())), cleaned)
        if not self._detector.suspects(cleaned):
            return cleaned
        cleaned = self._without(cleaned, self._detector.spans(cleaned))
        return redacted(len(text)) if self._detector.scan(cleaned) else cleaned

    def _field(self, key: str, value: str | float) -> str | float:
        if key in _CLOSED_FIELDS:
            return value
        text = str(value)
        cleaned = self.text(text)
        return value if cleaned == text else cleaned

    def _without(self, text: str, spans: Sequence[Span]) -> str:
        pieces, place = [], 0
        for start, end, chunk in _merged(spans):
            pieces += [text[place:start], redacted(end - start) if chunk is None else self._view.name_of(chunk)]
            place = end
        return "".join((*pieces, text[place:]))


def _merged(spans: Sequence[Span]) -> list[tuple[int, int, str | None]]:
    """Overlapping spans as one, with the chunk where the whole of it is the chunk's id."""
    merged: list[tuple[int, int]] = []
    for span in spans:
        if merged and span.start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], span.end))
        else:
            merged.append((span.start, span.end))
    ids = {(span.start, span.end): span.chunk for span in spans if span.kind is HitKind.ID}
    return [(start, end, ids.get((start, end))) for start, end in merged]


_DEEPEST = 200
_TOO_DEEP = "[redacted: nested too deeply]"


def _mapped(value: Any, change: Callable[[str, str | float], str | float], key: str = "", depth: int = 0) -> Any:
    """A JSON value with every text and number changed; keys too, apart where two become one."""
    if depth > _DEEPEST:
        return _TOO_DEEP
    if isinstance(value, str) or (isinstance(value, int | float) and not isinstance(value, bool)):
        return change(key, value)
    if isinstance(value, Mapping):
        changed: dict[str, Any] = {}
        for name, item in value.items():
            changed[_apart(str(change("", name)), changed)] = _mapped(item, change, name, depth + 1)
        return changed
    if isinstance(value, Sequence):
        return [_mapped(item, change, key, depth + 1) for item in value]
    return value


def _blanked(value: Any, fields: Collection[str]) -> Any:
    """A JSON value in which what stands in some fields is taken out, names of keys too.

    A field is a path, or a place with `[*]` for any number and `.*` for the keys of an object; "" is everything.
    """

    def is_meant(path: str, place: str) -> bool:
        return "" in fields or path in fields or place in fields

    def blank(item: Any, path: str, place: str) -> Any:
        if isinstance(item, Mapping):
            blanked: dict[str, Any] = {}
            for key, inner in item.items():
                at, named = f"{path}.{key}".lstrip("."), f"{place}.{key}".lstrip(".")
                is_shown = is_of_the_contract(str(key)) or not is_meant(at, f"{place}.*")
                blanked[_apart(key if is_shown else redacted(len(str(key))), blanked)] = blank(inner, at, named)
            return blanked
        if isinstance(item, Sequence) and not isinstance(item, str):
            return [blank(inner, f"{path}[{index}]", f"{place}[*]") for index, inner in enumerate(item)]
        if item is None or isinstance(item, bool) or not is_meant(path, place):
            return item
        return redacted(len(str(item)))

    return blank(value, "", "")


def _apart(key: str, others: Container[str]) -> str:
    """The key, with a mark where there is one like it already."""
    while key in others:
        key += "'"
    return key


def _any_of(texts: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern for any of the texts as whole words, the longest first."""
    wanted = sorted({text for text in texts if text.strip()}, key=lambda text: (-len(text), text))
    if not wanted:
        return None
    return re.compile("|".join(rf"(?<!\w){re.escape(text)}(?!\w)" for text in wanted), re.IGNORECASE)
