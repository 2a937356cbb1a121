"""`pytest-grounded judge`: how far a support judge may be trusted, measured against people's labels."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from pytest_grounded.calibration.inputs import CalibrationError, written_number
from pytest_grounded.calibration.json_lines import shortened
from pytest_grounded.calibration.judging import JudgeMeasurement, Limits, Verdict, measure_judge
from pytest_grounded.calibration.judging_charts import judge_charts
from pytest_grounded.calibration.judging_page import judge_page
from pytest_grounded.calibration.judging_report import judge_document, judge_text
from pytest_grounded.calibration.labels import LabelledClaim, LabelledSet, label_words, read_claims
from pytest_grounded.calibration.quality import shuffled
from pytest_grounded.errors import GroundedError, JudgeError, Problem
from pytest_grounded.files import write_whole
from pytest_grounded.judges.settings import SCORE_IS, JudgeKind, JudgeSettings, make_judge
from pytest_grounded.judges.verdicts import CachedJudge, Verdicts, read_verdicts, verdict_lines
from pytest_grounded.model.support import JudgeFailedError, ScoringJudge, SupportJudge
from pytest_grounded.redaction import neutralise
from pytest_grounded.systems.judges import load_judge_settings

__all__ = ["add_arguments", "run"]

_BY_NAME = (JudgeKind.RULES, JudgeKind.OVERLAP)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `judge`."""
    parser.add_argument(
        "labels",
        type=Path,
        metavar="LABELS",
        help="JSON Lines of claims that people labelled (id, claim, evidence, label, or labels by rater)",
    )
    parser.add_argument(
        "--judge",
        default=JudgeKind.RULES.value,
        metavar="NAME",
        help="rules (default), overlap, or a YAML file of settings (kind: onnx, openai, python, ...)",
    )
    parser.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="WORD=supported|unsupported",
        help="what a word of the file means, beside those known (may be repeated)",
    )
    parser.add_argument("--sample", type=int, metavar="N", help="judge N of the claims, drawn by --seed")
    parser.add_argument("--seed", type=int, default=0, help="of --sample (default: 0)")
    parser.add_argument(
        "--traffic",
        type=Path,
        metavar="FILE",
        help="claims without labels: how many of them are supported is estimated, corrected by the judge's errors",
    )
    parser.add_argument(
        "--labels-are",
        choices=("study", "traffic"),
        default="study",
        help="where the labels come from: a study of their own (default; corrected after Rogan and Gladen), or a "
        "random part of that traffic (prediction-powered)",
    )
    parser.add_argument("--min-tpr", type=_share, metavar="SHARE", help="the least the lower end of the TPR may be")
    parser.add_argument("--min-tnr", type=_share, metavar="SHARE", help="the least the lower end of the TNR may be")
    parser.add_argument("--verdicts", type=Path, metavar="FILE", help="keep verdicts here, and ask for none twice")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the measurement as JSON, for `measured:`")
    parser.add_argument(
        "--charts",
        type=Path,
        metavar="DIR",
        help="write judge.html here, with its charts as SVG beside it; a judge that cuts a score is asked for that too",
    )
    parser.add_argument("--format", choices=("text", "json", "html"), default="text", help="what is printed")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; 0 usable, 1 a limit is missed or the judge tells nothing, 2 unusable input."""
    try:
        return _run(arguments)
    except (CalibrationError, JudgeError) as error:
        # Ids and words of labels are other people's text.
        raise GroundedError(neutralise(str(error))) from None


def _run(arguments: argparse.Namespace) -> int:
    if arguments.labels_are == "traffic" and arguments.traffic is None:
        raise GroundedError(
            "--labels-are traffic needs --traffic FILE: the claims that the labelled ones are a part of"
        )
    words = dict(map(_word, arguments.label))
    labels = _read(arguments.labels, words)
    if arguments.sample is not None:
        labels = _sampled(labels, arguments.sample, arguments.seed)
    traffic = None if arguments.traffic is None else _read(arguments.traffic, words)
    judge = _judge(arguments.judge)
    verdicts = Verdicts() if arguments.verdicts is None else _kept(arguments.verdicts)
    cached = CachedJudge(judge, verdicts)
    try:
        said = {one.id: _verdict(cached, one) for one in labels.settled}
        others = None if traffic is None else [_verdict(cached, one) for one in traffic.claims]
    finally:
        if arguments.verdicts is not None:
            _write(arguments.verdicts, verdict_lines(verdicts, judge))
    found = measure_judge(
        labels,
        said,
        judge=judge.name,
        version=judge.version,
        traffic=others,
        limits=Limits(tpr=arguments.min_tpr, tnr=arguments.min_tnr),
        labels_are=arguments.labels_are,
        **(_scored(judge, labels) if arguments.charts is not None or arguments.format == "html" else {}),
    )
    written = _json(judge_document(found))
    if arguments.out is not None:
        _write(arguments.out, [written])
    if arguments.charts is not None:
        _write_charts(arguments.charts, found)
    match arguments.format:
        case "json":
            sys.stdout.write(written)
        case "html":
            sys.stdout.write(judge_page(found, judge_charts(found)))
        case _:
            sys.stdout.write(neutralise(judge_text(found)))
    return found.exit_code


def _scored(judge: SupportJudge, labels: LabelledSet) -> dict[str, Any]:
    """What a judge that cuts a score gives each claim; nothing of one that has none."""
    if not isinstance(judge, ScoringJudge):
        return {}
    scores: dict[str, float] = {}
    problems: list[Problem] = []
    for one in labels.settled:
        try:
            score = judge.score(one.claim, one.evidence)
        except JudgeFailedError as error:
            if error.kind.startswith(SCORE_IS):
                problems.append(_no_number(labels, one.id, judge.name, error.kind.removeprefix(SCORE_IS)))
            continue
        if score is not None:
            scores[one.id] = score
    if problems:
        raise CalibrationError(shortened(problems, labels.name))
    return {"scores": scores, "threshold": judge.threshold}


def _no_number(labels: LabelledSet, claim: str, judge: str, what: str) -> Problem:
    return Problem(
        message=f"judge {judge!r} gives a {what} (needs a number from 0 to 1, or None where no score decides)",
        code="judge.score",
        file=labels.name,
        line=labels.lines.get(claim),
        case=claim,
        field="score",
    )


def _write_charts(folder: Path, found: JudgeMeasurement) -> None:
    drawn = judge_charts(found)
    for name, drawing in drawn.items():
        _write(folder / f"{name}.svg", [drawing])
    _write(folder / "judge.html", [judge_page(found, drawn)])


def _verdict(judge: SupportJudge, claim: LabelledClaim) -> Verdict:
    try:
        return Verdict(word=judge.judge(claim.claim, claim.evidence))
    except JudgeFailedError as error:
        return Verdict(word="failed", failure=error.kind)


def _sampled(labels: LabelledSet, n: int, seed: int) -> LabelledSet:
    if n < 1:
        raise CalibrationError(f"--sample is {n} (needs at least 1 claim)")
    kept = set(shuffled([one.id for one in labels.settled], seed)[:n])
    return LabelledSet(
        claims=tuple(one for one in labels.claims if one.id in kept), name=labels.name, lines=labels.lines
    )


def _judge(name: str) -> SupportJudge:
    if name in _BY_NAME:
        return make_judge(JudgeSettings(kind=JudgeKind(name)))
    path = Path(name)
    if not path.is_file():
        raise JudgeError(f"--judge {name!r}: needs rules, overlap, or a YAML file of settings that is there")
    return make_judge(load_judge_settings(path), folder=path.parent)


def _word(text: str) -> tuple[str, int]:
    word, equals, meaning = text.rpartition("=")
    label = label_words(meaning)
    if not equals or not word.strip() or label is None:
        raise CalibrationError(f"--label {text!r} cannot be read (needs WORD=supported or WORD=unsupported)")
    return word, label


def _share(text: str) -> Fraction:
    try:
        return written_number(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number (needs a share, e.g. 0.8)") from None


# Files


def _read(path: Path, words: dict[str, int]) -> LabelledSet:
    try:
        with path.open("rb") as file:
            return read_claims(file, name=path.name, words=words)
    except OSError as error:
        raise GroundedError(f"{path}: cannot be read: {error.strerror or error} (name a file of JSON Lines)") from None


def _kept(path: Path) -> Verdicts:
    if not path.exists():
        return Verdicts()
    try:
        with path.open("rb") as file:
            return read_verdicts(file, name=str(path))
    except OSError as error:
        raise GroundedError(f"{path}: cannot be read: {error.strerror or error}") from None


def _write(path: Path, pieces: Sequence[str] | Iterator[str]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, pieces)
    except OSError as error:
        raise GroundedError(f"{path}: cannot be written: {error.strerror or error}") from None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
