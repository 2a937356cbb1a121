"""Reads replies in prose: markers such as [c1], [1, 2] or 【1†source】 and a list of sources become citations.

Read is what is unambiguous. A marker is a chunk's id, or a label that a line of the reply explains: with the id, the
link or the title of exactly one chunk. A number that no line explains counts the evidence, where the reply says which
chunks the model was given. Any other label is kept as it is, for the checks to find. A sentence with a marker is a
claim that cites it; where a marker follows the full stop it belongs to the sentence before. A link to a chunk, its
title in brackets, and "Source: c1" for the whole reply are markers as well.

Prose has no field for a decision, and phrases are no substitute: a reply that cites is taken for an answer, one that
cites nothing for an abstention, without a reason code. `Outcome.decision_stated` is False then, and what only a field
could tell - partial from answer, clarify from abstain, the reason - is not judged.
"""

from __future__ import annotations

import inspect
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_grounded.model.evidence import Chunk, Corpus
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Response
from pytest_grounded.systems.reading import MAX_REPLY_CHARACTERS, read_reply
from pytest_grounded.text.folding import fold
from pytest_grounded.text.markers import Marker, find_markers
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.words import content_words

__all__ = ["InProse", "ProseReply", "RestartableInProse", "in_prose", "read_prose"]


@dataclass(frozen=True, slots=True)
class ProseReply:
    """What a system in prose returned, with the corpus its markers speak of."""

    reply: object
    corpus: Corpus


class InProse:
    """A system whose replies are prose.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS
    >>> request = Request(question="?", requester=ANONYMOUS, as_of=date(2024, 1, 1), corpus=Corpus(name="c", chunks=()))
    >>> in_prose(lambda request: "Nobody says.").answer(request).reply
    'Nobody says.'
    """

    def __init__(self, system: Any) -> None:
        self._system = system
        self._answer = system.answer if callable(getattr(system, "answer", None)) else system

    def answer(self, request: Request) -> Any:
        """The system's reply, marked as prose."""
        reply = self._answer(request)
        return _later(reply, request.corpus) if inspect.isawaitable(reply) else ProseReply(reply, request.corpus)


class RestartableInProse(InProse):
    """The same for a system that can be started anew."""

    def fresh(self) -> InProse:
        """The system in its first state."""
        return InProse(self._system.fresh())


def in_prose(system: Any) -> InProse:
    """A system whose replies are read as prose; it can be started anew where the system can."""
    return RestartableInProse(system) if callable(getattr(system, "fresh", None)) else InProse(system)


async def _later(reply: Awaitable[object], corpus: Corpus) -> ProseReply:
    return ProseReply(await reply, corpus)


def read_prose(reply: object, corpus: Corpus, *, observed: Mapping[str, Any] | None = None) -> Outcome:
    """Read a reply in prose: a text, or a mapping whose `text` is prose and that lacks `claims`.

    >>> corpus = Corpus(name="c", chunks=[Chunk(id="c1", text="The limit is $180.", readers=("*",))])
    >>> outcome = read_prose("The limit is $180 [c1].", corpus)
    >>> outcome.decision.value, [(claim.text, claim.citations[0].chunk) for claim in outcome.response.claims]
    ('answer', [('The limit is $180.', 'c1')])
    >>> read_prose("I do not know.", corpus).decision.value
    'abstain'
    """
    if isinstance(reply, Response):
        reply = reply.model_dump(exclude_unset=True)
    data: dict[str, Any] = dict(reply) if isinstance(reply, Mapping) else {}
    text = data.get("text") if data else reply
    is_read = isinstance(text, str) and text.strip() and len(text) <= MAX_REPLY_CHARACTERS and not data.get("claims")
    if not is_read:
        return read_reply(reply, observed=observed)
    assert isinstance(text, str)
    read = dict(_read(text, corpus, _supplied(data, observed)))
    stated = data.get("decision") is not None
    if not stated:
        data["decision"] = "answer" if read["claims"] else "abstain"
    outcome = read_reply(
        {**read, **{key: value for key, value in data.items() if value is not None}, "text": text}, observed=observed
    )
    return replace(outcome, raw=reply, decision_stated=stated)


