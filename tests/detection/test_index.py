from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.detection import Detector, LeakIndex, build_index, index_of, store, use_index
from pytest_grounded.detection.index import ClassSets, ReaderClass
from pytest_grounded.detection.store import index_path, open_index
from pytest_grounded.detection.tables import DictTable, HashedBuilder, PackedBuilder
from pytest_grounded.model.evidence import Corpus
from tests.detection.corpora import AS_OF, BOARD, STAFF, corpus_of, handbook, hidden_chunk, make_chunk

spread = st.integers(0, 400).map(lambda number: (number * 0x9E37_79B9_7F4A_7C15 + 2**63) % 2**64 - 2**63)
hashes = st.lists(spread, max_size=80)


@given(hashes, hashes, hashes)
def test_a_packed_table_answers_like_a_dictionary(held: list[int], revised: list[int], asked: list[int]) -> None:
    answers = []
    for builder in (DictTable[int](), PackedBuilder()):
        builder.collect(held)
        builder.revise([*held[:5], *revised], lambda value: value + 1)
        table = builder.finish(lambda value: value > 0)
        answers.append((len(table), table.matches([*asked, *held])))
    assert answers[0] == answers[1]


def test_a_packed_table_holds_values_beyond_sixteen_bits() -> None:
    builder = PackedBuilder()
    builder.collect([5 << 40, 6 << 40])
    builder.revise([6 << 40], lambda _: 70_000)
    assert builder.finish(lambda _: True).matches([6 << 40, 5 << 40]) == [(0, 70_000), (1, 0)]


def test_texts_are_held_by_their_hash() -> None:
    builder = HashedBuilder((3, 4))
    builder.collect(["a", "b"])
    builder.revise(["b", "c"], lambda value: value + 2)
    assert builder.finish(bool).matches(["c", "b", "a"]) == [(1, 2)]


def test_a_set_with_a_public_class_is_hidden_from_nobody() -> None:
    sets = ClassSets([ReaderClass(None, ("*",)), ReaderClass(None, ("board",)), ReaderClass("acme", ("*",))])
    board = sets.joiner(1)(0)
    assert sets.joiner(0)(board) == ClassSets.PUBLIC
    acme = sets.joiner(2)(0)
    hidden = sets.hidden_from(STAFF)
    assert hidden[board]
    assert hidden[acme]
    assert not hidden[ClassSets.PUBLIC]
    assert not sets.hidden_from(BOARD)[board]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    readers = (("*",), ("staff",), ("board",), ("board", "staff"))
    return corpus_of(
        make_chunk(f"h-{n}", text, readers=readers[n % 4], title=f"Part {n} of the guide", document=f"guide-{n % 7}")
        for n, text in enumerate(handbook()[:60])
    )


def everything_found(index: LeakIndex, corpus: Corpus) -> list[object]:
    detectors = [Detector(corpus.view(requester, AS_OF), index=index) for requester in (STAFF, BOARD)]
    return [looking.scan({"text": chunk.text, "sources": [chunk.id]}) for looking in detectors for chunk in corpus]


def test_packed_stored_and_plain_indexes_find_the_same(corpus: Corpus, tmp_path: Path) -> None:
    plain = everything_found(build_index(corpus, packed=False), corpus)
    assert any(plain)
    assert everything_found(build_index(corpus, packed=True), corpus) == plain
    assert everything_found(build_index(corpus, packed=True, lanes=(12345, 67890)), corpus) == plain
    stored = open_index(corpus, tmp_path / "cache")
    assert everything_found(stored, corpus) == plain
    assert index_of(corpus) is stored


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_is_found_does_not_depend_on_the_key(data: st.DataObject) -> None:
    """Reports are the same on every machine, though the key of a stored index is another on each."""
    chunks = [
        make_chunk(f"c{n}", data.draw(st.text("abc de", min_size=20, max_size=60)), readers=data.draw(st.sampled_from([("*",), ("a",), ("staff",)])))
        for n in range(4)
    ]  # fmt: skip
    built = corpus_of(chunks)
    shown = data.draw(st.text("abc de", max_size=120)) + chunks[0].text
    first, second = (
        Detector(built.view(STAFF, AS_OF), index=build_index(built, packed=True, lanes=lanes)).scan(
            shown, fragments=True
        )
        for lanes in ((1, 2), (data.draw(st.integers(3, 2**60)), 99))
    )
    assert first == second


