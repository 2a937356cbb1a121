"""Whether a claim says of one thing what its source says of another: "Rome is nice" of "Paris is nice. Rome is loud".

Decided only where two statements of the sources are word for word the claim's but for one part each: one says it of
something else, the other says something else of it, and none says what the claim says. What is said in other words is
for a support judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.passages import PassageTable, once_per_table, passage_table, root
from pytest_grounded.checks.states import ClaimState, is_answered, pieces_of, speaks_the_same
from pytest_grounded.checks.unsaid import unsaid_statements
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.word_order import Word, order_words
from pytest_grounded.text.wordlists import listed
from pytest_grounded.text.words import STOP_WORDS

__all__ = ["crossed_claims"]

_MOST_WORDS = 60
_LONGEST_PART = 8
"""More words than this on one side, and two statements are not said of each other's things."""
_MOST_ALIKE = 40
_FEWEST_CHARACTERS = 2


def crossed_claims(judged: Judged) -> Iterator[Observation]:
    """Look for the subject of one statement with what another says."""
    if not is_answered(judged):
        return
    for state in unsaid_statements(judged):
        words = order_words(state.text)
        if not 1 < len(words) <= _MOST_WORDS:
            continue
        tables = [passage_table(chunk) for chunk in state.sources if speaks_the_same(judged, state.text, chunk)]
        crossing = _crossing(state, words, tables)
        if crossing is not None:
            one, other = crossing
            message = (
                f"{quoted(state.text)} puts together what two statements say apart: "
                f"{quoted(one.statement.text)} ({one.statement.chunk}), "
                f"{quoted(other.statement.text)} ({other.statement.chunk})"
            )
            chunks = list(dict.fromkeys((one.statement.chunk, other.statement.chunk)))
            yield report("claim.mixed_sources", message, field=state.at("text"), chunks=chunks)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    """A statement of a source."""

    chunk: str
    text: str
    words: tuple[Word, ...]
    roots: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Alike:
    """A statement that has the claim's words but for one part: `start` to `end` in the claim, `theirs` in its place."""

    statement: _Statement
    start: int
    end: int
    theirs: tuple[str, ...]


@once_per_table
def _statements(table: PassageTable) -> tuple[_Statement, ...]:
    return tuple(_each_statement(table))


def _each_statement(table: PassageTable) -> Iterator[_Statement]:
    for passage in table.passages:
        for piece in pieces_of(passage.text):
            words = order_words(piece)
            if 1 < len(words) <= 2 * _MOST_WORDS:
                roots = frozenset(root(word.key) for word in words)
                yield _Statement(chunk=passage.chunk, text=piece.strip(), words=words, roots=roots)


def _crossing(state: ClaimState, words: Sequence[Word], tables: Sequence[PassageTable]) -> tuple[_Alike, _Alike] | None:
    keys = [word.key for word in words]
    said = frozenset(map(root, keys))
    alike: list[_Alike] = []
    for statement in (one for table in tables for one in _statements(table)):
        if statement.words[0].key != keys[0] and statement.words[-1].key != keys[-1]:
            continue
        if said <= statement.roots:
            return None  # somebody says all of it, in whatever order
        found = _alike(keys, statement)
        if found is not None and len(alike) < _MOST_ALIKE:
            alike.append(found)
    for place, one in enumerate(alike):
        for other in alike[place + 1 :]:
            if _cross(state.text, keys, one, other):
                return one, other
    return None


def _alike(keys: Sequence[str], statement: _Statement) -> _Alike | None:
    """The one part in which a statement is not the claim; None where there is more than one, or it is a long one."""
    theirs = [word.key for word in statement.words]
    start = _common(keys, theirs)
    behind = _common(keys[start:][::-1], theirs[start:][::-1])
    end, their_end = len(keys) - behind, len(theirs) - behind
    if not 0 < end - start <= _LONGEST_PART or not 0 < their_end - start <= _LONGEST_PART:
        return None
    return _Alike(statement=statement, start=start, end=end, theirs=tuple(theirs[start:their_end]))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words two texts begin with alike."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _cross(text: str, keys: Sequence[str], one: _Alike, other: _Alike) -> bool:
    """Whether the two differ from the claim in different parts, with something between or beside that all share."""
    first, second = sorted((one, other), key=lambda found: found.start)
    if first.end > second.start or not (_is_framed(keys, first, second) or _COLON.match(text)):
        return False
    return all(_names_another(text, keys, found) for found in (first, second))


_COLON = re.compile(r"[^:：]{1,60}[:：]")


def _is_framed(keys: Sequence[str], first: _Alike, second: _Alike) -> bool:
    frame = (*keys[: first.start], *keys[first.end : second.start], *keys[second.end :])
    return any(len(key) >= _FEWEST_CHARACTERS or not key.isascii() for key in frame)


def _names_another(text: str, keys: Sequence[str], found: _Alike) -> bool:
    """Whether what stands in a statement's place of the claim's part is something else, and no other word for it."""
    ours, theirs = keys[found.start : found.end], found.theirs
    if not (_says_something(ours) and _says_something(theirs)) or not _WORDS_FOR_ANYBODY.isdisjoint(theirs):
        return False
    shared = {root(key) for key in ours if key not in STOP_WORDS} & {root(key) for key in theirs}
    if shared and (len(set(ours)) == len(shared) or len(set(theirs)) == len(shared)):
        return False  # the one is the other with a word more
    return _is_definite(text, ours) or not _is_definite(found.statement.text, theirs)


def _says_something(keys: Sequence[str]) -> bool:
    return any(key not in STOP_WORDS and key not in _ARTICLES for key in keys)


def _is_definite(text: str, keys: Sequence[str]) -> bool:
    """Whether a part is named as what was spoken of before: "the company", which may be the Acme of the claim."""
    if keys[0] in _ARTICLES:
        return True
    word = next((key for key in keys if key not in STOP_WORDS), keys[0])
    return (
        re.search(rf"\b(?:the|this|that|these|those|said)\s+(?:\w+\s+)?{re.escape(word)}", text, re.IGNORECASE)
        is not None
    )


_ARTICLES = listed(
    """
    der die das den dem des dieser diese dieses le la les l el los las il lo gli i o os as de het den det this that
    these those ce cette ces este esta estos estas questo questa
    """
)
_WORDS_FOR_ANYBODY = listed(
    """
    it they he she who which there everyone everybody all anyone anybody people staff person you we i one each both
    es er sie alle jeder wir man il elle ils elles tous on nous ello ellos todos todas uno
    """
)
