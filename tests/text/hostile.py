"""Texts that a careless pattern takes hours for."""

from __future__ import annotations

UNITS = (
    "a", " ", "\n", "-", "- ", "-\n", "a-\n", "|", "| ", "\n|", "* ", "\n* ", ".", ". ", "...", " .", "'", "\"'", "`", "``` ",
    "[", "[[", "[a", "[a]", "[1,", "[1 1 ", ".[", ".[a]", "(", "(a", "((", "{{a", "{% ", "<", "<|", "<|a", "<think", "<source ",
    "<!--", "<page 1", "page ", "-- page ", "--- ", "Page 1\n", "【", "【1†a", "A ", "A. ", "Ab. ", "Ab of ", "a1 ", "1 ", "1,", "1.1.",
    "a@", "a.b", "/a", "_a", "--a", "http://", "\\|", "\\", "…", "—", "— ", " — ", "\u00ad\n", "\u200b", "a\u0301", "\u0301\u0323",
    "\ufdfa", "²", "a²,", "①", "1½", "ﬁ", "加", "加 ", "。", "한", "\u1161", "ก", "ใ ", "no ", "not only ", "neither ", "ne que ", "不", "ない",
    "must not ", "over 5 ", "①,", "1x", "18+", "一个半", "[aa][", "<a@", "1:00 UTC+", "\ue200", "turn1", "\u00a0500", "\ufdd0", "\U0001f469\u200d",
)  # fmt: skip
LARGE = 200_000
MANY = 2_000
"""From how many characters on the calls a text takes are counted."""


def hostile(unit: str, size: int) -> str:
    """The unit repeated to a size, with a tail that makes a match fail at the very end.

    The size stands in front, so that nothing remembered of a shorter one helps.
    """
    return f"{size}\n" + (unit * (size // len(unit) + 1))[:size] + "\n x"
