"""A generator behind any OpenAI-compatible chat endpoint, over the standard library alone.

The model is asked for the contract's JSON form by a JSON schema that names the evidence ids it may cite. What comes
back is a draft like any other: it is the verifier that decides. What keeps it from coming back (the network, a status,
a body that is no reply) is a `GeneratorFailedError`, never an answer.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pytest_grounded.pipeline.generate import Generation, GenerationTask, GeneratorFailedError
from pytest_grounded.pipeline.settings import ModelSettings

if TYPE_CHECKING:
    from http.client import HTTPResponse

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
        reply = _parsed(self._fetch(self._body(task, prompt)))
        return Generation(draft=_content(reply), usage=_usage(reply))

    def _body(self, task: GenerationTask, prompt: str) -> bytes:
        settings = self._settings
        body: dict[str, Any] = {
            "model": settings.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": settings.temperature,
            "max_tokens": settings.max_tokens,
        }
        if settings.seed is not None:
            body["seed"] = settings.seed
        if settings.json_schema:
            schema = draft_schema(tuple(item.id for item in task.evidence), max_claims=settings.max_claims)
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "draft", "schema": schema, "strict": True},
            }
        return json.dumps(body).encode()

    def _fetch(self, body: bytes) -> bytes:
        """The body of the reply, whole and within time and size; redirects are not followed, the key would go along."""
        import http.client
        import urllib.error
        import urllib.request

        deadline = time.monotonic() + self._settings.timeout
        request = urllib.request.Request(  # noqa: S310 - the settings allow http and https alone
            f"{self._settings.base_url}/chat/completions", data=body, headers=self._headers(), method="POST"
        )
        opener = urllib.request.build_opener(_no_redirects())
        try:
            with opener.open(request, timeout=self._settings.timeout) as response:
                return _read(response, deadline)
        except urllib.error.HTTPError as error:
            with error:
                raise GeneratorFailedError("http_status", status=error.code) from None
        except TimeoutError:
            raise GeneratorFailedError("timeout") from None
        except urllib.error.URLError as error:
            kind = "timeout" if isinstance(error.reason, TimeoutError) else "unreachable"
            raise GeneratorFailedError(kind) from None
        except (OSError, http.client.HTTPException):
            raise GeneratorFailedError("connection_broken") from None

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._settings.api_key_env is not None:
            key = os.environ.get(self._settings.api_key_env)
            if not key:
                raise GeneratorFailedError("no_api_key")
            headers["Authorization"] = f"Bearer {key}"
        return headers


_LARGEST_REPLY = 2 * 1024 * 1024
_PIECE = 64 * 1024


def _read(response: HTTPResponse, deadline: float) -> bytes:
    """Read until the end, the deadline or the size limit: a server that drips one byte at a time is no reply."""
    pieces: list[bytes] = []
    size = 0
    while piece := response.read1(_PIECE):
        size += len(piece)
        if size > _LARGEST_REPLY:
            raise GeneratorFailedError("reply_too_large")
        if time.monotonic() > deadline:
            raise GeneratorFailedError("timeout")
        pieces.append(piece)
    if response.length:  # fewer bytes came than were announced
        raise GeneratorFailedError("connection_broken")
    return b"".join(pieces)


def _no_redirects() -> Any:
    import urllib.request

    class _NoRedirects(urllib.request.HTTPRedirectHandler):
        """A redirect is a status like any other that is no reply."""

        def redirect_request(self, *_: Any, **__: Any) -> None:
            """Follow nothing."""

    return _NoRedirects


def _parsed(body: bytes) -> Mapping[str, Any]:
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        raise GeneratorFailedError("malformed_reply") from None
    if not isinstance(reply, Mapping):
        raise GeneratorFailedError("malformed_reply")
    return reply


def _content(reply: Mapping[str, Any]) -> str:
    """The text of the first choice. A reply without any is a failure of the endpoint, whatever its status said."""
    choices = reply.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, str):
        raise GeneratorFailedError("malformed_reply")
    return content


_USAGE = {"prompt_tokens": "input_tokens", "completion_tokens": "output_tokens"}


def _usage(reply: Mapping[str, Any]) -> Mapping[str, int] | None:
    stated = reply.get("usage")
    if not isinstance(stated, Mapping):
        return None
    return {
        ours: count
        for theirs, ours in _USAGE.items()
        if isinstance(count := stated.get(theirs), int) and not isinstance(count, bool)
    }
