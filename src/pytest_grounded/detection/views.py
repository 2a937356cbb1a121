"""Views: which other texts a text may be read as, by somebody who wants to hide one in it.

A decoder rewrites a text where it finds its own encoding and leaves the rest as it is, so that a sentence encoded in
part stays a sentence. Decoders are lenient: what decodes to rubbish matches nothing. Each begins with a test that costs
almost nothing on ordinary prose. Not decoded: ciphers other than rot13 (unless asked for), base85, letters put between
letters, words turned round one by one, acrostics, paraphrase, translation.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from urllib.parse import unquote_to_bytes

from pytest_grounded.detection.confusables import LOOKALIKES
from pytest_grounded.detection.skeleton import skeleton_text

__all__ = ["MOST_VIEWS", "View", "decoded_views", "rotated"]

MOST_VIEWS = 64
"""Views of one text, the text itself among them."""
_DEPTH = 2
_BUDGET = 160 * 1024
_STRETCH, _OVERLAP = 32 * 1024, 2 * 1024


@dataclass(frozen=True, slots=True)
class View:
    """A text as it may be read, and the decoders that lead to it, such as `base64` or `html>hex`."""

    name: str
    text: str


Decoder = Callable[[str], Iterable[str]]
"""Gives every text that a text decodes to: none where there is nothing to decode."""


@lru_cache(maxsize=16)
def decoded_views(text: str) -> tuple[View, ...]:
    """Every other text that a text decodes to, in up to two steps; the text itself is not among them.

    Of a stretch of 32,768 characters there are at most 64 views with 160 KiB, so that a hostile text costs a fixed
    multiple of its length; a longer text is decoded in stretches that overlap, so that none hides behind another.

    >>> [view.text for view in decoded_views("see &#x68;idden")]
    ['see hidden']
    >>> hidden = base64.b64encode(b"a sentence nobody may see").hex()
    >>> [view.name for view in decoded_views(hidden) if "nobody" in view.text]
    ['hex>base64']
    >>> decoded_views("Nothing is encoded in an ordinary sentence.")
    ()
    """
    return tuple(view for stretch in _stretches(text) for view in _decoded_views(stretch))


def _stretches(text: str) -> Iterator[str]:
    """A text in pieces that can be decoded each by itself: what a code of some words takes lies whole in one."""
    for start in range(0, max(1, len(text) - _OVERLAP), _STRETCH - _OVERLAP):
        yield text[start : start + _STRETCH]


def _decoded_views(text: str) -> Iterator[View]:
    seen = {text}
    budget = _BUDGET
    level = [View("", text)]
    for _ in range(_DEPTH):
        deeper: list[View] = []
        for view in level:
            for name, decoded in _decodings(view.text):
                if decoded in seen:
                    continue
                budget -= len(decoded)
                if budget < 0 or len(seen) >= MOST_VIEWS:
                    return
                seen.add(decoded)
                deeper.append(View(f"{view.name}>{name}".lstrip(">"), decoded))
                yield deeper[-1]
        level = deeper


def _decodings(text: str) -> Iterator[tuple[str, str]]:
    """What every decoder makes of a text; none is tried whose alphabet the text cannot hold."""
    for may_hold, decoders in _DECODERS:
        if may_hold(text):
            yield from ((name, decoded) for name, decode in decoders for decoded in decode(text))


def rotated(text: str, shift: int = 13) -> str:
    """The text with its Latin letters moved on by `shift` places.

    >>> rotated("Obahf")
    'Bonus'
    """
    return text.translate(_rotation(shift))


@lru_cache(maxsize=26)
def _rotation(shift: int) -> dict[int, int]:
    return {base + place: base + (place + shift) % 26 for base in (ord("a"), ord("A")) for place in range(26)}


# --- marked characters -------------------------------------------------------------------------------------------


def _unescaped_html(text: str) -> Iterator[str]:
    if "&" in text:
        yield html.unescape(text)


_PERCENT = re.compile("(?:%[0-9A-Fa-f]{2})++")


def _unquoted(text: str) -> Iterator[str]:
    if "%" in text:
        yield _PERCENT.sub(lambda run: _as_text(unquote_to_bytes(run.group())), text)


_PRINTABLE = re.compile(r"(?:=[0-9A-Fa-f]{2}|=\r?\n)++")


def _unprintable(text: str) -> Iterator[str]:
    """Quoted-printable, as in mail: `=41`, and lines that go on after `=`."""
    if "=" in text and _PRINTABLE.search(text):
        yield _PRINTABLE.sub(lambda run: _as_text(binascii.a2b_qp(run.group())), text)


_ESCAPE = re.compile(
    r"\\(?:[ux]\{([0-9A-Fa-f]{1,6})\}|N\{U\+([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})"
    r"|o\{([0-7]{1,7})\}|([0-7]{3}))"
)


def _unescaped(text: str) -> Iterator[str]:
    if "\\" in text:
        yield _ESCAPE.sub(_escaped_character, text)


def _escaped_character(escape: re.Match[str]) -> str:
    *hexadecimal, braced, octal = escape.groups()
    if braced or octal:
        return _character(int(braced or octal, 8))
    return _character(int(next(filter(None, hexadecimal)), 16))


_STYLE_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{1,6})[ \t\n]?")


def _unescaped_style(text: str) -> Iterator[str]:
    """Escapes of CSS: one to six hex digits, and a blank that ends them."""
    if "\\" in text:
        yield _STYLE_ESCAPE.sub(lambda escape: _character(int(escape[1], 16)), text)


_TAG = re.compile(r"<[!/?A-Za-z][^<>]{0,500}>|<!--|-->")


def _untagged(text: str) -> Iterator[str]:
    if "<" in text:
        yield _TAG.sub("", text)


_LINK = re.compile(r"!?\[([^\[\]]{0,500})\](?:\([^()\s]{0,2000}[^()]{0,200}\)|\[[^\[\]]{0,200}\])")


def _unlinked(text: str) -> Iterator[str]:
    if "](" in text or "][" in text:
        yield _LINK.sub(r"\1", text)


# --- invisible characters ----------------------------------------------------------------------------------------

_TAG_CHARACTERS = {0xE0000 + point: point for point in range(0x20, 0x7F)}
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{8,}+")
_FIRST_LONG_SELECTOR, _SHORT_SELECTORS = 0xE0100, 16


def _tag_characters(text: str) -> Iterator[str]:
    if not text.isascii():
        yield text.translate(_TAG_CHARACTERS)


def _capitals(text: str) -> Iterator[str]:
    """Capitals that look Latin though their small letters do not, or look like another: the Greek N and Y."""
    if not text.isascii():
        yield text.translate(_CAPITALS)


_CAPITALS = str.maketrans(
    {
        lookalike: letter
        for lookalike, letter in LOOKALIKES.items()
        if lookalike != lookalike.casefold() and skeleton_text(lookalike) != skeleton_text(letter)
    }
)


def _selector_bytes(text: str) -> Iterator[str]:
    if not text.isascii():
        yield _SELECTORS.sub(lambda run: _as_text(bytes(map(_selected, run.group()))), text)


def _selected(selector: str) -> int:
    point = ord(selector)
    return point - 0xFE00 if point < _FIRST_LONG_SELECTOR else point - _FIRST_LONG_SELECTOR + _SHORT_SELECTORS


# --- alphabets ---------------------------------------------------------------------------------------------------

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}+(?:=*+(?:\s|\\n|\\r){1,4}+[A-Za-z0-9+/_-]{4,}+)*+={0,2}+")
_BASE64_SPACE = re.compile(r"\s+|\\[nr]")
_URL_SAFE = str.maketrans("-_", "+/")
_QUANTUM = 4


def _base64(text: str) -> Iterator[str]:
    """Decode base64, standard or URL-safe, padded or not, wrapped or not, with up to three letters before it.

    A run without letters of both cases is a word or a path.
    """
    if any(run.lower() != run != run.upper() for run in _BASE64.findall(text)):
        for offset in range(_QUANTUM):
            yield _replaced(_BASE64, partial(_decode_base64, offset), text)


def _decode_base64(offset: int, run: str) -> str:
    runs = [run] if offset else [run, *(run[match.start() :] for match in islice(_PACKED_BASE64.finditer(run), 4))]
    parts = _BASE64_SPACE.sub("", run).translate(_URL_SAFE).split("=")
    packed = (_BASE64_SPACE.sub("", one).translate(_URL_SAFE).partition("=")[0] for one in runs[1:])
    return " ".join(_as_text(_a2b(part)) for part in (*(one[offset:] for one in parts if len(one) > offset), *packed))


_PACKED_BASE64 = re.compile(r"(?<=\s)(?:H4sI|eA[E-H]|eF[4-7]|eJ[w-z]|eN[o-r])")
"""Where gzip or zlib begin in base64 behind other words, which the run began with."""


def _a2b(part: str) -> bytes:
    if len(part) % _QUANTUM == 1:
        part = part[:-1]
    return binascii.a2b_base64(part + "=" * (-len(part) % _QUANTUM))


_BASE32 = re.compile(r"(?:[A-Z2-7]{24,}+(?:\s{1,4}+[A-Z2-7]{8,}+)*+|[a-z2-7]{24,}+)={0,6}+")


def _base32(text: str) -> Iterator[str]:
    if _BASE32.search(text):
        yield _replaced(_BASE32, _decode_base32, text)


def _decode_base32(run: str) -> str:
    letters = "".join(run.split()).rstrip("=").upper()
    if len(letters) % 8 in {1, 3, 6}:
        letters = letters[:-1]
    try:
        return _as_text(base64.b32decode(letters + "=" * (-len(letters) % 8)))
    except binascii.Error:
        return run


_HEX = re.compile(r"(?:0x)?+[0-9A-Fa-f]{2}(?:[\s:,;-]{0,2}(?:0x)?+[0-9A-Fa-f]{2}){11,}+[0-9A-Fa-f]?")
_HEX_DIGIT = re.compile("0x|[^0-9A-Fa-f]")


def _hexadecimal(text: str) -> Iterator[str]:
    """Decode pairs of hex digits, also where one digit stands before them."""
    if _HEX.search(text):
        yield _replaced(_HEX, partial(_decode_hex, 0), text)
        yield _replaced(_HEX, partial(_decode_hex, 1), text)


def _decode_hex(offset: int, run: str) -> str:
    digits = _HEX_DIGIT.sub("", run)[offset:]
    return _as_text(bytes.fromhex(digits[: len(digits) // 2 * 2]))


_DECIMAL = re.compile(r"(?<!\d)\d{2,7}(?:[\s,;.|/&#-]{1,3}\d{2,7}){11,}+")
_NUMBER = re.compile(r"\d+")
_BINARY = re.compile(r"(?<![01])[01]{7,}+(?:[\s,;.|-]{1,3}[01]{7,}+)*+")
_CODE_POINTS = re.compile(r"U\+[0-9A-Fa-f]{4,6}(?:[\s,;]*+U\+[0-9A-Fa-f]{4,6}){7,}+", re.IGNORECASE)
_CODE_POINT = re.compile(r"[Uu]\+([0-9A-Fa-f]+)")
_LEAST_BITS = 84
_WIDTHS = (7, 8)


def _decimal(text: str) -> Iterator[str]:
    if _DECIMAL.search(text):
        yield _replaced(_DECIMAL, lambda run: "".join(_character(int(code)) for code in _NUMBER.findall(run)), text)


def _code_points(text: str) -> Iterator[str]:
    if "U+" in text or "u+" in text:
        yield _replaced(
            _CODE_POINTS, lambda run: "".join(_character(int(p, 16)) for p in _CODE_POINT.findall(run)), text
        )


def _binary(text: str) -> Iterator[str]:
    if ("01" in text or "10" in text) and _BINARY.search(text):
        yield _replaced(_BINARY, _decode_binary, text)


def _decode_binary(run: str) -> str:
    groups = re.findall("[01]+", run)
    if sum(map(len, groups)) < _LEAST_BITS:
        return run
    bits = "".join(groups)
    widths = {len(group) for group in groups} & set(_WIDTHS) if len(groups) > 1 else set(_WIDTHS)
    return " ".join(
        _as_text(bytes(int(bits[place : place + width], 2) for place in range(0, len(bits), width)))
        for width in sorted(widths)
    )


# --- reading bytes -----------------------------------------------------------------------------------------------

_PACKED = re.compile(rb"\x1f\x8b|\x78[\x01\x5e\x9c\xda]")
_EITHER_HEADER = 32 + zlib.MAX_WBITS
_MOST_UNPACKED = 64 * 1024
_MOSTLY = 0.8
_SELDOM = 0.15
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")
_UNWRITTEN = re.compile(r"[^\w ,.;:!?()\n\u0900-\u0dff\u3001\u3002\uff0c-]|[\x00-\x08\x0e-\x1f]")
_SURROGATES = range(0xD800, 0xE000)


def _as_text(data: bytes) -> str:
    """Bytes as text: UTF-8 where it mostly is, else that with UTF-16 of each order in which it is mostly letters.

    Of random pairs of bytes two in three are letters of some script, so that rubbish is seldom taken for UTF-16; text
    in UTF-16 is UTF-8 full of control characters.
    """
    if _PACKED.match(data):
        data = _unpacked(data)
    text = data.decode("utf-8", "ignore")
    if len(text.encode()) >= _MOSTLY * len(data) and len(_CONTROL.findall(text)) <= _SELDOM * len(text):
        return text
    wide = (data.decode(codec, "ignore") for codec in ("utf-16-le", "utf-16-be"))
    return " ".join((text, *(one for one in wide if _is_mostly_written(one, len(data) // 2))))


def _unpacked(data: bytes) -> bytes:
    """What gzip or zlib packed, up to 64 KiB of it; the bytes themselves where they only begin like that."""
    try:
        return zlib.decompressobj(_EITHER_HEADER).decompress(data, _MOST_UNPACKED) or data
    except zlib.error:
        return data


def _is_mostly_written(text: str, units: int) -> bool:
    return len(text) - len(_UNWRITTEN.findall(text)) >= _MOSTLY * units


def _character(point: int) -> str:
    return chr(point) if 0 < point <= sys.maxunicode and point not in _SURROGATES else ""


_BESIDE = 128
"""Characters on either side of a decoded run that stay: what is partly encoded is read on from there."""


def _replaced(pattern: re.Pattern[str], decode: Callable[[str], str], text: str) -> str:
    """What the runs of a pattern decode to, each with what stands beside it; the rest of the text is read anyway.

    A space on either side keeps words of the decoded text apart from what stood beside the run.
    """
    pieces: list[str] = []
    done = 0
    for run in pattern.finditer(text):
        pieces += [_beside(text[done : run.start()], is_first=not done), f" {decode(run.group())} "]
        done = run.end()
    return "".join((*pieces, text[done : done + _BESIDE])) if pieces else text


def _beside(between: str, *, is_first: bool) -> str:
    """The two ends of what stands between two runs; the end alone before the first one."""
    if is_first:
        return between[-_BESIDE:]
    return between if len(between) <= 2 * _BESIDE else f"{between[:_BESIDE]}\n{between[-_BESIDE:]}"


# --- what is tried, and when -------------------------------------------------------------------------------------

_LEAST_DIGITS = 12
_LEAST_TOKEN = 16


def _any(text: str) -> bool:
    return bool(text)


def _holds_long_tokens(text: str) -> bool:
    return any(len(token) >= _LEAST_TOKEN for token in text.split())


def _holds_digits(text: str) -> bool:
    """Whether enough ASCII digits are there for a list of codes: hex of letters begins with 6 or 7, too."""
    return sum(map(text.count, "0123456789")) >= _LEAST_DIGITS


_DECODERS: tuple[tuple[Callable[[str], bool], tuple[tuple[str, Decoder], ...]], ...] = (
    (
        _holds_long_tokens,
        (
            ("base64", _base64),
            ("base32", _base32),
        ),
    ),
    (
        _holds_digits,
        (
            ("hex", _hexadecimal),
            ("decimal", _decimal),
            ("binary", _binary),
            ("code points", _code_points),
        ),
    ),
    (
        _any,
        (
            ("html", _unescaped_html),
            ("percent", _unquoted),
            ("quoted-printable", _unprintable),
            ("escapes", _unescaped),
            ("css escapes", _unescaped_style),
            ("tags", _untagged),
            ("links", _unlinked),
            ("capitals", _capitals),
            ("tag characters", _tag_characters),
            ("variation selectors", _selector_bytes),
        ),
    ),
)
"""Codes of whole runs first: they cost what they are, while a change of marked characters costs the whole text."""
