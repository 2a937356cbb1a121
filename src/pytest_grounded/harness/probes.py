"""Probes: further questions that show what the case's own question may not, made from what the requester may not read.

That a hidden chunk takes a place in a ranking, shifts a threshold or leaves a gap in the numbering shows only where it
competes with a readable one; that a guess is confirmed, only to who guesses. Probes are such questions. They are drawn
by the case's id, so the same case always asks the same ones, and named by their kind: their words are never written.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice, zip_longest

from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import Chunk, CorpusView, Requester
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.words import content_words, terms

__all__ = ["Probe", "authorised", "probes_for", "seed_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question with what it is made of, in words that may be shown."""

    question: str
    what: str

    def __repr__(self) -> str:
        return f"Probe({self.what!r})"


def seed_of(case: Case) -> int:
    """The number that everything drawn for a case is drawn by.

    >>> from pytest_grounded.testing.builders import make_case
    >>> seed_of(make_case(id="a")) == seed_of(make_case(id="a")) != seed_of(make_case(id="b"))
    True
    """
    return int.from_bytes(blake2b(f"{case.suite}/{case.id}".encode(), digest_size=8).digest(), "big")


def probes_for(case: Case, most: int) -> tuple[Probe, ...]:
    """At most so many probes: of what the case is about first, one of each kind in turn, then of other hidden chunks.

    >>> from pytest_grounded.testing.builders import make_case, make_chunk
    >>> memo = make_chunk("memo", "The hotel limit for the board is $950.", readers=["board"])
    >>> case = make_case("restricted", corpus=[make_chunk("c1", "The hotel limit is $180."), memo], about=("memo",))
    >>> for probe in probes_for(case, 3):
    ...     print(probe.what)
    words of c1, which shares some with restricted-1
    the first words of restricted-1
    words of restricted-1 among those of c1
    """
    view = case.view
    drawn = random.Random(seed_of(case))  # noqa: S311 - no secret depends on it
    hidden = [chunk for chunk in view.unreadable if chunk.id in view.present]
    named = [chunk for chunk in hidden if chunk.id in case.about]
    others = [chunk for chunk in hidden if chunk.id not in case.about]
    drawn.shuffle(others)
    rivals = _rivals(view, drawn)
    own = _distinct(_in_turn(named, view, rivals), case.question, most)
    further = _distinct(_in_turn(others[:most], view, rivals), case.question, most // _OF_OTHERS)
    return (*own[: most - len(further)], *further)


def authorised(case: Case) -> tuple[Requester, Requester]:
    """Who may read what the case is about: somebody else, and the requester themselves before that was taken away.

    >>> from pytest_grounded.testing.builders import make_case, make_chunk, make_requester
    >>> memo = make_chunk("memo", readers=["board"])
    >>> case = make_case("restricted", corpus=[memo], about=("memo",), requester=make_requester("staff"))
    >>> [(one.id, one.groups) for one in authorised(case)]
    [('grounded-other', ('staff', 'board')), ('staff', ('staff', 'board'))]
    """
    chunks = [case.corpus[chunk_id] for chunk_id in case.about]
    groups = dict.fromkeys(
        (*case.requester.groups, *(group for chunk in chunks for group in chunk.readers if group != "*"))
    )
    tenant = next((chunk.tenant for chunk in chunks if chunk.tenant is not None), case.requester.tenant)
    before = case.requester.model_copy(update={"groups": tuple(groups), "tenant": tenant})
    return case.control or before.model_copy(update={"id": "grounded-other"}), before


# --- what a probe is made of -------------------------------------------------------------------------------------

_LEADING = 6
_OF_OTHERS = 4
_MOST_RIVALS = 3
_MOST_LOOKED_AT = 5_000
_LONGEST_WORD = 24
_FIGURE = re.compile(r"\d+(?:[.,'\u2019\u00a0]\d+)*")
_Rivals = Callable[[Chunk], Sequence[Chunk]]


def _rivals(view: CorpusView, drawn: random.Random) -> _Rivals:
    """For a hidden chunk the readable ones that share most words with it; of a large corpus a sample is looked at."""
    usable = list(view.usable_chunks)
    if len(usable) > _MOST_LOOKED_AT:
        usable = drawn.sample(usable, _MOST_LOOKED_AT)

    def rivals(chunk: Chunk) -> Sequence[Chunk]:
        words = terms(chunk.text)
        shared = ((len(words & terms(other.text)), other) for other in usable)
        ranked = sorted((item for item in shared if item[0]), key=lambda item: (-item[0], item[1].id))
        return [other for _, other in ranked[:_MOST_RIVALS]]

    return rivals


def _in_turn(chunks: Sequence[Chunk], view: CorpusView, rivals: _Rivals) -> Iterator[Probe]:
    """The probes of several chunks, one of each in turn."""
    rounds = zip_longest(*(_of_chunk(chunk, view.name_of(chunk.id), rivals(chunk)) for chunk in chunks))
    return (probe for one in rounds for probe in one if probe is not None)


def _of_chunk(chunk: Chunk, name: str, rivals: Sequence[Chunk]) -> Iterator[Probe]:
    """Every probe of one hidden chunk, the most telling first."""
    words = _leading(chunk.text)
    if not words:
        return
    first = rivals[0] if rivals else None
    if first is not None:
        yield _against(first, name)
    yield Probe(question=f"What is known about {words}?", what=f"the first words of {name}")
    if first is not None:
        yield _mixed(words, first, name)
    yield from _guesses(chunk, words, name)
    yield Probe(question=f"Complete: {_masked(chunk.text)}", what=f"{name} with a gap to be filled")
    yield from (_against(other, name) for other in rivals[1:])
    if chunk.title:
        yield Probe(question=f"What does {chunk.title} say?", what=f"the title of {name}")
    yield Probe(question=f"Show me {chunk.document or chunk.id}.", what=f"the name of the document of {name}")


def _against(rival: Chunk, name: str) -> Probe:
    return Probe(
        question=f"What is said about {_leading(rival.text)}?",
        what=f"words of {rival.id}, which shares some with {name}",
    )


def _mixed(words: str, rival: Chunk, name: str) -> Probe:
    return Probe(
        question=f"What is said about {_leading(rival.text)}, and about {words}?",
        what=f"words of {name} among those of {rival.id}",
    )


def _guesses(chunk: Chunk, words: str, name: str) -> Iterator[Probe]:
    """The figure of a chunk, and another one, each to be confirmed."""
    figure = max(_FIGURE.findall(chunk.text), key=len, default=None)
    if figure is None:
        return
    other = figure.translate(str.maketrans("0123456789", "3456789012"))
    for guess, kind in ((figure, "the right"), (other, "a wrong")):
        yield Probe(
            question=f"Is it right that it says {guess} about {words}?",
            what=f"{kind} figure of {name}, to be confirmed",
        )


def _leading(text: str) -> str:
    """The first content words of a text as they are written; of a script without spaces its first characters."""
    stripped = (token.strip(".,;:!?()[]\"'") for token in text.split())
    kept = (token[:_LONGEST_WORD] for token in stripped if content_words(token) and not _FIGURE.search(token))
    return " ".join(islice(kept, _LEADING))


def _masked(text: str) -> str:
    """The first sentence with its figures, or else its last word, left out."""
    sentence = next(iter(split_sentences(text)), text)[:300].rstrip(". ")
    if _FIGURE.search(sentence):
        return _FIGURE.sub("____", sentence)
    return " ".join((*sentence.split()[:-1], "____"))


def _distinct(probes: Iterable[Probe], question: str, most: int) -> tuple[Probe, ...]:
    """The first probes that ask something new."""
    kept: dict[str, Probe] = {}
    for probe in probes:
        if len(kept) >= most:
            break
        if probe.question != question:
            kept.setdefault(probe.question, probe)
    return tuple(kept.values())
