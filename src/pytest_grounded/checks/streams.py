"""Whether what was streamed may be seen: verified before it was shown, and free of the model's own delimiters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.states import KnownMarkers, cited_chunks, known_markers, question_text
from pytest_grounded.checks.wording import listing, quoted
from pytest_grounded.model.finding import Observation
from pytest_grounded.model.response import Response
from pytest_grounded.text.folding import fold
from pytest_grounded.text.markers import find_markers, marker_labels, raw_delimiters

__all__ = ["check_streams"]

_WORD = re.compile(r"\w+(?:[.,]\d+)*")


def check_streams(judged: Judged) -> Iterator[Observation]:
    """Look at the pieces in the order shown, and at the text."""
    response = judged.response
    if response is None:
        return
    yield from _unverified(judged, response)
    yield from _raw_markers(judged, response)


def _unverified(judged: Judged, response: Response) -> Iterator[Observation]:
    denied = [index for index, piece in enumerate(response.stream) if piece.verified is False and piece.text.strip()]
    for index in denied:
        message = f"piece {index + 1} was shown before it was verified: {quoted(response.stream[index].text)}"
        yield report("stream.unverified_shown", message, field=f"stream[{index}]")
    for index, words in _not_in_text(response, known_markers(judged)).items():
        if index not in denied:
            message = f"piece {index + 1} was shown and the final text does not have {listing(map(quoted, words[:5]))}"
            yield report("stream.unverified_shown", message, field=f"stream[{index}]")


def _not_in_text(response: Response, labels: KnownMarkers) -> dict[int, list[str]]:
    """Words of pieces without a verdict that the final text does not have, by piece.

    Pieces are cut anywhere, so words are read from the joined pieces; where two pieces were glued to one word that
    nobody wrote, each of its parts may be a word of the text as well.
    """
    if all(piece.verified is not None for piece in response.stream):
        return {}
    final = set(_WORD.findall(fold(response.text)))
    found: dict[int, list[str]] = {}
    joined = _without_marks("".join(piece.text for piece in response.stream), labels)
    ends: list[int] = []
    for piece in response.stream:
        ends.append((ends[-1] if ends else 0) + len(piece.text))
    at = 0
    for match in _WORD.finditer(joined):
        while ends[at] <= match.start():
            at += 1
        if _known(match.group(), final):
            continue
        for index, part in _parts(match, ends, at):
            if response.stream[index].verified is None and not _known(part, final):
                found.setdefault(index, []).append(part)
    return found


def _without_marks(text: str, known: KnownMarkers) -> str:
    """A text of the same length with blanks for markers, link targets and delimiters, which are no words."""
    spans = [(marker.start, marker.end) for marker in find_markers(text, ids=known.ids, labels=known.labels)]
    spans += [match.span() for match in _NO_WORDS.finditer(text)]
    kept = list(text)
    for start, end in spans:
        kept[start:end] = " " * (end - start)
    return "".join(kept)


_NO_WORDS = re.compile(r"<\|[^|<>]{0,200}\|>|\]\([^()\s]{0,500}\)|\[[\d\s,;^-]{1,40}\]|</?[a-zA-Z][^<>]{0,200}>")


def _parts(match: re.Match[str], ends: list[int], at: int) -> Iterator[tuple[int, str]]:
    """The parts of a word that stand in different pieces."""
    start = match.start()
    while start < match.end():
        end = min(ends[at], match.end())
        if end > start:
            yield at, match.string[start:end]
        start, at = end, at + 1


def _known(word: str, final: set[str]) -> bool:
    return set(_WORD.findall(fold(word))) <= final


def _raw_markers(judged: Judged, response: Response) -> Iterator[Observation]:
    pieces = "".join(piece.text for piece in response.stream)
    for path, text in (("text", response.text), ("stream", pieces)):
        found = [
            mark
            for mark in dict.fromkeys(raw_delimiters(text))
            if not _is_subject(judged, mark) and not _is_explained(judged, mark)
        ]
        if found:
            message = f"delimiters meant for the model are shown: {listing(map(quoted, found[:5]))}"
            yield report("stream.raw_marker", message, field=path)


def _is_explained(judged: Judged, mark: str) -> bool:
    """Whether it is a citation in full-width brackets that the response itself says the source of: 【1†source】."""
    labels = marker_labels(mark) if mark[0] == "\u3010" and mark[-1] == "\u3011" else ()
    return bool(labels) and known_markers(judged).labels.issuperset(labels)


def _is_subject(judged: Judged, mark: str) -> bool:
    """Whether the question or a cited document is about such delimiters."""
    readable = judged.view.readable
    cited = (readable[chunk_id].text for chunk_id in cited_chunks(judged) if chunk_id in readable)
    return any(fold(mark) in fold(text) for text in (question_text(judged), *cited))
