import pytest

from tests.plugin.projects import CASES, CORPUS, INI, Make

FILE = "cases/travel/hotel.yaml"


def test_a_case_file_needs_no_python(project: Make) -> None:
    project().runpytest().assert_outcomes(passed=3)


def test_node_ids_are_the_file_and_the_case_id(project: Make) -> None:
    result = project().runpytest("--collect-only", "-q")
    result.stdout.fnmatch_lines([f"{FILE}::hotel-limit", f"{FILE}::parking", f"{FILE}::bonus"])


def test_the_tree_shows_files_and_cases(project: Make) -> None:
    result = project().runpytest("--collect-only")
    result.stdout.fnmatch_lines(["*<GroundedFile hotel.yaml>", "*<GroundedItem hotel-limit>"])


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        pytest.param(["-k", "restricted"], 1, id="keyword: kind"),
        pytest.param(["-k", "hotel and not parking and not bonus"], 3 - 2, id="keyword: tag or id"),
        pytest.param(["-m", "grounded(kind='unanswerable')"], 1, id="marker: kind"),
        pytest.param(["-m", "grounded(risk='high')"], 1, id="marker: risk"),
        pytest.param(["-m", "grounded(suite='travel')"], 3, id="marker: suite"),
        pytest.param(["-m", "grounded(suite='other')"], 0, id="marker: other suite"),
        pytest.param([FILE], 3, id="one file"),
        pytest.param([f"{FILE}::parking"], 1, id="one node id"),
        pytest.param(["cases"], 3, id="folder"),
        pytest.param(["-p", "no:cacheprovider"], 3, id="no cache"),
        pytest.param(["-n", "2"], 3, id="two workers"),
        pytest.param(["-n", "2", "--dist", "loadfile"], 3, id="by file"),
        pytest.param(["-n", "2", "--dist", "loadscope"], 3, id="by module"),
        pytest.param(["-n", "2", "--dist", "loadgroup"], 3, id="by group"),
        pytest.param(["-n", "2", "--dist", "worksteal"], 3, id="stealing"),
        pytest.param(["-p", "no:syrupy"], 3, id="no syrupy"),
        pytest.param(["--import-mode", "importlib"], 3, id="importlib"),
    ],
)
def test_everything_that_selects_tests_selects_cases(project: Make, arguments: list[str], passed: int) -> None:
    project().runpytest(*arguments).assert_outcomes(
        passed=passed, deselected=3 - passed if "-k" in arguments or "-m" in arguments else 0
    )


def test_last_failed_runs_only_the_case_that_failed(project: Make) -> None:
    made = project(cases=CASES.replace('"180"', '"180", "181"').replace("kind: unanswerable", "kind: answerable"))
    made.runpytest().assert_outcomes(passed=2, failed=1)
    made.runpytest("--lf").assert_outcomes(failed=1)


def test_a_case_is_located_at_its_yaml_line(project: Make) -> None:
    made = project()
    items, _ = made.inline_genitems()
    lines = CASES.splitlines()
    for item in items:
        path, line, name = item.location
        assert path == FILE
        assert line is not None
        assert f"id: {name}" in lines[line]


def test_other_yaml_below_the_cases_is_passed_over(project: Make) -> None:
    made = project()
    (made.path / "cases" / "travel" / "notes.yaml").write_text("people: [ann]\n", encoding="utf-8")
    made.runpytest().assert_outcomes(passed=3)


def test_yaml_outside_the_cases_is_not_looked_at(project: Make) -> None:
    made = project()
    (made.path / "broken.yaml").write_text("a: [\n", encoding="utf-8")
    (made.path / "compose.yaml").write_text("cases: 3\n", encoding="utf-8")
    made.runpytest().assert_outcomes(passed=3)


def test_yaml_below_the_cases_that_does_not_parse_is_an_error(project: Make) -> None:
    made = project()
    (made.path / "cases" / "travel" / "broken.yaml").write_text("cases: [\n", encoding="utf-8")
    result = made.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*cases/travel/broken.yaml:*"])


