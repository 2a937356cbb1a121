"""Tries suggested cases on the reference pipeline: a first suite begins with cases that can be got right."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path, PurePosixPath

from pytest_grounded.cases.loading import load_case_file
from pytest_grounded.documents.suggesting import Suggestion
from pytest_grounded.documents.writing import case_file, chunk_lines, manifest
from pytest_grounded.errors import CaseError
from pytest_grounded.harness.asking import LiveAsker
from pytest_grounded.harness.examining import examine
from pytest_grounded.harness.results import Verdict
from pytest_grounded.model.evidence import Corpus, Requester
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.systems.calling import Caller
from pytest_grounded.systems.restarting import Restartable

__all__ = ["those_that_hold"]


def those_that_hold(
    suggestions: Sequence[Suggestion], *, corpus: Corpus, requester: Requester, as_of: date, each: int
) -> tuple[Suggestion, ...]:
    """The first `each` suggestions of every kind that load as cases and that the reference pipeline passes."""
    kept: list[Suggestion] = []
    counts: Counter[str] = Counter()
    system = Restartable(lambda: assemble(PipelineSettings()))
    with tempfile.TemporaryDirectory() as scratch, Caller() as caller:
        asker = LiveAsker(system, caller, fresh=system.fresh)
        folder = Path(scratch)
        schema = PurePosixPath("s")
        (folder / "chunks.jsonl").write_text("".join(chunk_lines(corpus)), encoding="utf-8")
        (folder / "corpus.yaml").write_text(
            manifest(name=corpus.name, as_of=as_of, default_readers=(), schema=schema), encoding="utf-8"
        )
        for one in suggestions:
            if counts[one.kind.value] >= each:
                continue
            text = case_file([one], requester=requester, schema=schema, source="trial")
            (folder / "first.yaml").write_text(text, encoding="utf-8")
            if _holds(folder, asker):
                counts[one.kind.value] += 1
                kept.append(one)
    return tuple(kept)


def _holds(folder: Path, asker: LiveAsker) -> bool:
    try:
        cases = load_case_file(folder / "first.yaml", root=folder, cases_roots=[folder]).cases
    except CaseError:
        return False
    return all(examine(case, asker).verdict is Verdict.PASS for case in cases)
