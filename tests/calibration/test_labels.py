"""What a file of people's labels may say, and the exact words with which it is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.calibration.labels import LabelledClaim, LabelledSet, read_claims, require_labels


def line(**changes: Any) -> dict[str, Any]:
    return {"id": "a", "claim": "It costs $5.", "evidence": "The price is $5.", "label": "supported", **changes}


def read(*rows: dict[str, Any] | bytes, **options: Any) -> LabelledSet:
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
    return read_claims(lines, name="labels.jsonl", **options)


def one(**changes: Any) -> LabelledClaim:
    (claim,) = read(line(**changes)).claims
    return claim


@pytest.mark.parametrize(
    ("label", "truth"),
    [
        ("supported", 1),
        ("Fully attributable", 1),
        ("NOT_SUPPORTED", 0),
        ("partially_supported", 0),
        ("Not fully attributable", 0),
        ("Generic", 0),
        (True, 1),
        (0, 0),
        (None, None),
    ],
)
def test_words_of_the_known_sets_are_read(label: object, truth: int | None) -> None:
    assert one(label=label).truth == truth


@pytest.mark.parametrize(
    ("changes", "truth", "disputed"),
    [
        pytest.param({"labels": {"x": "yes", "y": "yes"}}, 1, 0, id="they-agree"),
        pytest.param({"labels": {"x": "yes", "y": "no"}}, None, 1, id="they-differ"),
        pytest.param({"labels": {"x": "yes", "y": "no"}, "adjudicated": "no"}, 0, 1, id="settled"),
        pytest.param({"labels": {"x": "yes", "y": None}}, 1, 0, id="one-has-no-label"),
        pytest.param({"labels": {"x": "no", "y": "no", "z": "yes"}}, None, 1, id="no-vote-is-taken"),
    ],
)
def test_two_raters_and_their_disagreement(changes: dict[str, Any], truth: int | None, disputed: int) -> None:
    claim = one(**{"label": None, **changes})
    assert (claim.truth, claim.is_disputed) == (truth, bool(disputed))


@pytest.mark.parametrize(
    ("changes", "slices"),
    [
        ({}, ("numbers",)),
        ({"claim": "Nobody may smoke."}, ("negation",)),
        ({"claim": "Staff may leave early if the office closes."}, ("conditions",)),
        ({"claim": "Only staff may enter."}, ("conditions",)),
        ({"claim": "All of it.", "evidence": ["One part.", "The other part."]}, ("joint_support",)),
        ({"claim": "All of it.", "evidence": ["One.", "Two.", "Three."], "gold": [0, 2]}, ("joint_support",)),
        ({"claim": "All of it.", "evidence": ["One.", "Two.", "Three."], "gold": [1]}, ()),
        ({"claim": "All of it.", "slices": ["missing_condition"]}, ("missing_condition",)),
    ],
)
def test_slices_are_found_and_may_be_named(changes: dict[str, Any], slices: tuple[str, ...]) -> None:
    assert one(**changes).slices == slices


def test_sentences_of_one_text_are_read_together_and_cited_texts_apart() -> None:
    assert one(evidence=["One.", "Two."], gold=[0]).evidence == ("One.\nTwo.",)
    assert one(evidence=["One.", "Two."]).evidence == ("One.", "Two.")


def test_the_order_of_the_file_does_not_matter() -> None:
    rows = [line(id=name) for name in ("b", "a", "c")]
    assert read(*rows) == read(*reversed(rows))
    assert read(*rows).digest == read(*reversed(rows)).digest
    assert read(*rows).digest != read(*rows[:2], line(id="c", label="no")).digest


def test_words_of_ones_own_can_be_given() -> None:
    assert read(line(label="OK"), words={"ok": 1}).claims[0].truth == 1


REFUSED: dict[str, tuple[dict[str, Any] | bytes, str]] = {
    "no JSON": (
        b"{",
        "labels.jsonl:1: is not JSON: expecting property name enclosed in double quotes in column 2 (one object on each line)",
    ),
    "no UTF-8": (b'{"id": "\xff"}', "labels.jsonl:1: holds byte 0xff, which is not UTF-8 (save the file as UTF-8)"),
    "no object": (b"[1]", "labels.jsonl:1: is list (needs an object {...} on each line)"),
    "too deep": (b"[" * 200_000, "labels.jsonl:1: is nested too deeply (flatten it)"),
    "no claim": (
        {"id": "a", "evidence": "x"},
        "labels.jsonl:1: a.claim: is missing (needs the sentence that was judged)",
    ),
    "an empty claim": (
        line(claim=" "),
        "labels.jsonl:1: a.claim: is ' ' (needs the sentence that was judged, as text)",
    ),
    "no evidence": (
        {"id": "a", "claim": "x"},
        "labels.jsonl:1: a.evidence: is missing (needs a text, or a list of the texts that the claim cites)",
    ),
    "empty evidence": (
        line(evidence=[]),
        "labels.jsonl:1: a.evidence: is [] (needs a text, or a list of the texts that the claim cites)",
    ),
    "gold outside": (
        line(evidence=["x", "y"], gold=[2]),
        "labels.jsonl:1: a.gold: is [2] (needs positions in `evidence`, from 0 to 1)",
    ),
    "an unknown word": (
        line(label="perhaps"),
        "labels.jsonl:1: a.label: is 'perhaps' (needs supported or unsupported; another word: --label WORD=supported)",
    ),
    "an unknown word of a rater": (
        line(label=None, labels={"x": 2}),
        "labels.jsonl:1: a.labels.x: is 2 (needs supported or unsupported; another word: --label WORD=supported)",
    ),
    "raters that are none": (
        line(label=None, labels=["yes"]),
        "labels.jsonl:1: a.labels: is ['yes'] (needs an object of raters and their words)",
    ),
    "both forms": (
        line(labels={"x": "yes"}),
        "labels.jsonl:1: a.label: stands beside `labels` (give one of them; what was settled is `adjudicated`)",
    ),
    "settled against both": (
        line(label=None, labels={"x": "yes", "y": "yes"}, adjudicated="no"),
        "labels.jsonl:1: a.adjudicated: is against every rater (it settles a disagreement; correct their labels instead)",
    ),
    "slices that are none": (line(slices="numbers"), "labels.jsonl:1: a.slices: is 'numbers' (needs a list of names)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_with_its_place(name: str) -> None:
    row, words = REFUSED[name]
    with pytest.raises(CalibrationError) as caught:
        read(row)
    assert str(caught.value) == words


def test_an_id_that_stands_twice_and_an_empty_file_are_refused() -> None:
    with pytest.raises(CalibrationError) as caught:
        read(line(), line(label="no"))
    assert str(caught.value) == (
        "labels.jsonl:2: a: stands twice, first in line 1 (keep one: counted twice it makes every interval too narrow)"
    )
    with pytest.raises(CalibrationError) as caught:
        read(b"\n")
    assert str(caught.value) == "labels.jsonl: holds no claims (needs one JSON object on each line)"


def test_many_faults_are_not_all_listed() -> None:
    with pytest.raises(CalibrationError) as caught:
        read(*[{"id": str(i)} for i in range(30)])
    assert len(caught.value.problems) == 21
    assert str(caught.value).endswith("labels.jsonl: and 40 more faults like these")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        pytest.param(
            [line(label=None)],
            "labels.jsonl: none of 1 claims has a label (needs `label`, or `labels` by rater)",
            id="no-labels",
        ),
        pytest.param(
            [line(label=None, labels={"x": "yes", "y": "no"})],
            "labels.jsonl: none of 1 claims has a settled label (needs `adjudicated` where raters differ)",
            id="nothing-settled",
        ),
        pytest.param(
            [line(), line(id="b")],
            "labels.jsonl: all 2 labelled claims are supported (needs unsupported ones too: a judge that says supported "
            "of everything would look perfect)",
            id="supported-only",
        ),
        pytest.param(
            [line(label="no")],
            "labels.jsonl: all 1 labelled claims are unsupported (needs supported ones too: a judge that says "
            "unsupported of everything would look perfect)",
            id="unsupported-only",
        ),
    ],
)
def test_labels_that_cannot_carry_a_measurement_are_refused(rows: list[dict[str, Any]], words: str) -> None:
    with pytest.raises(CalibrationError) as caught:
        require_labels(read(*rows))
    assert str(caught.value) == words
