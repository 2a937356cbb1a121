"""A measured judge as one page to show: both errors in words, the charts, the tables, what to be careful about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_grounded.calibration.judging import JudgeMeasurement
from pytest_grounded.calibration.judging_report import (
    judge_headline,
    prevalence_words,
    quality_words,
    rater_words,
    slice_words,
)
from pytest_grounded.calibration.pages import chart, figures, headline, listed, page, section, table
from pytest_grounded.calibration.wording import count, decimal, percent

__all__ = ["judge_page"]


def judge_page(found: JudgeMeasurement, drawn: Mapping[str, str]) -> str:
    """The page, complete in itself: it loads nothing and runs no script. `drawn` are the charts by name."""
    return page(f"How far {found.judge} can be trusted", _parts(found, drawn))


def _parts(found: JudgeMeasurement, drawn: Mapping[str, str]) -> Iterator[str]:
    yield headline(f"the judge {judge_headline(found)}", f"version {found.version}", bad=bool(found.exit_code))
    yield _figures(found)
    if found.warnings:
        yield section("Read with care", listed(found.warnings), kind="care")
    for name in ("slices", "confusion", "reliability"):
        if name in drawn:
            yield chart(drawn[name])
    for heading, lines in (
        ("Judge and labels", list(quality_words(found))),
        (
            "By slice (a claim may be in several)",
            [(one.name.replace("_", " "), slice_words(one)) for one in found.slices],
        ),
        ("No usable reply", [(kind, count(times, "claim")) for kind, times in found.failures]),
        ("People among themselves", list(rater_words(found.raters)) if found.raters else []),
        (
            "Supported among the other claims",
            list(prevalence_words(found.prevalence)) if found.prevalence else [],
        ),
    ):
        if lines:
            yield section(heading, table([(name, words, "") for name, words in lines]))


def _figures(found: JudgeMeasurement) -> str:
    whole, quality = found.whole, found.whole.quality
    supported, others = sum(quality.supported_judged), sum(quality.unsupported_judged)
    shown = [
        (_percent(quality.tpr), f"TPR: support said of {count(supported, 'supported claim')}"),
        (_percent(quality.tnr), f"TNR: support denied of {count(others, 'other claim')}"),
        (_percent(whole.agreement), f"agreement over {count(whole.n, 'claim')}"),
        ("n/a" if whole.kappa.kappa is None else decimal(whole.kappa.kappa, 2), "kappa, agreement beyond chance"),
    ]
    return figures(shown)


def _percent(value: float | None) -> str:
    return "n/a" if value is None else percent(value, 1)
