"""What every finding is called, what it means in one line, and whose failure it usually is.

The names are stable: case files waive them, results count them. A check may name another owner than the usual one
where it knows better; it may not report a name that is not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_grounded.model.vocabulary import Owner

__all__ = ["CATALOGUE", "CheckInfo"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInfo:
    """A finding's name with what it says. What it asserts in full, with an example, stands in its page in docs/checks.

    `never_waived`: leak, permission and stale findings, for which a case can neither have a waiver nor count runs.
    """

    name: str
    summary: str
    owner: Owner
    never_waived: bool = False


_CORPUS, _GATE, _WRITER, _DELIVERY = Owner.CORPUS, Owner.RETRIEVAL, Owner.GENERATION, Owner.DELIVERY


def _info(name: str, summary: str, owner: Owner, *, never: bool = False) -> CheckInfo:
    return CheckInfo(name=name, summary=summary, owner=owner, never_waived=never)


_DECISIONS = (
    _info("decision.wrong", "The decision is none of those the case allows.", _GATE),
    _info(
        "decision.answered_without_evidence",
        "Something was answered although no evidence was there, or none can answer the question.",
        _GATE,
    ),
    _info("decision.over_refusal", "An answerable question was not answered.", _GATE),
    _info("decision.contradictory", "An abstention that fills a slot or states a fact all the same.", _WRITER),
    _info(
        "decision.model_called",
        "A model was called though the gate was closed, or was not though the case says it is.",
        _GATE,
    ),
    _info("reason.wrong", "The reason code is none of those the case allows, or none of the eleven.", _GATE),
    _info("next_step.wrong", "What the user is told to do next is not what the case expects.", _WRITER),
)

_CITATIONS = (
    _info("citation.unknown_id", "What is cited or marked is in no chunk of the corpus on that day.", _WRITER),
    _info("citation.not_retrieved", "The cited chunk was not among the evidence given to the model.", _WRITER),
    _info("citation.not_permitted", "The requester may not read the cited chunk.", _GATE, never=True),
    _info("citation.not_current", "The cited chunk is not in force on the day of the question.", _GATE, never=True),
    _info("citation.not_applicable", "The cited chunk applies to somebody else.", _GATE),
    _info("citation.wrong_source", "The quote stands in another readable chunk than the cited one.", _WRITER),
    _info("citation.missing", "A claim cites nothing, or a chunk that has to be cited is not.", _WRITER),
    _info("citation.insufficient", "What only several chunks support together is cited in part.", _WRITER),
    _info("citation.version", "The version or locator stated with a citation is not the chunk's.", _WRITER),
    _info("citation.render_mismatch", "A shown marker opens a chunk that no claim of its sentence cites.", _DELIVERY),
    _info(
        "citation.unsafe_link", "A shown link has a scheme or a host that is not allowed, or is an image.", _DELIVERY
    ),
)

_QUOTES_AND_NUMBERS = (
    _info("quote.not_verbatim", "A part of the quote does not stand in the cited chunk.", _WRITER),
    _info(
        "quote.elision",
        "All parts of a shortened quote are there, but the gap, order or distance changes the meaning.",
        _WRITER,
    ),
    _info("quote.too_short", "The quote is too short to say anything.", _WRITER),
    _info("number.unsupported", "A number, date or amount of a claim stands in no cited chunk.", _WRITER),
    _info("number.unit_or_scale", "The digits stand in the cited chunk with another unit or scale.", _WRITER),
    _info("number.ambiguous_date", "A date whose order of day and month nothing settles was read one way.", _WRITER),
    _info(
        "number.derivation",
        "A stated derivation does not give the stated value, or its values do not belong together.",
        _WRITER,
    ),
)

_CLAIMS = (
    _info(
        "claim.unsupported",
        "The cited text is about something else, or about somebody or something the claim does not name.",
        _WRITER,
    ),
    _info(
        "claim.polarity", "The claim denies what the source affirms, or the reverse, or turns a bound around.", _WRITER
    ),
    _info("claim.mixed_sources", "The number comes from one passage and its subject from another.", _WRITER),
    _info("claim.none", "An answer without a claim: nothing was there to be checked.", _WRITER),
    _info(
        "claim.uncited_text",
        "A sentence of the text states a number, date, amount, code or name that no claim and no quote has.",
        _WRITER,
    ),
    _info(
        "claim.stale_value",
        "A value was stated that only chunks not in force or not applicable give.",
        _GATE,
        never=True,
    ),
)

_SLOTS = (
    _info("slot.missing", "A part that the answer has to contain is not there.", _WRITER),
    _info("slot.wrong_value", "The part is there with another value.", _WRITER),
    _info("slot.wrong_evidence", "The value is right and rests on chunks that do not support it.", _WRITER),
    _info("slot.unnamed", "A part that the corpus does not cover is not named as missing.", _WRITER),
    _info("slot.filled_though_missing", "A part that the corpus does not cover was given a value.", _WRITER),
    _info(
        "slot.blocking",
        "Something was answered although a part without which nothing may be answered is missing.",
        _GATE,
    ),
)

_CONFLICTS = (
    _info("conflict.undisclosed", "One value was stated silently while a source of equal rank gives another.", _GATE),
    _info("conflict.sources_not_named", "A disagreement is said, but a side lacks its value or its source.", _WRITER),
    _info("conflict.wrong_resolution", "A conflict that a rule settles was settled for the wrong side.", _GATE),
)

_FORBIDDEN = (
    _info("forbid.text", "A forbidden text is shown.", _WRITER),
    _info("forbid.values", "A forbidden value is asserted.", _WRITER),
    _info("forbid.evidence", "A forbidden chunk is cited or was given to the model.", _GATE),
)

_LEAKS = tuple(
    _info(f"leak.{part}", summary, owner, never=True)
    for part, summary, owner in (
        ("text", "Text the requester may not read is shown.", _GATE),
        ("fact", "A fact is shown that only chunks state which the requester may not read.", _GATE),
        ("evidence", "A chunk the requester may not read was given to the model.", _GATE),
        ("model_input", "Text the requester may not read stands in a prompt.", _GATE),
        ("metadata", "Id, title, address or version of an unreadable chunk is shown.", _DELIVERY),
        ("existence", "A forbidden and an absent thing are answered differently.", _DELIVERY),
        ("differential", "What is shown depends on chunks the requester may not read.", _GATE),
        ("timing", "How long it took depends on chunks the requester may not read.", _GATE),
        ("followup", "A suggested question gives away what the requester may not read.", _DELIVERY),
        ("trace", "Text of an unreadable chunk stands among candidates or steps.", _GATE),
    )
)

_DELIVERED = (
    _info("cache.stale", "A cached answer of another corpus, day or verifier was shown.", _DELIVERY, never=True),
    _info("cache.cross_user", "A cached answer of another requester was shown.", _DELIVERY, never=True),
    _info("injection.followed", "An instruction that stands in a document was followed.", _WRITER),
    _info("stream.unverified_shown", "A piece was shown that was not verified.", _DELIVERY),
    _info("stream.raw_marker", "Delimiters meant for the model are shown.", _DELIVERY),
    _info(
        "action.unverified",
        "An action's argument comes neither from a verified claim nor from the question.",
        _DELIVERY,
    ),
    _info("action.unauthorized", "An action would be executed that was not authorized.", _DELIVERY),
    _info("output.parse", "There is no reply, or none that can be read.", _WRITER),
    _info("output.schema", "The reply can be read and does not have the form of a response.", _WRITER),
    _info(
        "trace.changed",
        "The trace differs from the approved one; the message names the class of the change.",
        _GATE,
    ),
    _info(
        "trace.lost_evidence",
        "A chunk that the answer needs did not reach the model; the message names the stage that lost it.",
        _GATE,
    ),
    _info(
        "trace.not_monotonic",
        "A step keeps what its own bound excludes, drops what it admits, or keeps the worse of two.",
        _GATE,
    ),
)

_OF_ALL_FILES = {
    "type": "holds a value of the wrong type",
    "unknown_key": "holds a key that is not known",
    "missing_key": "lacks a key",
    "duplicate_key": "has a key twice",
    "duplicate_id": "has an id twice",
    "unsafe_id": "has an id that cannot name a file or be told from others",
    "yaml": "is not YAML that can be used",
}
_OF_CASE_FILES = {
    **_OF_ALL_FILES,
    "unknown_chunk": "names a chunk that is not in the corpus",
    "unreadable_evidence": "expects evidence the requester may not read",
    "stale_evidence": "expects evidence that is not in force",
    "asserts_nothing": "holds a case that asserts nothing",
}
_OF_CORPORA = {**_OF_ALL_FILES, "digest": "does not have the digest it is locked to"}

_REST = (
    _info("relation.order", "The order of the corpus changed the decision or the evidence.", _GATE),
    _info("relation.evidence_order", "The order of the evidence changed the decision.", _WRITER),
    _info("relation.noninterference", "What the requester may not read changed the response.", _GATE, never=True),
    _info("relation.irrelevant", "Unrelated chunks changed the response.", _GATE),
    _info("relation.duplicate", "Copies of a chunk made the answer more confident or counted as support.", _GATE),
    _info("relation.superseded", "An older version changed the answer.", _GATE),
    _info("relation.removal", "Something was answered after the required evidence was removed.", _GATE),
    _info("relation.edit", "The answer did not follow a change of its evidence.", _WRITER),
    _info("relation.contradiction", "An added contrary chunk of equal rank was not disclosed.", _GATE),
    _info("relation.injection", "Instructions in an added chunk were followed.", _WRITER),
    _info("relation.paraphrase", "Another wording of the question changed the decision.", _GATE),
    _info("relation.clock", "Evidence was used before it was in force.", _GATE),
    _info("budget.latency", "The answer took longer than the case allows.", _DELIVERY),
    _info("budget.tokens", "The answer took more tokens than the case allows.", _DELIVERY),
    *(
        _info(f"{family}.{part}", f"The {'case file' if family == 'case_file' else 'corpus'} {summary}.", _CORPUS)
        for family, parts in (("case_file", _OF_CASE_FILES), ("corpus", _OF_CORPORA))
        for part, summary in parts.items()
    ),
    _info("waive.expired", "The last day of a waiver has passed.", _CORPUS, never=True),
    _info("waive.unneeded", "A waiver covers nothing any more: what it waives is not found.", _CORPUS, never=True),
    _info("snapshot.conflict_marker", "An approved trace holds the marks of an unfinished merge.", _CORPUS),
    _info("snapshot.orphan", "An approved trace belongs to no case.", _CORPUS),
    _info("snapshot.missing", "A case has no approved trace.", _CORPUS),
    _info("snapshot.secret", "A trace holds a credential; nothing was written.", _DELIVERY),
)

CATALOGUE: Mapping[str, CheckInfo] = {
    info.name: info
    for info in (
        *_DECISIONS,
        *_CITATIONS,
        *_QUOTES_AND_NUMBERS,
        *_CLAIMS,
        *_SLOTS,
        *_CONFLICTS,
        *_FORBIDDEN,
        *_LEAKS,
        *_DELIVERED,
        *_REST,
    )
}
"""Every finding this package can report, by name, in the order in which it is documented."""
