"""What a person gets wrong in the first ten minutes is answered with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_grounded.cli import main

CORPUS = 'corpus: s\nas_of: 2024-01-01\ndefault_readers: ["*"]\nchunks: [{id: a, text: The limit is $180.}]\n'
CASES = "cases:\n  - {id: x, kind: unanswerable, question: What does parking cost?}\n"


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    folder = pytester.mkdir("cases")
    (folder / "corpus.yaml").write_text(CORPUS)
    return pytester


def shown(pytester: pytest.Pytester, *options: str) -> str:
    done = pytester.runpytest("-p", "no:cacheprovider", *options)
    return done.stdout.str() + done.stderr.str()


def test_a_run_without_a_case_says_where_cases_are_looked_for(suite: pytest.Pytester) -> None:
    assert "grounded: no case was found; case files are *.yaml with the key `cases`, below cases" in shown(suite)


def test_a_project_without_cases_is_told_nothing(pytester: pytest.Pytester) -> None:
    assert "grounded" not in shown(pytester).split("plugins:")[0]
    assert "no case was found" not in shown(pytester)


def test_a_case_file_with_the_other_ending_is_an_error(suite: pytest.Pytester) -> None:
    (suite.path / "cases/a.yml").write_text(CASES)
    (suite.path / "cases/docker.yml").write_text("services: {}\n")
    said = shown(suite)
    assert "cases/a.yml: case files end in .yaml: rename it" in said
    assert "docker.yml" not in said


def test_a_link_out_of_the_folders_of_cases_is_an_error(suite: pytest.Pytester) -> None:
    outside = suite.mkdir("elsewhere") / "a.yaml"
    outside.write_text(CASES)
    (suite.path / "cases/a.yaml").symlink_to(outside)
    assert "cases/a.yaml: is a link to a file outside the folders of cases: put the file here" in shown(suite)


def test_a_suite_without_a_corpus_names_the_command_that_writes_one(pytester: pytest.Pytester) -> None:
    (pytester.mkdir("cases") / "a.yaml").write_text(CASES)
    assert "(name the manifest of a corpus; `pytest-grounded init` writes one)" in shown(pytester)


def test_forgotten_readers_are_said(suite: pytest.Pytester) -> None:
    (suite.path / "cases/corpus.yaml").write_text(CORPUS.replace('default_readers: ["*"]\n', ""))
    (suite.path / "cases/a.yaml").write_text(
        'cases: [{id: x, kind: answerable, question: Limit?, expect: {slots: [{name: l, values: ["180"], evidence: [a]}]}}]\n'
    )
    said = shown(suite)
    assert (
        "may not be read by requester 'anonymous'; nobody may: give it readers, or the corpus default_readers" in said
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def answer(request): return 'It is $180.'", "with prose: before its name"),
        (
            "def answer(request): return None",
            'the system returned None: nothing came back (return a mapping such as {"decision": "answer", "text": "..."})',
        ),
        (
            "def answer(request): return 3",
            'the system returned an int, not a Response, a mapping or a text (return a mapping such as {"decision": "answer", "text": "..."})',
        ),
        (
            "def answer(request): return {'text': 'It is $180.'}",
            "decision: missing at the root of the reply (keys there: text)",
        ),
        (
            "answer = None",
            "the system is None: it needs to be callable with a request or to have a method answer(request)",
        ),
        ("def answer(): return {}", "takes 0 positional arguments but 1 was given"),
        ("class answer:\n    def answer(self, request): return {}", "name an instance of it"),
        ("answer = 3", "it needs to be callable with a request or to have a method answer(request)"),
        ("def anser(request): return {}", "has no attribute 'answer' (did you mean 'anser'?)"),
    ],
)
def test_a_system_that_is_none_says_what_is_needed(suite: pytest.Pytester, source: str, message: str) -> None:
    (suite.path / "cases/a.yaml").write_text(CASES)
    suite.makepyfile(assistant=source)
    assert message in shown(suite, "--grounded-system", "assistant:answer")


def test_a_module_that_is_not_there_is_named_with_where_it_was_looked_for(suite: pytest.Pytester) -> None:
    (suite.path / "cases/a.yaml").write_text(CASES)
    assert "there is no module 'nowhere' in " in shown(suite, "--grounded-system", "nowhere:answer")


NAMES = {
    "a file for a module": ("assistant.py:answer", "(did you mean 'assistant:answer'?)"),
    "a dot for a colon": ("assistant.answer", "is not the name of a system (did you mean 'assistant:answer'?)"),
    "a misspelled module": ("asistant:answer", "(did you mean 'assistant:answer'?)"),
    "replies without their prefix": ("replies.jsonl", "(did you mean 'recorded:replies.jsonl'?)"),
    "replies that are not there": (
        "recorded:replies.jsonl",
        '(one JSON object a line: {"case": "<case id>", "response": {"decision": ...}})',
    ),
}


@pytest.mark.parametrize(("name", "message"), NAMES.values(), ids=NAMES)
def test_a_name_of_a_system_that_is_none_says_which_was_meant(suite: pytest.Pytester, name: str, message: str) -> None:
    (suite.path / "cases/a.yaml").write_text(CASES)
    suite.makepyfile(assistant="def answer(request): return {}")
    assert message in shown(suite, "--grounded-system", name)


NAMED = {
    "a folder": ("cases/hotel", "grounded: there is no cases/hotel (did you mean 'cases/hotels'?)"),
    "a file": ("cases/hotels/limit.yaml", "grounded: there is no cases/hotels/limit.yaml (did you mean 'cases/hotels/limits.yaml'?)"),
    "an id": ("cases/hotels/limits.yaml::y", "grounded: cases/hotels/limits.yaml has no case 'y' (cases there: x)"),
    "an id that is near": ("cases/hotels/more.yaml::parkin", "grounded: cases/hotels/more.yaml has no case 'parkin' (did you mean 'parking'?)"),
    "a folder outside": ("other", "grounded: other/limits.yaml has cases and stands outside of cases: name the file itself, or add its folder to the ini option grounded_cases"),
}  # fmt: skip


@pytest.mark.parametrize(("named", "message"), NAMED.values(), ids=NAMED)
def test_what_is_named_and_not_there_says_what_was_meant(suite: pytest.Pytester, named: str, message: str) -> None:
    for folder in ("cases/hotels", "other"):
        (suite.path / folder).mkdir()
        (suite.path / folder / "corpus.yaml").write_text(CORPUS)
        (suite.path / folder / "limits.yaml").write_text(CASES)
    (suite.path / "cases/hotels/more.yaml").write_text(CASES.replace("id: x", "id: parking"))
    assert message in shown(suite, named).splitlines()


def test_a_corpus_that_nobody_may_read_is_said_though_all_pass(suite: pytest.Pytester) -> None:
    (suite.path / "cases/corpus.yaml").write_text(CORPUS.replace('default_readers: ["*"]\n', ""))
    (suite.path / "cases/a.yaml").write_text(CASES)
    said = (
        'grounded: nobody may read any chunk of cases/corpus.yaml: add `default_readers: ["*"]` to it where everyone may, '
        "or `readers` to its chunks"
    )
    assert said in shown(suite).splitlines()
    (suite.path / "cases/corpus.yaml").write_text(CORPUS)
    assert "nobody may read" not in shown(suite)


def test_a_mistake_in_a_case_file_is_not_called_a_lack_of_cases(suite: pytest.Pytester) -> None:
    (suite.path / "cases/a.yaml").write_text(CASES.replace("unanswerable", "unanswerabel"))
    said = shown(suite)
    assert (
        "cases/a.yaml:2:19: x.kind: needs answerable, multi_evidence, partial, unanswerable, conflicting or restricted, "
        "found 'unanswerabel' (did you mean 'unanswerable'?)" in said.splitlines()
    )
    assert "no case was found" not in said


COMMANDS = {
    "lint": (("lint",), "cases: there is no such file or folder; name one with case files, or begin: `pytest-grounded init` writes a first suite"),
    "freeze": (("freeze",), "cases: there is no such file or folder; name a corpus manifest, or begin: `pytest-grounded init` writes a first suite"),
    "ask": (("ask", "How much?", "--suite", "hotels"), "there is no suite 'hotels' with a corpus.yaml below cases (`pytest-grounded init` writes a first suite)"),
    "corpus": (("corpus", "update", "hotels", "--from-docs", "docs"), "there is no suite 'hotels' with a corpus.yaml below cases (`pytest-grounded init` writes a first suite)"),
    "add": (("add",), "name the record of the incident (a JSON file, or - for standard input), or run this in a terminal, without --yes, and be asked"),
    "init": (("init", "--from-docs", "docs"), "docs: there is no such folder; name the folder that holds the documents"),
}  # fmt: skip


@pytest.mark.parametrize(("words", "message"), COMMANDS.values(), ids=COMMANDS)
def test_a_command_in_an_empty_folder_says_how_to_begin(
    words: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert capsys.readouterr().err.replace(f"{tmp_path}/", "") == message + "\n"
    assert [*tmp_path.iterdir()] == []


def test_cases_that_were_deselected_are_no_lack_of_cases(suite: pytest.Pytester) -> None:
    (suite.path / "cases/a.yaml").write_text(CASES)
    said = shown(suite, "-k", "nothing")
    assert "1 deselected" in said
    assert "no case was found" not in said
