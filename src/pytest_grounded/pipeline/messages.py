"""What a person is told when there is no plain answer, and what they can do next.

A message depends on the kind of outcome alone, so that a forbidden and an absent thing cannot be told apart by it.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Message", "Messages"]


class Message(BaseModel):
    """A text and the machine-readable next step; `{missing}` stands for the parts that are not covered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = Field(description="What is shown; {missing} is replaced by the missing parts.")
    next_step: str | None = Field(default=None, description="What the user can do next, as a word for programs.")

    def filled(self, missing: tuple[str, ...] = ()) -> str:
        """The text with the missing parts in place.

        >>> Message(text="Not covered: {missing}.").filled(("meals", "Paris"))
        'Not covered: meals, Paris.'
        """
        return self.text.replace("{missing}", ", ".join(missing))


def _message(text: str, next_step: str) -> Message:
    return Message(text=text, next_step=next_step)


class Messages(BaseModel):
    """One message for every outcome that is not a plain answer.

    >>> Messages().no_evidence.next_step
    'ask_human'
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    def named(self, name: str) -> Message:
        """The message of that name.

        >>> Messages().named("stale").next_step
        'ask_document_owner'
        """
        message = getattr(self, name, None)
        if not isinstance(message, Message):
            raise TypeError(f"{name!r} is no message; there are {', '.join(type(self).model_fields)}")
        return message

    no_evidence: Message = _message("I could not find this in the policy documents I can search.", "ask_human")
    insufficient: Message = _message(
        "The documents cover part of this question but not {missing}.", "clarify_or_ask_human"
    )
    clarify: Message = _message(
        "The documents cover part of this question but not {missing}. Could you say more about that?", "clarify"
    )
    partial: Message = _message("The documents do not cover {missing}.", "clarify_or_ask_human")
    conflict: Message = _message(
        "Two current documents disagree on this and I cannot tell which applies.", "ask_document_owner"
    )
    disclosed: Message = _message("An older document says otherwise:", "ask_document_owner")
    stale: Message = _message(
        "The documents I can search say something on this only in a version that is not in force.", "ask_document_owner"
    )
    unverified: Message = _message("I could not verify an answer against the documents.", "ask_human")
    low_confidence: Message = _message("The documents I found are too thin to answer this safely.", "ask_human")
    system_failure: Message = _message("The answer could not be produced just now.", "retry_or_ask_human")
