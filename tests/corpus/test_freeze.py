"""Where the lock is written in a manifest, and that nothing else of the file changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.corpus.freeze import is_manifest, with_digest
from pytest_grounded.corpus.yaml_reader import read_yaml
from pytest_grounded.errors import CorpusError

LOCK = "sha256:" + "ab" * 32
OLD = "sha256:" + "00" * 32

WRITTEN = {
    "after the chunks": (
        "# ours\ncorpus: a\nchunks: a.jsonl  # pinned\ndefault_readers: ['*']\n",
        f"# ours\ncorpus: a\nchunks: a.jsonl  # pinned\ndigest: {LOCK}\ndefault_readers: ['*']\n",
    ),
    "before chunks that stand in the file": (
        "corpus: a # name\nchunks:\n  - {id: c1, text: x}\n",
        f"corpus: a # name\ndigest: {LOCK}\nchunks:\n  - {{id: c1, text: x}}\n",
    ),
    "a lock that changed": (
        f"corpus: a\ndigest: {OLD}   # lock\nchunks: a.jsonl\n",
        f"corpus: a\ndigest: {LOCK}   # lock\nchunks: a.jsonl\n",
    ),
    "a lock in quotes": (
        f"corpus: a\nchunks: a.jsonl\ndigest: '{OLD}'",
        f"corpus: a\nchunks: a.jsonl\ndigest: '{LOCK}'",
    ),
    "a lock on a line of its own": (
        f"corpus: a\ndigest:\n  {OLD}\nchunks: a.jsonl\n",
        f"corpus: a\ndigest:\n  {LOCK}\nchunks: a.jsonl\n",
    ),
    "a key without a value": (
        "corpus: a\ndigest: # later\nchunks: a.jsonl\n",
        f"corpus: a\ndigest: {LOCK} # later\nchunks: a.jsonl\n",
    ),
    "no line end": ("corpus: a\nchunks: a.jsonl", f"corpus: a\nchunks: a.jsonl\ndigest: {LOCK}"),
    "line ends of Windows": (
        "corpus: a\r\nchunks: a.jsonl\r\nas_of: 2024-10-01\r\n",
        f"corpus: a\r\nchunks: a.jsonl\r\ndigest: {LOCK}\r\nas_of: 2024-10-01\r\n",
    ),
    "line ends of old": (
        "corpus: a\rchunks: a.jsonl",
        f"corpus: a\rchunks: a.jsonl\rdigest: {LOCK}",
    ),
    "a byte order mark": (
        f"\ufeffdigest: {OLD}\ncorpus: a\nchunks: a.jsonl\n",
        f"\ufeffdigest: {LOCK}\ncorpus: a\nchunks: a.jsonl\n",
    ),
    "braces": (
        "{corpus: a, chunks: a.jsonl}\n",
        f"{{digest: {LOCK}, corpus: a, chunks: a.jsonl}}\n",
    ),
    "a name over two lines": (
        "corpus: a\n  b\nchunks:\n- {id: c1, text: x}\n",
        f"corpus: a\n  b\nchunks:\n- {{id: c1, text: x}}\ndigest: {LOCK}\n",
    ),
    "a file that ends in comments": (
        "corpus: a\nchunks: >-\n  a.jsonl\n# end\n",
        f"corpus: a\ndigest: {LOCK}\nchunks: >-\n  a.jsonl\n# end\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=WRITTEN)
def test_the_lock_is_written_and_nothing_else_changes(before: str, after: str) -> None:
    assert with_digest(before.encode(), LOCK, file="corpus.yaml").decode() == after


@pytest.mark.parametrize("after", [after for _, after in WRITTEN.values()], ids=list(WRITTEN))
def test_a_right_lock_is_left_as_it_is(after: str) -> None:
    assert with_digest(after.encode(), LOCK, file="corpus.yaml") == after.encode()


def test_where_no_edit_will_do_the_line_is_said() -> None:
    with pytest.raises(CorpusError, match=f"write this line: digest: {LOCK}"):
        with_digest(b"corpus: a\nchunks: a.jsonl\ndigest: [x]\n", LOCK, file="corpus.yaml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("corpus: a\nchunks: a.jsonl\n", True),
        ("corpus: a\nchunks: a.jsonl\ncases: []\n", False),
        ("corpus: a\n", False),
        ("[a]", False),
        ("", False),
        ("a: [", False),
    ],
)
def test_a_manifest_is_known_by_its_keys(text: str, expected: bool) -> None:  # noqa: FBT001 - a table's column
    assert is_manifest(read_yaml(text.encode())) is expected


_LINES = st.lists(
    st.sampled_from(["# a comment", "", "revision: r1", "as_of: 2024-10-01", "default_readers: ['*']"]),
    unique=True,
    max_size=5,
)


@given(before=_LINES, between=_LINES, after=_LINES, ending=st.sampled_from(["\n", "\r\n", "\r"]))
def test_whatever_stands_around_it_the_rest_of_the_file_stays(
    before: list[str], between: list[str], after: list[str], ending: str
) -> None:
    lines = list(dict.fromkeys((*before, "corpus: a", *between, "chunks: a.jsonl", *after)))
    raw = "".join(f"{line}{ending}" for line in lines).encode()
    frozen = with_digest(raw, LOCK, file="corpus.yaml")
    kept = [line for line in frozen.decode().split(ending) if line != f"digest: {LOCK}"]
    assert ending.join(kept) == raw.decode()
    assert read_yaml(frozen).data["digest"] == LOCK
