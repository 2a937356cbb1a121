"""Which plain statements of one figure a text makes, and the question that each of them answers.

A value is only ever what stands in the text. What holds under a condition, or of something that only its surroundings
name (it, this, they), is no plain statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pytest_grounded.documents.splitting import slug
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.text.quantity import Quantity, QuantityKind
from pytest_grounded.text.quantity_scan import find_quantities
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.words import terms

__all__ = ["Statement", "lowered", "statements_in"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a chunk states in one figure: about what, the question it answers, the figure as it is written.

    `title` is the heading of a table: rows of the same name in two tables may be of two things.
    """

    subject: str
    asked: str
    value: str
    chunk: Chunk
    title: str = ""

    @property
    def name(self) -> str:
        """The subject as the name of a slot."""
        return slug(self.subject)[:40].strip("-")

    @property
    def about(self) -> frozenset[str]:
        """What two statements of the same thing have in common."""
        return terms(self.asked)


def statements_in(chunks: Iterable[Chunk]) -> Iterator[Statement]:
    """The statements of chunks, in order: sentences and labelled lines of text, cells of tables with a header.

    >>> text = "The hotel limit is $180. Registration costs 5 dollars. Appeals must be filed within 30 days."
    >>> for one in statements_in([Chunk(id="c", text=text)]):
    ...     print(one.asked, one.value)
    what is the hotel limit? $180
    what does registration cost? 5 dollars
    when must appeals be filed? 30 days
    """
    for chunk in chunks:
        yield from _of_table(chunk) if chunk.kind == "table" else _of_text(chunk)


def lowered(subject: str) -> str:
    """A subject as it stands inside a sentence: its first letter small, unless it begins with an abbreviation.

    >>> lowered("Hotel limit"), lowered("VAT rate")
    ('hotel limit', 'VAT rate')
    """
    first = subject.split(maxsplit=1)[0]
    return subject if not first[1:].islower() and len(first) > 1 else subject[:1].lower() + subject[1:]


# --- text ------------------------------------------------------------------------------------------------------------

_SUBJECT = r"(?P<subject>(?:(?:The|A|An|Our|Your|Each|Every|All)\s+)?[^\W\d_][^,;:()\n|]{3,70}?)\s+"
_REST = r"(?P<rest>[^\n|]{1,120})"
_UNFIT = re.compile(
    r"\b(?:it|this|that|these|those|there|they|which|who|what|when|where|if|unless|he|she|we|you|i|and|or|but)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|unless|except|but|when|where|provided|otherwise|not|no|never|or)\b", re.IGNORECASE)
_LEADING = re.compile(r"(?:the|a|an|our|your|each|every)\s+", re.IGNORECASE)
_MOST_WORDS = 9
_Asked = tuple[str, str]
"""What is asked about, as a name, and the question."""
_Ask = Callable[[re.Match[str], Quantity], _Asked | None]
"""The question that a statement of some form answers; None where it is none of that form after all."""
_LONGEST_CELL = 40


def _of_text(chunk: Chunk) -> Iterator[Statement]:
    for sentence in split_sentences(chunk.text):
        plain = sentence.strip().lstrip("-* ")
        for form, ask in _FORMS:
            match = form.match(plain)
            stated = None if match is None else _stated(match, ask, chunk)
            if stated is not None:
                yield stated
                break


def _stated(match: re.Match[str], ask: _Ask, chunk: Chunk) -> Statement | None:
    subject = _LEADING.sub("", match["subject"], count=1)
    figures = find_quantities(match["rest"], lang=chunk.lang)
    if len(figures) != 1 or _UNFIT.search(subject) or find_quantities(subject):
        return None
    if len(subject.split()) > _MOST_WORDS:
        return None
    asked = ask(match, figures[0])
    return None if asked is None else Statement(subject=asked[0], asked=asked[1], value=figures[0].raw, chunk=chunk)


def _what_is(match: re.Match[str], figure: Quantity) -> _Asked | None:
    del figure
    subject = lowered(_LEADING.sub("", match["subject"], count=1))
    return (subject, f"what {match['verb'].lower()} the {subject}?") if " " in subject else None


def _labelled(match: re.Match[str], figure: Quantity) -> _Asked | None:
    del figure
    subject = lowered(_LEADING.sub("", match["subject"], count=1))
    return (subject, f"what is the {subject}?") if " " in subject else None


