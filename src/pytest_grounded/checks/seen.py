"""Whether the markers a person sees open what the claims cite, and stand for something at all."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_grounded.checks.base import Judged, once, report
from pytest_grounded.checks.states import claim_states, evidence_chunks, known_markers, prose
from pytest_grounded.checks.wording import listing, named, quoted
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.markers import Marker, find_markers, marker_labels
from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.words import content_words

__all__ = ["check_seen"]

_BELONGS = 0.5
"""Least share of a claim's words in a sentence for the claim to be of that sentence."""


def check_seen(judged: Judged) -> Iterator[Observation]:
    """Look at brackets in everything shown, and at what `rendered` and `sources` say their markers open."""
    if judged.response is None:
        return
    yield from _unknown(judged)
    yield from _mismatched(judged)


def _unknown(judged: Judged) -> Iterator[Observation]:
    """Brackets that look like citations of this response or this corpus and are none."""
    known = known_markers(judged)
    for shown in prose(judged):
        if shown.quoted or not _MAY_MARK.search(shown.text):
            continue
        markers = find_markers(shown.text, ids=known.ids, labels=known.labels)
        marking = (one for one in markers if one.unknown and not _is_of_a_document(judged, shown.text, one))
        unknown = dict.fromkeys(label for marker in marking for label in marker.unknown)
        if unknown:
            message = f"the text marks {listing(map(quoted, unknown))}, which is no source of this answer"
            yield report("citation.unknown_id", message, field=shown.path, chunks=unknown)


def _is_of_a_document(judged: Judged, text: str, marker: Marker) -> bool:
    """Whether a bracket is part of what is said: of code, or glued to a word as it is in a document (`items[0]`)."""
    if text.count("`", 0, marker.start) % 2 == 1:
        return True
    glued = _WORD_BEFORE.search(text[max(0, marker.start - _LONGEST_WORD) : marker.start])
    if glued is None:
        return False
    written = glued.group() + text[marker.start : marker.end]
    return any(written in chunk.text for chunk in evidence_chunks(judged))