def _supplied(data: Mapping[str, Any], observed: Mapping[str, Any] | None) -> tuple[str, ...]:
    """The ids of the chunks the model was given, in order, as far as the reply or what stands beside it says so."""
    for said in (data.get("internal"), observed):
        given = said.get("evidence") if isinstance(said, Mapping) else None
        if isinstance(given, list | tuple) and all(isinstance(one, str) for one in given):
            return tuple(given)
    return ()


def _read(text: str, corpus: Corpus, supplied: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The fields of a response that its text has: claims, what its markers open, its list of sources."""
    names = _Names.of(corpus)
    body, listed, of_all = _without_sources(text, names)
    counted = {str(number): chunk for number, chunk in enumerate(supplied, 1)} if not listed else {}
    explained = {**counted, **listed}
    body = _in_square_brackets(body, names, explained)
    numbers = {number for found in _NUMBERED.finditer(body) for number in re.findall(r"\d+", found[0])}
    markers = find_markers(body, ids=frozenset(corpus.ids), labels=frozenset(explained) | numbers)
    yield "claims", [*_claims(body, markers, explained, of_all, corpus)]
    shown = dict.fromkeys(label for marker in markers for label in marker.labels if label in explained)
    yield "rendered", [{"marker": label, "chunk": explained[label]} for label in shown]
    yield "sources", [{"chunk": chunk, "marker": label} for label, chunk in listed.items()]


_NUMBERED = re.compile(
    r"[\[\uff3b\u3010]\s*\^?[1-9]\d?(?:\s*[,;\uff0c\u3001-]\s*\^?[1-9]\d?)*\s*(?:\u2020[^\]\u3011\n]*)?[\]\uff3d\u3011](?!\()"
)
"""Numbers in brackets that are no label of a link: in prose they are markers, whether anything explains them or not."""

_RAISED = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
_ENTRY = re.compile(
    r"[ \t>*+\-\u2022]*(?:[\[\uff3b\u3010(]\s*\^?(?P<marked>[^\[\]\uff3b\uff3d\u3010\u3011()\n]{1,80})[\]\uff3d\u3011)]"
    rf"|(?P<counted>\d{{1,3}})[.)]|(?P<raised>[{_RAISED}]{{1,3}}))[ \t]*[:\uff1a]?[ \t]*(?P<rest>\S.*)"
)
_HEADING = re.compile(
    r"[ \t>#*_]*(?:sources?|references?|citations?|bibliography|quellen?|belege|literatur|fuentes?|referencias?|fonti"
    r"|fonte|bronnen|bron|källor|kilder|źródła|источники|参考文献|参考資料|来源|來源|出典)"
    r"[ \t*_]*[:\uff1a]?[ \t*_]*(?P<rest>.*)",
    re.IGNORECASE,
)
_MOST_WORDS = 3
"""How many words besides an id in square brackets an entry of a list of sources has outside such a list."""


def _without_sources(text: str, names: _Names) -> tuple[str, dict[str, str], tuple[str, ...]]:
    """The text without the lines that explain a label, what each label stands for, and what is named for all of it."""
    explained: dict[str, str] = {}
    of_all: dict[str, None] = {}
    kept: list[str] = []
    in_list = False
    for line in text.split("\n"):
        heading = _HEADING.fullmatch(line.rstrip())
        named = names.chunks_in(heading["rest"]) if heading else ()
        entry = _ENTRY.fullmatch(line.rstrip())
        if heading and (named or not heading["rest"]):
            of_all.update(dict.fromkeys(named))
            in_list = True
        elif entry is None or not _explains(entry, names, explained, in_list=in_list):
            kept.append(line)
    return "\n".join(kept), explained, tuple(of_all)


def _explains(entry: re.Match[str], names: _Names, explained: dict[str, str], *, in_list: bool) -> bool:
    """Whether a line says what its label stands for; then it is noted.

    "1. The limit is $180 [c1]" outside a list of sources is an item that cites.
    """
    chunk = names.chunk_in(entry["rest"])
    raised = unicodedata.normalize("NFKC", entry["raised"] or "")
    label = (entry["marked"] or entry["counted"] or raised).strip()
    is_item = not in_list and f"[{chunk}" in entry["rest"] and len(entry["rest"].split()) > _MOST_WORDS
    if chunk is None or label in explained or is_item:
        return False
    explained[label] = chunk
    return True


_RAISED_MARK = re.compile(rf"(?<=\w)(?<!\b10)(?<!\bm)(?<![ckm]m)[{_RAISED}]{{1,3}}(?!\w)")
_ESCAPED = re.compile(r"\\([\[\]])")
_LINK = re.compile(r"\(?\[\[?(?P<label>[^\[\]\n]{1,200})\]?\]\((?P<target>[^\s()]{1,500})\)\)?")
_IN_BRACKETS = re.compile(r"[(\[](?P<name>[^()\[\]\n]{1,200})[)\]](?!\()")
_SAID_BEFORE = re.compile(
    r"(?:see|source|from|ref\.?|quelle|siehe|vgl\.?|voir|fuente|fonte)[ ]?[:.]?[ ]+", re.IGNORECASE
)


def _in_square_brackets(body: str, names: _Names, explained: Mapping[str, str]) -> str:
    """The text with every way to cite that names one chunk written as its id, or its label, in square brackets."""

    def link(match: re.Match[str]) -> str:
        chunk = names.chunk_at(match["target"])
        if chunk is None:
            return match[0]
        is_mark = match["label"].strip("^ ").isdecimal() or names.chunk_in(match["label"]) is not None
        return f"[{chunk}]" if is_mark else f"{match['label']} [{chunk}]"

    def named(match: re.Match[str]) -> str:
        name = match["name"].strip()
        if match[0][0] == "(" and name in explained:
            return f"[{name}]"
        chunk = names.titled(_SAID_BEFORE.sub("", name, count=1))
        return match[0] if chunk is None else f"[{chunk}]"

    def raised(match: re.Match[str]) -> str:
        label = unicodedata.normalize("NFKC", match[0])
        return f"[{label}]" if label in explained else match[0]

    plain = _RAISED_MARK.sub(raised, _ESCAPED.sub(r"\1", body))
    return _IN_BRACKETS.sub(named, _LINK.sub(link, plain))


@dataclass(frozen=True, slots=True)
class _Names:
    """How a chunk may be named: by its id, its link, its title or its document."""

    ids: tuple[str, ...]
    urls: Mapping[str, tuple[str, ...]]
    titles: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, corpus: Corpus) -> _Names:
        return cls(
            tuple(sorted(corpus.ids, key=len, reverse=True)),
            _grouped((chunk.url, chunk) for chunk in corpus),
            _grouped((name, chunk) for chunk in corpus for name in {_folded(chunk.title), _folded(chunk.document)}),
        )

    def chunk_in(self, rest: str) -> str | None:
        """The one chunk that the rest of a line names, by id, else by link, else by title; None for none or several."""
        for found in (self._by_id(rest), self._by_url(rest), self.titles.get(_folded(rest) or "", ())):
            if found:
                return found[0] if len(found) == 1 else None
        return None

    def chunks_in(self, rest: str) -> tuple[str, ...]:
        """The chunks that a list on one line names; none where a part of it names no chunk."""
        whole = self.chunk_in(rest)
        parts = [part for part in re.split(r"[,;|]|\band\b|\bund\b", rest) if part.strip(" .[]()")]
        found = [self.chunk_in(part.strip(" .[]()")) for part in parts]
        if parts and all(found):
            return tuple(dict.fromkeys(filter(None, found)))
        return (whole,) if whole else ()

    def chunk_at(self, link: str) -> str | None:
        """The one chunk with a link."""
        found = self.urls.get(link.rstrip(".,;"), ())
        return found[0] if len(found) == 1 else None

    def titled(self, name: str) -> str | None:
        """The one chunk with a title."""
        found = self.titles.get(_folded(name) or "", ())
        return found[0] if len(found) == 1 else None

    def _by_id(self, rest: str) -> tuple[str, ...]:
        words = [word.strip("()[]{}<>,;.:\"'`") for word in rest.split()]
        return tuple(dict.fromkeys(word for word in words if word in frozenset(self.ids)))

    def _by_url(self, rest: str) -> tuple[str, ...]:
        links = re.findall(r"https?://[^\s<>()\[\]\"']+", rest)
        return tuple(dict.fromkeys(chunk for link in links for chunk in self.urls.get(link.rstrip(".,;"), ())))


def _grouped(pairs: Iterable[tuple[str | None, Chunk]]) -> Mapping[str, tuple[str, ...]]:
    grouped: dict[str, tuple[str, ...]] = {}
    for name, chunk in pairs:
        if name:
            grouped[name] = (*grouped.get(name, ()), chunk.id)
    return grouped


def _folded(name: str | None) -> str | None:
    return fold(name).strip(" .,;:*_\"'") if name else None


def _speaks_of(sentence: str, chunks: tuple[str, ...], corpus: Corpus) -> bool:
    """Whether a sentence gives a figure or has a word of one of some chunks: "Let me know!" states nothing of them."""
    if not chunks:
        return False
    words = set(content_words(sentence))
    texts = (f"{corpus[chunk].title or ''} {corpus[chunk].text}" for chunk in chunks)
    return any(map(str.isdigit, sentence)) or any(not words.isdisjoint(content_words(text)) for text in texts)


def _claims(
    body: str,
    markers: Iterable[Marker],
    explained: Mapping[str, str],
    of_all: tuple[str, ...],
    corpus: Corpus,
) -> Iterator[dict[str, Any]]:
    """The sentences that cite, without their markers, in order; `of_all` is cited by those without a marker."""
    plain, placed = _taken_out(body, markers)
    spans = [*_sentences(plain)]
    cited: dict[int, list[str]] = {}
    for position, marker in placed:
        number = _sentence_at(plain, spans, position)
        if number is not None:
            cited.setdefault(number, []).extend(marker.labels)
    for number, (start, end) in enumerate(spans):
        labels = dict.fromkeys(cited.get(number, ()))
        citations = [{"chunk": explained.get(label, label), "marker": label} for label in labels]
        if not citations and _speaks_of(plain[start:end], of_all, corpus):
            citations = [{"chunk": chunk} for chunk in of_all]
        if citations:
            yield {"text": plain[start:end].strip().lstrip("-*\u2022 \t"), "citations": citations}


def _taken_out(body: str, markers: Iterable[Marker]) -> tuple[str, list[tuple[int, Marker]]]:
    """The text without its markers and the blanks before them, and where in it each marker stood."""
    kept: list[str] = []
    placed: list[tuple[int, Marker]] = []
    length = done = 0
    for marker in markers:
        before = body[done : marker.start]
        if not marker.opens_line:
            before = before.rstrip(" \t\u00a0\u202f")
        kept.append(before)
        length += len(before)
        placed.append((length, marker))
        done = marker.end
    return "".join((*kept, body[done:])), placed


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    for sentence in split_sentences(text):
        start = text.find(sentence, position)
        if start >= 0:
            position = start + len(sentence)
            yield start, position


def _sentence_at(text: str, spans: list[tuple[int, int]], position: int) -> int | None:
    """The sentence that a marker belongs to: the one it stands in or behind; at the start of a line the next one."""
    line = text.rfind("\n", 0, position) + 1
    is_first = not text[line:position].strip(" \t>*+-\u2022")
    starts = [start for start, _ in spans]
    if is_first:
        return next((number for number, (_, end) in enumerate(spans) if end > position), None)
    number = bisect_left(starts, position) - 1
    return number if number >= 0 else None
