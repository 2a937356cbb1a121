"""A generator over HTTP, against an endpoint that does everything an endpoint can do wrong."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest
from pydantic import ValidationError

from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.settings import ModelSettings, PipelineSettings
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.misbehaving import Behaviour, Endpoint, breaks_off, drips, endpoint, hangs, hangs_up, replies, says
from tests.pipeline.scripted import ask, step

HOTEL = make_chunk("hotel", "The nightly hotel limit in standard cities is $180.")
QUESTION = "What is the nightly hotel limit in a standard city?"
SOUND = {"claims": [{"text": HOTEL.text, "citations": [{"chunk": "hotel", "quote": HOTEL.text}]}], "abstain": False}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def answer(served: Endpoint | str, *, question: str = QUESTION, repairs: int = 0, **model: Any) -> Response:
    base_url = served if isinstance(served, str) else served.base_url
    settings = PipelineSettings.model_validate(
        {
            "generation": {"model": {"base_url": base_url, "model": "m", "timeout": 0.3, **model}},
            "verification": {"repairs": repairs, "mend": False, "on_failure": "abstain"},
        }
    )
    return assemble(settings).answer(ask(question, [HOTEL]))


def test_a_sound_draft_is_shown_with_what_it_cost() -> None:
    with endpoint(says(json.dumps(SOUND), usage={"prompt_tokens": 90, "completion_tokens": 30})) as served:
        response = answer(served)
    assert (response.decision.value, response.cited, response.delivery) == ("answer", ("hotel",), "generated")
    assert response.internal.usage == {"calls": 1, "input_tokens": 90, "output_tokens": 30}
    assert response.internal.raw == json.dumps(SOUND)
    assert response.internal.versions is not None
    assert response.internal.versions["generator"] == "openai-compatible/m/t0.0"


def test_what_reaches_the_model_is_the_recorded_prompt_and_a_schema_of_the_evidence() -> None:
    with endpoint(says(json.dumps(SOUND))) as served:
        response = answer(served)
    (sent,) = served.requests
    assert response.internal.prompt == (sent["messages"][0]["content"],)
    assert (len(sent["messages"]), sent["temperature"], sent["seed"]) == (1, 0.0, 7)
    schema = sent["response_format"]["json_schema"]["schema"]
    citation = schema["properties"]["claims"]["items"]["properties"]["citations"]["items"]
    assert citation["properties"]["chunk"]["enum"] == ["hotel"]


def test_schema_and_seed_can_be_left_out() -> None:
    with endpoint(says(json.dumps(SOUND))) as served:
        answer(served, json_schema=False, seed="null")
    assert {"response_format", "seed"}.isdisjoint(served.requests[0])


def test_below_the_gate_the_endpoint_is_not_called() -> None:
    with endpoint(says(json.dumps(SOUND))) as served:
        response = answer(served, question="What is the meal allowance?")
    assert (served.requests, response.internal.prompt, response.reason_code) == ([], (), "NO_EVIDENCE")


def test_a_draft_that_fails_is_sent_back_with_what_was_wrong() -> None:
    wrong = {"claims": [{"text": HOTEL.text, "citations": [{"chunk": "c14", "quote": HOTEL.text}]}], "abstain": False}
    with endpoint(says(json.dumps(wrong)), says(json.dumps(SOUND))) as served:
        response = answer(served, repairs=1)
    assert response.decision.value == "answer"
    assert "cited ids not supplied: ['c14']" in served.requests[1]["messages"][0]["content"]


def test_a_model_may_abstain() -> None:
    with endpoint(says('{"claims": [], "abstain": true}')) as served:
        assert answer(served).reason_code == "LOW_CONFIDENCE"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(f"```json\n{json.dumps(SOUND)}\n```", id="fence"),
        pytest.param(f"```JSON\n{json.dumps(SOUND, indent=2)}\n```\nAnything else?", id="fence-and-prose"),
        pytest.param(f"Sure! Here is the answer:\n{json.dumps(SOUND)}\nI hope this helps.", id="prose-around"),
        pytest.param(f"<think>The evidence {{says}} so.</think>\n{json.dumps(SOUND)}", id="thoughts"),
        pytest.param(f"\ufeff{json.dumps(SOUND)}", id="byte-order-mark"),
    ],
)
def test_one_sound_draft_is_read_whatever_stands_around_it(content: str) -> None:
    with endpoint(says(content)) as served:
        response = answer(served)
    assert (response.decision.value, response.cited, response.text) == ("answer", ("hotel",), f"{HOTEL.text[:-1]} [1].")


def message(**choice: Any) -> Behaviour:
    """Reply with one choice as it is given."""
    return replies(json.dumps({"choices": [{"index": 0, **choice}]}).encode())


@pytest.mark.parametrize(
    "choice",
    [
        pytest.param({"message": {"content": None, "refusal": "I cannot help."}}, id="refusal"),
        pytest.param({"message": {"content": "", "refusal": "I cannot help."}}, id="refusal-beside-an-empty-text"),
        pytest.param({"message": {"content": None}, "finish_reason": "content_filter"}, id="content-filter"),
    ],
)
def test_a_model_that_refuses_has_abstained(choice: dict[str, Any]) -> None:
    with endpoint(message(**choice)) as served:
        response = answer(served, repairs=2)
    assert (response.decision.value, response.reason_code, len(served.requests)) == ("abstain", "LOW_CONFIDENCE", 1)


def test_a_draft_cut_at_its_limit_is_sent_back_with_what_is_wrong() -> None:
    cut = message(message={"content": json.dumps(SOUND)[:60]}, finish_reason="length")
    with endpoint(cut, says(json.dumps(SOUND))) as served:
        response = answer(served, repairs=1)
    assert response.decision.value == "answer"
    assert "schema: draft breaks off inside its JSON object" in served.requests[1]["messages"][0]["content"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("The limit is $180.", id="prose"),
        pytest.param(f"{json.dumps(SOUND)}\n{json.dumps(SOUND)}", id="two-drafts"),
        pytest.param('{"claims": [], "claims": [{"text": "It is $999."}]}', id="one-key-twice"),
        pytest.param("I'm sorry, but I can't help with that.", id="refusal-in-prose"),
        pytest.param('{"claims": [{"text": "The lim', id="cut-off"),
        pytest.param("", id="empty"),
        pytest.param("{}", id="no-claims"),
        pytest.param("[1, 2]", id="list"),
        pytest.param('{"claims": [null, 3, "x"], "abstain": false}', id="claims-of-other-types"),
        pytest.param("<|im_start|>assistant {}", id="delimiters"),
        pytest.param("{" * 100_000, id="deep"),
        pytest.param(f'{{"claims": {"9" * 5_000}}}', id="endless-number"),
        pytest.param(
            json.dumps(
                {"claims": [{"text": "It is $999.", "citations": [{"chunk": "hotel", "quote": "It is $999."}]}]}
            ),
            id="lie",
        ),
    ],
)
def test_a_reply_that_is_no_sound_draft_is_never_shown(content: str) -> None:
    with endpoint(says(content)) as served:
        response = answer(served)
    assert (response.decision.value, response.reason_code) == ("abstain", "UNVERIFIED_ANSWER")
    assert "999" not in response.model_dump_json(exclude={"internal"})
    assert response.internal.raw == content


@pytest.mark.parametrize(
    ("behaviour", "kind", "status"),
    [
        pytest.param(replies(b"oops", status=500), "http_status", 500, id="500"),
        pytest.param(replies(b"slow down", status=429, headers={"Retry-After": "60"}), "http_status", 429, id="429"),
        pytest.param(replies(b"", status=401), "http_status", 401, id="401"),
        pytest.param(
            replies(b"", status=302, headers={"Location": "http://127.0.0.1:9/"}), "http_status", 302, id="redirect"
        ),
        pytest.param(
            replies(b"", status=302, headers={"Location": "http://[x"}), "http_status", 302, id="redirect-nowhere"
        ),
        pytest.param(replies(b"<html>login</html>"), "malformed_reply", None, id="html"),
        pytest.param(replies(b""), "malformed_reply", None, id="empty-body"),
        pytest.param(replies(b"[]"), "malformed_reply", None, id="list-body"),
        pytest.param(
            replies(b'{"error": {"message": "model is loading"}}'), "malformed_reply", None, id="error-in-200"
        ),
        pytest.param(replies(b'{"choices": []}'), "malformed_reply", None, id="no-choices"),
        pytest.param(replies(b'{"choices": "many"}'), "malformed_reply", None, id="choices-as-text"),
        pytest.param(says(None), "malformed_reply", None, id="null-content"),
        pytest.param(says({"claims": []}), "malformed_reply", None, id="content-as-object"),
        pytest.param(replies(b"\xff\xfe{"), "malformed_reply", None, id="no-utf-8"),
        pytest.param(replies(b" " * 3_000_000), "reply_too_large", None, id="huge"),
        pytest.param(hangs, "timeout", None, id="hangs"),
        pytest.param(drips, "timeout", None, id="drips"),
        pytest.param(breaks_off, "connection_broken", None, id="breaks-off"),
        pytest.param(hangs_up, "connection_broken", None, id="hangs-up"),
    ],
)
def test_an_endpoint_that_fails_makes_a_system_failure(behaviour: Behaviour, kind: str, status: int | None) -> None:
    with endpoint(behaviour) as served:
        response = answer(served)
    assert (response.decision.value, response.reason_code) == ("abstain", "SYSTEM_FAILURE")
    assert response.error is not None
    assert (response.error.kind, response.error.status) == (kind, status)
    assert response.claims == ()
    assert len(response.internal.prompt or ()) == 1
    assert step(response, "generate")["error"] == kind


def test_a_port_where_nobody_listens_is_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    response = answer(f"http://127.0.0.1:{port}/v1")
    assert response.error is not None
    assert response.error.kind == "unreachable"


def test_the_key_is_read_when_it_is_needed_and_written_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_MODEL_KEY", "sk-very-secret")
    with endpoint(says(json.dumps(SOUND))) as served:
        response = answer(served, api_key_env="TEST_MODEL_KEY")
    assert served.headers[0]["Authorization"] == "Bearer sk-very-secret"
    assert "sk-very-secret" not in response.model_dump_json()


def test_without_its_key_the_endpoint_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_MODEL_KEY", raising=False)
    with endpoint(says(json.dumps(SOUND))) as served:
        response = answer(served, api_key_env="TEST_MODEL_KEY")
    assert served.requests == []
    assert response.error is not None
    assert response.error.kind == "no_api_key"


@pytest.mark.parametrize(
    "key", ["sk-very\nsecret", "sk-very-secret\x00", "sk-very-secr\u0435t", "sk-very-secret\udcff"], ids=ascii
)
def test_a_key_that_no_header_can_carry_is_not_sent_and_written_nowhere(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.environ", {"TEST_MODEL_KEY": key})
    with endpoint(says(json.dumps(SOUND))) as served:
        response = answer(served, api_key_env="TEST_MODEL_KEY")
    assert served.requests == []
    assert response.error is not None
    assert response.error.kind == "unusable_api_key"
    assert "sk-very" not in response.model_dump_json()


def test_the_line_break_that_ends_a_file_is_no_part_of_the_key_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_MODEL_KEY", "sk-very-secret\r\n")
    with endpoint(says(json.dumps(SOUND))) as served:
        answer(served, api_key_env="TEST_MODEL_KEY")
    assert served.headers[0]["Authorization"] == "Bearer sk-very-secret"


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "ftp://host/v1",
        "localhost:80",
        "http://user:pw@host/v1",
        "http://:pw@host/v1",
        "http://[x",
        "http://host:port/v1",
        "http://host:99999/v1",
        "http://host:0/v1",
        "http://a host/v1",
        "http://h\u00f6st/v1",
        "http://host/\u00fc",
        "http://.host/v1",
        f"http://{'h' * 70}/v1",
        "http://host/v1\r\nX: y",
        "http://host/v1?key=pw",
        "http://host/v1#there",
        "",
    ],
    ids=ascii,
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ValidationError, match="http or https address"):
        ModelSettings(base_url=address, model="m")


@pytest.mark.parametrize(("setting", "value"), [("timeout", 1e10), ("temperature", float("inf"))])
def test_no_setting_is_larger_than_what_is_made_of_it_can_hold(setting: str, value: float) -> None:
    with pytest.raises(ValidationError, match=setting):
        ModelSettings.model_validate({"base_url": "http://localhost/v1", "model": "m", setting: value})