_WORD_BEFORE = re.compile(r"\w+$")
_LONGEST_WORD = 40
_MAY_MARK = re.compile(r"[\[\]【】［］〔〕()（）{}<\u00b9\u00b2\u00b3\u2070-\u2079]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """What one label opens, and where that is said."""

    path: str
    label: str
    chunk: str


def _mismatched(judged: Judged) -> Iterator[Observation]:
    """Markers that open a chunk which no claim of their sentence cites."""
    if not any(state.claim.citations for state in claim_states(judged)):
        return  # nothing is cited, so nothing can be confused; other checks say so
    reported: set[tuple[str, str]] = set()
    for opened in (*_declared(judged), *_written(judged)):
        problem = _problem(judged, opened)
        if problem and (opened.label, opened.chunk) not in reported:
            reported.add((opened.label, opened.chunk))
            yield report("citation.render_mismatch", problem, field=opened.path, chunks=[opened.chunk])


def _declared(judged: Judged) -> Iterator[_Opened]:
    response = judged.response
    if response is None:
        return
    for index, rendered in enumerate(response.rendered):
        for label in marker_labels(rendered.marker or ""):
            if rendered.chunk is not None:
                yield _Opened(path=f"rendered[{index}]", label=label, chunk=rendered.chunk)
    for index, source in enumerate(response.sources):
        for label in marker_labels(source.marker or ""):
            if source.chunk is not None:
                yield _Opened(path=f"sources[{index}]", label=label, chunk=source.chunk)


def _written(judged: Judged) -> Iterator[_Opened]:
    """Brackets in the text that hold a chunk id: they open that chunk."""
    ids, declared = known_markers(judged).ids, {opened.label for opened in _declared(judged)}
    if all(ids.isdisjoint(marker.labels) for marker in _markers_of_text(judged)):
        return
    for label in _sentences_of_labels(judged):
        if label in ids and label not in declared and label not in _by_citations(judged):
            yield _Opened(path="text", label=label, chunk=label)


def _problem(judged: Judged, opened: _Opened) -> str:
    name = judged.view.name_of(opened.chunk)
    said = _by_citations(judged).get(opened.label)
    if said is not None and opened.chunk not in said and len(_opens(judged, opened.label)) == 1:
        return f"marker {quoted(opened.label)} opens {name}, the claim gives it to {named(judged.view, sorted(said))}"
    for cited in _cited_beside(judged, opened.label):
        if opened.chunk not in cited:
            beside = named(judged.view, sorted(cited)) or "nothing"
            return f"marker {quoted(opened.label)} opens {name}, its sentence rests on {beside}"
    return ""


def _opens(judged: Judged, label: str) -> frozenset[str]:
    return frozenset(opened.chunk for opened in _declared(judged) if opened.label == label)


@once
def _by_citations(judged: Judged) -> dict[str, set[str]]:
    """Label -> the chunks that citations give it to."""
    found: dict[str, set[str]] = defaultdict(set)
    for state in claim_states(judged):
        for citation in state.claim.citations:
            for label in marker_labels(citation.marker or ""):
                found[label].add(citation.chunk)
    return dict(found)


def _cited_beside(judged: Judged, label: str) -> Iterator[frozenset[str]]:
    """What the claims of each sentence with this label cite; all that is cited where the sentence has no claim."""
    for sentence in _sentences_of_labels(judged).get(label, (-1,)):
        yield _cited_in_sentence(judged).get(sentence) or frozenset(judged.response.cited if judged.response else ())


@once
def _sentences_of_labels(judged: Judged) -> dict[str, tuple[int, ...]]:
    """Label -> the numbers of the sentences it marks, each once."""
    found: dict[str, dict[int, None]] = defaultdict(dict)
    for marker, sentence in _marked(judged):
        for label in marker.labels:
            found[label][sentence] = None
    return {label: tuple(sentences) for label, sentences in found.items()}


@once
def _cited_in_sentence(judged: Judged) -> dict[int, frozenset[str]]:
    """Number of a sentence -> what the claims that it says cite."""
    found: dict[int, set[str]] = defaultdict(set)
    for state in claim_states(judged):
        for sentence in _sentences_of_claims(judged).get(state.index, ()):
            found[sentence].update(state.claim.cited)
    return {sentence: frozenset(cited) for sentence, cited in found.items()}


@once
def _marked(judged: Judged) -> tuple[tuple[Marker, int], ...]:
    """Every marker of the text with the number of its sentence. A marker behind a full stop belongs before it."""
    response = judged.response
    if response is None or not response.text:
        return ()
    found: list[tuple[Marker, int]] = []
    starts = _starts(response.text)
    place = 0
    for marker in _markers_of_text(judged):
        while place + 1 < len(starts) and starts[place + 1] <= marker.start:
            place += 1
        leads = not response.text[starts[place] : marker.start].strip(" \t()[]{}.,;*_")
        found.append((marker, place - 1 if leads and place > 0 and not marker.opens_line else place))
    return tuple(found)


def _markers_of_text(judged: Judged) -> tuple[Marker, ...]:
    known, response = known_markers(judged), judged.response
    return () if response is None else find_markers(response.text, ids=known.ids, labels=known.labels)


def _starts(text: str) -> list[int]:
    starts: list[int] = []
    at = 0
    for sentence in split_sentences(text):
        starts.append(at)
        at += len(sentence)
    return starts


@once
def _sentences_of_claims(judged: Judged) -> dict[int, frozenset[int]]:
    """Index of a claim -> the sentences of the text that say it: those that have most of its words."""
    response = judged.response
    if response is None:
        return {}
    sentences = [_words(sentence) for sentence in split_sentences(response.text)]
    by_word: dict[str, list[int]] = defaultdict(list)
    for number, words in enumerate(sentences):
        for word in words:
            by_word[word].append(number)
    return {state.index: _best(_words(state.text), sentences, by_word) for state in claim_states(judged)}


_MOST_LOOKED_AT = 500


@remembered(2_048)
def _words(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def _best(words: frozenset[str], sentences: list[frozenset[str]], by_word: dict[str, list[int]]) -> frozenset[int]:
    shared: dict[int, int] = defaultdict(int)
    for word in words:
        for number in by_word.get(word, ())[:_MOST_LOOKED_AT]:
            shared[number] += 1
    ranked = {
        number: (count / len(words), count / len(sentences[number]))
        for number, count in shared.items()
        if count / len(words) >= _BELONGS or count / len(sentences[number]) >= _BELONGS
    }
    best = max(ranked.values(), default=(0.0, 0.0))
    return frozenset(number for number, score in ranked.items() if score == best)
