import textwrap

import pytest

from tests.plugin.projects import CASES, CORPUS, INI, SYSTEM, Make
from tests.plugin.traced import Traced


@pytest.fixture(autouse=True)
def _not_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a run does with traces depends on `CI`; these tests say it where they mean it."""
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture
def traced(pytester: pytest.Pytester) -> Traced:
    """A project whose system answers from a file."""
    return Traced(pytester)


@pytest.fixture
def project(pytester: pytest.Pytester) -> Make:
    """A small project whose three cases pass; keywords replace the text of a part."""

    def make(
        *, cases: str = CASES, corpus: str = CORPUS, system: str = SYSTEM, ini: str = INI, suite: str = "travel"
    ) -> pytest.Pytester:
        folder = pytester.path / "cases" / suite
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "corpus.yaml").write_text(textwrap.dedent(corpus), encoding="utf-8")
        (folder / "hotel.yaml").write_text(textwrap.dedent(cases), encoding="utf-8")
        (pytester.path / "app.py").write_text(system, encoding="utf-8")
        (pytester.path / "pytest.ini").write_text(ini, encoding="utf-8")
        return pytester

    return make
