"""Plain JSON records: what applications, notebooks and evaluation tools write down about one question and its reply.

Fields are found under the names people give them, at the root or one level down; `--map` says where they stand in any
other record. Nothing is guessed from a value: a field that is not found is left out and said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from pytest_grounded.corpus.wording import did_you_mean, shown
from pytest_grounded.errors import GroundedError
from pytest_grounded.incidents.bare_ids import Knows, joined, only_ids
from pytest_grounded.incidents.evidence_texts import EvidenceTexts
from pytest_grounded.incidents.plain_chunks import CHUNK_FIELDS, read_chunks
from pytest_grounded.incidents.pointing import MISSING, first_at, value_at
from pytest_grounded.incidents.prose import response_of
from pytest_grounded.incidents.record import ABSENT, Incident, Stated

__all__ = ["FIELDS", "day_of", "is_json_like", "read_mapping_options", "read_plain", "read_requester_of", "read_stated"]

_ASKED = ("", "input.", "inputs.", "request.", "vars.", "data.")
_CAME = ("", "output.", "outputs.", "response.", "result.", "data.")


def _below(prefixes: Sequence[str], *names: str) -> tuple[str, ...]:
    return tuple(prefix + name for name in names for prefix in prefixes)


FIELDS: Mapping[str, tuple[str, ...]] = {
    "question": _below(_ASKED, "question", "query", "user_input", "input", "prompt", "message"),
    "history": _below(_ASKED, "history", "messages", "chat_history", "conversation"),
    "raw": ("raw", "raw_response", "raw_output"),
    "response": ("response", "reply"),
    "answer": _below(_CAME, "answer", "actual_output", "completion", "output", "text", "content", "result"),
    "decision": _below(_CAME, "decision"),
    "reason_code": _below(_CAME, "reason_code", "reason"),
    "sources": _below(_CAME, "sources", "citations", "source_documents", "references"),
    "evidence": ("evidence", "response.evidence", "internal.evidence"),
    "internal": ("internal",),
    "chunks": _below(
        ("", "outputs.", "output.", "response.", "inputs.", "input.", "vars."),
        "chunks",
        "documents",
        "docs",
        "passages",
        "contexts",
        "retrieved_contexts",
        "retrieval_context",
        "context",
        "source_documents",
    ),
    "chunk_ids": _below(
        ("", "outputs.", "output.", "response.", "inputs.", "input.", "vars."),
        "chunk_ids",
        "context_ids",
        "retrieved_context_ids",
        "document_ids",
        "doc_ids",
        "passage_ids",
    ),
    "requester": _below(_ASKED, "requester", "user", "identity", "caller"),
    "as_of": _below(_ASKED, "as_of", "date", "day", "timestamp", "time", "created_at", "start_time"),
    "expected": ("expected", "expect", "expected_output", "reference", "ground_truth", "correct_answer"),
    "forbid": ("forbid",),
    "kind": ("kind",),
    "about": ("about",),
    "suite": ("suite",),
    "incident": ("incident", "incident_id", "ticket", "issue"),
    "title": ("title",),
    "why": ("why", "note", "notes", "happened", "comment"),
    "tags": ("tags",),
    "risk": ("risk", "severity"),
    "absent_question": ("absent_question",),
    "replies": ("replies",),
}
"""Where each field is looked for, the likeliest place first."""


def read_mapping_options(pairs: Sequence[str]) -> dict[str, str]:
    """Read `field=path` pairs; a field of a chunk is named `chunks.text`.

    >>> read_mapping_options(["question=trace.input", "chunks.text=body"])
    {'question': 'trace.input', 'chunks.text': 'body'}
    """
    mapping: dict[str, str] = {}
    known = [*FIELDS, *(f"chunks.{name}" for name in CHUNK_FIELDS)]
    for pair in pairs:
        name, equals, path = pair.partition("=")
        if not equals or not name.strip() or not path.strip():
            raise GroundedError(f"--map needs FIELD=PATH, such as question=input.text; found {pair!r}")
        if name.strip() not in known:
            hint = did_you_mean(name.strip(), known) or f" (fields: {', '.join(FIELDS)}, chunks.id, chunks.text, ...)"
            raise GroundedError(f"--map: there is no field {name.strip()!r}{hint}")
        mapping[name.strip()] = path.strip()
    return mapping


def read_plain(
    record: Mapping[str, Any], *, file: str, mapping: Mapping[str, str] | None = None, knows: Knows = lambda _: False
) -> Incident:
    """The incident that a plain record tells of; `knows` says of an id whether a corpus at hand has its chunk.

    >>> record = {"query": "How much?", "answer": "It is $150 [1].", "contexts": ["The limit is $180."]}
    >>> incident = read_plain(record, file="incident.json")
    >>> incident.question, incident.chunks[0]["id"], incident.reply["claims"][0]["citations"][0]["chunk"]
    ('How much?', 'chunk-1', 'chunk-1')
    """
    return _Reading(record, file, mapping or {}, knows).incident()


class _Reading:
    """One record being read; gathers where fields were found and what could not be told."""

    def __init__(self, record: Mapping[str, Any], file: str, mapping: Mapping[str, str], knows: Knows) -> None:
        self.record = record
        self.file = file
        self.mapping = mapping
        self.knows = knows
        self.named: list[str] = []
        self.told = EvidenceTexts([], mapping)
        self.found: dict[str, str] = {}
        self.notes: list[str] = []

    def incident(self) -> Incident:
        written = self._chunks()
        self.named = only_ids(written, self.knows) or []
        chunks, notes = read_chunks([] if self.named else written, self.mapping)
        self.notes += notes
        self.told = EvidenceTexts(chunks, self.mapping)
        question = self._text("question")
        self._evidence()
        stated = self._stated()
        reply = self._reply(self.named or [str(chunk["id"]) for chunk in self.told.chunks])
        internal = self._of("internal")
        incident = Incident(
            form="a plain record",
            file=self.file,
            question=question,
            reply=reply,
            internal=self.told.within(internal) if isinstance(internal, Mapping) else self._observed(reply),
            history=tuple(_turns(self._of("history"), question)),
            requester=self._requester(),
            as_of=self._day(),
            chunks=tuple(self.told.chunks),
            stated=stated,
            suite=self._text("suite"),
            title=self._text("title"),
            incident=self._text("incident") or self._ticket(),
            why=self._text("why"),
            tags=_texts(self._of("tags")),
            risk=self._risk(),
            absent_question=self._text("absent_question"),
            replies=tuple(self._replies()),
        )
        return incident.noting(*self.notes, *self._unread())

    def _of(self, name: str) -> Any:
        """The value of a field; None where it is not there. A place that was named has to be."""
        if name in self.mapping:
            value = value_at(self.record, self.mapping[name])
            if value is MISSING:
                keys = ", ".join(map(str, self.record)) or "none"
                raise GroundedError(
                    f"{self.file}: --map {name}={self.mapping[name]} leads nowhere (keys of the record: {keys})"
                )
            self.found[name] = self.mapping[name]
            return value
        path, value = first_at(self.record, FIELDS[name])
        if value is MISSING:
            return None
        self.found[name] = path
        return value

    def _text(self, name: str) -> str | None:
        value = self._of(name)
        if isinstance(value, str) and value.strip():
            return value
        return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

    def _chunks(self) -> Any:
        found = self._of("chunks")
        lists = {} if found is None else {self.found["chunks"]: found}
        if "chunks" not in self.mapping:
            lists |= {path: value for path in FIELDS["chunks"] if (value := value_at(self.record, path))}
        chunks = joined(lists, self._of("chunk_ids"), self.knows)
        self.notes += chunks.notes
        if chunks.path is not None:
            self.found["the texts of chunks"] = chunks.path
        value = chunks.chunks
        if value is None and isinstance(self._of("sources"), list):
            listed = [one for one in self._of("sources") if isinstance(one, Mapping)]
            return [one for one in listed if any(isinstance(one.get(key), str) for key in ("text", "content"))] or None
        return value

    def _requester(self) -> Mapping[str, Any] | str | None:
        requester, notes = read_requester_of(self._of("requester"))
        self.notes += notes
        return requester

    def _day(self) -> date | None:
        value = self._of("as_of")
        day = None if value is None else day_of(value)
        if value is not None and day is None:
            self.notes.append(f"the day: {shown(value)} cannot be read as a date (say it with --as-of YYYY-MM-DD)")
        return day

    def _ticket(self) -> str | None:
        """An id of the record that is written as tickets are, INC-1042; any other is a log's own."""
        own = self.record.get("id")
        if not isinstance(own, str) or _TICKET.fullmatch(own.strip()) is None:
            return None
        self.found["the incident"] = "id"
        return own.strip()

    def _risk(self) -> str | None:
        value = self._of("risk")
        return value.lower() if isinstance(value, str) and value.lower() in ("low", "medium", "high") else None

    def _stated(self) -> Stated:
        expected = self._of("expected")
        if isinstance(expected, Mapping):
            expected = {key: self.told.ids(one) if key in _OF_CHUNKS else one for key, one in expected.items()}
        stated = read_stated(expected)
        if isinstance(expected, Mapping):
            for key in sorted(set(expected) - _STATED_KEYS):
                self.notes.append(f"what was expected: {shown(key)} is no key that is read")
        kind = self._of("kind")
        forbid = read_stated({"forbid": self._of("forbid"), "about": self._of("about")})
        return stated.over(forbid).over(Stated(kind=kind if kind in _KINDS else None))

    def _evidence(self) -> Any:
        """The ids of what was handed to the model; where texts stand in their place, they become chunks."""
        return self.told.ids(self._of("evidence"))

    # --- the reply

    def _reply(self, given: Sequence[str]) -> Any:
        if "raw" in self.mapping or "raw" in self.record:
            self.found["raw"] = "raw"
            return value_at(self.record, self.mapping.get("raw", "raw"))
        if "response" in self.record and self.record["response"] is None and "response" not in self.mapping:
            self.found["response"] = "response"
            return None
        response = self._of("response")
        if isinstance(response, Mapping) and ("decision" in response or not self._prose()):
            return self.told.within(self._with_evidence(response))
        if isinstance(response, str) and (is_json_like(response) or not response.strip()):
            return response
        text = response if isinstance(response, str) else self._prose()
        if text is None:
            return ABSENT
        return self._from_prose(text, given)

    def _replies(self) -> Iterator[dict[str, Any]]:
        """Further replies, as lines of a recording: of other runs, variants of the question, earlier steps."""
        listed = self._of("replies")
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, Mapping) and "response" in one:
                yield {key: one[key] for key in ("step", "run", "variant", "response", "internal") if key in one}

    def _prose(self) -> str | None:
        value = self._of("answer")
        return value if isinstance(value, str) else None

    def _from_prose(self, text: str, given: Sequence[str]) -> dict[str, Any]:
        decision, reason = self._text("decision"), self._text("reason_code")
        if decision is None:
            decision = "answer"
            self.notes.append("the decision: the record has none; taken for answer, because a text was shown")
        listed = self._of("sources")
        shown_ids = [*_source_ids(listed, given)]
        evidence = _texts(self._evidence()) or tuple(given)
        response = response_of(text, decision=decision, reason_code=reason, shown=shown_ids, given=evidence)
        if response["claims"] and not any(
            one.get("marker") for claim in response["claims"] for one in claim["citations"]
        ):
            self.notes.append(
                "citations: the text has no markers; each sentence is taken to rest on all of "
                f"{'the sources shown' if shown_ids else 'the chunks'}"
            )
        return response

    def _with_evidence(self, response: Mapping[str, Any]) -> Mapping[str, Any]:
        """The response with the ids that the record holds beside it."""
        evidence = self.record.get("evidence") or self.named or None
        has_own = "evidence" in response or "internal" in response
        return response if evidence is None or has_own else {**response, "evidence": evidence}

    def _observed(self, reply: Any) -> Mapping[str, Any] | None:
        """What was observed beside a raw reply."""
        evidence = self._evidence() or self.named or None
        if evidence is None or isinstance(reply, Mapping):
            return None
        return {"evidence": list(_texts(evidence))}

    def _unread(self) -> Iterator[str]:
        """The keys at the root that no field was read from."""
        used = {
            re.split(r"[.\[]", path.removeprefix("$").removeprefix("."), maxsplit=1)[0] for path in self.found.values()
        }
        left = [str(key) for key in self.record if key not in used and self.record[key] is not None]
        if left:
            yield f"not read of the record: {', '.join(left)}"


