"""What may not be calibrated on, in the words a person reads."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.calibration.rows import read_rows, require_calibration_sample, require_probabilities
from tests.calibration.samples import as_lines, make_sample, ordered_rows

GOOD = {"case": "a", "score": 0.5, "correct": 1}
NUMBER = "(needs a finite number, or null where the case is never answered)"

UNREADABLE: dict[str, tuple[bytes, str]] = {
    "not JSON": (b"score: 1", "rows:1: is not JSON: expecting value in column 1 (one object on each line)"),
    "no object": (b"[1]", "rows:1: is list (needs an object {...} on each line)"),
    "not UTF-8": (b'{"case": "\xff"}', "rows:1: holds byte 0xff, which is not UTF-8 (save the file as UTF-8)"),
    "a key twice": (b'{"case": "a", "case": "b"}', "rows:1: holds the key 'case' twice (keep one of them)"),
    "no case": (b'{"score": 0.5, "correct": 1}', "rows:1: case: is missing (needs the id of the case)"),
    "a case that is a number": (b'{"case": 7, "score": 0.5}', "rows:1: case: is 7 (needs text)"),
    "no score": (b'{"case": "a", "correct": 1}', f"rows:1: a.score: is missing {NUMBER}"),
    "a score that is NaN": (b'{"case": "a", "score": NaN, "correct": 1}', f"rows:1: a.score: is NaN {NUMBER}"),
    "an infinite score": (b'{"case": "a", "score": -Infinity}', f"rows:1: a.score: is -Infinity {NUMBER}"),
    "a score in quotes": (b'{"case": "a", "score": "0.5"}', f"rows:1: a.score: is '0.5' {NUMBER}"),
    "a score too large for a float": (
        b'{"case": "a", "score": 1' + b"0" * 400 + b"}",
        "rows:1: a.score: is 1" + "0" * 59 + "... " + NUMBER,
    ),
    "a label that is no label": (
        b'{"case": "a", "score": 0.5, "correct": 2}',
        "rows:1: a.correct: is 2 (needs 0, 1 or null)",
    ),
    "right on an unanswerable case": (
        b'{"case": "a", "score": 0.5, "correct": 1, "answerable": false}',
        "rows:1: a.correct: is 1 on an unanswerable case (an answer to it is wrong, whatever its score: needs 0)",
    ),
    "a weight of 0": (
        b'{"case": "a", "score": 0.5, "correct": 1, "weight": 0}',
        "rows:1: a.weight: is 0 (needs a number above 0)",
    ),
    "a group that is no text": (b'{"case": "a", "score": 1, "group": []}', "rows:1: a.group: is [] (needs text)"),
    "versions that are no object": (
        b'{"case": "a", "score": 1, "versions": "v1"}',
        "rows:1: a.versions: is 'v1' (needs an object of names and versions)",
    ),
    "no rows": (b"\n \n", "rows: holds no rows (needs one JSON object on each line)"),
    "too deep": (b"[" * 100_000, "rows:1: is nested too deeply (flatten it)"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_row_that_cannot_be_read_says_what_to_mend(name: str) -> None:
    raw, words = UNREADABLE[name]
    with pytest.raises(CalibrationError) as caught:
        read_rows([raw])
    assert str(caught.value) == words


def test_a_case_that_stands_twice_is_named_with_both_lines() -> None:
    with pytest.raises(CalibrationError) as caught:
        read_rows(as_lines([GOOD, {**GOOD, "case": "b"}, GOOD]), name="labels.jsonl")
    assert str(caught.value) == (
        "labels.jsonl:3: a: stands twice, first in line 1 (keep one row of a case: counted twice it makes every interval "
        "too narrow)"
    )


def test_one_case_id_in_two_suites_is_two_cases() -> None:
    sample = make_sample([{**GOOD, "suite": "travel"}, {**GOOD, "suite": "hr"}])
    assert [row.case for row in sample.rows] == ["hr/a", "travel/a"]


def test_every_fault_of_a_file_is_said_at_once_but_not_thousands() -> None:
    with pytest.raises(CalibrationError) as caught:
        read_rows([b'{"case": "a"}'] * 500)
    lines = str(caught.value).splitlines()
    assert len(lines) == 21
    assert lines[-1] == "rows: and 480 more faults like these"


def test_keys_of_other_tools_a_byte_order_mark_and_blank_lines_are_passed_over() -> None:
    raw = b"\xef\xbb\xbf" + json.dumps({**GOOD, "verdict": "pass", "findings": [{"check": "x"}]}).encode()
    assert len(read_rows([raw, b"\n"]).rows) == 1


def test_the_digest_knows_no_order_of_rows_and_every_value_that_counts() -> None:
    rows = ordered_rows(10, 3)
    digest = make_sample(rows).digest
    assert make_sample(rows[::-1]).digest == digest
    for change in ({"score": 0.001}, {"correct": 1}, {"kind": "partial"}, {"weight": 2}):
        assert make_sample([{**rows[0], **change}, *rows[1:]]).digest != digest


def mixed(key: str, *values: Any) -> list[dict[str, Any]]:
    rows = ordered_rows(len(values), 1)
    return [row | ({} if value is None else {key: value}) for row, value in zip(rows, values, strict=True)]


USELESS: dict[str, tuple[list[dict[str, Any]], str]] = {
    "regression cases": (
        [*ordered_rows(4, 2)[:3], {**ordered_rows(4, 2)[3], "sample": "regression"}],
        (
            "rows.jsonl: 1 of 4 rows are regression cases (`sample: regression`): cases added after incidents are not drawn "
            "like traffic, so no threshold and no guarantee follows from them (label a random sample of the traffic and mark "
            "its rows `sample: traffic`)"
        ),
    ),
    "several states of the corpus": (
        mixed("corpus", "sha256:a", "sha256:a", "sha256:b"),
        (
            "rows.jsonl: rows come from 2 states of the corpus: sha256:a (2 rows), sha256:b (1 rows) (labels hold for one of "
            "them: calibrate each apart)"
        ),
    ),
    "a corpus said by some": (
        mixed("corpus", "sha256:a", None, None),
        (
            "rows.jsonl: rows come from 2 states of the corpus: no corpus (2 rows), sha256:a (1 rows) (labels hold for one of "
            "them: calibrate each apart)"
        ),
    ),
    "several scores": (
        mixed("score_name", "a", "b", "c", "d", "d"),
        (
            "rows.jsonl: rows come from 4 scores: d (2 rows), a (1 rows), b (1 rows) and 1 more (thresholds of one mean "
            "nothing for another: calibrate each apart)"
        ),
    ),
    "right ones only": (
        ordered_rows(5, 0),
        (
            "rows.jsonl: all 5 scored rows are right (needs wrong ones too: a sample of one class cannot tell a useful score "
            "from a useless one; check the labels, or label more rows)"
        ),
    ),
    "no score at all": (
        [{"case": "a", "score": None, "correct": 1}],
        "rows.jsonl: none of 1 rows has a score (needs drafts that were scored, right and wrong ones)",
    ),
    "scores without labels": (
        [*ordered_rows(4, 2), {"case": "x", "score": 0.5}, {"case": "y", "score": 0.5, "correct": None}],
        (
            "rows.jsonl:5: x.correct: has a score and no label, as have 1 others (label the draft that would have been shown: "
            "`correct` 1 or 0; where an abstention hid the draft, run it with the gate open)"
        ),
    ),
}


@pytest.mark.parametrize("name", USELESS)
def test_a_sample_that_carries_no_threshold_is_refused(name: str) -> None:
    rows, words = USELESS[name]
    with pytest.raises(CalibrationError) as caught:
        require_calibration_sample(make_sample(rows))
    assert str(caught.value) == words


def test_rows_without_score_and_label_are_no_fault() -> None:
    sample = make_sample([*ordered_rows(4, 2), {"case": "down", "score": None}])
    require_calibration_sample(sample)
    assert (sample.never_answered, [row.case for row in sample.rows if row.score is None]) == (1, ["down"])


def test_a_score_that_is_no_probability_is_named_where_one_is_needed() -> None:
    with pytest.raises(CalibrationError) as caught:
        require_probabilities(make_sample([*ordered_rows(3, 1), {"case": "x", "score": -0.25, "correct": 0}]))
    assert str(caught.value) == (
        "rows.jsonl:4: x.score: is -0.25, outside [0, 1], as are 0 others, and is read as a probability (for a score that "
        "only ranks, such as a logit or a distance: --score ranking; to fit a probability to it: --fit platt)"
    )


@pytest.mark.parametrize(
    "written",
    [
        b"\xef\xbb\xbf" + b"\r\n".join(line.strip() for line in as_lines(ordered_rows(9, 2))) + b"\r\n",
        b"\n\n" + b"\n \n".join(line.strip() for line in as_lines(ordered_rows(9, 2))),
        b"".join(as_lines(ordered_rows(9, 2)[::-1])),
    ],
    ids=["byte order mark and Windows line ends", "blank lines, no last line end", "another order"],
)
def test_how_a_file_was_written_changes_nothing(written: bytes) -> None:
    assert read_rows(BytesIO(written), name="rows.jsonl").digest == make_sample(ordered_rows(9, 2)).digest


ODD: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", "rows.jsonl: holds no rows (needs one JSON object on each line)"),
    "blank lines": (b"\n\n", "rows.jsonl: holds no rows (needs one JSON object on each line)"),
    "a list of rows": (b'[{"case": "a"}]', "rows.jsonl:1: is list (needs an object {...} on each line)"),
    "a table": (
        b"\xef\xbb\xbfcase,score\r\n",
        "rows.jsonl:1: is not JSON: expecting value in column 1 (one object on each line)",
    ),
    "a line that was cut off": (
        b'{"case": "a", "score": 0.5, "corr',
        "rows.jsonl:1: is not JSON: unterminated string starting at in column 29 (one object on each line)",
    ),
    "UTF-16": (
        '{"case": "a"}'.encode("utf-16"),
        "rows.jsonl:1: holds byte 0xff, which is not UTF-8 (save the file as UTF-8)",
    ),
    "a number that no float holds": (
        b'{"case": "a", "score": 1e999}',
        "rows.jsonl:1: a.score: is Infinity (needs a finite number, or null where the case is never answered)",
    ),
    "a truth value for a score": (
        b'{"case": "a", "score": true}',
        "rows.jsonl:1: a.score: is True (needs a finite number, or null where the case is never answered)",
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_file_is_refused_in_these_words(name: str) -> None:
    written, words = ODD[name]
    with pytest.raises(CalibrationError) as caught:
        read_rows(BytesIO(written), name="rows.jsonl")
    assert str(caught.value) == words


def test_one_row_is_one_class() -> None:
    with pytest.raises(CalibrationError) as caught:
        require_calibration_sample(make_sample(ordered_rows(1, 0)))
    assert str(caught.value).startswith("rows.jsonl: the one scored row is right (needs wrong ones too: ")