def test_the_index_of_a_corpus_is_built_once(corpus: Corpus) -> None:
    again = Corpus(name="again", chunks=corpus)
    assert index_of(again) is index_of(again)
    other = build_index(again)
    use_index(again, other)
    assert index_of(again) is other


def test_the_stored_index_is_for_its_owner_alone_and_tells_nothing(corpus: Corpus, tmp_path: Path) -> None:
    open_index(corpus, tmp_path)
    path = index_path(corpus, tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {"key", path.name}
    if os.name == "posix":
        assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()} == {0o600}
    assert corpus.digest[7:20] not in path.name
    stored = path.read_bytes().lower()
    assert not any(chunk.text[:24].lower().encode() in stored for chunk in corpus)


def test_another_checkout_has_another_key_and_other_bytes(corpus: Corpus, tmp_path: Path) -> None:
    stored = []
    for name in ("one", "other"):
        open_index(corpus, tmp_path / name)
        path = index_path(corpus, tmp_path / name)
        stored.append((path.name, path.read_bytes()))
    assert stored[0][0] != stored[1][0]
    assert stored[0][1] != stored[1][1]


@pytest.mark.parametrize(
    "damage", [lambda b: b[:-100], lambda b: b[:0], lambda b: b"nonsense" + b[8:], lambda b: b[:20]]
)
def test_a_damaged_index_is_built_again(damage: Callable[[bytes], bytes], corpus: Corpus, tmp_path: Path) -> None:
    open_index(corpus, tmp_path)
    path = index_path(corpus, tmp_path)
    whole = path.read_bytes()
    path.unlink()
    path.write_bytes(damage(whole))
    assert len(open_index(corpus, tmp_path).grams) > 0
    assert path.read_bytes() == whole


def test_a_changed_corpus_has_an_index_of_its_own(corpus: Corpus, tmp_path: Path) -> None:
    changed = corpus_of([*corpus, hidden_chunk("new", "A sentence that was not there before.")])
    assert index_path(corpus, tmp_path) != index_path(changed, tmp_path)


def test_another_process_maps_the_same_file(corpus: Corpus, tmp_path: Path) -> None:
    open_index(corpus, tmp_path)
    before = index_path(corpus, tmp_path).stat()
    code = (
        "import sys; from pathlib import Path\n"
        "from tests.detection.test_index import *\n"
        "built = corpus.__wrapped__() if hasattr(corpus, '__wrapped__') else corpus.__pytest_wrapped__.obj()\n"
        "index = open_index(built, Path(sys.argv[1]))\n"
        "print(len(index.grams), len(index.facts), len(index.names))\n"
    )
    root = Path(__file__).parents[2]
    said = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False, cwd=root, env={**os.environ, "PYTHONHASHSEED": "7"}
    )  # fmt: skip
    index = index_of(corpus)
    assert said.stdout.split() == [str(len(index.grams)), str(len(index.facts)), str(len(index.names))], said.stderr
    assert index_path(corpus, tmp_path).stat().st_mtime_ns == before.st_mtime_ns


def test_an_index_made_while_facts_were_read_otherwise_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = corpus_of([hidden_chunk("memo", "The fee is 8217 dollars.")])
    before = index_path(corpus, tmp_path)
    assert index_path(corpus, tmp_path) == before
    monkeypatch.setattr(store, "strict_keys", lambda _: frozenset(["n1"]))
    assert index_path(corpus, tmp_path) != before
