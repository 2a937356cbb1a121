"""Writes what `init` and `corpus update` make: chunks as JSON Lines, a manifest, a first file of cases with reasons.

Every text a document or a person gave is written as a JSON string, which YAML reads as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import PurePath

from pytest_grounded.documents.suggesting import Suggestion
from pytest_grounded.model.evidence import Chunk, Requester
from pytest_grounded.model.vocabulary import CaseKind

__all__ = ["case_file", "chunk_lines", "manifest", "modeline", "yaml_value"]

_INSIDER = "insider"
_PLAIN = re.compile(r"[A-Za-z][\w$%@/~.-]*(?: [\w$%@/~.-]+)*")
_SENTENCE = re.compile(r"[A-Za-z][\w$%@/~.,;'?-]*(?: [\w$%@/~.,;'?-]+)*")
_KINDS = {
    CaseKind.ANSWERABLE: "has to be answered, from evidence that is readable, in force and applies",
    CaseKind.MULTI_EVIDENCE: "has to be answered from at least two chunks",
    CaseKind.PARTIAL: "is covered in part: what is covered is answered, the rest is named and given no value",
    CaseKind.UNANSWERABLE: "must not be answered: no document speaks of it",
    CaseKind.CONFLICTING: "has two answers in force: both sides are stated with their sources",
    CaseKind.RESTRICTED: "is about a chunk the requester may not read: nothing may give it away, nor that it exists",
}

_TEMPLATES = {
    CaseKind.ANSWERABLE: (
        "id: some-limit",
        "kind: answerable",
        "question: What is the limit for ...?",
        "expect:",
        '  slots: [{name: limit, values: ["180"], evidence: [<chunk id>]}]   # the value stands in that chunk',
    ),
    CaseKind.MULTI_EVIDENCE: (
        "id: two-limits",
        "kind: multi_evidence",
        "question: What is the limit for ..., and for ...?",
        "expect:",
        "  slots:",
        '    - {name: first, values: ["180"], evidence: [<chunk id>]}',
        '    - {name: second, values: ["240"], evidence: [<another chunk id>]}',
    ),
    CaseKind.PARTIAL: (
        "id: one-of-two",
        "kind: partial",
        "question: What is the limit for ..., and for something no document speaks of?",
        "expect:",
        '  slots: [{name: limit, values: ["180"], evidence: [<chunk id>]}]',
        "  missing: [something no document speaks of]",
    ),
    CaseKind.UNANSWERABLE: (
        "id: not-covered",
        "kind: unanswerable",
        "question: Something no document speaks of?",
    ),
    CaseKind.CONFLICTING: (
        "id: two-documents-disagree",
        "kind: conflicting",
        "question: What is the limit for ...?",
        "expect:",
        "  conflict:",
        '    sides: [{value: "150", chunks: [<chunk id>]}, {value: "180", chunks: [<another chunk id>]}]',
    ),
    CaseKind.RESTRICTED: (
        "id: not-for-me",
        "kind: restricted",
        "question: What does ... say?",
        "about: [<id of a chunk whose readers leave the requester out>]",
    ),
}


def chunk_lines(chunks: Iterable[Chunk]) -> Iterator[str]:
    r"""A chunk a line, without what is at its default; `readers` is always said.

    >>> next(chunk_lines([Chunk(id="a", text="t", readers=("*",))]))
    '{"id": "a", "text": "t", "readers": ["*"]}\n'
    """
    for chunk in chunks:
        written = chunk.model_dump(mode="json", exclude_defaults=True)
        written["readers"] = list(chunk.readers)
        yield json.dumps(written, ensure_ascii=False) + "\n"


def modeline(schema: PurePath) -> str:
    """The first line that tells an editor which schema the file follows."""
    return f"# yaml-language-server: $schema={schema.as_posix()}"


def manifest(
    *, name: str, as_of: date, default_readers: Sequence[str], schema: PurePath, inline: str | None = None
) -> str:
    """A manifest whose chunks are in `chunks.jsonl`, or stand in it (`inline`, indented YAML)."""
    readers = _flow(default_readers)
    said = (
        "who may read a chunk that has no readers of its own: nobody"
        if not default_readers
        else "who may read a chunk that has no readers of its own"
    )
    lines = (
        modeline(schema),
        "# What the assistant may know. Keep it in git: a case means something only together with its corpus.",
        f"corpus: {_text(name)}",
        f"revision: {as_of.isoformat()}            # a label for people",
        f"as_of: {as_of.isoformat()}               # the day of every case that names none; no clock is read",
        f"default_readers: {readers}   # {said}",
    )
    chunks = f"chunks:\n{inline}" if inline is not None else "chunks: chunks.jsonl           # one chunk a line\n"
    return "\n".join(lines) + "\n" + chunks


def case_file(suggestions: Sequence[Suggestion], *, requester: Requester, schema: PurePath, source: str) -> str:
    """A first file of cases: what was suggested of each kind, and for the other kinds what one would look like."""
    insiders = sorted({group for one in suggestions for group in one.insiders})
    lines = [
        modeline(schema),
        f"# First cases, made from {source}. They are a start: read each, and put it as your users would ask.",
        "# `why` is for the next person who wonders whether the label is right.",
        "requesters:",
        f"  {requester.id}: {{groups: {_flow(requester.groups)}}}   # who asks; groups decide which chunks may be read",
        *([f"  {_INSIDER}: {{groups: {_flow(insiders)}}}   # who may read what others may not"] if insiders else []),
        f"defaults: {{requester: {requester.id}}}",
        "cases:" if suggestions else "cases: []",
    ]
    for kind in CaseKind:
        made = [one for one in suggestions if one.kind is kind]
        lines += ["", f"  # {kind.value}: {_KINDS[kind]}"]
        for one in made:
            lines += _case(one)
        if not made:
            lines += ["  # Nothing was found to suggest one. It would look like this:"]
            first, *rest = _TEMPLATES[kind]
            lines += [f"  # - {first}", *(f"  #   {line}" for line in rest)]
    return "\n".join(lines) + "\n"


def _case(one: Suggestion) -> Iterator[str]:
    yield f"  - id: {one.id}"
    yield f"    kind: {one.kind.value}"
    yield f"    question: {_line(one.question)}"
    if one.about:
        yield f"    about: {_flow([one.about])}"
        if one.insiders:
            yield f"    control: {_INSIDER}   # has to get a different answer, or the case shows nothing"
    if one.slots or one.missing or one.sides:
        yield "    expect:"
    if one.slots:
        yield "      slots:"
    for slot in one.slots:
        values = f", values: {_flow([slot.value])}" if slot.value else ""
        yield f"        - {{name: {_text(slot.name)}{values}, evidence: {_flow([slot.evidence])}}}"
    if one.missing:
        yield f"      missing: {_flow([one.missing])}"
    if one.sides:
        yield "      conflict:"
        yield "        sides:"
        yield from (f"          - {{value: {_text(value)}, chunks: {_flow([chunk])}}}" for value, chunk in one.sides)
    yield f"    why: {_line(one.why)}"


def yaml_value(value: object) -> str:
    """A value of a chunk on one line.

    >>> print(yaml_value("The limit is $180."), yaml_value(["staff", "a: b"]))
    The limit is $180. [staff, "a: b"]
    """
    if isinstance(value, str):
        return _line(value)
    return _flow(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else json.dumps(value)


def _text(text: str) -> str:
    """A text as YAML: plain where it means itself anywhere, else as a JSON string."""
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _flow(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _line(text: str) -> str:
    """A text that has the rest of its line to itself."""
    return text if _SENTENCE.fullmatch(text) else json.dumps(text, ensure_ascii=False)
