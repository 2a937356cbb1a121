"""Whether a claim is lifted word for word out of a sentence that does not say it.

"Contractors may book first class" stands in "It is not true that contractors may book first class", and "All employees
may book rail" in "All employees may book rail, except interns". The words are there and the quote is verbatim; what
governs them was left outside. A condition counts as left out only where nothing of it is in the question or the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.passages import roots_of
from pytest_grounded.checks.states import ClaimState, claim_states, is_answered, question_text, shown_text
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.quotes import locate_quote
from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.sentences import split_sentences

__all__ = ["governed_by", "is_cut_short", "lifted_claims"]


def lifted_claims(judged: Judged) -> Iterator[Observation]:
    """Look at what stands around each claim that is a part of a sentence of its source."""
    if not is_answered(judged):
        return
    for state in claim_states(judged):
        found = [(chunk, problem) for chunk in state.sources for problem in _problems(judged, state, chunk)]
        problems = [(chunk, *problem) for chunk, problem in found if problem is not None]
        if problems and len(problems) == len(found):  # one sentence that says it is enough
            chunk, does, sentence = problems[0]
            message = f"{quoted(state.text)} {does} {chunk.id}: {quoted(sentence)}"
            yield report("claim.polarity", message, field=state.at("text"), chunks=[chunk.id])


def is_cut_short(judged: Judged, state: ClaimState) -> bool:
    """Whether every sentence that has a claim's words goes on with whom, where or when they are said of.

    "Drinks are free" stands in "Drinks are free for members". Whether that matters nobody can tell by rule; where the
    question or the answer speaks of members it does not.
    """
    text = _without_stop(state)
    if any(text in _outright(chunk.text) for chunk in state.sources):
        return False  # one sentence that says nothing more is enough
    ends = [after for chunk in state.sources for after in _what_follows(text, chunk)]
    return bool(ends) and all(
        (scope := _SCOPE_AFTER.match(after)) is not None and not _is_told(judged, state, scope["what"], asked=True)
        for after in ends
    )


def _without_stop(state: ClaimState) -> str:
    return state.text.strip().rstrip(_STOPS)


def _what_follows(text: str, chunk: Chunk) -> Iterator[str]:
    """What stands behind a claim's words in the sentences that have them."""
    spans = locate_quote(text, chunk.text, lang=chunk.lang) if len(text) >= _SHORTEST else None
    if spans is None or len(spans) != 1:
        return
    words = chunk.text[slice(*spans[0])]
    for sentence in split_sentences(chunk.text):
        before, found, after = sentence.partition(words)
        if found and not (before[-1:].isalnum() or after[:1].isalnum()):
            yield " ".join(after.split())


_SCOPE_AFTER = re.compile(
    r"(?P<what>(?:for|with|without|aged|during|when|where|while|until|in|on|at|from|within|under|over|between|among|"
    r"per|each|every|für|mit|ohne|bei|während|wenn|bis|pour|avec|sans|pendant|quand|para|con|sin|durante|cuando)"
    r"\s[^,;.:()]+)",
    re.IGNORECASE,
)
"""What limits the words before it, where no comma sets it off."""


def governed_by(before: str, after: str) -> tuple[str, str]:
    """What a sentence does with words in it, by what stands before and after them: `denies`, `excepts`, `requires`.

    With the words that say so; two empty texts where the sentence says the words itself.

    >>> governed_by("It is not true that ", ".")
    ('denies', 'it is not true that')
    >>> governed_by("", ", except interns."), governed_by("If it lasts over 8 hours, ", ".")[0]
    (('excepts', 'except interns.'), 'requires')
    >>> governed_by("Note: ", ".")
    ('', '')
    """
    before, after = " ".join(before.split()).casefold(), " ".join(after.split())
    if denied := _DENIED_BEFORE.search(before):
        return "denies", denied[0].strip()
    if excepted := _EXCEPTED_AFTER.match(after):
        return "excepts", excepted["what"]
    if limited := _LIMITED_AFTER.match(after):
        return "requires", limited["what"]
    if condition := _CONDITION_BEFORE.match(before) or _CONDITION_AFTER.match(after):
        return "requires", condition["what"]
    return "", ""


