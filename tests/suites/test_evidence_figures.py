"""Whether recall and precision of evidence, stage by stage, are what a person counts on shipped cases.

The chunks a case needs are written here by hand, and counted in the response: no code of the figures is used again.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from pytest_grounded.cases.loading import load_case_file
from pytest_grounded.harness.results import evidence_figures
from pytest_grounded.harness.variants import requests_of
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.systems.reference import SETTINGS_FILE, load_settings

ROOT = Path(__file__).parents[2]
CASES = ROOT / "cases"


@pytest.mark.parametrize(
    ("file", "case_id", "slots"),
    [
        pytest.param(
            "travel-policy/trips.yaml", "trips-client-gifts-shanghai", [[{"c41", "c42"}]], id="two-chunks-for-one-slot"
        ),
        pytest.param(
            "handbook/trips.yaml",
            "trips-delete-and-laundry",
            [
                [{"faq@2023-03-08#deleting-expenses"}],
                [{"travel@2023-01-17#laundry-expenses"}, {"faq@2023-03-08#simple-expenses"}],
            ],
            id="either-of-two-chunks",
        ),
        pytest.param(
            "handbook/trips.yaml",
            "trips-voucher-and-money",
            [
                [{"travel@2023-01-17#don-t-forget-about-vouchers"}],
                [
                    {"faq@2023-03-08#how-to-stamp-and-submit-for-travel-team-approval.3"},
                    {"reimbursement@2023-01-17#brief-overview-of-vouchers.3"},
                ],
            ],
            id="one-of-two-dropped",
        ),
    ],
)
def test_what_a_case_needs_is_counted_at_every_stage(
    file: str, case_id: str, slots: Collection[Collection[set[str]]]
) -> None:
    path = CASES / file
    (case,) = (one for one in load_case_file(path, root=ROOT, cases_roots=(CASES,)).cases if one.id == case_id)
    settings = path.parent / SETTINGS_FILE
    pipeline = ReferencePipeline(settings=load_settings(settings, root=ROOT) if settings.is_file() else None)
    response = pipeline.answer(requests_of(case)[0])
    candidates = response.internal.candidates or ()
    present = {
        "candidates": [one.chunk for one in candidates],
        "selected": [one.chunk for one in candidates if one.kept],
        "supplied": list(response.internal.evidence or ()),
        "cited": list(response.cited),
    }
    needed = {chunk for groups in slots for group in groups for chunk in group}
    figures = evidence_figures(case, Outcome(response=response))
    for stage, ids in present.items():
        filled = sum(any(group <= set(ids) for group in groups) for groups in slots)
        counted = {"recall": filled / len(slots), "precision": len(needed & set(ids)) / len(set(ids))}
        assert figures[stage] == pytest.approx(counted, abs=1e-6), stage
