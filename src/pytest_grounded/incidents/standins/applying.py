"""Finds what of an incident must not be committed, puts stand-ins in its place, and looks whether anything is left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_grounded.detection import Detector
from pytest_grounded.incidents.freezing import written_chunk
from pytest_grounded.incidents.labels import Label
from pytest_grounded.incidents.record import ABSENT, Incident
from pytest_grounded.incidents.settling import Settled
from pytest_grounded.incidents.standins.disguise import Disguise
from pytest_grounded.incidents.standins.personal import Found, personal_in, without
from pytest_grounded.model.evidence import Chunk, Corpus

__all__ = ["Sensitive", "disguised", "find_sensitive", "what_is_left"]


@dataclass(frozen=True, kw_only=True)
class Sensitive:
    """What must not be committed: chunks of which nothing may be left, and texts that are personal or secret."""

    restricted: tuple[Chunk, ...] = ()
    personal: tuple[Found, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.restricted or self.personal)


def find_sensitive(
    incident: Incident, settled: Settled, label: Label, *, everything: bool = False, kept: Sequence[str] = ()
) -> Sensitive:
    """What of an incident must not be committed and is not there already.

    Restricted is a chunk that would be added and that the requester may not read; with `everything` each that would be
    added is. What a person wants `kept` is neither.
    """
    known = {chunk.id: chunk for chunk in settled.base.corpus} if settled.base is not None else {}
    added = [chunk for chunk in settled.frozen.added if known.get(chunk.id) != chunk]
    restricted = [chunk for chunk in added if everything or not chunk.readable_by(settled.requester)]
    found = (one for value in _texts_of(incident, settled, label, added) for one in personal_in(value))
    committed = _committed(settled)
    personal = [one for one in without(found, kept) if one.text not in committed]
    if everything and not restricted:
        restricted = list(settled.frozen.added)
    return Sensitive(restricted=tuple(restricted), personal=tuple(personal))


def _texts_of(incident: Incident, settled: Settled, label: Label, added: Iterable[Chunk]) -> Iterator[Any]:
    """Everything that would be written, as JSON values."""
    yield from (settled.question, incident.absent_question, incident.title, incident.why)
    yield from (incident.reply if incident.has_reply else None, incident.internal, list(incident.replies))
    yield [turn.get("text") for turn in incident.history]
    yield [dict(label.expect), dict(label.forbid)]
    for chunk in added:
        yield {key: value for key, value in written_chunk(chunk).items() if key != "readers"}


def _committed(settled: Settled) -> str:
    """The texts that the suite, or the suite of the case the record belongs to, has already."""
    corpora = [settled.suite.corpus.corpus] if settled.suite.corpus is not None else []
    corpora += [settled.base.corpus] if settled.base is not None else []
    return "\n".join(chunk.text for corpus in corpora for chunk in corpus)


def disguised(
    incident: Incident, settled: Settled, label: Label, sensitive: Sensitive, *, kept: Sequence[str] = ()
) -> tuple[Incident, Settled, Label, Disguise]:
    """The same incident, told of other things."""
    hidden = {chunk.id for chunk in sensitive.restricted}
    rests_on = [one.chunk for one in settled.frozen.chunks if one.chunk.id not in hidden]
    disguise = Disguise(
        personal=sensitive.personal,
        restricted=sensitive.restricted,
        readable=[chunk for chunk in rests_on if chunk.readable_by(settled.requester)],
        kept=kept,
        taken=_there_already(settled),
        as_of=settled.as_of,
    )
    chunks = tuple(
        replace(one, chunk=_made_up(one.chunk, settled, disguise, is_hidden=one.chunk.id in hidden))
        if one.is_added
        else one
        for one in settled.frozen.chunks
    )
    told = replace(
        incident,
        question=disguise.text(settled.question),
        reply=incident.reply if incident.reply is ABSENT else disguise.value(incident.reply),
        internal=None if incident.internal is None else disguise.value(incident.internal),
        replies=tuple(disguise.value(one) for one in incident.replies),
        history=tuple({**disguise.value(turn), **_asker(turn)} for turn in incident.history),
        absent_question=disguise.text(incident.absent_question) if incident.absent_question else None,
        title=None if hidden else _maybe(disguise, incident.title),
        why=None if hidden else _maybe(disguise, incident.why),
        chunks=(),
    )
    frozen = replace(settled.frozen, chunks=chunks)
    label = replace(
        label,
        expect=_expect(disguise, label.expect),
        forbid=disguise.value(label.forbid),
        about=tuple(map(disguise.text, label.about)),
    )
    return told, replace(settled, question=str(told.question), frozen=frozen), label, disguise


def _there_already(settled: Settled) -> Iterator[str]:
    """The ids and texts of the suite: a second incident is told in other words than the first."""
    for chunk in settled.suite.corpus.corpus if settled.suite.corpus is not None else ():
        yield from (chunk.id, chunk.text, chunk.title or "", chunk.document or "")


def _asker(turn: Mapping[str, Any]) -> dict[str, Any]:
    """Who asked in an earlier turn stays as it is: groups decide what may be read."""
    return {"requester": turn["requester"]} if "requester" in turn else {}


def _maybe(disguise: Disguise, text: str | None) -> str | None:
    return None if text is None else disguise.text(text)


def _expect(disguise: Disguise, expect: Mapping[str, Any]) -> dict[str, Any]:
    """What has to hold, told of other things; decisions, codes and next steps stay."""
    return {key: value if key in _CODES else disguise.value(value) for key, value in expect.items()}


_CODES = frozenset({"decision", "reason_code", "internal_reason_code", "model_called"})


def _made_up(chunk: Chunk, settled: Settled, disguise: Disguise, *, is_hidden: bool) -> Chunk:
    """A chunk in other words; of a restricted one dates and tenant go too, and what no other words were found for."""
    made = disguise.chunk(chunk, is_restricted=is_hidden)
    if not is_hidden:
        return made
    same = [name for name in ("title", "locator", "url", "version") if getattr(made, name) == getattr(chunk, name)]
    made = made.model_copy(update=dict.fromkeys(same))
    if chunk.tenant is not None and chunk.tenant != settled.requester.tenant:
        made = made.model_copy(update={"tenant": "another-tenant"})
    undated = made.model_copy(update={"effective_from": None, "effective_to": None, "ingested_at": None})
    return undated if _in_force(undated, settled) == _in_force(chunk, settled) else made


def _in_force(chunk: Chunk, settled: Settled) -> bool:
    return Corpus(name="one", chunks=[chunk]).view(settled.requester, settled.as_of).in_force(chunk.id)


def what_is_left(
    written: Mapping[str, Any], sensitive: Sensitive, settled: Settled, *, kept: Sequence[str] = ()
) -> tuple[str, ...]:
    """Where something of the original still stands in what would be written, by field; never the text itself.

    Looks for restricted text in every disguise that the leak checks know.
    """
    left: dict[str, None] = {}
    hidden = {chunk.id for chunk in sensitive.restricted}
    known = [one.chunk for one in settled.frozen.chunks if one.chunk.id not in hidden]
    nobody = [chunk.model_copy(update={"readers": (), "tenant": None}) for chunk in sensitive.restricted]
    everyone = [chunk.model_copy(update={"readers": ("*",), "tenant": None}) for chunk in known]
    if nobody:
        view = Corpus(name="original", chunks=[*nobody, *everyone]).view(settled.requester, settled.as_of)
        for hit in Detector(view, known=kept).scan(dict(written)):
            left[hit.field] = None
    for one in sensitive.personal:
        wanted = re.compile(rf"(?<!\w){re.escape(one.text)}(?!\w|\.\d)", re.IGNORECASE)
        left.update(dict.fromkeys(_fields_with(written, wanted)))
    return tuple(left)


def _fields_with(value: Any, wanted: re.Pattern[str], path: str = "") -> Iterator[str]:
    if isinstance(value, str):
        if wanted.search(value):
            yield path
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _fields_with(item, wanted, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _fields_with(item, wanted, f"{path}[{place}]")
