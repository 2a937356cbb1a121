from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.detection.grams import GRAM, PUBLIC_LANES, WINDOW, gram_hashes, text_hash, winnow

letters = st.text(alphabet="abcdefgh", min_size=0, max_size=80).map(str.encode)


@given(st.binary(max_size=120), st.integers(8, GRAM))
def test_equal_runs_have_equal_hashes_wherever_they_stand(data: bytes, size: int) -> None:
    hashes = gram_hashes(data, size=size)
    assert len(hashes) == max(0, len(data) - size + 1)
    runs = [data[place : place + size] for place in range(len(hashes))]
    assert [hashes[runs.index(run)] for run in runs] == hashes


@given(st.binary(min_size=GRAM, max_size=GRAM), st.binary(min_size=GRAM, max_size=GRAM))
def test_other_lanes_and_other_runs_give_other_hashes(one: bytes, other: bytes) -> None:
    assert (gram_hashes(one) == gram_hashes(other)) == (one == other)
    assert gram_hashes(one) != gram_hashes(one, (PUBLIC_LANES[0], 5))


@given(letters, st.text(alphabet="abcdefgh", min_size=23, max_size=60).map(str.encode), letters, letters, letters)
def test_two_texts_with_a_common_run_of_23_bytes_share_a_kept_hash(
    a: bytes, run: bytes, b: bytes, c: bytes, d: bytes
) -> None:
    kept = winnow(gram_hashes(a + run + b))
    assert kept.intersection(gram_hashes(c + run + d))


@given(st.lists(st.integers(), min_size=WINDOW, max_size=60))
def test_every_window_keeps_its_least(hashes: list[int]) -> None:
    windows = [min(hashes[place : place + WINDOW]) for place in range(len(hashes) - WINDOW + 1)]
    assert winnow(hashes) == set(windows)


def test_hashes_are_the_same_in_every_process() -> None:
    code = "from pytest_grounded.detection.grams import *; print(gram_hashes(b'x' * 17), text_hash('n41750'))"
    said = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert said == {f"{gram_hashes(b'x' * 17)} {text_hash('n41750')}\n"}
