import json
from pathlib import Path

import pytest

from pytest_grounded.errors import SystemContractError
from pytest_grounded.model.outcome import FailureKind
from pytest_grounded.systems.recorded import Recording

ABSTAIN = {"decision": "abstain", "reason_code": "NO_EVIDENCE"}


def recording(tmp_path: Path, *lines: object) -> Recording:
    path = tmp_path / "responses.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return Recording.load(path, name="responses.jsonl")


def test_a_line_without_suite_serves_every_suite_and_an_exact_one_wins(tmp_path: Path) -> None:
    escalate = {"decision": "escalate"}
    made = recording(tmp_path, {"case": "a", "response": ABSTAIN}, {"suite": "s", "case": "a", "response": escalate})
    assert made.reply(suite="other", case="a").decision == "abstain"
    assert made.reply(suite="s", case="a").decision == "escalate"


def test_a_raw_text_and_what_stands_beside_it_are_read(tmp_path: Path) -> None:
    made = recording(
        tmp_path, {"case": "a", "response": f"```{json.dumps(ABSTAIN)}```", "internal": {"evidence": ["c1"]}}
    )
    outcome = made.reply(suite="s", case="a")
    assert outcome.decision == "abstain"
    assert outcome.internal.evidence == ("c1",)


def test_null_means_that_nothing_came_back(tmp_path: Path) -> None:
    failure = recording(tmp_path, {"case": "a", "response": None}).reply(suite="s", case="a").failure
    assert failure is not None
    assert failure.kind is FailureKind.PARSE


def test_a_case_that_was_not_recorded_is_a_failure_that_says_so(tmp_path: Path) -> None:
    failure = recording(tmp_path, {"case": "a", "response": ABSTAIN}).reply(suite="s", case="b").failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_RECORDED
    assert failure.message == "no reply to case 'b' of suite 's' is recorded in responses.jsonl"


def test_runs_and_variants_are_told_apart(tmp_path: Path) -> None:
    other = {"decision": "clarify"}
    made = recording(
        tmp_path,
        {"case": "a", "response": ABSTAIN},
        {"case": "a", "run": 1, "response": other},
        {"case": "a", "variant": "reduced", "response": other},
        {"case": "a", "step": 0, "response": other},
    )
    assert made.reply(suite="s", case="a").decision == "abstain"
    assert made.reply(suite="s", case="a", run=1).decision == "clarify"
    assert made.reply(suite="s", case="a", variant="reduced").decision == "clarify"
    assert made.runs(suite="s", case="a") == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "responses.jsonl:2: is not JSON"),
        (f'{{"case": {"9" * 5_000}}}', "responses.jsonl:2: holds a whole number of more digits than can be read"),
        ("[]", "responses.jsonl:2: needs an object with `case` and `response`"),
        ({"case": "b"}, "responses.jsonl:2: needs `response`"),
        ({"response": ABSTAIN}, "responses.jsonl:2: case: needs a text, found None"),
        ({"case": "b", "response": 1, "respons": 2}, "responses.jsonl:2: unknown key 'respons'"),
        ({"case": "b", "response": 1, "run": "0"}, "responses.jsonl:2: run: needs a whole number, found '0'"),
        ({"case": "a", "response": ABSTAIN}, "responses.jsonl:2: the reply to case 'a' (live, run 0) stands in line 1"),
    ],
    ids=["no json", "endless number", "array", "no response", "no case", "unknown key", "wrong type", "twice"],
)
def test_a_line_that_cannot_be_used_is_named_with_its_number(tmp_path: Path, line: object, message: str) -> None:
    with pytest.raises(SystemContractError) as caught:
        recording(tmp_path, {"case": "a", "response": ABSTAIN}, line)
    assert str(caught.value).startswith(message)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SystemContractError, match="the recording cannot be read"):
        Recording.load(tmp_path / "missing.jsonl")
