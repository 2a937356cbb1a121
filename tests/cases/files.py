"""Case files for tests: a small corpus with one chunk of every sort, and cases written below a fixed head."""

from __future__ import annotations

from pathlib import Path

from pytest_grounded.cases.loading import LoadedFile, load_case_file
from pytest_grounded.corpus.loading import CorpusStore
from pytest_grounded.model.case import Case

CORPUS = """\
corpus: travel
revision: 2024-10-01
as_of: 2024-10-01
default_readers: ["*"]
chunks:
  - {id: c1, text: The limit is $180., audience: [employee], facts: [{key: limit, value: "180"}]}
  - {id: c2, text: The limit was $150., effective_to: 2024-06-30}
  - {id: c3, text: The limit will be $200., effective_from: 2025-01-01}
  - {id: c4, text: The limit is $120., audience: [contractor]}
  - {id: c5, text: The fee is $900., ingested_at: 2024-11-01}
  - {id: c6, text: Mileage is $0.60., facts: [{key: mileage, value: "0.60"}]}
  - {id: c7, text: Mileage is $0.65., facts: [{key: mileage, value: "0.65"}]}
  - {id: memo-7, text: The bonus is $42000., readers: [board]}
  - {id: memo-8, text: The plan is secret., readers: [board], ingested_at: 2024-11-01}
"""

HEAD = """\
requesters:
  employee: {audience: employee, groups: [staff]}
  executive: {audience: employee, groups: [staff, board]}
defaults: {requester: employee}
cases:
"""


def write(
    root: Path, cases: str, *, head: str = HEAD, corpus: str | None = CORPUS, name: str = "travel/a.yaml"
) -> Path:
    path = root / "cases" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if corpus is not None:
        (path.parent / "corpus.yaml").write_text(corpus, encoding="utf-8")
    path.write_text(head + cases, encoding="utf-8")
    return path


def load(root: Path, path: Path, *, named: bool = False) -> LoadedFile:
    return load_case_file(path, root=root, cases_roots=[root / "cases"], named=named, store=CorpusStore())


def cases_of(root: Path, cases: str, *, head: str = HEAD, corpus: str | None = CORPUS) -> tuple[Case, ...]:
    return load(root, write(root, cases, head=head, corpus=corpus)).cases


def case_of(root: Path, case: str, *, head: str = HEAD, corpus: str | None = CORPUS) -> Case:
    (found,) = cases_of(root, case, head=head, corpus=corpus)
    return found
