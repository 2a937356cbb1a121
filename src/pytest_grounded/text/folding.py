"""Folding: whether two texts differ in typography alone.

What a printer, an extractor or a keyboard changes is taken away (compatibility forms, quote marks, dashes, spaces,
line wraps, bullets, table and page marks, case); what a writer means is kept, so that texts of different words or
numbers stay different. Two places cannot be settled by looking at the text: a hyphen at a line's end may belong to
the word or not, and a line's start may have been marked in another way. `marked` keeps such places visible, so that
`alignment` can accept every reading; `fold` decides for the likelier one.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.scripts import HAN, KANA, SOUTHEAST, primary_subtag
from pytest_grounded.text.tracing import (
    Blanks,
    Casefold,
    Normalize,
    Rewriting,
    Step,
    Strip,
    Substitute,
    Traced,
    Translate,
)

__all__ = [
    "BREAK",
    "GROUP",
    "JOINED_WRAP",
    "KEPT_WRAP",
    "fold",
    "fold_with_origins",
    "marked",
    "marked_with_origins",
    "resolve",
]

# Noncharacters that stand for layout in a `marked` text; in a given text they are dropped.
JOINED_WRAP = "\ufdd0"
"""A hyphen at a line's end, most likely put there by the printer."""
KEPT_WRAP = "\ufdd1"
"""A hyphen at a line's end that is most likely the word's own."""
BREAK = "\ufdd2"
"""The start of a list item or of a table row."""
GROUP = "\ufdd3"
"""A no-break space between the groups of a number, 1 500."""
_RESOLVED = str.maketrans({JOINED_WRAP: None, KEPT_WRAP: "-", BREAK: " ", GROUP: " ", "\u2013": "-", "\u2014": "-"})

_MOST_PASSES = 6
_PLAIN = re.compile(
    r"(?:[A-Za-z0-9($#&@/](?:[A-Za-z0-9,;:()$%&@#!?/]|\.(?!\.)|(?<=[A-Za-z0-9])-(?=[A-Za-z0-9])"
    r"|(?<=[A-Za-z])'(?=[A-Za-z]))*+(?:[ ](?!\Z))?)++"
)
"""Text that folding leaves alone but for its case; most short quotes are such."""


@remembered(4_096)
def fold(text: str, *, lang: str | None = None) -> str:
    r"""A text without its typography: equal for two texts that differ in nothing else.

    Folded are compatibility forms and ligatures, composed and decomposed letters, quote marks, dashes, every Unicode
    space, zero-width characters and soft hyphens, hyphens at a line's end, list bullets, table pipes and their
    escapes, page-break marks, the one-character ellipsis, and case (by Turkish rules where `lang` is tr or az).
    Folding twice changes nothing more. Single and double quote marks are one, except behind a digit, where they are
    feet and inches; a raised digit behind a digit stays apart from it.

    >>> fold("The model is trained for\n100,000 steps — “on eight ma-\nchines”.")
    "the model is trained for 100,000 steps-'on eight machines'."
    >>> fold("IŞIK", lang="tr"), fold("10²") == fold("102")
    ('ışık', False)
    """
    for _ in range(_MOST_PASSES):
        layout = marked(text, lang=lang)
        if layout.isascii() and _PLAIN.fullmatch(layout):
            return layout
        folded = resolve(layout)
        if folded == text:
            break
        text = folded
    return text


@lru_cache(maxsize=512)
def fold_with_origins(text: str, *, lang: str | None = None) -> Traced:
    r"""The same folded text, with the way back into the original.

    >>> folded = fold_with_origins("12\u00a0EUR per\u2009day;\nfree")
    >>> folded.text, folded.original_span(0, 6)
    ('12 eur per day; free', (0, 6))
    """
    traced = Traced.of(text)
    for _ in range(_MOST_PASSES):
        folded = _RESOLVING.trace(_marking(_is_turkic(lang)).trace(traced))
        if folded.text == traced.text:
            break
        traced = folded
    return traced


@remembered(4_096)
def marked(text: str, *, lang: str | None = None) -> str:
    r"""The folded text in which wraps, item starts, digit groups and the kinds of dashes can still be told apart.

    A dash with a space on either side, and every long one, is an em dash in it.

    >>> marked("Uses:\n* well-\nknown – eh") == f"uses:{BREAK}well{JOINED_WRAP}known\u2014eh"
    True
    """
    if _PLAIN.fullmatch(text):
        return text.translate(_TURKISH).casefold() if _is_turkic(lang) else text.lower()
    return _marking(_is_turkic(lang))(text)


