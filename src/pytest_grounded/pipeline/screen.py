"""Which questions are stopped before anything is searched: hostile, refused by policy, out of scope, of another kind.

A filter is data: phrases that stop a question, phrases of look-alikes that lift it, and what the user is told. It sees
the question and nothing of the corpus, so what it says can tell nobody what the corpus holds.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from pytest_grounded.model.vocabulary import Decision, ReasonCode
from pytest_grounded.pipeline.filters import BUILT_IN, Filter
from pytest_grounded.pipeline.messages import Message
from pytest_grounded.pipeline.phrases import PhraseRule, first_match
from pytest_grounded.pipeline.question import Question

__all__ = ["FilterSettings", "Screening", "screen"]


class FilterSettings(BaseModel):
    """The filters in order. `more` come before the built-in ones; `skip` leaves built-in ones out by name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    more: tuple[Filter, ...] = Field(default=(), description="Filters of this suite, before the built-in ones.")
    skip: tuple[str, ...] = Field(default=(), description='Names of built-in filters to leave out; "*" is all.')
    in_scope: tuple[PhraseRule, ...] = Field(
        default=(), description="Where given, a question that matches none of these is out of scope."
    )
    out_of_scope: tuple[PhraseRule, ...] = Field(default=(), description="A question that matches one is out of scope.")
    scope_message: Message = Field(
        default=Message(text="This is outside what I can help with here.", next_step="rephrase_or_use_other_tool"),
        description="What the user is told about a question out of scope.",
    )

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The filters that apply, in order."""
        built_in = () if "*" in self.skip else tuple(one for one in BUILT_IN if one.name not in self.skip)
        return self.more + built_in


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
