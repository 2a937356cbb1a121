"""What do several runs of one case say? pass^k for what must always hold, pass@k for what may hold once, and flakes.

Runs of a case are not independent cases: bootstrap over cases. Retrying until green is not a pass.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_grounded.calibration.comparison import holm
from pytest_grounded.calibration.inputs import Number, exact, exact_mean, same_length, whole
from pytest_grounded.calibration.intervals import fisher_exact

__all__ = ["RepeatSummary", "RepeatedRuns", "changed_cases", "repeat_runs", "summarise_repeats"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedRuns:
    """Of n runs of one case c passed: the chances that k of them, drawn without replacement, all or any pass."""

    n_runs: int
    n_passed: int
    k: int
    pass_hat_k: float | None
    pass_at_k: float | None
    flaky: bool
    undefined: Mapping[str, str] = field(default_factory=dict)


def repeat_runs(n_runs: int, n_passed: int, k: int) -> RepeatedRuns:
    """pass^k = C(c, k)/C(n, k) (Yao et al. 2024) and pass@k = 1 - C(n - c, k)/C(n, k) (Chen et al. 2021).

    Unbiased for independent runs. None where fewer than k runs were made. A case is flaky when its runs disagree.

    >>> repeat_runs(4, 3, 2).pass_hat_k, repeat_runs(4, 3, 2).pass_at_k
    (0.5, 1.0)
    """
    n = whole("n_runs", n_runs)
    passed = whole("n_passed", n_passed, most=n)
    k = whole("k", k, least=1)
    flaky = 0 < passed < n
    if k > n:
        why = dict.fromkeys(("pass_hat_k", "pass_at_k"), f"{n} runs were made, fewer than {k}")
        return RepeatedRuns(n_runs=n, n_passed=passed, k=k, pass_hat_k=None, pass_at_k=None, flaky=flaky, undefined=why)
    every = math.comb(n, k)
    return RepeatedRuns(
        n_runs=n,
        n_passed=passed,
        k=k,
        pass_hat_k=float(Fraction(math.comb(passed, k), every)),
        pass_at_k=float(1 - Fraction(math.comb(n - passed, k), every)),
        flaky=flaky,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatSummary:
    """Means over cases, and how many cases flake or have too few runs."""

    n_cases: int
    k: int
    pass_hat_k: float | None
    pass_at_k: float | None
    n_flaky: int
    n_too_few: int
    undefined: Mapping[str, str] = field(default_factory=dict)


def summarise_repeats(runs: Sequence[tuple[int, int]], k: int) -> RepeatSummary:
    """pass^k and pass@k averaged over cases, each given as (runs, passed).

    >>> found = summarise_repeats([(4, 4), (4, 3), (1, 1)], 2)
    >>> found.pass_hat_k, found.n_flaky, found.n_too_few
    (0.75, 1, 1)
    """
    found = [repeat_runs(n, passed, k) for n, passed in runs]
    defined = [case for case in found if case.pass_hat_k is not None]
    every = [Fraction(math.comb(case.n_passed, k), math.comb(case.n_runs, k)) for case in defined]
    some = [1 - Fraction(math.comb(case.n_runs - case.n_passed, k), math.comb(case.n_runs, k)) for case in defined]
    why = "no case has enough runs" if found else "there are no cases"
    return RepeatSummary(
        n_cases=len(found),
        k=whole("k", k, least=1),
        pass_hat_k=exact_mean(every),
        pass_at_k=exact_mean(some),
        n_flaky=sum(case.flaky for case in found),
        n_too_few=len(found) - len(defined),
        undefined={} if defined else dict.fromkeys(("pass_hat_k", "pass_at_k"), why),
    )


def changed_cases(
    first: Sequence[tuple[int, int]], second: Sequence[tuple[int, int]], *, level: Number = 0.05
) -> tuple[bool, ...]:
    """Which cases' pass counts differ beyond noise between two sets of runs, each case given as (runs, passed).

    Fisher's exact test per case, Holm's correction over cases.

    >>> changed_cases([(8, 8), (8, 5)], [(8, 0), (8, 4)])
    (True, False)
    """
    same_length(first=first, second=second)
    p_values = [
        fisher_exact((passed, n - passed), (other, m - other))
        for (n, passed), (m, other) in zip(first, second, strict=True)
    ]
    return tuple(p <= float(exact(level)) for p in holm(p_values))
