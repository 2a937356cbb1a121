"""What the requester may read on the day: the only corpus that any later stage ever sees.

Nothing is counted, scored or compared before this filter, so that a document the requester may not read can neither
be shown nor felt (a rank, a threshold or a conflict that moves).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from pytest_grounded.model.evidence import Corpus, CorpusView, Requester
from pytest_grounded.model.request import Request

__all__ = ["Readable", "permit"]


@dataclass(frozen=True, kw_only=True)
class Readable:
    """A corpus without anything its requester may not read, seen on a day."""

    corpus: Corpus
    requester: Requester
    as_of: date

    @cached_property
    def view(self) -> CorpusView:
        """What is in force and applies, computed over the readable chunks alone."""
        return self.corpus.view(self.requester, self.as_of)


def permit(request: Request) -> Readable:
    """Leave out what the requester may not read and what was not yet known on the day.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS, Chunk
    >>> corpus = Corpus(name="c", chunks=[Chunk(id="a", text="x", readers=("*",)), Chunk(id="b", text="y")])
    >>> permit(Request(question="?", requester=ANONYMOUS, as_of=date(2024, 1, 1), corpus=corpus)).corpus.ids
    ('a',)
    """
    view = request.corpus.view(request.requester, request.as_of)
    return Readable(corpus=view.readable_corpus, requester=request.requester, as_of=request.as_of)
