import json

import pytest

from tests.plugin.projects import INI, SYSTEM, Make


def test_a_folders_conftest_replaces_the_system(project: Make) -> None:
    made = project(ini="[pytest]\npythonpath = .\n")
    (made.path / "cases" / "travel" / "conftest.py").write_text(
        "import pytest, app\n@pytest.fixture(scope='session')\ndef grounded_system():\n    return app.answer\n",
        encoding="utf-8",
    )
    made.runpytest().assert_outcomes(passed=3)


@pytest.mark.parametrize(
    "replacement",
    [
        "async def answer(request):",
        "class answer_:\n  def answer(self, request):\n    return ANSWER if 'hotel' in request.question else ABSTAIN\nanswer = answer_()\ndef unused(request):",
    ],
    ids=["async", "object"],
)
def test_the_system_may_be_async_or_an_object(project: Make, replacement: str) -> None:
    project(system=SYSTEM.replace("def answer(request):", replacement)).runpytest().assert_outcomes(passed=3)


def test_the_option_goes_before_the_ini_setting(project: Make) -> None:
    made = project(ini="[pytest]\ngrounded_system = app:nowhere\n")
    made.runpytest("--grounded-system", "app:answer").assert_outcomes(passed=3)


def test_a_system_that_cannot_be_found_is_one_line_per_case_without_a_traceback(project: Make) -> None:
    result = project(ini="[pytest]\ngrounded_system = app:anser\n").runpytest()
    result.assert_outcomes(errors=3)
    result.stdout.fnmatch_lines(["grounded_system 'app:anser': app has no attribute 'anser' (did you mean 'answer'?)"])
    result.stdout.no_fnmatch_line("*naming.py*")


@pytest.mark.parametrize(
    ("body", "line"),
    [
        pytest.param("    raise RuntimeError('index gone')", "*SYSTEM_FAILURE: exception*", id="exception"),
        pytest.param("    import time; time.sleep(20)", "*SYSTEM_FAILURE: timeout*", id="timeout"),
        pytest.param("    return None", "*SYSTEM_FAILURE: parse*", id="none"),
        pytest.param("    return {}", "*SYSTEM_FAILURE: schema*", id="empty"),
        pytest.param("    return 'no json'", "*SYSTEM_FAILURE: parse*", id="text"),
        pytest.param("    raise SystemExit(1)", "*SYSTEM_FAILURE: exception*", id="exit"),
    ],
)
def test_a_system_that_fails_fails_every_case_and_shows_no_traceback_of_ours(
    project: Make, body: str, line: str
) -> None:
    made = project(system=f"def answer(request):\n{body}\n", ini=INI + "grounded_timeout = 0.2\n")
    result = made.runpytest()
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines([line])
    result.stdout.no_fnmatch_line("*src/pytest_grounded*")
    result.stdout.no_fnmatch_line("*calling.py*")


def test_a_recording_beside_the_cases_is_found_before_one_at_the_root(project: Make) -> None:
    made = project()
    namespace: dict[str, object] = {}
    exec(SYSTEM, namespace)  # noqa: S102 - our own text
    lines = [
        {"case": "hotel-limit", "response": namespace["ANSWER"]},
        {"case": "parking", "response": json.dumps(namespace["ABSTAIN"])},
        {"case": "bonus", "response": namespace["ABSTAIN"]},
    ]
    (made.path / "responses.jsonl").write_text('{"case": "x", "response": null}', encoding="utf-8")
    beside = made.path / "cases" / "travel" / "responses.jsonl"
    beside.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    made.runpytest("--grounded-system", "recorded:responses.jsonl").assert_outcomes(passed=3)
    beside.unlink()
    result = made.runpytest("--grounded-system", "recorded:responses.jsonl")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["*no reply to case 'parking' of suite 'travel' is recorded in responses.jsonl*"])


def test_own_reason_codes_are_mapped(project: Make) -> None:
    system = SYSTEM.replace("NO_EVIDENCE", "EMPTY")
    project(system=system).runpytest().assert_outcomes(passed=1, failed=2)
    project(system=system, ini=INI + "grounded_reason_codes =\n    EMPTY = NO_EVIDENCE\n").runpytest().assert_outcomes(
        passed=3
    )


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("grounded_timeout = soon", "*grounded_timeout: needs a number of seconds above 0, found 'soon'*"),
        ("grounded_timeout = -1", "*grounded_timeout: needs a number of seconds above 0, found '-1'*"),
        ("grounded_reason_codes = EMPTY", "*grounded_reason_codes: needs lines such as OURS = NO_EVIDENCE*"),
        ("grounded_reason_codes = EMPTY = NOTHING", "*grounded_reason_codes: needs lines such as OURS = NO_EVIDENCE*"),
    ],
)
def test_settings_that_cannot_be_read_say_what_to_write(project: Make, setting: str, message: str) -> None:
    result = project(ini=f"{INI}{setting}\n").runpytest()
    assert result.ret != 0
    text = result.stdout.str() + result.stderr.str()
    assert any(pytest_match(line, message) for line in text.splitlines()), text


def pytest_match(line: str, pattern: str) -> bool:
    from fnmatch import fnmatchcase

    return fnmatchcase(line, pattern)


def test_the_request_never_holds_the_id_or_the_expectations(project: Make) -> None:
    system = SYSTEM + (
        "\nimport dataclasses\n_inner = answer\n"
        "def answer(request):\n"
        "    names = {field.name for field in dataclasses.fields(request)}\n"
        "    assert names == {'question', 'requester', 'as_of', 'history', 'corpus'}, names\n"
        "    assert 'c1' in request.corpus\n"
        "    return _inner(request)\n"
    )
    project(system=system).runpytest().assert_outcomes(passed=3)
