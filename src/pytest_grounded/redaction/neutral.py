r"""Neutral text: what a terminal, a CI log, an XML file or a Markdown page may show as it is.

What a model wrote may move the cursor, turn the line round, hide letters, or speak to the machine that reads the log.
Such characters are shown as escapes: `\u001b`, `\u{e0041}`. Letters of every script, line breaks and tabs stay.
"""

from __future__ import annotations

import json
import re

__all__ = ["neutral_json", "neutralise"]

# C0 and C1 but tab and line feed; soft hyphen; joiners that end nothing visible; direction marks; line separators;
# invisible operators; the byte-order mark; interlinear marks; half characters; noncharacters; tag characters.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
# `::command` counts at the start of a line, `##[command]` and `##vso[command]` anywhere in it.
_COMMAND = re.compile(r"(?P<colon>(?:^|(?<=\n))[^\S\n]*+:)(?=:)|#(?=#[\w.-]{0,40}\[)")
_INLINE_COMMAND = re.compile(r"#(?=#[\w.-]{0,40}\[)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_FIRST_LONG = 0x10000


def neutralise(text: str, *, tags: bool = True) -> str:
    r"""The text with everything that acts instead of being read shown as an escape.

    Escaped are control and direction characters, invisible ones, lone surrogates, the start of workflow commands
    (`::set-output`, `##vso[`, `##[error]`) and of markup tags. What is left can be put into a terminal, JUnit XML or
    Markdown without speaking to it; quoting for the format itself is the writer's task. With `tags` off markup stays,
    for what is only ever shown as plain text.

    >>> print(neutralise("\x1b[2Jok\r1 passed \u202egpj.exe"))
    \u001b[2Jok\u000d1 passed \u202egpj.exe
    >>> print(neutralise("::add-mask::a\n ##vso[task.complete]<script>"))
    \u003a:add-mask::a
     \u0023#vso[task.complete]\u003cscript>
    >>> neutralise("Übernachtung: 180 € 你好")
    'Übernachtung: 180 € 你好'
    """
    text = _UNSEEN.sub(lambda match: _escaped(match.group()), text)
    if "::" in text or "##" in text:
        text = _COMMAND.sub(_broken, text)
    return _TAG.sub(lambda match: _escaped(match.group()), text) if tags and "<" in text else text


def neutral_json(text: str) -> str:
    r"""JSON text in which the same characters, the start of tags, and of commands that act inside a line, are escapes.

    It is equal when read. A line of JSON begins with no `::`.

    >>> print(neutral_json('{"text": "<script>\u202e \x85", "limit": "a < b"}'))
    {"text": "\u003cscript>\u202e \u0085", "limit": "a < b"}
    >>> print(neutral_json('{"text": "##vso[task.complete] ## a"}'))
    {"text": "\u0023#vso[task.complete] ## a"}
    """
    if not text.isascii() or "\x7f" in text:
        text = _UNSEEN.sub(lambda match: json.dumps(match.group())[1:-1], text)
    if "##" in text:
        text = _INLINE_COMMAND.sub(r"\\u0023", text)
    return _TAG.sub(r"\\u003c", text) if "<" in text else text


def _broken(match: re.Match[str]) -> str:
    return match.group()[:-1] + _escaped(match.group()[-1])


def _escaped(character: str) -> str:
    point = ord(character)
    return f"\\u{point:04x}" if point < _FIRST_LONG else f"\\u{{{point:x}}}"
