"""Languages: rough answers to which script and language a text is in."""

from __future__ import annotations

__all__ = ["guess_language", "is_cjk", "primary_subtag", "same_language", "script_of"]


def primary_subtag(lang: str | None) -> str | None:
    """The language of a tag: pt of pt-BR."""
    raise NotImplementedError


def is_cjk(character: str) -> bool:
    """Whether a character is Chinese, Japanese or Korean."""
    raise NotImplementedError


def script_of(text: str) -> str | None:
    """The script of most letters: latin, cyrillic, han, kana, hangul ...; None without letters."""
    raise NotImplementedError


def guess_language(text: str) -> str | None:
    """The language of a text by its script and commonest words; None where that does not settle it."""
    raise NotImplementedError


def same_language(left: str, right: str, *, left_lang: str | None = None, right_lang: str | None = None) -> bool | None:
    """Whether two texts share a language; a tag outranks a guess; None where nothing tells."""
    raise NotImplementedError
