"""A calibration as one page to show: the operating point in words, the charts, the tables, what to be careful about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from pytest_grounded.calibration.calibrate import Calibration
from pytest_grounded.calibration.options import Method
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

_STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #f4f6f8; color: #1b2733; line-height: 1.5;
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', Arial, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 24px 56px; }
h1 { font-size: 15px; font-weight: 600; color: #5b6875; margin: 0 0 10px; }
h2 { font-size: 17px; margin: 0 0 10px; }
.point { background: #fff; border-left: 6px solid #1f4e79; padding: 20px 24px; border-radius: 4px; }
.point.bad { border-left-color: #a63d0a; }
.point p { margin: 0; }
.point .words { font-size: 22px; line-height: 1.35; font-weight: 600; }
.point .rule { margin-top: 10px; font-family: ui-monospace, 'Liberation Mono', monospace; font-size: 14px; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: 12px; margin: 14px 0 0; }
.figure { background: #fff; border-radius: 4px; padding: 12px 16px; }
.figure b { display: block; font-size: 24px; font-weight: 600; }
.figure span { color: #5b6875; font-size: 13px; }
section { background: #fff; border-radius: 4px; padding: 20px 24px; margin-top: 14px; }
section svg { display: block; width: 100%; height: auto; max-width: 880px; margin: 0 auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 6px 14px 6px 0; border-top: 1px solid #e3e7ec; }
tr:first-child > * { border-top: 0; }
th { font-weight: 600; white-space: nowrap; width: 1%; padding-right: 24px; }
td { overflow-wrap: anywhere; }
td small { color: #5b6875; display: block; }
ul { margin: 0; padding-left: 20px; }
li + li { margin-top: 6px; }
.care { border-left: 6px solid #d0a22b; }
@media print { body { background: #fff; } section, .point { break-inside: avoid; } }
"""


def html_page(found: Calibration, drawn: Mapping[str, str]) -> str:
    """The page, complete in itself: it loads nothing and runs no script. `drawn` are the charts by name."""
    return "".join(f"{part}\n" for part in _parts(found, drawn))


def _parts(found: Calibration, drawn: Mapping[str, str]) -> Iterator[str]:
    title = f"Operating point for {found.sample.score_name or 'the score'}"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>"
    yield f"<h1>{escape(title)}</h1>"
    bad = " bad" if found.exit_code else ""
    words = found.choice.operating_point
    yield f'<div class="point{bad}"><p class="words">{escape(words[:1].upper() + words[1:])}.</p>'
    yield f'<p class="rule">{escape(rule_words(found.choice.threshold))}</p></div>'
    yield _figures(found)
    if found.test is not None:
        yield _section(
            "On rows it was not chosen on", _table([(found.test.verdict.replace("_", " "), found.test.words, "")])
        )
    if found.warnings:
        items = "".join(f"<li>{escape(warning)}</li>" for warning in found.warnings)
        yield _section("Read with care", f"<ul>{items}</ul>", kind="care")
    for name in ("risk_coverage", "cost", "claims", "reliability", "scores"):
        if name in drawn:
            yield f"<section>{drawn[name]}</section>"
    if found.slices:
        rows = [(part.name, slice_words(part), "") for part in found.slices]
        yield _section(f"By {found.options.by}", _table(rows))
    yield _section("Method and sample", _table([(name, text, "") for name, text in summary_words(found)]))
    yield _section("The score as an order", _table(area_words(found)))
    yield _section("The score as a probability", _table([(name, text, "") for name, text in quality_words(found)]))
    for heading, lines in (
        ("Costs", cost_words(found)),
        ("Answering and refusing at this threshold", rate_words(found)),
        ("In traffic of the declared mix (estimates)", mix_words(found)),
        ("Claims, and both stages of the gate", [] if found.claims is None else claim_words(found.claims)),
    ):
        if lines:
            yield _section(heading, _table([(name, text, "") for name, text in lines]))
    yield "</main>\n</body>\n</html>"


def _figures(found: Calibration) -> str:
    choice = found.choice
    share = "n/a" if choice.coverage is None else percent(choice.coverage)
    figures = [(share, f"of queries answered ({choice.n_answered} of {choice.n})")]
    if choice.selective_risk is not None:
        seen = f"{choice.n_wrong} of {choice.n_answered}"
        words = f"of the answered wrong ({seen}); 95% interval {interval_words(choice.interval)}"
        figures.append((percent(choice.selective_risk, 1), words))
    if found.options.method is not Method.COST:
        whose = "of all queries" if found.options.method is Method.CRC else "of the answered"
        figures.append((percent(choice.alpha, 1), f"limit on wrong answers, {whose}"))
    if choice.cost_per_query is not None:
        figures.append((f"{choice.cost_per_query:.3f}", "cost per query at this threshold"))
    if found.curve.base_risk is not None:
        figures.append((percent(found.curve.base_risk, 1), "wrong if every draft were shown"))
    cards = "".join(
        f'<div class="figure"><b>{escape(value)}</b><span>{escape(words)}</span></div>' for value, words in figures
    )
    return f'<div class="figures">{cards}</div>'


def _section(heading: str, body: str, *, kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f"<section{name}><h2>{escape(heading)}</h2>{body}</section>"


def _table(rows: Sequence[tuple[str, str, str]]) -> str:
    lines = (
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(words)}{_small(more)}</td></tr>'
        for name, words, more in rows
    )
    return f"<table>{''.join(lines)}</table>"


def _small(words: str) -> str:
    return f"<small>{escape(words)}</small>" if words else ""
