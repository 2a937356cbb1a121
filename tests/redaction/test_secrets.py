from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.redaction import find_secrets, mask_secrets
from tests.detection.corpora import handbook

RANDOM = "q8ZtR2mVx0LwP5sKd9FgH3jB7nYc4TaE"


@pytest.mark.parametrize(
    ("value", "path"),
    [
        pytest.param({"api_key": "sk-test-1111"}, "api_key", id="api_key"),
        pytest.param({"apiKey": "abcd1234"}, "apiKey", id="camel case"),
        pytest.param({"raw": {"headers": {"Authorization": "Bearer abc"}}}, "raw.headers.Authorization", id="header"),
        pytest.param({"X-Auth-Token": "k"}, "X-Auth-Token", id="token header"),
        pytest.param({"db": [{"password": "hunter2"}]}, "db[0].password", id="password in a list"),
        pytest.param({"client_secret": ["a1b2"]}, "client_secret[0]", id="list of secrets"),
        pytest.param({"DB_PASSWORD": "pass word"}, "DB_PASSWORD", id="capitals"),
        pytest.param({"text": "use sk-proj-AbCdEf123456 for it"}, "text", id="key in prose"),
        pytest.param({"text": "ghp_" + "a1B2" * 9}, "text", id="GitHub token"),
        pytest.param({"text": "AKIAIOSFODNN7EXAMPLE"}, "text", id="AWS id"),
        pytest.param({"text": "xoxb-123456789012-abcdef"}, "text", id="Slack"),
        pytest.param({"text": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"}, "text", id="JWT"),
        pytest.param(
            {"text": "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"}, "text", id="private key"
        ),
        pytest.param({"text": "postgres://app:s3cret@db.example/x"}, "text", id="password in an address"),
        pytest.param({"text": 'Client(api_key="sk-test-1111", n=3)'}, "text", id="argument"),
        pytest.param({"note": f"it is {RANDOM}"}, "note", id="random token"),
        pytest.param({"sk-test-aaaa1111": 3}, "", id="key of an object"),
    ],
)
def test_a_credential_is_found_where_it_stands_and_masked(value: object, path: str) -> None:
    [secret] = find_secrets(value)
    assert secret.path == path
    masked = mask_secrets(value)
    assert not find_secrets(masked)
    assert all(word not in str(secret) for word in ("hunter2", "1111", RANDOM))


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"usage": {"total_tokens": 120, "prompt_tokens": "88", "max_tokens": 3}}, id="counts"),
        pytest.param(
            {"tokens": ["the", "limit"], "token_type": "bearer", "next_page_token": "abc"}, id="words about tokens"
        ),
        pytest.param({"logprobs": [{"token": "limit", "p": 0.5}], "session_id": "conv-12"}, id="words of a text"),
        pytest.param({"api_key": None, "password": "", "secret": "***", "token": "<redacted>"}, id="placeholders"),
        pytest.param({"api_key": "${OPENAI_API_KEY}", "password": "your-password"}, id="variables"),
        pytest.param(
            {"digest": "sha256:" + "0af3" * 16, "commit": "9e107d9d372bb6826bd81d3542a419d69e107d9d"}, id="hashes"
        ),
        pytest.param({"api_key_hash": "5f4dcc3b5aa765d61d8327deb882cf99"}, id="hash of a key"),
        pytest.param({"session_id": "0b8f4c52-5b0e-4f06-9d3f-3c1a2b4d5e6f"}, id="UUID"),
        pytest.param({"question": "How do I reset my password?", "secret_santa": "no"}, id="words about passwords"),
        pytest.param(
            {"text": "The password must have twelve letters: see https://a.example/reset-password"}, id="prose"
        ),
        pytest.param({"url": "https://a.example/Path/To/SomeLongDocumentName-Version2-Final_2024.pdf"}, id="address"),
        pytest.param({"chunk": "travel-policy@v3#hotel-standard-limits-for-cities"}, id="chunk id"),
        pytest.param({"text": "VGhlIG5pZ2h0bHkgaG90ZWwgbGltaXQgaW4gc3RhbmRhcmQgY2l0aWVz"}, id="encoded text"),
        pytest.param({"password": "The password policy asks for twelve letters."}, id="sentence about passwords"),
    ],
)
def test_hashes_uuids_counts_and_words_are_no_credentials(value: object) -> None:
    assert find_secrets(value) == ()
    assert mask_secrets(value) is value


def test_real_prose_holds_no_credentials() -> None:
    assert [text for text in handbook() if find_secrets(text)] == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["token", "a", "api_key", "usage"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(json_values)
def test_masking_takes_everything_that_is_found_and_changes_no_shape(value: object) -> None:
    masked = mask_secrets(value)
    assert find_secrets(masked) == ()
    assert mask_secrets(masked) == masked


def test_what_is_nested_too_deeply_counts_as_a_credential() -> None:
    value: object = "x"
    for _ in range(400):
        value = [value]
    assert [secret.why for secret in find_secrets(value)] == ["nested too deeply to be looked through"]
