"""A generator behind any OpenAI-compatible chat endpoint.

The model is asked for the contract's JSON form by a JSON schema that names the evidence ids it may cite. What comes
back is a draft like any other: it is the verifier that decides. What keeps it from coming back (the network, a status,
a body that is no reply) is a `GeneratorFailedError`, never an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_grounded.chat import ChatFailedError, Schema, complete
from pytest_grounded.pipeline.generate import Generation, GenerationTask, GeneratorFailedError
from pytest_grounded.pipeline.settings import ModelSettings

__all__ = ["OpenAICompatibleGenerator", "draft_schema"]


_LONGEST_TEXT = 600


def draft_schema(evidence_ids: tuple[str, ...], *, max_claims: int = 8) -> Mapping[str, Any]:
    """The JSON schema of a draft that may cite these ids alone.

    >>> draft_schema(("c1",))["properties"]["claims"]["items"]["required"]
    ['text', 'citations']
    """
    citation = {
        "type": "object",
        "properties": {
            "chunk": {"type": "string", "enum": list(evidence_ids)},
            "quote": {"type": "string", "maxLength": _LONGEST_TEXT},
        },
        "required": ["chunk", "quote"],
        "additionalProperties": False,
    }
    claim = {
        "type": "object",
        "properties": {
            "text": {"type": "string", "maxLength": _LONGEST_TEXT},
            "citations": {"type": "array", "minItems": 1, "maxItems": 4, "items": citation},
        },
        "required": ["text", "citations"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "claims": {"type": "array", "maxItems": max_claims, "items": claim},
            "abstain": {"type": "boolean"},
        },
        "required": ["claims", "abstain"],
        "additionalProperties": False,
    }


class OpenAICompatibleGenerator:
    """Asks a chat endpoint for a draft: one message, which is the recorded prompt, and nothing else.

    A model that refuses has abstained.

    >>> OpenAICompatibleGenerator(ModelSettings(base_url="http://localhost:8080/v1", model="small")).name
    'openai-compatible/small/t0.0'
    """

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings

    @property
    def name(self) -> str:
        """Model and temperature, for the trace; never the address or the key."""
        return f"openai-compatible/{self._settings.model}/t{self._settings.temperature}"

    def generate(self, task: GenerationTask, prompt: str) -> Generation:
        """One call. Raises GeneratorFailedError where no reply of a model comes back."""
        ids = tuple(item.id for item in task.evidence)
        schema = Schema(name="draft", schema=draft_schema(ids, max_claims=self._settings.max_claims))
        try:
            reply = complete(prompt, self._settings, schema=schema)
        except ChatFailedError as error:
            raise GeneratorFailedError(error.kind, status=error.status) from None
        return Generation(draft={"abstain": True} if reply.refused else reply.content, usage=reply.usage)