@lru_cache(maxsize=256)
def marked_with_origins(text: str, *, lang: str | None = None, first: Rewriting | None = None) -> Traced:
    """The same marked text, with the way back into the original; `first` is done before folding."""
    traced = Traced.of(text)
    return _marking(_is_turkic(lang)).trace(traced if first is None else first.trace(traced))


def resolve(marked_text: str) -> str:
    r"""The folded text of a marked one: the likelier reading of each layout mark.

    >>> resolve(f"uses:{BREAK}well{JOINED_WRAP}known\u2014eh")
    'uses: wellknown-eh'
    """
    return _RESOLVING(marked_text)


def _is_turkic(lang: str | None) -> bool:
    return lang is not None and primary_subtag(lang) in {"tr", "az"}


# --- characters --------------------------------------------------------------------------------------------------

_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u3164\uffa0\u2800"
_LINE_ENDS = "\u000b\u000d\u001c-\u001e\u0085\u2028\u2029"
_INVISIBLE = (
    "\u00ad\u034f\u0640\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f"
    "\ufeff\U000e0000-\U000e0fff"
)
_SINGLE_QUOTES = (
    "`\u00b4\u02b9\u02bb-\u02bd\u055a\u05f3\u1fbd\u1fbf\u1ffd"
    "\u2018-\u201b\u2032\u2035\u2039\u203a\u275b\u275c\ua78b\ua78c\uff07"
)
_DOUBLE_QUOTES = (
    "\u00ab\u00bb\u05f4\u201c-\u201f\u2033\u2036\u275d\u275e\u2e42"
    "\u300c-\u300f\u301d-\u301f\ufe41-\ufe44\uff02\uff62\uff63"
)
_HYPHENS = "\u058a\u05be\u1806\u2010\u2011\u2212\ufe63\uff0d"
_EN_DASHES = "\u2012\u2013"
_EM_DASHES = "\u2014\u2015\u2e3a\u2e3b\ufe31\ufe58"


def _members(body: str) -> list[int]:
    """The code points of the body of a character class."""
    points: list[int] = []
    for match in re.finditer("(.)(?:-(.))?", body, re.DOTALL):
        points.extend(range(ord(match[1]), ord(match[2] or match[1]) + 1))
    return points


_CHARACTERS: dict[int, str | None] = {
    **dict.fromkeys(_members(_INVISIBLE)),
    **dict.fromkeys((ord("\t"), ord("\u001f"), *_members(_SPACES)), " "),
    **dict.fromkeys(_members(_LINE_ENDS), "\n"),
    **dict.fromkeys(_members(_SINGLE_QUOTES), "'"),
    **dict.fromkeys(_members(_DOUBLE_QUOTES), '"'),
    **dict.fromkeys(_members(_HYPHENS), "-"),
    **dict.fromkeys(_members(_EN_DASHES), "\u2013"),
    **dict.fromkeys(_members(_EM_DASHES), "\u2014"),
    **dict.fromkeys((0x2034, 0x2037), "'''"),
    0x2057: "''''",
    **dict.fromkeys((0x2044, 0x2215), "/"),
    **dict.fromkeys((0x22EF, 0x2026, 0xFE19), "..."),
    **dict.fromkeys((0x301C, 0xFF5E), "~"),
    0xFF5C: "|",
}
_TURKISH = {ord("I"): "\u0131", ord("\u0130"): "i"}


def _sub(
    pattern: str, replacement: str, *needles: str, flags: re.RegexFlag = re.NOFLAG, beyond_ascii: bool = False
) -> Substitute:
    return Substitute(re.compile(pattern, flags), replacement, needles, beyond_ascii)


def _each(*bodies: str) -> list[str]:
    """The characters of the bodies of character classes."""
    return [chr(point) for body in bodies for point in _members(body)]


_NONCHARACTERS = _sub("[\ufdd0-\ufdef]", "", *_each("\ufdd0-\ufdef"))

