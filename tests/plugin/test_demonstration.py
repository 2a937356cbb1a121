"""A threshold, a generator, a prompt is changed: the run lists exactly the cases that changed, by class and stage.

Two files of a shipped suite, through pytest; tests/suites does the same for every setting and every shipped case. The
expected list is computed from the responses alone.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

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
from tests.suites.differing import difference

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "cases" / "travel-policy"
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


OURS = load_settings(SUITE / "reference.yaml", root=ROOT).model_dump(mode="json", exclude_defaults=True)
CARELESS = CarelessGenerator()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param((OURS, None), ({**OURS, "selection": {"max_items": 2}}, None), id="a threshold"),
        pytest.param(
            (OURS, None), ({**OURS, "conflicts": {"rules": ["effective_date", "authority"]}}, None), id="a rule order"
        ),
        pytest.param((OURS, None), (OURS, CARELESS), id="another generator"),
        pytest.param(
            (OURS, CARELESS),
            ({**OURS, "generation": {"instructions": "Answer with at most one claim."}}, CARELESS),
            id="another prompt",
        ),
    ],
)
def test_the_run_lists_exactly_the_cases_that_changed(
    project: pytest.Pytester,
    before: tuple[dict[str, object], Generator | None],
    after: tuple[dict[str, object], Generator | None],
) -> None:
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


def _approved(project: pytest.Pytester) -> str:
    """The cases whose trace was approved: one that broke a rule before has none."""
    names = sorted(path.stem for path in (project.path / "snapshots").rglob("*.json"))
    assert names
    return " or ".join(names)
