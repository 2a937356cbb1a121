"""Every function against an independent slow version, written from the definition, on small random inputs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.calibration.agreement import cohen_kappa, krippendorff_nominal
from pytest_grounded.calibration.backoff import claim_backoff
from pytest_grounded.calibration.binomial import lower_tail, tail_at_most
from pytest_grounded.calibration.citations import Statement, citation_scores, minimal_sets
from pytest_grounded.calibration.comparison import benjamini_hochberg, holm, mcnemar, mcnemar_power
from pytest_grounded.calibration.costs import AbstentionCost, threshold_sweep, weighted_sweep
from pytest_grounded.calibration.curves import risk_coverage
from pytest_grounded.calibration.fitting import fit_isotonic, fit_platt
from pytest_grounded.calibration.guarantees import crc_threshold, ltt_threshold, smallest_answered
from pytest_grounded.calibration.inputs import decimals, exact
from pytest_grounded.calibration.intervals import (
    clopper_pearson,
    clopper_pearson_series,
    fisher_exact,
    upper_bound,
    zero_failures_needed,
)
from pytest_grounded.calibration.judges import judge_corrected_rate
from pytest_grounded.calibration.reliability import calibration_error
from pytest_grounded.calibration.repeats import repeat_runs
from pytest_grounded.calibration.review import review_band
from pytest_grounded.calibration.squad import SquadItem, squad_best_threshold

FEW_SCORES = st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.7, 0.9])
CASES = st.lists(st.tuples(FEW_SCORES, st.integers(0, 1)), min_size=1, max_size=7)
MORE_CASES = st.lists(st.tuples(FEW_SCORES, st.integers(0, 1)), min_size=1, max_size=40)
PRICES = st.integers(0, 6)
ALPHAS = st.sampled_from([0.05, 0.1, 0.2, 0.25, 0.3, 0.5])


def unzipped(cases: Sequence[tuple[float, int]]) -> tuple[list[float], list[int]]:
    return [score for score, _ in cases], [right for _, right in cases]


def exact_tail(k: int, n: int, p: Fraction) -> Fraction:
    return sum((math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1)), Fraction())


# Curves


@settings(deadline=None)
@given(CASES)
def test_aurc_is_the_average_over_every_order_of_ties(cases: list[tuple[float, int]]) -> None:
    orders = {
        tuple(order)
        for order in permutations(cases)
        if [s for s, _ in order] == sorted((s for s, _ in order), reverse=True)
    }
    # Every order counts as often as it arises, so repeats are counted by their multiplicity.
    weights = [math.prod(math.factorial(order.count(case)) for case in set(order)) for order in orders]
    means = [
        sum((Fraction(sum(1 - r for _, r in order[:k]), k) for k in range(1, len(order) + 1)), Fraction()) / len(order)
        for order in orders
    ]
    expected = sum((m * w for m, w in zip(means, weights, strict=True)), Fraction()) / sum(weights)
    assert risk_coverage(*unzipped(cases)).aurc == pytest.approx(float(expected), abs=1e-12)


@settings(deadline=None)
@given(MORE_CASES)
def test_auroc_counts_pairs(cases: list[tuple[float, int]]) -> None:
    right = [s for s, r in cases if r]
    wrong = [s for s, r in cases if not r]
    wins = sum((a > b) + (a == b) / 2 for a in right for b in wrong)
    expected = wins / (len(right) * len(wrong)) if right and wrong else None
    assert risk_coverage(*unzipped(cases)).auroc == (None if expected is None else pytest.approx(expected))


@settings(deadline=None)
@given(MORE_CASES, st.integers(0, 5))
def test_cases_that_are_never_answered_only_shrink_coverage(cases: list[tuple[float, int]], never: int) -> None:
    scores, correct = unzipped(cases)
    plain, curve = risk_coverage(scores, correct), risk_coverage(scores, correct, never_answered=never)
    share = len(cases) / (len(cases) + never)
    assert curve.max_coverage == pytest.approx(share)
    assert [p.selective_risk for p in curve.points] == [p.selective_risk for p in plain.points]
    assert curve.augrc == pytest.approx((plain.augrc or 0.0) * share**2)
    assert curve.aurc == pytest.approx((plain.aurc or 0.0) * share)


# Costs


@settings(deadline=None)
@given(MORE_CASES, PRICES, PRICES, st.sampled_from(list(AbstentionCost)))
def test_the_sweep_finds_what_trying_every_threshold_finds(
    cases: list[tuple[float, int]], wrong: int, abstain: int, convention: AbstentionCost
) -> None:
    def total(threshold: float) -> int:
        shown = [r for s, r in cases if s >= threshold]
        hidden = [r for s, r in cases if s < threshold]
        charged = len(hidden) if convention is AbstentionCost.ALL else sum(hidden)
        return wrong * shown.count(0) + abstain * charged

    candidates: list[float | None] = [*sorted({s for s, _ in cases}), None]
    costs = {c: total(math.inf if c is None else c) for c in candidates}
    best = threshold_sweep(*unzipped(cases), cost_wrong=wrong, cost_abstain=abstain, abstain_cost=convention).best
    assert list(best.optimal_thresholds) == [c for c in candidates if costs[c] == min(costs.values())]
    assert best.min_cost_per_query == pytest.approx(min(costs.values()) / len(cases))


@settings(deadline=None)
@given(MORE_CASES, PRICES, PRICES, st.sampled_from(list(AbstentionCost)), st.integers(1, 3))
def test_equal_weights_change_no_optimum(
    cases: list[tuple[float, int]], wrong: int, abstain: int, convention: AbstentionCost, weight: int
) -> None:
    scores, correct = unzipped(cases)
    plain = threshold_sweep(scores, correct, cost_wrong=wrong, cost_abstain=abstain, abstain_cost=convention)
    weighed = weighted_sweep(
        scores, correct, [weight] * len(cases), cost_wrong=wrong, cost_abstain=abstain, abstain_cost=convention
    )
    assert weighed.best.optimal_thresholds == plain.best.optimal_thresholds
    assert weighed.best.min_cost_per_query == pytest.approx(plain.best.min_cost_per_query)
    assert (weighed.always_answer, weighed.never_answer) == pytest.approx((plain.always_answer, plain.never_answer))


@settings(deadline=None)
@given(
    MORE_CASES,
    st.tuples(PRICES, PRICES, PRICES),
    st.none() | st.integers(0, 8),
    st.sampled_from(list(AbstentionCost)),
)
def test_the_review_band_is_the_cheapest_of_all_splits(
    cases: list[tuple[float, int]], prices: tuple[int, int, int], most: int | None, convention: AbstentionCost
) -> None:
    wrong, abstain, review = prices
    levels = sorted({s for s, _ in cases}, reverse=True)
    totals: dict[tuple[int, int, int], int] = {}
    for i in range(len(levels) + 1):
        for j in range(i, len(levels) + 1):
            shown = [r for s, r in cases if s in levels[:i]]
            seen = [r for s, r in cases if s in levels[i:j]]
            hidden = [r for s, r in cases if s in levels[j:]]
            if most is None or len(seen) <= most:
                charged = len(hidden) if convention is AbstentionCost.ALL else sum(hidden)
                cost = wrong * shown.count(0) + review * len(seen) + abstain * charged
                totals[len(shown), len(seen), len(hidden)] = cost
    band = review_band(
        *unzipped(cases),
        cost_wrong=wrong,
        cost_abstain=abstain,
        cost_review=review,
        max_review=most,
        abstain_cost=convention,
    )
    assert band.min_total_cost == min(totals.values())
    found = {(p.n_answer, p.n_review, p.n_abstain) for p in band.optimal_partitions}
    assert found == {split for split, total in totals.items() if total == min(totals.values())}


# Guarantees


@settings(deadline=None)
@given(MORE_CASES, ALPHAS)
def test_crc_takes_the_lowest_threshold_that_is_allowed(cases: list[tuple[float, int]], alpha: float) -> None:
    n, limit = len(cases), Fraction(str(alpha))
    allowed = [t for t in {s for s, _ in cases} if Fraction(sum(1 - r for s, r in cases if s >= t) + 1, n + 1) <= limit]
    assert crc_threshold(*unzipped(cases), alpha=alpha).threshold == (min(allowed) if allowed else None)


@settings(deadline=None, max_examples=60)
@given(MORE_CASES, ALPHAS, st.sampled_from([0.1, 0.25, 0.5]), st.none() | st.integers(1, 20))
def test_ltt_walks_down_until_the_first_failure(
    cases: list[tuple[float, int]], alpha: float, delta: float, start: int | None
) -> None:
    begin = start or smallest_answered(alpha, delta)
    threshold = None
    for t in sorted({s for s, _ in cases}, reverse=True):
        shown = [r for s, r in cases if s >= t]
        if len(shown) < begin:
            continue
        if exact_tail(shown.count(0), len(shown), Fraction(str(alpha))) > Fraction(str(delta)):
            break
        threshold = t
    assert ltt_threshold(*unzipped(cases), alpha=alpha, delta=delta, start=start).threshold == threshold


@settings(deadline=None)
@given(st.lists(st.lists(st.tuples(FEW_SCORES, st.integers(0, 1)), max_size=4), min_size=1, max_size=12), ALPHAS)
def test_claim_back_off_takes_the_lowest_cut_that_is_allowed(
    answers: list[list[tuple[float, int]]], alpha: float
) -> None:
    def loss(cut: float) -> Fraction:
        losses = (Fraction(sum(1 - r for s, r in a if s >= cut), len(a)) for a in answers if a)
        return sum(losses, Fraction())

    cuts = {s for answer in answers for s, _ in answer}
    allowed = [t for t in cuts if (loss(t) + 1) / (len(answers) + 1) <= Fraction(str(alpha))]
    scores = [[s for s, _ in answer] for answer in answers]
    correct = [[r for _, r in answer] for answer in answers]
    found = claim_backoff(scores, correct, alpha=alpha)
    assert found.threshold == (min(allowed) if allowed else None)
    if found.threshold is not None:
        kept = [sum(s >= found.threshold for s in answer) for answer in scores]
        assert found.emptied == sum(k == 0 for k, answer in zip(kept, scores, strict=True) if answer)


# Intervals


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from([0.01, 0.05, 0.3, 0.5, 0.9]))
def test_the_binomial_tail_is_exact(k: int, more: int, p: float) -> None:
    n = k + more
    assert lower_tail(k, n, p) == pytest.approx(float(exact_tail(k, n, Fraction(p))), rel=1e-12)


@settings(deadline=None)
@given(st.integers(0, 30), st.integers(1, 30), st.sampled_from([Fraction(1, 20), Fraction(1, 4), Fraction(9, 10)]))
def test_the_upper_bound_solves_the_tail_equation(k: int, more: int, delta: Fraction) -> None:
    n = k + more
    bound = upper_bound(k, n, delta=delta)
    assert float(exact_tail(k, n, Fraction(bound))) == pytest.approx(float(delta), rel=1e-9)


@settings(deadline=None)
@given(st.lists(st.integers(0, 1), min_size=1, max_size=60))
def test_bounds_along_a_curve_are_those_of_each_point(wrong: list[int]) -> None:
    counts = [(sum(wrong[:n]), n) for n in range(1, len(wrong) + 1)]
    for interval, (k, n) in zip(clopper_pearson_series(counts), counts, strict=True):
        alone = clopper_pearson(k, n)
        assert (interval.low, interval.high) == pytest.approx((alone.low, alone.high), abs=2e-7)


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=8))
def test_decimals_over_one_power_of_ten_are_the_exact_ones(values: list[float]) -> None:
    tops, unit = decimals(values)
    assert [Fraction(top, unit) for top in tops] == [exact(value) for value in values]


@settings(deadline=None)
@given(*[st.integers(0, 12)] * 4)
def test_fisher_adds_up_the_tables_that_are_no_likelier(a: int, b: int, c: int, d: int) -> None:
    row, column, n = a + b, a + c, a + b + c + d
    tables = {
        x: Fraction(math.comb(column, x) * math.comb(n - column, row - x), math.comb(n, row))
        for x in range(max(0, row + column - n), min(row, column) + 1)
    }
    expected = sum((p for p in tables.values() if p <= tables[a]), Fraction())
    assert fisher_exact((a, b), (c, d)) == pytest.approx(float(expected), rel=1e-9)


@pytest.mark.parametrize(
    ("limit", "delta"), [(0.5, 0.5), (0.5, 0.25), (0.9, 0.001), (0.1, 0.1), (0.2, 0.64), (0.75, 0.0625)]
)
def test_the_least_number_of_cases_is_right_where_logarithms_are_not(limit: float, delta: float) -> None:
    rate, allowed = Fraction(str(limit)), Fraction(str(delta))
    expected = next(n for n in range(1, 1000) if (1 - rate) ** n <= allowed)
    assert zero_failures_needed(limit, delta=delta) == expected


@settings(deadline=None)
@given(st.integers(0, 12), st.integers(0, 12), st.integers(1, 9))
def test_equality_with_a_limit_is_decided_exactly(k: int, more: int, tenths: int) -> None:
    n, p = k + more, Fraction(tenths, 10)
    tail = exact_tail(k, n, p)
    assert tail_at_most(k, n, p, tail)
    if tail > 0:
        assert not tail_at_most(k, n, p, tail * (1 - Fraction(1, 10**15)))


# Judges and raters


LABELS = st.sampled_from(["a", "b", "c"])


@settings(deadline=None)
@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=30))
def test_kappa_is_agreement_beyond_chance(pairs: list[tuple[str, str]]) -> None:
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    chance = sum((sum(a == label for a, _ in pairs) / n) * (sum(b == label for _, b in pairs) / n) for label in "abc")
    expected = None if math.isclose(chance, 1) else (observed - chance) / (1 - chance)
    found = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs]).kappa
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))


@settings(deadline=None)
@given(st.lists(st.lists(st.none() | LABELS, min_size=3, max_size=3), min_size=1, max_size=12))
def test_alpha_compares_pairs_within_units_to_all_pairs(units: list[list[str | None]]) -> None:
    present = [[v for v in unit if v is not None] for unit in units]
    pairable = [unit for unit in present if len(unit) > 1]
    values = [v for unit in pairable for v in unit]
    n = len(values)
    within = sum(
        sum(a != b for i, a in enumerate(u) for j, b in enumerate(u) if i != j) / (len(u) - 1) for u in pairable
    )
    across = sum(a != b for i, a in enumerate(values) for j, b in enumerate(values) if i != j)
    expected = 1 - (n - 1) * within / across if across else None
    found = krippendorff_nominal([[unit[r] for unit in units] for r in range(3)]).alpha
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))


@settings(deadline=None)
@given(st.integers(0, 100), st.integers(51, 100), st.integers(51, 100))
def test_the_corrected_rate_explains_what_the_judge_saw(true: int, tpr: int, tnr: int) -> None:
    rate, hit, miss = (Fraction(value, 100) for value in (true, tpr, tnr))
    seen = rate * hit + (1 - rate) * (1 - miss)
    assert judge_corrected_rate(seen, tpr=hit, tnr=miss).raw == pytest.approx(float(rate), abs=1e-12)


# Probabilities


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20).map(lambda i: i / 20), st.integers(0, 1)), min_size=1, max_size=40))
def test_calibration_error_over_bins_counted_by_hand(pairs: list[tuple[float, int]]) -> None:
    n_bins = 5
    gaps: list[tuple[Decimal, int]] = []
    for i in range(n_bins):
        low, high = Decimal(i) / n_bins, Decimal(i + 1) / n_bins
        inside = [(Decimal(str(p)), y) for p, y in pairs if low < Decimal(str(p)) <= high or (i == 0 and p == 0)]
        if inside:
            gaps.append((abs(sum((p for p, _ in inside), Decimal()) - sum(y for _, y in inside)), len(inside)))
    found = calibration_error([p for p, _ in pairs], [y for _, y in pairs], n_bins=n_bins)
    assert found.nonempty_bins == len(gaps)
    assert found.ece == pytest.approx(float(sum((gap for gap, _ in gaps), Decimal()) / len(pairs)), abs=1e-12)
    assert found.mce == pytest.approx(max(float(gap / n) for gap, n in gaps), abs=1e-12)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 1)), min_size=1, max_size=25))
def test_the_isotonic_map_is_the_max_min_of_averages(pairs: list[tuple[int, int]]) -> None:
    xs = sorted({x for x, _ in pairs})

    def average(low: int, high: int) -> Fraction:
        inside = [y for x, y in pairs if xs[low] <= x <= xs[high]]
        return Fraction(sum(inside), len(inside))

    expected = [max(min(average(a, b) for b in range(i, len(xs))) for a in range(i + 1)) for i in range(len(xs))]
    assert fit_isotonic([x for x, _ in pairs], [y for _, y in pairs]).fitted == tuple(map(float, expected))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(-30, 30).map(lambda i: i / 10), st.integers(0, 1)), min_size=4, max_size=30))
def test_platts_map_is_where_the_gradient_vanishes(pairs: list[tuple[float, int]]) -> None:
    scores, outcomes = unzipped(pairs)
    fitted = fit_platt(scores, outcomes)
    right = sum(outcomes)
    if fitted.a is None or fitted.b is None:
        assert right in (0, len(pairs)) or len(set(scores)) == 1
        return
    high, low = (right + 1) / (right + 2), 1 / (len(pairs) - right + 2)
    residuals = [(high if y else low) - fitted.probability(s) for s, y in pairs]
    assert sum(residuals) == pytest.approx(0, abs=1e-6)
    assert sum(r * s for r, s in zip(residuals, scores, strict=True)) == pytest.approx(0, abs=1e-6)


# Citations, answers


PASSAGES = st.sampled_from("abcd")
FAMILIES = st.lists(st.sets(PASSAGES, min_size=1, max_size=3), max_size=3)


@settings(deadline=None)
@given(st.lists(st.tuples(st.lists(PASSAGES, max_size=4), FAMILIES), max_size=4))
def test_citations_count_by_a_table_of_all_subsets(given_statements: list[tuple[list[str], list[set[str]]]]) -> None:
    ok, supported = [], []
    for cites, families in given_statements:
        table = {
            frozenset(subset): any(family <= set(subset) for family in families)
            for size in range(5)
            for subset in combinations("abcd", size)
        }
        distinct = sorted(set(cites), key=cites.index)
        whole = frozenset(distinct)
        holds = bool(distinct) and table[whole]
        supported.append(holds)
        ok += [holds and (len(distinct) == 1 or table[frozenset(c)] or not table[whole - {c}]) for c in distinct]
    found = citation_scores(
        [Statement(cites=tuple(cites), support=minimal_sets(families)) for cites, families in given_statements]
    )
    assert found.citation_recall == (pytest.approx(sum(supported) / len(supported)) if supported else None)
    assert found.citation_precision == (pytest.approx(sum(ok) / len(ok)) if ok else None)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([0.1, 0.4, 0.4, 0.9]), st.booleans(), st.booleans(), st.sampled_from([0.0, 0.5, 1.0])
        ),
        min_size=1,
        max_size=10,
    )
)
def test_the_realizable_threshold_is_the_best_one_tried(items: list[tuple[float, bool, bool, float]]) -> None:
    questions = [
        SquadItem(na_prob=p, has_answer=has, answered=shown, score=score if has else 0)
        for p, has, shown, score in items
    ]

    def score_at(cut: float) -> float:
        total = 0.0
        for q in questions:
            answering = (q.na_prob or 0.0) <= cut
            if q.has_answer:
                total += float(q.score or 0) if answering else 0.0
            else:
                total += 0.0 if answering and q.answered else 1.0
        return total / len(questions)

    best = max(score_at(cut) for cut in [-1.0, *(p for p, *_ in items)])
    assert squad_best_threshold(questions).realizable.best == pytest.approx(best)


# Comparison


@settings(deadline=None)
@given(st.integers(0, 25), st.integers(0, 25))
def test_mcnemar_is_a_sum_of_coin_tosses(first: int, second: int) -> None:
    n = first + second
    chances = [Fraction(math.comb(n, i), 2**n) for i in range(n + 1)]
    at_least = sum((c for c in chances if c <= chances[first]), Fraction())
    found = mcnemar(first, second)
    assert found.p_exact == pytest.approx(float(at_least), rel=1e-12)
    if n:
        same = sum((c for c in chances if c == chances[first]), Fraction())
        assert found.p_mid == pytest.approx(float(at_least - same / 2), rel=1e-12)


def test_power_is_the_chance_of_the_tables_that_reject() -> None:
    n, down, up = 20, Fraction(3, 10), Fraction(1, 20)
    total = Fraction()
    for b in range(n + 1):
        for c in range(n + 1 - b):
            if mcnemar(c, b).p_exact <= 0.05:
                ways = math.comb(n, b) * math.comb(n - b, c)
                total += ways * down**b * up**c * (1 - down - up) ** (n - b - c)
    assert mcnemar_power(n, pass_to_fail=down, fail_to_pass=up) == pytest.approx(float(total), rel=1e-9)


@settings(deadline=None)
@given(st.lists(st.integers(0, 1), min_size=1, max_size=7), st.integers(1, 7))
def test_pass_at_and_hat_k_enumerate_the_draws(runs: list[int], k: int) -> None:
    found = repeat_runs(len(runs), sum(runs), k)
    draws = list(combinations(runs, k))
    if not draws:
        assert (found.pass_hat_k, found.pass_at_k) == (None, None)
        return
    assert found.pass_hat_k == pytest.approx(sum(all(draw) for draw in draws) / len(draws))
    assert found.pass_at_k == pytest.approx(sum(any(draw) for draw in draws) / len(draws))


@settings(deadline=None)
@given(st.lists(st.integers(0, 100).map(lambda i: i / 100), min_size=1, max_size=8))
def test_adjusted_p_values_reject_what_the_step_procedures_reject(p_values: list[float]) -> None:
    ordered = sorted(p_values)
    m = len(ordered)
    for level in (0.01, 0.05, 0.2):
        stepped_down = next((i for i, p in enumerate(ordered) if p * (m - i) > level), m)
        stepped_up = max((i for i, p in enumerate(ordered, start=1) if p * m / i <= level), default=0)
        assert sum(p <= level for p in holm(p_values)) == stepped_down
        assert sum(p <= level for p in benjamini_hochberg(p_values)) == stepped_up
