from __future__ import annotations

import pytest

from pytest_grounded.text.quotations import find_quotations


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('He said "no" and "yes".', ["no", "yes"]),
        ("„Nein“, sagte er.", ["Nein"]),
        ("« Non », dit-il.", [" Non "]),
        ("彼は「いいえ」と言った。", ["いいえ"]),
        ("‘It’s mine’, they said.", ["It’s mine"]),
        ("It's the users' own.", []),
        ("Look:\n> the limit is 150\nand go.", [" the limit is 150"]),
        ('An open " is nothing.', []),
        ('Not "over\nlines".', []),
    ],
    ids=["straight", "German", "French", "Japanese", "single", "apostrophes", "block", "open", "lines"],
)
def test_quotations_are_found_by_their_marks(text: str, quoted: list[str]) -> None:
    assert [text[start:end] for start, end in find_quotations(text)] == quoted
