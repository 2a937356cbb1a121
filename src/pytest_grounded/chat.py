"""One call to an OpenAI-compatible chat endpoint, over the standard library alone.

A message goes out, bound to a JSON schema where one is given; the text of the first choice comes back. What keeps it
from coming back (the network, a status, a body that is no reply) is a `ChatFailedError` with its kind; what the text
says is for the caller to read.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

if TYPE_CHECKING:
    from http.client import HTTPResponse

__all__ = ["ChatFailedError", "ChatReply", "ChatSettings", "Schema", "complete"]


def _null_word(value: object) -> object:
    """Read the words YAML writes for nothing; a settings file keeps every plain scalar as text."""
    return None if isinstance(value, str) and value in {"", "~", "null", "none"} else value


_LONGEST_WAIT = 86_400


class ChatSettings(BaseModel):
    """Where the model is and how it decodes. The key is named by its environment variable and never stored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str = Field(description="Address up to and without /chat/completions, such as http://localhost:8080/v1.")
    model: str = Field(min_length=1, description="Name of the model.")
    api_key_env: Annotated[str | None, BeforeValidator(_null_word)] = Field(
        default=None, description="Environment variable that holds the key; null: none is sent."
    )
    timeout: Annotated[float, Field(gt=0, le=_LONGEST_WAIT, allow_inf_nan=False)] = Field(
        default=30.0, description="Seconds until a reply has to be there whole."
    )
    temperature: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Field(
        default=0.0, description="Decoding temperature."
    )
    seed: Annotated[int | None, BeforeValidator(_null_word)] = Field(
        default=7, description="Decoding seed; null: none is sent."
    )
    max_tokens: Annotated[int, Field(ge=1)] = Field(default=800, description="Most tokens of a reply.")
    json_schema: bool = Field(default=True, description="Whether the reply is bound to a JSON schema.")

    @field_validator("base_url")
    @classmethod
    def _is_http(cls, value: str) -> str:
        if not _is_address(value):
            raise ValueError("needs an http or https address in ASCII, without credentials, query or fragment")
        return value.rstrip("/")


def _is_address(value: str) -> bool:
    """Whether a request can be made of it: what cannot would fail at every question, in words of the library."""
    try:
        parts = urlsplit(value)
        named = bool(parts.hostname and parts.hostname.encode("idna")) and parts.port != 0
    except ValueError:
        return False
    is_plain = value.isascii() and value.isprintable() and not set(value) & set(" ?#@")
    return named and is_plain and parts.scheme in {"http", "https"}


class ChatFailedError(Exception):
    """An endpoint could not be reached or did not reply: `kind` in a word, `status` of the protocol if any.

    Neither holds anything of what was sent or came back.
    """

    def __init__(self, kind: str, *, status: int | None = None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """A JSON schema that a reply is bound to, and its name."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """The text that came back, and what the call cost where the endpoint says so.

    `refused`: the model, or a filter of the endpoint, declined to say anything; the text is empty then.
    """

    content: str
    usage: Mapping[str, int] | None = None
    refused: bool = False


def complete(message: str, settings: ChatSettings, *, schema: Schema | None = None) -> ChatReply:
    """Send one message as the user, and nothing else; raises ChatFailedError where no reply of a model comes back."""
    reply = _parsed(_fetch(_body(message, settings, schema), settings))
    content = _content(reply)
    return ChatReply(content=content or "", usage=_usage(reply), refused=content is None)


def _body(message: str, settings: ChatSettings, schema: Schema | None) -> bytes:
    body: dict[str, Any] = {
        "model": settings.model,
        "messages": [{"role": "user", "content": message}],
        "temperature": settings.temperature,
        "max_tokens": settings.max_tokens,
    }
    if settings.seed is not None:
        body["seed"] = settings.seed
    if settings.json_schema and schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": schema.name, "schema": schema.schema, "strict": True},
        }
    return json.dumps(body).encode()


def _fetch(body: bytes, settings: ChatSettings) -> bytes:
    """The body of the reply, whole and within time and size; redirects are not followed, the key would go along."""
    import http.client
    import urllib.error
    import urllib.request

    deadline = time.monotonic() + settings.timeout
    request = urllib.request.Request(  # noqa: S310 - the settings allow http and https alone
        f"{settings.base_url}/chat/completions", data=body, headers=_headers(settings), method="POST"
    )
    opener = urllib.request.build_opener(_no_redirects())
    try:
        with opener.open(request, timeout=settings.timeout) as response:
            return _read(response, deadline)
    except urllib.error.HTTPError as error:
        with error:
            raise ChatFailedError("http_status", status=error.code) from None
    except TimeoutError:
        raise ChatFailedError("timeout") from None
    except urllib.error.URLError as error:
        kind = "timeout" if isinstance(error.reason, TimeoutError) else "unreachable"
        raise ChatFailedError(kind) from None
    except (OSError, http.client.HTTPException):
        raise ChatFailedError("connection_broken") from None
    except ValueError:  # a header of the reply that the library cannot read
        raise ChatFailedError("malformed_reply") from None


def _headers(settings: ChatSettings) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if settings.api_key_env is not None:
        key = os.environ.get(settings.api_key_env, "").strip()  # of a file with a key, its last line break comes along
        if not key:
            raise ChatFailedError("no_api_key")
        if not (key.isascii() and key.isprintable()):  # the library would write it into what it raises
            raise ChatFailedError("unusable_api_key")
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
            raise ChatFailedError("reply_too_large")
        if time.monotonic() > deadline:
            raise ChatFailedError("timeout")
        pieces.append(piece)
    if response.length:  # fewer bytes came than were announced
        raise ChatFailedError("connection_broken")
    return b"".join(pieces)


def _no_redirects() -> Any:
    import urllib.request

    class _NoRedirects(urllib.request.HTTPRedirectHandler):
        """A redirect is a status like any other that is no reply."""

        def http_error_302(self, *_: Any, **__: Any) -> None:
            """Follow nothing, and do not read where it leads: that may be no address."""

        http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302

    return _NoRedirects


def _parsed(body: bytes) -> Mapping[str, Any]:
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        raise ChatFailedError("malformed_reply") from None
    if not isinstance(reply, Mapping):
        raise ChatFailedError("malformed_reply")
    return reply


def _content(reply: Mapping[str, Any]) -> str | None:
    """The text of the first choice, None where it is a refusal.

    A reply without either is a failure of the endpoint, whatever its status said.
    """
    choices = reply.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(first, dict) or not isinstance(message, dict):
        raise ChatFailedError("malformed_reply")
    content = message.get("content")
    if not content and (message.get("refusal") or first.get("finish_reason") == "content_filter"):
        return None
    if not isinstance(content, str):
        raise ChatFailedError("malformed_reply")
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
