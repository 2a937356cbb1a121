"""The example of every check as data (docs/checks/examples/*.yaml), and what a run over it says.

An example is a project of a few files that passes, and the smallest edit of one of them that its check finds. Here the
files are written and judged as a user's are, by `pytest` and `pytest-grounded lint`; pages and tests read what it says.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from typing import Any

import yaml

__all__ = ["APPROVED", "Example", "Said", "Verdicts", "load_examples", "run_examples"]

HERE = Path(__file__).parent / "checks" / "examples"
CORPUS, CASES, REPLY, RAW, APPROVED = "corpus.yaml", "cases.yaml", "reply.yaml", "reply.txt", "approved trace"
_VARIANTS = {"reduced.yaml": "reduced", "absent.yaml": "absent"}
_WITHOUT_TRACES, _WITH_TRACES = ("--grounded-snapshots", "off"), ("--grounded-snapshots", "check")
_ORPHANS_FAIL = ("--grounded-orphans", "fail")
_COMMAND = "import sys; from pytest_grounded.cli import main; sys.exit(main())"


@dataclass(frozen=True, kw_only=True)
class Example:
    """What a check's page shows: its rule, when it does not look, files that pass, and an edit of one that does not.

    `also` are checks that cannot but find the same edit. The approved trace is made of the files before the edit.
    """

    check: str
    rule: str
    unless: str
    files: Mapping[str, str]
    edited: str
    old: str
    new: str
    also: tuple[str, ...] = ()

    @property
    def is_about_traces(self) -> bool:
        """Whether an approved trace has to be there before."""
        return self.check.startswith(("snapshot.", "trace.changed"))

    def failing(self, text: str) -> str:
        """A file's text with the edit made; raises ValueError where that is not one place."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.check}: {self.old!r} stands {text.count(self.old)} times in {self.edited}")
        return text.replace(self.old, self.new)

    def failing_files(self) -> dict[str, str]:
        """The files with the edit made; an edit of the approved trace is none of theirs."""
        if self.edited == APPROVED:
            return dict(self.files)
        return {**self.files, self.edited: self.failing(self.files[self.edited])}

    def diff(self) -> str:
        """The edit as a unified diff."""
        whole = self.old if self.edited == APPROVED else self.files[self.edited]
        before, after = (text.splitlines() for text in (whole, self.failing(whole)))
        return "\n".join(unified_diff(before, after, self.edited, self.edited, n=1, lineterm=""))


@dataclass(frozen=True, kw_only=True)
class Said:
    """What is found in one project: check, field or place, and message."""

    check: str
    where: str
    message: str


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """What a run says of each example by its check, before and after the edit."""

    passing: Mapping[str, tuple[Said, ...]]
    failing: Mapping[str, tuple[Said, ...]]


def load_examples(folder: Path = HERE) -> dict[str, Example]:
    """Every example by its check's name. What a family shares stands in its files unless an example has its own."""
    found: dict[str, Example] = {}
    for path in sorted(folder.glob("*.yaml")):
        family = yaml.safe_load(path.read_text(encoding="utf-8"))
        for check, data in family["checks"].items():
            own = {name: data.pop(name) for name in list(data) if "." in name}
            files = {name: text for name, text in {**family.get("shared", {}), **own}.items() if text}
            edited, old, new = data.pop("edit")
            found[check] = Example(
                check=check, files=files, edited=edited, old=old, new=new, also=tuple(data.pop("also", ())), **data
            )
    return found


# --- running them ----------------------------------------------------------------------------------------------------


def run_examples(examples: Iterable[Example], root: Path) -> Verdicts:
    """Judge every example on both sides; two runs for those that need no approved trace, three for the others."""
    plain, traced = _Sides(root / "plain"), _Sides(root / "traced")
    for example in examples:
        (traced if example.is_about_traces else plain).examples.append(example)
    return Verdicts(passing=_passing(plain, traced), failing=_failing(plain, traced))


@dataclass(frozen=True)
class _Sides:
    root: Path
    examples: list[Example] = field(default_factory=list)

    def write(self, *, failing: bool) -> Path:
        """A project with one suite for each example."""
        project = self.root / ("fails" if failing else "passes")
        (project / "cases").mkdir(parents=True)
        for example in self.examples:
            _write(project / "cases" / example.check, example.failing_files() if failing else example.files)
        (project / "pytest.ini").write_text("[pytest]\ngrounded_system = recorded:responses.jsonl\n", encoding="utf-8")
        return project


