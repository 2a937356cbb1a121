"""The YAML reader keeps text as it is written, knows where everything stands, and refuses what hides or grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.corpus import yaml_reader
from pytest_grounded.corpus.faults import Fault, Spot
from pytest_grounded.corpus.yaml_reader import MAX_BYTES, load_yaml, read_yaml
from tests.counting import assert_linear, calls_of

PARSERS = {"pure": yaml.BaseLoader, "c": getattr(yaml, "CBaseLoader", yaml.BaseLoader)}


@pytest.fixture(params=PARSERS, autouse=True)
def _parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything here holds for the C parser and for the pure one."""
    monkeypatch.setattr(yaml_reader, "_PARSER", PARSERS[request.param])


@pytest.mark.parametrize(
    "written",
    [
        "no",
        "on",
        "yes",
        "true",
        "1.10",
        "0.60",
        "010",
        "1:30",
        "12:30:45",
        "2024-01-01",
        "1_000",
        "0x1F",
        "1e3",
        ".inf",
        "=",
    ],
)
def test_a_plain_scalar_stays_the_text_it_is(written: str) -> None:
    assert read_yaml(f"a: {written}\n".encode()).data == {"a": written}


@pytest.mark.parametrize(
    ("written", "read"), [("", None), ("~", None), ("null", None), ("''", ""), ("'~'", "~"), ('"null"', "null")]
)
def test_only_a_plain_null_is_none(written: str, read: str | None) -> None:
    assert read_yaml(f"a: {written}\n".encode()).data == {"a": read}


def test_a_block_text_is_never_null() -> None:
    assert read_yaml(b"a: |\n  ~\nb: >-\n  null\n").data == {"a": "~\n", "b": "null"}


def test_keys_are_text_whatever_they_look_like() -> None:
    assert read_yaml(b"no: 1\n1.10: 2\nnull: 3\n'': 4\n").data == {"no": "1", "1.10": "2", "null": "3", "": "4"}


TRAVEL = b"""\
cases:
  - id: hotel
    expect: {decision: answer, cite: [c1, "c2"]}
  - {id: parking}
"""


@pytest.mark.parametrize(
    ("path", "key", "spot"),
    [
        ((), False, (1, 1)),
        (("cases",), True, (1, 1)),
        (("cases",), False, (2, 3)),
        (("cases", 0), False, (2, 5)),
        (("cases", 0, "id"), True, (2, 5)),
        (("cases", 0, "id"), False, (2, 9)),
        (("cases", 0, "expect", "cite"), True, (3, 32)),
        (("cases", 0, "expect", "cite", 1), False, (3, 43)),
        (("cases", 1, "id"), False, (4, 10)),
        (("cases", 1, "question"), False, (4, 5)),
        (("cases", 7, "id"), False, (2, 3)),
    ],
)
def test_every_key_and_value_has_its_place(path: tuple[str | int, ...], key: bool, spot: tuple[int, int]) -> None:  # noqa: FBT001
    assert read_yaml(TRAVEL).spot(path, key=key) == spot


def test_a_place_is_counted_in_characters() -> None:
    assert read_yaml("호텔: {'é😀': b}".encode()).spot(("호텔", "é😀")) == Spot(1, 12)


def test_a_byte_order_mark_is_no_part_of_the_first_key() -> None:
    assert read_yaml(b"\xef\xbb\xbfa: b\n").data == {"a": "b"}


def test_an_empty_file_says_nothing() -> None:
    document = read_yaml(b"# a comment\n")
    assert (document.data, document.faults) == (None, ())