# --- values ------------------------------------------------------------------------------------------------------

_TICKET = re.compile(r"[A-Za-z]{2,12}[-_ #]?[0-9]{1,9}")
_KINDS = ("answerable", "multi_evidence", "partial", "unanswerable", "conflicting", "restricted")
_JSON_LIKE = re.compile(r"\s*(?:```\w*\s*)?[\[{]|.{0,2000}\{\s*\"", re.DOTALL)


def is_json_like(text: str) -> bool:
    """Whether a text is what a model gave that was asked for JSON, whole or not.

    >>> is_json_like('Here: {"decision": "answ'), is_json_like("It is {about} $150.")
    (True, False)
    """
    return _JSON_LIKE.match(text) is not None


def day_of(value: Any) -> date | None:
    """The day of a date, a time or seconds, milliseconds or nanoseconds since 1970 (in UTC); None for anything else.

    >>> day_of("2024-10-01T23:30:00+02:00"), day_of(1727740800), day_of("soon")
    (datetime.date(2024, 10, 1), datetime.date(2024, 10, 1), None)
    """
    if isinstance(value, str) and value.strip().isdigit() and len(value.strip()) >= _SECONDS:
        value = int(value)
    if isinstance(value, str):
        try:
            return date.fromisoformat(value.strip()[: len("2024-10-01")])
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    seconds = float(value)
    while seconds > _LATEST:
        seconds /= 1000
    return datetime.fromtimestamp(seconds, tz=UTC).date()


