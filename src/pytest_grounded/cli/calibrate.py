"""`pytest-grounded calibrate`: where to cut a score, what that promises, and whether a stored cut still holds."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from pytest_grounded.calibration.calibrate import Calibration, calibrate
from pytest_grounded.calibration.charts import charts
from pytest_grounded.calibration.costs import AbstentionCost
from pytest_grounded.calibration.drift import drift, stored_point
from pytest_grounded.calibration.inputs import CalibrationError, written_number
from pytest_grounded.calibration.options import Fit, Method, Options, Prices, ScoreKind, parse_mix
from pytest_grounded.calibration.page import html_page
from pytest_grounded.calibration.report import (
    curve_csv,
    document,
    drift_document,
    drift_text,
    pointwise_band,
    text_report,
)
from pytest_grounded.calibration.rows import Sample, read_rows
from pytest_grounded.errors import GroundedError
from pytest_grounded.files import write_whole
from pytest_grounded.redaction import neutralise

__all__ = ["add_arguments", "run"]

_CHART_FILES: Mapping[str, str] = {
    "risk_coverage": "risk-coverage.svg",
    "claims": "claims.svg",
    "reliability": "reliability.svg",
    "cost": "cost.svg",
    "scores": "scores.svg",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `calibrate`."""
    parser.add_argument(
        "results", type=Path, metavar="RESULTS", help="JSON Lines of labelled rows (case, score, correct, group, ...)"
    )
    parser.add_argument("--test", type=Path, metavar="FILE", help="rows that only confirm the threshold")
    parser.add_argument(
        "--test-share", type=_share, metavar="SHARE", help="instead of --test: hold out this share of the groups"
    )
    parser.add_argument(
        "--split-by", choices=("group",), default="group", help="what a split keeps together (default: group)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of splits, folds and resampling (default: 0)")
    _add_choosing(parser)
    _add_prices(parser)
    _add_output(parser)


