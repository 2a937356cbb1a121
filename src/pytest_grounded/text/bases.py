"""On which basis a passage gives its figures: before or after tax, gross or net, one way or return, a day or a year.

Figures on two bases have one unit and may still not be added up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

__all__ = ["bases_apart"]


def bases_apart(passages: Sequence[str]) -> str | None:
    """The name of the basis on which passages differ; None where they share one, or one of them names none.

    >>> bases_apart(["500 euros before tax", "300 euros, including tax"]), bases_apart(["每月500元", "每月300元"])
    ('tax basis', None)
    """
    return next((name for name, groups in _BASES.items() if _differ(passages, groups)), None)


def _differ(passages: Sequence[str], groups: Sequence[re.Pattern[str]]) -> bool:
    """Whether two passages each stand on one basis, and not on the same."""
    stands = [frozenset(place for place, one in enumerate(groups) if _stands_on(one, text)) for text in passages]
    named = [one for one in stands if one]
    return len(named) > 1 and not frozenset.intersection(*named)


_NOT_TAXED = re.compile(r"不含税")


def _stands_on(pattern: re.Pattern[str], passage: str) -> bool:
    if "含税" in pattern.pattern and "不含税" not in pattern.pattern:
        passage = _NOT_TAXED.sub("", passage)
    return pattern.search(passage) is not None


_BASES: Mapping[str, tuple[re.Pattern[str], ...]] = {
    name: tuple(re.compile(phrases, re.IGNORECASE) for phrases in groups)
    for name, groups in {
        "tax basis": (
            r"\b(?:pre-tax|before tax(?:es)?|excluding tax(?:es)?|net of tax|without tax(?:es)?)\b|税前|不含税",
            r"\b(?:after[- ]tax(?:es)?|including tax(?:es)?|tax included|inclusive of tax|with tax(?:es)?)\b|税后|含税",
        ),
        "gross or net": (r"\bgross\b|毛额", r"\bnet\b|净额"),
        "way": (r"\bone[- ]way\b|单程", r"\b(?:round[- ]trip|return (?:trip|ticket|fare))\b|往返"),
        "span": (
            r"\b(?:a|per) (?:day|night)\b|每[天日晚]",
            r"\b(?:a|per) month\b|每月",
            r"\b(?:a|per) year\b|\bannual|每年|年度",
        ),
    }.items()
}
