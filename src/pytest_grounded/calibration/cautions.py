"""What must a reader of a calibration know besides its figures? Every reason not to trust them too far."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pytest_grounded.calibration.choosing import Choice
from pytest_grounded.calibration.confirming import Confirmation
from pytest_grounded.calibration.mixing import MixEstimate
from pytest_grounded.calibration.options import Fit, Method, Options
from pytest_grounded.calibration.review import ReviewBand
from pytest_grounded.calibration.sampling import SampleFacts
from pytest_grounded.calibration.wording import count, percent

__all__ = ["cautions"]

_FEW_WRONG = 5
_FEW_FOR_ISOTONIC = 300


def cautions(
    options: Options,
    choice: Choice,
    sample: SampleFacts,
    *,
    report: Confirmation | None,
    mix: MixEstimate | None,
    band: ReviewBand | None,
    n_offered: int,
) -> Iterator[str]:
    """Say what weakens a calibration: the method, the sample, the missing confirmation, small numbers.

    `n_offered` rows could have been used.
    """
    yield from _of_method(options, choice, report, mix)
    yield from _of_sample(options, sample, n_offered)
    if band is not None and band.note:
        yield band.note


def _of_method(options: Options, choice: Choice, report: Confirmation | None, mix: MixEstimate | None) -> Iterator[str]:
    if options.method is Method.EMPIRICAL:
        yield (
            "method empirical promises nothing: in a simulation of 200 cases a limit of 10% held this way was exceeded "
            "in truth 46% of the time; for a promise use --method ltt"
        )
    if options.method is Method.CRC:
        yield (
            "crc holds its limit on average over calibrations; single ones exceed it. For a promise about the "
            "answered, use --method ltt"
        )
    if report is None and choice.threshold is not None:
        yield "the threshold is not confirmed on rows it was not chosen on (--test FILE, or --test-share)"
    if report is not None and report.cost_per_query is not None:
        trivial = [c for c in (report.always_answer, report.never_answer) if c is not None]
        if trivial and report.cost_per_query > min(trivial):
            yield "on the test rows a trivial policy (answer everything, or nothing) costs less than this threshold"
    if options.by == "kind":
        yield "a threshold for each kind serves only where the kind of a query is known before it is answered"
    if mix is not None and options.method is not Method.COST:
        yield "the promise is about the sample's own mix; figures for the declared mix are estimates, no guarantee"


def _of_sample(options: Options, sample: SampleFacts, n_offered: int) -> Iterator[str]:
    if not any(row.sample for row in sample.rows):
        yield (
            "the rows do not say how they were drawn (`sample: traffic`): what is promised holds only if they are a "
            "random sample of the traffic"
        )
    if sample.n < n_offered:
        yield (
            f"{count(sample.n, 'row')} of {n_offered} are used, one of each group: a bound counts "
            "independent cases, and paraphrases are not"
        )
    if sample.never_answered:
        yield (
            f"{count(sample.never_answered, 'case')} without a score count as never answered, so coverage cannot "
            f"exceed {percent(Fraction(sample.n - sample.never_answered, sample.n))}"
        )
    if options.fit is Fit.ISOTONIC and sample.n < _FEW_FOR_ISOTONIC:
        yield f"an isotonic map of {sample.n} cases follows noise; --fit platt is steadier below some hundreds"
    if 0 < sample.n_wrong < _FEW_WRONG:
        yield f"only {sample.n_wrong} wrong drafts are in the sample; every figure hangs on them"
    for key, versions in sample.versions:
        if len(versions) > 1:
            yield f"rows come from {len(versions)} versions of {key}: {', '.join(versions[:3])}"
