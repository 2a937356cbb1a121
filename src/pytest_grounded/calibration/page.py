"""A calibration as one page to show: the operating point in words, the charts, the tables, what to be careful about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_grounded.calibration.calibrate import Calibration
from pytest_grounded.calibration.options import Method
from pytest_grounded.calibration.pages import chart, figures, headline, listed, page, section, table
from pytest_grounded.calibration.report import (
    area_words,
    claim_words,
    cost_words,
    interval_words,
    mix_words,
    quality_words,
    rate_words,
    rule_words,
    slice_words,
    summary_words,
)
from pytest_grounded.calibration.wording import percent

__all__ = ["html_page"]


def html_page(found: Calibration, drawn: Mapping[str, str]) -> str:
    """The page, complete in itself: it loads nothing and runs no script. `drawn` are the charts by name."""
    return page(f"Operating point for {found.sample.score_name or 'the score'}", _parts(found, drawn))


def _parts(found: Calibration, drawn: Mapping[str, str]) -> Iterator[str]:
    yield headline(found.choice.operating_point, rule_words(found.choice.threshold), bad=bool(found.exit_code))
    yield _figures(found)
    if found.test is not None:
        yield section(
            "On rows it was not chosen on", table([(found.test.verdict.replace("_", " "), found.test.words, "")])
        )
    if found.warnings:
        yield section("Read with care", listed(found.warnings), kind="care")
    for name in ("risk_coverage", "cost", "claims", "reliability", "scores"):
        if name in drawn:
            yield chart(drawn[name])
    if found.slices:
        rows = [(part.name, slice_words(part), "") for part in found.slices]
        yield section(f"By {found.options.by}", table(rows))
    yield section("Method and sample", table([(name, text, "") for name, text in summary_words(found)]))
    yield section("The score as an order", table(area_words(found)))
    yield section("The score as a probability", table([(name, text, "") for name, text in quality_words(found)]))
    for heading, lines in (
        ("Costs", cost_words(found)),
        ("Answering and refusing at this threshold", rate_words(found)),
        ("In traffic of the declared mix (estimates)", mix_words(found)),
        ("Claims, and both stages of the gate", [] if found.claims is None else claim_words(found.claims)),
    ):
        if lines:
            yield section(heading, table([(name, text, "") for name, text in lines]))


def _figures(found: Calibration) -> str:
    choice = found.choice
    share = "n/a" if choice.coverage is None else percent(choice.coverage)
    shown = [(share, f"of queries answered ({choice.n_answered} of {choice.n})")]
    if choice.selective_risk is not None:
        seen = f"{choice.n_wrong} of {choice.n_answered}"
        words = f"of the answered wrong ({seen}); 95% interval {interval_words(choice.interval)}"
        shown.append((percent(choice.selective_risk, 1), words))
    if found.options.method is not Method.COST:
        whose = "of all queries" if found.options.method is Method.CRC else "of the answered"
        shown.append((percent(choice.alpha, 1), f"limit on wrong answers, {whose}"))
    if choice.cost_per_query is not None:
        shown.append((f"{choice.cost_per_query:.3f}", "cost per query at this threshold"))
    if found.curve.base_risk is not None:
        shown.append((percent(found.curve.base_risk, 1), "wrong if every draft were shown"))
    return figures(shown)
