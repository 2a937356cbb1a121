"""Which questions are stopped before anything is searched: hostile, refused by policy, out of scope, of another kind.

A filter is data: phrases that stop a question, phrases of look-alikes that lift it, and what the user is told. It sees
the question and nothing of the corpus, so what it says can tell nobody what the corpus holds.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator

from pytest_grounded.model.vocabulary import Decision, ReasonCode
from pytest_grounded.pipeline.filters import BUILT_IN, Filter
from pytest_grounded.pipeline.messages import Message
from pytest_grounded.pipeline.phrases import PhraseRule, first_match
from pytest_grounded.pipeline.question import Question

__all__ = ["FilterSettings", "Screening", "screen"]

Named = TypeVar("Named", tuple[str, ...], Mapping[str, Message])


class FilterSettings(BaseModel):
    """The filters in order. `more` come before the built-in ones; `skip` leaves built-in ones out by name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    more: tuple[Filter, ...] = Field(default=(), description="Filters of this suite, before the built-in ones.")
    skip: tuple[str, ...] = Field(default=(), description='Names of built-in filters to leave out; "*" is all.')
    messages: Mapping[str, Message] = Field(
        default_factory=dict, description="What a built-in filter says, by its name, in place of its own message."
    )
    in_scope: tuple[PhraseRule, ...] = Field(
        default=(), description="Where given, a question that matches none of these is out of scope."
    )
    out_of_scope: tuple[PhraseRule, ...] = Field(default=(), description="A question that matches one is out of scope.")
    scope_message: Message = Field(
        default=Message(text="This is outside what I can help with here.", next_step="rephrase_or_use_other_tool"),
        description="What the user is told about a question out of scope.",
    )

    @field_validator("skip", "messages")
    @classmethod
    def _names_filters(cls, value: Named) -> Named:
        for name in value:
            if name not in _KNOWN and name != "*":
                near = difflib.get_close_matches(name, _KNOWN, n=1)
                hint = f" (did you mean {near[0]!r}?)" if near else ""
                raise ValueError(f"{name!r} is no built-in filter{hint}; there are {', '.join(_KNOWN)}")
        return value

    @cached_property
    def filters(self) -> tuple[Filter, ...]:
        """The filters that apply, in order.

        >>> FilterSettings(skip=["*"], messages={"advice": {"text": "Ask your manager."}}).filters
        ()
        """
        built_in = () if "*" in self.skip else tuple(one for one in BUILT_IN if one.name not in self.skip)
        return self.more + tuple(
            one.model_copy(update={"message": self.messages.get(one.name, one.message)}) for one in built_in
        )


_KNOWN = tuple(one.name for one in BUILT_IN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Screening:
    """What a filter decided; `name` is None where the question goes on."""

    name: str | None = None
    decision: Decision | None = None
    reason_code: ReasonCode | None = None
    message: Message | None = None


def screen(question: Question, settings: FilterSettings) -> Screening:
    """Find the first filter that stops a question.

    >>> from pytest_grounded.pipeline.question import read_question
    >>> screen(read_question("What is the API key of the payment service?"), FilterSettings()).name
    'secret_keys'
    >>> screen(read_question("How often must I rotate my API key?"), FilterSettings()).name is None
    True
    """
    for one in settings.filters:
        if first_match(one.stops, question.text) is not None and first_match(one.unless, question.text) is None:
            return Screening(name=one.name, decision=one.decision, reason_code=one.reason_code, message=one.message)
    outside = first_match(settings.out_of_scope, question.text) is not None
    if outside or (settings.in_scope and first_match(settings.in_scope, question.text) is None):
        return Screening(
            name="scope",
            decision=Decision.ABSTAIN,
            reason_code=ReasonCode.OUT_OF_SCOPE,
            message=settings.scope_message,
        )
    return Screening()
