"""Does a stored operating point still hold? Exact tests of new rows against the counts it was chosen on.

With labels the wrong count is tested, without them coverage alone. Watching only the abstention rate cannot tell a
better system from a bolder one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from pytest_grounded.calibration.comparison import holm
from pytest_grounded.calibration.inputs import CalibrationError, Number, lacking, share
from pytest_grounded.calibration.intervals import Interval, clopper_pearson, fisher_exact
from pytest_grounded.calibration.options import Options
from pytest_grounded.calibration.rows import Sample, require_traffic
from pytest_grounded.calibration.sampling import independent
from pytest_grounded.calibration.wording import count, percent

__all__ = ["Drift", "drift", "stored_point"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPoint:
    """What a drift check needs of a stored calibration."""

    threshold: float
    n: int
    n_answered: int
    n_wrong: int
    score_name: str | None
    corpus: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """New rows at a stored threshold. p-values are Fisher's, two-sided; `_holm` are corrected for both looks.

    `n_labelled` of the answered rows have a label. `exit_code` 1: something changed beyond noise.
    """

    threshold: float
    stored_n: int
    stored_answered: int
    stored_wrong: int
    n: int
    n_answered: int
    n_labelled: int
    n_wrong: int
    wrong_interval: Interval | None
    wrong_p: float | None
    wrong_p_holm: float | None
    coverage_p: float
    coverage_p_holm: float
    level: float
    verdict: Literal["drift", "no_drift"]
    words: str
    notes: tuple[str, ...]
    exit_code: int
    undefined: Mapping[str, str] = field(default_factory=dict)


def stored_point(stored: Any, *, name: str = "calibration.json") -> StoredPoint:
    """What is needed of a calibration as it was written; raises `CalibrationError` where it is none.

    >>> stored_point({"schema": 1})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: calibration.json holds no calibration (no 'choice': ...
    """
    if not isinstance(stored, dict) or not isinstance(stored.get("choice"), dict):
        raise CalibrationError(
            f"{name} holds no calibration (no 'choice': give the file that `pytest-grounded calibrate` wrote)"
        )
    choice, sample = stored["choice"], stored.get("sample") or {}
    if choice.get("threshold") is None:
        raise CalibrationError(f"{name} holds no threshold: that calibration answers nothing, so nothing can drift")
    try:
        return StoredPoint(
            threshold=float(choice["threshold"]),
            n=int(choice["n"]),
            n_answered=int(choice["n_answered"]),
            n_wrong=int(choice["n_wrong"]),
            score_name=sample.get("score_name"),
            corpus=sample.get("corpus"),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CalibrationError(f"{name} holds no whole calibration: {lacking(error)} (write it anew)") from None


def drift(stored: StoredPoint, sample: Sample, *, level: Number = 0.05, seed: int = 0) -> Drift:
    """Apply a stored threshold to new rows and test what is seen against what was seen then.

    One row of each group is counted, since the tests are of independent cases. Rows of another score are refused;
    another state of the corpus is a reason for drift and is noted.

    >>> from pytest_grounded.calibration.rows import Row
    >>> new = Sample(rows=tuple(Row(case=str(i), group=str(i), score=0.95, correct=int(i >= 32)) for i in range(400)))
    >>> old = StoredPoint(threshold=0.9, n=400, n_answered=400, n_wrong=12, score_name=None, corpus=None)
    >>> found = drift(old, new)
    >>> round(found.wrong_p, 3), found.verdict
    (0.003, 'drift')
    """
    require_traffic(sample)
    names = sample.distinct("score_name")
    if stored.score_name and names and names != (stored.score_name,):
        raise CalibrationError(
            f"{sample.name} has the score {names[0]!r}, and the threshold was chosen on {stored.score_name!r} (one "
            "means nothing for the other: calibrate anew)"
        )
    limit = share("level", level, open_ended=True)
    rows = independent(sample.rows, Options(seed=seed))
    shown = [row for row in rows if row.score is not None and row.score >= stored.threshold]
    labelled = [row for row in shown if row.correct is not None]
    wrong = sum(row.correct == 0 for row in labelled)
    coverage_p = fisher_exact((stored.n_answered, stored.n - stored.n_answered), (len(shown), len(rows) - len(shown)))
    wrong_p = None
    if labelled and stored.n_answered:
        wrong_p = fisher_exact((stored.n_wrong, stored.n_answered - stored.n_wrong), (wrong, len(labelled) - wrong))
    adjusted = holm([coverage_p] if wrong_p is None else [coverage_p, wrong_p])
    drifted = any(p <= limit for p in adjusted)
    why = "nothing is answered" if not shown else "no answered row has a label"
    return Drift(
        threshold=stored.threshold,
        stored_n=stored.n,
        stored_answered=stored.n_answered,
        stored_wrong=stored.n_wrong,
        n=len(rows),
        n_answered=len(shown),
        n_labelled=len(labelled),
        n_wrong=wrong,
        wrong_interval=clopper_pearson(wrong, len(labelled)) if labelled else None,
        wrong_p=wrong_p,
        wrong_p_holm=None if wrong_p is None else adjusted[1],
        coverage_p=coverage_p,
        coverage_p_holm=adjusted[0],
        level=float(limit),
        verdict="drift" if drifted else "no_drift",
        words=_words(stored, drifted=drifted, n=len(rows), shown=len(shown), labelled=len(labelled), wrong=wrong),
        notes=tuple(_notes(stored, sample, len(rows), len(shown), len(labelled))),
        exit_code=int(drifted),
        undefined={} if wrong_p is not None else dict.fromkeys(("wrong_interval", "wrong_p", "wrong_p_holm"), why),
    )


def _words(stored: StoredPoint, *, drifted: bool, n: int, shown: int, labelled: int, wrong: int) -> str:
    then = f"answered {_rate(stored.n_answered, stored.n)}, wrong {_rate(stored.n_wrong, stored.n_answered)}"
    errors = f"wrong {_rate(wrong, labelled)}" if labelled else "no labels"
    verdict = "this is drift, not noise" if drifted else "this can be noise"
    return f"at score >= {stored.threshold:g}: then {then}; now answered {_rate(shown, n)}, {errors}: {verdict}"


def _rate(k: int, n: int) -> str:
    return f"{k} of {n} ({percent(Fraction(k, n), 1)})" if n else f"{k} of 0"


def _notes(stored: StoredPoint, sample: Sample, n: int, shown: int, labelled: int) -> Iterator[str]:
    corpora = sample.distinct("corpus")
    if stored.corpus and corpora and corpora != (stored.corpus,):
        yield f"the corpus changed: {stored.corpus} then, {corpora[0]} now; labels hold for one state of it"
    if shown and labelled < shown:
        yield (
            f"{labelled} of {count(shown, 'answered row')} have a label"
            + ("; only coverage is tested" if not labelled else "; they must be a random part of them")
        )
    if n < len(sample.rows):
        yield f"{n} of {len(sample.rows)} rows are counted, one of each group"
