"""Showing an answer piece by piece without ever showing what has not been verified.

A sentence is held back until it is whole and has passed; what fails is never shown, so nothing shown has to be taken
back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pytest_grounded.model.response import Response, StreamPiece
from pytest_grounded.text.sentences import split_sentences

__all__ = ["gate_stream", "streamed"]


def gate_stream(deltas: Iterable[str], verified: Callable[[str], bool]) -> Iterator[StreamPiece]:
    """Release the sentences of a stream as soon as each is whole and verified; hold back the others for good.

    >>> pieces = gate_stream(["The limit is $1", "80. It is $99", "9."], lambda sentence: "999" not in sentence)
    >>> [piece.text for piece in pieces]
    ['The limit is $180. ']
    """
    held = ""
    for delta in deltas:
        held += delta
        *whole, held = split_sentences(held) or ("",)
        yield from _released(whole, verified)
    yield from _released([held], verified)


def _released(sentences: Iterable[str], verified: Callable[[str], bool]) -> Iterator[StreamPiece]:
    for sentence in sentences:
        if sentence.strip() and verified(sentence.strip()):
            yield StreamPiece(text=sentence, verified=True)


def streamed(response: Response) -> Response:
    r"""The response with its text as verified pieces, a line each; together they are the text, byte for byte.

    >>> streamed(Response(decision="abstain", text="Nothing found.\nAsk a person.")).stream[0].text
    'Nothing found.\n'
    """
    pieces = tuple(StreamPiece(text=line, verified=True) for line in response.text.splitlines(keepends=True))
    return response.model_copy(update={"stream": pieces})