# Numbers written with characters that are no plain digits keep apart from the digits beside them.
_RAISED = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079"
_LOWERED = "\u2080-\u2089"
_OTHER_NUMBERS = (
    "\u00bc-\u00be\u2150-\u215f\u2189\u2460-\u249b\u24ea\u3250-\u325f\u32b1-\u32bf\u32c0-\u32cb\u3358-\u3370\u33e0-\u33fe"
    "\U0001f100-\U0001f10a"
)
_UNWRAPPED_SOFT_HYPHENS = _sub(
    rf"\u00ad[ \t{_SPACES}{_LINE_ENDS}\n]*[{_LINE_ENDS}\n][ \t{_SPACES}{_LINE_ENDS}\n]*", "", "\u00ad"
)
_GROUPING = "\u00a0\u2006-\u2009\u202f"
_DIGIT_GROUPS = _sub(rf"(?<=\d)(?<!\d{{4}})[{_GROUPING}](?=\d{{3}}(?!\d))", GROUP, *_each(_GROUPING))
_FRENCH_QUOTES = _sub(
    rf"(?<!\w)\u00ab[ {_SPACES}]+|(?<![ {_SPACES}])[ {_SPACES}]+\u00bb(?!\w)", '"', "\u00ab", "\u00bb"
)
_SEPARATED_NUMBERS = (
    _sub(rf"(?<=\d)(?=[{_RAISED}])|(?<![{_RAISED}^])(?=[\u207a\u207b])", "^", *_each(_RAISED, "\u207a\u207b")),
    _sub(rf"(?<=\d)(?=[{_LOWERED}\u208a\u208b])", "_", *_each(_LOWERED, "\u208a\u208b")),
    _sub(
        rf"(?<=\d)(?=[{_OTHER_NUMBERS}])|(?<=[{_OTHER_NUMBERS}])(?=[\d{_OTHER_NUMBERS}])|(?<=[{_RAISED}{_LOWERED}])(?=\d)",
        " ",
        *_each(_OTHER_NUMBERS, _RAISED, _LOWERED),
    ),
)

# --- pages -------------------------------------------------------------------------------------------------------

_PAGE = r"(?:page|seite|p[aá]gina|sayfa|strona|страница|стр\.)"
_OF = r"(?:[ ]?(?:of|/|von|de|di|van|sur|из|z)[ ]?\d{1,5})?"
_RULE = r"\-=*_\u2013\u2014"
_PAGES = (
    Translate({ord("\f"): "\n"}),
    _sub(
        r"(?:\[{1,2}|\{{1,2}|<{1,2}|<!--)[ ]?/?page[ _-]?break[ ]?/?(?:\]{1,2}|\}{1,2}|-->|>{1,2})"
        r"|(?:\[\[|\{\{|<<|<!--|<)[ ]?page(?:[ _-]?(?:number|num|no\.?))?[ ]?[=:#]?[ ]?[\"']?\d{1,5}[\"']?"
        rf"{_OF}[ ]?/?(?:\]\]|\}}\}}|>>|-->|>)"
        r"|<!--[ ]?page(?:header|footer|number)[^<>]{0,200}-->"
        rf"|(?<![{_RULE}])[{_RULE}]{{2,}}+[ ]?page(?:[ _-]?break|[ ]?\d{{1,5}}{_OF})[ ]?[{_RULE}]{{2,}}+"
        r"|\\(?:pagebreak|newpage|clearpage)\b",
        "\n",
        "[",
        "<",
        "{",
        "\\",
        "--",
        "==",
        "**",
        "__",
        "\u2014",
        flags=re.IGNORECASE,
    ),
    _sub(
        rf"(?<=\n)[ ]*(?:[\[(]?{_PAGE}[ ]?\d{{1,5}}{_OF}[\])]?|第[ ]?\d{{1,5}}[ ]?[页頁][^\n]{{0,12}}"
        r"|page[ _-]?break|[-\u2013\u2014][ ]?\d{1,5}[ ]?[-\u2013\u2014])[ ]*(?=\n)",
        "",
        "\n",
        flags=re.IGNORECASE,
    ),
)

# --- tables, lists, wraps ----------------------------------------------------------------------------------------

_UNESCAPED_PIPES = _sub(r"\\+\|", "|", "\\|")
_RULED_CELL = r"(?:-{2,}+:?|:-++:?|-:)[ ]*+"
_RULED_LINES = _sub(
    rf"^[ ]*+(?:\|?[ ]*+{_RULED_CELL}(?:[|+][ ]*+{_RULED_CELL})*+[|+]?|[-=*_\u2014]{{3,}}+|\+(?:[-=]++\+)++)[ ]*$",
    BREAK,
    "--",
    ":-",
    "-:",
    "==",
    "**",
    "__",
    "\u2014",
    flags=re.MULTILINE,
)
_TABLE_ROWS = _sub(rf"(?<![ ])[ ]*+\|[ ]*+(?=\n|\Z)|^[ {BREAK}]*+\|[ ]*+", BREAK, "|", flags=re.MULTILINE)
_CLEAR_BULLET = "\u2022\u2023\u2043\u25aa\u25ab\u25cf\u25e6\uf0b7\uf0a7\uf0d8"
_ANY_BULLET = (
    _CLEAR_BULLET
    + "*+\\-\u2013\u2014\u204c\u204d\u2219\u00b7\u25a0\u25a1\u25b6\u25b8\u25ba\u25cb\u25c6\u25c7\u27a2\u27a4"
)
_BULLETS = (
    _sub(
        rf"^[ {BREAK}]*+(?:[{_ANY_BULLET}](?:[ ]++|(?=\n)|\Z)|[{_CLEAR_BULLET}])++",
        BREAK,
        *_ANY_BULLET.replace("\\", ""),
        flags=re.MULTILINE,
    ),
    _sub(rf"(?<=[ \n])[{_CLEAR_BULLET}](?=[ \n])", BREAK, *_each(_CLEAR_BULLET)),
)
_LETTER = r"[^\W\d_]"
_CONJUNCTIONS = (
    "and|or|to|nor|but|as|versus|vs|rather|through"
    "|und|oder|bis|sowie|et|ou|à|y|o|u|e|a|ni|en|of|tot|och|eller|og|i|lub|ve|veya"
)


