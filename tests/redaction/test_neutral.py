from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.redaction import neutralise


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b]0;pwned\x07\x1b[2J", r"\u001b]0;pwned\u0007\u001b[2J", id="terminal title and clear"),
        pytest.param("\x1b]8;;http://evil.example\x07x", r"\u001b]8;;http://evil.example\u0007x", id="terminal link"),
        pytest.param("\x9b31m", r"\u009b31m", id="one-byte control sequence"),
        pytest.param("50%\r100 passed", r"50%\u000d100 passed", id="carriage return"),
        pytest.param("a\x00b\x7fc\x85d", r"a\u0000b\u007fc\u0085d", id="NUL, DEL and NEL"),
        pytest.param("\u202egpj.exe", r"\u202egpj.exe", id="right-to-left override"),
        pytest.param("\u2066a\u2069\u200f\u061c", r"\u2066a\u2069\u200f\u061c", id="isolates and marks"),
        pytest.param("a\U000e0041", r"a\u{e0041}", id="tag character"),
        pytest.param("\ud800x", r"\ud800x", id="lone surrogate"),
        pytest.param("a\u200bb\ufeff\u00ad", r"a\u200bb\ufeff\u00ad", id="invisible characters"),
        pytest.param("a\u2028::b", r"a\u2028::b", id="line separator"),
        pytest.param("::set-output name=x::y", r"\u003a:set-output name=x::y", id="workflow command"),
        pytest.param(
            "a\n  ::error file=a.py::forged", "a\n  \\u003a:error file=a.py::forged", id="indented workflow command"
        ),
        pytest.param("x ##vso[task.complete]", r"x \u0023#vso[task.complete]", id="pipeline command inside a line"),
        pytest.param("##[error]no", r"\u0023#[error]no", id="pipeline log command"),
        pytest.param("##teamcity[testFailed]", r"\u0023#teamcity[testFailed]", id="build server message"),
        pytest.param("<script>alert(1)</script>", r"\u003cscript>alert(1)\u003c/script>", id="script"),
        pytest.param("<!-- x --><?php", r"\u003c!-- x -->\u003c?php", id="comment and instruction"),
    ],
)
def test_what_acts_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert neutralise(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "cases/travel/hotel.yaml::hotel-limit",
        "## Heading\n- a\tb",
        "180 € – “so” — 你好, नमस्ते, می\u200cخواهم, 👩\u200d👧",
        "a < b and c <= d",
        "a#b ## c",
    ],
)
def test_what_people_write_stays(text: str) -> None:
    assert neutralise(text) == text


@given(st.text())
def test_nothing_is_left_that_acts_and_nothing_changes_the_second_time(text: str) -> None:
    shown = neutralise(text)
    assert neutralise(shown) == shown
    assert not re.search(r"(?:^|\n)\s*::|##\w*\[|<[A-Za-z/!?]", shown)
    bad = {"Cc", "Cs"}
    assert all(c in "\n\t" or unicodedata.category(c) not in bad for c in shown)
    shown.encode()
