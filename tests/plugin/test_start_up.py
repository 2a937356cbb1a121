import subprocess
import sys

import pytest

HEAVY = ("pydantic", "yaml", "deepdiff", "hypothesis", "numpy", "httpx", "sqlite3", "xdist.remote")


def modules_after(code: str) -> set[str]:
    script = f"import sys, pytest, syrupy\nbefore = set(sys.modules)\n{code}\nprint(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_entry_module_imports_nothing_but_pytest() -> None:
    added = modules_after("import pytest_grounded.plugin")
    assert {name for name in added if name.split(".")[0] != "pytest_grounded"} == set()
    assert added <= {"pytest_grounded", "pytest_grounded.plugin"}


def test_the_package_itself_imports_nothing_heavy() -> None:
    added = modules_after("import pytest_grounded")
    assert {name.split(".")[0] for name in added} <= {"pytest_grounded", "importlib", "__future__"}


def test_a_session_without_case_files_imports_only_the_options(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_one():
            ours = {name for name in sys.modules if name.startswith("pytest_grounded")}
            assert ours <= {"pytest_grounded", "pytest_grounded.plugin", "pytest_grounded.plugin.options"}, ours
            assert not {"pydantic", "yaml", "deepdiff"} & set(sys.modules)
        """
    )
    pytester.runpytest_subprocess("-p", "no:hypothesispytest").assert_outcomes(passed=1)
