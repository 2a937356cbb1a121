"""What a person gets wrong in the first ten minutes is answered with what to do."""

from __future__ import annotations

import pytest

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
        ("def answer(request): return None", "the system returned None: nothing came back"),
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
