"""`pytest-grounded prune`: the only thing that deletes approved traces, and only with every case read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_grounded.cli import main
from pytest_grounded.snapshots.schema import Trace
from pytest_grounded.snapshots.store import SnapshotStore

CASES = """\
cases:
  - id: parking
    kind: unanswerable
    question: What does parking cost?
"""
TRACE: Trace = {"schema": 1, "normaliser": 1, "decision": "abstain"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one case, its trace, the trace of a case that is gone, and files that are no traces."""
    folder = tmp_path / "cases" / "travel"
    folder.mkdir(parents=True)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (folder / "corpus.yaml").write_text(
        "corpus: travel\nas_of: 2024-10-01\ndefault_readers: ['*']\nchunks: [{id: c1, text: Some words.}]\n"
    )
    (folder / "stay.yaml").write_text(CASES)
    store = SnapshotStore(tmp_path)
    for case in ("parking", "gone"):
        store.approve("travel", case, {**TRACE})
        store.keep_pending("travel", case, {**TRACE})
    (tmp_path / "snapshots/travel/README.md").write_text("kept")
    (tmp_path / "snapshots/travel/notes.json").write_text('{"people": []}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(project: Path) -> set[str]:
    folders = (project / "snapshots", project / ".grounded/pending")
    found = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(project).as_posix() for path in found}


GONE = {"snapshots/travel/gone.json", ".grounded/pending/travel/gone.json"}


def test_what_has_no_case_is_deleted_and_nothing_else(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(project)
    assert main(["prune"]) == 0
    assert files(project) == before - GONE
    assert capsys.readouterr().out.splitlines() == [
        "deleted snapshots/travel/gone.json",
        "deleted .grounded/pending/travel/gone.json",
        "left snapshots/travel/notes.json: it is no approved trace",
        "deleted 1 approved trace and 1 pending",
    ]


def test_a_dry_run_says_the_same_and_deletes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(project)
    assert main(["prune", "--dry-run"]) == 0
    assert files(project) == before
    assert "would delete snapshots/travel/gone.json" in capsys.readouterr().out


def test_a_program_gets_json(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prune", "--dry-run", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "dry_run": True,
        "baselines": ["snapshots/travel/gone.json"],
        "pending": [".grounded/pending/travel/gone.json"],
        "left": ["snapshots/travel/notes.json"],
    }
    assert project.is_dir()


def test_it_works_from_a_folder_of_the_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(project)
    monkeypatch.chdir(project / "cases" / "travel")
    assert main(["prune"]) == 0
    assert files(project) == before - GONE


def test_a_second_time_there_is_nothing_to_delete(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["prune"])
    capsys.readouterr()
    assert main(["prune"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "nothing to delete"
    assert "snapshots/travel/parking.json" in files(project)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        pytest.param("cases/travel/meals.yaml", "cases: [\n", "cases/travel/meals.yaml:2:1", id="no YAML"),
        pytest.param("cases/travel/meals.yaml", CASES.replace("unanswerable", "x"), "kind", id="a case that is wrong"),
        pytest.param("cases/travel/corpus.yaml", "corpus: travel\n", "corpus.yaml", id="a corpus that is wrong"),
        pytest.param(
            "cases/other/meals.yaml", CASES, "cases/other/meals.yaml:1:1: corpus: ", id="a corpus that is missing"
        ),
    ],
)
def test_where_a_case_cannot_be_read_nothing_is_deleted(
    project: Path, name: str, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(project)
    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_text(text)
    assert main(["prune"]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("nothing is pruned: not every case can be read\n")
    assert said in errors
    assert files(project) == before


def test_where_there_is_no_case_nothing_is_deleted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(project)
    (project / "cases/travel/stay.yaml").unlink()
    assert main(["prune"]) == 2
    assert "nothing is pruned: no case was collected" in capsys.readouterr().err
    assert files(project) == before


def test_there_is_no_option_that_leaves_out_cases(project: Path) -> None:
    before = files(project)
    with pytest.raises(SystemExit):
        main(["prune", "--cases", "cases/travel"])
    assert files(project) == before


def test_a_file_that_cannot_be_deleted_is_an_error(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_args: object, **_named: object) -> None:
        raise PermissionError(13, "Permission denied")

    before = files(project)
    monkeypatch.setattr(Path, "unlink", refuse)
    assert main(["prune"]) == 2
    monkeypatch.undo()
    assert "snapshots/travel/gone.json: cannot be deleted: Permission denied" in capsys.readouterr().err
    assert files(project) == before
