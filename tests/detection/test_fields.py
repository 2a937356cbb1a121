from __future__ import annotations

from pytest_grounded.detection.fields import Document
from pytest_grounded.model.response import Response


def test_every_text_number_and_unknown_key_is_a_leaf_with_its_path() -> None:
    response = Response.model_validate(
        {
            "decision": "answer",
            "text": "Yes.",
            "claims": [{"text": "It is.", "cites": ["c1"], "mood": {"memo-7": [1, True, None, "x"]}}],
            "latency": 3.5,
        }
    )
    paths = {(leaf.path, leaf.text) for leaf in Document(response.visible()).leaves}
    assert paths == {
        ("decision", "answer"),
        ("text", "Yes."),
        ("claims[0].text", "It is."),
        ("claims[0].citations[0].chunk", "c1"),
        ("claims[0].status", "supported"),
        ("claims[0].mood", "mood"),
        ("claims[0].mood.memo-7", "memo-7"),
        ("claims[0].mood.memo-7[0]", "1"),
        ("claims[0].mood.memo-7[3]", "x"),
        ("latency", "latency"),
        ("latency", "3.5"),
    }


def test_a_bare_text_is_one_leaf() -> None:
    [leaf] = Document("said").leaves
    assert (leaf.path, leaf.text, leaf.is_naming) == ("", "said", True)


def test_pieces_of_the_same_place_are_joined_in_order() -> None:
    document = Document({"claims": [{"text": "a"}, {"text": "b", "quote": "q"}, {"text": "c"}], "stream": ["x", "y"]})
    assert [(join.label, join.text, join.is_stream) for join in document.repeated] == [
        ("claims[*].text", "abc", False),
        ("stream[*]", "xy", True),
    ]


def test_texts_inside_earlier_ones_are_not_distinct() -> None:
    document = Document({"text": "One. Two.", "claims": [{"text": "Two."}, {"text": "Three."}]})
    assert document.distinct.text == "One. Two.\nThree."


def test_a_code_may_be_split_where_a_long_run_goes_over_a_joint() -> None:
    [split] = Document({"stream": ["see QUJD", "REVGR0hJSktM", "TU5P ok"]}).repeated
    [prose] = Document({"stream": ["The nightly ", "limit is", " 180 dollars."]}).repeated
    assert split.may_split_codes
    assert not prose.may_split_codes


def test_depth_costs_no_recursion() -> None:
    value: object = "deep"
    for _ in range(5000):
        value = [{"inner": value}]
    [*_, leaf] = Document({"x": value}).leaves
    assert leaf.text == "deep"


def test_bytes_are_read_as_text() -> None:
    assert [leaf.text for leaf in Document({"raw": b"caf\xc3\xa9"}).leaves] == ["café"]
