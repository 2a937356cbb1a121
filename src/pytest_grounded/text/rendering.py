"""Rendering: what a text with mark-up shows, so that a quote of what is shown can be found in what is written.

Emphasis, code ticks, headings, links, HTML tags and entities, escapes, footnote marks and blanks before punctuation go;
no word and no number of the text does. Struck-out text and raised exponents stay as they are written.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import Final

from pytest_grounded.text.tracing import Rewriting, Substitute

__all__ = ["RENDERING", "is_marked_up", "rendered"]

_INLINE_TAGS = "a|abbr|b|bdi|big|cite|code|em|font|i|kbd|mark|q|s|samp|small|span|strong|tt|u|var|wbr"
_BLOCK_TAGS = (
    "article|blockquote|body|br|caption|center|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|html|li|main|nav|"
    "ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul"
)
_ATTRIBUTES = r"(?:\s{1,4}[a-z:-]{1,40}=(?:\"[^<>\"]{0,300}\"|'[^<>']{0,300}'|[^\s<>\"']{1,100})){1,12}"
_LETTERS = r"[^\W\d_][^\W\d_][^\W\d_]"
_RAISED = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"


def _sub(
    pattern: str, replacement: str, *needles: str, flags: re.RegexFlag = re.NOFLAG, beyond_ascii: bool = False
) -> Substitute:
    return Substitute(re.compile(pattern, flags), replacement, needles, beyond_ascii)


RENDERING: Final = Rewriting(
    (
        _sub(rf"</?(?:{_INLINE_TAGS})(?:{_ATTRIBUTES})?[ ]?/?>", "", "<", flags=re.IGNORECASE),
        _sub(rf"</?(?:{_BLOCK_TAGS})(?:{_ATTRIBUTES})?[ ]?/?>", "\n", "<", flags=re.IGNORECASE),
        _sub(r"[ ]?\[sic\]", "", "[", flags=re.IGNORECASE),
        _sub(rf"(?<={_LETTERS})<sup>\[?\d{{1,3}}\]?</sup>", "", "<sup>", flags=re.IGNORECASE),
        Substitute(
            re.compile(r"&(?:#\d{2,6}|#[xX][0-9a-fA-F]{2,6}|[A-Za-z]{2,10}[0-9]{0,2});"),
            lambda entity: html.unescape(entity[0]),
            ("&",),
        ),
        _sub(r"!\[[^\[\]\n]{0,300}\]\([^()\s]{0,500}\)", "", "!["),
        Substitute(re.compile(r"\[([^\[\]]{1,500})\]\([^()\s]{1,500}\)"), lambda link: link[1], ("](",)),
        Substitute(
            re.compile(r"(?<![\w!])\[(?=[^\[\]]{0,60}[^\W\d_]{2})([^\[\]]{1,500})\]\[[^\[\]\n]{0,60}\]"),
            lambda link: link[1],
            ("][",),
        ),
        Substitute(re.compile(r"<((?:https?://|[\w.+-]{1,64}@)[^<>\s]{1,300})>"), lambda link: link[1], ("<",)),
        _sub(rf"(?<={_LETTERS})[{_RAISED}]{{1,3}}(?!\w)", "", beyond_ascii=True),
        Substitute(re.compile(r"\[([^\W\d_])\](?=[^\W\d_])"), lambda letter: letter[1], ("[",)),
        Substitute(re.compile(r"(?<!`)(`{1,3})([^`\n]{1,300})\1(?!`)"), lambda code: code[2], ("`",)),
        Substitute(
            re.compile(r"(?<!\*)(\*{2,3})(?=[^\s*])([^*\n]{1,400})(?<=\S)\1(?!\*)"), lambda bold: bold[2], ("**",)
        ),
        Substitute(
            re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,400})(?<=\S)\*(?![\w*])"), lambda word: word[1], ("*",)
        ),
        Substitute(
            re.compile(r"(?<![\w_])(_{1,3})(?=[^\s_])([^_\n]{1,400})(?<=\S)\1(?![\w_])"), lambda word: word[2], ("_",)
        ),
        _sub(r"(?<=[\w.,;:!?)\"'\u201d\u2019])\[\^?[1-9]\d{0,2}\](?!\()", "", "["),
        _sub(r"^[ ]{0,3}(?:#{1,6}[ ]+|>[ ]?)", "", "#", ">", flags=re.MULTILINE),
        Substitute(re.compile(r"\\([\\`*_{}\[\]()#+\-.!|$~>%&])"), lambda escaped: escaped[1], ("\\",)),
        # An extractor's wrap with a blank before the hyphen.
        _sub(r"(?<=[^\W\d_])[ ]-[ ]*\n[ ]*(?=[^\W\d_])", "-\n", " -"),
        _sub(r"(?<=\w)[ ]++(?=[.,](?:\s|\Z))", "", " .", " ,"),
        _sub(r"(?<=[$\u20ac\u00a3\u00a5])[ ](?=\d)", "", "$ ", "\u20ac ", "\u00a3 ", "\u00a5 "),
    )
)
"""Steps to what is shown; before those of folding."""

_SIGNS = re.compile(
    rf"[<&\[`*_#>\\]|[{_RAISED}]|[ ]-[ ]*\n|[ ][.,](?:\s|\Z)|[$\u20ac\u00a3\u00a5][ ]\d",
)


def is_marked_up(text: str) -> bool:
    """Whether a text may show something else than is written.

    >>> is_marked_up("It costs **$180**."), is_marked_up("It costs $180.")
    (True, False)
    """
    return _SIGNS.search(text) is not None


@lru_cache(maxsize=2_048)
def rendered(text: str) -> str:
    r"""What a text shows.

    >>> rendered("The **limit**[3] is <b>$180</b>&nbsp;per [night](https://example.org).")
    'The limit is $180\xa0per night.'
    >>> rendered("x * y * z, snake_case_name, 10² m²")
    'x * y * z, snake_case_name, 10² m²'
    """
    return RENDERING(text)
