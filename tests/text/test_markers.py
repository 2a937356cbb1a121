from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.text.markers import find_markers, marker_labels, raw_delimiters, shaped_like, strip_markers

IDS = frozenset({"trv#1", "par#1", "c1", "travel-policy@v3#hotel"})
LABELS = frozenset({"[1]", "2"})

FOUND = {
    "a number": ("on Sundays [1].", [("1",)]),
    "an id": ("is $180 [trv#1].", [("trv#1",)]),
    "a long id": ("is $180 [travel-policy@v3#hotel].", [("travel-policy@v3#hotel",)]),
    "a group": ("at 7 and 20 [1, 2].", [("1", "2")]),
    "a group of ids": (
        "so [c1; trv#1] and [c1 trv#1] and [c1 and par#1]",
        [("c1", "trv#1"), ("c1", "trv#1"), ("c1", "par#1")],
    ),
    "neighbours": ("at 7 [1][2].", [("1",), ("2",)]),
    "a range": ("at 7 [1-2], [1–2].", [("1", "2"), ("1", "2")]),
    "a range of ids": ("[c1-c3]", [("c1", "c2", "c3")]),
    "full width": ("在七点【1】［２］〔1〕。", [("1",), ("2",), ("1",)]),
    "a footnote": ("so [^1]", [("1",)]),
    "double brackets": ("so [[1]] and [[c1]]", [("1",), ("c1",)]),
    "a prefix": ("so [Source: c1] [doc: 1] [来源：2] [see trv#1]", [("c1",), ("1",), ("2",), ("trv#1",)]),
    "a page": ("so [1, p. 3] and [c1, section 4.2]", [("1",), ("c1",)]),
    "a hosted model's": ("so 【1†source】", [("1",)]),
    "round brackets with an id": ("so (c1) and (see c1, trv#1) and {par#1}", [("c1",), ("c1", "trv#1"), ("par#1",)]),
    "words around an id": ("so [see c1 for details]", [("c1",)]),
    "a raised number": ("180 euros¹ and so on.²", [("1",), ("2",)]),
    "a raised tag": ("180 euros<sup>1</sup>", [("1",)]),
    "in code with an id": ("so `[c1]`", [("c1",)]),
    "inside round brackets": ("so (see [1] and [2])", [("1",), ("2",)]),
    "a link's label": ("See [1](guide.html) and [c1](x.html) first.", []),
    "a link's label and a marker": ("See [1](guide.html). Sundays [1].", [("1",)]),
    "round brackets with a number": ("as in (1) and (2)", []),
    "a word": ("a [note] and [sic] and [ ] and [x]", []),
    "words with a number": ("step [1 of 3], [1 day]", []),
    "a decimal": ("[1.5]", []),
    "an index in code": ("call `rows[1]` there", []),
    "a square metre": ("12 m² and x²", []),
    "a power": ("10² times", []),
    "an empty bracket": ("[] () 【】", []),
    "an open bracket": ("so [1", []),
    "over a line's end": ("so [1\n, 2]", []),
}


@pytest.mark.parametrize(("text", "labels"), FOUND.values(), ids=FOUND)
def test_a_bracket_is_a_marker_by_what_it_holds(text: str, labels: list[tuple[str, ...]]) -> None:
    assert [marker.labels for marker in find_markers(text, ids=IDS, labels=LABELS)] == labels


def test_a_marker_says_where_it_stands() -> None:
    text = "[1] Travel\n  - [2] Parking costs 12 [1]"
    markers = find_markers(text, labels=LABELS)
    assert (
        [text[marker.start : marker.end] for marker in markers]
        == [marker.raw for marker in markers]
        == ["[1]", "[2]", "[1]"]
    )
    assert [marker.opens_line for marker in markers] == [True, True, False]


def test_without_known_numbers_a_number_is_no_marker() -> None:
    assert find_markers("In [2024] and [1].", ids=IDS) == ()


def test_with_a_known_number_another_number_is_an_unknown_marker() -> None:
    assert [marker.unknown for marker in find_markers("a [1] b [7] c [1, 9]", labels={"1"})] == [(), ("7",), ("9",)]


def test_a_bracket_built_like_an_id_is_an_unknown_marker() -> None:
    markers = find_markers("a [trv#9] b [xyz#4] c (xyz#4) d [A#] e [c9]", ids=IDS)
    assert [marker.unknown for marker in markers] == [("trv#9",), ("xyz#4",), ("c9",)]


def test_a_title_can_be_a_label() -> None:
    labels = {"[Travel policy]"}
    assert [marker.labels for marker in find_markers("so [Travel policy], not [policy]", labels=labels)] == [
        ("Travel policy",)
    ]


def test_a_number_beside_an_id_is_a_place_where_no_number_is_known() -> None:
    assert [marker.labels for marker in find_markers("so [c1, 30]", ids=IDS)] == [("c1",)]


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("Open at 7 [c1][1]; closed [1, 2].", "Open at 7; closed."),
        ("In [2024] it was [12].", "In it was."),
        ("See [1](guide.html) first.", "See (guide.html) first."),
        ("[1] Travel\n[2] Parking", "Travel\nParking"),
        ("See (c1), (1) and (7).", "See, and (7)."),
        ("x 【4:0†source】 y", "x y"),
        ("call `rows[1]`", "call `rows[1]`"),
        ("nothing [here]", "nothing [here]"),
        ("", ""),
    ],
)
def test_stripping_takes_markers_and_brackets_of_digits(text: str, stripped: str) -> None:
    assert strip_markers(text, ids=IDS, labels=LABELS) == stripped


