"""From an answer in prose to a response with claims: markers such as `[1]` and a list of sources become citations.

The decision is never read from the words; who reads a record says what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_grounded.text.markers import find_markers, strip_markers
from pytest_grounded.text.sentences import split_sentences

__all__ = ["response_of"]


def response_of(
    text: str, *, decision: str, reason_code: str | None = None, shown: Sequence[str] = (), given: Sequence[str] = ()
) -> dict[str, Any]:
    """A response as systems return it.

    `shown` are the ids of the sources shown with the answer, in order, `given` those of the chunks it was written
    from. A number in brackets is a place in the shown list, else in the given one. Where the text has no marker, every
    sentence rests on all that was shown, else on all that was given.

    >>> response_of("It is $150 [1]. Ask us.", decision="answer", given=["c1", "c2"])["claims"]
    [{'text': 'It is $150.', 'citations': [{'chunk': 'c1', 'marker': '1'}]}]
    """
    numbered = list(shown or given)
    labels = {str(place): chunk for place, chunk in enumerate(numbered, start=1)}
    ids = frozenset((*shown, *given))
    sentences = [one.strip() for one in split_sentences(text) if one.strip()]
    claims = [*_marked(sentences, ids, labels)]
    if not claims and decision in ("answer", "partial"):
        claims = [{"text": one, "citations": [{"chunk": chunk} for chunk in numbered]} for one in sentences]
    response: dict[str, Any] = {"decision": decision, "reason_code": reason_code, "text": text, "claims": claims}
    used = dict.fromkeys(
        (one["marker"], one["chunk"]) for claim in claims for one in claim["citations"] if one.get("marker")
    )
    if shown or used:
        entries = [(str(place), chunk) for place, chunk in enumerate(shown, start=1)] or list(used)
        response["sources"] = [{"chunk": chunk, "marker": marker} for marker, chunk in entries]
    if given:
        response["internal"] = {"evidence": list(given)}
    return response


def _marked(sentences: Sequence[str], ids: frozenset[str], labels: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for sentence in sentences:
        markers = find_markers(sentence, ids=ids, labels=frozenset(labels))
        cited = [label for marker in markers for label in marker.labels]
        words = strip_markers(sentence, ids=ids, labels=frozenset(labels)).strip()
        if cited and words:
            yield {"text": words, "citations": [_citation(label, labels) for label in dict.fromkeys(cited)]}


def _citation(label: str, labels: Mapping[str, str]) -> dict[str, str]:
    return {"chunk": labels[label], "marker": label} if label in labels else {"chunk": label}
