import pytest

from pytest_grounded.text.objects import RepeatedKeyError, unique_keys
from tests.counting import assert_linear


class Key(str):
    """A key that shows in a count of calls when it is compared."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other)


def test_the_key_that_stands_twice_is_named() -> None:
    with pytest.raises(RepeatedKeyError, match=r"^text$"):
        unique_keys([("decision", "answer"), ("text", "a"), ("text", "b")])


def with_one_twice(size: int) -> list[tuple[str, int]]:
    return [(Key(number), number) for number in (*range(size), size - 1)]


def test_a_key_that_comes_again_after_many_others_is_found_without_comparing_all_with_all() -> None:
    def refused(pairs: list[tuple[str, int]]) -> None:
        with pytest.raises(RepeatedKeyError):
            unique_keys(pairs)

    assert_linear(refused, with_one_twice, 1_000)
