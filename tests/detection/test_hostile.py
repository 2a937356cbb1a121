"""Hostile texts cost a fixed multiple of their length: four times as much of each shape about four times the calls.

What one match of a pattern takes is no call: every shape is read at 200,000 characters too, where a pattern that goes
back over the text again and again would not end, and `benchmarks/hostile.py` measures.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable

import pytest

from pytest_grounded.detection import Detector
from pytest_grounded.redaction import Redactor, find_secrets, mask_secrets, neutralise
from tests.counting import assert_linear
from tests.detection.corpora import detector, handbook, hidden_chunk, make_chunk

FEW, LENGTH = 4_000, 200_000
SHAPES = {
    "A": "A", "a1": "a1", "aB": "aB", "percent": "%", "percent codes": "%41", "ampersands": "&", "entities": "&#65;",
    "backslashes": "\\", "escapes": "\\u0041", "escapes of CSS": "\\41 ", "digits apart": "1-", "scaled": "412k ", "angle": "<", "open tags": "<a ", "comments": "<!--", "brackets": "[",
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


def repeated(shape: str) -> Callable[[int], str]:
    """A shape over and over, up to a length."""
    return lambda length: shape * (length // len(shape))


def assert_grows_with_length(work: Callable[[str], object], shape: str) -> None:
    """A text of four times the length takes about four times the calls, and even a long one is read to its end."""
    assert_linear(work, repeated(shape), FEW)
    work(repeated(shape)(LENGTH))


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
