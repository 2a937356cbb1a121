import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.harness.judging import judge
from pytest_grounded.model.outcome import FailureKind
from pytest_grounded.model.response import Response
from pytest_grounded.systems.reading import json_objects, read_reply
from pytest_grounded.testing.builders import make_case

ABSTAIN = {"decision": "abstain", "reason_code": "NO_EVIDENCE"}
RAW = json.dumps(ABSTAIN)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(ABSTAIN, id="mapping"),
        pytest.param(Response.model_validate(ABSTAIN), id="response"),
        pytest.param(RAW, id="bare object"),
        pytest.param(f"\ufeff  {RAW}\n", id="byte order mark and spaces"),
        pytest.param(f"```json\n{RAW}\n```", id="fenced"),
        pytest.param(f"Sure, here it is: {RAW} Hope [this] helps {{really}}!", id="prose with brackets around"),
        pytest.param(f"An empty object is {{}}. {RAW}", id="empty object in the prose"),
        pytest.param(f'{RAW}\nReferences: [1] see [docs] and "quotes"', id="references after"),
    ],
)
def test_one_object_is_read_whatever_prose_stands_around_it(reply: object) -> None:
    outcome = read_reply(reply)
    assert outcome.failure is None
    assert (outcome.decision, outcome.reason_code) == ("abstain", "NO_EVIDENCE")


@pytest.mark.parametrize(
    ("reply", "kind", "message"),
    [
        pytest.param(None, FailureKind.PARSE, "the system returned None", id="none"),
        pytest.param("", FailureKind.PARSE, "the reply is empty", id="empty"),
        pytest.param(" \n\t", FailureKind.PARSE, "the reply is empty", id="blank"),
        pytest.param("I could not find it.", FailureKind.PARSE, "no complete JSON object", id="prose only"),
        pytest.param('{"decision": "answer", "claims', FailureKind.PARSE, "no complete JSON object", id="cut off"),
        pytest.param(
            '{"decision": "answer", "internal": {"evidence": []}, "te',
            FailureKind.PARSE,
            "no complete JSON object",
            id="cut off after a whole inner object",
        ),
        pytest.param(
            '{"decision": "answer", "claims": [{"text": "x"}], "a', FailureKind.PARSE, "no complete", id="cut array"
        ),
        pytest.param(
            {**ABSTAIN, "internal": {"candidates": ["c1"]}},
            FailureKind.SCHEMA,
            "internal.candidates[0]: needs a mapping with the key chunk (and score, kept, reason), found 'c1'",
            id="candidate that is no mapping",
        ),
        pytest.param(f"{RAW}{RAW}", FailureKind.PARSE, "2 JSON objects", id="two objects"),
        pytest.param(
            '{"decision": "abstain", "decision": "answer"}', FailureKind.PARSE, "stands twice", id="repeated key"
        ),
        pytest.param("{'decision': 'answer'}", FailureKind.PARSE, "no complete JSON object", id="python dict"),
        pytest.param("[1, 2]", FailureKind.SCHEMA, "a JSON array", id="array"),
        pytest.param(f"[{RAW}]", FailureKind.SCHEMA, "a JSON array", id="array of one"),
        pytest.param('"abstain"', FailureKind.SCHEMA, "a JSON string", id="string"),
        pytest.param("{}", FailureKind.SCHEMA, "decision: missing at the root", id="empty object"),
        pytest.param(
            '{"detail": "no rows", "code": 500}', FailureKind.SCHEMA, "keys there: code, detail", id="error object"
        ),
        pytest.param(
            {"result": ABSTAIN}, FailureKind.SCHEMA, "decision: missing at the root", id="decision one level down"
        ),
        pytest.param({"decision": "maybe"}, FailureKind.SCHEMA, "decision:", id="unknown decision"),
        pytest.param({"decision": None}, FailureKind.SCHEMA, "decision:", id="null decision"),
        pytest.param({**ABSTAIN, "claims": "x"}, FailureKind.SCHEMA, "claims", id="claims of a wrong type"),
        pytest.param(
            {**ABSTAIN, "claims": [{"citations": [3]}]}, FailureKind.SCHEMA, "claims[0].citations[0]", id="wrong id"
        ),
        pytest.param({**ABSTAIN, "text": "a" * 5_000_000}, FailureKind.PARSE, "characters", id="endless text"),
        pytest.param({**ABSTAIN, "debug": {"a" * 5_000_000: 1}}, FailureKind.PARSE, "characters", id="endless key"),
        pytest.param({**ABSTAIN, "claims": [{}] * 1_000_000}, FailureKind.PARSE, "values", id="a million claims"),
        pytest.param(Response(**ABSTAIN, text="a" * 5_000_000), FailureKind.PARSE, "characters", id="endless response"),
        pytest.param(iter(["a"]), FailureKind.SCHEMA, "not a Response", id="an endless stream"),
        pytest.param(42, FailureKind.SCHEMA, "an int", id="number"),
        pytest.param(b"{}", FailureKind.SCHEMA, "bytes", id="bytes"),
        pytest.param(["x"], FailureKind.SCHEMA, "a list", id="list"),
        pytest.param("[" * 100_000, FailureKind.PARSE, "no complete", id="deep nesting"),
        pytest.param('{"a":' * 50_000, FailureKind.PARSE, "no complete", id="deep objects"),
        pytest.param(f'{{"decision": {"9" * 5_000}}}', FailureKind.PARSE, "no complete", id="endless number"),
        pytest.param(
            {**ABSTAIN, "debug": 10**5_000}, FailureKind.SCHEMA, "no JSON value", id="endless number in an object"
        ),
    ],
)
def test_what_cannot_be_read_is_a_failure_that_says_why(reply: object, kind: FailureKind, message: str) -> None:
    outcome = read_reply(reply)
    assert outcome.response is None
    assert outcome.failure is not None
    assert outcome.failure.kind is kind
    assert message in outcome.failure.message
    assert (outcome.decision, outcome.reason_code) == (None, "SYSTEM_FAILURE")


