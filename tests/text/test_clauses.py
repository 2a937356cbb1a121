from __future__ import annotations

import pytest

from pytest_grounded.text.clauses import clause_at, split_clauses


@pytest.mark.parametrize(
    ("text", "position", "clause"),
    [
        ("It is not $150 but $180.", 10, "It is not $150 "),
        ("It is not $150 but $180.", 19, "but $180"),
        ("It is $180, not $150.", 16, ", not $150"),
        ("Taux moyen : 1,8260 ; hausse : 12,5 %.", 14, ": 1,8260 "),
        ("From 8:30 to 64,000.50 in total.", 20, "From 8:30 to 64,000.50 in total"),
        ("Nicht 150, sondern 180 Euro.", 20, "sondern 180 Euro"),
    ],
    ids=["denied", "asserted", "behind a comma", "decimal comma", "numbers and times stay whole", "German"],
)
def test_a_clause_ends_where_something_else_is_said(text: str, position: int, clause: str) -> None:
    start, end = clause_at(split_clauses(text), position)
    assert text[start:end] == clause


def test_only_fine_clauses_end_at_and() -> None:
    text = "Plan A costs 10 euros and plan B costs 15."
    assert len(split_clauses(text)) == 2
    assert len(split_clauses(text, fine=True)) == 3


@pytest.mark.parametrize("text", ["", "x", "...", "but but", "a; b"])
def test_clauses_cover_the_text(text: str) -> None:
    assert "".join(text[start:end] for start, end in split_clauses(text)) == text


def test_nothing_has_no_clause() -> None:
    assert clause_at(split_clauses(""), 0) == (0, 0)