@pytest.mark.parametrize(
    ("raw", "labels"),
    [
        ("[1]", ("1",)),
        ("1", ("1",)),
        ("[1, 2]", ("1", "2")),
        ("［１］", ("1",)),
        ("[^1]", ("1",)),
        ("(c1)", ("c1",)),
        ("[Source: Travel policy]", ("Source: Travel policy",)),
        ("¹", ("1",)),
        ("", ()),
    ],
)
def test_labels_are_read_from_a_marker_as_written(raw: str, labels: tuple[str, ...]) -> None:
    assert marker_labels(raw) == labels


@pytest.mark.parametrize(
    ("token", "ids", "is_like"),
    [
        ("trv#9", {"trv#1"}, True),
        ("abc#12", {"trv#1", "par#2"}, True),
        ("policy@v4#meals2", {"travel-policy@v3#hotel1"}, True),
        ("memo-9", {"memo-7"}, True),
        ("abs-9", {"trv-1", "par-2"}, True),
        ("COVID-19", {"trv-1", "par-2"}, False),
        ("covid-19", {"trv-1"}, False),
        ("c12", {"c1"}, True),
        ("C2", {"c1"}, True),
        ("v2", {"c1"}, False),
        ("15", {"12"}, True),
        ("15", {"c12"}, False),
        ("hotel-lux", {"hotel-standard"}, True),
        ("follow-up", {"hotel-standard"}, False),
        ("note", {"alpha", "beta"}, False),
        ("3f2a9c1e", {"aabbccdd"}, True),
        ("10:30", {"doc:1"}, False),
        ("a@b.com", {"policy@v3"}, False),
        ("trv#1", {"trv#1"}, False),
        ("trv #9", {"trv#1"}, False),
        ("#9", {"trv#1"}, False),
        ("", {"trv#1"}, False),
        ("trv#9", set(), False),
    ],
)
def test_a_token_can_be_built_like_an_id(token: str, ids: set[str], is_like: bool) -> None:  # noqa: FBT001
    assert shaped_like(token, ids) is is_like


RAW = {
    "a chat token": ("Yes.<|im_end|>", ["<|im_end|>"]),
    "a file token joined from pieces": ("serviced yearly <|file-sp#1|>.", ["<|file-sp#1|>"]),
    "a full-width token": ("Yes.<｜end▁of▁sentence｜>", ["<｜end▁of▁sentence｜>"]),
    "a token that breaks off": ("Yes. <|im_e", ["<|im_e"]),
    "an instruction": ("[INST] x [/INST]", ["[INST]", "[/INST]"]),
    "a system block": ("<<SYS>>x<</SYS>>", ["<<SYS>>", "<</SYS>>"]),
    "an end of text": ("Yes.</s>", ["</s>"]),
    "thinking": ("<think>Hm.</think>Yes.", ["<think>", "</think>"]),
    "thinking left open": ("Hm.</think>Yes.", ["</think>"]),
    "a tool call": ('<tool_call>\n{"name": "x"}\n</tool_call>', ["<tool_call>", "</tool_call>"]),
    "a source tag": ("<source>c1</source>", ["<source>", "</source>"]),
    "a source tag with an attribute": ('so <source id="1">', ['<source id="1">']),
    "an answer tag": ("<answer>Yes</answer>", ["<answer>", "</answer>"]),
    "a citation tag": ("so <cite:c1> and <file-c1>", ["<cite:c1>", "<file-c1>"]),
    "a grounded span": ("<co: 0>12</co: 0>", ["<co: 0>", "</co: 0>"]),
    "a placeholder": ("Dear {{user_name}},", ["{{user_name}}"]),
    "a hosted citation": ("so 【4:0†source】", ["【4:0†source】"]),
    "a hosted reference": ("so :contentReference[oaicite:0]{index=0}", [":contentReference[oaicite:0]{index=0}"]),
    "a search reference": ("so turn0search1", ["turn0search1"]),
    "private characters": ("so \ue200cite\ue201", ["\ue200cite\ue201"]),
    "a byte token": ("so <0x0A>", ["<0x0A>"]),
    "a template's heading": ("### Response:\nYes", ["### Response:"]),
    "markup": ("a <b>bold</b> <i>word</i><br/>", []),
    "struck-out text": ("<s>old</s> new", []),
    "a command's placeholders": ("run cp <source> <target> as <user>", []),
    "a pipe operator": ("x <| f and y |> g", []),
    "a comparison": ("a < b | c > d", []),
    "generic types": ("List<T> and Map<String, Integer>", []),
    "code": ("use `<think>` or\n```\n<|im_end|>\n```", []),
    "a heading": ("### Response times\n", []),
    "a marker": ("so [1] and [c1]", []),
    "a formula": ("x^{{2}}", []),
    "a bar chart": ("▁▂▃", []),
}


@pytest.mark.parametrize(("text", "delimiters"), RAW.values(), ids=RAW)
def test_delimiters_of_a_model_are_seen(text: str, delimiters: list[str]) -> None:
    assert list(raw_delimiters(text)) == delimiters


SIGNS = st.lists(
    st.sampled_from([*"[](){}1c#,;-^`<>|/¹²【】†\n ", "c1", "[1]", "trv#9", "](", "think"]), max_size=25
).map("".join)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=60), SIGNS))
def test_any_text_can_be_searched_for_markers(text: str) -> None:
    markers = find_markers(text, ids=IDS, labels=LABELS)
    assert all(text[marker.start : marker.end] == marker.raw and marker.labels for marker in markers)
    assert all(left.end <= right.start for left, right in itertools.pairwise(markers))
    assert len(strip_markers(text, ids=IDS, labels=LABELS)) <= len(text) - sum(len(marker.raw) for marker in markers)
    assert all(delimiter in text for delimiter in raw_delimiters(text))
    marker_labels(text)
    shaped_like(text, IDS)