def _add_choosing(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("choosing")
    group.add_argument(
        "--method",
        choices=[method.value for method in Method],
        default=Method.LTT.value,
        help="ltt: at most alpha of the answered wrong, with probability 1 - delta (default); crc: at most alpha of "
        "all queries answered wrongly, on average; empirical: at most alpha of the answered in this sample, no "
        "promise; cost: the cheapest",
    )
    group.add_argument("--alpha", type=_share, default=Fraction(1, 10), help="the limit (default: 0.1)")
    group.add_argument("--delta", type=_share, default=Fraction(1, 10), help="ltt may fail this often (default: 0.1)")
    group.add_argument("--start", type=int, help="ltt: the answered count at which testing begins")
    group.add_argument("--by", choices=("slice", "kind"), help="a threshold for each, where it has cases enough")
    group.add_argument("--prefer", choices=("coverage", "safe"), default="coverage", help="of equally cheap thresholds")
    group.add_argument("--fit", choices=[fit.value for fit in Fit], default=Fit.NONE.value, help="fit a probability")
    group.add_argument(
        "--score",
        choices=[kind.value for kind in ScoreKind],
        default=ScoreKind.PROBABILITY.value,
        help="what the score is read as (default: probability)",
    )
    group.add_argument("--target-mix", metavar="NAME=SHARE,...", help="the traffic's mix: answerable=0.8, or by kind")
    group.add_argument(
        "--claim-alpha",
        type=_share,
        metavar="SHARE",
        help="also cut the claims of a draft (key `claims`): at most this share of those drafted false and kept, on "
        "average over calibrations",
    )
    group.add_argument(
        "--min-claims",
        type=int,
        default=1,
        help="an answer with fewer kept claims is too thin to be shown (default: 1)",
    )
    group.add_argument("--bins", type=int, default=10, help="of the reliability table, 2 to 1000 (default: 10)")


def _add_prices(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("prices (needed by --method cost; else they only add a chart and figures)")
    group.add_argument("--cost-wrong", type=_price, help="of a wrong answer that is shown")
    group.add_argument("--cost-abstain", type=_price, help="of an abstention")
    group.add_argument(
        "--abstain-cost",
        choices=[convention.value for convention in AbstentionCost],
        help="which abstentions are charged: only those on right drafts (missed), or all; no default, since the "
        "cheapest threshold depends on it",
    )
    group.add_argument("--cost-review", type=_price, help="of a review by a person")
    group.add_argument("--max-review", type=int, help="reviews there is room for, among these rows")


def _add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument(
        "--out", type=Path, default=Path("calibration"), help="folder to write to (default: calibration)"
    )
    group.add_argument("--no-files", action="store_true", help="print only")
    group.add_argument("--format", choices=("text", "json", "html"), default="text", help="what is printed")
    group.add_argument(
        "--drift",
        type=Path,
        metavar="CALIBRATION",
        help="choose nothing: test a stored calibration.json on these rows (labels may be missing) and print",
    )
    group.add_argument("--level", type=_share, default=Fraction(1, 20), help="of the drift tests (default: 0.05)")


def run(arguments: argparse.Namespace) -> int:
    """Calibrate, write and print; 0 usable, 1 infeasible or a limit missed or drift, 2 unusable input."""
    try:
        return _run(arguments)
    except CalibrationError as error:
        # Ids of cases are other people's text.
        raise GroundedError(neutralise(str(error))) from None


def _run(arguments: argparse.Namespace) -> int:
    sample = _read(arguments.results)
    if arguments.drift is not None:
        return _drift(arguments, sample)
    test = None if arguments.test is None else _read(arguments.test)
    found = calibrate(sample, _options(arguments), test)
    band = pointwise_band(found)
    drawn = charts(found, band) if not arguments.no_files or arguments.format == "html" else {}
    written: list[Path] = []
    if not arguments.no_files:
        files: dict[str, Callable[[], Any]] = {
            "calibration.json": lambda: [_json(document(found))],
            "curve.csv": lambda: curve_csv(found, band),
            **{_CHART_FILES[name]: partial(list, (drawing,)) for name, drawing in sorted(drawn.items())},
            "calibration.html": lambda: [html_page(found, drawn)],
        }
        written = _write(arguments.out, files)
    _print(found, arguments.format, drawn)
    if written and arguments.format == "text":
        print(f"written to {arguments.out}: {', '.join(path.name for path in written)}")
    return found.exit_code


def _print(found: Calibration, form: str, drawn: Mapping[str, str]) -> None:
    match form:
        case "json":
            sys.stdout.write(_json(document(found)))
        case "html":
            sys.stdout.write(html_page(found, drawn))
        case _:
            sys.stdout.write(neutralise(text_report(found)))


def _drift(arguments: argparse.Namespace, sample: Sample) -> int:
    if arguments.format == "html":
        raise GroundedError("--drift prints text or json (--format html is for a calibration)")
    name = str(arguments.drift)
    stored = stored_point(_load(arguments.drift), name=name)
    found = drift(stored, sample, level=arguments.level, seed=arguments.seed)
    as_json = arguments.format == "json"
    sys.stdout.write(_json(drift_document(found)) if as_json else neutralise(drift_text(found)))
    return found.exit_code


def _options(arguments: argparse.Namespace) -> Options:
    return Options(
        method=Method(arguments.method),
        alpha=arguments.alpha,
        delta=arguments.delta,
        prices=_prices(arguments),
        by=arguments.by,
        fit=Fit(arguments.fit),
        score=ScoreKind(arguments.score),
        test_share=arguments.test_share,
        seed=arguments.seed,
        target_mix=parse_mix(arguments.target_mix) if arguments.target_mix else {},
        prefer=arguments.prefer,
        start=arguments.start,
        n_bins=arguments.bins,
        claim_alpha=arguments.claim_alpha,
        min_claims=arguments.min_claims,
    )


def _prices(arguments: argparse.Namespace) -> Prices | None:
    given = {"--cost-wrong": arguments.cost_wrong, "--cost-abstain": arguments.cost_abstain}
    missing = [name for name, value in given.items() if value is None]
    extra = [
        name
        for name, value in (
            ("--abstain-cost", arguments.abstain_cost),
            ("--cost-review", arguments.cost_review),
            ("--max-review", arguments.max_review),
        )
        if value is not None
    ]
    if len(missing) == len(given) and not extra and arguments.method != Method.COST.value:
        return None
    if missing:
        needs = (
            "--method cost" if arguments.method == Method.COST.value else (extra or sorted(given.keys() - missing))[0]
        )
        raise GroundedError(f"{needs} needs {' and '.join(missing)}")
    if arguments.abstain_cost is None:
        raise GroundedError(_which(arguments.cost_wrong, arguments.cost_abstain))
    return Prices(
        wrong=arguments.cost_wrong,
        abstain=arguments.cost_abstain,
        convention=AbstentionCost(arguments.abstain_cost),
        review=arguments.cost_review,
        max_review=arguments.max_review,
    )


def _which(wrong: Fraction, abstain: Fraction) -> str:
    """Why the convention has no default, at these prices."""
    missed = wrong / (wrong + abstain) if wrong + abstain else Fraction(0)
    every = max(Fraction(0), 1 - abstain / wrong) if wrong else Fraction(0)
    return (
        "prices need --abstain-cost missed or --abstain-cost all: charging only abstentions on right drafts, a "
        f"calibrated probability is cut at {float(missed):.3f}; charging every abstention, at {float(every):.3f}"
    )


def _share(text: str) -> Fraction:
    try:
        return written_number(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number (needs a share, e.g. 0.1)") from None


def _price(text: str) -> Fraction:
    try:
        return written_number(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number (needs a price, e.g. 5)") from None


# Files


def _read(path: Path) -> Sample:
    try:
        with path.open("rb") as file:
            return read_rows(file, name=str(path))
    except OSError as error:
        raise GroundedError(f"{path}: cannot be read: {error.strerror or error} (name a file of JSON Lines)") from None


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise GroundedError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise GroundedError(f"{path}: is not JSON: {error} (give the calibration.json that was written)") from None


def _write(folder: Path, files: Mapping[str, Callable[[], Any]]) -> list[Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, pieces in files.items():
            write_whole(folder / name, pieces())
    except OSError as error:
        raise GroundedError(f"{folder}: cannot be written: {error.strerror or error}") from None
    return [folder / name for name in files]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
