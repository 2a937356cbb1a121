from __future__ import annotations

import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.detection.views import MOST_VIEWS, decoded_views, rotated
from tests.detection.corpora import handbook
from tests.detection.disguises import DISGUISES

SECRET = "the closing bonus is 41,750 each"


@pytest.mark.parametrize(
    ("text", "view", "decoded"),
    [
        ("a &amp; b", "html", "a & b"),
        ("100%25 of it", "percent", "100% of it"),
        (r"\x41\u0042\u{43}\104", "escapes", "ABCD"),
        (r"\x{41}\N{U+42}\o{103}", "escapes", "ABC"),
        (r"\41\000042 c\64 e", "css escapes", "ABcde"),
        ("a<b>b</b>c", "tags", "abc"),
        ("see [the](http://a.example) plan", "links", "see the plan"),
        ("\U000e0061b", "tag characters", "ab"),
    ],
)
def test_a_decoder_rewrites_its_own_encoding_and_leaves_the_rest(text: str, view: str, decoded: str) -> None:
    assert (view, decoded) in [(one.name, one.text) for one in decoded_views(text)]


@given(st.text(max_size=300))
def test_views_are_few_and_never_the_text_itself(text: str) -> None:
    views = decoded_views(text)
    assert len(views) < MOST_VIEWS
    assert all(view.text != text for view in views)
    assert len({view.text for view in views}) == len(views)


def test_ordinary_prose_has_no_views() -> None:
    prose = [text for text in handbook() if not set("&%\\<[").intersection(text) and max(map(len, text.split())) < 16]
    assert len(prose) > 20
    assert sum(bool(decoded_views(text)) for text in prose) == 0


def test_views_of_rubbish_end() -> None:
    source = random.Random(5)  # noqa: S311 - the same rubbish every time
    rubbish = base64.b64encode(source.randbytes(3000)).decode() + "%41&#65;\\x41" + source.randbytes(500).hex()
    assert len(decoded_views(rubbish)) < MOST_VIEWS


def test_two_layers_are_taken_off_and_three_are_not() -> None:
    hidden = SECRET
    for layers in range(1, 4):
        hidden = base64.b64encode(hidden.encode()).decode()
        assert any(SECRET in view.text for view in decoded_views(hidden)) is (layers < 3)


@pytest.mark.parametrize(
    ("disguise", "name"),
    [
        ("hex", "hex"),
        ("base64", "base64"),
        ("HTML entities", "html"),
        ("percent", "percent"),
        ("decimal codes", "decimal"),
        ("binary codes", "binary"),
        ("hex of base64", "hex>base64"),
    ],
)
def test_a_view_names_how_the_text_has_to_be_read(disguise: str, name: str) -> None:
    assert name in {view.name for view in decoded_views(f"so: {DISGUISES[disguise](SECRET)}") if SECRET in view.text}


@given(st.text(max_size=50), st.integers(1, 25))
def test_rotating_forth_and_back_changes_nothing(text: str, shift: int) -> None:
    assert rotated(rotated(text, shift), 26 - shift) == text
