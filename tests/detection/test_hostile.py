"""Hostile texts cost a fixed multiple of their length: eight times as much of each shape about eight times as much.

200,000 characters of the worst shape took 0.6 seconds when this was written (`benchmarks/hostile.py` measures).
"""

from __future__ import annotations

import base64
import time
import zlib
from collections.abc import Callable

import pytest

from pytest_grounded.detection import Detector
from pytest_grounded.redaction import Redactor, find_secrets, mask_secrets, neutralise
from tests.counting import assert_linear
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
    "equals": "=", "quoted-printable": "=41", "packed": base64.b64encode(zlib.compress(b"A" * 100_000)).decode() + " ", "nested": "PGI+JmFtcDslNDE8L2I+ ", "slashes": "/", "underscores": "_", "mixed": "<b>&amp;%41\\u0041[a](b) 4142434445464748 ",
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


GROWTH, SLACK, LEAST = 8, 3, 0.004
"""A text so many times as long may cost so many times more than that; what costs less seconds than that is not compared."""


def assert_grows_with_length(work: Callable[[str], object], shape: str) -> None:
    """A long text costs no more of a short one than its length says, both measured here: quadratic work would cost 64."""
    short, long = (_seconds(work, shape * (length // len(shape))) for length in (LENGTH // GROWTH, LENGTH))
    assert long < GROWTH * SLACK * max(short, LEAST)


def _seconds(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start


def clean_of_secrets(text: str) -> None:
    neutralise(text)
    find_secrets({"a": text})
    mask_secrets(text)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_hostile_text_costs_what_its_length_does(shape: str, looking: Detector) -> None:
    assert_grows_with_length(lambda text: looking.scan({"text": text}), shape)
    assert_grows_with_length(clean_of_secrets, shape)


@pytest.mark.parametrize("name", ["A", "aB", "digits", "entities", "dates", "ligature of eighteen letters", "mixed"])
def test_cleaning_a_hostile_text_costs_what_its_length_does(name: str, looking: Detector) -> None:
    assert_grows_with_length(lambda text: Redactor(looking.view).text(text), SHAPES[name])


def test_many_small_fields_cost_what_one_large_one_costs(looking: Detector) -> None:
    def claims(count: int) -> object:
        return [
            {"text": f"Claim {n} says nothing.", "citations": [{"chunk": "p", "quote": "180"}]} for n in range(count)
        ]

    assert_linear(lambda said: looking.scan({"claims": said}), claims, 400)
