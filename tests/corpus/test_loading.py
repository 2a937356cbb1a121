"""From files to a corpus: what is filled in, what is kept as written, and when files are read again."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path

import pytest

from pytest_grounded.corpus.loading import CorpusStore, load_corpus, read_corpus
from pytest_grounded.errors import CorpusError
from pytest_grounded.model.evidence import Corpus, Fact
from pytest_grounded.model.vocabulary import Status


def write(folder: Path, manifest: str = "corpus: travel\nchunks: chunks.jsonl\n", *chunks: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if chunks:
        (folder / "chunks.jsonl").write_text("".join(json.dumps(chunk) + "\n" for chunk in chunks))
    (folder / "corpus.yaml").write_text(manifest)
    return folder / "corpus.yaml"


def load(folder: Path, manifest: str = "corpus: travel\nchunks: chunks.jsonl\n", *chunks: object) -> Corpus:
    return load_corpus(write(folder, manifest, *chunks), root=folder)


def test_a_manifest_and_its_lines_make_a_corpus(tmp_path: Path) -> None:
    manifest = "corpus: travel\nrevision: 2024-10-01\nas_of: 2024-10-01\nchunks: chunks.jsonl\n"
    corpus = load(tmp_path, manifest, {"id": "c1", "text": "One."}, {"id": "c2", "text": "Two."})
    assert (corpus.name, corpus.revision, corpus.as_of) == ("travel", "2024-10-01", date(2024, 10, 1))
    assert (corpus.ids, corpus.source) == (("c1", "c2"), "corpus.yaml")


def test_inline_and_lines_make_the_same_chunks(tmp_path: Path) -> None:
    inline = (
        "corpus: travel\nchunks:\n  - {id: c1, text: no, version: 1.10, authority: 2, facts: [{key: k, value: 0.60}]}\n"
    )
    lines = tmp_path / "lines"
    chunk = {"id": "c1", "text": "no", "version": "1.10", "authority": 2, "facts": [{"key": "k", "value": "0.60"}]}
    assert (
        load(tmp_path / "inline", inline).digest == load(lines, "corpus: travel\nchunks: chunks.jsonl\n", chunk).digest
    )


def test_numbers_in_lines_stay_as_they_are_written(tmp_path: Path) -> None:
    path = write(tmp_path)
    line = '{"id": "c1", "text": "t", "version": 1.10, "facts": [{"key": "rate", "value": 0.60}, {"key": "n", "value": 1e2}]}'
    (tmp_path / "chunks.jsonl").write_text(line)
    chunk = load_corpus(path, root=tmp_path)["c1"]
    assert (chunk.version, chunk.facts) == ("1.10", (Fact(key="rate", value="0.60"), Fact(key="n", value="1e2")))


@pytest.mark.parametrize(
    ("manifest", "readers", "expected"),
    [
        pytest.param("", {}, (), id="nobody without a default"),
        pytest.param("default_readers: ['*']\n", {}, ("*",), id="the default for an absent key"),
        pytest.param("default_readers: staff\n", {}, ("staff",), id="one group as text"),
        pytest.param("default_readers: ['*']\n", {"readers": None}, (), id="null is nobody"),
        pytest.param("default_readers: ['*']\n", {"readers": []}, (), id="an empty list is nobody"),
        pytest.param("default_readers: ['*']\n", {"readers": ["board"]}, ("board",), id="its own"),
        pytest.param("default_readers:\n", {}, (), id="a default of null is nobody"),
    ],
)
def test_only_an_absent_readers_key_takes_the_default(
    tmp_path: Path, manifest: str, readers: dict[str, object], expected: tuple[str, ...]
) -> None:
    corpus = load(tmp_path, "corpus: travel\nchunks: chunks.jsonl\n" + manifest, {"id": "c1", "text": "t", **readers})
    assert corpus["c1"].readers == expected


def test_null_is_not_stated_everywhere_else(tmp_path: Path) -> None:
    keys = [
        "document",
        "effective_from",
        "status",
        "supersedes",
        "tenant",
        "audience",
        "scope",
        "authority",
        "facts",
        "kind",
    ]
    chunk = load(tmp_path, "corpus: t\nchunks: chunks.jsonl\n", {"id": "c1", "text": "t"} | dict.fromkeys(keys))["c1"]
    assert (chunk.status, chunk.authority, chunk.facts, chunk.scope) == (Status.CURRENT, 0, (), {})


def test_blank_lines_a_byte_order_mark_and_line_ends_of_windows_are_fine(tmp_path: Path) -> None:
    path = write(tmp_path)
    (tmp_path / "chunks.jsonl").write_bytes(
        b'\xef\xbb\xbf{"id": "c1", "text": "t"}\r\n\r\n  \n{"id": "c2", "text": "t"}'
    )
    assert load_corpus(path, root=tmp_path).ids == ("c1", "c2")


def test_an_empty_text_and_an_empty_corpus_load(tmp_path: Path) -> None:
    assert load(tmp_path / "a", "corpus: t\nchunks: chunks.jsonl\n", {"id": "c1", "text": ""})["c1"].text == ""
    assert len(load(tmp_path / "b", "corpus: t\nchunks: []\n")) == 0


def test_a_digest_that_is_right_is_accepted_whatever_the_order_of_lines(tmp_path: Path) -> None:
    chunks = [{"id": "c1", "text": "One."}, {"id": "c2", "text": "Two."}]
    digest = load(tmp_path, "corpus: t\nchunks: chunks.jsonl\n", *chunks).digest
    locked = f"corpus: t\nchunks: chunks.jsonl\ndigest: {digest}\n"
    assert load(tmp_path, locked, *reversed(chunks)).digest == digest


def test_a_digest_that_is_wrong_names_the_command_that_renews_it(tmp_path: Path) -> None:
    digest = load(tmp_path, "corpus: t\nchunks: chunks.jsonl\n", {"id": "c1", "text": "One."}).digest
    locked = f"corpus: t\nchunks: chunks.jsonl\ndigest: {digest}\n"
    with pytest.raises(CorpusError) as caught:
        load(tmp_path, locked, {"id": "c1", "text": "Two."})
    assert str(caught.value).startswith("corpus.yaml:3:9: digest: the chunks have sha256:")
    assert "run `pytest-grounded freeze corpus.yaml`" in str(caught.value)
    assert caught.value.problems[0].code == "corpus.digest"


def test_the_lock_can_be_left_alone_so_that_it_can_be_renewed(tmp_path: Path) -> None:
    path = write(
        tmp_path, f"corpus: t\nchunks: chunks.jsonl\ndigest: sha256:{'0' * 64}\n", {"id": "c1", "text": "One."}
    )
    assert read_corpus(path, root=tmp_path, verify_digest=False).corpus.ids == ("c1",)


ELSEWHERE = "corpus: t\nchunks: ${DOCS}/chunks.jsonl\n"


def test_documents_elsewhere_need_a_digest(tmp_path: Path) -> None:
    write(tmp_path / "docs", "corpus: t\nchunks: chunks.jsonl\n", {"id": "c1", "text": "One."})
    path = write(tmp_path / "cases", ELSEWHERE)
    with pytest.raises(CorpusError, match="chunks outside of the project need a digest") as caught:
        load_corpus(path, root=tmp_path / "cases", environ={"DOCS": str(tmp_path / "docs")})
    assert caught.value.problems[0].code == "corpus.digest"


def test_documents_elsewhere_are_found_by_a_variable(tmp_path: Path) -> None:
    digest = load(tmp_path / "docs", "corpus: t\nchunks: chunks.jsonl\n", {"id": "c1", "text": "One."}).digest
    path = write(tmp_path / "cases", ELSEWHERE + f"digest: {digest}\n")
    corpus = load_corpus(path, root=tmp_path / "cases", environ={"DOCS": str(tmp_path / "docs")})
    assert corpus.ids == ("c1",)


def test_faults_of_documents_elsewhere_do_not_show_where_that_is(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "chunks.jsonl").write_text('{"id": "c1"}\n')
    path = write(tmp_path / "cases", ELSEWHERE)
    with pytest.raises(CorpusError) as caught:
        load_corpus(path, root=tmp_path / "cases", environ={"DOCS": str(tmp_path / "docs")})
    assert str(caught.value).startswith("${DOCS}/chunks.jsonl:1: c1.text: key 'text' is missing")


def test_the_process_environment_is_used_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = load(tmp_path / "docs", "corpus: t\nchunks: chunks.jsonl\n", {"id": "c1", "text": "One."}).digest
    monkeypatch.setenv("DOCS", str(tmp_path / "docs"))
    assert load(tmp_path / "cases", ELSEWHERE + f"digest: {digest}\n").ids == ("c1",)


def test_a_chunk_is_found_in_its_file(tmp_path: Path) -> None:
    path = write(
        tmp_path, "corpus: t\nchunks: chunks.jsonl\n", {"id": "c1", "text": "One."}, {"id": "c2", "text": "Two."}
    )
    loaded = read_corpus(path, root=tmp_path)
    assert loaded.place("c2") == ("chunks.jsonl", 2)
    assert loaded.place("c9") == ("corpus.yaml", None)


def test_an_inline_chunk_is_found_in_the_manifest(tmp_path: Path) -> None:
    path = write(tmp_path, "corpus: t\nchunks:\n  - {id: c1, text: One.}\n  - {id: c2, text: Two.}\n")
    assert read_corpus(path, root=tmp_path).place("c2") == ("corpus.yaml", 4)


def test_chunks_that_nobody_labelled_are_known(tmp_path: Path) -> None:
    chunks = {"id": "c1", "text": "One."}, {"id": "c2", "text": "Two.", "readers": []}
    plain = write(tmp_path / "a", "corpus: t\nchunks: chunks.jsonl\n", *chunks)
    defaulted = write(tmp_path / "b", "corpus: t\nchunks: chunks.jsonl\ndefault_readers: []\n", *chunks)
    assert read_corpus(plain, root=tmp_path).unlabelled == {"c1"}
    assert read_corpus(defaulted, root=tmp_path).unlabelled == frozenset()


def test_a_corpus_is_read_once_until_one_of_its_files_changes(tmp_path: Path) -> None:
    path = write(tmp_path, "corpus: t\nchunks: chunks.jsonl\n", {"id": "c1", "text": "One."})
    store = CorpusStore()
    first = store.load(path, root=tmp_path)
    assert store.load(path, root=tmp_path) is first
    (tmp_path / "chunks.jsonl").write_text('{"id": "c1", "text": "Two."}\n')
    os.utime(tmp_path / "chunks.jsonl", ns=(1, 1))
    assert store.load(path, root=tmp_path).corpus["c1"].text == "Two."


def test_a_corpus_that_was_mended_is_read_again(tmp_path: Path) -> None:
    path, store = write(tmp_path, "corpus: t\n"), CorpusStore()
    with pytest.raises(CorpusError):
        store.load(path, root=tmp_path)
    write(tmp_path, "corpus: t\nchunks: []\n")
    assert store.load(path, root=tmp_path).corpus.ids == ()


def test_reading_leaves_the_garbage_collector_as_it_was(tmp_path: Path) -> None:
    import gc

    path = write(tmp_path, "corpus: t\nchunks: []\n")
    gc.disable()
    try:
        load_corpus(path, root=tmp_path)
        assert not gc.isenabled()
    finally:
        gc.enable()
    load_corpus(path, root=tmp_path)
    assert gc.isenabled()
