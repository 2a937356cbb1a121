"""Parts of a text that are another text in disguise: base64, hexadecimal, percent and HTML escapes, turned round.

A reply that leaked something in such a form has to leak its stand-in in the same one.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

from pytest_grounded.detection.views import rotated

__all__ = ["Encoded", "encoded_parts"]

_FEWEST = 8
_MOSTLY = 0.85


@dataclass(frozen=True, slots=True)
class Encoded:
    """A part of a text from `start` to `end`, what it says, and how to write something else the same way."""

    start: int
    end: int
    text: str
    encode: Callable[[str], str]


def encoded_parts(text: str, is_hidden: Callable[[str], bool]) -> Iterator[Encoded]:
    """The parts that decode to a text of which `is_hidden` says that it must not be written.

    >>> found = list(encoded_parts("x <!-- dGhlIGNsb3NpbmcgYm9udXM= -->", lambda text: "bonus" in text))
    >>> [(one.text, one.encode("a new word")) for one in found]
    [('the closing bonus', 'YSBuZXcgd29yZA==')]
    """
    for whole in (_turned, rotated):
        if not is_hidden(text) and is_hidden(whole(text)):
            yield Encoded(0, len(text), whole(text), whole)
            return
    for pattern, decode, encode in _CODECS:
        for match in pattern.finditer(text):
            decoded = decode(match.group())
            if decoded is not None and len(decoded) >= _FEWEST and is_hidden(decoded):
                yield Encoded(match.start(), match.end(), decoded, encode)


def _turned(text: str) -> str:
    return text[::-1]


def _readable(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    plain = sum(sign.isprintable() or sign.isspace() for sign in text)
    return text if text and plain >= _MOSTLY * len(text) else None


def _base64(written: str) -> str | None:
    plain = written.rstrip("=").translate(_URL_SAFE)
    if len(plain) % 4 == 1:
        return None
    try:
        return _readable(base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True))
    except (binascii.Error, ValueError):
        return None


_URL_SAFE = str.maketrans("-_", "+/")


def _hexadecimal(written: str) -> str | None:
    try:
        return _readable(bytes.fromhex(written))
    except ValueError:
        return None


def _letters(written: str) -> str:
    """Letters with a blank after each, put together; two blanks part words."""
    return " ".join("".join(word.split()) for word in re.split(r"\s{2,}", written))


_Codec = tuple[re.Pattern[str], Callable[[str], str | None], Callable[[str], str]]
_CODECS: tuple[_Codec, ...] = (
    (
        re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{12,100000}={0,2}(?![\w+/=])"),
        _base64,
        lambda text: base64.b64encode(text.encode()).decode(),
    ),
    (re.compile(r"(?<!\w)(?:[0-9A-Fa-f]{2}){8,50000}(?!\w)"), _hexadecimal, lambda text: text.encode().hex()),
    (re.compile(r"(?:[\w.,-]{0,40}%[0-9A-Fa-f]{2}){3,5000}[\w.,-]{0,40}"), unquote, quote),
    (
        re.compile(r"(?:&#(?:\d{2,7}|x[0-9A-Fa-f]{2,6});[ ]?){8,20000}"),
        html.unescape,
        lambda text: "".join(f"&#{ord(sign)};" for sign in text),
    ),
    (
        re.compile(r"(?<!\w)(?:\w {1,3}){8,5000}\w(?!\w)"),
        _letters,
        lambda text: "  ".join(" ".join(word) for word in text.split()),
    ),
)
