"""`pytest-grounded freeze`: what is locked, what `--check` finds, and that a bad corpus leaves everything as it is."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from pytest_grounded.cli import main
from pytest_grounded.corpus.loading import load_corpus
from pytest_grounded.errors import CorpusError


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two suites, the first with two revisions of its corpus."""
    for name in ("fees", "travel"):
        folder = tmp_path / "cases" / name
        folder.mkdir(parents=True)
        (folder / "corpus.yaml").write_text(f"corpus: {name}\nas_of: 2024-10-01\nchunks: chunks.jsonl\n")
        (folder / "chunks.jsonl").write_text(json.dumps({"id": "c1", "text": f"On {name}."}) + "\n")
        (folder / "a.yaml").write_text("cases:\n  - {id: a, kind: unanswerable, question: Why?}\n")
    (tmp_path / "cases" / "fees" / "corpus-2023.yaml").write_text(
        "corpus: fees\nas_of: 2023-10-01\nchunks: [{id: c1, text: Old.}]\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_corpus_is_locked_and_loads(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["freeze"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split(": sha256:")[0] for line in shown] == [
        "cases/fees/corpus-2023.yaml: locked now",
        "cases/fees/corpus.yaml: locked now",
        "cases/travel/corpus.yaml: locked now",
    ]
    corpus = load_corpus(project / "cases/travel/corpus.yaml", root=project)
    assert f"digest: {corpus.digest}" in (project / "cases/travel/corpus.yaml").read_text()
    assert main(["freeze"]) == 0
    assert "cases/travel/corpus.yaml: locked: sha256:" in capsys.readouterr().out


def test_a_changed_chunk_is_refused_until_it_is_locked_again(project: Path) -> None:
    assert main(["freeze", "cases/travel"]) == 0
    chunks = project / "cases/travel/chunks.jsonl"
    chunks.write_text(chunks.read_text().replace("travel", "journeys"))
    with pytest.raises(CorpusError, match=r"run `pytest-grounded freeze cases/travel/corpus\.yaml`"):
        load_corpus(project / "cases/travel/corpus.yaml", root=project)
    assert main(["freeze", "cases/travel/corpus.yaml"]) == 0
    load_corpus(project / "cases/travel/corpus.yaml", root=project)


def test_check_writes_nothing_and_tells_missing_from_wrong(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["freeze", "cases/travel"])
    chunks = project / "cases/travel/chunks.jsonl"
    chunks.write_text(chunks.read_text().replace("travel", "journeys"))
    before = {path: path.read_bytes() for path in (project / "cases").rglob("*.yaml")}
    capsys.readouterr()
    assert main(["freeze", "--check", "--format", "json"]) == 1
    corpora = json.loads(capsys.readouterr().out)["corpora"]
    assert {one["file"]: one["state"] for one in corpora} == {
        "cases/fees/corpus-2023.yaml": "missing",
        "cases/fees/corpus.yaml": "missing",
        "cases/travel/corpus.yaml": "wrong",
    }
    assert {path: path.read_bytes() for path in before} == before
    main(["freeze"])
    assert main(["freeze", "--check"]) == 0


def test_check_says_what_to_type_from_where_one_is(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["freeze", "cases/travel"])
    chunks = project / "cases/travel/chunks.jsonl"
    chunks.write_text(chunks.read_text().replace("travel", "journeys"))
    monkeypatch.chdir(project / "cases")
    capsys.readouterr()
    assert main(["freeze", "--check"]) == 1
    *_, missing, wrong = capsys.readouterr().out.splitlines()
    assert missing == "to lock what has no lock: pytest-grounded freeze fees/corpus-2023.yaml fees/corpus.yaml"
    assert wrong.startswith("to lock the chunks as they are now, where they were meant to change: pytest-grounded ")
    for line in (missing, wrong):
        assert main(shlex.split(line.split(": pytest-grounded ")[1])) == 0
    capsys.readouterr()
    assert main(["freeze", "--check"]) == 0
    assert "pytest-grounded" not in capsys.readouterr().out


def test_one_bad_corpus_leaves_all_manifests_as_they_are(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "cases/travel/chunks.jsonl").write_text('{"id": "c1"}\n')
    before = (project / "cases/fees/corpus.yaml").read_bytes()
    assert main(["freeze"]) == 2
    assert "cases/travel/chunks.jsonl:1" in capsys.readouterr().err
    assert (project / "cases/fees/corpus.yaml").read_bytes() == before


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere", "nowhere: there is no such file or folder; name a corpus manifest"),
        ("cases/travel/a.yaml", "cases/travel/a.yaml"),
        ("empty", "no corpus (a *.yaml with the keys corpus and chunks) is below empty"),
    ],
)
def test_what_is_no_corpus_is_unusable(
    project: Path, path: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "empty").mkdir()
    assert main(["freeze", path]) == 2
    assert message in capsys.readouterr().err


def test_a_manifest_that_cannot_be_written_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(path: Path, _: object) -> None:
        raise PermissionError(13, "Permission denied", f"{path}.tmp")

    monkeypatch.setattr("pytest_grounded.cli.freeze.write_whole", refused)
    before = (project / "cases" / "travel" / "corpus.yaml").read_bytes()
    assert main(["freeze", "cases/travel"]) == 2
    assert capsys.readouterr().err == "cases/travel/corpus.yaml: cannot be written: Permission denied\n"
    assert (project / "cases" / "travel" / "corpus.yaml").read_bytes() == before