_THAT = r"(?:\s+(?:that|dass|daß|que|che|dat|att|at))?,?\s*$"
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:it|this|that)\s+(?:is|was)\s+)?(?:\bnot|\bnever|\bno longer|n['’]t|\bhardly)\s+(?:been\s+)?"
    rf"(?:true|correct|right|the case|so|accurate|a fact){_THAT}"
    r"|\b(?:false|untrue|incorrect|wrong|mistaken|inaccurate|a myth|a misconception|a rumou?r|an error|unlikely)"
    r"(?:\s+to\s+(?:say|think|believe|assume|claim))?\s+that\s*$"
    r"|\b(?:den(?:y|ies|ied)|doubts?|disputes?|rejects?|rejected|refutes?)(?:\s+the\s+\w+)?\s+that\s*$"
    r"|\bcontrary\s+to\s+[^.;]{1,60},\s*$"
    r"|\b(?:whether|unclear\s+if|undecided\s+if)(?:\s+or\s+not)?\s*$"
    r"|\b(?:neither|nor)(?:\s+\w+){0,3}\s*$"
    rf"|\b(?:nicht\s+(?:wahr|richtig|so)|falsch|stimmt\s+nicht|unwahr),?{_THAT}"
    rf"|\b(?:faux|pas\s+(?:vrai|exact|le\s+cas)){_THAT}"
    rf"|\b(?:falso|no\s+es\s+(?:cierto|verdad)|non\s+è\s+vero|não\s+é\s+verdade|niet\s+waar|inte\s+sant){_THAT}"
    r"|(?:并非|并不是|不是|不属实的是|误以为)[，,]?\s*$"
)
_EXCEPTED_AFTER = re.compile(
    r"[\s,;(\u2013\u2014-]*(?P<what>(?:except(?!ional)|unless|but\s+not|other\s+than|excluding|with\s+the\s+exception|"
    r"apart\s+from|aside\s+from|save\s+for|es\s+sei\s+denn|außer|ausgenommen|mit\s+ausnahme|sauf|hormis|excepté|"
    r"à\s+moins|excepto|salvo|a\s+menos\s+que|tranne|eccetto|exceto|behalve|tenzij|utom)\b.*|(?:除非|除外|但不包括).*)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION_BEFORE = re.compile(
    r"(?:[^,;:]{0,20}[\s(])?(?P<what>(?:only\s+)?(?:if|when|unless|provided(?:\s+that)?|as\s+long\s+as|in\s+case|once)\b"
    r"[^.;:]{3,160}),\s*(?:then\s+)?$"
)
_CONDITION_AFTER = re.compile(
    r"[\s,]*(?P<what>(?:(?:only\s+)?if|only\s+(?:when|for|in|on|with)|provided(?:\s+that)?|as\s+long\s+as|"
    r"on\s+(?:the\s+)?condition)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_LIMITED_AFTER = re.compile(r"(?P<what>(?:who|whose)\b.*)", re.IGNORECASE | re.DOTALL)
"""A clause that says which of them are meant; behind a comma it only says more of all."""


def _problems(judged: Judged, state: ClaimState, chunk: Chunk) -> list[tuple[str, str] | None]:
    """What is wrong with each place of a chunk where a claim stands inside a sentence; None where nothing is."""
    text = _without_stop(state)
    if len(text) < _SHORTEST:
        return []
    if text in _outright(chunk.text):
        return [None]
    if not (spans := locate_quote(text, chunk.text, lang=chunk.lang)) or len(spans) != 1:
        return []
    words = chunk.text[slice(*spans[0])]
    places: list[tuple[str, str] | None] = []
    for sentence in split_sentences(chunk.text):
        at = sentence.find(words)
        if at < 0:
            continue
        verb, governing = governed_by(sentence[:at], sentence[at + len(words) :])
        is_left_out = verb == "denies" or (verb and not _is_told(judged, state, governing, asked=verb == "requires"))
        places.append((_SAID[verb], " ".join(sentence.split())) if is_left_out else None)
    return places


@remembered(2_048)
def _outright(text: str) -> frozenset[str]:
    """The sentences of a text without their stops: with nothing before and behind, nothing governs a claim there."""
    return frozenset(sentence.strip().rstrip(_STOPS) for sentence in split_sentences(text))


_STOPS = ".!?。！？"
_SHORTEST = 12
_SAID = {
    "denies": "is lifted out of what denies it or leaves it open in",
    "excepts": "leaves out the exception in",
    "requires": "leaves out the condition in",
}


def _is_told(judged: Judged, state: ClaimState, governing: str, *, asked: bool) -> bool:
    """Whether the answer, or for a condition the question, speaks of what a part of the sentence speaks of."""
    response = judged.response
    parts = [
        shown_text(judged).replace(state.text, " "),
        *(one.text for one in claim_states(judged) if one is not state),
    ]
    if response is not None:
        parts += [*response.missing, response.next_step or ""]
    if asked:
        parts.append(question_text(judged))
    wanted = roots_of(governing)
    return not wanted or not wanted.isdisjoint(roots_of(" ".join(parts)))
