"""Which rows are used for what? Splits by group, one row of a group where a bound counts cases, and the facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from pytest_grounded.calibration.inputs import CalibrationError, Ranking, rank, share
from pytest_grounded.calibration.options import Method, Options
from pytest_grounded.calibration.quality import shuffled
from pytest_grounded.calibration.rows import Row, Sample
from pytest_grounded.calibration.wording import count

__all__ = [
    "SampleFacts",
    "facts",
    "in_range",
    "independent",
    "ranked",
    "require_alike",
    "require_plain_weights",
    "split_by_group",
]

_GUARANTEED = (Method.LTT, Method.CRC)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleFacts:
    """What the rows are: counts, what they say of themselves, and their digest.

    `n` rows are used; `n_read` were read. With a guarantee one row of each group is used, since an exact bound counts
    independent cases.
    """

    digest: str
    n_read: int
    n: int
    n_groups: int
    n_wrong: int
    never_answered: int
    kinds: tuple[tuple[str, int], ...]
    score_name: str | None
    corpus: str | None
    label_sources: tuple[str, ...]
    versions: tuple[tuple[str, tuple[str, ...]], ...]
    rows: tuple[Row, ...] = field(repr=False)


def require_plain_weights(sample: Sample, options: Options) -> None:
    """Raise where rows are weighted and the method bounds a count of cases."""
    heavy = [row for row in sample.rows if row.weight != 1]
    if heavy and options.method is not Method.COST:
        have = "has" if len(heavy) == 1 else "have"
        raise CalibrationError(
            f"{count(len(heavy), 'row')} of {sample.name} {have} a weight other than 1 (first: {heavy[0].case}), and "
            f"method {options.method.value} bounds a count of cases (use --method cost, or draw the sample in the "
            "traffic's own proportions)"
        )


def require_alike(sample: Sample, test: Sample) -> None:
    """Raise where test rows share a group with the sample, or are of another score or state of the corpus."""
    shared = sorted({row.group for row in sample.rows} & {row.group for row in test.rows})
    if shared:
        raise CalibrationError(
            f"{count(len(shared), 'group')} of {test.name} are also in {sample.name} (first: {shared[0]}); a question "
            "the threshold was chosen on confirms nothing (split by group)"
        )
    for key, what in (("score_name", "score"), ("corpus", "state of the corpus")):
        here, there = sample.distinct(key), test.distinct(key)
        if here != there:
            raise CalibrationError(
                f"{sample.name} and {test.name} differ in their {what}: {here[0] if here else 'not said'} and "
                f"{there[0] if there else 'not said'} (label both on one)"
            )


def split_by_group(sample: Sample, options: Options) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """The rows to choose on, and those held out: `options.test_share` of the groups, by their names and the seed."""
    assert options.test_share is not None
    groups = shuffled([row.group for row in sample.rows], options.seed)
    held = int(share("test_share", options.test_share) * len(groups))
    out = set(groups[:held])
    kept = tuple(row for row in sample.rows if row.group not in out)
    rest = tuple(row for row in sample.rows if row.group in out)
    for name, part in (("left to choose on", kept), ("held out", rest)):
        labels = {row.correct for row in part if row.score is not None}
        if len(labels) < 2:  # noqa: PLR2004 - right and wrong
            raise CalibrationError(
                f"{count(len(part), 'row')} {name} with --test-share {float(options.test_share):g} hold no right and "
                "wrong ones both (label more rows, or give --test FILE)"
            )
    return kept, rest


def independent(rows: Sequence[Row], options: Options) -> tuple[Row, ...]:
    """One row of each group where a bound counts independent cases; which one depends on no label.

    >>> rows = [Row(case=name, group="g", score=0.5, correct=1) for name in "ab"]
    >>> len(independent(rows, Options())), len(independent(rows, Options(method=Method.EMPIRICAL)))
    (1, 2)
    """
    if options.method not in _GUARANTEED:
        return tuple(rows)
    members: dict[str, list[Row]] = {}
    for row in rows:
        members.setdefault(row.group, []).append(row)
    several = [row.case for group in members.values() if len(group) > 1 for row in group]
    place = {case: i for i, case in enumerate(shuffled(several, options.seed))}
    first = [group[0] if len(group) == 1 else min(group, key=lambda row: place[row.case]) for group in members.values()]
    return tuple(sorted(first, key=lambda row: row.case))


def ranked(rows: Sequence[Row]) -> Ranking:
    """Rows as tie groups; those without a score are never answered."""
    scored = [row for row in rows if row.score is not None]
    return rank(
        [row.score for row in scored if row.score is not None],
        [row.correct for row in scored],
        never_answered=len(rows) - len(scored),
    )


def in_range(rows: Sequence[Row]) -> bool:
    """Whether every score could be a probability."""
    return all(0 <= row.score <= 1 for row in rows if row.score is not None)


def facts(sample: Sample, rows: tuple[Row, ...]) -> SampleFacts:
    """What is known of the sample and of the rows of it that are used."""
    kinds = Counter(row.kind or "not said" for row in rows)
    versions: dict[str, set[str]] = {}
    for row in rows:
        for key, version in row.versions:
            versions.setdefault(key, set()).add(version)
    names, corpora = sample.distinct("score_name"), sample.distinct("corpus")
    return SampleFacts(
        digest=sample.digest,
        n_read=len(sample.rows),
        n=len(rows),
        n_groups=len({row.group for row in rows}),
        n_wrong=sum(1 - (row.correct or 0) for row in rows if row.score is not None),
        never_answered=sum(row.score is None for row in rows),
        kinds=tuple(sorted(kinds.items())),
        score_name=names[0] if names else None,
        corpus=corpora[0] if corpora else None,
        label_sources=sample.distinct("label_source"),
        versions=tuple((key, tuple(sorted(found))) for key, found in sorted(versions.items())),
        rows=rows,
    )
