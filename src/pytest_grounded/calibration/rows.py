"""What may be calibrated on? Labelled rows of one score and one state of the corpus, drawn from traffic.

A row is one JSON object on a line, as `pytest --grounded-results` writes it or as people label it. What would make a
threshold or a promise wrong without anybody noticing is refused here, every fault of a file at once.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from pytest_grounded.calibration.inputs import CalibrationError, exact
from pytest_grounded.calibration.json_lines import decoded, numbered, shortened, shown
from pytest_grounded.errors import Problem

__all__ = [
    "Row",
    "Sample",
    "read_rows",
    "require_calibration_sample",
    "require_probabilities",
    "require_traffic",
]

_Kept = TypeVar("_Kept")

_FACTS = ("score_name", "corpus", "label_source", "sample")
_DIFFERENT = ("case", "group")
_ONE = Fraction(1)
_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One query. `score` None: it is never answered (a failure, an abstention before any draft).

    `correct` is 1 where showing the draft would be right, 0 where it would be wrong, None where nobody has looked.
    """

    case: str
    group: str
    score: float | None
    correct: int | None
    kind: str = ""
    slice: str = ""
    answerable: bool | None = None
    weight: Fraction = Fraction(1)
    score_name: str | None = None
    corpus: str | None = None
    label_source: str | None = None
    sample: str | None = None
    versions: tuple[tuple[str, str], ...] = ()
    claims: tuple[tuple[float, int], ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Rows in order of their case, whatever order the file had, and the lines they stood on."""

    rows: tuple[Row, ...]
    name: str = "rows"
    lines: Mapping[str, int] = field(default_factory=dict)

    @property
    def scored(self) -> tuple[Row, ...]:
        """Rows with a score."""
        return tuple(row for row in self.rows if row.score is not None)

    @property
    def never_answered(self) -> int:
        """How many rows have no score."""
        return len(self.rows) - len(self.scored)

    @property
    def digest(self) -> str:
        """SHA-256 of what is read of the rows, in order of their case."""
        encode = json.JSONEncoder(ensure_ascii=False).encode
        text = "\n".join(encode(_canonical(row)) for row in self.rows)
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"

    def distinct(self, name: str) -> tuple[str, ...]:
        """The values a field of the rows has, sorted; what is not said is left out."""
        return tuple(sorted({value for row in self.rows if (value := getattr(row, name))}))


def _canonical(row: Row) -> list[Any]:
    weight = [row.weight.numerator, row.weight.denominator]
    claims = [] if row.claims is None else [[list(claim) for claim in row.claims]]
    return [
        row.case,
        row.group,
        row.score,
        row.correct,
        row.kind,
        row.slice,
        row.answerable,
        weight,
        row.score_name,
        row.corpus,
        row.label_source,
        row.sample,
        list(row.versions),
        *claims,
    ]


def read_rows(raw_lines: Iterable[bytes], *, name: str = "rows") -> Sample:
    """Read rows from lines of JSON; raises `CalibrationError` with every fault that makes a row unreadable.

    Keys: `case` (with `suite`, if there is one), `score` (a finite number, or null where the case is never answered),
    `correct` (0, 1, null), and, where known, `group` (default: the case), `kind`, `slice`, `answerable`, `weight`
    (above 0, default 1), `score_name`, `corpus` (digest), `label_source`, `sample`, `versions`, `claims` (of the draft,
    each with its own `score` and `correct`). Others are passed over.

    >>> sample = read_rows([b'{"case": "b", "score": 0.7, "correct": 1}', b'{"case": "a", "score": null}'])
    >>> [row.case for row in sample.rows], sample.never_answered
    (['a', 'b'], 1)
    >>> read_rows([b'{"case": "a", "score": NaN, "correct": 1}'])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: rows:1: a.score: is NaN (needs a finite number, ...
    """
    problems: list[Problem] = []
    rows: dict[str, Row] = {}
    lines: dict[str, int] = {}
    shared: dict[Any, Any] = {}
    for number, line in numbered(raw_lines):
        reader = _Reader(name, number, shared)
        row = reader.row(line)
        problems.extend(reader.problems)
        if row is None:
            continue
        if row.case in rows:
            problems.append(reader.fault("", _TWICE.format(line=lines[row.case]), case=row.case, code="duplicate_id"))
            continue
        rows[row.case], lines[row.case] = row, number
    if not rows and not problems:
        problems.append(Problem(message="holds no rows (needs one JSON object on each line)", file=name, code=_CODE))
    if problems:
        raise CalibrationError(shortened(problems, name))
    return Sample(rows=tuple(rows[case] for case in sorted(rows)), name=name, lines=lines)


_CODE = "calibration.rows"
_TWICE = "stands twice, first in line {line} (keep one row of a case: counted twice it makes every interval too narrow)"


@dataclass(slots=True)
class _Reader:
    """Reads one line; keeps what is wrong with it. What many lines say alike is held once, in `shared`."""

    name: str
    line: int
    shared: dict[Any, Any]
    problems: list[Problem] = field(default_factory=list)
    case: str | None = None

    def fault(self, key: str, message: str, *, case: str | None = None, code: str = "rows") -> Problem:
        return Problem(
            message=message,
            code=f"calibration.{code}",
            file=self.name,
            line=self.line,
            case=case or self.case,
            field=key or None,
        )

    def add(self, key: str, message: str) -> None:
        self.problems.append(self.fault(key, message))

    def row(self, line: bytes) -> Row | None:
        """The row, or None where something is wrong with it."""
        try:
            value = decoded(line)
        except ValueError as error:
            self.add("", str(error))
            return None
        case, suite = self.text(value, "case"), self.text(value, "suite")
        if not case:
            if "case" not in {problem.field for problem in self.problems}:
                self.add("case", "is missing (needs the id of the case)")
            return None
        self.case = f"{suite}/{case}" if suite else case
        row = self._filled(value, self.case)
        return None if self.problems else row

    def _filled(self, value: Mapping[str, Any], case: str) -> Row:
        score, correct = self.score(value), self.label(value, "correct")
        answerable = self.label(value, "answerable")
        if answerable == 0 and correct == 1:
            self.add("correct", "is 1 on an unanswerable case (an answer to it is wrong, whatever its score: needs 0)")
        facts = {key: self.text(value, key) or None for key in _FACTS}
        group = self.text(value, "group") or case
        return Row(
            case=case,
            group=case if group == case else group,
            score=score,
            correct=correct,
            kind=self.text(value, "kind"),
            slice=self.text(value, "slice"),
            answerable=None if answerable is None else bool(answerable),
            weight=self.weight(value),
            versions=self.versions(value),
            claims=self.claims(value),
            **facts,
        )

    def once(self, value: _Kept) -> _Kept:
        found: _Kept = self.shared.setdefault(value, value)
        return found

    def text(self, value: Mapping[str, Any], key: str) -> str:
        found = value.get(key)
        if found is None:
            return ""
        if isinstance(found, str):
            return found if key in _DIFFERENT else self.once(found)
        self.add(key, f"is {found!r} (needs text)")
        return ""

    def score(self, value: Mapping[str, Any]) -> float | None:
        if "score" not in value:
            self.add("score", "is missing (needs a finite number, or null where the case is never answered)")
            return None
        found = value["score"]
        if found is None:
            return None
        if not _is_number(found):
            self.add("score", f"is {shown(found)} (needs a finite number, or null where the case is never answered)")
            return None
        return float(found)

    def label(self, value: Mapping[str, Any], key: str) -> int | None:
        found = value.get(key)
        if found is None:
            return None
        if isinstance(found, bool | int | float) and found in (0, 1):
            return int(found)
        self.add(key, f"is {shown(found)} (needs 0, 1 or null)")
        return None

    def weight(self, value: Mapping[str, Any]) -> Fraction:
        found = value.get("weight")
        if found is None:
            return _ONE
        if not _is_number(found) or found <= 0:
            self.add("weight", f"is {shown(found)} (needs a number above 0)")
            return _ONE
        return _ONE if found == 1 else exact(found)

    def claims(self, value: Mapping[str, Any]) -> tuple[tuple[float, int], ...] | None:
        found = value.get("claims")
        if found is None:
            return None
        if not isinstance(found, list):
            self.add("claims", f"is {shown(found)} (needs a list of claims, each with a score and a label)")
            return None
        read: list[tuple[float, int]] = []
        for place, claim in enumerate(found):
            score, label = (claim.get("score"), claim.get("correct")) if isinstance(claim, dict) else (None, None)
            if score is None or not _is_number(score):
                self.add(f"claims[{place}].score", f"is {shown(score)} (needs a finite number)")
            elif not isinstance(label, bool | int | float) or label not in (0, 1):
                self.add(f"claims[{place}].correct", f"is {shown(label)} (needs 0 or 1)")
            else:
                read.append((float(score), int(label)))
        return tuple(read)

    def versions(self, value: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        found = value.get("versions")
        if found is None:
            return ()
        if not isinstance(found, dict):
            self.add("versions", f"is {shown(found)} (needs an object of names and versions)")
            return ()
        return self.once(
            tuple(
                (key, version if isinstance(version, str) else json.dumps(version, sort_keys=True))
                for key, version in sorted(found.items())
                if version is not None
            )
        )


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def require_calibration_sample(sample: Sample) -> None:
    """Raise unless a threshold may be chosen on these rows.

    Refused: regression cases, several states of the corpus, several scores, a score without a label, one class only.

    >>> lines = [b'{"case": "a", "score": 0.7, "correct": 1, "sample": "regression"}']
    >>> require_calibration_sample(read_rows(lines))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: rows: 1 of 1 rows are regression cases ...
    """
    problems = [
        Problem(message=message, file=sample.name, code=f"calibration.{code}")
        for code, message in (*_regression(sample), *_mixed(sample))
    ]
    problems.extend(_unlabelled(sample))
    if not problems:
        problems.extend(Problem(message=m, file=sample.name, code="calibration.one_class") for m in _one_class(sample))
    if problems:
        raise CalibrationError(shortened(problems, sample.name))


def require_traffic(sample: Sample) -> None:
    """Raise where rows are regression cases, or of several states of the corpus, or of several scores.

    >>> require_traffic(read_rows([b'{"case": "a", "score": 0.7, "sample": "traffic"}']))
    """
    problems = [
        Problem(message=message, file=sample.name, code=f"calibration.{code}")
        for code, message in (*_regression(sample), *_mixed(sample))
    ]
    if problems:
        raise CalibrationError(problems)


def _regression(sample: Sample) -> Iterator[tuple[str, str]]:
    regression = sum(row.sample == "regression" for row in sample.rows)
    if regression:
        why = (
            "cases added after incidents are not drawn like traffic, so no threshold and no guarantee follows from "
            "them (label a random sample of the traffic and mark its rows `sample: traffic`)"
        )
        yield (
            "regression",
            f"{regression} of {len(sample.rows)} rows are regression cases (`sample: regression`): {why}",
        )


def _mixed(sample: Sample) -> Iterator[tuple[str, str]]:
    for key, many, why in (
        ("corpus", "states of the corpus", "labels hold for one of them: calibrate each apart"),
        ("score_name", "scores", "thresholds of one mean nothing for another: calibrate each apart"),
    ):
        counts = Counter(getattr(row, key) for row in sample.rows)
        if len(counts) > 1:
            named = sorted(counts.items(), key=lambda item: (-item[1], item[0] or ""))
            shown = ", ".join(f"{value or f'no {key}'} ({count} rows)" for value, count in named[:_NAMED])
            more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
            yield f"mixed_{key}", f"rows come from {len(counts)} {many}: {shown}{more} ({why})"


def _unlabelled(sample: Sample) -> Iterator[Problem]:
    missing = [row for row in sample.scored if row.correct is None]
    if missing:
        first = missing[0]
        message = (
            f"has a score and no label, as have {len(missing) - 1} others (label the draft that would have been shown: "
            "`correct` 1 or 0; where an abstention hid the draft, run it with the gate open)"
        )
        yield Problem(
            message=message,
            file=sample.name,
            line=sample.lines.get(first.case),
            case=first.case,
            field="correct",
            code="calibration.unlabelled",
        )


def _one_class(sample: Sample) -> Iterator[str]:
    scored = sample.scored
    right = sum(row.correct or 0 for row in scored)
    if not scored:
        yield f"none of {len(sample.rows)} rows has a score (needs drafts that were scored, right and wrong ones)"
    elif right in (0, len(scored)):
        which, other = ("right", "wrong") if right else ("wrong", "right")
        rows = f"all {len(scored)} scored rows are" if len(scored) > 1 else "the one scored row is"
        yield (
            f"{rows} {which} (needs {other} ones too: a sample of one class cannot tell a "
            "useful score from a useless one; check the labels, or label more rows)"
        )


def require_probabilities(sample: Sample) -> None:
    """Raise where a score is no probability, and is read as one.

    >>> require_probabilities(read_rows([b'{"case": "a", "score": 1.7}']))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: rows:1: a.score: is 1.7, outside [0, 1], as are 0 others, ...
    """
    outside = [row for row in sample.scored if row.score is not None and not 0 <= row.score <= 1]
    if outside:
        first = outside[0]
        message = (
            f"is {first.score!r}, outside [0, 1], as are {len(outside) - 1} others, and is read as a probability (for "
            "a score that only ranks, such as a logit or a distance: --score ranking; to fit a probability to it: "
            "--fit platt)"
        )
        raise CalibrationError(
            Problem(
                message=message,
                file=sample.name,
                line=sample.lines.get(first.case),
                case=first.case,
                field="score",
                code="calibration.no_probability",
            )
        )
