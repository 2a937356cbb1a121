"""A threshold, a generator, a prompt is changed: the run lists exactly the cases that changed, by class and stage.

Two files of a shipped suite, through pytest; tests/suites does the same for every setting and every shipped case. The
expected list is computed from the responses alone.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.cases.loading import load_case_file
from pytest_grounded.harness.variants import requests_of
from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.generate import Generator
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.systems.reference import load_settings
from tests.plugin.traced import summary_of
from tests.suites.careless import CarelessGenerator
from tests.suites.differing import SEVERITY, difference

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "cases" / "travel-policy"
README = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = ("deadlines.yaml", "hotel.yaml")
_SYSTEM = """
import pytest

from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.settings import PipelineSettings
from tests.suites.careless import CarelessGenerator


@pytest.fixture(scope="session")
def grounded_system():
    return assemble(PipelineSettings.model_validate({settings}), generator={generator})
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with two files of a shipped suite, and a system of its own."""
    folder = pytester.path / "cases" / "travel-policy"
    folder.mkdir(parents=True)
    for name in ("corpus.yaml", "chunks.jsonl", *FILES):
        shutil.copy(SUITE / name, folder)
    pytester.makeini(f"[pytest]\npythonpath = {ROOT}\n")
    return pytester


def use(project: pytest.Pytester, settings: dict[str, object], generator: Generator | None = None) -> None:
    made = f"CarelessGenerator(name={generator.name!r})" if generator else "None"
    (project.path / "conftest.py").write_text(_SYSTEM.format(settings=settings, generator=made), encoding="utf-8")


def responses(settings: dict[str, object], generator: Generator | None = None) -> dict[str, Response]:
    """What the system responds to each case, without any trace."""
    found = {}
    for name in FILES:
        for case in load_case_file(SUITE / name, root=ROOT, cases_roots=(ROOT / "cases",)).cases:
            system = assemble(PipelineSettings.model_validate(settings), generator=generator)
            *earlier, judged = requests_of(case)
            for request in earlier:
                system.answer(request)
            found[case.id] = system.answer(judged)
    return found


OURS: Any = load_settings(SUITE / "reference.yaml", root=ROOT).model_dump(mode="json", exclude_defaults=True)
CARELESS = CarelessGenerator()


Setting = tuple[dict[str, object], Generator | None]
CHANGES: dict[str, tuple[Setting, Setting]] = {
    "a threshold: `gate.coverage` 0.8 to 0.9": (
        (OURS, None),
        ({**OURS, "gate": {**OURS["gate"], "coverage": 0.9}}, None),
    ),
    "a limit: `selection.max_items` 8 to 2": ((OURS, None), ({**OURS, "selection": {"max_items": 2}}, None)),
    "a rule order: in `conflicts.rules` the newest document before the highest": (
        (OURS, None),
        ({**OURS, "conflicts": {"rules": ["supersession", "scope", "effective_date", "authority"]}}, None),
    ),
    "another generator: one that makes slips in place of one that quotes": ((OURS, None), (OURS, CARELESS)),
    'another prompt: `generation.instructions` with "at most one claim"': (
        (OURS, CARELESS),
        ({**OURS, "generation": {"instructions": "Answer with at most one claim."}}, CARELESS),
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_the_run_lists_exactly_the_cases_that_changed_and_the_readme_says_which(
    project: pytest.Pytester, what: str
) -> None:
    before, after = CHANGES[what]
    use(project, *before)
    project.runpytest("--grounded-snapshots", "new")
    was, now = responses(*before), responses(*after)
    expected = {case: difference(response, now[case]) for case, response in was.items()}

    use(project, *after)
    result = project.runpytest("--grounded-results", "results.jsonl", "-k", _approved(project))
    rows = map(json.loads, (project.path / "results.jsonl").read_text(encoding="utf-8").splitlines())
    traces = {row["case"]: row["trace"] for row in rows}
    listed = {
        case: (trace["headline"], trace["first_divergence"])
        for case, trace in traces.items()
        if trace["status"] == "changed"
    }
    assert listed == {case: found for case, found in expected.items() if found is not None and case in traces}
    assert listed
    shown = "\n".join(summary_of(result))
    assert all(f"travel-policy/{case}: " in shown for case in listed)
    assert _row(what, listed) in README.splitlines(), f"the README has to say:\n{_row(what, listed)}"


def _approved(project: pytest.Pytester) -> str:
    """The cases whose trace was approved: one that broke a rule before has none."""
    names = sorted(path.stem for path in (project.path / "snapshots").rglob("*.json"))
    assert names
    return " or ".join(names)


def _row(what: str, listed: dict[str, tuple[str, str]]) -> str:
    """The line of the README's table: how many cases changed, and which, by class and stage."""
    groups = sorted(set(listed.values()), key=lambda group: (SEVERITY.index(group[0]), group[1]))
    said = (
        f"{kind} at {stage}: {', '.join(f'`{case}`' for case in sorted(listed) if listed[case] == (kind, stage))}"
        for kind, stage in groups
    )
    return f"| {what} | {len(listed)} | {'; '.join(said)} |"


def test_the_readme_prints_what_a_run_with_a_changed_threshold_prints(pytester: pytest.Pytester) -> None:
    shutil.copytree(SUITE, pytester.path / "cases" / "travel-policy")
    settings = pytester.path / "cases" / "travel-policy" / "reference.yaml"
    pytester.makeini("[pytest]\n")
    file = "cases/travel-policy/hotel.yaml"
    pytester.runpytest(file, "--grounded-snapshots", "new").assert_outcomes(passed=_cases_in("hotel.yaml"))
    changed = settings.read_text(encoding="utf-8").replace("\ngate:\n", "\ngate:\n  coverage: 0.9\n")
    assert "\n```diff\n gate:\n+  coverage: 0.9\n" in README
    settings.write_text(changed, encoding="utf-8")
    lines = summary_of(pytester.runpytest(file))
    start, stop = (next(place for place, line in enumerate(lines) if line.startswith(word)) for word in _SHOWN)
    block = "\n".join(("```", *lines[start:stop], "```"))
    assert block in README, f"the README has to show:\n{block}"


def _cases_in(*files: str) -> int:
    return sum((SUITE / file).read_text(encoding="utf-8").count("\n  - id: ") for file in files)


def test_the_readme_counts_the_cases_that_its_table_is_about() -> None:
    count = _cases_in("hotel.yaml", "deadlines.yaml")
    assert f"The same over the {count} cases of `hotel.yaml` and `deadlines.yaml`" in README


_SHOWN = ("traces: ", "findings by owner: ")
"""Where the summary's account of traces begins, and what stands behind it."""
