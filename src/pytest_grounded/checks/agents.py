"""Whether a claim leaves out who has to agree: "if approved" of "if the manager approves".

Looked at only in conditions, and only where somebody's approval, consent, order or signature is what is required: there
it matters whose. Where the question or the rest of the answer names them, they are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.passages import PassageTable, passage_table, roots_of
from pytest_grounded.checks.states import ClaimState, claim_states, is_answered, question_text, shown_text, statements
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.wordlists import listed

__all__ = ["agentless_claims"]


def agentless_claims(judged: Judged) -> Iterator[Observation]:
    """Look for a condition in which somebody has to agree, and the claim does not say who."""
    if not is_answered(judged):
        return
    for state in statements(judged):
        condition = _condition(state.text)
        if condition is None or condition.doers:
            continue
        found = [one for chunk in state.sources for one in _said_of(state, condition, chunk)]
        if not found or any(not other.doers for _, other, _ in found):
            continue
        chunk, other, sentence = found[0]
        if not any(_is_told(judged, state, one.doers) for _, one, _ in found):
            message = (
                f"{quoted(state.text)} leaves out who has to, in {chunk.id}: {quoted(other.text)} ({quoted(sentence)})"
            )
            yield report("claim.polarity", message, field=state.at("text"), chunks=[chunk.id])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Condition:
    """A condition, which of the deeds below it asks for, and the roots of the words for who does it."""

    text: str
    deed: str
    doers: frozenset[str]


_IF = (
    r"if|when|unless|provided(?:\s+that)?|as\s+long\s+as|only\s+if|with|without|subject\s+to|on|upon|"
    r"wenn|falls|sofern|soweit|bei|mit|ohne|vorbehaltlich|si|lorsque|quand|avec|sans|sous\s+réserve|à\s+condition|"
    r"cuando|con|sin|previa|qualora|quando|senza|com|sem|als|indien|mits|met|zonder|om|med|uden|hvis"
)
_DEEDS = {
    "approve": (
        r"approv\w+|genehmig\w*|bewillig\w*|approuv\w+|approbation|aprueb\w+|aprob\w+|approvazione|aprov\w+|"
        r"goedkeur\w+|godkän\w+|godkend\w+"
    ),
    "agree": (
        r"agree\w*|consent\w*|zustimm\w*|zugestimmt|einwillig\w*|eingewilligt|einverstand\w*|consens\w*|"
        r"accord\w*|"
        r"acepta\w*|acuerdo|assent\w*|toestemm\w*|samtyck\w*|samtykk\w*"
    ),
    "authorise": r"authori[sz]\w+|permi(?:t|ts|tted|ssion)|autoris\w+|autoriz\w+|erlaub\w*|gestatt\w*|permis\w*",
    "sign": r"sign(?:s|ed|ature)?|unterschr\w+|unterzeichn\w+|signature|signé\w*|firm[aeoó]\w*|assina\w*",
    "prescribe": r"prescri\w+|verordn\w+|verschr(?:ei|ie)b\w+|ordonn\w+|recet\w+|prescritt\w*",
    "confirm": r"confirm\w*|certif\w+|verif\w+|bestätig\w*|bescheinig\w*|conferm\w*|vérifi\w+",
    "request": r"request\w*|verlang\w*|demand\w*|solicit\w*|richied\w*|richiest\w*",
    "order": r"order(?:s|ed)?|instruct\w*|anordn\w*|angeordnet|orden[aeó]\w*",
}
_DEED = "|".join(f"(?P<{name}>{words})" for name, words in _DEEDS.items())
_CONDITION = re.compile(
    rf"\b(?:{_IF})\s+(?P<before>[^,;:.!?()]{{0,60}}?)\b(?:{_DEED})\b(?P<behind>[^,;:.!?()]{{0,60}})", re.IGNORECASE
)
_STEMS = tuple(
    sorted(
        listed(
            """
            approv genehmig bewillig approuv approb aprueb aprob aprov goedkeur godkän godkend agree consent stimm
            willig einverstand consens accord acept acuerdo assent samty authori permi autoris autoriz erlaub gestatt
            sign schr zeichn firm assina prescri verordn ordonn recet certif verif stätig schein conferm vérifi request
            verlang demand solicit richied richiest order instruct anordn angeordn orden
            """
        )
    )
)
"""Parts of words of which a text has one where it has such a deed."""
_BY = re.compile(
    r"\s*(?:(?:in\s+writing|schriftlich|par\s+écrit|por\s+escrito)\s+)?(?:by|of|from|durch|von|vom|des|der|par|du|"
    r"de\s+la|de\s+l'|por|del|de|da|dal|della|van|door|av|af)\s+(?P<who>.+)",
    re.IGNORECASE,
)
_LONGEST = 600


@lru_cache(maxsize=4_096)
def _condition(text: str) -> _Condition | None:
    """The first condition of a text that asks for somebody's approval, order or the like."""
    if len(text) > _LONGEST:
        return None
    lower = text.lower()
    match = _CONDITION.search(text) if any(stem in lower for stem in _STEMS) else None
    if match is None:
        return None
    deed = next(name for name in _DEEDS if match[name])
    by = _BY.match(match["behind"])
    doers = roots_of(match["before"]) | (roots_of(by["who"]) if by is not None else frozenset())
    return _Condition(text=match[0].strip(), deed=deed, doers=doers - _NOBODY)


_NOBODY = roots_of(
    "prior previous previously written writing advance beforehand explicitly expressly formal formally duly properly "
    "first required requested necessary application trip request travel "
    "vorher vorherige vorheriger vorherigen schriftlich schriftliche schriftlicher schriftlichen ausdrücklich "
    "wurde wird worden werden der die das den dem ein eine einen einer einem er sie es dies diese dieser ihre ihr "
    "préalable préalablement écrit écrite être été est le la les l un une il elle ils elles on y cela son sa ses leur "
    "previa previo previamente escrito escrita sido ser esté sea se el los las lo una su sus "
    "previo scritto scritta sia stato stata gli lo suo sua prévio por escrito seja for sido os as um uma seu "
    "het een wordt werd is zijn vooraf schriftelijk det den"
)
"""Words beside an approval that say nothing of who gives it."""


def _said_of(state: ClaimState, condition: _Condition, chunk: Chunk) -> Iterator[tuple[Chunk, _Condition, str]]:
    said = roots_of(state.text.replace(condition.text, " "))
    for text, other, heard in _conditions(passage_table(chunk)):
        if other.deed == condition.deed and said and said <= heard:
            yield chunk, other, text


@lru_cache(maxsize=1_024)
def _conditions(table: PassageTable) -> tuple[tuple[str, _Condition, frozenset[str]], ...]:
    found = ((passage, _condition(passage.text)) for passage in table.sentences)
    return tuple((passage.text.strip(), one, passage.heard) for passage, one in found if one is not None)


def _is_told(judged: Judged, state: ClaimState, doers: frozenset[str]) -> bool:
    """Whether the question or the rest of the answer names who does it."""
    missing = doers - roots_of(state.text)
    others = (one.text for one in claim_states(judged) if state.text not in one.text)
    return not missing or not missing.isdisjoint(
        roots_of(" ".join((question_text(judged), shown_text(judged), *others)))
    )