@pytest.mark.parametrize(
    ("raw", "spot", "message"),
    [
        (
            b"a: 1\nb: {c: 1, d: 2, c: 3}\n",
            (2, 17),
            "key 'c' stands twice in one mapping, first in line 2 (keep one of them)",
        ),
        (b"a: &x b\n", (1, 4), "anchor &x (write the value out where it is used)"),
        (b"a: [b, *x]\n", (1, 8), "alias *x (write the value out)"),
        (b"a:\n  <<: {b: c}\n", (2, 3), "merge key << (write the keys out)"),
        (b"a: !!int 5\n", (1, 4), "tag 'tag:yaml.org,2002:int' (leave it out: the field decides the type)"),
        (b"a: !secret b\n", (1, 4), "tag '!secret' (leave it out: the field decides the type)"),
        (b"a: b\n---\nc: d\n", (2, 1), "a second document begins here (keep one document in a file)"),
        (b"%TAG ! tag:x,2024:\n---\na: b\n", (1, 1), "a %TAG directive (leave it out: tags are not read)"),
        (b"? [a, b]\n: c\n", (1, 3), "a list or mapping stands as a key (a key is text)"),
        (b"a: b\x00c\n", (1, 5), r"control character '\x00' (take it out)"),
        (b"a: b\n\x1b[2J\n", (2, 1), r"control character '\x1b' (take it out)"),
        (b"a: b\nc: \xff\n", (2, 4), "byte 0xff is not UTF-8 (save the file as UTF-8)"),
        ("a: b".encode("utf-16"), (1, 1), "byte 0xff is not UTF-8 (save the file as UTF-8)"),
        (
            b"<<<<<<< ours\na: b\n=======\na: c\n>>>>>>> theirs\n",
            (1, 1),
            "a merge conflict stands in the file (keep one side)",
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_what_hides_something_is_a_fault_with_its_place(raw: bytes, spot: tuple[int, int], message: str) -> None:
    assert [(fault.spot, fault.message) for fault in read_yaml(raw).faults] == [(spot, message)]


@pytest.mark.parametrize(
    ("raw", "spot", "words"),
    [
        (b"a:\n\t- b\n", (2, 1), "indent with spaces"),
        (b"why: it holds: always\n", (1, 14), "put text that has a colon in it in quotes"),
        (b'a: "b\nc: d\n', (3, 1), "text in quotes that begins in line 1"),
        (b"a: [b, c\nd: e\n", (2, 2), "list in brackets that begins in line 1"),
        (b"a: b\n c: d\n", (2, 3), "not allowed"),
        (b"a: %b\n", (1, 4), "cannot start any token"),
    ],
)
def test_a_syntax_error_has_a_place_and_a_way_out(raw: bytes, spot: tuple[int, int], words: str) -> None:
    document = read_yaml(raw)
    assert [fault.spot for fault in document.faults] == [spot]
    assert words in document.faults[0].message
    assert not document.complete


def test_half_of_a_character_is_a_fault() -> None:
    assert [fault.spot and fault.spot.line for fault in read_yaml(b'a: b\nc: "\\uD83d"\n').faults] == [2]


def test_what_looks_like_half_of_a_character_is_text_in_plain_scalars() -> None:
    assert not read_yaml(b"pattern: \\ud83d\n").faults


def test_faults_lead_to_the_part_they_stand_in() -> None:
    faults = read_yaml(b"cases:\n  - {id: a}\n  - {id: b, expect: {cite: [*x]}, id: c}\n").faults
    assert [fault.path for fault in faults] == [("cases", 1, "expect", "cite", 0), ("cases", 1, "id")]


def test_the_first_of_two_equal_keys_is_kept() -> None:
    assert read_yaml(b"readers: [board]\nreaders: ['*']\n").data == {"readers": ["board"]}


BOMB = b"a: &a [x, x]\n" + b"".join(
    b"%c: &%c [%s]\n" % (name, name, b", ".join([b"*%c" % (name - 1)] * 9)) for name in range(98, 107)
)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(BOMB, id="nine levels of nine aliases"),
        pytest.param(b"a: &a [*a]\n", id="an alias of itself"),
        pytest.param(b"a: !!python/object/apply:os.system ['id']\n", id="a tag that would run code"),
    ],
)
def test_what_would_grow_or_run_is_refused_before_it_does(raw: bytes) -> None:
    faults: list[Fault] = []
    assert calls_of(lambda: faults.extend(read_yaml(raw).faults)) < 20_000
    assert faults


@pytest.mark.parametrize(
    ("made", "size"),
    [
        pytest.param(lambda n: b"[" * n, 20_000, id="depth in brackets"),
        pytest.param(lambda n: b"{a: " * n, 20_000, id="depth in braces"),
        pytest.param(lambda n: b"- " * n, 20_000, id="depth in dashes"),
        pytest.param(lambda n: b"? " * n, 20_000, id="depth in keys"),
        pytest.param(lambda n: b"a: " + b"b" * n, MAX_BYTES, id="over a mebibyte"),
        pytest.param(lambda n: b"a: &" + b"x" * n + b" b\n", 500_000, id="a long anchor"),
        pytest.param(lambda n: b"a: " + b"*x " * n, 100_000, id="many aliases"),
        pytest.param(lambda n: b'"' * (n + 1 - n % 2), 500_001, id="quotes without an end"),
        pytest.param(lambda n: b"[],\n" * n, 250_000, id="lists side by side"),
    ],
)
def test_hostile_files_are_refused_in_calls_by_their_length(made: Callable[[int], bytes], size: int) -> None:
    assert_linear(read_yaml, made, 1_000)
    assert read_yaml(made(size)).faults


@pytest.mark.parametrize(
    ("made", "size"),
    [
        pytest.param(lambda n: "59:" * n + "59", 20_000, id="sexagesimal"),
        pytest.param(lambda n: "9" * n, 6_000, id="digits"),
        pytest.param(lambda n: "1" * n + ":30", 60_000, id="time"),
    ],
)
def test_what_only_looks_like_a_huge_number_is_text(made: Callable[[int], str], size: int) -> None:
    assert_linear(lambda written: read_yaml(f"a: {written}\n".encode()), made, size // 16)
    assert read_yaml(f"a: {made(size)}\n".encode()).data == {"a": made(size)}


def test_fifty_levels_are_read_and_fifty_one_are_not() -> None:
    assert not read_yaml(b"[" * 50 + b"]" * 50).faults
    assert [fault.message for fault in read_yaml(b"[" * 51 + b"]" * 51).faults] == [
        "nesting is deeper than 50 levels (flatten it)"
    ]


def test_a_file_of_exactly_a_mebibyte_is_read(tmp_path: Any) -> None:
    path = tmp_path / "large.yaml"
    path.write_bytes(b"a: " + b"b" * (MAX_BYTES - 3))
    assert not load_yaml(path).faults


def test_more_faults_than_a_person_reads_are_not_listed() -> None:
    assert len(read_yaml(b"a: [" + b"*x, " * 5_000 + b"b]").faults) == 100


TEXTS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\x85\u2028\u2029\ufeff\ufffe\uffff"
    ),
    max_size=12,
)
NESTED = st.recursive(
    TEXTS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=25
)


@given(data=NESTED, flow=st.booleans())
def test_what_is_written_as_yaml_is_read_as_it_was(data: Any, flow: bool) -> None:  # noqa: FBT001
    written = yaml.safe_dump(data, allow_unicode=True, default_flow_style=flow, width=30)
    document = read_yaml(written.encode())
    assert not document.faults
    assert document.data == data == yaml.load(written, yaml.BaseLoader)  # noqa: S506 - builds text, lists and dicts only


@given(data=NESTED)
def test_places_mirror_the_data(data: Any) -> None:
    document = read_yaml(yaml.safe_dump({"top": data}, allow_unicode=True).encode())
    for path in _paths(document.data, ()):
        assert document.known(path) == path
        assert document.spot(path) >= (1, 1)


def _paths(data: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    yield path
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for part, value in parts:
        yield from _paths(value, (*path, part))