def _unwrapped(match: re.Match[str]) -> str:
    before, after = match[1], match[2]
    is_printers = before.isalpha() and after.isalpha() and not (before.islower() and after.isupper())
    return before + (JOINED_WRAP if is_printers else KEPT_WRAP)


_WRAPS = (
    Substitute(re.compile(rf"([^\W_])-[ ]*+\n[\s{BREAK}]*+(?=([^\W_]))"), _unwrapped, ("-",)),
    # What was a wrap before somebody turned the line end into a space; "pre- and post-tax" is none.
    _sub(rf"(?<={_LETTER})-[ ]++(?={_LETTER})(?!(?:{_CONJUNCTIONS})\b)", JOINED_WRAP, "- ", flags=re.IGNORECASE),
    _sub(r"(?<=\w)\u2013[ ]*+\n\s*+(?=\w)", "\u2013", "\u2013"),
)

# --- spaces ------------------------------------------------------------------------------------------------------

_WIDE = rf"{HAN}{KANA}\u3001-\u3003\u3008-\u3011\u3014-\u301b\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_DASHES = (
    _sub(r"(?<!\s)\s*+(?:\u2014\s*+)++", "\u2014", "\u2014"),
    _sub(r"(?<=\w)--(?:-(?!-))?(?=\w)", "\u2014", "--"),
    _sub(r"(?<![^\s(\[])\u2013(?=[\d.\u20ac$\u00a3\u00a5])", "-", "\u2013"),
    _sub(r"(?<!\s)\s++(?:-++|\u2013++)(?:\s++|\Z)|\A-++\s++", "\u2014", "-", "\u2013"),
)
_SPACING = (
    _sub(rf"(?<!\s)\s*+(?:{BREAK}\s*+)++", BREAK, BREAK),
    Blanks(),
    _sub(rf"(?<=[{_WIDE}])[ ]|[ ](?=[{_WIDE}])|(?<=[{SOUTHEAST}])[ ](?=[{SOUTHEAST}])", "", beyond_ascii=True),
    _sub(
        r"""(?<=[\w)\]'"%])[ ](?=[;:!?]++(?:[ "')\]]|\Z))|(?<=\d)[ ](?=[%\u2030\u00b0])""",
        "",
        " ;",
        " :",
        " !",
        " ?",
        " %",
        " \u2030",
        " \u00b0",
    ),
    _sub(r"[ ]?\|[ ]?", "|", "|"),
    _sub(r"\.(?:[ ]?\.){2,}", "...", "..", ". ."),
)
_QUOTE_MARKS = (
    _sub(r"(?<=\d)''", '"', "''"),
    _sub(r"""(?<![\d'"])['"]+""", "'", '"', "''"),
)
_EDGES = Strip()
_RESOLVING = Rewriting((Translate(_RESOLVED), _sub(r"\A\s+|(?<=\s)\s+", ""), _EDGES))


@lru_cache(maxsize=2)
def _marking(turkic: bool) -> Rewriting:  # noqa: FBT001  a cache key
    return Rewriting(_steps(turkic))


def _steps(turkic: bool) -> tuple[Step, ...]:  # noqa: FBT001
    return (
        _NONCHARACTERS,
        _UNWRAPPED_SOFT_HYPHENS,
        _DIGIT_GROUPS,
        _FRENCH_QUOTES,
        *_SEPARATED_NUMBERS,
        Translate(_CHARACTERS),
        *_PAGES,
        _UNESCAPED_PIPES,
        _RULED_LINES,
        _TABLE_ROWS,
        *_BULLETS,
        *_WRAPS,
        *_DASHES,
        *_SPACING,
        Normalize("NFKC"),
        Translate(_CHARACTERS),
        Casefold(_TURKISH if turkic else {}),
        Normalize("NFKC"),
        *((_sub("i\u0307", "i", beyond_ascii=True),) if turkic else ()),
        *_QUOTE_MARKS,
        _EDGES,
    )
