"""The messages that went into a model and came out of it, in each of the ways the GenAI conventions have recorded them.

Newest first: `gen_ai.input.messages` and `gen_ai.output.messages` (on the span, or on an event of details), one event a
message (`gen_ai.user.message`, `gen_ai.choice`), one attribute a message (`gen_ai.prompt.0.content`,
`llm.input_messages.0.message.content`), and whole texts (`gen_ai.prompt`, `input.value`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounded.incidents.otel_spans import Span, structured

__all__ = ["Message", "is_cut_off", "messages_in", "messages_out", "system_texts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Who said it, and the text of it; tool calls and pictures have none."""

    role: str
    text: str


_IN = ("gen_ai.input.messages",)
_OUT = ("gen_ai.output.messages",)
_INDEXED = re.compile(
    r"(?P<list>gen_ai\.prompt|gen_ai\.completion|llm\.input_messages|llm\.output_messages)\.(?P<place>\d{1,4})\."
    r"(?:message\.)?(?P<part>role|content|contents\.\d{1,4}\.message_content\.text)"
)


def messages_in(span: Span) -> tuple[Message, ...]:
    """What a model was given, in order, without system instructions.

    >>> recorded = '[{"role": "user", "parts": [{"type": "text", "content": "How much?"}]}]'
    >>> messages_in(Span(trace="t", id="s", attributes={"gen_ai.input.messages": recorded}))
    (Message(role='user', text='How much?'),)
    """
    found = _first_found(
        _recorded(span, _IN),
        _by_event(span, ("gen_ai.user.message", "gen_ai.assistant.message", "gen_ai.tool.message")),
        _by_place(span, ("gen_ai.prompt", "llm.input_messages")),
        _whole(span, ("gen_ai.prompt", "input.value"), "user"),
    )
    return tuple(message for message in found if message.role not in ("system", "developer"))


def messages_out(span: Span) -> tuple[Message, ...]:
    """What came back, in order.

    >>> messages_out(Span(trace="t", id="s", attributes={"gen_ai.completion.0.content": "It is $150."}))
    (Message(role='assistant', text='It is $150.'),)
    """
    found = _first_found(
        _recorded(span, _OUT),
        _by_event(span, ("gen_ai.choice",)),
        _by_place(span, ("gen_ai.completion", "llm.output_messages")),
        _whole(span, ("gen_ai.completion", "output.value"), "assistant"),
    )
    return tuple(found)


def system_texts(span: Span) -> tuple[str, ...]:
    """The instructions a model was given beside the messages."""
    own = [text for part in _list(_value(span, "gen_ai.system_instructions")) if (text := _text(part))]
    told = [message.text for message in _recorded(span, _IN) if message.role in ("system", "developer")]
    said = [message.text for message in _by_event(span, ("gen_ai.system.message",))]
    return tuple(dict.fromkeys((*own, *told, *said)))


def is_cut_off(span: Span) -> bool:
    """Whether messages were recorded and cannot be read, because an exporter cut them off."""
    return any(
        isinstance(held.get(key), str) and structured(held[key]) is None
        for held in (span.attributes, *(event.attributes for event in span.events))
        for key in (*_IN, *_OUT)
    )


def _first_found(*ways: Iterator[Message]) -> list[Message]:
    """The messages of the first way that records any."""
    return next((messages for way in ways if (messages := [*way])), [])


# --- the ways ----------------------------------------------------------------------------------------------------


def _recorded(span: Span, keys: Sequence[str]) -> Iterator[Message]:
    for held in (span.attributes, *(event.attributes for event in span.events)):
        found = [message for key in keys for one in _list(structured(held.get(key))) if (message := _message(one))]
        if found:
            yield from found
            return


def _by_event(span: Span, names: Sequence[str]) -> Iterator[Message]:
    for event in span.events:
        if event.name in names:
            body = {key.removeprefix("gen_ai.event.content."): value for key, value in event.attributes.items()}
            body.setdefault("role", event.name.split(".")[1] if event.name != "gen_ai.choice" else "assistant")
            inner = structured(body.get("message"))
            message = _message({"role": body["role"], **inner} if isinstance(inner, Mapping) else body)
            if message is not None:
                yield message
        elif event.name in _OLDEST and _OLDEST[event.name] in names:
            key = "gen_ai.prompt" if "prompt" in event.name else "gen_ai.completion"
            yield from (one for item in _list(structured(event.attributes.get(key))) if (one := _message(item)))


_OLDEST = {"gen_ai.content.prompt": "gen_ai.user.message", "gen_ai.content.completion": "gen_ai.choice"}


def _by_place(span: Span, lists: Sequence[str]) -> Iterator[Message]:
    found: dict[int, dict[str, str]] = {}
    for key, value in span.attributes.items():
        match = _INDEXED.fullmatch(key)
        if match is not None and match["list"] in lists and isinstance(value, str):
            part = "role" if match["part"] == "role" else "content"
            held = found.setdefault(int(match["place"]), {})
            held[part] = f"{held[part]}\n{value}" if part in held else value
    for place in sorted(found):
        default = "user" if "prompt" in lists[0] else "assistant"
        message = _message({"role": default, **found[place]})
        if message is not None:
            yield message


def _whole(span: Span, keys: Sequence[str], role: str) -> Iterator[Message]:
    for key in keys:
        value = span.attributes.get(key)
        held = structured(value)
        if isinstance(held, list):
            yield from (message for one in held if (message := _message(one)))
        elif isinstance(value, str) and value.strip():
            text = _inner_text(held) if isinstance(held, Mapping) else value
            yield Message(role=role, text=text or value)
        else:
            continue
        return


def _inner_text(held: Mapping[str, Any]) -> str | None:
    """The question or answer in an input or output that is recorded as an object."""
    for key in ("question", "query", "input", "answer", "output", "result", "text", "response"):
        if isinstance(held.get(key), str):
            return str(held[key])
    return None


def _message(written: Any) -> Message | None:
    if isinstance(written, str):
        return Message(role="user", text=written) if written.strip() else None
    if not isinstance(written, Mapping):
        return None
    parts = structured(written.get("parts") if "parts" in written else written.get("content"))
    texts = [parts] if isinstance(parts, str) else [text for part in _list(parts) if (text := _text(part))]
    text = "\n".join(texts).strip()
    role = {"human": "user", "ai": "assistant", "model": "assistant"}.get(str(written.get("role")), written.get("role"))
    return Message(role=str(role or "user"), text=text) if text else None


def _text(part: Any) -> str | None:
    """The text of a part of a message; reasoning is not shown, tool calls and files have none."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping) or part.get("type", "text") not in ("text", "output_text", "input_text"):
        return None
    return next((str(part[key]) for key in ("content", "text") if isinstance(part.get(key), str)), None)


def _value(span: Span, key: str) -> Any:
    held = next((one for one in (span.attributes, *(event.attributes for event in span.events)) if key in one), {})
    return structured(held.get(key))


def _list(value: Any) -> Sequence[Any]:
    if value is None:
        return ()
    return value if isinstance(value, list) else [value]