def _costs(match: re.Match[str], figure: Quantity) -> _Asked | None:
    if _CONDITION.search(match["rest"]):
        return None
    verb, subject = match["verb"].lower().removesuffix("s"), lowered(match["subject"])
    asks, kind = ("what", QuantityKind.MONEY) if verb == "cost" else ("how long", QuantityKind.DURATION)
    does = "do" if match["verb"].lower() == verb else "does"
    return (f"{subject} {verb}", f"{asks} {does} {subject} {verb}?") if figure.kind is kind else None


def _due(match: re.Match[str], figure: Quantity) -> _Asked | None:
    """When something has to be done: a date, a time or a period, and no other figure."""
    if not figure.is_period or _CONDITION.search(f"{match['verb']} {match['rest']}") or _UNFIT.search(match["verb"]):
        return None
    modal, subject = match["modal"].lower(), lowered(match["subject"])
    name = f"{subject} {match['verb']}"
    if modal.endswith(" to"):
        does = "does" if modal == "has to" else "do"
        return name, f"when {does} {subject} have to {match['verb']}?"
    return name, f"when {modal} {name}?"


def _up_to(match: re.Match[str], figure: Quantity) -> _Asked | None:
    """How much, or how many of what, somebody may have."""
    if _CONDITION.search(f"{match['verb']} {match['rest']}") or _UNFIT.search(match["verb"]):
        return None
    name = f"{lowered(match['subject'])} {match['verb']}"
    does = f"{match['modal'].lower()} {name}?"
    if figure.kind is QuantityKind.MONEY:
        return name, f"how much {does}"
    counted = figure.noun or (_COUNTED.search(figure.raw) or [""])[0]
    of = _OF.match(match["rest"], figure.end)
    return (name, f"how many {counted}{of[0] if of else ''} {does}") if counted else None


_COUNTED = re.compile(r"(?<![^\W_])(?:minute|hour|day|night|week|month|year|mile|kilometer|kilometre)s(?![^\W_])")
_OF = re.compile(r" of [a-z]+(?: leave)?(?![^\W_])")

_FORMS: tuple[tuple[re.Pattern[str], _Ask], ...] = tuple(
    (re.compile(form, re.IGNORECASE), ask)
    for form, ask in (
        (_SUBJECT + r"(?P<verb>is|are|was|were)\s+(?!not\b|no\b|never\b)" + _REST, _what_is),
        (_SUBJECT + r"(?P<verb>costs?|takes?|lasts?)\s+" + _REST, _costs),
        (
            _SUBJECT + r"(?P<modal>must|should|shall|has to|have to)\s+(?P<verb>[a-z][^,;:()\n|]{2,60}?)\s+"
            r"(?:within|by|before|no later than|not later than|at least)\s+" + _REST,
            _due,
        ),
        (_SUBJECT + r"(?P<modal>may|can)\s+(?P<verb>[a-z][^,;:()\n|]{2,60}?)\s+up to\s+" + _REST, _up_to),
        (r"(?P<subject>[^\W\d_][^,;:()\n|]{3,50}):\s+(?P<rest>[^\n|]{1,40})\Z", _labelled),
    )
)


# --- tables ----------------------------------------------------------------------------------------------------------

_RULE = re.compile(r":?-+:?")
_ASIDE = re.compile(r"\s*\([^()]*\)")


def _of_table(chunk: Chunk) -> Iterator[Statement]:
    """Each cell that is one figure, under a heading and in a named row."""
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")] for line in chunk.text.split("\n") if "|" in line
    ]
    if len(rows) < _LEAST_ROWS or not all(map(_RULE.fullmatch, rows[1])):
        return
    heads = [_ASIDE.sub("", head) for head in rows[0]]
    for label, *cells in rows[2:]:
        for head, cell in zip(heads[1:], cells, strict=False):
            figures = find_quantities(cell, lang=chunk.lang) if len(cell) <= _LONGEST_CELL else ()
            if len(figures) == 1 and _names(head) and _names(label) and not _CONDITION.search(cell):
                subject = f"{lowered(head)} for {label}"
                asked = f"what {'are' if _PLURAL.search(head) else 'is'} the {subject}?"
                yield Statement(
                    subject=subject, asked=asked, value=figures[0].raw, chunk=chunk, title=chunk.title or ""
                )


_LEAST_ROWS = 3
_PLURAL = re.compile(r"[^s\W]s\Z")


def _names(words: str) -> bool:
    """Whether a heading or the first cell of a row says in words what it is of."""
    return bool(words) and words[0].isalpha() and len(words.split()) <= _MOST_WORDS and not _UNFIT.search(words)
