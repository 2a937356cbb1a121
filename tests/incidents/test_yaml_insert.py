"""An entry is added to a list in a YAML file, and nothing else of the file changes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_grounded.corpus.yaml_reader import read_yaml
from pytest_grounded.errors import GroundedError
from pytest_grounded.incidents.yaml_insert import with_entry
from pytest_grounded.incidents.yaml_text import block_lines, flow, scalar

NEW: dict[str, Any] = {"id": "new", "expect": {"slots": [{"name": "limit", "values": ["180"]}]}}

WRITTEN = {
    "behind the last case, apart as the others": (
        "cases:\n  - id: a\n\n  - id: b\n",
        'cases:\n  - id: a\n\n  - id: b\n\n  - id: new\n    expect:\n      slots:\n        - {name: limit, values: ["180"]}\n',
    ),
    "before what follows the list": (
        "cases:\n- id: a  # ours\n\n# end\nz: 1\n",
        'cases:\n- id: a  # ours\n\n- id: new\n  expect:\n    slots:\n    - {name: limit, values: ["180"]}\n\n# end\nz: 1\n',
    ),
    "indented as the file is": (
        "cases:\n    -   id: a\n        expect:\n            decision: any\n",
        (
            "cases:\n    -   id: a\n        expect:\n            decision: any\n\n    -   id: new\n        expect:\n"
            '            slots:\n                -   {name: limit, values: ["180"]}\n'
        ),
    ),
    "a comment that belongs to the last case stays with it": (
        "cases:\n  - id: a\n    # more to say\n  # of the list\n",
        (
            "cases:\n  - id: a\n    # more to say\n\n  - id: new\n    expect:\n      slots:\n"
            '        - {name: limit, values: ["180"]}\n  # of the list\n'
        ),
    ),
    "no line end at the end": (
        "cases:\n  - id: a\n  - id: b",
        'cases:\n  - id: a\n  - id: b\n  - id: new\n    expect:\n      slots:\n        - {name: limit, values: ["180"]}',
    ),
    "line ends of Windows": (
        "cases:\r\n  - id: a\r\n",
        (
            "cases:\r\n  - id: a\r\n\r\n  - id: new\r\n    expect:\r\n      slots:\r\n"
            '        - {name: limit, values: ["180"]}\r\n'
        ),
    ),
    "a byte order mark": (
        "\ufeffcases:\n- {id: a}\n",
        '\ufeffcases:\n- {id: a}\n- {id: new, expect: {slots: [{name: limit, values: ["180"]}]}}\n',
    ),
    "text that keeps its blank lines": (
        "cases:\n- id: a\n  why: |+\n    x\n\nz: 1\n",
        'cases:\n- id: a\n  why: |+\n    x\n\n- id: new\n  expect:\n    slots:\n    - {name: limit, values: ["180"]}\nz: 1\n',
    ),
    "in brackets": (
        "cases: [{id: a}, {id: b}] # two\n",
        'cases: [{id: a}, {id: b}, {id: new, expect: {slots: [{name: limit, values: ["180"]}]}}] # two\n',
    ),
    "in brackets over lines": (
        "cases: [\n  {id: a},\n  {id: b}, # last\n]\n",
        'cases: [\n  {id: a},\n  {id: b}, # last\n  {id: new, expect: {slots: [{name: limit, values: ["180"]}]}},\n]\n',
    ),
    "in brackets over lines, no comma at the end": (
        "cases: [\n  {id: a} # last\n]\n",
        'cases: [\n  {id: a} # last\n  , {id: new, expect: {slots: [{name: limit, values: ["180"]}]}}\n]\n',
    ),
    "an empty list": ("cases: []\n", 'cases: [{id: new, expect: {slots: [{name: limit, values: ["180"]}]}}]\n'),
    "a key without a list yet": (
        "cases: # none yet\nz: 1\n",
        'cases: # none yet\n  - id: new\n    expect:\n      slots:\n        - {name: limit, values: ["180"]}\nz: 1\n',
    ),
    "a document that ends": (
        "--- # ours\ncases:\n- &a\n  id: a\n...\n",
        '--- # ours\ncases:\n- &a\n  id: a\n\n- id: new\n  expect:\n    slots:\n    - {name: limit, values: ["180"]}\n...\n',
    ),
    "all in braces": (
        "{cases: [{id: a}]}",
        '{cases: [{id: a}, {id: new, expect: {slots: [{name: limit, values: ["180"]}]}}]}',
    ),
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=WRITTEN)
def test_the_entry_is_the_last_one(before: str, after: str) -> None:
    inserted = with_entry(before.encode(), ("cases",), NEW, file="a.yaml")
    assert inserted.raw.decode() == after
    assert "new" in after.splitlines()[inserted.line - 1]


@pytest.mark.parametrize("text", ["cases: nothing\n", "other: []\n", "- a\n", "cases:\n  a: b\n", "cases: [\n", ""])
def test_where_there_is_no_list_nothing_is_edited(text: str) -> None:
    with pytest.raises(GroundedError, match=r"a\.yaml: no entry can be added to 'cases'"):
        with_entry(text.encode(), ("cases",), NEW, file="a.yaml")


# --- odd but valid files -------------------------------------------------------------------------------------------

COMMENTS = st.sampled_from(["", "# said\n", "\n", "\n\n", "\n# said\n\n", "  # indented\n", "\t\n", "# ü\u2028# x\n"])
VALUES = st.sampled_from(
    [
        "plain", "plain # said", "plain\t# said", "'quoted ''it'''", '"a: b # c"', '"two\n      lines"', "'1:30'", "no",
        "[a, b]", "[a,\n      b]  # flow", "{a: b}", "{a: b,\n      c: d}", "|\n      text\n      more", "|+\n      text\n\n",
        ">-\n      folded\n      text", "|2\n        deep", "&anchor x", "*anchor", "!tag x", "~", "", "plain\n      over lines",
        "\n      a: b\n      c: [d]", "\n      - a\n      -  b: c", "|-\n      # no comment\n      - id: none", "'\ufeff'", "ok\u0085",
    ]
)  # fmt: skip
KEYS = st.sampled_from(["why", "title", "expect", "tags", "'quoted'", '"id2"', "? odd\n    "])


@st.composite
def case_text(draw: st.DrawFn) -> str:
    dash = draw(st.sampled_from(["  - ", "  -   ", "  -\n    ", "  - # said\n    ", "  - &c\n    "]))
    lines = [f"{dash}id: c{draw(st.integers(0, 9))}\n"]
    indent = " " * (6 if dash == "  -   " else 4)
    for key in draw(st.lists(KEYS, max_size=3, unique=True)):
        lines.append(f"{indent}{key}: {draw(VALUES)}".rstrip(" ") + "\n")
        lines.append(draw(COMMENTS) if draw(st.booleans()) else "")
    return "".join(lines)


@st.composite
def flow_text(draw: st.DrawFn) -> str:
    return f"  - {{id: c{draw(st.integers(0, 9))}, t: {draw(st.sampled_from(['x', '[a, b]', '{a: [b]}']))}}}\n"


@st.composite
def file_text(draw: st.DrawFn) -> str:
    head = draw(
        st.sampled_from(["", "# head\n", "---\n", "%YAML 1.1\n---\n", "a: 1\n", "requesters:\n  e: {groups: [s]}\n\n"])
    )
    entries = draw(st.lists(case_text() | flow_text(), min_size=1, max_size=3))
    between = [draw(COMMENTS) for _ in entries]
    listed = "".join(f"{entry}{gap}" for entry, gap in zip(entries, between, strict=True))
    if draw(st.booleans()):
        listed = "\n".join(line.removeprefix("  ") for line in listed.split("\n"))
    tail = draw(
        st.sampled_from(
            ["", "z: 1\n", "\nz:\n  - a\n", "# end\n", "...\n", "\n\n# end", "zz: |\n  cases:\n  - id: none\n"]
        )
    )
    text = f"{head}cases:{draw(st.sampled_from(['', ' ', ' # all', ' !seq']))}\n{listed}{tail}"
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    if draw(st.integers(0, 3)) == 0:
        text = text.replace("\n", "\r\n")
    return ("\ufeff" if draw(st.integers(0, 3)) == 0 else "") + text


ENTRIES = st.dictionaries(
    st.sampled_from(["id", "question", "why", "expect", "tags"]),
    st.recursive(
        st.text(max_size=12) | st.none() | st.booleans() | st.integers(0, 99),
        lambda inner: (
            st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b c", "no"]), inner, max_size=2)
        ),
        max_leaves=4,
    ),
    min_size=1,
)


@given(text=file_text(), entry=ENTRIES)
@example(text="cases:\n- id: a\n  why: |+\n    x\n\n", entry={"id": "b"})
@example(text="cases:\n- id: a\n  why:\n# end", entry={"id": "b"})
def test_a_file_differs_only_in_what_was_added(text: str, entry: dict[str, Any]) -> None:
    before = read_yaml(text.encode())
    if not before.complete or not isinstance(before.data, dict) or not isinstance(before.data.get("cases"), list):
        return  # not valid after all
    after = with_entry(text.encode(), ("cases",), entry, file="a.yaml").raw.decode()
    start = next((at for at, (old, new) in enumerate(zip(text, after, strict=False)) if old != new), len(text))
    added = len(after) - len(text)
    ways = [at for at in range(start + 1) if after[:at] + after[at + added :] == text]
    assert ways, "bytes that were there are gone or changed"
    starts = {0, len(text), *(at + 1 for at, sign in enumerate(text) if sign == "\n")}
    assert starts.intersection(ways), "a line that was there was broken"
    again = read_yaml(after.encode())
    assert again.data["cases"][:-1] == before.data["cases"]
    assert {**again.data, "cases": before.data["cases"]} == before.data


@given(st.text())
def test_a_text_is_read_back_as_it_was(text: str) -> None:
    written = f"- {scalar(text)}\n- {flow([text])}\n".encode()
    document = read_yaml(written)
    assert not document.faults
    assert document.data == [text, [text]]


@given(st.text(alphabet=" ab:#-|>'\"\n\t,[]{}&*!%@`?\u2028\x85é"))
def test_a_text_under_a_key_is_read_back_as_it_was(text: str) -> None:
    document = read_yaml("\n".join(block_lines({"k": text, "l": [{"m": text}]})).encode())
    assert not document.faults
    assert document.data == {"k": text, "l": [{"m": text}]}
