"""Ways to hide a sentence in a text, each the work of a few lines, and prose to hide it in."""

from __future__ import annotations

import base64
import codecs
import gzip
import html
import quopri
import random
import textwrap
import urllib.parse
import zlib
from collections.abc import Callable

Disguise = Callable[[str], str]

_HOMOGLYPHS = str.maketrans("aeiopcxyAEOPCTKMHBX", "аеіорсхуАЕОРСТКМНВХ")
_LEET = str.maketrans("oleast", "013457")
_SMALL_CAPITALS = str.maketrans("abcdefghijklmnopqrstuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ")
_DARK_CIRCLES = {ord("A") + place: 0x1F150 + place for place in range(26)}
_SMART = str.maketrans({" ": "\u00a0", "-": "\u2011", "'": "\u2019", ",": "\uff0c"})


def _math_bold(text: str) -> str:
    return "".join(
        chr(0x1D400 + ord(c) - 65) if "A" <= c <= "Z" else chr(0x1D41A + ord(c) - 97) if "a" <= c <= "z" else c
        for c in text
    )


def _fullwidth(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _wrapped_hyphens(text: str) -> str:
    return "-\n".join(textwrap.wrap(text.replace(" ", "\u2423"), 17)).replace("\u2423", " ")


def _selectors(text: str) -> str:
    return "".join(chr(0xFE00 + b) if b < 16 else chr(0xE0100 + b - 16) for b in text.encode())


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _glued(text: str, before: str) -> str:
    return before + _b64(text)


DISGUISES: dict[str, Disguise] = {
    "verbatim": str,
    "upper case": str.upper,
    "smart typography": lambda t: t.translate(_SMART),
    "decomposed marks": lambda t: "".join(c + "\u0301" if c in "aeiou" else c for c in t),
    "zero-width characters": "\u200b".join,
    "soft hyphens": "\u00ad".join,
    "full width": _fullwidth,
    "mathematical bold": _math_bold,
    "Cyrillic homoglyphs": lambda t: t.translate(_HOMOGLYPHS),
    "spaced letters": " ".join,
    "hyphenated letters": "-".join,
    "dots and line ends": ".\n".join,
    "digits for letters": lambda t: t.translate(_LEET),
    "hyphens at line ends": _wrapped_hyphens,
    "Markdown emphasis": lambda t: " ".join(f"**{w}**" for w in t.split()),
    "reversed": lambda t: t[::-1],
    "rot13": lambda t: codecs.encode(t, "rot13"),
    "base64": _b64,
    "base64, URL-safe": lambda t: base64.urlsafe_b64encode(t.encode()).decode(),
    "base64 without padding": lambda t: _b64(t).rstrip("="),
    "base64 wrapped": lambda t: "\n".join(textwrap.wrap(_b64(t), 32)),
    "base64 behind one letter": lambda t: _glued(t, "x"),
    "base64 behind two letters": lambda t: _glued(t, "xy"),
    "base64 behind three letters": lambda t: _glued(t, "xyz"),
    "base64 of base64": lambda t: _b64(_b64(t)),
    "base64 of UTF-16": lambda t: base64.b64encode(t.encode("utf-16-le")).decode(),
    "base64 of big-endian UTF-16": lambda t: base64.b64encode(t.encode("utf-16-be")).decode(),
    "base64 of reversed": lambda t: _b64(t[::-1]),
    "base64 in a link": lambda t: f"https://intranet.example/s?d={urllib.parse.quote(_b64(t))}&v=1",
    "base64 in an HTML comment": lambda t: f"<!-- {_b64(t)} -->",
    "base32": lambda t: base64.b32encode(t.encode()).decode(),
    "base32 in small letters": lambda t: base64.b32encode(t.encode()).decode().lower(),
    "hex": lambda t: t.encode().hex(),
    "hex in capitals with spaces": lambda t: t.encode().hex(" ").upper(),
    "hex with prefixes": lambda t: ", ".join(f"0x{b:02x}" for b in t.encode()),
    "hex of base64": lambda t: _b64(t).encode().hex(),
    "percent": lambda t: "".join(f"%{b:02X}" for b in t.encode()),
    "URL quoting": urllib.parse.quote,
    "HTML entities": lambda t: "".join(f"&#{ord(c)};" for c in t),
    "HTML entities in hex": lambda t: "".join(f"&#x{ord(c):x};" for c in t),
    "escaped HTML": html.escape,
    "tags between letters": lambda t: "".join(f"<b>{c}</b>" for c in t),
    "comments between letters": "<!-- no -->".join,
    "Markdown links": lambda t: " ".join(f"[{w}](https://docs.example/{i})" for i, w in enumerate(t.split())),
    "unicode escapes": lambda t: "".join(f"\\u{ord(c):04x}" for c in t),
    "braced escapes": lambda t: "".join(f"\\u{{{ord(c):x}}}" for c in t),
    "braced byte escapes": lambda t: "".join(f"\\x{{{ord(c):x}}}" for c in t),
    "escapes of CSS": lambda t: "".join(f"\\{ord(c):x} " for c in t),
    "escapes of CSS of six digits": lambda t: "".join(f"\\{ord(c):06x}" for c in t),
    "byte escapes": lambda t: "".join(f"\\x{b:02x}" for b in t.encode()),
    "code points": lambda t: " ".join(f"U+{ord(c):04X}" for c in t),
    "decimal codes": lambda t: " ".join(str(ord(c)) for c in t),
    "decimal codes with commas": lambda t: "[" + ", ".join(str(ord(c)) for c in t) + "]",
    "binary codes": lambda t: " ".join(f"{b:08b}" for b in t.encode()),
    "binary in one piece": lambda t: "".join(f"{b:08b}" for b in t.encode()),
    "seven bits": lambda t: " ".join(f"{b:07b}" for b in t.encode()),
    "tag characters": lambda t: "".join(chr(0xE0000 + ord(c)) for c in t),
    "variation selectors": _selectors,
    "small capitals": lambda t: t.lower().translate(_SMALL_CAPITALS),
    "letters in dark circles": lambda t: t.upper().translate(_DARK_CIRCLES),
    "quoted-printable": lambda t: "".join(f"={b:02X}" for b in t.encode()),
    "quoted-printable with wrapped lines": lambda t: "=\n".join(
        textwrap.wrap(quopri.encodestring(t.encode()).decode(), 20)
    ),
    "base64 of zlib": lambda t: base64.b64encode(zlib.compress(t.encode())).decode(),
    "base64 of gzip": lambda t: base64.urlsafe_b64encode(gzip.compress(t.encode(), mtime=0)).decode(),
}
"""What has to be found: name -> how to hide a text of printable ASCII."""

_SYLLABLES = (
    "ba",
    "cor",
    "dun",
    "fel",
    "gri",
    "hap",
    "jor",
    "kel",
    "lim",
    "mos",
    "nav",
    "pel",
    "quo",
    "ras",
    "sten",
    "tor",
    "vim",
)


def made_up_sentence(seed: int, words: int = 14) -> str:
    """A sentence that stands nowhere, with a name and a figure in it."""
    source = random.Random(seed)  # noqa: S311 - the same words every time

    def word() -> str:
        return "".join(source.choice(_SYLLABLES) for _ in range(source.randint(1, 3)))

    said = [word() for _ in range(words)]
    said[3], said[8] = said[3].title(), f"{source.randint(10, 99)},{source.randint(100, 999)}"
    return " ".join(said).capitalize() + "."


def hidden_in(prose: str, secret: str) -> str:
    """The prose with the secret in its middle."""
    middle = prose.find(" ", len(prose) // 2)
    return f"{prose[:middle]} {secret} {prose[middle:]}"