_SECONDS = 10
_LATEST = 10_000_000_000.0
"""Seconds since 1970 reach here in the year 2286; larger numbers count parts of seconds."""

_REQUESTER_KEYS: Mapping[str, str] = {
    "id": "id",
    "user_id": "id",
    "name": "id",
    "tenant": "tenant",
    "tenant_id": "tenant",
    "org": "tenant",
    "audience": "audience",
    "role": "audience",
    "groups": "groups",
    "roles": "groups",
    "teams": "groups",
    "scope": "scope",
}


def read_requester_of(value: Any) -> tuple[Mapping[str, Any] | str | None, list[str]]:
    """Who asked: a mapping with our keys, a bare name, or None; and what of it was not read.

    >>> read_requester_of({"user_id": "u1", "roles": ["staff"], "ip": "203.0.113.9"})
    ({'id': 'u1', 'groups': ['staff']}, ['who asked: ip is not read'])
    """
    if isinstance(value, str):
        return (value.strip() or None), []
    if not isinstance(value, Mapping):
        return None, []
    requester: dict[str, Any] = {}
    for key, item in value.items():
        ours = _REQUESTER_KEYS.get(str(key))
        if ours is None or item is None or ours in requester:
            continue
        if ours == "scope":
            requester[ours] = {str(name): str(one) for name, one in item.items()} if isinstance(item, Mapping) else {}
        elif ours in ("audience", "groups"):
            requester[ours] = list(_texts(item))
        else:
            requester[ours] = str(item)
    left = [str(key) for key in value if str(key) not in _REQUESTER_KEYS]
    return requester, [f"who asked: {', '.join(left)} is not read"] if left else []


