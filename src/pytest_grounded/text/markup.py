"""The words of a text in order, whatever mark-up stands around them: emphasis, links, images, templates, list marks.

For asking whether two texts have the same words, not for showing: punctuation is gone.
"""

from __future__ import annotations

import re

from pytest_grounded.text.folding import fold
from pytest_grounded.text.remembering import remembered

__all__ = ["plain_words"]

_MARKUP = (
    (re.compile(r"<!--[^<>]{0,1000}-->|</?[A-Za-z][^<>]{0,300}>"), " "),
    (re.compile(r"\{[%{#][^{}]{0,300}[%}#]\}"), ""),
    (re.compile(r"!\[[^\[\]]{0,300}\]\([^()]{0,500}\)"), " "),
    (re.compile(r"\[([^\[\]]{1,500})\](?:\([^()]{0,500}\)|\[[^\[\]]{0,100}\])"), r"\1"),
    (re.compile(r"\[\s*\^?\d{1,4}\s*\]"), " "),
    (re.compile(r"^[ \t]*\(?\d{1,3}[.)][ \t]+", re.MULTILINE), ""),
)
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
    r"|(?:(?<![\w.,])\.)?\d+(?:[.,:/']\d+)*"
    r"|[^\W_]+(?:['\u2019][^\W_]+)*"
    r"|[%‰$€£¥₹]|[-+±<>=≤≥](?=\s?[$€£¥₹]?\s?\d)"
)


@remembered(4_096)
def plain_words(text: str, *, lang: str | None = None) -> str:
    r"""The folded words of a text with one blank before, between and behind them; empty where it has none.

    Signs that change what a number says are words: $, %, a minus.

    >>> plain_words("See **the**\n[form](https://example.org), {% image %}and pay $12.50[3].")
    ' see the form and pay $ 12.50 '
    >>> plain_words("2. _Refunds:_ within 30 days") in plain_words("Refunds: within 30 days; no fee")
    True
    """
    for pattern, kept in _MARKUP:
        text = pattern.sub(kept, text)
    words = _WORD.findall(fold(text, lang=lang))
    return f" {' '.join(words)} " if words else ""
