"""Hostile texts cost a fixed multiple of their length: 200,000 characters of each shape in less than a second."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from pytest_grounded.detection import Detector
from pytest_grounded.redaction import Redactor, find_secrets, mask_secrets, neutralise
from tests.detection.corpora import detector, handbook, hidden_chunk, make_chunk

LENGTH = 200_000
SHAPES = {
    "A": "A", "a1": "a1", "aB": "aB", "percent": "%", "percent codes": "%41", "ampersands": "&", "entities": "&#65;",
    "backslashes": "\\", "escapes": "\\u0041", "angle": "<", "open tags": "<a ", "comments": "<!--", "brackets": "[",
    "links": "[a](", "ligature of eighteen letters": "\ufdfa", "marks": "a\u0301\u0323\u0307", "joiners": "\u200d",
    "zero width": "\u200b", "tag characters": "\U000e0041", "selectors": "\ufe00\U000e0150", "spaces": " ", "line ends": "\n",
    "digits": "1", "codes": "65 ", "bits": "01", "octets": "01000001 ", "hex pairs": "ab ", "prefixed": "0x41,",
    "code points": "U+0041 ", "base64 lines": "QUJDREVGR0hJSktMTU5PUA==\n", "dashes": "a-", "commas": "1,", "dates": "1 March 2027 ",
    "points": "1.", "quotes": "'a", "mail": "a@", "capitals": "Ab ", "Korean parts": "\u1100\u1161", "emoji": "\U0001f600",
    "workflow": "::a::\n##[", "keys": "sk-aaaaaaaa ", "named keys": "api_key=", "bearer": "Bearer aaaa1 ", "urls": "https://a:b@c/",
    "nested": "PGI+JmFtcDslNDE8L2I+ ", "slashes": "/", "underscores": "_", "mixed": "<b>&amp;%41\\u0041[a](b) 4142434445464748 ",
}  # fmt: skip


@pytest.fixture(scope="module")
def looking() -> Detector:
    looking = detector(
        *(hidden_chunk(f"memo-{n}", text) for n, text in enumerate(handbook()[:40])),
        hidden_chunk("a", "a" * 400),
        hidden_chunk("n", "1" * 30 + " Aaaa 65 aB1 " + "ab" * 40),
        make_chunk("p", "The nightly hotel limit is 180 dollars."),
    )
    looking.scan("warm up: " + handbook()[0])
    return looking


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_scanning_a_hostile_text_ends_within_a_second(shape: str, looking: Detector) -> None:
    text = shape * (LENGTH // len(shape))
    assert seconds(lambda: looking.scan({"text": text})) < 1


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_neutralising_and_masking_a_hostile_text_ends_within_a_second(shape: str) -> None:
    text = shape * (LENGTH // len(shape))
    assert seconds(lambda: neutralise(text)) < 0.5
    assert seconds(lambda: (find_secrets({"a": text}), mask_secrets(text))) < 1


@pytest.mark.parametrize("name", ["A", "aB", "digits", "entities", "dates", "ligature of eighteen letters", "mixed"])
def test_cleaning_a_hostile_text_ends_within_three_seconds(name: str, looking: Detector) -> None:
    text = SHAPES[name] * (LENGTH // len(SHAPES[name]))
    assert seconds(lambda: Redactor(looking.view).text(text)) < 3


def test_many_small_fields_cost_what_one_large_one_costs(looking: Detector) -> None:
    claims = [{"text": f"Claim {n} says nothing.", "citations": [{"chunk": "p", "quote": "180"}]} for n in range(3000)]
    assert seconds(lambda: looking.scan({"claims": claims})) < 2
