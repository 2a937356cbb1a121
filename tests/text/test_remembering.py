"""What is computed of texts is kept for many short ones and few long ones."""

from __future__ import annotations

import pytest

from pytest_grounded.text.remembering import remembered


def asked_twice(texts: list[str]) -> int:
    """How often a function is computed that is asked about some texts and then about them again."""
    computed: list[str] = []

    @remembered(100)
    def length(text: str, *, plus: int = 0) -> int:
        computed.append(text)
        return len(text) + plus

    for _ in range(2):
        assert [length(text, plus=1) for text in texts] == [len(text) + 1 for text in texts]
    return len(computed)


@pytest.mark.parametrize(
    ("texts", "computed"),
    [
        pytest.param([f"text {number}" for number in range(100)], 100, id="short texts are kept"),
        pytest.param([f"text {number}" for number in range(101)], 202, id="as many as asked for"),
        pytest.param([f"{number}" + "x" * 16_000 for number in range(32)], 32, id="some long texts are kept"),
        pytest.param([f"{number}" + "x" * 16_000 for number in range(33)], 66, id="and no more"),
    ],
)
def test_so_many_answers_are_kept(texts: list[str], computed: int) -> None:
    assert asked_twice(texts) == computed


def test_everything_can_be_forgotten() -> None:
    answers = iter("ab")

    @remembered(10)
    def answered(_text: str) -> str:
        return next(answers)

    assert answered("x") == answered("x") == "a"
    answered.cache_clear()
    assert answered("x") == "b"