_OF_CHUNKS = frozenset({"evidence", "cite", "cites", "must_cite", "about"})
_STATED_KEYS = frozenset(
    {
        "kind", "decision", "reason", "reason_code", "next_step", "answer", "text", "output", "value", "values",
        "evidence", "cite", "cites", "must_cite", "missing", "about", "must_not_contain", "forbid",
    }
)  # fmt: skip


def read_stated(value: Any) -> Stated:
    """What should have happened: a mapping with the keys of a case's `expect`, or a right answer in prose.

    >>> read_stated({"decision": "abstain", "reason": None}).reason_code, read_stated("It is $180.").answer
    ((None,), 'It is $180.')
    """
    if isinstance(value, str) and value.strip():
        return Stated(answer=value)
    if not isinstance(value, Mapping):
        return Stated()
    forbid = value.get("forbid")
    forbid = forbid if isinstance(forbid, Mapping) else {"values": forbid}
    codes = next((value[key] for key in ("reason_code", "reason") if key in value), ())
    answer = next((value[key] for key in ("answer", "text", "output") if isinstance(value.get(key), str)), None)
    return Stated(
        kind=value.get("kind") if value.get("kind") in _KINDS else None,
        decision=_texts(value.get("decision")),
        reason_code=(None,) if codes is None else _texts(codes),
        next_step=value.get("next_step") if isinstance(value.get("next_step"), str) else None,
        answer=answer,
        values=_texts(value.get("values")) or _texts(value.get("value")),
        evidence=_texts(value.get("evidence")),
        cite=_texts(value.get("cite")) or _texts(value.get("cites")) or _texts(value.get("must_cite")),
        missing=_texts(value.get("missing")),
        about=_texts(value.get("about")),
        forbid_evidence=_texts(forbid.get("evidence")),
        forbid_text=_texts(forbid.get("text")),
        forbid_values=(*_texts(forbid.get("values")), *_texts(value.get("must_not_contain"))),
    )