def _passing(plain: _Sides, traced: _Sides) -> dict[str, tuple[Said, ...]]:
    found = _judge(plain.write(failing=False), _WITHOUT_TRACES)
    project = traced.write(failing=False)
    _pytest(project, ("--grounded-snapshots", "update"))
    return {**found, **_judge(project, (*_WITH_TRACES, *_ORPHANS_FAIL))}


def _failing(plain: _Sides, traced: _Sides) -> dict[str, tuple[Said, ...]]:
    found = _judge(plain.write(failing=True), _WITHOUT_TRACES)
    project = traced.write(failing=True)
    if traced.examples:
        shutil.copytree(traced.root / "passes" / "snapshots", project / "snapshots")
    for example in traced.examples:
        if example.edited == APPROVED:
            for path in sorted((project / "snapshots" / example.check).glob("*.json")):
                path.write_text(example.failing(path.read_text(encoding="utf-8")), encoding="utf-8")
    return {**found, **_judge(project, (*_WITH_TRACES, *_ORPHANS_FAIL))}


def _write(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir(parents=True)
    for name in (CORPUS, CASES):
        (folder / name).write_text(files[name], encoding="utf-8")
    (folder / "responses.jsonl").write_text("".join(_recorded(files)), encoding="utf-8")


def _recorded(files: Mapping[str, str]) -> Iterator[str]:
    """A line for every case of the file and every variant that has a reply."""
    cases = yaml.load(files[CASES], Loader=yaml.BaseLoader)["cases"]  # noqa: S506 - makes texts only
    for case in dict.fromkeys(case["id"] for case in cases):
        reply: Any = files[RAW] if RAW in files else yaml.safe_load(files.get(REPLY, ""))
        yield json.dumps({"case": case, "response": reply}) + "\n"
        for name, variant in _VARIANTS.items():
            if name in files:
                yield json.dumps({"case": case, "variant": variant, "response": yaml.safe_load(files[name])}) + "\n"


def _judge(project: Path, options: tuple[str, ...]) -> dict[str, tuple[Said, ...]]:
    """Everything found, by suite: findings of cases, what `lint` refuses, traces without a case."""
    found: dict[str, list[Said]] = {path.name: [] for path in sorted((project / "cases").iterdir())}
    if not found:
        return {}
    output = _pytest(project, ("--grounded-results", "results.jsonl", *options))
    for line in (project / "results.jsonl").read_text(encoding="utf-8").splitlines():
        result = json.loads(line)
        for one in result["findings"]:
            found[result["suite"]].append(Said(check=one["check"], where=one["field"], message=one["message"]))
        if result["verdict"] == "inconclusive":
            found[result["suite"]].append(Said(check="inconclusive", where="", message=str(result["not_judged"])))
    for error in json.loads(_run(["-c", _COMMAND, "lint", "--format", "json", "cases"], project))["errors"]:
        place = ":".join(str(error[key]) for key in ("file", "line", "column") if error[key] is not None)
        said = [part for part in (error["case"], error["field"]) if part]
        where = ": ".join((place, *([".".join(said)] if said else ())))
        found[Path(error["file"]).parts[1]].append(Said(check=error["code"], where=where, message=error["message"]))
    if "snapshot.orphan" in output:
        for suite, path in _orphans(output):
            found[suite].append(Said(check="snapshot.orphan", where=path, message="belongs to no case"))
    return {suite: tuple(said) for suite, said in found.items()}


def _orphans(output: str) -> Iterator[tuple[str, str]]:
    for line in output.splitlines():
        if line.startswith("  snapshots/"):
            yield Path(line.strip()).parts[1], line.strip()


def _pytest(project: Path, options: tuple[str, ...]) -> str:
    return _run(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--continue-on-collection-errors", *options], project)


def _run(arguments: list[str], project: Path) -> str:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "COV_", "CI"))}
    done = subprocess.run(  # noqa: S603 - our own modules
        [sys.executable, *arguments],
        cwd=project,
        env={**kept, "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    return done.stdout + ("" if "lint" in arguments else done.stderr)
