"""Entities: names and codes that a source must know."""

from __future__ import annotations

__all__ = ["codes", "entities", "names"]


def entities(text: str, *, lang: str | None = None) -> tuple[str, ...]:
    """Names and codes in order, as written, without repeats."""
    raise NotImplementedError


def names(text: str, *, lang: str | None = None) -> tuple[str, ...]:
    """Capitalised runs inside sentences, and acronyms, as written."""
    raise NotImplementedError


def codes(text: str) -> tuple[str, ...]:
    """Codes (QX-441, PEP 484), addresses and identifiers, as written."""
    raise NotImplementedError
