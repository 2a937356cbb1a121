"""Texts that a careless pattern takes hours for."""

from __future__ import annotations

import time
from collections.abc import Callable

UNITS = (
    "a", " ", "\n", "-", "- ", "-\n", "a-\n", "|", "| ", "\n|", "* ", "\n* ", ".", ". ", "...", " .", "'", "\"'", "`", "``` ",
    "[", "[[", "[a", "[a]", "[1,", "[1 1 ", ".[", ".[a]", "(", "(a", "((", "{{a", "{% ", "<", "<|", "<|a", "<think", "<source ",
    "<!--", "<page 1", "page ", "-- page ", "--- ", "Page 1\n", "【", "【1†a", "A ", "A. ", "Ab. ", "Ab of ", "a1 ", "1 ", "1,", "1.1.",
    "a@", "a.b", "/a", "_a", "--a", "http://", "\\|", "\\", "…", "—", "— ", " — ", "\u00ad\n", "\u200b", "a\u0301", "\u0301\u0323",
    "\ufdfa", "²", "a²,", "①", "1½", "ﬁ", "加", "加 ", "。", "한", "\u1161", "ก", "ใ ", "no ", "not only ", "neither ", "ne que ", "不", "ない",
    "must not ", "over 5 ", "\ue200", "turn1", "\u00a0500", "\ufdd0", "\U0001f469\u200d",
)  # fmt: skip
LARGE, SMALL = 200_000, 15_000


def hostile(unit: str, size: int) -> str:
    """The unit repeated to a size, with a tail that makes a match fail at the very end."""
    return (unit * (size // len(unit) + 1))[:size] + "\n x"


def assert_bearable(work: Callable[[str], object], text: str) -> None:
    """CPU time for a text within a bound that grows with its length.

    Measured for 200,000 characters: 0.3 seconds, 8 where each character stands for 18; a quadratic pattern takes
    minutes, and more than the bound for a small text as well.
    """
    started = time.process_time()
    work(text)
    assert time.process_time() - started < 2 + len(text) / 15_000
