"""`pytest-grounded init`: what it writes runs green, is valid for an editor, and nothing that is there is overwritten."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft7Validator

from pytest_grounded.cli import main
from pytest_grounded.cli.starting.files import workflow
from pytest_grounded.corpus.yaml_reader import load_yaml

PAGES = {
    "limits.md": "# Limits\nThe nightly hotel limit is $180.\n\nThe daily meal allowance is $59.\n",
    "trains.md": "---\ndate: 2024-07-01\n---\n# Trains\nThe train upgrade threshold is 500 km.\n",
    "old.html": "<h1>Rules</h1><p>The nightly hotel limit is $150.</p>",
    "memo.txt": "---\nreaders: [board]\n---\nThe retention bonus is $12,000.",
}


@pytest.fixture
def docs(pytester: pytest.Pytester) -> Path:
    """A folder of documents, two of which contradict each other, and one that is not for everyone."""
    folder = pytester.mkdir("docs")
    for name, text in PAGES.items():
        (folder / name).write_text(text)
    return folder


def verdicts(pytester: pytest.Pytester, *options: str) -> dict[str, int]:
    done = pytester.runpytest_subprocess("cases", "-p", "no:cacheprovider", *options)
    return done.parseoutcomes()


@pytest.mark.usefixtures("docs")
def test_a_suite_made_of_documents_is_green_and_has_a_case_of_every_kind(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "travel", "--from-docs", "docs", "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert {case["kind"] for case in said["cases"]} == {
        "answerable",
        "multi_evidence",
        "partial",
        "unanswerable",
        "conflicting",
        "restricted",
    }
    assert verdicts(pytester) == {"passed": len(said["cases"])}
    assert said["documents"] == ["limits", "memo", "old", "trains"]


@pytest.mark.usefixtures("docs")
def test_what_is_written_is_the_same_every_time(pytester: pytest.Pytester) -> None:
    def written() -> dict[str, bytes]:
        assert main(["init", "travel", "--from-docs", "docs"]) == 0
        return {
            path.name: path.read_bytes() for path in sorted((pytester.path / "cases").rglob("*.*")) if path.is_file()
        }

    first = written()
    for path in (pytester.path / "cases/travel").iterdir():
        path.unlink()
    assert written() == first


@pytest.mark.parametrize("kind", ["reference", "python", "recorded"])
def test_every_kind_of_system_gets_a_suite_that_is_collected(pytester: pytest.Pytester, kind: str) -> None:
    assert main(["init", "--kind", kind]) == 0
    expected = {"reference": {"passed": 3}, "python": {"failed": 3}}.get(kind)
    done = pytester.runpytest_subprocess("cases", "-p", "no:cacheprovider")
    if kind == "python":
        done.stdout.fnmatch_lines(["*call your assistant here, in answer() of conftest.py*"])
    if kind == "recorded":
        done.stderr.fnmatch_lines(["*responses.jsonl*"]) if done.ret == 4 else done.stdout.fnmatch_lines(
            ["*responses.jsonl*"]
        )
    else:
        assert done.parseoutcomes() == expected


def test_the_files_are_valid_for_an_editor_that_follows_their_first_line(pytester: pytest.Pytester) -> None:
    assert main(["init"]) == 0
    for path in sorted((pytester.path / "cases/assistant").glob("*.yaml")):
        first = path.read_text().splitlines()[0]
        schema = path.parent / first.removeprefix("# yaml-language-server: $schema=")
        Draft7Validator(json.loads(schema.read_text())).validate(load_yaml(path).data)


def test_nothing_that_is_there_is_overwritten(pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]) -> None:
    (pytester.path / "cases/assistant").mkdir(parents=True)
    mine = pytester.path / "cases/assistant/first.yaml"
    mine.write_text("cases: []\n")
    assert main(["init"]) == 2
    assert capsys.readouterr().err == (
        "nothing is written: cases/assistant/first.yaml is there already (name another suite, or move what is there)\n"
    )
    assert [path.name for path in (pytester.path / "cases").rglob("*") if path.is_file()] == ["first.yaml"]


def test_a_project_with_a_configuration_is_told_what_to_add(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    pytester.makepyprojecttoml("[tool.pytest.ini_options]\naddopts = '-ra'\n")
    pytester.makeconftest("")
    assert main(["init", "--kind", "python", "--ci", "none"]) == 0
    shown = capsys.readouterr().out
    assert "put this into your conftest.py, and call your assistant in it:\n     import pytest" in shown
    assert not (pytester.path / "pytest.ini").exists()
    assert not (pytester.path / ".github").exists()


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        pytest.param(
            "pytest.ini", "[pytest]\n", "in pytest.ini, which configures pytest:\n     grounded_system = r", id="ini"
        ),
        pytest.param(
            "pyproject.toml",
            "[tool.pytest.ini_options]\naddopts = '-ra'\n",
            'in pyproject.toml, which configures pytest:\n     grounded_system = "r',
            id="toml",
        ),
        pytest.param("pytest.ini", "[pytest]\ngrounded_system = recorded:responses.jsonl\n", None, id="named already"),
    ],
)
def test_the_line_that_names_the_system_is_said_as_its_file_is_written(
    pytester: pytest.Pytester, file: str, text: str, said: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    (pytester.path / file).write_text(text, encoding="utf-8")
    assert main(["init", "--kind", "recorded", "--ci", "none"]) == 0
    shown = capsys.readouterr().out
    assert ("grounded_system = " in shown) == (said is not None)
    assert (said or "") in shown


def test_a_dry_run_writes_nothing(pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--dry-run"]) == 0
    assert "would write cases/assistant/corpus.yaml" in capsys.readouterr().out
    assert not (pytester.path / "cases").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["../up"], "'../up' is no name of a suite: write a name such as travel, or a path such as hr/travel"),
        (["/abs"], "'/abs' is no name of a suite: write a name such as travel, or a path such as hr/travel"),
        (["--from-docs", "nowhere"], "there is no such folder; name the folder that holds the documents"),
        (["--from-docs", ".", "--longest", "0"], "--longest needs a whole number above 0, found 0"),
    ],
)
@pytest.mark.usefixtures("pytester")
def test_bad_input_is_refused_with_what_to_write(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("is_for_all", [True, False], ids=["for everybody", "not for everybody"])
def test_the_workflow_is_one_and_keeps_only_what_everybody_may_read(*, is_for_all: bool, tmp_path: Path) -> None:
    path = tmp_path / "grounded.yml"
    path.write_text(workflow(is_for_all=is_for_all), encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(path)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout
    steps = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]["grounded"]["steps"]
    assert any("upload-artifact" in step.get("uses", "") for step in steps) is is_for_all
    assert [step["with"]["cache"] for step in steps if "setup-python" in step.get("uses", "")] == ["pip"]
    assert any("-n auto" in step.get("run", "") for step in steps)


@pytest.mark.parametrize(("readers", "is_kept"), [("*", True), ("staff", False)], ids=["everyone", "staff"])
def test_a_run_is_kept_only_where_everyone_may_read_the_documents(
    *, readers: str, is_kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Leave\n\nThe notice period is 14 days.\n", encoding="utf-8")
    assert main(["init", "hr", "--from-docs", "docs", "--readers", readers]) == 0
    written = yaml.safe_load((tmp_path / ".github/workflows/grounded.yml").read_text(encoding="utf-8"))
    assert ("upload-artifact" in json.dumps(written)) is is_kept