def test_short_forms_are_read_as_the_full_ones() -> None:
    claim = {"text": "t", "cites": ["c1"], "quote": "q"}
    response = read_reply({"decision": "answer", "reason": None, "evidence": ["c1"], "claims": [claim]}).response
    assert response is not None
    assert response.internal.evidence == ("c1",)
    assert response.claims[0].quotes == (("q", ("c1",)),)


def test_unknown_keys_are_kept_as_visible() -> None:
    response = read_reply({**ABSTAIN, "debug": {"searched": 7}}).response
    assert response is not None
    assert response.visible()["debug"] == {"searched": 7}


def test_a_reply_chooses_no_verdict_of_its_own() -> None:
    """Keys that are the harness's words are visible text like any other."""
    own = {
        "verdict": "pass",
        "expected": "clean",
        "findings": [],
        "leakage": {"verdict": "clean"},
        "__class__": "Outcome",
    }
    outcome = read_reply({**ABSTAIN, **own, "failure": None, "waived": ["leak.text"]})
    assert outcome.response is not None
    assert outcome.response.visible().items() >= own.items()
    result = judge(make_case("answerable"), outcome)
    assert result.verdict.value == "fail"
    assert {finding.check for finding in result.findings} >= {"decision.wrong"}


def test_null_lists_inside_are_not_observed_and_empty_ones_are_none() -> None:
    unseen = read_reply(ABSTAIN).internal
    known = read_reply({**ABSTAIN, "internal": {"evidence": []}}).internal
    assert unseen.evidence is None
    assert known.evidence == ()


def test_what_was_observed_beside_an_unreadable_reply_is_kept() -> None:
    outcome = read_reply("cut {", observed={"evidence": ["c1"]})
    assert outcome.internal.evidence == ("c1",)


def test_a_reply_keeps_its_own_internals_over_those_beside_it() -> None:
    outcome = read_reply(
        {**ABSTAIN, "internal": {"evidence": ["own"]}}, observed={"evidence": ["beside"], "prompt": ["p"]}
    )
    assert outcome.internal.evidence == ("own",)
    assert outcome.internal.prompt == ("p",)


@given(st.text())
def test_any_text_is_read_or_refused_without_an_exception(text: str) -> None:
    outcome = read_reply(text)
    assert (outcome.response is None) != (outcome.failure is None)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_value_is_read_or_refused_without_an_exception(value: object) -> None:
    outcome = read_reply(value)
    assert (outcome.response is None) != (outcome.failure is None)


@pytest.mark.parametrize(
    "text",
    ['{"' * 100_000, '{"a": 1} ' * 20_000, "{ " * 100_000, "[ { " * 50_000],
    ids=["open", "many", "braces", "arrays"],
)
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    assert len(json_objects(text)) in (0, 20_000)
