"""Whether a forbidden thing and one that exists nowhere are met in the same words.

The case asks for something its requester may not read, its `absent_question` for something like it that does not
exist. Once the words in which the two questions differ are masked in both replies, nothing tells which was which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_grounded.checks.base import not_run, report
from pytest_grounded.harness.replays import Replays
from pytest_grounded.harness.variants import Variant
from pytest_grounded.model.finding import Observation
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.text.scripts import is_cjk
from pytest_grounded.text.tracing import compatible

__all__ = ["existence", "masked"]

_WORD = re.compile(r"\w+(?:[.,'\u2019-]\w+)*")
_MASK = "\u2026"
_MASKS = re.compile(rf"{_MASK}(?:[\s,]*{_MASK})+")


def existence(replays: Replays) -> Iterator[Observation]:
    """Compare the case's reply with that to its absent question; nothing where it has none."""
    case = replays.case
    if case.absent_question is None:
        return
    live, absent = replays.outcome(Variant.LIVE), replays.outcome(Variant.ABSENT)
    if live is None or live.response is None or absent is None or absent.response is None:
        why = "no reply to the absent question is recorded" if absent is None else "a reply to it or the case failed"
        yield not_run("leak.existence", why)
        return
    compared = _compared(live, absent, case.question, case.absent_question)
    differing = [name for name, one, other in compared if one != other]
    if differing:
        yield report(
            "leak.existence",
            f"what exists and what does not are told apart by {', '.join(differing)}",
            field=differing[0],
            chunks=case.about,
        )


def _compared(live: Outcome, absent: Outcome, asked: str, other: str) -> Iterator[tuple[str, object, object]]:
    """Each thing that has to be the same, with its value in both replies."""
    one, two = live.response, absent.response
    if one is None or two is None:
        return
    yield "decision", one.decision, two.decision
    yield "reason_code", one.reason_code, two.reason_code
    yield "text", masked(one.text, asked, other), masked(two.text, asked, other)
    yield "next_step", masked(one.next_step or "", asked, other), masked(two.next_step or "", asked, other)


def masked(text: str, *questions: str) -> str:
    """The text with every word that stands in some of the questions and not in all replaced; neighbours by one mark.

    >>> masked("I know nothing of a Lisbon team.", "What of the Lisbon team?", "What of the lunar crew?")
    'I know nothing of a ….'
    """
    asked = [frozenset(_words(question)) for question in questions]
    apart = frozenset.union(*asked) - frozenset.intersection(*asked)
    pieces: list[str] = []
    place = 0
    for start, end in _spans(text):
        pieces += [text[place:start], _MASK if _folded(text[start:end]) in apart else text[start:end]]
        place = end
    return _MASKS.sub(_MASK, "".join((*pieces, text[place:])))


def _folded(word: str) -> str:
    return compatible(word).casefold()


def _words(text: str) -> Iterator[str]:
    return (_folded(text[start:end]) for start, end in _spans(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the words of a text are; of a script without spaces every character is one."""
    for match in _WORD.finditer(text):
        if any(map(is_cjk, match.group())):
            yield from ((place, place + 1) for place in range(match.start(), match.end()))
        else:
            yield match.span()
