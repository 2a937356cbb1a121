"""Cuts prose into claims that can be judged alone: one statement each, with the condition it stands under.

English, by rule, and measured: `benchmarks/claim_splitting.py` prints how often the cuts and the qualifiers are right.
A cut is made where both sides say something of something. What a cut would take away is carried along: a condition
that opens the sentence, up to a semicolon ("If it rains, ... and ..."), and the subject of a second predicate ("it is
... and must ..."). Where no rule is sure nothing is cut: two statements in one claim are judged together, half a
statement is judged wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_grounded.text.sentences import split_sentences

__all__ = ["SplitClaim", "split_claims"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitClaim:
    """One claim: where its own words stand, and the text by which it can be judged alone."""

    start: int
    end: int
    text: str


def split_claims(text: str) -> tuple[SplitClaim, ...]:
    """The claims of a text, in order.

    >>> text = "If you fly, keep the receipt and send it in; fares are booked by us and may not be changed."
    >>> for claim in split_claims(text):
    ...     print(claim.text)
    If you fly, keep the receipt
    If you fly, send it in
    fares are booked by us
    fares may not be changed.
    """
    claims: list[SplitClaim] = []
    at = 0
    for sentence in split_sentences(text):
        claims.extend(_of_sentence(sentence, at))
        at += len(sentence)
    return tuple(claims)


_VERBS = (
    "is|are|was|were|be|will|would|can|could|may|might|must|shall|should|do|does|did|has|have|had|needs?|requires?|"
    "applies|apply|gets?|includes?|costs?|offers?|remains?|becomes?|means?|takes?|makes?|gives?|provides?|allows?|expires?|"
    "pays?|receives?|contains?|covers?|changes?|exceeds?|reimburses?|wants?"
)
_FINITE = re.compile(
    rf"\b(?:{_VERBS}|cannot|\w+n['’]t|(?:you|they|we|it|she|he|i|that|there)['’](?:ll|re|s|ve|d))\b", re.IGNORECASE
)
_PREDICATE = re.compile(
    r"(?:is|are|was|were|will|would|can|cannot|could|may|might|must|shall|should|has|have|had|does|do|\w+n['’]t)\b",
    re.IGNORECASE,
)
_IMPERATIVES = (
    "add|ask|attach|attempt|be|book|bring|call|change|check|choose|click|complete|contact|continue|create|do|don['’]t|email|"
    "ensure|enter|fill|find|follow|get|give|go|include|keep|make|mention|note|obtain|open|pay|pick|proceed|provide|read|"
    "reference|remember|reserve|return|review|save|secure|see|select|send|sign|skip|stop|submit|take|tell|try|upload|use|"
    "verify|wait|write"
)
_ORDER = re.compile(
    rf"(?:(?:then|also|please|just|first|next|never|always)\s+)*(?:{_IMPERATIVES})\b(?!['’])", re.IGNORECASE
)
_CONDITION = re.compile(
    r"(?:(?:however|also|so|note that|please note that|remember that),?\s+)*"
    r"(?:if|when|whenever|unless|once|before|after|should|assuming|as long as|until|where|depending on|in case|"
    r"provided|in all other cases|in most cases|in general|for)\b",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"(?P<semicolon>\s*;\s+)"
    r"|,\s+(?:(?P<strong>but|so|while|whereas|yet|else|otherwise)|(?P<weak>and(?:\s+then)?|or|then))\s+"
    r"|\s+(?P<bare>and(?:\s+then)?|but|because|while|whereas)\s+"
)
_SUBJECT = re.compile(
    r"(?:(?:if|when|unless|once|depending)\b.*|(?:you|it|they|we|he|she|i|this|that|these|those|there|some|others|all|any|"
    r"each|no|nobody|the|a|an|your|our|their|its|his|her|\w+ing|[A-Z]\w*|\w+s)\b)",
    re.IGNORECASE,
)
_FARTHEST_VERB = 12
_LONGEST_SENTENCE = 2_000
"""A longer one is a table, a list without full stops, or no prose: it is left whole."""
_LONGEST_SUBJECT = 14


def _of_sentence(sentence: str, at: int) -> Iterator[SplitClaim]:
    """The parts of one sentence; each later part gets what it needs of the first."""
    whole = sentence.strip()
    if not whole:
        return
    start = at + sentence.index(whole[0])
    lead = "" if len(whole) > _LONGEST_SENTENCE else _lead(whole)
    before = ""
    for place, (low, high) in enumerate(_parts(whole, len(lead))):
        core = whole[low:high]
        if whole[:low].rstrip().endswith(";"):
            lead = ""
        carried = "" if place == 0 else _carried(core, before, lead)
        yield SplitClaim(start=start + low, end=start + high, text=f"{carried}{core}")
        if not _PREDICATE.match(core):
            before = core[len(lead) :] if place == 0 else core


def _carried(core: str, before: str, lead: str) -> str:
    """The condition that the sentence opens with, and the subject of what begins with its predicate."""
    condition = lead if lead and not _CONDITION.match(core) else ""
    if not _PREDICATE.match(core):
        return condition
    verb = _FINITE.search(before)
    subject = before[: verb.start()] if verb else ""
    return condition + subject if 0 < len(subject.split()) <= _LONGEST_SUBJECT else condition


def _lead(whole: str) -> str:
    """The condition that a sentence opens with, with its comma and the space behind it; empty where there is none.

    It ends at the first comma behind which a statement or an order begins.
    """
    if not _CONDITION.match(whole):
        return ""
    for comma in re.finditer(r",\s+", whole):
        rest = re.sub(r"^then\s+", "", whole[comma.end() :])
        if _depth(whole[: comma.start()]) == 0 and _stands(rest) and not re.match(r"(?:and|or|but)\b", rest):
            return whole[: comma.end()]
    return ""


def _parts(whole: str, body: int) -> Iterator[tuple[int, int]]:
    """Where the statements of a sentence stand; nothing is cut inside the condition it opens with."""
    low = 0
    for joint in _JOINT.finditer(whole) if len(whole) <= _LONGEST_SENTENCE else ():
        if joint.start() < max(low, body) or _depth(whole[: joint.start()]):
            continue
        left, right = whole[max(low, body) : joint.start()], whole[joint.end() :]
        if _may_cut(joint, left, right):
            yield low, joint.start()
            low = joint.end()
    yield low, len(whole)


def _may_cut(joint: re.Match[str], left: str, right: str) -> bool:
    if not _stands(left):
        return False
    if joint["semicolon"] or joint["strong"]:
        return _stands(right) or bool(_PREDICATE.match(right))
    if joint["bare"] and not _FINITE.search(left.rsplit(",", 1)[-1]) and not _is_order(left):
        return False  # "..., charges and tolls are": two things that one verb is said of
    if _is_order(left):
        # "Click A and upload B" are two steps; "make sure that he approves A and send B" too.
        return _is_order(right) or (bool(joint["weak"]) and _stands(right))
    if joint["bare"] == "because":
        return _stands(right)
    return bool(_PREDICATE.match(right)) or (not _is_order(right) and _stands(right))


def _is_order(part: str) -> bool:
    return bool(_ORDER.match(part))


def _stands(part: str) -> bool:
    """Whether a text begins with a statement: a subject and, not far behind it, a verb; or an order."""
    clause = re.split(r"[,;()]", part, maxsplit=1)[0] if not _CONDITION.match(part) else part
    if _is_order(part):
        return True
    if not _SUBJECT.match(part):
        return False
    verb = _FINITE.search(clause)
    return (verb is not None and 0 < len(clause[: verb.start()].split()) <= _FARTHEST_VERB) or (
        verb is not None and verb.start() == 0 and "'" in verb[0]
    )


def _depth(text: str) -> int:
    """How many brackets are open."""
    return text.count("(") - text.count(")") + text.count("[") - text.count("]")
