"""`pytest-grounded corpus update`: the new revision stands beside the old one, and touched cases are listed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_grounded.cli import main
from pytest_grounded.corpus.loading import load_corpus

CASES = """\
cases:
  - id: limit
    kind: answerable
    question: What is the nightly hotel limit?
    expect: {slots: [{values: ["150"], name: limit, evidence: ["limits#limits"]}]}
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> Path:
    """A suite made of one document, with one case of a person's own."""
    docs = pytester.mkdir("docs")
    (docs / "limits.md").write_text("# Limits\nThe nightly hotel limit is $150.\n\n# Trains\nBook early.\n")
    assert main(["init", "travel", "--from-docs", "docs", "--as-of", "2024-01-01", "--ci", "none"]) == 0
    suite = pytester.path / "cases/travel"
    (suite / "first.yaml").unlink()
    (suite / "own.yaml").write_text(CASES)
    return pytester.path


def edited(project: Path) -> None:
    (project / "docs/limits.md").write_text("# Limits\nThe nightly hotel limit is $180.\n\n# Trains\nBook early.\n")


def test_a_changed_page_becomes_a_revision_and_the_last_one_is_kept(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = project / "cases/travel/corpus.yaml"
    manifest.write_text(manifest.read_text() + "# a person's own words\n")
    before = manifest.read_bytes()
    edited(project)
    capsys.readouterr()
    assert main(["corpus", "update", "travel", "--from-docs", "docs", "--as-of", "2024-07-01"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "cases/travel/corpus.yaml: revision 2024-01-01 -> 2024-07-01, as of 2024-07-01",
        "  changed    limits#limits -> limits#limits@2024-07-01",
        "",
        "wrote cases/travel/chunks-2024-07-01.jsonl",
        "wrote cases/travel/corpus-2024-01-01.yaml",
        "wrote cases/travel/corpus.yaml",
        "",
        "cases that name what has changed (mend them, or keep both answers with `on:`, as below)",
        "  cases/travel/own.yaml:2: limit names limits#limits, now limits#limits@2024-07-01",
        "  on: {corpus-2024-01-01.yaml: {expect: ...}, corpus.yaml: {expect: ...}}",
    ]
    assert (project / "cases/travel/corpus-2024-01-01.yaml").read_bytes() == before
    assert manifest.read_text().endswith("# a person's own words\n")
    corpus = load_corpus(manifest, root=project)
    assert (corpus.revision, str(corpus.as_of)) == ("2024-07-01", "2024-07-01")
    assert corpus["limits#limits@2024-07-01"].text == "The nightly hotel limit is $180."


def test_one_case_may_hold_the_answers_of_both_revisions(project: Path, pytester: pytest.Pytester) -> None:
    edited(project)
    assert main(["corpus", "update", "travel", "--from-docs", "docs", "--as-of", "2024-07-01"]) == 0
    (project / "cases/travel/own.yaml").write_text(
        "cases:\n  - id: limit\n    kind: answerable\n    question: What is the nightly hotel limit?\n    on:\n"
        '      corpus-2024-01-01.yaml: {expect: {slots: [{name: l, values: ["150"], evidence: ["limits#limits"]}]}}\n'
        '      corpus.yaml: {expect: {slots: [{name: l, values: ["180"], evidence: ["limits#limits@2024-07-01"]}]}}\n'
    )
    pytester.runpytest_subprocess("cases", "-p", "no:cacheprovider").assert_outcomes(passed=2)


def test_a_lock_is_renewed(project: Path) -> None:
    assert main(["freeze"]) == 0
    edited(project)
    assert main(["corpus", "update", "travel", "--from-docs", "docs", "--as-of", "2024-07-01"]) == 0
    assert main(["freeze", "--check"]) == 0


def test_documents_outside_the_repository_stay_outside(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    suite = project / "cases/travel"
    (suite / "chunks.jsonl").rename(outside / "chunks.jsonl")
    monkeypatch.setenv("CORPUS_DIR", str(outside))
    manifest = suite / "corpus.yaml"
    manifest.write_text(manifest.read_text().replace("chunks: chunks.jsonl", "chunks: ${CORPUS_DIR}/chunks.jsonl"))
    assert main(["freeze"]) == 0
    edited(project)
    assert main(["corpus", "update", "travel", "--from-docs", "docs", "--as-of", "2024-07-01"]) == 0
    assert "chunks: ${CORPUS_DIR}/chunks-2024-07-01.jsonl" in manifest.read_text()
    assert sorted(path.name for path in outside.iterdir()) == ["chunks-2024-07-01.jsonl", "chunks.jsonl"]
    assert not [*suite.glob("*.jsonl")]


def test_chunks_in_the_manifest_move_to_a_file(pytester: pytest.Pytester) -> None:
    docs = pytester.mkdir("docs")
    (docs / "a.md").write_text("New words.")
    suite = pytester.path / "cases/s"
    suite.mkdir(parents=True)
    (suite / "corpus.yaml").write_text(
        "corpus: s\nchunks:\n  - {id: by-hand, text: Kept.}\n# about readers\ndefault_readers: ['*']\nas_of: 2024-01-01\n"
    )
    assert main(["corpus", "update", "s", "--from-docs", "docs", "--as-of", "2024-07-01", "--revision", "v2"]) == 0
    assert (suite / "corpus.yaml").read_text() == (
        "corpus: s\nchunks: chunks-v2.jsonl\n# about readers\ndefault_readers: ['*']\nas_of: 2024-07-01\nrevision: v2\n"
    )
    assert load_corpus(suite / "corpus.yaml", root=pytester.path).ids == ("by-hand", "a#top")


def test_the_same_documents_write_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in (project / "cases").rglob("*") if path.is_file()}
    capsys.readouterr()
    assert main(["corpus", "update", "travel", "--from-docs", "docs"]) == 0
    assert capsys.readouterr().out == (
        "cases/travel/corpus.yaml: the documents say what the corpus says; nothing to write\n"
    )
    assert {path: path.read_bytes() for path in (project / "cases").rglob("*") if path.is_file()} == before


def test_a_dry_run_says_what_would_change(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edited(project)
    capsys.readouterr()
    words = [
        "corpus",
        "update",
        "travel",
        "--from-docs",
        "docs",
        "--as-of",
        "2024-07-01",
        "--dry-run",
        "--format",
        "json",
    ]
    assert main(words) == 0
    said = json.loads(capsys.readouterr().out)
    assert [change["kind"] for change in said["changes"]] == ["changed"]
    assert said["touched"] == [
        {
            "file": "cases/travel/own.yaml",
            "line": 2,
            "case": "limit",
            "chunk": "limits#limits",
            "now": "limits#limits@2024-07-01",
        }
    ]
    assert not (project / "cases/travel/corpus-2024-01-01.yaml").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "since when do the documents hold? none of them is dated later than 2024-01-01: say so with --as-of"),
        (["--as-of", "2024-07-01", "--revision", "No Good"], "--revision 'No Good': needs small letters, digits"),
        (["--as-of", "2024-07-01", "--revision", "2024-01-01"], "is what the corpus has already; name another"),
        (["--as-of", "2024-07-01", "--longest", "-3"], "--longest needs a whole number above 0, found -3"),
    ],
)
def test_bad_input_is_refused_with_what_to_write(
    project: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    edited(project)
    assert main(["corpus", "update", "travel", "--from-docs", "docs", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_manifest_in_braces_is_left_and_the_lines_are_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = project / "cases/travel/corpus.yaml"
    manifest.write_text('{corpus: travel, as_of: 2024-01-01, default_readers: "*", chunks: chunks.jsonl}\n')
    edited(project)
    assert main(["corpus", "update", "travel", "--from-docs", "docs", "--as-of", "2024-07-01"]) == 2
    assert "write it so that it says: revision: 2024-07-01; as_of: 2024-07-01; chunks: " in capsys.readouterr().err
    assert not [*(project / "cases/travel").glob("chunks-*")]


def test_a_case_that_names_what_was_replaced_is_told_by_what(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edited(project)
    assert main(["corpus", "update", "travel", "--from-docs", "docs", "--as-of", "2024-07-01"]) == 0
    capsys.readouterr()
    assert main(["lint"]) == 1
    said = capsys.readouterr().out.splitlines()[0]
    assert "chunk 'limits#limits' is not in force on 2024-07-01" in said
    assert said.endswith("(name 'limits#limits@2024-07-01', which took its place, or set as_of)")
