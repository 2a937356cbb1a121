import json
from pathlib import Path

import pytest

from pytest_grounded.cli import main

ROOT = Path(__file__).parents[2]
HOTEL = "What is the nightly hotel limit in a standard city?"


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_ask_shows_every_stage_and_the_outcome(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", HOTEL, "--suite", "travel-policy", "--as", "employee"]) == 0
    shown = capsys.readouterr().out
    for stage in ("retrieve", "select", "resolve", "gate", "generate", "verify", "deliver"):
        assert f". {stage}: " in shown
    assert "superseded by a newer version" in shown
    assert "decision   answer" in shown


def test_ask_gives_json_to_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "ask",
                HOTEL,
                "--suite",
                "travel-policy",
                "--audience",
                "contractor",
                "--group",
                "vendors",
                "--format",
                "json",
            ]
        )
        == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert data["requester"]["audience"] == ["contractor"]
    assert data["response"]["decision"]
    assert data["failure"] is None


BOTH = "What is the nightly hotel limit in a standard city and in a high-cost city?"


def test_ask_goes_on_in_the_same_conversation(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["ask", BOTH, "--then", "What was the second one?", "--suite", "travel-policy", "--as", "employee"]
    assert main(command) == 0
    turns = capsys.readouterr().out.split("\nturn       ")
    assert [turn.splitlines()[0] for turn in turns[1:]] == ["1 of 2", "2 of 2"]
    assert "follow_up: read as: What was" in turns[2]
    assert (
        "of $180 [2].\nclaim      Employees who stay in high-cost cities have a nightly hotel limit of $260. [c3]"
        in turns[1]
    )
    assert (
        "decision   answer\ntext       Employees who stay in standard cities have a nightly hotel limit of $180 [1]."
        in turns[2]
    )
    assert main([*command, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["response"]["decision"] for one in told] == ["answer", "answer"]


def test_an_empty_question_in_a_conversation_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", HOTEL, "--then", " ", "--suite", "travel-policy"]) == 2
    assert "the question is empty" in capsys.readouterr().err


def test_ask_on_another_day_gets_the_text_of_that_day(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", HOTEL, "--suite", "travel-policy", "--as", "employee", "--as-of", "2023-06-01"]) == 0
    assert "$150" in capsys.readouterr().out


def test_ask_shows_nothing_that_the_requester_may_not_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "What is the retention bonus?", "--suite", "travel-policy", "--as", "employee"]) == 0
    assert "memo" not in capsys.readouterr().out


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite with a requester who is in no group, and one nobody wrote anything about."""
    (tmp_path / "cases/fees").mkdir(parents=True)
    (tmp_path / "cases/fees/corpus.yaml").write_text(
        "corpus: fees\nas_of: 2024-10-01\nchunks: [{id: a, text: It costs $5., readers: ['*']}]\n"
    )
    (tmp_path / "cases/fees/a.yaml").write_text(
        "requesters: {reader: {}}\ncases: [{id: a, kind: unanswerable, requester: reader, question: Why?}]\n"
    )
    (tmp_path / "cases/fees/b.yaml").write_text(
        "requesters:\n  visitor:\ncases: [{id: b, kind: unanswerable, question: Why?}]\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(
    ("who", "shown"),
    [
        (["--as", "reader"], "asked as   reader, no groups"),
        ([], "asked as   anonymous, no groups"),
        (
            ["--as", "reader", "--group", "staff", "--tenant", "acme", "--scope", "region=EU"],
            "asked as   reader, groups staff, tenant acme, region EU",
        ),
    ],
    ids=["in no group", "nobody", "with more"],
)
def test_ask_names_who_asks_and_what_that_decides(
    who: list[str], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", "What does it cost?", "--suite", "fees", *who]) == 0
    assert shown in capsys.readouterr().out.splitlines()


@pytest.mark.usefixtures("reader")
def test_ask_says_what_is_wrong_with_the_file_a_requester_may_stand_in(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "Why?", "--suite", "fees", "--as", "visitor"]) == 2
    unknown, fault = capsys.readouterr().err.splitlines()
    assert unknown.endswith("names a requester 'visitor'; named there: anonymous, reader")
    assert fault == "cases/fees/b.yaml:2:11: requesters.visitor: needs a mapping of keys to values, found nothing"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--suite", "travel"], "there is no suite 'travel' with a corpus.yaml below cases (suites there: "),
        (["--suite", "travel-policy", "--as", "employe"], "(did you mean 'employee'?)"),
        (
            ["--suite", "travel-policy", "--scope", "region"],
            "--scope needs KEY=VALUE, such as region=EU; found 'region'",
        ),
        (["--suite", "travel-policy", "--system", "referense"], "did you mean 'reference'"),
        (["--suite", "travel-policy", "--system", "recorded:x.jsonl"], "a recording has no reply to a new question"),
    ],
    ids=["suite", "requester", "scope", "system", "recording"],
)
def test_ask_says_what_cannot_be_used(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", HOTEL, *arguments]) == 2
    assert message in capsys.readouterr().err


def test_ask_refuses_a_day_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["ask", HOTEL, "--suite", "travel-policy", "--as-of", "yesterday"])
    assert caught.value.code == 2
    assert "needs a date as YYYY-MM-DD, found 'yesterday'" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--group", "--audience", "--tenant", "--scope"])
def test_ask_refuses_a_requester_of_bytes_that_are_no_text(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["ask", "What is the limit?", "--suite", "travel-policy", option, "a=\udcff"])
    assert f"argument {option}: needs UTF-8 text, found 'a=\\udcff'" in capsys.readouterr().err


def test_a_time_limit_no_clock_can_hold_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["ask", "What is the nightly hotel limit in Tokyo?", "--suite", "travel-policy", "--as", "employee"]
    assert main([*asked, "--timeout", "1e300"]) == 0
    assert "decision   answer" in capsys.readouterr().out


def test_a_name_in_an_error_does_not_act_on_the_terminal_or_the_workflow(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["add", "a.json", "--suite", "x\n::error::\x1b[31m", "--store", "x\n::error::\x1b[31m"]) == 2
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert "\n::error" not in said


def test_lint_finds_no_error_in_the_shipped_suites(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert " 0 errors, " in shown[-1]
    assert not [line for line in shown if "passed over" in line]


def test_lint_says_which_files_are_neither_cases_nor_corpus_nor_settings(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (broken / "a.yaml").write_text("case: []\n", encoding="utf-8")
    (broken / "corpus-2023.yaml").write_bytes((broken / "corpus.yaml").read_bytes())
    (broken / "reference.yaml").write_text("gate: {}\n", encoding="utf-8")
    assert main(["lint"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line for line in shown if "passed over" in line] == ["cases/s/a.yaml: passed over, it has no key cases"]


def test_lint_asks_for_no_check_that_no_case_can_exercise(capsys: pytest.CaptureFixture[str]) -> None:
    main(["lint", "--format", "json"])
    missing = {name for suite in json.loads(capsys.readouterr().out)["coverage"] for name in suite["checks_missing"]}
    assert missing
    assert not [name for name in missing if name.startswith(("budget.", "relation."))]


def test_ask_asks_the_system_of_the_project(
    broken: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = broken.parents[1]
    (root / "pytest.ini").write_text("[pytest]\ngrounded_system = prose:ask_of_project:answer\n", encoding="utf-8")
    (root / "ask_of_project.py").write_text("def answer(request):\n    return 'I cannot say.'\n", encoding="utf-8")
    (broken / "a.yaml").unlink()
    monkeypatch.syspath_prepend(root)
    assert main(["ask", "Why?", "--suite", "s"]) == 0
    shown = capsys.readouterr().out
    assert "system     prose:ask_of_project:answer\n" in shown
    assert "I cannot say." in shown


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    suite = tmp_path / "cases" / "s"
    suite.mkdir(parents=True)
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (suite / "corpus.yaml").write_text(
        'corpus: s\nas_of: 2024-01-01\ndefault_readers: ["*"]\nchunks:\n  - {id: c1, text: ""}\n', encoding="utf-8"
    )
    (suite / "a.yaml").write_text("cases:\n  - {id: a, kind: unanswerabel, question: Why?}\n", encoding="utf-8")
    (suite / "b.yaml").write_text("cases:\n  - {id: b, kind: unanswerable, question: Why?}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return suite


@pytest.mark.usefixtures("broken")
def test_lint_says_errors_and_warnings_of_all_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint"]) == 1
    shown = capsys.readouterr().out
    assert "cases/s/a.yaml:2:" in shown
    assert "did you mean 'unanswerable'" in shown
    assert "(warning: lint." in shown


def test_lint_says_what_a_suite_leaves_out(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (broken / "a.yaml").unlink()
    assert main(["lint"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert "suite s: 1 case (1 unanswerable) over 1 chunk" in shown
    assert "  kinds no case has: answerable, multi_evidence, partial, conflicting, restricted" in shown
    assert "  chunks no case names: c1" in shown
    assert main(["lint", "--format", "json"]) == 0
    (suite,) = json.loads(capsys.readouterr().out)["coverage"]
    assert (suite["suite"], suite["unnamed"]) == ("s", ["c1"])


def test_of_single_files_no_coverage_is_told(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", str(broken / "b.yaml")]) == 0
    assert "suite s:" not in capsys.readouterr().out


def test_lint_says_what_to_add_to_a_weak_case(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (broken / "a.yaml").write_text("cases:\n  - {id: a, kind: answerable, question: Why?}\n", encoding="utf-8")
    assert main(["lint"]) == 0
    assert "a.expect: any answer from permitted evidence passes (add slots" in capsys.readouterr().out


def test_lint_counts_warnings_when_strict(broken: Path) -> None:
    (broken / "a.yaml").unlink()
    assert main(["lint"]) == 0
    assert main(["lint", "--strict"]) == 1


def test_lint_finds_an_id_that_two_files_share(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (broken / "a.yaml").write_text((broken / "b.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["lint", "--format", "json"]) == 1
    (error,) = json.loads(capsys.readouterr().out)["errors"]
    assert error["code"] == "case_file.duplicate_id"


@pytest.mark.usefixtures("broken")
def test_lint_of_a_path_that_is_not_there_is_unusable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "nowhere"]) == 2
    assert "nowhere: there is no such file or folder" in capsys.readouterr().err


def test_lint_of_a_named_file_without_cases_is_an_error(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", str(broken / "corpus.yaml")]) == 1
    assert "cases" in capsys.readouterr().out


def test_lint_where_there_is_no_case_file_is_unusable(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.yaml", "b.yaml"):
        (broken / name).unlink()
    assert main(["lint"]) == 2
    assert tuple(capsys.readouterr()) == (
        "",
        (
            "no case file (a *.yaml with the key cases) is below cases; passed over there, without that key: "
            "cases/s/corpus.yaml; `pytest-grounded init` writes a first suite\n"
        ),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "- {id: a, kind: unanswerable, question: Why?}\n",
            "1:1: is a list of what looks like cases, and the key cases is missing (write `cases:` above the list)",
            id="a list alone",
        ),
        pytest.param(
            "cases: [\n", "2:1: cases[0]: a list in brackets or a mapping in braces is not closed (is", id="["
        ),
        pytest.param(
            "cases:\n  - {id: a, kind: answerable\n  - {id: b}\n",
            "3:5: a: the mapping in braces that begins in line 2 is broken here (is a } or a comma missing?)",
            id="{",
        ),
        pytest.param(
            'cases:\n  - id: a\n    question: "Why?\n',
            "4:1: a.question: the text in quotes that begins in line 3 is not closed (is the second quote missing?)",
            id="quote",
        ),
        pytest.param(
            "cases:\n  - id: a\n   kind: answerable\n",
            "3:4: cases[1]: the list that begins in line 2 ends in the middle (is this line indented as its other",
            id="indentation",
        ),
    ],
)
def test_lint_says_of_broken_yaml_what_is_missing_where(
    broken: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (broken / "a.yaml").write_text(text, encoding="utf-8")
    assert main(["lint"]) == 1
    assert capsys.readouterr().out.startswith(f"cases/s/a.yaml:{said}")