def _texts(value: Any) -> tuple[str, ...]:
    """One text or a list of them; numbers as they are written."""
    if isinstance(value, str):
        return (value,) if value.strip() else ()
    if isinstance(value, bool) or value is None or isinstance(value, Mapping):
        return ()
    if isinstance(value, int | float):
        return (str(getattr(value, "written", value)),)
    return tuple(text for one in value for text in _texts(one)) if isinstance(value, Sequence) else ()


def _turns(value: Any, question: str | None) -> Iterator[dict[str, Any]]:
    """Earlier turns of a conversation, without the question itself where it is the last of them."""
    turns = [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
    read = [turn for turn in map(_turn, turns) if turn is not None]
    if read and read[-1]["role"] == "user" and read[-1]["text"] == question:
        read.pop()
    yield from read


def _turn(value: Mapping[str, Any]) -> dict[str, Any] | None:
    role = {"human": "user", "ai": "assistant", "bot": "assistant"}.get(str(value.get("role")), value.get("role"))
    text = next((value[key] for key in ("text", "content", "message") if isinstance(value.get(key), str)), None)
    if role not in ("user", "assistant") or text is None:
        return None
    turn: dict[str, Any] = {"role": role, "text": text}
    groups = value.get("as_groups")
    requester = {"groups": list(_texts(groups))} if groups is not None else read_requester_of(value.get("requester"))[0]
    if isinstance(requester, Mapping) and requester:
        turn["requester"] = {key: item for key, item in requester.items() if key != "id"}
    if cites := _texts(value.get("cites")):
        turn["cites"] = list(cites)
    return turn


def _source_ids(value: Any, given: Sequence[str]) -> Iterator[str]:
    """The ids of the sources shown, where they say one; a place in the list of chunks stands for the chunk."""
    for one in value if isinstance(value, list) else ():
        if isinstance(one, str):
            yield one
        elif isinstance(one, int) and not isinstance(one, bool) and 0 < one <= len(given):
            yield given[one - 1]
        elif isinstance(one, Mapping):
            _, chunk = first_at(one, ("chunk", "id", "chunk_id", "document_id", "doc_id", "source", "metadata.source"))
            if isinstance(chunk, str):
                yield chunk
