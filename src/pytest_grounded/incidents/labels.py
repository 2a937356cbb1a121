"""Which kind of case an incident is, and what the case has to expect.

What somebody stated holds. What nobody stated is inferred from the corpus and from what the reply did wrong under any
label; each inference is said in words, so that whoever reviews the case can see what was guessed. The reply's own
decision is never taken for the right one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_grounded.cases.defaults import implied_expectation
from pytest_grounded.cases.schema import SYNONYMS
from pytest_grounded.corpus.conflicts import sides_for
from pytest_grounded.corpus.wording import did_you_mean, listed, shown
from pytest_grounded.errors import GroundedError
from pytest_grounded.incidents.record import Stated
from pytest_grounded.incidents.right_values import RightSlot, slot_from_chunk, slots_from_answer, slots_from_claims
from pytest_grounded.incidents.seeing import Seen
from pytest_grounded.incidents.wishes import Need, UndecidedError
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.vocabulary import CaseKind, Decision, ReasonCode

__all__ = ["Label", "choose", "read_decisions", "read_reasons"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """The kind, what `expect` and `forbid` hold beyond it, and why. `guessed` is what a person has to look at."""

    kind: CaseKind
    expect: Mapping[str, Any] = field(default_factory=dict)
    forbid: Mapping[str, Any] = field(default_factory=dict)
    about: tuple[str, ...] = ()
    because: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()


def choose(seen: Seen, stated: Stated, *, reason_codes: Mapping[str, str] | None = None) -> Label:
    """The label of an incident.

    Raises GroundedError where what was stated cannot be a label, or nothing tells what should have happened.
    """
    decisions = read_decisions(stated.decision)
    reasons = read_reasons(stated.reason_code, reason_codes or {})
    chosen = _Choosing(seen, stated, decisions, reasons)
    return chosen.label()


def read_decisions(written: Sequence[str]) -> tuple[Decision, ...]:
    """Decisions as somebody wrote them.

    >>> read_decisions(["Refuse", "clarify"])
    (<Decision.ABSTAIN: 'abstain'>, <Decision.CLARIFY: 'clarify'>)
    """
    return tuple(_decision(one) for one in written if one.strip().casefold() != "any")


def _decision(written: str) -> Decision:
    word = written.strip().casefold()
    word = SYNONYMS.get(word, word)
    if word not in set(Decision):
        hint = did_you_mean(word, list(Decision)) or f" (decisions: {', '.join(Decision)})"
        raise GroundedError(f"what was expected: {shown(written)} is no decision{hint}")
    return Decision(word)


def read_reasons(written: Sequence[str | None], mapping: Mapping[str, str]) -> tuple[str | None, ...]:
    """Reason codes as somebody wrote them, their own ones translated.

    >>> read_reasons(["EMPTY", None], {"EMPTY": "NO_EVIDENCE"})
    ('NO_EVIDENCE', None)
    """
    return tuple(None if one is None else _reason(one, mapping) for one in written if one != "any")


def _reason(written: str, mapping: Mapping[str, str]) -> str:
    code = mapping.get(written, written)
    code = SYNONYMS.get(code, code)
    if code not in set(ReasonCode):
        hint = did_you_mean(code, list(ReasonCode)) or " (map it with the ini option grounded_reason_codes)"
        raise GroundedError(f"what was expected: {shown(written)} is no reason code{hint}")
    return code


_SAY = "say what should have: --decision answer --value VALUE --evidence CHUNK, or --decision abstain --reason CODE"
_ANSWERED = (CaseKind.ANSWERABLE, CaseKind.MULTI_EVIDENCE)


class _Choosing:
    """One choice being made; gathers the reasons for it."""

    def __init__(
        self, seen: Seen, stated: Stated, decisions: tuple[Decision, ...], reasons: tuple[str | None, ...]
    ) -> None:
        self.seen = seen
        self.stated = stated
        self.decisions = decisions
        self.reasons = reasons
        self.because: list[str] = []
        self.guessed: list[str] = []

    def label(self) -> Label:
        kind = self._kind()
        about = self._about() if kind is CaseKind.RESTRICTED else ()
        expect = self._expect(kind)
        return Label(
            kind=kind,
            expect=expect,
            forbid=self._forbid(),
            about=about,
            because=tuple(self.because),
            guessed=tuple(self.guessed),
        )

    # --- the kind

    def _kind(self) -> CaseKind:
        if self.stated.kind is not None:
            self.because.append(f"kind {self.stated.kind} was stated")
            return CaseKind(self.stated.kind)
        return self._leaked_kind() or self._stated_kind() or self._inferred_kind()

    def _leaked_kind(self) -> CaseKind | None:
        """A reply that shows, or was made from, what the requester may not read; or one said to be about such."""
        if self.seen.leaked or self.stated.about:
            count = len(self.seen.leaked) or len(self.stated.about)
            what = "a chunk" if count == 1 else f"{count} chunks"
            self.because.append(f"the reply shows, or was made from, {what} the requester may not read")
            return CaseKind.RESTRICTED
        if self.seen.differs:
            self.because.append("without what the requester may not read something else is shown")
            return CaseKind.RESTRICTED
        if ReasonCode.NOT_AUTHORIZED.value in self.reasons and self.seen.view.unreadable:
            self.because.append("NOT_AUTHORIZED was expected, and the corpus holds what the requester may not read")
            return CaseKind.RESTRICTED
        return None

    def _stated_kind(self) -> CaseKind | None:
        stated = self.stated
        if ReasonCode.CONFLICTING_EVIDENCE.value in self.reasons:
            self.because.append("CONFLICTING_EVIDENCE was expected")
            return CaseKind.CONFLICTING
        if Decision.PARTIAL in self.decisions or (stated.missing and not self.decisions):
            self.because.append("a partial answer was expected")
            return CaseKind.PARTIAL
        if Decision.ANSWER in self.decisions:
            self.because.append("an answer was expected")
            return CaseKind.ANSWERABLE
        if self.decisions or any(code is not None for code in self.reasons):
            said = "/".join(self.decisions) or "/".join(str(code) for code in self.reasons)
            self.because.append(f"{said} was expected")
            return CaseKind.UNANSWERABLE
        if stated.values or stated.evidence or stated.cite or stated.answer:
            self.because.append("a right answer was stated")
            return CaseKind.ANSWERABLE
        return None

    def _inferred_kind(self) -> CaseKind:
        """Nobody said what should have happened: what the corpus holds says it, as far as it does."""
        seen = self.seen
        is_hidden = any(one.check.startswith("conflict.") for one in seen.findings)
        if is_hidden or (not seen.answers and sides_for(seen.view, seen.question)):
            self.because.append("chunks of equal rank give what is asked for different values")
            return CaseKind.CONFLICTING
        if not seen.answers:
            return self._refused_kind()
        if not seen.findings:
            message = "what is wrong with the reply cannot be told: it breaks no rule, whatever was expected"
            raise UndecidedError({Need.LABEL: f"{message} ({_SAY})"})
        if self._supporting():
            self.because.append(f"{_named(self._supporting())} may be relied on and answers it")
            self.guessed.append("that the question can be answered")
            return CaseKind.ANSWERABLE
        if seen.stale:
            self.because.append(f"the reply rests on {_names(seen.stale)}, out of force, and nothing replaces it")
            self.reasons = (ReasonCode.STALE_OR_WITHDRAWN.value,)
        else:
            self.because.append("nothing the requester may rely on says what the reply says")
        self.guessed.append("that the question cannot be answered")
        return CaseKind.UNANSWERABLE

    def _refused_kind(self) -> CaseKind:
        """No answer was given, or nothing that could be read: whether one was due is guessed from the words alone."""
        relevant = self.seen.relevant
        if relevant:
            self.because.append(f"nothing was answered, and {_named(relevant[:1])} has most words of the question")
            self.guessed.append("that the question can be answered")
            return CaseKind.ANSWERABLE
        if self.seen.findings:
            self.because.append("nothing was answered, and no usable chunk has most words of the question")
            self.guessed.append("that the question cannot be answered")
            return CaseKind.UNANSWERABLE
        message = "what should have happened cannot be told: nothing was answered, and no usable chunk has most words"
        raise UndecidedError({Need.LABEL: f"{message} of the question ({_SAY})"})

    def _supporting(self) -> tuple[Chunk, ...]:
        """The chunks that answer what the reply's claims are about."""
        found = (chunk for index in range(len(self.seen.claims)) for chunk in self.seen.support(index))
        return tuple({chunk.id: chunk for chunk in found}.values())

    # --- what has to hold

    def _about(self) -> tuple[str, ...]:
        view = self.seen.view
        about = self.stated.about or self.seen.leaked
        if not about and (self.seen.differs or ReasonCode.NOT_AUTHORIZED.value in self.reasons):
            about = tuple(chunk.id for chunk in view.unreadable)
            self.guessed.append("what the question is about: every chunk the requester may not read")
        if not about:
            raise GroundedError(
                "a restricted case is about chunks the requester may not read, and none shows in the reply "
                "(name them with --about CHUNK, with their text in the record or in a --store)"
            )
        return about

    def _expect(self, kind: CaseKind) -> dict[str, Any]:
        expect: dict[str, Any] = {}
        decisions, reasons = self.decisions, self.reasons
        if kind is CaseKind.RESTRICTED:
            decisions, reasons = self._of_restricted(decisions, reasons)
        implied = implied_expectation(kind)
        if decisions and decisions != implied.decision and not _allows(implied.decision, decisions, kind):
            expect["decision"] = _short([one.value for one in decisions])
        if reasons and reasons != implied.reason_code:
            expect["reason_code"] = _short(list(reasons))
        if self.stated.next_step:
            expect["next_step"] = self.stated.next_step
        expect.update(self._contents(kind))
        if self.stated.missing:
            expect["missing"] = list(self.stated.missing)
        if self.stated.cite:
            expect["cite"] = list(dict.fromkeys((*self.stated.cite, *expect.get("cite", ()))))
        return expect

    def _of_restricted(
        self, decisions: tuple[Decision, ...], reasons: tuple[str | None, ...]
    ) -> tuple[tuple[Decision, ...], tuple[str | None, ...]]:
        """A forbidden thing is in public as if it were absent; what the rest of the reply may answer, it may."""
        if ReasonCode.NOT_AUTHORIZED.value in reasons:
            self.because.append("in public it is NO_EVIDENCE: NOT_AUTHORIZED would tell that there is something")
            reasons = tuple(
                ReasonCode.NO_EVIDENCE.value if one == ReasonCode.NOT_AUTHORIZED else one for one in reasons
            )
        if decisions or reasons:
            answered = bool(decisions) and all(one is Decision.ANSWER for one in decisions)
            return decisions, reasons or ((None,) if answered else ())
        reduced = self.seen.reduced
        if reduced is not None and reduced.decision is not None:
            self.because.append("what is right is what is said without what the requester may not read")
            return (reduced.decision,), (reduced.reason_code,)
        if self.seen.sound_claims and self.stated.kind is None:
            self.guessed.append("that the rest of the question may be answered")
            return (Decision.ANSWER,), (None,)
        return (), ()

    def _contents(self, kind: CaseKind) -> dict[str, Any]:
        """Slots and citations: what an answer has to contain."""
        stated = self.stated
        if stated.values or (stated.evidence and kind in (*_ANSWERED, CaseKind.PARTIAL)):
            slot: dict[str, Any] = {"name": "answer"}
            if stated.values:
                slot["values"] = list(stated.values)
            evidence = stated.evidence or self._evidence_of_values()
            if evidence:
                slot["evidence"] = list(evidence)
            return {"slots": [slot]}
        if kind not in (*_ANSWERED, CaseKind.PARTIAL):
            return {}
        return self._inferred_contents(kind)

    def _evidence_of_values(self) -> tuple[str, ...]:
        """The chunk a stated value stands in, where it is one."""
        found = slots_from_answer(" ".join(self.stated.values), self.seen)
        return tuple(dict.fromkeys(slot.chunk for slot in found if slot.chunk is not None))

    def _inferred_contents(self, kind: CaseKind) -> dict[str, Any]:
        """What nobody stated: of a right answer in prose its values, else what chunks say to the reply's claims."""
        seen = self.seen
        if self.stated.answer:
            from_answer = slots_from_answer(self.stated.answer, seen)
            if from_answer:
                return {"slots": [slot.written() for slot in from_answer]}
            self.guessed.append(
                "what the answer has to contain: the right answer stated has no value that stands in a usable chunk"
            )
        if self.stated.cite:
            return {}
        slots = slots_from_claims(seen)
        if not slots and kind in _ANSWERED:
            slots = [slot_from_chunk(chunk, seen) for chunk in seen.relevant[:1]]
        return self._guessed_contents(slots)

    def _guessed_contents(self, slots: Sequence[RightSlot]) -> dict[str, Any]:
        """Slots with a value, or with several chunks of which one is enough; of others the chunk has to be cited."""
        kept = [slot for slot in slots if slot.values or slot.chunk is None]
        slotted = {slot.chunk for slot in kept}
        cited = list(dict.fromkeys(slot.chunk for slot in slots if slot not in kept and slot.chunk not in slotted))
        for slot in kept:
            value = shown(slot.values[0]) if slot.values else "something"
            places = listed(shown(chunk) for group in slot.evidence for chunk in group)
            self.guessed.append(f"what the answer has to contain: {value} from {places}")
        if cited:
            self.guessed.append(f"what the answer has to cite: {_names([str(one) for one in cited])}")
        contents: dict[str, Any] = {"slots": [slot.written() for slot in kept]} if kept else {}
        return {**contents, "cite": cited} if cited else contents

    def _forbid(self) -> dict[str, Any]:
        stated = self.stated
        forbidden = {"evidence": stated.forbid_evidence, "text": stated.forbid_text, "values": stated.forbid_values}
        return {key: list(value) for key, value in forbidden.items() if value}


def _allows(implied: tuple[Decision, ...] | None, decisions: tuple[Decision, ...], kind: CaseKind) -> bool:
    """Whether a conflict's four decisions hold the ones stated, which are then no more than one way to meet it."""
    return kind is CaseKind.CONFLICTING and implied is not None and decisions == implied


def _short(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _named(chunks: Sequence[Chunk]) -> str:
    return _names([chunk.id for chunk in chunks])


def _names(ids: Sequence[str]) -> str:
    return " and ".join(map(shown, ids))