def test_a_named_file_without_cases_is_an_error(project: Make) -> None:
    made = project()
    (made.path / "cases" / "travel" / "notes.yaml").write_text("people: [ann]\n", encoding="utf-8")
    result = made.runpytest("cases/travel/notes.yaml")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*cases/travel/notes.yaml*cases*"])


def test_all_problems_of_a_file_are_shown_at_once_without_a_traceback(project: Make) -> None:
    result = project(
        cases=CASES.replace("kind: answerable", "kind: answerabel").replace("about: [memo]", "about: [mema]")
    ).runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [f"{FILE}:*answerabel*did you mean*", f"{FILE}:*bonus.about: chunk 'mema' is not in corpus 'travel'"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*plugin/*.py*")


def test_an_id_that_two_files_of_a_suite_share_is_an_error_of_the_second(project: Make) -> None:
    made = project()
    second = (
        CASES.replace("id: parking", "id: PARKING".lower())
        .replace("id: hotel-limit", "id: x1")
        .replace("id: bonus", "id: x2")
    )
    (made.path / "cases" / "travel" / "second.yaml").write_text(second, encoding="utf-8")
    result = made.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["cases/travel/second.yaml:*: parking.id: the id is taken in suite 'travel': cases/travel/hotel.yaml:*"]
    )


def test_the_folders_of_cases_are_an_ini_option(project: Make) -> None:
    made = project(ini=INI + "grounded_cases = suites\n")
    (made.path / "cases").rename(made.path / "suites")
    result = made.runpytest("-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["suites/travel/hotel.yaml::parking PASSED*"])


def test_a_file_directly_in_the_folder_of_cases_is_of_suite_root(project: Make) -> None:
    made = project(suite=".")
    made.runpytest("-m", "grounded(suite='root')").assert_outcomes(passed=3)


def test_a_file_with_a_hostile_name_is_collected(project: Make) -> None:
    made = project()
    folder = made.path / "cases" / "travel"
    (folder / "hotel.yaml").rename(folder / "hôtel [1] x.yaml")
    made.runpytest().assert_outcomes(passed=3)


def test_serial_and_parallel_runs_collect_the_same_ids_in_the_same_order(project: Make) -> None:
    made = project()
    for name in ("a", "b"):
        text = CASES
        for number, case_id in enumerate(("hotel-limit", "parking", "bonus")):
            text = text.replace(f"id: {case_id}", f"id: {name}{number}")
        (made.path / "cases" / "travel" / f"{name}.yaml").write_text(text, encoding="utf-8")
    first = made.runpytest("--collect-only", "-q").stdout.str()
    second = made.runpytest_subprocess("--collect-only", "-q").stdout.str()
    assert [line for line in first.splitlines() if "::" in line] == [
        line for line in second.splitlines() if "::" in line
    ]
    made.runpytest("-n", "2").assert_outcomes(passed=9)


def test_a_corpus_that_is_missing_is_an_error_of_the_case_file(project: Make) -> None:
    made = project()
    (made.path / "cases" / "travel" / "corpus.yaml").unlink()
    result = made.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["cases/travel/hotel.yaml:*: corpus: corpus 'corpus.yaml' is no file *"])


def test_a_corpus_error_does_not_hide_other_suites(project: Make) -> None:
    made = project()
    project(suite="broken", corpus=CORPUS.replace("as_of: 2024-10-01", "as_of: yesterday"))
    result = made.runpytest("--continue-on-collection-errors")
    result.assert_outcomes(passed=3, errors=1)


def test_an_error_at_collection_speaks_to_no_terminal_and_no_ci(project: Make) -> None:
    key = '"x\\n::error file=a.py::forged\\e[2J\\u202e"'
    made = project(cases=CASES.replace("    tags: [hotel]", f"    {key}: 1"))
    result = made.runpytest("--junitxml", "junit.xml")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    shown = result.stdout.str() + (made.path / "junit.xml").read_text(encoding="utf-8")
    assert "unknown key" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert not [line for line in shown.splitlines() if line.strip().startswith("::")]
