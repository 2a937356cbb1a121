"""Polarity: the small words that decide what a rule means."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PolarityProfile", "exceptions", "modals", "negations", "polarity_profile"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolarityProfile:
    """Sorted canonical names, repeats kept: two texts with equal profiles do not differ in these words."""

    negations: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()
    modals: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    quantifiers: tuple[str, ...] = ()
    hedges: tuple[str, ...] = ()


def polarity_profile(text: str, *, lang: str | None = None) -> PolarityProfile:
    """The profile of a text."""
    raise NotImplementedError


def negations(text: str, *, lang: str | None = None) -> tuple[str, ...]:
    """Canonical negations in order: "not", "never", "without"."""
    raise NotImplementedError


def exceptions(text: str, *, lang: str | None = None) -> tuple[str, ...]:
    """Canonical exception words in order: "except", "unless", "only"."""
    raise NotImplementedError


def modals(text: str, *, lang: str | None = None) -> tuple[str, ...]:
    """Classes of modals in order: "obligation", "permission", "recommendation", "prohibition"."""
    raise NotImplementedError
